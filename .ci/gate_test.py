"""The gate runs each step whose inputs changed. The tests use throw-away repositories."""

import datetime
import os
import shutil
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

from gate import ALL, DAYS, REPEATED, Gate, Record, Refused, read_records

ROOT = Path(__file__).resolve().parent.parent
TODAY = datetime.date(2026, 3, 1)


def git(folder, *arguments):
    env = {**os.environ, "GIT_AUTHOR_NAME": "gate", "GIT_AUTHOR_EMAIL": "gate@example.org", "GIT_COMMITTER_NAME": "gate", "GIT_COMMITTER_EMAIL": "gate@example.org"}
    return subprocess.run(["git", *arguments], cwd=folder, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def version(command, _root):
    return f"version of {' '.join(command)}"


class OverTheTable(unittest.TestCase):
    """The steps of this repository, in a clone of it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="gate-"))
        git(ROOT, "clone", "-q", str(ROOT), str(cls.folder / "clone"))
        cls.clone = cls.folder / "clone"
        cls.table = tomllib.loads((cls.clone / ".ci/steps").read_text())
        cls.closures = {}
        gate = cls.gate()
        cls.commit = git(cls.clone, "rev-parse", "HEAD")
        cls.steps = [step for step in gate.steps if not step.always and not step.outside]
        cls.hashes = {step.name: gate.hash(step) for step in cls.steps}
        cls.folders = {step.name: {folder for selection in step.packages for folder in gate.closure(selection)} for step in cls.steps}
        cls.write_records(cls.hashes)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def gate(cls, version=version, today=TODAY):
        gate = Gate(cls.clone, version=version, today=today)
        # Cargo runs once, since tests do not change dependencies.
        gate.closures = cls.closures
        return gate

    @classmethod
    def write_records(cls, hashes, date=TODAY):
        lines = sorted(f"{name} {found} {cls.commit} {date} 10\n" for name, found in hashes.items())
        (cls.clone / ".ci/passed").write_text("".join(lines))

    def skipped(self, gate=None):
        gate = gate or self.gate()
        return {step.name for step in self.steps if gate.recorded(gate.step(step.name))[0]}

    def skipped_after(self, *paths):
        """The steps that are skipped after a change of one byte in each of these files."""
        for path in paths:
            file = self.clone / path
            file.write_bytes(file.read_bytes() + b"\n")
        git(self.clone, "add", "--", *paths)
        git(self.clone, "commit", "-q", "-m", "a byte")
        found = self.skipped()
        self.reset()
        return found

    def reset(self):
        """Returns to the commit, and writes the records again, since those of the commit have other hashes."""
        git(self.clone, "reset", "-q", "--hard", self.commit)
        self.write_records(self.hashes)

    def all_steps(self):
        return {step.name for step in self.steps}

    def test_what_is_recorded_is_skipped(self):
        self.assertEqual(self.skipped(), self.all_steps())
        self.assertGreater(len(self.steps), 10)

    def test_each_package_of_a_step_is_an_input(self):
        folders = set().union(*self.folders.values())
        self.assertGreater(len(folders), 8)
        for folder in sorted(folders):
            if not folder.startswith("crates/"):
                continue
            source = sorted(git(self.clone, "ls-files", f"{folder}/src/*.rs").splitlines())[0]
            expected = {name for name in self.folders if folder not in self.folders[name]}
            self.assertEqual(self.skipped_after(source), expected, source)

    def test_a_package_that_no_step_names_is_no_input(self):
        self.assertIn("peers", self.skipped_after("crates/variant-view/src/lib.rs"))

    def test_files_outside_of_crates_are_inputs(self):
        self.assertEqual(self.skipped_after("Cargo.lock"), set())
        self.assertEqual(self.skipped_after("Cargo.toml"), set())
        builds_alone = {step.name for step in self.steps if step.excluded("corpus/any")}
        self.assertEqual(self.skipped_after("corpus/godot4/single.vectors.jsonl"), builds_alone)

    def test_its_script_is_an_input_of_each_step(self):
        scripts = {}
        for step in self.steps:
            scripts.setdefault(step.run[0], set()).add(step.name)
        for script, names in scripts.items():
            found = self.skipped_after(script)
            readers = {step.name for step in self.steps if not step.excluded(script)}
            self.assertEqual(found, self.all_steps() - names - readers, script)

    def test_a_mode_is_an_input(self):
        git(self.clone, "update-index", "--chmod=+x", "Cargo.lock")
        git(self.clone, "commit", "-q", "-m", "a mode")
        found = self.skipped()
        self.reset()
        self.assertEqual(found, set())

    def test_compiler_and_tools_are_inputs(self):
        def newer(of):
            return lambda command, root: version(command, root) + ("!" if command == of.split() else "")

        self.assertEqual(self.skipped(self.gate(newer("rustc -vV"))), set())
        for tool in {tool for step in self.steps for tool in step.tools}:
            readers = {step.name for step in self.steps if tool in step.tools}
            self.assertEqual(self.skipped(self.gate(newer(tool))), self.all_steps() - readers, tool)

    def test_an_excluded_path_is_no_input(self):
        for group, exclusion in self.table["exclusions"].items():
            self.assertTrue(exclusion["why"].endswith("."), group)
            steps = [step for step in self.steps if group in self.table["step"][step.name].get("excludes", [])]
            self.assertTrue(steps, f"no step excludes {group}")
            for pattern in exclusion["paths"]:
                listed = git(self.clone, "ls-files", "--", f":(glob){pattern.replace('/*', '/**')}")
                self.assertTrue(listed, f"{group}: no file is {pattern}")
                path = next(path for path in listed.splitlines() if all(step.excluded(path) for step in steps))
                self.assertLessEqual({step.name for step in steps}, self.skipped_after(path), path)

    def test_the_record_is_no_input(self):
        git(self.clone, "add", ".ci/passed")
        git(self.clone, "commit", "-q", "-m", "recorded")
        found = self.skipped()
        self.reset()
        self.assertEqual(found, self.all_steps())

    def test_a_line_that_is_not_the_steps_does_not_skip_it(self):
        names = sorted(self.hashes)
        swapped = dict(zip(names, [self.hashes[name] for name in names[1:] + names[:1]]))
        self.write_records(swapped)
        self.assertEqual(self.skipped(), set())
        self.write_records(self.hashes)
        passed = self.clone / ".ci/passed"
        lines = passed.read_text().splitlines()
        for broken in (
            [lines[0].replace(self.hashes[names[0]], self.hashes[names[0]][:40]), *lines[1:]],
            [lines[0], lines[0], *lines[1:]],
            ["<<<<<<< HEAD", lines[0], "=======", lines[0], ">>>>>>> other", *lines[1:]],
            [f"{lines[0]} more", *lines[1:]],
        ):
            passed.write_text("\n".join(broken) + "\n")
            self.assertEqual(self.skipped(), set(), broken[:3])
        self.write_records(self.hashes)

    def test_a_record_has_a_term(self):
        def after(days):
            return self.skipped(self.gate(today=TODAY + datetime.timedelta(days)))

        self.assertEqual(after(DAYS), self.all_steps())
        self.assertEqual(after(DAYS + 1), set())
        self.assertEqual(after(-1), set())

    def test_a_step_that_reads_the_outside_always_runs(self):
        gate = self.gate()
        step = gate.step(self.steps[0].name)
        step.outside = "a database"
        self.assertIsNone(gate.recorded(step)[0])


TOY = """
[environment]
PROPTEST_RNG_SEED = "1"
[exclusions.notes]
paths = ["notes"]
why = "No step reads notes."
[step.first]
run = ["sh", "first"]
why = "runs each time"
always = true
[step.slow]
run = ["sh", "slow"]
why = "can be recorded"
excludes = ["notes"]
[step.other]
run = ["sh", "other"]
why = "can be recorded"
excludes = ["notes"]
"""


class Runs(unittest.TestCase):
    """Runs the whole program with a table of three steps."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gate-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "toy"
        (self.root / ".ci").mkdir(parents=True)
        for name in ("run", "gate.py", "need"):
            shutil.copy(ROOT / ".ci" / name, self.root / ".ci" / name)
        self.write(**{".ci/steps": TOY, "first": "true\n", "slow": "true\n", "other": "true\n", "notes": "", ".gitignore": "target\n"})
        (self.root / "target").mkdir()
        git(self.root, "init", "-q", "-b", "main")
        self.commit("start")

    def write(self, **files):
        for name, text in files.items():
            (self.root / name).write_text(text)

    def commit(self, message):
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "-m", message)

    def run_gate(self, *arguments, **env):
        done = subprocess.run(["bash", ".ci/run", *arguments], cwd=self.root, env={**os.environ, **env}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def passed(self):
        path = self.root / ".ci/passed"
        return path.read_text() if path.exists() else ""

    def record(self, *names):
        code, text = self.run_gate("--record", *names)
        self.assertEqual(code, 0, text)
        self.commit("recorded")

    def edit(self, change):
        """Changes the seconds of each record. No hash covers them."""
        lines = [Record(line) for line in self.passed().splitlines()]
        for line in lines:
            change(line)
        self.write(**{".ci/passed": "".join(f"{line}\n" for line in lines)})

    def test_a_record_is_one_sorted_line_for_each_step(self):
        self.record("other", "slow")
        self.record("slow")
        self.assertEqual([line.split()[0] for line in self.passed().splitlines()], ["other", "slow"])
        self.assertEqual(read_records(self.root / ".ci/passed")[1], [])

    def test_a_recorded_step_is_skipped_until_an_input_changes(self):
        self.record("slow", "other")
        # Each of the two recorded steps now takes `REPEATED` seconds, which is all the time for repetitions. So a run
        # repeats one of them and skips the other.
        self.edit(lambda line: setattr(line, "seconds", REPEATED))
        self.commit("long steps")
        code, text = self.run_gate()
        self.assertEqual((code, text.count(": skipped, recorded at"), text.count("(repeated, although recorded at")), (0, 1, 1), text)
        self.assertIn("seconds and processor seconds by step", text)
        self.assertRegex(text, r"\nall +\d+ +\d+\n")
        self.write(notes="new")
        self.commit("notes")
        self.assertEqual(self.run_gate("--list")[1].count("recorded at"), 2)
        self.write(slow="true # new\n")
        self.commit("slow")
        listed = self.run_gate("--list")[1]
        # No row excludes the file, so each step may read it.
        self.assertEqual((listed.count("recorded at"), listed.count("changed since")), (0, 2), listed)

    def test_a_run_writes_no_record(self):
        for way in ((), ("--all",), ("--only", "slow")):
            self.assertEqual(self.run_gate(*way)[0], 0)
        self.assertEqual(self.passed(), "")

    def test_a_failure_fails_the_run(self):
        self.write(slow="exit 3\n")
        self.commit("broken")
        for way in ((), ("--all",), ("--only", "first", "slow")):
            code, text = self.run_gate(*way)
            self.assertEqual((code, "slow failed" in text), (1, True), text)
        code, text = self.run_gate("--record", "slow", "other")
        self.assertEqual((code, [line.split()[0] for line in self.passed().splitlines()]), (1, ["other"]), text)

    def test_a_false_record_is_found_by_repeating(self):
        self.record("slow")
        # The step has passed once. Its next version reads a file outside of the repository.
        flag = self.folder / "flag"
        self.write(slow=f"test ! -e {flag}\n")
        self.commit("reads a flag")
        self.record("slow")
        flag.touch()
        code, text = self.run_gate()
        self.assertEqual((code, "repeated, although" in text), (1, True), text)

    def test_a_record_is_about_a_commit(self):
        self.write(notes="not committed")
        code, text = self.run_gate("--record", "slow")
        self.assertEqual((code, self.passed()), (2, ""), text)

    def test_a_record_is_made_without_the_callers_flags(self):
        self.write(slow='test -z "${RUSTFLAGS-}${CARGO_TARGET_DIR-}${CARGO_INCREMENTAL-}"\n')
        self.commit("asks for flags")
        self.assertEqual(self.run_gate("--record", "slow", RUSTFLAGS="-O", CARGO_TARGET_DIR="x", CARGO_INCREMENTAL="1")[0], 0)

    def test_all_steps_have_a_limit(self):
        self.record("slow")
        self.edit(lambda line: setattr(line, "seconds", ALL + 1))
        code, text = self.run_gate("--list")
        self.assertEqual((code, f"{ALL + 1} s" in text), (2, True), text)

    def test_the_list_has_the_seconds_of_what_would_run(self):
        self.record("slow")
        # Every run repeats a step this short.
        self.edit(lambda line: setattr(line, "seconds", REPEATED - 1))
        self.commit("a record")
        self.assertIn(f"{REPEATED - 1} s in the records, 2 steps without a record", self.run_gate("--list")[1])
        self.edit(lambda line: setattr(line, "seconds", REPEATED + 1))
        self.commit("a longer one")
        self.assertIn("0 s in the records, 2 steps without a record", self.run_gate("--list")[1])

    def test_a_table_with_a_mistake_is_refused(self):
        self.write(**{".ci/steps": TOY + 'exclude = ["notes"]\n'})
        self.commit("a misspelt name")
        self.assertRaises(Refused, Gate, self.root)
        self.assertEqual(self.run_gate("--list")[0], 2)


if __name__ == "__main__":
    unittest.main()
