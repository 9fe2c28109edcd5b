"""Compares the speed with other decoders for Python, on the same bytes and the same values.

    python bench/decode.py [SECONDS]

Each decoder runs for SECONDS (by default 1) on each input, in five turns, and the best turn counts. The other decoders
are the project's reference decoder (docs/spec/decoder.py) and playgodot. playgodot reads values of Godot 4 except
objects and packed arrays of vectors.
"""

from __future__ import annotations

import importlib.metadata
import pathlib
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy
import variant_view as vv

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "docs/spec"))
import decoder  # noqa: E402

try:
    from playgodot.variant import VariantDecoder, VariantEncoder
except ImportError:
    VariantDecoder = None


def packet() -> Any:
    return {"id": 17, "name": "Ana", "hp": 93.5, "pos": [1.5, 2.5], "alive": True, "tags": ["a", "b"], "state": {"level": 3, "xp": 1200}}


def save() -> Any:
    return {
        "version": 3, "party": [{"name": f"hero {number}", "hp": number, "speed": 1.5, "items": list(range(20))} for number in range(500)],
        "flags": {f"quest {number}": number % 2 == 0 for number in range(1_000)},
    }


def plain(value: Any) -> Any:
    """The value in a form that is the same for all decoders, which have different classes."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, str) else value


def rate(work: Callable[[], Any], seconds: float) -> float:
    """The number of calls a second, in the best of five turns."""
    best = 0.0
    for _ in range(5):
        calls, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds / 5:
            work()
            calls += 1
        best = max(best, calls / spent)
    return best


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    versions = [f"variant-view {vv.__version__}", "docs/spec/decoder.py"]
    if VariantDecoder is not None:
        versions.append(f"playgodot {importlib.metadata.version('playgodot')}")
    print(f"Python {sys.version.split()[0]}: {', '.join(versions)}")
    for name, value in (("packet", packet()), ("save", save())):
        data = vv.encode(value, "godot4")
        reads: dict[str, Callable[[], Any]] = {
            "to_python": lambda: vv.loads(data, "godot4").to_python(), "decoder.py": lambda: decoder.decode(data, "godot4"),
        }
        writes: dict[str, Callable[[], Any]] = {
            "encode": lambda: vv.encode(value, "godot4"), "decoder.py": lambda: decoder.encode(value, "godot4"),
        }
        if VariantDecoder is not None:
            reads["playgodot"] = lambda: VariantDecoder().decode(data)[0]
            writes["playgodot"] = lambda: VariantEncoder().encode(value)
        for reader, read in reads.items():
            assert plain(read()) == value, f"{reader} reads something else"
        for writer, write in writes.items():
            again = plain(vv.loads(write(), "godot4").to_python())
            assert again == value, f"{writer} writes something else"
        table(f"{name} of {len(data)} bytes, read", reads, seconds)
        table(f"{name} of {len(data)} bytes, written", writes, seconds)
        path = "state.level" if name == "packet" else "party[250].hp"
        table(f"{name} of {len(data)} bytes, one value", {
            "at": lambda: vv.loads(data, "godot4").at(path), "decoder.py": lambda: decoder.decode(data, "godot4"),
        }, seconds)
    for count in (1_000, 10_000_000):
        packed = vv.loads(vv.encode(numpy.zeros(count, "f"), "godot4"), "godot4").root
        calls = rate(lambda packed=packed: numpy.asarray(packed), seconds)
        print(f"{count} floats to numpy: {1e9 / calls:.0f} ns")


def table(title: str, works: dict[str, Callable[[], Any]], seconds: float) -> None:
    rates = {name: rate(work, seconds) for name, work in works.items()}
    first = next(iter(rates.values()))
    told = [f"{name} {1e6 / calls:.1f} us (1 : {first / calls:.1f})" for name, calls in rates.items()]
    print(f"{title}: {', '.join(told)}")


if __name__ == "__main__":
    main()
