#!/usr/bin/env python3
"""What each optimisation buys: the works of the example `instructions` with it and without it.

    benches/ablation.py             all of benches/ablation.txt, as a table in Markdown
    benches/ablation.py NAME...     those alone

A cell has each work that it makes a difference of 5 % to, with two factors: what the work takes without the
optimisation, in instructions (as .ci/instructions counts them) and in user time (the median ratio of 15 alternating
runs). A work whose instructions differ by less than 0.1 % is not timed. Builds what is committed.
"""

import functools
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / "target" / "ablation" / "tree"
WORKS = """validate-save validate-rpg validate-varied validate-flat validate-math validate-rpc get-rpc
    at-save index-save walk-save own-save own-rpg own-rpc encode-save feed-save""".split()


def run(*command, **more):
    return subprocess.run(command, check=True, text=True, **more)


def build(name, files, expression):
    """The program without it, built in a worktree of its own."""
    run("git", "-C", TREE, "checkout", "-q", "--force", "--detach", run(
        "git", "-C", ROOT, "rev-parse", "HEAD", capture_output=True).stdout.strip())
    for file in files:
        path = TREE / "crates" / file
        before = path.read_text()
        run("sed", "-i", expression, path)
        if path.read_text() == before:
            sys.exit(f"{name} is stale: its expression in benches/ablation.txt changes nothing in {file}")
    # The example needs none of what the other benchmarks do, which would be built anew as well.
    manifest = TREE / "benches" / "Cargo.toml"
    manifest.write_text(re.sub(r"\[dev-dependencies\]\n(.+\n)+", "", manifest.read_text()))
    run("cargo", "build", "-q", "--release", "-p", "variant-bench", "--example", "instructions", cwd=TREE,
        env={**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")})
    return shutil.copy(ROOT / "target/release/examples/instructions", TREE.parent / name)


@functools.cache
def instructions(program, work):
    """Those of one round."""
    def count(rounds):
        counted = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, work, str(rounds),
                      capture_output=True)
        return int(re.search(r"Collected : (\d+)", counted.stderr)[1])
    return (count(5) - count(1)) / 4


def seconds(program, work, rounds):
    child = subprocess.Popen([program, work, str(rounds)])
    return os.wait4(child.pid, 0)[2].ru_utime


def factors(base, program, work):
    before = instructions(base, work)
    counted = instructions(program, work) / before
    if abs(counted - 1) < 0.001 and program.name != "nothing":
        return counted, 1.0
    rounds = max(1, round(8e8 / before))
    timed = [seconds(program, work, rounds) / seconds(base, work, rounds) for _ in range(15)]
    return counted, statistics.median(timed)


def main(names):
    text = re.sub(r"^#.*\n", "", (ROOT / "benches/ablation.txt").read_text(), flags=re.M)
    all = dict(block.split(": ", 1) for block in text.strip().split("\n\n"))
    if not TREE.exists():
        run("git", "-C", ROOT, "worktree", "add", "--detach", TREE, "HEAD")
    base = build("base", [], "")
    print("| without | is | instructions and time of a work, as factors |\n|---|---|---|")
    for name in names or all:
        title, files, expression = all[name].split("\n")
        program = build(name, [file for file in files.split() if file != "-"], expression)
        found = [(work, *factors(base, program, work)) for work in WORKS]
        print(name, found, file=sys.stderr)
        cell = [f"{work} {counted:.2f} / {timed:.2f}" for work, counted, timed in found
                if max(abs(counted - 1), abs(timed - 1)) >= 0.05]
        print(f"| `{name}` | {title} | {', '.join(cell) or 'none'} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
