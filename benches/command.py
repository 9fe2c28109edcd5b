#!/usr/bin/env python3
"""Times whole runs of variant-inspect, and prints them as a table for docs/dev/performance.md.

    cargo build --release -p variant-inspect
    benches/command.py [FOLDER]

Makes 1.3 GB of files in FOLDER, or in a temporary folder, and removes them. CPU time includes all threads; page faults
are those of the process itself.
"""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "target" / "release" / "variant-inspect"
SAVE = ROOT / "corpus/godot4/saves/save_10k.variant"
RUNS = 9
GODOT4 = ["--dialect", "godot4", "--framing", "bare"]


def text(key):
    key = key.encode()
    return struct.pack("<II", 4, len(key)) + key + b"\0" * (-len(key) % 4)


def arrays(path, count=10_000, floats=25_000):
    """A dictionary of packed arrays: a gigabyte."""
    body = struct.pack("<II", 32, floats) + os.urandom(floats * 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<II", 27, count))
        for number in range(count):
            file.write(text(f"array_{number:05}") + body)


def records(path, changed, count=2_083_000):
    """An array of small dictionaries, a hundred megabytes; `changed` of them have another value."""
    step = count // changed if changed else count + 1
    with open(path, "wb") as file:
        file.write(struct.pack("<II", 28, count))
        for number in range(count):
            hp = 7 if number % step == step // 2 and changed else 5
            file.write(struct.pack("<II", 27, 2) + text("id") + struct.pack("<II", 2, number) + text("hp") + struct.pack("<II", 2, hp))


def small(folder, count=10_000):
    """Many files of some hundred bytes."""
    save = (ROOT / "corpus/godot4/saves/sample3.variant").read_bytes()
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:05}.dat").write_bytes(save)


def measure(program, arguments, runs=RUNS):
    """Medians of wall time and CPU time in ms, page faults, and memory in MiB."""
    rows = []
    for _ in range(runs):
        start = time.perf_counter()
        with subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            _, _, used = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
            process.returncode = 0
        rows.append((wall * 1e3, (used.ru_utime + used.ru_stime) * 1e3, used.ru_minflt + used.ru_majflt, used.ru_maxrss / 1024))
    return [sorted(column)[runs // 2] for column in zip(*rows)]


def first_frame(path):
    """Milliseconds until `browse` has drawn a screen, and its memory in MiB at that time."""
    rows = []
    for _ in range(RUNS):
        start = time.perf_counter()
        process, terminal = pty.fork()
        if process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(PROGRAM, [str(PROGRAM), "browse", *GODOT4, str(path)])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        seen = b""
        while b"array_0000" not in seen and select.select([terminal], [], [], 10)[0]:
            seen += os.read(terminal, 65536)
        wall = time.perf_counter() - start
        status = Path(f"/proc/{process}/smaps_rollup").read_text()
        private = sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(("Private", "Anonymous:")))
        os.write(terminal, b"q")
        time.sleep(0.2)
        os.close(terminal)
        os.waitpid(process, 0)
        rows.append((wall * 1e3, private / 1024))
    return [sorted(column)[RUNS // 2] for column in zip(*rows)]


def main():
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} is missing: cargo build --release -p variant-inspect")
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        folder = Path(folder)
        big, old, new, many = folder / "big", folder / "old", folder / "new", folder / "many"
        arrays(big)
        records(old, 0)
        records(new, 3)
        small(many)
        print("| run | wall ms | CPU ms | page faults | memory MiB |\n|---|--:|--:|--:|--:|")

        def row(what, arguments, program=PROGRAM):
            wall, cpu, faults, memory = measure(program, arguments)
            print(f"| {what} | {wall:.0f} | {cpu:.0f} | {faults:,} | {memory:.0f} |", flush=True)

        row("`--version`", ["--version"])
        row("`get` of the last of 10,000 arrays, 1 GB", ["get", *GODOT4, big, "array_09999"])
        row("the same, dialect guessed", ["get", big, "array_09999"])
        row("`tree --limit 100` of it", ["tree", "--limit", "100", *GODOT4, big])
        frame, memory = first_frame(big)
        print(f"| `browse` of it, to the first screen | {frame:.0f} | | | {memory:.0f} |", flush=True)
        row("`stats` of `save_10k`, 1.2 MB", ["stats", *GODOT4, SAVE])
        row("the same, dialect guessed", ["stats", SAVE])
        row("`grep -c` of 1 GB, nothing found", ["grep", "-c", "nowhere", *GODOT4, big])
        row("grep's own `grep -c -a`", ["-c", "-a", "nowhere", big], "grep")
        row("`diff` of two files of 100 MB, 3 changes", ["diff", *GODOT4, old, new])
        for verb in (["check"], ["grep", "-c", "enemy"], ["stats", "--depth", "0", "--limit", "0"]):
            for jobs in ("1", "0"):
                threads = "one thread" if jobs == "1" else "all cores"
                row(f"`{verb[0]}` of 10,000 files, {threads}", [*verb, "-j", jobs, *GODOT4, "-r", many])


if __name__ == "__main__":
    main()
