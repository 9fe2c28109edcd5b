"""Files are compared and merged, value by value."""

import pickle
import random

import pytest
import variant_view as vv
from corpus import CORPUS

SAVES = CORPUS / "godot3/migration/saves"


def file(*values, dialect="godot4", **options):
    data = b"".join(vv.encode(value, dialect, framing="frames") for value in values)
    return vv.open_bytes(data, dialect=dialect, framing="frames", **options)


def values(data, dialect="godot4"):
    return [document.to_python() for document in vv.open_bytes(data, dialect=dialect, framing="frames")]


def test_saves_of_a_game_are_compared_through_their_layers():
    old, new = (vv.open(SAVES / name, password="hunter2") for name in ("player1_v1.gdec", "player1_v2.gcpf"))
    assert old.diff(vv.open(SAVES / "player1_v1.save")) == []
    found = old.diff(new)
    assert found and {difference.change for difference in found} <= {"changed", "added", "removed"}
    for difference in found:
        before, after = difference.offset_before, difference.offset_after
        assert (difference.before is None) == (before is None) == (difference.change == "added")
        assert (difference.after is None) == (after is None) == (difference.change == "removed")
    assert old.diff(new, most=1) == found[:1] and old.diff(new, most=0) == []
    assert (found.total, found.is_cut) == (len(found), False)
    assert [(cut.total, cut.is_cut) for cut in (old.diff(new, most=len(found)), old.diff(new, most=1), old.diff(new, most=0))] == [
        (len(found), False), (len(found), True), (len(found), True)]
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found and (type(copy), copy.total, copy.is_cut) == (vv.Found, found.total, found.is_cut)


def test_each_difference_has_its_frame_its_path_and_its_offsets():
    old, new = file({"a": 1}, {"b": 1, "c": [1, 2]}), file({"a": 1}, {"b": "x", "c": [1, 2, 3], "d": None})
    found = old.diff(new)
    assert [(difference.change, difference.frame, difference.path, difference.before, difference.after) for difference in found] == [
        ("changed", 2, "b", "1", '"x"'), ("added", 2, "c[2]", None, "3"), ("added", 2, "d", None, "null")]
    assert old[1].path_to(found[0].offset_before) == "b" and new[1].path_to(found[1].offset_after) == "c[2]"
    assert repr(found[0]) == '<Difference, changed frame 2: b: 1 to "x">' and found[0] == old.diff(new)[0]
    (root,) = file(1).diff(file(2))
    assert (root.path, root.frame) == ("", 1)


def test_many_ranges_of_a_packed_array_are_one_difference():
    count = 10_000
    old, new = (file(vv.PackedArray("PackedInt32Array", [number % 2 * step for number in range(count)])) for step in (1, 2))
    found = old.diff(new)
    assert {difference.change for difference in found[:-1]} == {"changed"} and found[-1].change == "others"
    assert "more elements in" in found[-1].after and found[-1].before is None
    assert (found.total, found.is_cut) == (count // 2, False) and len(found) < found.total
    assert (old.diff(new, most=1).total, old.diff(new, most=1).is_cut) == (count // 2, True)


def test_damage_ends_a_comparison():
    broken = vv.open_bytes(file({"a": [1, 2]}).tobytes()[:-2], dialect="godot4", framing="frames")
    for one, other, note in ((broken, file(1), "first"), (file(1), broken, "other")):
        with pytest.raises(vv.DecodeError) as caught:
            one.diff(other)
        assert caught.value.offset is not None and caught.value.__notes__ == [f"this is in the {note} file"]


def test_a_merge_has_the_changes_of_both_files():
    base = file({"hp": 1, "gold": 5, "bag": {"a": 1, "b": 2}, "at": [1, 2, 3], "old": 0})
    ours = file({"hp": 2, "gold": 5, "bag": {"a": 1, "b": 2, "c": 3}, "at": [9, 2, 3], "old": 0, "mine": 1})
    theirs = file({"hp": 1, "gold": 7, "bag": {"a": 4}, "at": [1, 2, 8], "new": [1]})
    merged = {"hp": 2, "gold": 7, "bag": {"a": 4, "c": 3}, "at": [9, 2, 8], "mine": 1, "new": [1]}
    assert values(ours.merge(theirs, base=base)) == [merged]
    assert values(theirs.merge(ours, base=base)) == [merged]


def test_values_that_both_files_changed_are_conflicts():
    base = file({"a": 1, "b": [1], "c": {}}, {"d": 1})
    ours, theirs = file({"a": 2, "b": [1, 2], "c": {}}, {}), file({"a": 3, "b": [3], "c": {}}, {"d": 2})
    with pytest.raises(vv.MergeError, match="3 values in different ways, such as frame 1: a;") as caught:
        ours.merge(theirs, base=base)
    conflicts = caught.value.conflicts
    assert [(one.frame, one.path, one.base, one.ours, one.theirs) for one in conflicts] == [
        (1, "a", "1", "2", "3"), (1, "b", "Array (1)", "Array (2)", "Array (1)"), (2, "d", "1", None, "2")]
    assert [one.called for one in conflicts] == ["frame 1", "frame 1", "frame 2"]
    assert repr(conflicts[2]) == "<Conflict, frame 2: d: nothing or 2>"
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), copy.args, copy.__dict__) == (vv.MergeError, caught.value.args, caught.value.__dict__)
    assert [type(conflict) for conflict in copy.conflicts] == [vv.Conflict] * 3
    assert (caught.value.path, caught.value.frame, caught.value.category) == ("a", 1, "conflict")
    assert values(ours.merge(theirs, base=base, prefer="ours")) == values(ours.tobytes())
    assert values(ours.merge(theirs, base=base, prefer="theirs")) == values(theirs.tobytes())
    with pytest.raises(ValueError, match="prefer"):
        ours.merge(theirs, base=base, prefer="mine")
    for prefer in ("ours", "theirs"):
        with pytest.raises(ValueError, match="prefer: without base"):
            ours.merge(theirs, prefer=prefer)


