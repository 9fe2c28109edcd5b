"""The files of the corpus: bytes that engines wrote, and such bytes with changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT / "corpus"
ENGINES = ("godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5")


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def record_files() -> Iterator[tuple[Path, str, str]]:
    """The files of records, each with its dialect and its rule for reals. A record has the bytes of one value."""
    for path in sorted(CORPUS.glob("*/*.jsonl")):
        folder, stem = path.parent.name, path.name.split(".jsonl")[0]
        if folder in ENGINES and stem.split(".")[-1] in ("vectors", "mutants", "keys", "elements"):
            yield path, folder, "by-flag"
        elif folder == "documented":
            page, kind = stem.rsplit(".", 1)
            yield path, page, "always64" if kind == "double" else "by-flag"
