"""The documentation of the package is complete and true."""

import doctest
import inspect
import re
from typing import get_args

import variant_view as vv
from corpus import CORPUS, ROOT

README = ROOT / "crates/variant-python/README.md"


def test_the_examples_of_the_readme():
    outcome = doctest.testfile(str(README), module_relative=False)
    assert outcome.failed == 0 and outcome.attempted > 15


def test_the_three_lines_of_the_readme_change_an_encrypted_save(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save = vv.open(CORPUS / "godot3/migration/saves/player1_v1.gdec", password="hunter2")
    (tmp_path / "save.gdec").write_bytes(save.wrap(password="secret"))
    (program,) = re.findall(r"^```python\n(with vv.open\(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    assert len(program.splitlines()) == 2
    exec(f"import variant_view as vv\n{program}")
    (change,) = save.diff(vv.open("save.gdec", password="secret"))
    assert (change.path, change.after) == ("player.gold", "9999")


def test_the_names_are_those_that_functions_accept():
    names = vv.names
    assert get_args(names.Dialect)[:6] == vv.DIALECTS and get_args(names.Framing) == vv.FRAMINGS and get_args(names.Kind) == vv.KINDS
    file = vv.open_bytes(vv.encode(7, "godot4", framing="frames"), dialect="godot4")
    for dialect in get_args(names.Dialect):
        assert vv.loads(vv.encode(7, dialect), dialect).dialect == dialect
    for option in ("Precision", "Reals", "Widths"):
        assert {vv.encode(7, "godot4", **{option.lower(): name}) for name in get_args(getattr(names, option))}
    for option in ("Objects", "Profile"):
        assert {vv.loads(bytes(4), "godot4", **{option.lower(): name}).root for name in get_args(getattr(names, option))} == {None}
    for name in get_args(names.Compression):
        assert file.wrap(compression=name)
    for name in get_args(names.Encryption):
        assert file.wrap(encryption=name, password=None if name == "none" else "hunter2")


def test_the_example_of_the_page_about_migrations(monkeypatch):
    monkeypatch.chdir(CORPUS / "godot3/migration")
    page = (ROOT / "docs/migrate.md").read_text(encoding="utf-8").replace("fixtures/v1.save", "saves/player2_v1.save")
    example = doctest.DocTestParser().get_doctest(page, {}, "migrate.md", None, None)
    assert len(example.examples) > 5 and doctest.DocTestRunner().run(example).failed == 0


def test_all_that_is_public_is_documented():
    assert set(vv.__all__) == {name for name in dir(vv) if not name.startswith("_") and not inspect.ismodule(getattr(vv, name))} | {"__version__"}
    for name in vv.__all__:
        public = getattr(vv, name)
        if not callable(public):
            continue
        assert public.__doc__, name
        if inspect.isclass(public) and public.__module__.startswith("variant_view"):
            for method, value in vars(public).items():
                if not method.startswith("_") and (inspect.isroutine(value) or inspect.isdatadescriptor(value)):
                    is_part = issubclass(public, (vv.Math, dict)) or hasattr(public, "__dataclass_fields__") or hasattr(public, "__slots__")
                    assert is_part or value.__doc__, f"{name}.{method}"


def test_the_readme_names_what_there_is():
    text = README.read_text(encoding="utf-8")
    for name in re.findall(r"`vv\.(\w+)", text) + re.findall(r"^\| `(\w+Error)`", text, re.M):
        assert hasattr(vv, name), name
    for name in vv.__all__:
        if name.endswith("Error"):
            assert f"`{name}`" in text


def test_names_of_dialects_framings_and_kinds():
    assert vv.DIALECTS == ("godot2", "godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5")
    assert vv.FRAMINGS == ("bare", "frames", "frames-be", "settings", "sequence")
    assert len(vv.KINDS) >= 39 and vv.__version__
