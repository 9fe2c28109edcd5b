#!/usr/bin/env python3
"""Measures the gain of each optimisation: runs the workloads of `instructions` with and without the optimisation.

    benches/ablation.py             all of benches/ablation.txt, as a table in Markdown
    benches/ablation.py NAME...     only these optimisations
    benches/ablation.py --check     checks that each expression changes its files, and that the table of
                                    docs/dev/performance.md has a row for each optimisation

The table lists the workloads with a difference of at least 5 %, each with two factors: the cost without the
optimisation in instructions (as .ci/instructions counts them), and in user time (the median ratio of 15 alternating
runs). A workload whose instructions differ by less than 1 % is not timed. Builds the last commit.
"""

import functools, os, pathlib, re, shutil, statistics, subprocess, sys

RUNS = int(os.environ.get("RUNS", 15))
ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / "target/ablation/tree"
WORKS = """validate-save validate-rpg validate-varied validate-letters validate-flat validate-math validate-rpc get-rpc
    validated-get-rpc get-last each-save at-save tape-save tape-rpc walk-save own-save own-rpg own-rpc encode-save feed-save""".split()


def run(*command, **more):
    return subprocess.run(command, check=True, text=True, **more)


def without(name, path, expression):
    """The text of a file without the optimisation."""
    text = run("sed", expression, path, capture_output=True).stdout
    if text == path.read_text():
        sys.exit(f"`{name}` is stale: benches/ablation.txt changes nothing in {path}")
    return text


def build(name, files, expression):
    """The program without the optimisation, built in a separate worktree."""
    commit = run("git", "-C", ROOT, "rev-parse", "HEAD", capture_output=True).stdout.strip()
    if not TREE.exists():
        run("git", "-C", ROOT, "worktree", "add", "--force", "--detach", TREE, commit)
    run("git", "-C", TREE, "checkout", "-q", "--force", "--detach", commit)
    for path in [TREE / "crates" / file for file in files]:
        path.write_text(without(name, path, expression))
    # The program needs only these modules, and builds in half the time without the others.
    (TREE / "crates/variant-testkit/src/lib.rs").write_text("#![allow(missing_docs)]\npub mod builder;\npub mod corpus;\n")
    run("cargo", "build", "-q", "--release", "--manifest-path", "benches/Cargo.toml", "-p", "instructions", cwd=TREE,
        env={**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")})
    return shutil.copy(ROOT / "target/release/instructions", TREE.parent / name)


@functools.cache
def instructions(program, work):
    command = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, work)
    texts = [run(*command, rounds, capture_output=True).stderr for rounds in ("1", "5")]
    one, many = (int(re.search(r"Collected : (\d+)", text)[1]) for text in texts)
    return (many - one) / 4


def seconds(program, work, rounds):
    # Python may reap the process when the `Popen` object is dropped, so the object is kept until the wait is over.
    process = subprocess.Popen([program, work, str(rounds)])
    return os.wait4(process.pid, 0)[2].ru_utime


def factors(base, program, work):
    counted = instructions(program, work) / instructions(base, work)
    if abs(counted - 1) < 0.01 and program.name != "nothing":
        return counted, 1.0
    rounds = max(1, round(4e8 / instructions(base, work)))
    return counted, statistics.median(seconds(program, work, rounds) / seconds(base, work, rounds) for _ in range(RUNS))


def rows():
    """The names of the rows of the table in docs/dev/performance.md."""
    page = (ROOT / "docs/dev/performance.md").read_text()
    table = page.split("\n| off | instead |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


def main(names):
    blocks = (ROOT / "benches/ablation.txt").read_text().strip().split("\n\n")[1:]
    known = {name: (rest + "\n\n").split("\n")[:3] for name, rest in (block.split(": ", 1) for block in blocks)}
    if names == ["--check"]:
        for name, (_, files, expression) in known.items():
            for file in files.split():
                without(name, ROOT / "crates" / file, expression)
        shown, twice = set(rows()), len(rows()) - len(set(rows()))
        faults = [f"`{name}` has no row in docs/dev/performance.md" for name in known if name not in shown]
        faults += [f"`{name}` of docs/dev/performance.md is not in benches/ablation.txt" for name in sorted(shown - known.keys())]
        faults += ["docs/dev/performance.md has a row twice"] if twice else []
        sys.exit("\n".join(faults) or 0)
    base = build("base", [], "")
    print("| off | instead | instructions / time, as factors |\n|---|---|---|")
    for name in names or known:
        title, files, expression = known[name]
        program = build(name, files.split(), expression)
        found = [(work, *factors(base, program, work)) for work in WORKS]
        shown = [f"{work} {counted:.2f} / {timed:.2f}" for work, counted, timed in found
                 if max(abs(counted - 1), abs(timed - 1)) >= 0.05]
        print(f"| `{name}` | {title} | {', '.join(shown) or 'none'} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
