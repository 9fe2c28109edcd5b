"""Views, which read a container only as far as it is accessed."""

from collections.abc import Mapping, Sequence

import pytest
import variant_view as vv

VALUE = {"hp": 7, "items": [1, 2.5, {"id": 3}, "x"], "at": vv.Vector2(1, 2), 5: "five", "empty": []}


@pytest.fixture
def document():
    return vv.loads(vv.encode(VALUE, "godot4"), "godot4")


def test_a_dictionary_is_a_mapping(document):
    root = document.root
    assert isinstance(root, Mapping) and isinstance(root, vv.DictionaryView)
    assert len(root) == 5 and list(root) == list(VALUE) and list(root.keys()) == list(VALUE)
    assert root["hp"] == 7 and root.get("hp") == 7 and root.get("mp") is None and root.get("mp", 3) == 3
    assert "hp" in root and "mp" not in root and 5 in root and 5.0 not in root
    assert dict(root.items())["hp"] == 7 and list(root.values())[0] == 7 and "hp" in root.keys()
    assert list(reversed(root)) == list(reversed(VALUE))
    assert root == VALUE and VALUE == root.to_python() and root != {}
    with pytest.raises(KeyError):
        root["mp"]
    match root:
        case {"hp": hp, "items": [first, *_]}:
            assert (hp, first) == (7, 1)


def test_an_array_is_a_sequence(document):
    items = document.root["items"]
    assert isinstance(items, Sequence) and isinstance(items, vv.ArrayView)
    assert len(items) == 4 and items[0] == 1 and items[-1] == "x" and items[1:3] == [2.5, {"id": 3}] and items[::-1][0] == "x"
    assert 2.5 in items and 9 not in items and items.index(2.5) == 1 and items.count(1) == 1
    assert list(reversed(items))[0] == "x" and items == VALUE["items"]
    assert items.element_type is None and items.kind == "Array" and not document.root["empty"]
    for index in (4, -5):
        with pytest.raises(IndexError):
            items[index]
    with pytest.raises(ValueError):
        items.index(9)


def test_an_object_is_a_mapping_of_its_properties():
    root = vv.loads(vv.encode(vv.Object("Node2D", {"name": "a", "at": [1]}), "godot3"), "godot3").root
    assert isinstance(root, vv.ObjectView) and root.class_name == "Node2D"
    assert list(root) == ["name", "at"] and root["name"] == "a" and dict(root.items())["at"] == [1] and "x" not in root
    assert root.to_python() == vv.Object("Node2D", {"name": "a", "at": [1]})
    assert [root.get("name") for _ in range(20)] == ["a"] * 20 and [root.get("x") for _ in range(20)] == [None] * 20


def test_types_are_declared():
    value = {"a": vv.Array([1], "int"), "d": vv.Dictionary({"a": 1}, "String", vv.ElementType("class", "Node"))}
    root = vv.loads(vv.encode(value, "godot4"), "godot4").root
    assert root["a"].element_type == vv.ElementType("builtin", "int")
    assert (root["d"].key_type, root["d"].value_type) == (vv.ElementType("builtin", "String"), vv.ElementType("class", "Node"))


@pytest.mark.parametrize("dialect", ["godot4", "pandemonium5", "godot3"])
def test_keys_are_equal_as_in_the_engine(dialect):
    pairs = [(1, "int"), (1.0, "float"), (True, "bool"), (None, "nil"), ("k", "text"), (vv.Vector2(1, 2), "vector")]
    if dialect != "godot3":
        pairs += [(vv.StringName("name"), "name")]
    root = vv.loads(vv.encode(vv.Dictionary(pairs=tuple(pairs)), dialect), dialect).root
    # The first look-ups search the bytes, later ones a table of the keys.
    for _ in range(20):
        for key, value in pairs:
            assert root[key] == value, key
        assert root.get(0) is None and root.get("x") is None and root.get(vv.Vector2i(1, 2)) is None
        assert (root.get("name") is not None) == (dialect == "godot4")
    assert list(root.items()) == pairs


def test_of_equal_keys_the_last_counts():
    pairs = tuple([("a", 1), ("b", 2), ("a", 3)])
    root = vv.loads(vv.encode(vv.Dictionary(pairs=pairs), "godot4"), "godot4").root
    assert [root["a"] for _ in range(20)] == [3] * 20
    assert list(root.items()) == list(pairs) and len(root) == 3


def test_a_value_is_gone_to_by_path(document):
    assert document.at("items[2].id") == 3 and document.at("") == VALUE and document.at("[5]") == "five"
    assert document.root.at("items[0]") == 1 and document.root["items"].at("[2].id") == 3
    assert document.path_to(document.root["items"].offset) == "items"
    for path in ("mp", "items[9]", "hp.x", "items["):
        with pytest.raises(vv.PathError) as caught:
            document.at(path)
        assert isinstance(caught.value, LookupError) and caught.value.category == "mismatch" and caught.value.expected


def test_damage_in_a_container_on_the_path_is_raised_after_the_value_too():
    # In each value, the last header names no type.
    for value, path in (({"a": 1, "b": 2}, "a"), ({"in": {"a": 1}, "b": 2}, "in.a"), ({"in": [{"a": 1, "b": 2}]}, "in[0].a"),
                        (vv.Object("Node2D", {"a": 1, "b": 2}), "a")):
        damaged = vv.encode(value, "godot4")[:-8] + bytes.fromhex("ee00000002000000")
        with pytest.raises(vv.DecodeError) as caught:
            vv.loads(damaged, "godot4").at(path)
        assert caught.value.offset == len(damaged) - 8
    # An array is read only up to the element, since later elements cannot replace it.
    damaged = vv.encode([{"a": 1}, 2], "godot4")[:-8] + bytes.fromhex("ee00000002000000")
    assert vv.loads(damaged, "godot4").at("[0].a") == 1


def test_values_are_selected(document):
    assert document.select("items[*]") == [("items[0]", 1), ("items[1]", 2.5), ("items[2]", {"id": 3}), ("items[3]", "x")]
    assert document.select("..id") == [("items[2].id", 3)] and document.root["items"].select("[0]") == [("[0]", 1)]
    assert document.select("mp") == []
    with pytest.raises(vv.PathError, match="column"):
        document.select("items[")


def test_json(document):
    import json

    assert json.loads(document.root["items"].to_json()) == [1, 2.5, {"id": 3}, "x"]
    assert json.loads(document.to_json(exact=True))["dialect"] == "godot4"
    assert "\n" in document.to_json(pretty=True)


def test_bytes_of_a_view_are_a_value(document):
    items = document.root["items"]
    assert vv.loads(items.tobytes(), "godot4").to_python() == VALUE["items"]
    assert items.dialect == "godot4" and "4 at byte" in repr(items)
