//! [`run`]: runs the tests that reach each mutant.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde::Serialize;

use crate::build::{Built, Program};
use crate::list::Mutant;

/// The memory of a test process in bytes, since a mutant may allocate without end.
const MEMORY: u64 = 8 << 30;

/// The bounds of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The time of all tests of a mutant.
    pub(crate) of_a_mutant: Duration,
    /// The time after which no other mutant is tried.
    pub(crate) of_all: Option<Duration>,
    /// The number of processes.
    pub(crate) jobs: usize,
}

/// What tests say about a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// The test fails.
    Caught { by: String },
    /// The test does not end.
    TimedOut { by: String },
    /// The tests that reach the mutant pass. `left` did not run, for lack of time.
    Survived { tests: usize, left: usize },
    /// No test reaches the mutant.
    NotReached,
    /// The mutant does not compile, or a switch cannot select it.
    NotBuilt,
    /// The time was over.
    NotRun,
}

/// A test.
#[derive(Clone, Debug)]
struct Test {
    program: Program,
    /// `None` if the program is one test.
    name: Option<String>,
    time: Duration,
    /// The mutants that the test reaches.
    reached: BTreeSet<usize>,
}

/// The end of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    TooLate,
}

/// Runs the tests for each mutant.
///
/// # Errors
/// A test program cannot be started, or no test reaches a mutant.
pub(crate) fn run(
    built: &Built,
    limits: &Limits,
    folder: &Path,
) -> io::Result<Vec<(Mutant, Verdict)>> {
    let started = Instant::now();
    let tests = reaching(built, limits, folder)?;
    println!("{} tests reach mutants", tests.len());
    let all: Vec<_> = built.mutants.iter().collect();
    let done = AtomicUsize::new(0);
    spread(limits.jobs, &all, |(id, mutant)| {
        let is_over = limits.of_all.is_some_and(|limit| started.elapsed() >= limit);
        let mut reaching = tests.iter().filter(|test| test.reached.contains(id)).peekable();
        let verdict = match reaching.peek() {
            None => Verdict::NotReached,
            Some(_) if is_over => Verdict::NotRun,
            Some(_) => verdict(&id.to_string(), reaching, limits)?,
        };
        let done = done.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        println!("{done} of {}: {}: {}", all.len(), mutant.name, verdict.name());
        Ok(((*mutant).clone(), verdict))
    })
}

/// Builds each mutant, and runs the test programs that pass without a mutant.
///
/// # Errors
/// No program can be built without a mutant and passes, or a program cannot be started.
pub(crate) fn run_each(
    mutants: Vec<Mutant>,
    limits: &Limits,
    build: impl Fn(Option<&Mutant>) -> io::Result<Option<Vec<Program>>>,
) -> io::Result<Vec<(Mutant, Verdict)>> {
    let started = Instant::now();
    let mut times = BTreeMap::new();
    for program in build(None)?.unwrap_or_default() {
        let (test, begun) = (Test::whole(program), Instant::now());
        match test.run("", None, limits.of_a_mutant)? {
            End::Passed => {
                times.insert(test.program.path, begun.elapsed());
            }
            end => println!("left out, {end:?} without a mutant: {}", test.label()),
        }
    }
    if times.is_empty() {
        return Err(io::Error::other("no test passes without a mutant"));
    }
    let count = mutants.len();
    let each = mutants.into_iter().enumerate().map(|(number, mutant)| {
        let is_over = limits.of_all.is_some_and(|limit| started.elapsed() >= limit);
        let verdict = if is_over {
            Verdict::NotRun
        } else if let Some(programs) = build(Some(&mutant))? {
            let measured = |program: Program| {
                let time = *times.get(&program.path)?;
                Some(Test { time, ..Test::whole(program) })
            };
            let mut tests: Vec<_> = programs.into_iter().filter_map(measured).collect();
            tests.sort_by_key(|test| test.time);
            verdict("", tests.iter(), limits)?
        } else {
            Verdict::NotBuilt
        };
        println!("{} of {count}: {}: {}", number.saturating_add(1), mutant.name, verdict.name());
        Ok((mutant, verdict))
    });
    each.collect()
}

