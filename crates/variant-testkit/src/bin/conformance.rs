//! Compares the decoder with engine-made records.
//!
//! ```text
//! cargo run --release -p variant-testkit --bin conformance                     the whole corpus
//! cargo run --release -p variant-testkit --bin conformance -- --dialect godot4 FILE.jsonl...
//! ```

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Parser;
use variant_testkit::conformance::{Outcome, Tally, judge};
use variant_testkit::corpus::{self, Precision};
use variant_testkit::defects::{self, Defects, KnownCase};
use variant_view::Dialect;

/// Compares decoder and encoder with engine-made records: verdict, bytes consumed, value, the bytes written again,
/// and the printed text.
///
/// Prints each disagreement, and last `N passed, M failed`. Known engine defects are counted separately, and so are
/// the texts of `corpus/text-exceptions.json`. The exit status is 1 if anything failed.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The dialect of the records; not needed for the corpus's own files.
    #[arg(long, requires = "files")]
    dialect: Option<Dialect>,

    /// The engine's precision, where the file's name does not say "double".
    #[arg(long)]
    double: bool,

    /// Print disagreements as entries for `corpus/engine-defects.json`, under this reason.
    #[arg(long, value_name = "REASON")]
    as_known: Option<String>,

    /// Files of records; without any, all of the corpus.
    #[arg(requires = "dialect")]
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // The oracles recurse, and the records nest thousands of levels deep.
    let work = thread::Builder::new().stack_size(1 << 30).spawn(move || run(&arguments));
    match work.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(Tally { failed: 0, .. }))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(_))) => ExitCode::FAILURE,
        Ok(Ok(Err(error))) | Err(error) => {
            eprintln!("conformance: {error}");
            ExitCode::from(3)
        }
        Ok(Err(_)) => ExitCode::from(101),
    }
}

fn run(arguments: &Arguments) -> io::Result<Tally> {
    let defects = Defects::of_corpus()?;
    let files = match arguments.dialect {
        Some(dialect) => arguments.files.iter().map(|file| (dialect, file.clone())).collect(),
        None => corpus::every_record_file(),
    };
    let mut out = io::stdout().lock();
    let mut total = Tally::default();
    for (dialect, file) in files {
        #[cfg(feature = "alloc")]
        if variant_testkit::texts::is_texts(&file) {
            judge_texts(dialect, &file, &mut total, &mut out)?;
            continue;
        }
        let precision =
            if arguments.double { Precision::Double } else { Precision::of_file(&file) };
        let mut tally = Tally::default();
        for case in corpus::read_cases(&file)? {
            let outcome = judge(dialect, precision, &case, &defects);
            tally.add(&outcome, &case);
            total.add(&outcome, &case);
            if let Outcome::Failed(disagreement) = outcome {
                match &arguments.as_known {
                    None => writeln!(
                        out,
                        "{}:{}: {}\n{disagreement}",
                        file.display(),
                        case.line,
                        case.name
                    )?,
                    Some(reason) => {
                        let known = KnownCase {
                            key: if disagreement.expected.starts_with("written again") {
                                defects::written_key(dialect, precision, &case)
                            } else {
                                defects::key(dialect, precision, &case)
                            },
                            name: case.name.clone(),
                            reason: reason.clone(),
                            ours: disagreement.found,
                        };
                        writeln!(out, "{}", serde_json::to_string(&known)?)?;
                    }
                }
            }
        }
        let Tally { passed, failed, known, rewritten } = tally;
        writeln!(
            out,
            "{}: {passed} passed, {failed} failed, {known} engine defects, {rewritten} written again",
            file.display()
        )?;
    }
    #[cfg(feature = "alloc")]
    if arguments.dialect.is_none() {
        for (dialect, file) in variant_testkit::texts::files() {
            judge_texts(dialect, &file, &mut total, &mut out)?;
        }
    }
    let Tally { passed, failed, known, rewritten } = total;
    writeln!(out, "written again as by the engine: {rewritten}")?;
    writeln!(out, "engine defects and exceptions: {known}")?;
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(total)
}

/// Compares the printed text with the engine's.
#[cfg(feature = "alloc")]
fn judge_texts(
    dialect: Dialect,
    file: &std::path::Path,
    total: &mut Tally,
    out: &mut impl Write,
) -> io::Result<()> {
    use variant_testkit::texts::{self, Exceptions};

    let exceptions = Exceptions::of_corpus()?;
    let mut tally = Tally::default();
    for record in texts::read(file)? {
        let outcome = texts::judge(dialect, file, &record, &exceptions);
        tally.count(&outcome);
        total.count(&outcome);
        if let Outcome::Failed(disagreement) = outcome {
            writeln!(out, "{}: {}\n{disagreement}", file.display(), record.name)?;
        }
    }
    let Tally { passed, failed, known, .. } = tally;
    writeln!(out, "{}: texts: {passed} passed, {failed} failed, {known} exceptions", file.display())
}
