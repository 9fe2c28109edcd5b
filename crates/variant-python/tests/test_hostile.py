"""Hostile bytes."""

import random
import struct
import tracemalloc

import pytest
import variant_view as vv
from corpus import CORPUS, ENGINES, records

ARRAY, DICTIONARY = struct.pack("<II", 28, 1), struct.pack("<II", 27, 1)
NIL = bytes(4)


def uses(data, dialect="godot4"):
    """Calls every function that reads the bytes. Each returns a value or raises an error of this package."""
    document = vv.loads(data, dialect)
    root = []
    for use in (
        lambda: root.append(document.root), document.to_python, document.to_json, lambda: document.to_json(exact=True), document.tobytes,
        document.validate, lambda: document.select("..*"), lambda: document.at("[0].a{1}"), lambda: len(root[0]), lambda: list(root[0]),
        lambda: root[0].get("x"), lambda: [root[0].get(key) for key in range(20)], lambda: list(root[0].items()), lambda: root[0][-1],
        lambda: repr(root[0]), lambda: vv.encode(document, dialect), lambda: list(vv.open_bytes(data, dialect=dialect, framing="frames")),
    ):
        try:
            use()
        except (vv.VariantError, TypeError, AttributeError, IndexError, KeyError):
            pass


@pytest.mark.parametrize("head", [ARRAY, DICTIONARY + NIL, DICTIONARY], ids=["array", "value", "key"])
def test_a_tower_ends_in_an_error(head):
    for levels in (1_000, 1_024, 1_025, 100_000):
        data = head * levels + NIL * 2
        document = vv.loads(data, "godot4")
        if levels > 1_024:
            for use in (document.to_python, document.to_json, document.validate, lambda: vv.encode(document, "godot4")):
                with pytest.raises(vv.DecodeError) as caught:
                    use()
                assert caught.value.category == "limit"
        uses(data)


def test_as_deep_as_the_engines_go():
    data = ARRAY * 1_024 + NIL
    value = vv.loads(data, "godot4").to_python()
    assert vv.encode(value, "godot4") == data
    levels, view = 0, vv.loads(data, "godot4").root
    while view is not None:
        view, levels = view[0], levels + 1
    assert levels == 1_024
    with pytest.raises(vv.EncodeError, match="deep"):
        vv.encode([value], "godot4")
    try:
        assert value == vv.loads(data, "godot4").to_python()
    except RecursionError:
        pass  # Python compares by recursion, and some versions do not go so deep.
    keys = DICTIONARY * 1_000 + NIL * 1_001
    read = vv.loads(keys, "godot4").to_python()
    assert vv.encode(read, "godot4") == keys
    assert hash(next(iter(read))) == hash(next(iter(vv.loads(keys, "godot4").to_python())))


def test_a_value_within_itself_ends_in_an_error():
    loop = []
    loop.append(loop)
    around = {}
    around["a"] = vv.Object("Node", {"b": around})
    for value in (loop, around):
        with pytest.raises(vv.EncodeError, match="within itself|deep"):
            vv.encode(value, "godot4")
        with pytest.raises(vv.EncodeError):
            vv.Key(value)


@pytest.mark.parametrize("id", [4, 22, 24, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38])
@pytest.mark.parametrize("count", [0x7FFFFFFF, 0xFFFFFFFF, 0x10000000])
def test_a_claimed_count_makes_no_room(id, count):
    data = struct.pack("<II", id, count) + bytes(64)
    tracemalloc.start()
    uses(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10_000_000
    if (id, count) == (34, 0xFFFFFFFF):
        # If the count is negative, engines read an empty array.
        assert vv.loads(data, "godot4").to_python() == ()
        return
    with pytest.raises(vv.DecodeError) as caught:
        vv.loads(data, "godot4").to_python()
    assert caught.value.category in ("truncated", "malformed")


def test_a_length_is_verified_before_it_is_told():
    root = vv.loads(struct.pack("<II", 28, 0x7FFFFFFF) + bytes(64), "godot4").root
    for use in (lambda: len(root), lambda: list(root), lambda: root[0]):
        with pytest.raises(vv.DecodeError):
            use()


def test_bytes_changed_at_random():
    choose = random.Random(1)
    seeds = []
    for engine in ENGINES:
        for path in sorted((CORPUS / engine).glob("*.vectors.jsonl")):
            hexes = [record["hex"] for record in records(path) if "hex" in record and len(record["hex"]) < 2_000]
            seeds += [(engine, bytes.fromhex(text)) for text in choose.sample(hexes, min(40, len(hexes)))]
    for engine, seed in seeds:
        for _ in range(8):
            data = bytearray(seed)
            for _ in range(choose.randint(1, 3)):
                if data:
                    data[choose.randrange(len(data))] = choose.choice([0, 1, 4, 27, 28, 127, 128, 255])
            uses(bytes(data[: choose.randint(0, len(data))] if choose.random() < 0.3 else data), engine)


def test_every_end_is_an_error():
    data = vv.encode({"a": [1, "b", vv.Vector2()], "c": vv.NodePath.parse("/a:b"), "d": b"123"}, "godot4")
    # The padding of a byte array may be missing at the end, so the loop ends before it.
    for end in range(len(data) - 1):
        with pytest.raises(vv.DecodeError):
            vv.loads(data[:end], "godot4").validate()
        uses(data[:end])


def test_long_keys_make_no_long_paths():
    data = vv.encode({"k" * 1_000_000: list(range(10_000))}, "godot4")
    tracemalloc.start()
    found = vv.loads(data, "godot4").select("..*")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found) == 10_001 and found[-1] == (None, 9_999) and most < 20_000_000


def test_many_keys_take_no_time_for_each_pair_of_them():
    """Looks up each key once. If each look-up made a pass over the bytes, this test would take hours."""
    data = vv.encode({f"key {number}": number for number in range(100_000)}, "godot4")
    assert dict(vv.loads(data, "godot4").root) == {f"key {number}": number for number in range(100_000)}


def test_keys_of_keys_are_each_read_once():
    """The work is linear. If each level were hashed with everything in it, the work would be a thousand times as much."""
    inner = vv.encode(b"x" * 2_000_000, "godot4")
    data = DICTIONARY * 1_000 + inner + NIL * 1_000
    assert vv.encode(vv.loads(data, "godot4").to_python(), "godot4") == data


def test_objects_are_refused_where_they_are_not_wanted():
    data = vv.encode([vv.Object("Node", {"name": "x"})], "godot4")
    assert vv.loads(data, "godot4").to_python()[0].class_name == "Node"
    refusing = vv.loads(data, "godot4", objects="refuse")
    for use in (refusing.to_python, refusing.validate, lambda: list(refusing.root)):
        with pytest.raises(vv.DecodeError) as caught:
            use()
        assert caught.value.category == "limit"


def test_fewer_levels_may_be_allowed():
    data = vv.encode([[[1]]], "godot4")
    assert vv.loads(data, "godot4", depth=3).to_python() == [[[1]]]
    with pytest.raises(vv.DecodeError):
        vv.loads(data, "godot4", depth=2).to_python()


def test_compressed_files_are_unpacked_up_to_a_limit():
    path = CORPUS / "godot4/containers/save200.zstd.gcpf"
    with pytest.raises(vv.OpenError):
        vv.open(path, max_len=1_000)
