"""Changes of files: only the changed values get other bytes, and the old file is never lost."""

import os
import random
import stat
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
import variant_view as vv
from corpus import CORPUS, ENGINES

SAVES = CORPUS / "godot3/migration/saves"


def frames(*values):
    return b"".join(vv.encode(value, "godot4", framing="frames") for value in values)


def opened(data, **options):
    return vv.open_bytes(data, dialect="godot4", **options)


def refused(call, error=vv.EditError, match=None):
    with pytest.raises(error, match=match) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("wrapping", ["save", "gcpf", "gdec"])
def test_only_the_bytes_of_the_changed_value_change(tmp_path, wrapping):
    path = tmp_path / f"player.{wrapping}"
    old = (SAVES / f"player1_v1.{wrapping}").read_bytes()
    path.write_bytes(old)
    before = vv.open_bytes(old, password="hunter2")
    with vv.open(path, password="hunter2").edit() as save:
        (change,) = save.set("player.gold", 9999)
    assert (change.path, change.before, change.after) == ("player.gold", "120", "9999")
    after = vv.open(path, password="hunter2")
    assert after[0].at("player.gold") == 9999 and after.framing == before.framing
    assert [layer.split(",")[0] for layer in after.layers] == [layer.split(",")[0] for layer in before.layers]
    # The rest of the plain bytes is equal: an int of 32 bits keeps its size.
    differing = [at for at, (one, other) in enumerate(zip(before.tobytes(), after.tobytes(), strict=True)) if one != other]
    (difference,) = before.diff(after)
    assert differing and all(difference.offset_before <= at < difference.offset_before + 8 for at in differing)
    assert path.with_name(path.name + "~").read_bytes() == old
    assert sorted(file.name for file in tmp_path.iterdir()) == [path.name, path.name + "~"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_change_of_settings_keeps_the_other_settings(tmp_path, engine):
    path = tmp_path / "project.binary"
    path.write_bytes((CORPUS / engine / "saves/project.binary").read_bytes())
    file = vv.open(path, dialect=engine)
    name = next(document.name for document in file if document.kind == "String")
    with file.edit(backup=False) as edit:
        edit.set(name, "Renamed")
        edit.insert("added/by/test", [1, 2.5])
    new = vv.open(path, dialect=engine)
    changed = {document.name: document.tobytes() for document in new}
    assert changed.pop(name) == vv.encode("Renamed", engine) and changed.pop("added/by/test") == vv.encode([1, 2.5], engine)
    assert changed == {document.name: document.tobytes() for document in file if document.name != name}
    assert [file.name for file in tmp_path.iterdir()] == ["project.binary"]


def test_frames_are_named_by_number_or_in_the_path():
    data = frames({"hp": 1}, {"hp": 2}, {"hp": 3})
    edit = opened(b"head" + data + b"tail", framing="frames", skip=4).edit()
    edit.set("hp", 10)
    edit.set("hp", 20, frame=2)
    (change,) = edit.set("frame 3: hp", 30)
    assert change.called == "frame 3"
    assert edit.tobytes() == b"head" + frames({"hp": 10}, {"hp": 20}, {"hp": 30}) + b"tail"
    assert "there is no frame 4" in str(refused(lambda: edit.set("hp", 1, frame=4)))
    assert "frame 3, not in frame 2" in str(refused(lambda: edit.set("frame 3: hp", 1, frame=2)))
    assert "there is no frame 0" in str(refused(lambda: edit.set("hp", 1, frame=0)))
    document = opened(data)[1].edit()
    document.set("hp", 20)
    assert document.tobytes() == frames({"hp": 1}, {"hp": 20}, {"hp": 3})


def test_the_verbs_of_the_command():
    edit = opened(frames({"party": [{"name": "Ana"}], "at": vv.Vector2(1, 2)})).edit()
    edit.insert("party[+]", {"name": "Bo"})
    edit.insert("party[0].hp", 7)
    edit.delete("at")
    edit.rename_key("party", "crew")
    edit.set("crew[1].name", "Cy")
    edit.insert("here", "Vector2(3, 4)", literal=True)
    assert edit.tobytes() == frames({"crew": [{"name": "Ana", "hp": 7}, {"name": "Cy"}], "here": vv.Vector2(3, 4)})
    assert [(change.path, change.before, change.after) for change in edit.changes][1:5] == [
        ("party[0].hp", None, "7"), ("at", "Vector2(1, 2)", None), ("party", 'key "party"', 'key "crew"'), ("crew[1].name", '"Bo"', '"Cy"')]


def test_a_value_keeps_the_kind_that_the_file_has():
    edit = opened(frames({"speed": 2.5, "name": vv.StringName("a")})).edit()
    edit.set("speed", 3)
    assert edit.tobytes() == frames({"speed": 3.0, "name": vv.StringName("a")})
    edit.set("speed", None)
    edit.set("name", {"any": [True, b"\1\2"]})
    assert opened(edit.tobytes())[0].to_python() == {"speed": None, "name": {"any": [True, vv.PackedArray("PackedByteArray", b"\1\2")]}}


def test_each_change_is_undone_and_redone():
    data = frames({"hp": 1, "bag": [1, 2]})
    edit = opened(data).edit()
    states = [edit.tobytes()]
    for change in (lambda: edit.set("hp", "many"), lambda: edit.delete("bag[0]"), lambda: edit.insert("mp", 2), lambda: edit.rename_key("hp", "x")):
        assert len(change()) == 1
        states.append(edit.tobytes())
    assert len(set(states)) == 5 and len(edit.changes) == 4
    for state in reversed(states[:-1]):
        assert len(edit.undo()) == 1 and edit.tobytes() == state
    assert edit.undo() == [] and edit.tobytes() == data and edit.changes == [] and not edit.is_changed
    for state in states[1:]:
        assert len(edit.redo()) == 1 and edit.tobytes() == state
    assert edit.redo() == [] and edit.is_changed
    edit.undo()
    edit.set("hp", 5)
    assert edit.redo() == []


def test_a_refused_change_leaves_the_file_as_it_is():
    data = frames({"hp": 1, "list": vv.Array([1], vv.ElementType("builtin", "int"))})
    edit = opened(data).edit()
    error = refused(lambda: edit.set("mp", 1))
    assert (error.category, error.path) == ("edit", "mp") and "mp" in str(error)
    refused(lambda: edit.set("hp[", 1))
    refused(lambda: edit.delete(""))
    refused(lambda: edit.set("list[0]", "text"))
    error = refused(lambda: edit.set("hp", "Vector2(", literal=True))
    assert error.category == "literal"
    refused(lambda: edit.set("hp", object()), vv.EncodeError)
    refused(lambda: edit.set("hp", 1 << 64), vv.EncodeError)
    refused(lambda: edit.set("hp", 7, literal=True), TypeError)
    assert edit.tobytes() == data and edit.changes == [] and edit.redo() == []


def test_an_exception_writes_nothing(tmp_path):
    path = tmp_path / "a.save"
    path.write_bytes(frames({"hp": 1}))
    before = path.stat()
    with pytest.raises(ZeroDivisionError), vv.open(path, dialect="godot4").edit() as save:
        save.set("hp", 2)
        raise ZeroDivisionError
    with vv.open(path, dialect="godot4").edit() as save:
        save.set("hp", 1)
    with vv.open(path, dialect="godot4").edit() as save:
        save.set("hp", 2)
        save.undo()
    assert path.read_bytes() == frames({"hp": 1}) and path.stat().st_mtime_ns == before.st_mtime_ns
    assert [file.name for file in tmp_path.iterdir()] == ["a.save"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_the_new_file_has_the_mode_of_the_old(tmp_path):
    path = tmp_path / "a.save"
    path.write_bytes(frames({"hp": 1}))
    path.chmod(0o640)
    (tmp_path / "link").symlink_to(path)
    with vv.open(tmp_path / "link", dialect="godot4").edit() as save:
        save.set("hp", 2)
    assert (tmp_path / "link").is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert vv.open(path, dialect="godot4")[0].at("hp") == 2


def test_the_file_of_another_program_is_not_overwritten(tmp_path):
    path = tmp_path / "a.save"
    path.write_bytes(frames({"hp": 1}))
    file = vv.open(path, dialect="godot4")
    edit = file.edit()
    edit.set("hp", 2)
    path.write_bytes(frames({"hp": 1, "more": True}))
    with pytest.raises(OSError, match="changed meanwhile"):
        edit.save()
    assert path.read_bytes() == frames({"hp": 1, "more": True}) and edit.is_changed
    edit.save(tmp_path / "b.save")
    assert (tmp_path / "b.save").read_bytes() == frames({"hp": 2})


def test_a_file_is_saved_again_after_more_changes(tmp_path):
    path = tmp_path / "a.save"
    path.write_bytes(frames({"hp": 1}))
    edit = vv.open(path, dialect="godot4").edit()
    for hp in (2, 3):
        edit.set("hp", hp)
        edit.save()
        assert path.read_bytes() == frames({"hp": hp}) and not edit.is_changed
    edit.undo()
    assert edit.is_changed
    edit.save(path)
    assert path.read_bytes() == frames({"hp": 2})
    # The game writes the file after a save: the next save does not overwrite it.
    path.write_bytes(frames({"hp": 50}))
    edit.redo()
    with pytest.raises(OSError, match="changed meanwhile"):
        edit.save()
    assert path.read_bytes() == frames({"hp": 50}) and edit.is_changed


def test_the_block_writes_the_opened_file_after_another_file(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.save"
    path.write_bytes(frames({"hp": 1}))
    with vv.open("a.save", dialect="godot4").edit(backup=False) as edit:
        edit.set("hp", 2)
        edit.save("-")
        assert (tmp_path / "-").read_bytes() == frames({"hp": 2}) and path.read_bytes() == frames({"hp": 1})
        edit.set("hp", 3)
    assert path.read_bytes() == frames({"hp": 3}) and (tmp_path / "-").read_bytes() == frames({"hp": 2})
    assert sorted(file.name for file in tmp_path.iterdir()) == ["-", "a.save"] and capfd.readouterr().out == ""


@pytest.mark.skipif(os.name == "nt", reason="other links")
def test_hard_links_stay_linked_with_a_warning(tmp_path):
    path = tmp_path / "a.save"
    path.write_bytes(frames({"hp": 1}))
    os.link(path, tmp_path / "b.save")
    edit = vv.open(path, dialect="godot4").edit()
    edit.set("hp", 2)
    with pytest.warns(UserWarning, match="hard links"):
        edit.save()
    assert (tmp_path / "b.save").read_bytes() == path.read_bytes() == frames({"hp": 2})
    edit.set("hp", 3)
    with pytest.warns(UserWarning, match="hard links"):
        edit.save()
    assert (tmp_path / "b.save").read_bytes() == path.read_bytes() == frames({"hp": 3})


def test_bytes_have_no_file_to_write(tmp_path):
    with opened(frames({"hp": 1})).edit() as edit:
        edit.set("hp", 2)
    with pytest.raises(ValueError, match="name one"):
        edit.save()
    edit.save(tmp_path / "new.save")
    assert (tmp_path / "new.save").read_bytes() == edit.tobytes() == frames({"hp": 2})
    with pytest.raises(OSError):
        edit.save(tmp_path / "no folder" / "new.save")
    packet = vv.loads(vv.encode([1, 2], "godot4"), "godot4").edit()
    packet.insert("[+]", 3)
    assert packet.tobytes() == vv.encode([1, 2, 3], "godot4")


def test_a_mapped_file_is_not_replaced(tmp_path):
    path = tmp_path / "a.save"
    path.write_bytes(frames({"hp": 1, "rest": bytes(1 << 17)}))
    edit = vv.open(path, dialect="godot4", mmap=True).edit()
    edit.set("hp", 2)
    before = path.stat()
    with pytest.raises(ValueError, match="without mmap"):
        edit.save()
    assert path.read_bytes() == frames({"hp": 1, "rest": bytes(1 << 17)}) and path.stat() == before
    edit.save(tmp_path / "b.save")
    assert (tmp_path / "b.save").read_bytes() == edit.tobytes() and path.stat() == before


def test_a_change_that_engines_write_in_different_bytes_needs_the_dialect():
    edit = vv.open_bytes(vv.encode({}, "godot4", framing="frames")).edit()
    error = refused(lambda: edit.insert("a", [1, 2]))
    assert "godot4" in str(error) and error.expected == "open the file with its dialect"


def test_damage_is_not_saved_again():
    data = (CORPUS / "damaged/salvage/block_broken.gcpf").read_bytes()
    damaged = vv.open_bytes(data, lenient=True)
    whole = opened(frames({"version": 1}), framing="frames")
    steps = vv.Migration('version = "version"\n[[migration]]\nfrom = 1\nto = 2\nsteps = [{ default = "a", value = 1 }]\n')
    for write in (
        damaged.edit, damaged[0].edit, lambda: damaged.convert("godot3", lossy=True), damaged.wrap, lambda: damaged.wrap(compression="none"),
        lambda: damaged.merge(whole), lambda: damaged.merge(whole, base=whole), lambda: steps.migrate(damaged),
    ):
        error = refused(write, vv.OpenError, "salvage")
        assert error.category == "layer" and not hasattr(error, "__notes__")
    assert refused(lambda: whole.merge(damaged), vv.OpenError, "salvage").__notes__ == ["this is the other file"]
    assert refused(lambda: whole.merge(whole, base=damaged), vv.OpenError, "salvage").__notes__ == ["this is the base"]
    # What is left can be read, and is written only if the caller names it.
    assert opened(damaged.wrap(damaged.tobytes())).tobytes() == damaged.unwrap() and damaged.salvage().values > 0
    cut = opened(frames({"hp": 1}, {"hp": 2})[:-2], framing="frames").edit()
    refused(lambda: cut.set("hp", 1))
    closed = opened(frames({"hp": 1}))
    closed.close()
    refused(closed.edit, ValueError, "closed")


def test_a_change_after_the_file_is_closed():
    with opened(frames({"hp": 1})) as file:
        edit, document = file.edit(), file[0]
    edit.set("hp", 2)
    other = document.edit()
    other.set("hp", 3)
    assert (edit.tobytes(), other.tobytes()) == (frames({"hp": 2}), frames({"hp": 3}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert repr(edit) == "<Edit, 1 step>" and repr(edit.changes) == "[<Change frame 1: hp: 1 to 2>]"


def test_threads_share_an_edit():
    count = 40
    edit = opened(frames(*({"hp": 0} for _ in range(count)))).edit()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: edit.set("hp", number, frame=number), range(1, count + 1)))
    assert edit.tobytes() == frames(*({"hp": number} for number in range(1, count + 1))) and len(edit.changes) == count
    for _ in range(count):
        edit.undo()
    assert edit.tobytes() == frames(*({"hp": 0} for _ in range(count)))


def test_hostile_bytes_end_in_an_error_of_this_package():
    generator = random.Random(11)
    sound = frames({"hp": 1, "bag": [1, {"a": [2.5, "x"]}], "at": vv.Vector2(1, 2)}, [1])
    for _ in range(200):
        data = bytearray(sound)
        for _ in range(generator.randrange(1, 4)):
            data[generator.randrange(len(data))] = generator.randrange(256)
        file = opened(bytes(data), framing="frames")
        edit = file.edit()
        for use in (
            lambda: edit.set("hp", 2), lambda: edit.insert("bag[1].a[0]", None), lambda: edit.delete("..a"), lambda: edit.rename_key("at", "to"),
            edit.undo, edit.redo, edit.tobytes, lambda: file.select("..*"), lambda: file.convert("godot3", lossy=True),
            lambda: file.diff(opened(sound)), lambda: opened(sound).merge(opened(sound), base=file), file.salvage, file.schema, lambda: file.check("{}"), file._repr_html_,
        ):
            try:
                use()
            except vv.VariantError:
                pass
