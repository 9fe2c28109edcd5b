//! Makes small faults in the source of a package, and reports which of them no test finds:
//!
//! ```text
//! cargo run -p variant-testkit --no-default-features --features mutants --bin mutants -- variant-io
//! ```
//!
//! Needs cargo-mutants, which lists the mutants. All of them are compiled into one build of a copy of the workspace, each
//! with a switch that an environment variable sets. For each mutant, the tests that reach its switch run, the quickest
//! first, until one fails. With `--constants`, each mutant of a constant gets a separate build. `target/mutants/PACKAGE.jsonl`
//! gets a line for each mutant.

mod build;
mod list;
mod trial;
mod weave;

use std::fs;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use variant_testkit::workspace;

use crate::list::Mutant;
use crate::trial::Verdict;

/// Makes small faults in the source of a package, and reports which of them no test finds.
#[derive(Debug, Parser)]
struct Options {
    /// The package whose source is changed.
    package: String,
    /// A package whose tests also run.
    #[arg(long)]
    also: Vec<String>,
    /// The number of mutants, drawn by `--seed`. All by default.
    #[arg(long)]
    count: Option<usize>,
    /// The number of drawn mutants that are skipped, so that a later run continues an earlier one.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// The seed of the draw.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only mutants of constants, which no switch selects, each in a separate build.
    #[arg(long)]
    constants: bool,
    /// Only mutants in the lines that this diff changes.
    #[arg(long)]
    in_diff: Option<PathBuf>,
    /// The seconds of tests for one mutant.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// The minutes after which no other mutant is tried.
    #[arg(long)]
    minutes: Option<u64>,
    /// The number of tests that run at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

fn main() -> io::Result<ExitCode> {
    let options = Options::parse();
    let folder = workspace::root().join("target/mutants");
    fs::create_dir_all(&folder)?;
    let mut all = list::mutants(&options.package, options.in_diff.as_deref())?;
    all.retain(|mutant| mutant.has_switch() != options.constants);
    let known = all.len();
    let drawn = list::drawn(all, options.seed, options.skip, options.count);
    println!("{known} mutants of {}, {} drawn", options.package, drawn.len());

    let packages: Vec<_> = [&options.package].into_iter().chain(&options.also).collect();
    let copy = folder.join("workspace");
    let limits = trial::Limits {
        of_a_mutant: Duration::from_secs(options.seconds),
        of_all: options.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60))),
        jobs: options.jobs.max(1),
    };
    let mut results = if drawn.is_empty() {
        Vec::new()
    } else if options.constants {
        trial::run_each(drawn, &limits, |mutant| build::build_one(&copy, &packages, mutant))?
    } else {
        let built = build::build(&copy, &packages, drawn)?;
        println!("{} in the build, {} not", built.mutants.len(), built.left_out.len());
        let mut results = trial::run(&built, &limits, &folder)?;
        results.extend(built.left_out.into_iter().map(|mutant| (mutant, Verdict::NotBuilt)));
        results
    };
    results.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));

    write(&folder.join(format!("{}.jsonl", options.package)), &results)?;
    let explained = explained(&options.package)?;
    Ok(report(&results, &explained))
}

/// Writes a line for each mutant.
fn write(path: &Path, results: &[(Mutant, Verdict)]) -> io::Result<()> {
    let mut out = io::BufWriter::new(fs::File::create(path)?);
    for (mutant, verdict) in results {
        let line = serde_json::json!({ "mutant": mutant.name, "verdict": verdict });
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// The survivors of a package with a reason, in docs/dev/mutants.tsv: file, change and reason in columns.
fn explained(package: &str) -> io::Result<Vec<String>> {
    let file = fs::File::open(workspace::root().join("docs/dev/mutants.tsv"))?;
    let mut found = Vec::new();
    for line in io::BufReader::new(file).lines() {
        let line = line?;
        let mut columns = line.split('\t');
        if let (Some(file), Some(change)) = (columns.next(), columns.next())
            && file.starts_with(&format!("crates/{package}/"))
        {
            found.push(format!("{file}: {change}"));
        }
    }
    Ok(found)
}

/// Prints the counts, and each survivor without a reason. The exit status is 1 if there is one.
fn report(results: &[(Mutant, Verdict)], explained: &[String]) -> ExitCode {
    let count = |is: fn(&Verdict) -> bool| results.iter().filter(|(_, v)| is(v)).count();
    println!(
        "| caught | timed out | survived | not reached by a test | not in the build | not run |"
    );
    println!("|--:|--:|--:|--:|--:|--:|");
    println!(
        "| {} | {} | {} | {} | {} | {} |",
        count(|v| matches!(v, Verdict::Caught { .. })),
        count(|v| matches!(v, Verdict::TimedOut { .. })),
        count(|v| matches!(v, Verdict::Survived { .. })),
        count(|v| matches!(v, Verdict::NotReached)),
        count(|v| matches!(v, Verdict::NotBuilt)),
        count(|v| matches!(v, Verdict::NotRun)),
    );
    let is_alive = |v: &Verdict| matches!(v, Verdict::Survived { .. } | Verdict::NotReached);
    let alive = results.iter().filter(|(_, verdict)| is_alive(verdict));
    let unexplained: Vec<_> = alive.filter(|(m, _)| !explained.contains(&m.change())).collect();
    for (mutant, verdict) in &unexplained {
        println!("{}: {}", mutant.name, verdict.name());
    }
    println!("{} survivors have no reason in docs/dev/mutants.tsv", unexplained.len());
    if unexplained.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
