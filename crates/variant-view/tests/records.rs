//! The engine-made records: the value of every vector, the verdict on every mutant.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop"
)]

use std::path::Path;
use std::thread;

use variant_testkit::conformance::{Outcome, judge};
use variant_testkit::corpus::{self, Case, Precision};
use variant_testkit::defects::Defects;
use variant_view::Dialect;

#[test]
fn every_record() {
    let defects = Defects::of_corpus().unwrap();
    let mut seen = 0;
    for (dialect, path) in corpus::every_record_file() {
        let cases = corpus::read_cases(&path).unwrap();
        seen += cases.len();
        // An emulated machine takes a minute for them, so two threads share the work.
        thread::scope(|scope| {
            for half in cases.chunks(cases.len().div_ceil(2).max(1)) {
                // The oracles recurse, and the records nest thousands of levels deep.
                let thread = thread::Builder::new().stack_size(1 << 30);
                thread.spawn_scoped(scope, || judge_all(dialect, &path, half, &defects)).unwrap();
            }
        });
    }
    assert!(seen > 15_000, "only {seen} records");
}

fn judge_all(dialect: Dialect, path: &Path, cases: &[Case], defects: &Defects) {
    for case in cases {
        // Without an allocator there is no room for two thousand levels.
        if cfg!(not(feature = "alloc")) && case.name.starts_with("nest ") {
            continue;
        }
        let outcome = judge(dialect, Precision::of_file(path), case, defects);
        if let Outcome::Failed(disagreement) = outcome {
            panic!("{}:{} {}\n{disagreement}", path.display(), case.line, case.name);
        }
    }
}