def test_a_merge_without_other_changes_keeps_every_byte():
    for path in (SAVES / "player1_v1.gcpf", CORPUS / "godot3/saves/store_var_seq.bin", CORPUS / "godot4/saves/sample20.variant"):
        ours = vv.open(path)
        assert vv.open_bytes(ours.merge(ours, base=ours)).tobytes() == ours.tobytes()
        edit = ours.edit()
        place = next(place for place, value in ours.select("..*") if isinstance(value, str) and place)
        edit.set(place, "changed")
        changed = vv.open_bytes(edit.tobytes(), dialect=ours.dialect, framing=ours.framing)
        assert ours.merge(changed, base=ours) == edit.tobytes() == changed.merge(ours, base=ours)


def test_any_merge_has_each_value_of_one_of_the_files():
    generator = random.Random(7)

    def changed(value):
        value = {key: inner for key, inner in value.items() if generator.random() > 0.2}
        return value | {generator.choice("abcdef"): generator.choice([1, 2.5, "x", float("nan"), vv.Vector2(1, 2)]) for _ in range(2)}

    for _ in range(200):
        base = {key: generator.randrange(3) for key in "abcd"}
        ours, theirs = changed(base), changed(base)
        (merged,) = values(file(ours).merge(file(theirs), base=file(base), prefer=generator.choice(["ours", "theirs"])))
        written = {key: vv.encode(value, "godot4") for key, value in merged.items()}
        for key in "abcdef":
            sides = [vv.encode(side[key], "godot4") if key in side else None for side in (base, ours, theirs)]
            old, own, other = sides
            expected = {own, other} if old not in (own, other) else {own if old == other else other}
            assert written.get(key) in expected


def test_a_copy_of_another_dialect_is_merged():
    base, theirs = ({"hp": 1, "at": vv.Vector2(1, 2)}, {"hp": 5, "at": vv.Vector2(1, 2)})
    assert values(file(base).merge(file(theirs, dialect="godot3"), base=file(base, dialect="godot3"))) == [theirs]


def test_values_that_the_dialect_of_the_file_lacks_are_losses():
    ours = file({"hp": 1}, {"at": 0}, dialect="godot3")
    theirs, base = file({"hp": 2}, {"at": 0, "lost": vv.Callable()}), file({"hp": 1}, {"at": 0})
    for options in ({}, {"base": base}, {"base": base, "prefer": "theirs"}):
        with pytest.raises(vv.EncodeError, match="in godot3, frame 2: lost: Callable became Nil, its value was lost; lossy=True") as caught:
            ours.merge(theirs, **options)
        assert (caught.value.frame, caught.value.path) == (2, "lost")
        assert values(ours.merge(theirs, lossy=True, **options), "godot3") == [{"hp": 2}, {"at": 0, "lost": None}]
    # A vector of another kind keeps its numbers, so it is not a loss.
    assert values(ours.merge(file({}, {"at": vv.Vector2i(1, 2)})), "godot3")[1] == {"at": vv.Vector2(1, 2)}


def test_without_a_base_the_values_of_the_other_file_win():
    ours, theirs = file({"a": 1, "d": {"x": 1}}), file({"d": {"y": 2}, "new": 3})
    assert values(ours.merge(theirs)) == [{"a": 1, "d": {"x": 1, "y": 2}, "new": 3}]
    with pytest.raises(vv.EditError, match="only the other file has frame 2"):
        ours.merge(file({}, {}))


def test_frames_that_one_file_lacks_are_refused():
    one, two = file({"a": 1}), file({"a": 1}, {"b": 2})
    for ours, base, theirs in [(one, one, two), (one, two, one), (two, one, one), (two, two, one), (one, two, two), (two, one, two)]:
        with pytest.raises(vv.EditError, match="which are paired by number"):
            ours.merge(theirs, base=base)


def test_a_merge_of_a_tower_ends():
    def tower(top):
        value = top
        for _ in range(1_000):
            value = {"a": value}
        return value

    merged = file(tower(1)).merge(file(tower(2)), base=file(tower(1)))
    assert merged == file(tower(2)).tobytes()
    with pytest.raises(vv.MergeError) as caught:
        file(tower(3)).merge(file(tower(2)), base=file(tower(1)))
    assert len(caught.value.conflicts) == 1
