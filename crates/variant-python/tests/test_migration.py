"""Saves of older versions of a game become saves of the newest, as values and as files."""

import copy

import pytest
import variant_view as vv
from corpus import CORPUS

FOLDER = CORPUS / "godot3/migration"
STEPS = vv.Migration((FOLDER / "steps.toml").read_text(encoding="utf-8"), "steps.toml")


def save(player, version, wrapping="save"):
    return (FOLDER / f"saves/{player}_v{version}.{wrapping}").read_bytes()


def opened(data):
    return vv.open_bytes(data, password="hunter2")


def steps(text, head=""):
    return vv.Migration(f'version = "v"\n{head}\n[[migration]]\nfrom = 1\nto = 2\nsteps = [\n{text}\n]', "s.toml")


def refused(call):
    with pytest.raises(vv.MigrationError) as caught:
        call()
    assert isinstance(caught.value, vv.VariantError) and caught.value.category == "migration"
    return caught.value


def test_versions_are_numbers_or_texts():
    assert (STEPS.newest, STEPS.versions, repr(STEPS)) == (3, (1, 2, 3), "<Migration of versions 1, 2, 3>")
    texts = vv.Migration('version = "v"\n[[migration]]\nfrom = 1\nto = "1.2"\nsteps = []')
    assert (texts.newest, texts.versions) == ("1.2", (1, "1.2"))
    assert texts.apply({"v": 1}) == {"v": "1.2"}


@pytest.mark.parametrize("player", ["player1", "player2"])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_value_becomes_that_of_the_newest_game(player, version):
    newest = opened(save(player, 3))[0]
    old = opened(save(player, version))[0].to_python()
    before = copy.deepcopy(old)
    new = STEPS.apply(old, "godot3")
    assert vv.encode(new, "godot3") == newest.tobytes()
    assert old == before and STEPS.apply(new, "godot3") == new


@pytest.mark.parametrize("wrapping", ["save", "gcpf", "gdec"])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_file_becomes_that_of_the_newest_game(version, wrapping):
    file = opened(save("player1", version, wrapping))
    migrated = STEPS.migrate(file)
    new = opened(migrated)
    assert new.tobytes() == save("player1", 3)
    assert [layer.split(",")[0] for layer in new.layers] == [layer.split(",")[0] for layer in file.layers]
    assert opened(STEPS.migrate(new)).tobytes() == save("player1", 3)


def test_the_bytes_around_the_values_stay():
    migrated = STEPS.migrate(vv.open_bytes(b"head" + save("player2", 1) + b"the tail", dialect="godot3", framing="frames", skip=4))
    assert migrated == b"head" + save("player2", 3) + b"the tail"


def test_a_value_of_godot_4_is_the_default():
    value = {"v": 1, "name": vv.StringName("Ana"), "at": vv.Vector2i(1, 2), 7: [1.0]}
    new = steps('{ rename = "name", to = "called" }').apply(value)
    assert new == {"v": 2, "called": "Ana", "at": vv.Vector2i(1, 2), 7: [1.0]}
    assert isinstance(new["called"], vv.StringName) and list(new) == ["v", "called", "at", 7]


def test_a_step_that_fails_names_its_line_and_the_path():
    wrong = vv.Migration((FOLDER / "wrong.toml").read_text(encoding="utf-8"), "wrong.toml")
    file = opened(save("player1", 2, "gcpf"))
    why = 'wrong.toml:7:3: retype: player.class: String cannot become int; rule = "parse" reads it'
    error = refused(lambda: wrong.apply(file[0].to_python(), "godot3"))
    assert (str(error), error.path) == (why, "player.class")
    assert why in str(refused(lambda: wrong.migrate(file)))


def test_a_fault_of_the_steps_is_named():
    error = refused(lambda: vv.Migration('version = "v"\nodd = 1', "odd.toml"))
    assert str(error).startswith("odd.toml:2:1: the key `odd` is unknown here") and error.path is None
    assert str(refused(lambda: vv.Migration("version = "))).startswith("steps:1:11: ")


def test_a_value_that_no_migration_is_from_is_refused():
    one = steps("")
    assert "newer than 2" in str(refused(lambda: one.apply({"v": 3})))
    assert "no version at v" in str(refused(lambda: one.apply({})))
    with pytest.raises(vv.EncodeError, match="a: "):
        one.apply({"v": 1, "a": object()})
    with pytest.raises(ValueError, match="dialect"):
        one.apply({"v": 1}, "godot9")


def test_the_frames_of_a_file_are_named():
    data = b"".join(vv.encode({"v": version, "a": version}, "godot4", framing="frames") for version in (1, 2, 1))
    file = vv.open_bytes(data, dialect="godot4")
    assert "several values" in str(refused(lambda: steps("").migrate(file)))
    migrated = vv.open_bytes(steps("", 'frame = "all"').migrate(file), dialect="godot4")
    assert [document.to_python() for document in migrated] == [{"v": 2, "a": 1}, {"v": 2, "a": 2}, {"v": 2, "a": 1}]


def test_a_change_that_engines_write_in_different_bytes_needs_the_dialect():
    # Several engines write an empty dictionary in the same bytes.
    data = vv.encode({}, "godot4", framing="frames")
    file = vv.open_bytes(data)
    assert not file.is_certain
    lists = steps('{ set = "a", value = "[1, 2]" }', "default = 1")
    error = refused(lambda: lists.migrate(file))
    assert "godot4, pandemonium4, pandemonium3, godot2" in str(error) and error.expected == "open the file with its dialect"
    migrated = lists.migrate(vv.open_bytes(data, dialect="godot4"))
    assert vv.open_bytes(migrated, dialect="godot4")[0].to_python() == {"a": [1, 2], "v": 2}


def test_damage_is_refused_with_its_offset():
    data = save("player1", 1)
    file = vv.open_bytes(data[:40] + b"\xff" * 4 + data[44:], dialect="godot3", framing="frames")
    error = refused(lambda: STEPS.migrate(file))
    assert error.offset is not None and "byte" in str(error)


def test_a_closed_file_is_refused():
    file = opened(save("player1", 1))
    file.close()
    with pytest.raises(ValueError, match="closed"):
        STEPS.migrate(file)
