"""The documentation of the package is complete and true."""

import doctest
import inspect
import re

import variant_view as vv
from corpus import CORPUS, ROOT

README = ROOT / "crates/variant-python/README.md"


def test_the_examples_of_the_readme():
    outcome = doctest.testfile(str(README), module_relative=False)
    assert outcome.failed == 0 and outcome.attempted > 15


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
