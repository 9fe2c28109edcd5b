#!/usr/bin/env python3
"""Times `check` of many saves with and without a schema, and prints a table.

    cargo build --release -p variant-inspect
    benches/check.py [FOLDER]

Makes 10,000 saves of 50 KB (0.5 GB) in FOLDER, or in a temporary folder, and removes them. `GB/s a core` is the size of
the saves divided by the CPU time of all threads.
"""

import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from command import GODOT4, PROGRAM, measure, text

SAVES, HEROES = 10_000, 490


def save(number):
    """A dictionary with heroes: 50 KB."""
    body = [struct.pack("<II", 27, 3), text("version"), struct.pack("<II", 2, number), text("gold"), struct.pack("<Id", 0x10003, number + 0.1)]
    body += [text("heroes"), struct.pack("<II", 28, HEROES)]
    for hero in range(HEROES):
        body += [struct.pack("<II", 27, 4), text("class"), text(("mage", "rogue")[hero % 2]), text("hp"), struct.pack("<II", 2, hero)]
        body += [text("at"), struct.pack("<Iff", 5, hero, number), text("mana"), struct.pack("<II", 2, number)]
    return b"".join(body)


def main():
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} is missing: cargo build --release -p variant-inspect")
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        folder, size = Path(folder), 0
        saves, schema, lock = folder / "saves", folder / "schema.json", folder / "saves.lock"
        saves.mkdir()
        for number in range(SAVES):
            size += (saves / f"{number:05}.dat").write_bytes(save(number))
        for path, form in ((schema, "--json-schema"), (lock, "--lock")):
            path.write_bytes(subprocess.check_output([PROGRAM, "schema", form, *GODOT4, "-r", saves]))
        print(f"{SAVES:,} saves of {size / SAVES / 1e3:.1f} KB\n")
        print("| run | wall s | GB/s a core | memory MiB |\n|---|--:|--:|--:|")
        for what, arguments in (("`check`", []), ("`check --schema`", ["--schema", schema]), ("`check --lock`", ["--lock", lock])):
            for jobs in ("1", "0"):
                wall, cpu, _, memory = measure(PROGRAM, ["check", *arguments, "-j", jobs, *GODOT4, "-r", saves], runs=3)
                threads = "one thread" if jobs == "1" else "all cores"
                print(f"| {what}, {threads} | {wall / 1e3:.2f} | {size / cpu / 1e6:.2f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    main()
