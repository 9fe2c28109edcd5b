"""Packed arrays are buffers."""

import array
import gc
import os

import numpy
import pytest
import variant_view as vv

FORMATS = {
    "PackedByteArray": ("B", 1), "PackedInt32Array": ("i", 1), "PackedInt64Array": ("q", 1), "PackedFloat32Array": ("f", 1),
    "PackedFloat64Array": ("d", 1), "PackedVector2Array": ("f", 2), "PackedVector3Array": ("f", 3), "PackedVector4Array": ("f", 4),
    "PackedColorArray": ("f", 4),
}


def read(value, dialect="godot4", **options):
    return vv.loads(vv.encode(value, dialect, **options), dialect).root


@pytest.mark.parametrize(("kind", "format", "count"), [(kind, *layout) for kind, layout in FORMATS.items()])
def test_numpy_sees_the_bytes_without_a_copy(kind, format, count):
    numbers = numpy.arange(6 * count).astype(format).reshape((6, count) if count > 1 else 6)
    data = vv.encode({"pad": 1, "a": vv.PackedArray(kind, numbers)}, "godot4")
    packed = vv.loads(data, "godot4").root["a"]
    view = memoryview(packed)
    seen = numpy.asarray(packed)
    assert (view.format, view.shape, view.readonly, view.c_contiguous) == (format, numbers.shape, True, True)
    assert (seen == numbers).all() and seen.dtype == numbers.dtype and not seen.flags.writeable and not seen.flags.owndata
    start = numpy.frombuffer(data, "B").__array_interface__["data"][0]
    assert start <= seen.__array_interface__["data"][0] < start + len(data)
    assert packed.kind == kind and len(packed) == 6 and packed.tobytes() == numbers.tobytes()
    with pytest.raises(ValueError):
        seen.flags.writeable = True
    assert vv.encode(packed, "godot4") == vv.encode(vv.PackedArray(kind, numbers), "godot4")


@pytest.mark.parametrize("kind", ["PackedVector2iArray", "PackedVector3iArray", "PackedVector4iArray"])
def test_integer_vectors_of_pandemonium(kind):
    count = int(kind[12])
    numbers = numpy.arange(4 * count, dtype="i").reshape(4, count)
    packed = read(vv.PackedArray(kind, numbers), "pandemonium5")
    assert (numpy.asarray(packed) == numbers).all()
    assert packed[1].kind == kind[6:-5] and tuple(packed[1]) == tuple(numbers[1])


@pytest.mark.parametrize("shift", range(8))
def test_numbers_at_any_address(shift):
    data = b"x" * shift + vv.encode(numpy.arange(5, dtype="d"), "godot4") + b"x"
    packed = vv.loads(memoryview(data)[shift:], "godot4").root
    seen = numpy.asarray(packed)
    assert seen.sum() == 10 and (seen * 2)[4] == 8 and numpy.sort(seen)[-1] == 4
    assert memoryview(packed).tolist() == [0, 1, 2, 3, 4] and packed.tolist() == [0, 1, 2, 3, 4]
    ints = vv.loads(memoryview(b"x" * shift + vv.encode(numpy.arange(3), "godot4"))[shift:], "godot4").root
    assert numpy.asarray(ints).tolist() == [0, 1, 2]
    # Such layouts are also written correctly.
    assert vv.encode(seen, "godot4") == vv.encode(numpy.arange(5, dtype="d"), "godot4")


def test_double_precision():
    wide = read(vv.PackedArray("PackedVector3Array", numpy.array([[0.1, 0.2, 0.3]])))
    assert wide.width == 64 and memoryview(wide).format == "d" and wide[0] == vv.Vector3(0.1, 0.2, 0.3) and wide[0].width == 64
    narrow = read(vv.PackedArray("PackedVector3Array", [(0.5, 1, 2)]))
    assert narrow.width == 32 and narrow[0].width == 32


def test_an_array_lives_as_long_as_it_is_used(tmp_path):
    path = tmp_path / "a.var"
    path.write_bytes(vv.encode({"a": numpy.arange(100_000, dtype="f")}, "godot4"))
    for options in ({}, {"mmap": True}):
        with vv.open(path, **options) as file:
            assert file.is_mapped == bool(options)
            seen = numpy.asarray(file[0].root["a"])
            copied = numpy.asarray(file[0].root["a"].copy())
        del file
        gc.collect()
        assert seen[99_999] == 99_999 and seen.sum() == copied.sum()
    views = [memoryview(vv.loads(vv.encode(bytes([n]) * 1000, "godot4"), "godot4").root) for n in range(100)]
    gc.collect()
    assert [view[999] for view in views] == list(range(100))


