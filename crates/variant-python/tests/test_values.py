"""Values of Python that can be encoded, and objects that cannot."""

import copy
import math
import pickle
import struct

import pytest
import variant_view as vv

EVERY = [
    None, True, 7, vv.Int64(7), 2**40, -(2**63), 1.5, 0.1, -0.0, vv.Float64(1.0), "text", vv.StringName("hp"), vv.Vector2(1, 2),
    vv.Vector2(0.1, 2, width=64), vv.Vector2i(1, -2), vv.Rect2((1, 2), (3, 4)), vv.Rect2i((1, 2), (3, 4)), vv.Vector3(1, 2, 3),
    vv.Vector3i(1, 2, 3), vv.Transform2D(), vv.Vector4(1, 2, 3, 4), vv.Vector4i(1, 2, 3, 4), vv.Plane((0, 1, 0), 4), vv.Quaternion(),
    vv.AABB((1, 2, 3), (4, 5, 6)), vv.Basis(), vv.Transform3D(origin=(1, 2, 3), width=64), vv.Projection(), vv.Color(1, 0.5, 0.25),
    vv.NodePath.parse("/root/Main:position:x"), vv.RID(7), vv.ObjectId(9), vv.NullObject(), vv.Object("Node", {"name": "a"}),
    vv.Callable(), vv.Signal("pressed", 3), vv.Array([1, 2], "int"), vv.Array([], vv.ElementType("class", "Node")),
    vv.Dictionary({"a": 1}, "String", "int"), [1, [2]], {"a": {"b": 1}}, vv.PackedStringArray(["a", ""]),
    vv.PackedArray("PackedByteArray", b"\1\2"), vv.PackedArray("PackedVector3Array", [(1, 2, 3), vv.Vector3(4, 5, 6)]),
    vv.PackedArray("PackedColorArray", [(1, 1, 1, 1)]), vv.PackedArray("PackedInt64Array", [2**40]), {vv.Key([1, {}]): 1},
]


