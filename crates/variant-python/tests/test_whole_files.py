"""Whole files: selected from, converted, wrapped, salvaged, described by a schema and checked against it."""

import json
import pickle

import pytest
import variant_view as vv
from corpus import CORPUS

SALVAGE = CORPUS / "damaged/salvage"


def frames(*values, dialect="godot4"):
    return b"".join(vv.encode(value, dialect, framing="frames") for value in values)


def opened(data, **options):
    return vv.open_bytes(data, dialect="godot4", **options)


def test_a_query_selects_in_all_frames_and_its_paths_are_those_of_changes():
    file = opened(frames({"hp": 1}, [5], {"hp": 2, "in": {"hp": 3}}))
    found = file.select("..hp")
    assert found == [("frame 1: hp", 1), ("frame 3: hp", 2), ("frame 3: in.hp", 3)]
    assert file.select("frame 3: hp") == [("frame 3: hp", 2)] and file.select("frame 9: hp") == []
    assert [path for path, _ in file.select("")] == ["frame 1: (root)", "frame 2: (root)", "frame 3: (root)"]
    edit = file.edit()
    for path, value in found:
        edit.set(path, value * 10)
    assert edit.tobytes() == frames({"hp": 10}, [5], {"hp": 20, "in": {"hp": 30}})
    edit.set("frame 2: (root)", 7)
    bare = opened(vv.encode({"hp": 1}, "godot4"), framing="bare")
    assert bare.select("hp") == [("hp", 1)] == bare[0].select("hp") and bare.select("")[0][0] == ""
    with pytest.raises(vv.PathError):
        file.select("hp[")
    with pytest.raises(vv.DecodeError):
        opened(frames({"hp": 1}, {"hp": 2})[:-2], framing="frames").select("hp")


def test_a_query_of_settings_begins_with_a_name():
    file = vv.open(CORPUS / "godot4/saves/project.binary")
    (pair,) = file.select("application/config/name")
    assert pair == ("application/config/name", file[0].root)
    names, inner = {document.name: document for document in file}, file.select("..*")
    assert len(inner) > len(file)
    for path, value in inner:
        (name,) = (name for name in names if path.startswith((f"{name}.", f"{name}[")))
        assert repr(names[name].at(path.removeprefix(name).removeprefix("."))) == repr(value)


def test_a_converted_file_keeps_its_frames_and_its_layers():
    values = ({"at": vv.Vector2(1, 2), "list": [1, "a"]}, 7)
    file = opened(b"head" + frames(*values) + b"tail", framing="frames", skip=4)
    assert file.convert("godot3") == b"head" + frames(*values, dialect="godot3") + b"tail"
    packed = vv.open(CORPUS / "godot3/migration/saves/player1_v1.gcpf", dialect="godot3")
    converted = vv.open_bytes(packed.convert("pandemonium5"), dialect="pandemonium5")
    assert converted.layers[0].split(",")[0] == packed.layers[0].split(",")[0] and packed.diff(converted) == []
    assert converted.convert("godot3") == packed.wrap()


def test_losses_are_an_error_unless_they_are_wanted():
    file = opened(frames({"ok": vv.Vector2i(1, 2)}, {"at": vv.Vector2i(1, 2), "lost": vv.Callable()}))
    with pytest.raises(vv.EncodeError, match="in godot3, frame 2: lost: Callable became Nil, its value was lost; lossy=True") as caught:
        file.convert("godot3")
    assert (caught.value.frame, caught.value.path) == (2, "lost")
    converted = vv.open_bytes(file.convert("godot3", lossy=True), dialect="godot3")
    assert [document.to_python() for document in converted] == [{"ok": vv.Vector2(1, 2)}, {"at": vv.Vector2(1, 2), "lost": None}]
    with pytest.raises(ValueError, match="dialect"):
        file.convert("godot9")
    with pytest.raises(vv.EditError):
        opened(frames({"a": [1]})[:-2], framing="frames").convert("godot3")


@pytest.mark.parametrize("compression", ["none", "fastlz", "deflate", "zstd", "gzip"])
@pytest.mark.parametrize("encryption", ["none", "ecb", "cfb"])
def test_a_file_gets_other_layers(compression, encryption):
    plain = frames({"hp": 7})
    options = {"password": "hunter2"} if encryption != "none" else {}
    wrapped = opened(plain).wrap(compression=compression, encryption=encryption, **options)
    file = opened(wrapped, **options)
    assert file.unwrap() == plain == file.tobytes()
    assert [layer.split()[0] for layer in file.layers] == (
        ["encrypted"] * (encryption != "none") + ["compressed"] * (compression != "none"))
    assert opened(file.wrap(), **options).layers == file.layers and file.wrap(compression="none", encryption="none") == plain
    other = file.wrap(frames(8))
    assert opened(other, **options).unwrap() == frames(8)


def test_layers_that_are_not_named_are_those_of_the_file():
    encrypted = vv.open(CORPUS / "godot4/containers/pass_hunter2_3.gdec", password="hunter2")
    both = opened(encrypted.wrap(compression="zstd"), password="hunter2")
    assert [layer.split()[0] for layer in both.layers] == ["encrypted", "compressed"] and both.unwrap() == encrypted.unwrap()
    rekeyed = opened(encrypted.wrap(password="other"), password="other")
    assert rekeyed.unwrap() == encrypted.unwrap() and len(rekeyed.layers) == 1
    keyed = opened(encrypted.wrap(key=bytes(32)), key=bytes(32))
    assert keyed.unwrap() == encrypted.unwrap()