def test_a_file_that_is_cut_meanwhile_does_no_harm_unless_it_is_mapped(tmp_path):
    path = tmp_path / "a.var"
    path.write_bytes(vv.encode({"a": numpy.arange(1_000_000, dtype="f")}, "godot4"))
    file = vv.open(path)
    assert not file.is_mapped
    seen = numpy.asarray(file[0].root["a"])
    os.truncate(path, 0)
    assert seen[-1] == 999_999


def test_no_one_writes():
    import ctypes

    packed = read(numpy.arange(3, dtype="f"))
    room, writable = ctypes.create_string_buffer(256), 1
    with pytest.raises(BufferError, match="immutable"):
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(packed), room, writable)
    with pytest.raises(TypeError):
        memoryview(packed)[0] = 1.0
    with pytest.raises(ValueError):
        numpy.asarray(packed)[0] = 1


def test_elements():
    points = read(vv.PackedArray("PackedVector2Array", [(1, 2), (3, 4), (5, 6)]))
    assert points[0] == vv.Vector2(1, 2) and points[-1] == vv.Vector2(5, 6) and list(points)[1] == vv.Vector2(3, 4)
    assert points[1:].tolist() == [vv.Vector2(3, 4), vv.Vector2(5, 6)] and points[::-2].tolist() == [vv.Vector2(5, 6), vv.Vector2(1, 2)]
    assert numpy.asarray(points[1:]).tolist() == [[3, 4], [5, 6]]
    assert vv.Vector2(3, 4) in points and points.index(vv.Vector2(3, 4)) == 1 and points.count(vv.Vector2(9, 9)) == 0
    assert list(reversed(points))[0] == vv.Vector2(5, 6) and points == points.copy() and hash(points) == hash(points.copy())
    for index in (3, -4):
        with pytest.raises(IndexError):
            points[index]
    assert len(vv.PackedArray("PackedFloat32Array")) == 0 and numpy.asarray(vv.PackedArray("PackedVector3Array")).shape == (0, 3)


def test_buffers_of_others_are_written():
    assert read(array.array("f", [1, 2.5])).kind == "PackedFloat32Array"
    assert read(bytearray(b"ab")).tobytes() == b"ab" and read(memoryview(b"abcd")[::2]).tobytes() == b"ac"
    assert read(numpy.arange(6, dtype="f").reshape(3, 2).T.copy()[0]).tolist() == [0, 2, 4]
    assert read(numpy.arange(6, dtype="f").reshape(3, 2)).kind == "PackedVector2Array"
    assert read(numpy.arange(12, dtype="f").reshape(3, 4)[:, 1:]).tolist()[0] == vv.Vector3(1, 2, 3)
    assert read(numpy.float32(1.5)) == 1.5 and read(numpy.int64(7)) == 7 and read([numpy.float64(0.1)]) == [0.1]
    for wrong in (numpy.zeros((2, 4), "f"), numpy.zeros(3, "u2"), numpy.zeros((2, 5), "f"), numpy.array(["a"])):
        with pytest.raises(vv.EncodeError):
            vv.encode(wrong, "godot4")
    for kind, data in (
        ("PackedVector3Array", numpy.zeros((2, 2), "f")), ("PackedColorArray", numpy.zeros((2, 4))), ("PackedFloat32Array", [object()]),
        ("PackedVector2Array", [(1, 2, 3)]), ("PackedInt32Array", "12"), ("PackedInt32Array", numpy.zeros(3)),
    ):
        with pytest.raises(TypeError):
            vv.PackedArray(kind, data)
    for kind in ("Vector2", "Packed", "PackedStringArray"):
        with pytest.raises(ValueError):
            vv.PackedArray(kind)
    for kind, data in (("PackedByteArray", [256]), ("PackedInt32Array", [2**31])):
        with pytest.raises(OverflowError):
            vv.PackedArray(kind, data)


def test_to_look_at_many_numbers_reads_none_of_them():
    """An array of any length borrows the memory of the bytes: no copy is made."""
    import tracemalloc

    packed = read(numpy.zeros(5_000_000, "f"))
    tracemalloc.start()
    seen = numpy.asarray(packed)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seen.nbytes == 20_000_000 and most < 100_000
