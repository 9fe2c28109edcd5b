//! `table`: every format is read back, and bad input is reported.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[cfg(feature = "table")]
#[path = "table/bad_input.rs"]
mod bad_input;
#[cfg(feature = "object-store")]
#[path = "table/buckets.rs"]
mod buckets;
#[cfg(feature = "table")]
#[path = "table/columns.rs"]
mod columns;
#[allow(dead_code, reason = "the helpers of all tests")]
mod common;
#[cfg(feature = "table")]
#[path = "table/formats.rs"]
mod formats;
#[cfg(feature = "table")]
#[path = "table/partitions.rs"]
mod partitions;
#[cfg(feature = "table")]
#[path = "table/streams.rs"]
mod streams;
#[cfg(feature = "table")]
#[path = "table/work.rs"]
mod work;

#[cfg(not(feature = "table"))]
#[test]
fn a_program_without_tables_says_so() {
    let output = common::inspect(&["table", "save.dat", "-o", "save.parquet"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(common::text(&output.stdout), "");
    let told = common::text(&output.stderr);
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("cargo install") && told.contains("--features table"), "{told}");
    let help = common::text(&common::inspect(&["table", "--help"], &[]).stdout);
    assert!(help.contains("--columns <LIST>"), "{help}");
}
