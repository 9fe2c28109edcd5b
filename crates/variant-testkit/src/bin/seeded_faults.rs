//! Inserts faults into a copy of the workspace, one at a time. Prints which check finds each fault.
//!
//! ```text
//! cargo run --release -p variant-testkit --bin seeded-faults              all of them
//! cargo run --release -p variant-testkit --bin seeded-faults -- padding   those with this in their names or paths
//! ```
//!
//! Runs the tests for each fault. If the tests miss the fault, runs the fuzz targets for a minute in all. For faults of
//! the server of Godot 4's multiplayer, runs only the simulation. Prints the tables of docs/dev/fuzzing.md. The exit
//! status is 1 if a fault is not found.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};
use std::time::Instant;
use std::{env, fs};

use variant_testkit::seeded::{FAULTS, Fault, SERVER_FAULTS};
use variant_testkit::workspace;

/// The test commands, the quickest first.
const TESTS: &[(&str, &[&str])] = &[
    ("unit tests", &["-p", "variant-view", "--lib"]),
    ("targets over the corpus", &["-p", "variant-testkit", "--test", "targets"]),
    ("tests/agree", &["-p", "variant-testkit", "--test", "all", "agree::"]),
    (
        "the other tests",
        &["-p", "variant-view", "-p", "variant-owned", "-p", "variant-testkit", "--tests"],
    ),
];

/// With this optimisation, tests are quick to build and fast enough.
const TEST: &[&str] = &["test", "--config", "profile.dev.opt-level=1"];

/// Skips the test that finds the right code of each fault. That test fails while a fault is in the source.
const SKIPPED: &[&str] = &["--", "--skip", "every_fault_has_its_place"];

/// The simulation of servers.
const SIMULATION: &[&str] = &[
    "-p",
    "variant-testkit",
    "--no-default-features",
    "--features",
    "simulation",
    "--bin",
    "simulate",
];

/// The fuzz targets, and the seconds for each: a minute in all.
const FUZZED: &[&str] = &["agree", "near_valid", "padding_and_lengths", "roundtrip"];
const SECONDS: &str = "-max_total_time=15";

fn main() -> io::Result<ExitCode> {
    let wanted = env::args().nth(1).unwrap_or_default();
    let copy = Copy::new()?;
    let readers = copy.table(FAULTS, &wanted, Copy::tested, Copy::find)?;
    let server = copy.table(SERVER_FAULTS, &wanted, Copy::simulated, Copy::simulated)?;
    Ok(if readers && server { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A check. It returns the name of a failure.
type Check = fn(&Copy) -> io::Result<Option<String>>;

/// A copy of the workspace.
struct Copy {
    folder: PathBuf,
    _removed_at_the_end: tempfile::TempDir,
}

impl Copy {
    fn new() -> io::Result<Self> {
        let temporary = tempfile::tempdir()?;
        let folder = temporary.path().join("workspace");
        workspace::copy(&folder, |_, bytes| bytes)?;
        Ok(Self { folder, _removed_at_the_end: temporary })
    }

    /// Prints a table of the faults with `wanted` in their names or paths. Returns whether `find` finds all of them.
    /// `right` checks the code without a fault, and must find nothing.
    fn table(&self, faults: &[Fault], wanted: &str, right: Check, find: Check) -> io::Result<bool> {
        let is_wanted =
            |fault: &&Fault| [fault.name, fault.file].iter().any(|text| text.contains(wanted));
        let mut faults = faults.iter().filter(is_wanted).peekable();
        if faults.peek().is_none() {
            return Ok(true);
        }
        // Each check must pass without a fault, since a check that always fails finds nothing.
        if let Some(finder) = right(self)? {
            return Err(io::Error::other(format!("without a fault: {finder}")));
        }
        let mut out = io::stdout();
        writeln!(out, "| fault | found by | seconds |\n|---|---|--:|")?;
        let mut are_found = true;
        for fault in faults {
            let started = Instant::now();
            let finder = self.with(fault, find)?;
            are_found &= finder.is_some();
            let finder = finder.unwrap_or_else(|| "**nothing**".to_owned());
            writeln!(out, "| {} | {finder} | {} |", fault.name, started.elapsed().as_secs())?;
        }
        Ok(are_found)
    }

    /// Inserts the fault into the copy, does `work`, and removes the fault.
    fn with<T>(&self, fault: &Fault, work: impl Fn(&Self) -> io::Result<T>) -> io::Result<T> {
        let path = self.folder.join(fault.path());
        let source = fs::read_to_string(&path)?;
        let wrong = fault.put_into(&source).map_err(|count| {
            io::Error::other(format!("{fault:?} has {count} places instead of one"))
        })?;
        fs::write(&path, wrong)?;
        let result = work(self);
        fs::write(&path, source)?;
        result
    }

    /// The name of the check that finds the fault. `None` if all checks pass.
    fn find(&self) -> io::Result<Option<String>> {
        match self.tested()? {
            Some(finder) => Ok(Some(finder)),
            None => self.fuzzed(),
        }
    }

    fn tested(&self) -> io::Result<Option<String>> {
        for (name, arguments) in TESTS {
            let compiled = self.cargo(&[TEST, &["--no-run"], *arguments].concat())?;
            if !compiled.status.success() {
                return Ok(Some("the compiler".to_owned()));
            }
            let tested = self.cargo(&[TEST, *arguments, SKIPPED].concat())?;
            if !tested.status.success() {
                return Ok(Some(format!("{name}: {}", first_failure(&tested))));
            }
        }
        Ok(None)
    }

    /// The seed and the number of steps of the shortest failing script. `None` if all simulations pass.
    fn simulated(&self) -> io::Result<Option<String>> {
        let built = self.cargo(&[&["build"], SIMULATION].concat())?;
        if !built.status.success() {
            return Ok(Some("the compiler".to_owned()));
        }
        let simulated = self.cargo(&[&["run"], SIMULATION].concat())?;
        let text = String::from_utf8_lossy(&simulated.stdout);
        let found = text.split_once(':').map(|(found, _)| found.to_owned());
        Ok(found.filter(|_| !simulated.status.success()))
    }

    fn fuzzed(&self) -> io::Result<Option<String>> {
        let built = self.cargo(&["+nightly", "fuzz", "build"])?;
        if !built.status.success() {
            return Err(io::Error::other("the fuzz targets cannot be built"));
        }
        for target in FUZZED {
            let arguments =
                ["+nightly", "fuzz", "run", target, "--", SECONDS, "-dict=fuzz/variant.dict"];
            if !self.cargo(&arguments)?.status.success() {
                return Ok(Some(format!("fuzz target {target}")));
            }
        }
        Ok(None)
    }

    fn cargo(&self, arguments: &[&str]) -> io::Result<Output> {
        Command::new("cargo").args(arguments).current_dir(&self.folder).output()
    }
}

/// The name of the first test that failed, in quotes.
fn first_failure(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let failed =
        text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    format!("`{}`", failed.unwrap_or("a stop"))
}