@pytest.mark.parametrize("value", EVERY, ids=repr)
def test_a_value_is_the_same_when_it_is_read_copied_and_pickled(value):
    data = vv.encode(value, "godot4")
    read = vv.loads(data, "godot4").to_python()
    assert vv.encode(read, "godot4") == data
    for other in (read, copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value and type(other) is type(value)
        assert vv.encode(other, "godot4") == data


@pytest.mark.parametrize("bits", [0x7FF8000000000001, 0xFFF0000000000001, 0x7FF8000000000000])
def test_a_nan_keeps_its_payload(bits):
    data = struct.pack("<IQ", 3 | 1 << 16, bits)
    assert vv.encode(vv.loads(data, "godot4").to_python(), "godot4") == data
    single = struct.pack("<II", 3, 0x7F800001 | bits >> 32 & 0x80000000)
    assert vv.encode(vv.loads(single, "godot4").to_python(), "godot4") == single
    vector = struct.pack("<III", 5, 0x7F800001, 0xFFC00002)
    assert vv.encode(vv.loads(vector, "godot4").to_python(), "godot4") == vector


def test_text_that_is_no_utf8_stays():
    data = struct.pack("<II", 4, 3) + b"\xed\xa0\x80\0"
    text = vv.loads(data, "godot3").root
    assert text.encode("utf-8", "surrogateescape") == b"\xed\xa0\x80"
    assert vv.encode(text, "godot3") == data
    with pytest.raises(vv.EncodeError):
        vv.encode("\ud800", "godot3")


def test_keys_that_a_dict_has_once_stay():
    pairs = ((1, "int"), (1.0, "float"), (True, "bool"), (1, "again"))
    data = vv.encode(vv.Dictionary(pairs=pairs), "godot4")
    read = vv.loads(data, "godot4").to_python()
    assert read == {1: "again"} and read.pairs == pairs
    assert [type(key) for key, _ in read.pairs] == [int, float, bool, int]
    assert vv.encode(read, "godot4") == data
    read["new"] = 2
    assert read.pairs is None
    assert vv.loads(vv.encode(read, "godot4"), "godot4").to_python() == {1: "again", "new": 2}


@pytest.mark.parametrize("change", [
    lambda of: of.update(b=1), lambda of: of.pop(1), lambda of: of.popitem(), lambda of: of.clear(), lambda of: of.setdefault("b"),
    lambda of: of.__delitem__(1), lambda of: of.__ior__({"b": 1}),
])
def test_every_change_ends_the_pairs(change):
    dictionary = vv.Dictionary(pairs=((1, 1), (1.0, 2)))
    change(dictionary)
    assert dictionary.pairs is None


def test_containers_are_keys():
    value = {vv.Key([1, [2]]): "array", vv.Key({"a": 1}): "dictionary", vv.Key(vv.Array([1], "int")): "typed"}
    read = vv.loads(vv.encode(value, "godot4"), "godot4")
    assert read.to_python() == value
    assert read.root[vv.Key([1, [2]])] == "array"
    assert vv.Key([1]) != vv.Key([1.0]) and vv.Key([1]) != vv.Key(vv.Array([1], "int")) and vv.Key([1]) == vv.Key([1])
    assert vv.Key([1]).value == [1]
    with pytest.raises(TypeError):
        {[1]: 1}  # noqa: B018


def test_names_are_texts():
    assert vv.StringName("hp") == "hp" and {"hp": 1}[vv.StringName("hp")] == 1
    read = vv.loads(vv.encode({vv.StringName("hp"): vv.StringName("x")}, "godot4"), "godot4").to_python()
    assert [type(part) for pair in read.items() for part in pair] == [vv.StringName, vv.StringName]


def test_mathematical_values():
    x, y = vv.Vector2(3, 4)
    assert (x, y) == (3.0, 4.0) and math.hypot(*vv.Vector2(3, 4)) == 5
    box = vv.AABB((1, 2, 3), size=(4, 5, 6), width=64)
    assert box.size.z == 6 and box.size.width == 64 and box.kind == "AABB"
    assert vv.Vector2(1, 2) != vv.Vector2i(1, 2) and vv.Vector2(1, 2) != (1, 2) and len({vv.Vector2(1, 2), vv.Vector2i(1, 2)}) == 2
    assert repr(vv.Rect2i((1, 2), (3, 4))) == "Rect2i(position=Vector2i(x=1, y=2), size=Vector2i(x=3, y=4))"
    match vv.Color(1, 0.5):
        case vv.Color(r=1, g=green):
            assert green == 0.5
    for wrong in (lambda: vv.Vector2(1, 2) + vv.Vector2(1, 2), lambda: vv.Vector2(1, 2) * 2, lambda: 2 * vv.Vector2(1, 2)):
        with pytest.raises(TypeError, match="no arithmetic"):
            wrong()
    with pytest.raises(AttributeError):
        box.width = 32
    with pytest.raises(TypeError):
        vv.Vector2i(1.5, 0)


@pytest.mark.parametrize(("value", "path", "match"), [
    (2**63, "", "64 bits"),
    ({"a": [1, -(2**63) - 1]}, "a[1]", "64 bits"),
    (object(), "", "object is not a Variant"),
    ({"a": {3: lambda: 1}}, "a[3]", "function is not a Variant"),
    ({"odd key": [object()]}, '["odd key"][0]', "not a Variant"),
    ({object(): 1}, "{0:key}", "not a Variant"),
    ([vv.Vector2i(0, 2**31)], "[0]", "32 bits"),
    ([vv.Vector3(1e300, 0, 0)], "[0]", "beyond a float of 32 bits"),
    ({"at": vv.Object("", {})}, "at", "class"),
    (vv.RID(-1), "", "int"),
    (1j, "", "not a Variant"),
    ({1, 2}, "", "not a Variant"),
    (vv.Array([1], "Vektor"), "", "Vektor"),
    (vv.Array([1], vv.ElementType("klass", "a")), "", "klass"),
])
def test_what_is_no_value_is_told_with_its_path(value, path, match):
    with pytest.raises(vv.EncodeError, match=match) as caught:
        vv.encode(value, "godot4")
    assert caught.value.path == path and isinstance(caught.value, ValueError)


def test_what_a_dialect_lacks_is_told_with_its_path():
    with pytest.raises(vv.EncodeError, match="Vector4") as caught:
        vv.encode({"at": [vv.Vector4()]}, "godot3")
    assert (caught.value.path, caught.value.category) == ("at[0]", "encode")
    with pytest.raises(vv.EncodeError):
        vv.encode(2**40, "godot2")


def test_misspelt_options_are_told():
    for wrong in (
        lambda: vv.encode(1, "godot9"), lambda: vv.encode(1, "godot4", precision="Double"), lambda: vv.encode(1, "godot4", framing="frame"),
        lambda: vv.loads(b"", "godot4", objects="Refuse"), lambda: vv.loads(b"", "godot4", depth=2000), lambda: vv.loads(b"", "godot4", reals="64"),
    ):
        with pytest.raises(ValueError, match="is unknown|limit"):
            wrong()


def test_framings_are_written():
    frames = b"".join(vv.encode(value, "godot3", framing="frames") for value in (1, "a"))
    assert [document.root for document in vv.open_bytes(frames, dialect="godot3")] == [1, "a"]
    settings = vv.encode({"a/b": 1, "c": [2]}, "godot4", framing="settings")
    assert {setting.name: setting.to_python() for setting in vv.open_bytes(settings)} == {"a/b": 1, "c": [2]}


def test_mappings_and_views_are_written():
    import collections
    import types

    assert vv.encode(types.MappingProxyType({"a": 1}), "godot4") == vv.encode({"a": 1}, "godot4")
    assert vv.encode(collections.OrderedDict(a=(1, 2)), "godot4") == vv.encode({"a": [1, 2]}, "godot4")
    root = vv.loads(vv.encode({"a": [1, {"b": 2}]}, "godot3"), "godot3").root
    assert vv.encode({"copied": root["a"]}, "godot4") == vv.encode({"copied": [1, {"b": 2}]}, "godot4")
