"""Times the codec of playgodot, and variant-owned, on the same values, which playgodot can read."""

import pathlib
import statistics
import subprocess
import time

from playgodot.variant import VariantDecoder, VariantEncoder

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ["godot4/saves/rpc.variant", "godot4/saves/save_10k.variant"]
CARGO = "cargo run --release -q --manifest-path benches/Cargo.toml --example round_trip --".split()
# The time of a batch in seconds, as in ../examples/round_trip.rs.
BATCH = 0.02
BATCHES = 9


def ours(path):
    """The results of variant-owned: the number of bytes read, and the milliseconds of each task."""
    command = [*CARGO, str(path), "godot4", "0"]
    lines = subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    return {name: float(number) for name, number, _ in map(str.split, lines.splitlines())}


def batch(rounds, work):
    start = time.perf_counter()
    for _ in range(rounds):
        work()
    return time.perf_counter() - start


def median(work):
    """The milliseconds of one round."""
    rounds = 1
    while batch(rounds, work) < BATCH:
        rounds *= 2
    return statistics.median(batch(rounds, work) for _ in range(BATCHES)) / rounds * 1e3


def compare(file):
    path = ROOT / "corpus" / file
    data = path.read_bytes()
    value, length = VariantDecoder().decode(data)
    own = ours(path)
    if length != own["bytes"]:
        raise ValueError(f"{length} of {own['bytes']} bytes are read")
    works = {
        "decode": lambda: VariantDecoder().decode(data),
        # Vectors were read as dictionaries, and are written as dictionaries.
        "encode": lambda: VariantEncoder().encode(value),
    }
    for name, work in works.items():
        theirs = median(work)
        ratio = theirs / own[name]
        print(f"{file}: {name}: theirs {theirs:.6f} ms, ours {own[name]:.6f} ms, ratio {ratio:.1f}")


for each in FILES:
    try:
        compare(each)
    except (ValueError, TypeError) as error:
        print(f"{each}: cannot be compared: {error}")
