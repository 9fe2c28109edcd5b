//! Help, output and exit status of each command, as in `tests/cmd`.
//!
//! `TRYCMD=overwrite cargo test -p variant-inspect --test golden` writes them anew.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn each_command_prints_what_its_file_shows() {
    let cases = trycmd::TestCases::new();
    cases.env("VARIANT_INSPECT_CONFIG", "").case("tests/cmd/*.trycmd");
}

/// A command without a file would not be tested.
#[test]
fn each_command_has_a_file() {
    let page = trycmd::cargo::cargo_bin("variant-inspect");
    let help = std::process::Command::new(page).arg("--help").output().map(|output| output.stdout);
    let help = String::from_utf8(help.unwrap_or_default()).unwrap_or_default();
    let list = help.split_once("Commands:\n").and_then(|(_, list)| list.split_once("\n\n"));
    let names = list.map_or("", |(list, _)| list).lines();
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: BTreeSet<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 25, "{names:?}");
    for name in names {
        let file = format!("tests/cmd/{name}.trycmd");
        let is_there = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file).exists();
        assert!(name == "help" || is_there, "{file} is missing");
    }
}
