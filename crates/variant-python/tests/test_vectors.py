"""The records of the corpus: each value that is read is written again as the same bytes."""

import pytest
import variant_view as vv
from corpus import CORPUS, ENGINES, record_files, records


@pytest.mark.parametrize("path", [path for engine in ENGINES for path in sorted((CORPUS / engine).glob("*.vectors.jsonl"))], ids=str)
def test_engines_records_stay_as_they_are(path):
    tried = 0
    for record in records(path):
        if record.get("enc", "ok") != "ok" or record.get("dec", "ok") != "ok":
            continue
        document = vv.loads(bytes.fromhex(record["hex"]), path.parent.name)
        assert vv.encode(document.to_python(), path.parent.name) == document.tobytes(), record["name"]
        assert vv.encode(document, path.parent.name) == document.tobytes(), record["name"]
        tried += 1
    assert tried > 100


@pytest.mark.parametrize(("path", "dialect", "reals"), list(record_files()), ids=lambda value: str(value).removeprefix(str(CORPUS)))
def test_what_is_canonical_stays_and_other_bytes_become_so(path, dialect, reals):
    same = others = refused = 0
    for record in records(path):
        if "hex" not in record:
            continue
        data = bytes.fromhex(record["hex"])
        document = vv.loads(data, dialect, reals=reals)
        try:
            document.validate()
        except vv.DecodeError as error:
            assert error.offset is not None and error.offset <= len(data) and error.found
            refused += 1
            continue
        value = document.to_python()
        written = vv.encode(value, dialect, reals=reals)
        if is_canonical(data, dialect, reals):
            assert written == document.tobytes(), record
            same += 1
        else:
            again = vv.loads(written, dialect, reals=reals).to_python()
            assert vv.encode(again, dialect, reals=reals) == written, record
            others += 1
    assert same + others + refused > 0
    assert same > 0


def is_canonical(data, dialect, reals):
    try:
        vv.loads(data, dialect, reals=reals, profile="canonical").validate()
    except vv.DecodeError:
        return False
    return True


def test_every_kind_is_among_them():
    found = set()
    for engine in ENGINES:
        for path in (CORPUS / engine).glob("*.vectors.jsonl"):
            for record in records(path):
                if record.get("enc", "ok") == "ok" and record.get("dec", "ok") == "ok":
                    found.add(vv.loads(bytes.fromhex(record["hex"]), engine).kind)
    # The corpus has no records of Godot 2, so these kinds are missing.
    assert found | {"Image", "InputEvent"} == set(vv.KINDS)


@pytest.mark.parametrize("value", [
    vv.Image(5, 0, 2, 1, b"\x01\x02\x03\x04\x05\x06\x07\x08"),
    vv.InputEvent(1, 2, b"\0" * 8),
    vv.NodePath(text="a/b:c"),
    vv.NodePath(("a",), ("b",), True, True),
    vv.Array([1, 2], is_shared=True),
    vv.Dictionary({"a": 1}, is_shared=True),
    vv.Float32("nan"),
    [1, 2.5, "text", vv.PackedStringArray(["a", "b"]), vv.Transform2D()],
], ids=lambda value: type(value).__name__)
def test_godot_2(value):
    data = vv.encode(value, "godot2")
    read = vv.loads(data, "godot2").to_python()
    assert vv.encode(read, "godot2") == data
    assert type(read) is type(value)
    assert read == value or value != value


@pytest.mark.parametrize("dialect", vv.DIALECTS)
@pytest.mark.parametrize("precision", ["as-is", "single", "double"])
def test_plain_values_in_all_dialects(dialect, precision):
    value = {"name": "Åsa", "hp": 93, "speed": 1.5, "alive": True, "none": None, "tags": ["a", "b"], "at": vv.Vector2(1, 2.5), "raw": b"\1\2"}
    data = vv.encode(value, dialect, precision=precision)
    read = vv.loads(data, dialect).to_python()
    assert bytes(read.pop("raw")) == value.pop("raw")
    assert read == value
    assert (read["at"].width == 64) == (dialect == "godot4" and precision == "double")
