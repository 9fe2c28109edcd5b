"""Files with every framing, compression and encryption."""

import json
import os
import pathlib

import numpy
import pytest
import variant_view as vv
from corpus import CORPUS, ENGINES

SAVES = [path for engine in ENGINES for path in sorted((CORPUS / engine / "saves").glob("*"))
         # mixed.bin is left out, since other bytes are between its values.
         if path.suffix in (".bin", ".variant", ".binary") and path.name != "mixed.bin"]


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_a_save_is_written_as_it_was(path):
    if path.stat().st_size == 0:
        with pytest.raises(vv.OpenError, match="empty"):
            vv.open(path)
        return
    with vv.open(path, dialect=path.parent.parent.name) as file:
        assert file.size == path.stat().st_size and not file.layers and file.tobytes() == path.read_bytes()
        written = [vv.encode(document.to_python(), file.dialect) for document in file]
        canonical = [vv.encode(document, file.dialect, widths="canonical") for document in file]
        # The padding in this file has bytes of the engine's memory, which no value keeps.
        if path.name != "nodepath_padding.bin":
            assert written == [document.tobytes() for document in file]
        assert len(canonical) == len(file) == file.validate().documents


@pytest.mark.parametrize("case", [
    case for case in json.loads((CORPUS / "damaged/expected.json").read_text()) if case["file"] != "typed_class.variant"
], ids=lambda case: case["file"])
def test_damage_is_told_with_its_place(case):
    source = CORPUS / "damaged" / case["file"]
    for data in (source, str(source), source.read_bytes()):
        with pytest.raises(vv.DecodeError) as caught:
            vv.validate(data, dialect=case["dialect"], framing=case["framing"], profile=case["profile"])
        error = caught.value
        path = "" if case["path"] == "(root)" else case["path"]
        assert (error.offset, error.path, error.found) == (case["offset"], path, case["error"])
        assert error.expected and error.category in ("truncated", "malformed", "limit") and str(case["offset"]) in str(error)


def test_an_edited_value_keeps_the_kinds_of_the_file():
    save = {"hp": 2.5, "name": vv.StringName("Ana"), "at": [1.0, 2], "id": 7}
    document = vv.loads(vv.encode(save, "godot4"), "godot4")
    changed = document.to_python() | {"hp": 9999, "name": "Bo", "at": [3, 4.5], "id": "x"}
    for framing in ("bare", "frames"):
        written = vv.encode(changed, "godot4", framing=framing, like=document)
        found = vv.open_bytes(written, dialect="godot4", framing=framing)[0].to_python()
        assert (found["hp"], type(found["hp"])) == (9999.0, float) and isinstance(found["name"], vv.StringName)
        # Values that do not fit are written unchanged.
        assert [type(item) for item in found["at"]] == [float, float] and found["id"] == "x"
    assert vv.encode(document.to_python(), "godot4", like=document) == document.tobytes()
    with pytest.raises(ValueError, match="settings"):
        vv.encode({"a": 1}, "godot4", framing="settings", like=document)


