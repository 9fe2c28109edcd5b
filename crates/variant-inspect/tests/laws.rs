//! Checks laws of the commands with files. The files are the files of values in the corpus, generated files of every
//! dialect, and the files below the folder that `VARIANT_SAMPLES` names.
//!
//! `cargo test -p variant-inspect --test laws -- --nocapture` prints the number of checks of each law. The tests
//! try only a few changes of each file, and use only some of the corpus's records, and leave out the longest files.
//! `VARIANT_RECORDS=all` uses all files and records.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[path = "laws/bench.rs"]
mod bench;
#[path = "laws/comes_back.rs"]
mod comes_back;
#[path = "laws/differences.rs"]
mod differences;
#[path = "laws/edits.rs"]
mod edits;
#[path = "laws/samples.rs"]
mod samples;

use std::collections::HashSet;

use bench::Bench;
use samples::{Sample, samples};

/// Checks a law with all samples. `check` returns the number of its checks.
fn hold(law: &str, least: usize, check: impl Fn(&Bench, &Sample) -> Result<usize, String>) {
    hold_for(samples(), law, least, check);
}

/// Checks a law that does not depend on layers. Of samples that differ only in their layers, one is used.
fn hold_inside(law: &str, least: usize, check: impl Fn(&Bench, &Sample) -> Result<usize, String>) {
    let mut seen = HashSet::new();
    let samples = samples().iter().filter(|sample| seen.insert(sample.inside()));
    hold_for(samples, law, least, check);
}

fn hold_for<'s>(
    samples: impl IntoIterator<Item = &'s Sample>,
    law: &str,
    least: usize,
    check: impl Fn(&Bench, &Sample) -> Result<usize, String>,
) {
    let (bench, mut held, mut broken) = (Bench::new(), 0, Vec::new());
    for sample in samples {
        match check(&bench, sample) {
            Ok(count) => held += count,
            Err(why) => broken.push(format!("{}: {why}", sample.name)),
        }
    }
    println!("{law}: held {held} times");
    let first = &broken[..broken.len().min(60)];
    assert!(broken.is_empty(), "{law}: broken by {}:\n{}", broken.len(), first.join("\n"));
    assert!(held >= least, "{law}: held {held} times");
}
