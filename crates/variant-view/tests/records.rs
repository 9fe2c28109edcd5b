//! Compares the values of all test vectors, and the verdicts on all mutants, with those that engines recorded.

use std::thread;

use variant_testkit::conformance::{Outcome, judge};
use variant_testkit::corpus::{self, Precision};
use variant_testkit::defects::{self, Defects};

#[test]
fn every_record() {
    // The oracles recurse, and some records have thousands of levels.
    thread::Builder::new().stack_size(1 << 30).spawn(judge_all).unwrap().join().unwrap();
}

fn judge_all() {
    let defects = Defects::of_corpus().unwrap();
    let mut seen = 0;
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            // Two thousand levels do not fit without an allocator.
            if cfg!(not(feature = "alloc")) && case.name.starts_with("nest ") {
                continue;
            }
            let precision = Precision::of_file(&path);
            if let Outcome::Failed(disagreement) = judge(dialect, precision, &case, &defects) {
                let key = defects::key(dialect, precision, &case);
                panic!("{}:{} {} ({key})\n{disagreement}", path.display(), case.line, case.name);
            }
            seen += 1;
        }
    }
    assert!(seen > 15_000, "only {seen} records");
}