def test_layers_that_cannot_be_put_on_are_refused():
    file = opened(frames(1))
    for options, match in (
        ({"encryption": "ecb"}, "needs a password"), ({"password": "a"}, "no encryption"), ({"compression": "brotli"}, "expected one of none"),
        ({"encryption": "xor"}, "expected one of none"), ({"encryption": "ecb", "key": b"short"}, "32"),
        ({"encryption": "none", "password": "a"}, "no encryption"),
    ):
        with pytest.raises(ValueError, match=match):
            file.wrap(**options)


@pytest.mark.parametrize("name", ["text_cut.variant", "type_flipped.variant", "count_too_large.variant", "overwritten.variant"])
def test_the_sound_values_of_a_bare_file_are_salvaged(name):
    salvaged = opened((SALVAGE / name).read_bytes(), framing="bare").salvage()
    expected = (SALVAGE / f"{name}.txt").read_text(encoding="utf-8")
    assert f"{salvaged.lost} byte" in expected.replace(",", "") and salvaged.count == len(salvaged.holes) > 0
    whole = opened(salvaged.bytes, framing="bare")
    assert whole.validate().documents == salvaged.values == 1 and whole.size == salvaged.size
    assert all(hole.reason and hole.start <= hole.end for hole in salvaged.holes) and "Hole, bytes" in repr(salvaged.holes[0])


def test_what_is_left_of_damaged_layers_is_salvaged_in_whole_layers():
    file = opened((SALVAGE / "block_broken.gcpf").read_bytes(), framing="frames", lenient=True)
    salvaged = file.salvage()
    assert salvaged.count > 0 and any(hole.reason.startswith("layer: ") for hole in salvaged.holes)
    whole = opened(salvaged.bytes)
    assert "zstd" in whole.layers[0] and whole.validate().documents == salvaged.values


def test_a_sound_file_is_salvaged_as_it_is():
    data = b"head" + frames({"hp": 1}, [2]) + b"the tail"
    salvaged = opened(data, framing="frames", skip=4).salvage()
    assert (salvaged.bytes, salvaged.values, salvaged.count, salvaged.lost, salvaged.holes) == (data, 2, 0, 0, [])
    assert repr(salvaged) == "<Salvaged, values=2, holes=0, lost=0>"


def test_a_file_keeps_its_own_schema():
    for name in ("godot3/migration/saves/player1_v3.save", "godot4/saves/sample20.variant", "godot3/saves/store_var_seq.bin"):
        file = vv.open(CORPUS / name)
        for ranges in (False, True):
            schema = file.schema(ranges=ranges)
            assert json.loads(schema)["$schema"].startswith("https://json-schema.org/") and file.check(schema) == []


def test_values_that_break_a_schema_are_listed():
    schema = opened(frames({"hp": 1, "name": "Ana"})).schema()
    file = opened(frames({"hp": 2, "name": "Bo"}, {"hp": 2.5}))
    found = file.check(schema)
    assert [(breach.frame, breach.path, breach.keyword) for breach in found] == [(2, "name", "required"), (2, "hp", "x-godot-type")]
    assert file[1].path_to(found[1].offset) == "hp" and found[1].schema_path.startswith("#/properties/hp") and "float" in found[1].message
    cut = file.check(schema, most=1)
    assert cut == found[:1] and (cut.total, cut.is_cut, found.total, found.is_cut) == (2, True, 2, False)
    assert found[1].called == "frame 2" and "frame 2: hp: " in repr(found[1]) and "expected int" in repr(found[1])
    ranged = opened(frames({"hp": 1, "name": "Ana"})).schema(ranges=True)
    assert [breach.path for breach in opened(frames({"hp": 9, "name": "Ana"})).check(ranged)] == ["hp"]
    assert opened(frames(1)).check('{"type": "string"}')[0].path == ""


def test_reports_can_be_pickled():
    file = opened(frames({"hp": 1, "a": [1]}, {"b": 1}), framing="frames")
    edit = file.edit()
    edit.set("hp", 2)
    hole = opened((SALVAGE / "overwritten.variant").read_bytes(), framing="bare").salvage().holes[0]
    difference = file.diff(opened(frames({"hp": 2, "a": [1]}, {"b": 1})))[0]
    breach = file.check('{"required": ["b"]}')[0]
    for report in (edit.changes[0], difference, breach, hole):
        copy = pickle.loads(pickle.dumps(report))
        assert copy == report and repr(copy) == repr(report) and type(copy) is type(report)
        names = [name for name in dir(report) if not name.startswith("_")]
        assert names and [getattr(copy, name) for name in names] == [getattr(report, name) for name in names]
    with pytest.raises(ValueError, match="change"):
        vv.Difference("moved", None, 1, "a", None, None, None, None, None)


def test_a_text_that_is_no_schema_is_refused():
    file = opened(frames({"a": [1]}))
    for text in ("", "[]", '{"type": 7}', '{"$ref": "https://example.com/a.json"}', '{"pattern": "("}', "[" * 100_000):
        with pytest.raises(ValueError, match="the schema: "):
            file.check(text)
    broken = opened(frames({"a": [1]})[:-2], framing="frames")
    for use in (lambda: broken.check("{}"), broken.schema):
        with pytest.raises(vv.DecodeError):
            use()


def test_a_closed_file_does_nothing():
    file = opened(frames(1))
    file.close()
    for use in (lambda: file.select("a"), lambda: file.convert("godot3"), lambda: file.diff(file), lambda: file.merge(file, base=file), file.salvage,
                file.schema, lambda: file.check("{}"), file.unwrap, file.wrap, file.edit):
        with pytest.raises(ValueError, match="closed"):
            use()
