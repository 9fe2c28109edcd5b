//! The text form compared with the output of engines, byte for byte.

use variant_testkit::conformance::Outcome;
use variant_testkit::texts::{self, Exceptions};

#[test]
fn every_record_prints_as_in_its_engine() {
    let exceptions = Exceptions::of_corpus().unwrap();
    let (mut passed, mut known, mut failed) = (0, 0, Vec::new());
    for (dialect, file) in texts::files() {
        for record in texts::read(&file).unwrap() {
            match texts::judge(dialect, &file, &record, &exceptions) {
                Outcome::Passed => passed += 1,
                Outcome::Known(_) => known += 1,
                Outcome::Failed(disagreement) => {
                    failed.push(format!("{}: {}: {disagreement}", file.display(), record.name));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    // Each exception occurs, and has a documented reason.
    assert_eq!(known, exceptions.cases.len());
    assert!(exceptions.cases.iter().all(|case| exceptions.reasons.contains_key(&case.reason)));
    assert_eq!((passed, known), (3_203, 88));
}