def test_what_cannot_be_written_or_opened_is_named(tmp_path):
    for value in ("text", 5, [1]):
        with pytest.raises(TypeError, match="a mapping of names and values"):
            vv.encode(value, "godot4", framing="settings")
    with pytest.raises(IsADirectoryError) as caught:
        vv.open(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_layers_are_removed_and_put_on_again(tmp_path):
    path = CORPUS / "godot4/containers/save200.zstd.gcpf"
    with vv.open(path) as file:
        assert "zstd" in file.layers[0] and not file.is_mapped
        changed = file[0].to_python() | {"version": 99}
        wrapped = file.wrap(vv.encode(changed, file.dialect, framing=file.framing))
    assert wrapped.startswith(b"GCPF")
    (tmp_path / "new.sav").write_bytes(wrapped)
    assert vv.open(os.fspath(tmp_path / "new.sav"))[0].at("version") == 99
    assert vv.open_bytes(memoryview(wrapped))[0].at("version") == 99


def test_an_encrypted_file_wants_its_password():
    path = CORPUS / "godot4/containers/pass_hunter2_0.gdec"
    for source in (lambda **options: vv.open(path, **options), lambda **options: vv.open_bytes(path.read_bytes(), **options)):
        with pytest.raises(vv.OpenError) as caught:
            source()
        assert caught.value.category == "locked"
        with pytest.raises(vv.OpenError) as caught:
            source(password="hunter3")
        assert caught.value.category == "layer"
        assert "aes256" in source(password="hunter2").layers[0]
    for wrong in ({"key": b"short"}, {"key": b"x" * 32, "password": "hunter2"}):
        with pytest.raises((ValueError, TypeError)):
            vv.open(path, **wrong)


def test_what_the_system_refuses_is_an_oserror(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        vv.open(tmp_path / "none.sav")
    assert caught.value.filename == str(tmp_path / "none.sav") and caught.value.errno
    with pytest.raises(OSError):
        vv.open(tmp_path)
    with pytest.raises(TypeError):
        vv.open(3)


def test_other_formats_are_told(tmp_path):
    for name, data in (("a.png", b"\x89PNG\r\n\x1a\n" + bytes(20)), ("empty.sav", b""), ("a.json", b'{"hp": 7}')):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(vv.OpenError) as caught:
            vv.open(tmp_path / name)
        assert caught.value.category == "format"
    with pytest.raises(ValueError, match="skip 5"):
        vv.open_bytes(b"\0\0\0\0", skip=5)


def test_a_file_is_a_sequence():
    path = CORPUS / "godot3/saves/store_var_seq.bin"
    file = vv.open(path)
    assert len(file) == 18 and file[0] == list(file)[0] and file[-1] == file[17] and len(file[2:5]) == 3
    assert file[3] in file and file.index(file[3]) == 3 and file.count(file[3]) == 1 and file[::-1][0] == file[17]
    assert file[2].root == 42 and file[2].offset == file.tobytes().index(b"\x02\0\0\0\x2a")
    with pytest.raises(IndexError):
        file[18]
    file.close()
    assert file.closed and "closed" in repr(file)
    for use in (lambda: len(file), lambda: file[0], lambda: file.size, lambda: list(file)):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_bytes_after_the_values_are_a_tail():
    frames = b"".join(vv.encode(value, "godot4", framing="frames") for value in ({"hp": 77}, [1, 2]))
    for tail in (bytes.fromhex("a7ee27fbae27bc40"), bytes(12)):
        for options in ({}, {"dialect": "godot4", "framing": "frames"}):
            file = vv.open_bytes(frames + tail, **options)
            assert file.tail == tail and [document.to_python() for document in file] == [{"hp": 77}, [1, 2]]
            assert f"from byte {len(frames)} belong to no value" in file.notes[0] and len(file.notes) == 1
            assert file.validate().documents == 2 and file.tobytes() == frames + tail and file.wrap(frames + file.tail) == frames + tail
    assert vv.open_bytes(frames).tail == b"" and vv.open_bytes(frames).notes == ()
    bare = vv.encode({"hp": 77}, "godot4")
    assert vv.open_bytes(b"head" + bare + b"tail", dialect="godot4", framing="bare", skip=4).tail == b"tail"
    # A frame that is cut is damage.
    cut = vv.open_bytes(frames + vv.encode({"hp": 77}, "godot4", framing="frames")[:-4], dialect="godot4", framing="frames")
    assert cut.tail == b""
    with pytest.raises(vv.DecodeError):
        len(cut)


def test_values_without_lengths_are_a_sequence():
    values = [{"a": 1}, {"b": [2]}, {"c": 3}]
    for dialect in ("godot3", "godot4"):
        data = b"".join(vv.encode(value, dialect, framing="sequence") for value in values)
        for options in ({}, {"framing": "sequence"}, {"dialect": dialect, "framing": "sequence"}):
            file = vv.open_bytes(data, **options)
            assert (file.framing, file.dialect) == ("sequence", dialect) and [document.to_python() for document in file] == values
        assert vv.validate(data, dialect=dialect, framing="sequence").documents == 3
    lone = b"".join(vv.encode(value, "godot4") for value in (1, "a", 2.5))
    assert [document.root for document in vv.open_bytes(lone, dialect="godot4", framing="sequence")] == [1, "a", 2.5]


def test_what_is_read_of_a_closed_file_stays():
    with vv.open(CORPUS / "godot3/saves/rpg_save.bin") as file:
        root = file[0].root
    assert len(root) > 3 and root.to_python() == root


def test_a_file_that_ends_within_a_value_tells_the_others(tmp_path):
    data = (CORPUS / "godot3/saves/store_var_seq.bin").read_bytes()[:-3]
    file = vv.open_bytes(data, dialect="godot3", framing="frames")
    sound = []
    with pytest.raises(vv.DecodeError) as caught:
        for document in file:
            sound.append(document.to_python())
    assert len(sound) == 17 and caught.value.frame == 18 and file[16].to_python() == sound[16]
    for use in (lambda: len(file), lambda: file[-1], file.validate):
        with pytest.raises(vv.DecodeError):
            use()


def test_dialect_and_framing_are_found():
    first, *_ = vv.detect(CORPUS / "godot3/saves/store_var_seq.bin")
    assert (first.framing, first.dialect, first.is_whole, first.reals) == ("frames", "godot3", True, "by-flag") and first.reason
    assert [candidate.dialect for candidate in vv.detect((CORPUS / "godot4/saves/save_10k.variant").read_bytes())][0] == "godot4"
    assert vv.loads(vv.encode({"a": vv.StringName("b")}, "godot4")).dialect == "godot4"
    with pytest.raises(vv.OpenError, match="not one whole value"):
        vv.loads(b"\xff\xff\xff\xff")
    settings = vv.open(CORPUS / "godot4/saves/project.binary")
    assert settings.framing == "settings" and settings[0].name == "application/config/name"


def test_bytes_stay_where_they_are():
    data = vv.encode(bytes(range(100)), "godot4")
    for given in (data, memoryview(data), memoryview(b"x" + data)[1:]):
        packed = vv.loads(given, "godot4").root
        where = numpy.frombuffer(given, "B").__array_interface__["data"][0]
        assert numpy.asarray(packed).__array_interface__["data"][0] == where + 8
    changing = bytearray(data)
    packed = vv.loads(changing, "godot4").root
    changing[8] = 77
    assert packed[0] == 0


def test_paths_may_be_of_any_kind(tmp_path):
    path = tmp_path / "ä b.sav"
    path.write_bytes(vv.encode(7, "godot4"))
    for name in (path, str(path), pathlib.PurePath(path)):
        assert vv.open(name, dialect="godot4", framing="bare")[0].root == 7
