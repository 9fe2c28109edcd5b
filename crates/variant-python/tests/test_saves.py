"""The types that `variant-inspect schema --python` writes describe the values that the package decodes."""

import importlib
import sys
from pathlib import Path

from corpus import CORPUS

FOLDER = Path(__file__).parent / "saves"


def test_the_types_of_a_save(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    program = importlib.import_module("program")
    level, items, npcs, x = program.outcome(str(CORPUS / "godot3/saves/rpg_save.bin"))
    assert (level, items, npcs, type(x)) == (37, 1600, 700, float)
    for name in ("program", "kinds", "rpg_save"):
        sys.modules.pop(name)
