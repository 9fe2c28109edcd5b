//! Compares help, output and exit status of each command with the files in `tests/cmd`.
//!
//! `TRYCMD=overwrite cargo test -p variant-inspect --test golden` rewrites the files.

#![cfg(unix)]

use std::path::Path;

use crate::common::commands;

#[test]
fn each_command_prints_what_its_file_shows() {
    let cases = trycmd::TestCases::new();
    cases.env("VARIANT_INSPECT_CONFIG", "").case("tests/cmd/*.trycmd");
}

#[test]
fn each_command_has_a_file() {
    let names = commands();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let file = format!("tests/cmd/{name}.trycmd");
        let is_there = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file).exists();
        assert!(is_there, "{file} is missing");
    }
}
