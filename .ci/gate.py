"""The gate runs the steps of `.ci/steps`. It skips some steps while their inputs are those of a recorded run.

    .ci/run                    runs the steps that must run, and repeats some recorded steps
    .ci/run --all              runs every step
    .ci/run --list             prints which steps would run, why, and their seconds in the records
    .ci/run --only STEP...     runs these steps
    .ci/run --record STEP...   runs these steps in a clone of HEAD, and writes each that passed into `.ci/passed`
"""

import argparse
import datetime
import fnmatch
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

DAYS = 30  # a record counts for this many days
REPEATED = 300  # seconds of recorded steps that each run repeats
ALL = 4800  # seconds that all steps may take on two cores
LINE = re.compile(r"([a-z0-9-]+) ([0-9a-f]{64}) ([0-9a-f]{40}) (\d{4}-\d{2}-\d{2}) (\d+)\Z")


class Refused(Exception):
    """The gate refuses to run, with the reason."""


def output(command, cwd, env=None):
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Refused(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def version(command, cwd):
    """The output of a version command; "missing" for a missing program."""
    try:
        return output(command, cwd).strip()
    except (Refused, FileNotFoundError):
        return "missing"


def any_of(patterns):
    """An expression that matches the paths of these patterns. A pattern without a folder applies to the root."""
    parts = [fnmatch.translate(pattern) if "/" in pattern else f"(?!.*/){fnmatch.translate(pattern)}" for pattern in patterns]
    return re.compile("|".join(parts) or "(?!)")


class Step:
    """A row of `.ci/steps`."""

    def __init__(self, name, row, exclusions):
        self.name = name
        self.run = row.pop("run")
        self.why = row.pop("why")
        self.always = row.pop("always", False)
        self.outside = row.pop("outside", "")
        self.packages = row.pop("packages", [])
        self.tools = row.pop("tools", [])
        self.reads = row.pop("reads", [])
        self.frees = row.pop("frees", [])
        self.excludes = any_of(pattern for group in row.pop("excludes", []) for pattern in exclusions[group]["paths"])
        # The script is always an input, even if a group excludes it.
        self.includes = any_of([*self.run, *self.reads])
        if row:
            raise Refused(f".ci/steps: {name}: unknown: {', '.join(row)}")

    def excluded(self, path):
        """Whether the row says that the step does not read this file."""
        return bool(self.excludes.match(path)) and not self.includes.match(path)


class Record:
    """A line of `.ci/passed`. The seconds are used for every step, the hash only for a step that can be skipped."""

    def __init__(self, line):
        found = LINE.match(line)
        if not found:
            raise ValueError(line)
        self.step, self.hash, self.commit, self.date, seconds = found.groups()
        self.seconds = int(seconds)

    def __str__(self):
        return f"{self.step} {self.hash} {self.commit} {self.date} {self.seconds}"

    def days(self, today):
        return (today - datetime.date.fromisoformat(self.date)).days


def read_records(path):
    """The records by step, and the faults of the file. A file with a fault has no records."""
    records, wrong = {}, []
    lines = path.read_text().splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            record = Record(line)
        except ValueError:
            wrong.append(f".ci/passed:{number} is not a record")
            continue
        if record.step in records:
            wrong.append(f".ci/passed:{number} records {record.step} twice")
        records[record.step] = record
    return ({} if wrong else records), wrong


class Gate:
    """The steps, with the files of one checkout of the repository."""

    def __init__(self, root, version=version, today=None):
        self.root = root
        self.version = version
        self.today = today or datetime.datetime.now(datetime.timezone.utc).date()
        table = tomllib.loads((root / ".ci/steps").read_text())
        self.environment = table["environment"]
        self.steps = [Step(name, row, table["exclusions"]) for name, row in table["step"].items()]
        self.records, self.wrong = read_records(root / ".ci/passed")
        self.files = self.tracked()
        self.closures, self.versions = {}, {}

    def step(self, name):
        for step in self.steps:
            if step.name == name:
                return step
        raise Refused(f"{name} is not a step; the steps are: {', '.join(step.name for step in self.steps)}")

    def tracked(self):
        """A map from the path of each tracked file of HEAD to its mode and its blob."""
        entries = output(["git", "ls-tree", "-r", "-z", "HEAD"], self.root).split("\0")
        return {path: meta for meta, path in (entry.split("\t", 1) for entry in entries if entry)}

    def closure(self, selection):
        """The folders of the packages that `selection` (arguments of cargo) selects, and of all their dependencies."""
        if selection not in self.closures:
            command = ["cargo", "tree", "--locked", "-e", "normal,build,dev", "--prefix", "none", "--format", "{p}"]
            listed = output(command + selection.split(), self.root)
            paths = {Path(found) for found in re.findall(r" \((/[^)]*)\)", listed)}
            folders = {str(path.relative_to(self.root)) for path in paths if path.is_relative_to(self.root)}
            if not folders:
                raise Refused(f".ci/steps: {selection} selects no package of this repository")
            self.closures[selection] = folders
        return self.closures[selection]

    def inputs(self, step):
        """The tracked files that a step may read."""
        folders = {folder for selection in step.packages for folder in self.closure(selection)}

        def is_input(path):
            if path == ".ci/passed" or step.excluded(path):
                return False
            parts = path.split("/")
            return parts[0] != "crates" or "/".join(parts[:2]) in folders

        return sorted(path for path in self.files if is_input(path))

    def version_of(self, command):
        if command not in self.versions:
            self.versions[command] = self.version(command.split(), self.root)
        return self.versions[command]

    def hash(self, step):
        """A hash of all inputs of the step."""
        lines = [f"run {step.run}", f"environment {sorted(self.environment.items())}"]
        lines += [f"{tool}: {self.version_of(tool)}" for tool in ["rustc -vV", *step.tools]]
        lines += [f"{self.files[path]} {path}" for path in self.inputs(step)]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def recorded(self, step):
        """The record that allows the gate to skip the step, or None; and the reason."""
        record = self.records.get(step.name)
        if step.always:
            return None, "always"
        if step.outside:
            return None, f"reads the outside: {step.outside}"
        if record is None:
            return None, "no record"
        if not 0 <= record.days(self.today) <= DAYS:
            return None, f"recorded on {record.date}, and a record counts for {DAYS} days"
        if record.hash != self.hash(step):
            return None, self.difference(step, record)
        return record, f"recorded at {record.commit[:12]} on {record.date}, {record.seconds} s"

    def difference(self, step, record):
        """The reason why a record does not match the inputs."""
        try:
            changed = output(["git", "diff", "--name-only", record.commit, "HEAD"], self.root).splitlines()
        except Refused:
            return f"recorded at {record.commit[:12]}, which is not in this history"
        inputs = set(self.inputs(step))
        changed = [path for path in changed if path in inputs or path not in self.files]
        if not changed:
            return f"other tools than at {record.commit[:12]}"
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        return f"changed since {record.commit[:12]}: {', '.join(changed[:3])}{more}"

    def plan(self, everything=False):
        """For each step: whether it runs, and why."""
        kept = self.kept_within()
        if kept > ALL:
            raise Refused(f".ci/passed has {kept} s, and all steps may take {ALL} s: shorten or sample a step")
        found = {step.name: self.recorded(step) for step in self.steps}
        repeated = set() if everything else self.repeated({name: record for name, (record, _) in found.items() if record})
        for step in self.steps:
            record, why = found[step.name]
            if record is None:
                yield step, True, why
            elif everything:
                yield step, True, "everything runs"
            elif step.name in repeated:
                yield step, True, f"repeated, although {why}"
            else:
                yield step, False, why

    def kept_within(self):
        return sum(record.seconds for record in self.records.values())

    def expected(self, names):
        """A line about the seconds that these steps took when they were recorded."""
        seconds = [self.records[name].seconds for name in names if name in self.records]
        unknown = len(names) - len(seconds)
        return f"{sum(seconds)} s in the records" + (f", {unknown} steps without a record" if unknown else "")

    def repeated(self, records):
        """The recorded steps that this commit repeats: a hash of the commit selects steps that together take at most `REPEATED` seconds. `--all` also repeats steps that take longer."""
        commit = output(["git", "rev-parse", "HEAD"], self.root).strip()
        order = sorted(records, key=lambda name: hashlib.sha256(f"{commit} {name}".encode()).digest())
        chosen, seconds = set(), 0
        for name in order:
            if seconds + records[name].seconds <= REPEATED:
                chosen.add(name)
                seconds += records[name].seconds
        return chosen


def processor():
    """The processor seconds of all child processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def free(root):
    return shutil.disk_usage(root).free >> 30


class Run:
    """A run of some steps, with the seconds and the processor seconds that each took."""

    def __init__(self, gate):
        self.gate = gate
        self.started, self.used = time.monotonic(), processor()
        self.seconds = []
        self.not_checked = Path(tempfile.mkstemp(prefix="not-checked-")[1])

    def step(self, step, why):
        after = int(time.monotonic() - self.started)
        print(f"\n== {step.name}: {step.why} ({why}; after {after} s, {free(self.gate.root)} GiB free)", flush=True)
        started, used = time.monotonic(), processor()
        env = {**os.environ, **self.gate.environment, "NOT_CHECKED": str(self.not_checked)}
        code = subprocess.run(step.run, cwd=self.gate.root, env=env, stdin=subprocess.DEVNULL).returncode
        self.seconds.append((step.name, int(time.monotonic() - started + 0.5), int(processor() - used + 0.5)))
        for folder in step.frees:
            shutil.rmtree(self.gate.root / folder, ignore_errors=True)
        return code == 0

    def end(self, failed=None):
        print("\n== seconds and processor seconds by step")
        self.seconds.append(("all", int(time.monotonic() - self.started + 0.5), int(processor() - self.used + 0.5)))
        for name, seconds, used in self.seconds:
            print(f"{name:16} {seconds:6} {used:6}")
        lines = self.not_checked.read_text().splitlines()
        self.not_checked.unlink()
        if failed:
            print(f"\n{failed} failed")
            return 1
        print(f"\nall good, {len(lines)} checks not made", *lines, sep="\n", flush=True)
        return 0


def run(gate, chosen):
    """Runs steps in the order of the table, and stops at the first that fails."""
    current = Run(gate)
    for step, runs, why in chosen:
        if not runs:
            print(f"{step.name}: skipped, {why}", flush=True)
        elif not current.step(step, why):
            return current.end(failed=step.name)
    return current.end()


def record(gate, steps):
    """Runs each step in a fresh clone of HEAD, and records those that pass."""
    # `.ci/passed` is excluded: it may have records of other steps that are not committed yet.
    if output(["git", "status", "--porcelain", "--", ":!.ci/passed"], gate.root).strip():
        raise Refused("the tree has changes that are not committed, but a record is about a commit")
    passed = gate.root / ".ci/passed"
    failed = []
    with tempfile.TemporaryDirectory(prefix="record-") as folder:
        clone = Path(folder) / "clone"
        output(["git", "clone", "-q", str(gate.root), str(clone)], gate.root)
        env = {name: value for name, value in os.environ.items() if name != "RUSTFLAGS" and not name.startswith("CARGO_")}
        for step in steps:
            started = time.monotonic()
            code = subprocess.run(["bash", ".ci/run", "--only", step.name], cwd=clone, env=env, stdin=subprocess.DEVNULL).returncode
            if code != 0:
                failed.append(step.name)
                continue
            # The step may have installed tools, whose versions are inputs.
            recorded = Gate(clone)
            commit = output(["git", "rev-parse", "HEAD"], clone).strip()
            seconds = int(time.monotonic() - started + 0.5)
            line = Record(f"{step.name} {recorded.hash(recorded.step(step.name))} {commit} {recorded.today} {seconds}")
            kept, wrong = read_records(passed)
            if wrong:
                raise Refused("; ".join(wrong))
            kept[step.name] = line
            passed.write_text("".join(f"{kept[name]}\n" for name in sorted(kept)))
    if failed:
        print(f"not recorded, since they failed: {', '.join(failed)}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(prog=".ci/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--all", action="store_true", help="run every step, even if it is recorded")
    way.add_argument("--list", action="store_true", help="print which steps would run, and why")
    way.add_argument("--only", nargs="+", metavar="STEP", help="run these steps")
    way.add_argument("--record", nargs="+", metavar="STEP", help="record these steps; `all` is every step")
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    try:
        gate = Gate(root)
        for line in gate.wrong:
            print(f"{line}, so no record counts")
        if arguments.only:
            return run(gate, [(gate.step(name), True, "asked for") for name in arguments.only])
        if arguments.record:
            return record(gate, gate.steps if arguments.record == ["all"] else [gate.step(name) for name in arguments.record])
        plan = list(gate.plan(everything=arguments.all))
        if arguments.list:
            for step, runs, why in plan:
                print(f"{step.name:16} {'runs' if runs else 'skipped':8} {why}")
            print(gate.expected([step.name for step, runs, _ in plan if runs]))
            return 0
        return run(gate, plan)
    except Refused as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
