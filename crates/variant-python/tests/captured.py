"""The captures of the remote debugger (corpus/debugger/README.md)."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

from corpus import CORPUS

CAPTURES = sorted((CORPUS / "debugger").glob("*.jsonl"))


def dialect(path: Path) -> str:
    return path.name.split(".")[0]


def frames(path: Path, way: str) -> list[bytes]:
    """The frames of one way, each with its length word. ``way`` is ``"from game"`` or ``"to game"``."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [_frame(line) for line in lines if line.get("way") == way and "broken" not in line and "count" not in line]


def _frame(line: dict[str, object]) -> bytes:
    data = bytes.fromhex(str(line["hex"])) if "hex" in line else zlib.decompress(base64.b64decode(str(line["z"])))
    return len(data).to_bytes(4, "little") + data