/// The tests that pass without a mutant and reach one, the quickest first.
fn reaching(built: &Built, limits: &Limits, folder: &Path) -> io::Result<Vec<Test>> {
    let mut tests = Vec::new();
    for program in &built.programs {
        tests.extend(tests_of(program)?);
    }
    let tests: Vec<_> = tests.into_iter().enumerate().collect();
    let ended = spread(limits.jobs, &tests, |(number, test)| {
        let begun = Instant::now();
        let file = folder.join(format!("reached-{number}"));
        let end = test.run("reach", Some(&file), limits.of_a_mutant)?;
        if end != End::Passed {
            println!("left out, {end:?} without a mutant: {}", test.label());
        }
        let lines = fs::read_to_string(&file).unwrap_or_default();
        let reached = lines.lines().filter_map(|line| line.parse().ok()).collect();
        // A test that reaches no mutant writes no file.
        fs::remove_file(&file).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        Ok((end, Test { reached, time: begun.elapsed(), ..test.clone() }))
    })?;
    let is_useful = |(end, test): &(End, Test)| *end == End::Passed && !test.reached.is_empty();
    let mut useful: Vec<_> = ended.into_iter().filter(is_useful).map(|(_, test)| test).collect();
    useful.sort_by_key(|test| test.time);
    if useful.is_empty() {
        return Err(io::Error::other("no test reaches a mutant"));
    }
    Ok(useful)
}

/// The tests of a program. A program without the usual harness is one test.
fn tests_of(program: &Program) -> io::Result<Vec<Test>> {
    let mut command = Command::new(&program.path);
    command.args(["--list", "--format", "terse"]).current_dir(&program.folder);
    let listed = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    let lines = String::from_utf8_lossy(&listed.stdout);
    let names: Option<Vec<_>> = lines.lines().map(|line| line.strip_suffix(": test")).collect();
    let whole = Test::whole(program.clone());
    let one = |name: &str| Test { name: Some(name.to_owned()), ..whole.clone() };
    Ok(match names.filter(|_| listed.status.success()) {
        Some(names) => names.into_iter().map(one).collect(),
        None => vec![whole],
    })
}

fn verdict<'t>(
    mutant: &str,
    tests: impl Iterator<Item = &'t Test>,
    limits: &Limits,
) -> io::Result<Verdict> {
    let begun = Instant::now();
    let (mut ran, mut left) = (0_usize, 0_usize);
    for test in tests {
        if begun.elapsed() > limits.of_a_mutant {
            left = left.saturating_add(1);
            continue;
        }
        let limit = test.time.saturating_mul(4).saturating_add(Duration::from_secs(10));
        match test.run(mutant, None, limit)? {
            End::Passed => ran = ran.saturating_add(1),
            End::Failed => return Ok(Verdict::Caught { by: test.label() }),
            End::TooLate => return Ok(Verdict::TimedOut { by: test.label() }),
        }
    }
    Ok(Verdict::Survived { tests: ran, left })
}

impl Test {
    /// All tests of a program.
    const fn whole(program: Program) -> Self {
        Self { program, name: None, time: Duration::ZERO, reached: BTreeSet::new() }
    }

    /// Program and name.
    fn label(&self) -> String {
        let program = self.program.path.file_stem().unwrap_or_default().to_string_lossy();
        let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name).to_owned();
        self.name.as_ref().map_or(program.clone(), |name| format!("{program} {name}"))
    }

    fn run(&self, mutant: &str, reached: Option<&Path>, limit: Duration) -> io::Result<End> {
        let mut command = Command::new("prlimit");
        command.arg(format!("--as={MEMORY}")).arg(&self.program.path);
        command.args(self.name.as_deref()).args(self.name.as_ref().map(|_| "--exact"));
        command.current_dir(&self.program.folder).env("VARIANT_MUTANT", mutant);
        command.env("PROPTEST_RNG_SEED", "1");
        command.envs(reached.map(|path| ("VARIANT_MUTANTS_REACHED", PathBuf::from(path))));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (mut child, begun) = (command.spawn()?, Instant::now());
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(if status.success() { End::Passed } else { End::Failed });
            }
            if begun.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                return Ok(End::TooLate);
            }
            thread::sleep(pause);
            pause = pause.saturating_mul(2).min(Duration::from_millis(50));
        }
    }
}

impl Verdict {
    /// The verdict in a few words.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Caught { by } => format!("caught by {by}"),
            Self::TimedOut { by } => format!("timed out in {by}"),
            Self::Survived { tests, left: 0 } => format!("survived {tests} tests"),
            Self::Survived { tests, left } => format!("survived {tests} tests, {left} left"),
            Self::NotReached => "not reached by a test".to_owned(),
            Self::NotBuilt => "not in the build".to_owned(),
            Self::NotRun => "not run".to_owned(),
        }
    }
}

/// The results of `work` for all items, by several threads. In the order in which they were ready.
fn spread<I: Sync, T: Send>(
    jobs: usize,
    items: &[I],
    work: impl Fn(&I) -> io::Result<T> + Sync,
) -> io::Result<Vec<T>> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(item);
                    if let Ok(mut results) = results.lock() {
                        results.push(result);
                    }
                }
            });
        }
    });
    results.into_inner().map_err(|error| io::Error::other(error.to_string()))?.into_iter().collect()
}
