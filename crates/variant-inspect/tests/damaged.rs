//! `validate` names offset, path and fault of each damaged file of the corpus.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::Deserialize;

/// A line of `corpus/damaged/expected.json`.
#[derive(Debug, Deserialize)]
struct Expected {
    file: String,
    dialect: String,
    framing: String,
    profile: String,
    offset: usize,
    path: String,
    error: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/damaged")
}

fn expected() -> Vec<Expected> {
    let text = std::fs::read(folder().join("expected.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn validate(damaged: &Expected, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
        .args(["validate", "--explain", "--profile", &damaged.profile])
        .args(arguments)
        .arg(folder().join(&damaged.file))
        .output()
        .unwrap()
}

#[track_caller]
fn assert_reported(damaged: &Expected, output: &Output) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{}: {text}", damaged.file);
    let name = &damaged.file;
    assert!(text.contains(&damaged.error), "{name}: {text}");
    assert!(text.contains(&format!("at byte {}\n", damaged.offset)), "{name}: {text}");
    assert!(text.contains(&format!("(0x{:x})", damaged.offset)), "{name}: {text}");
    let path = text.lines().find_map(|line| line.strip_prefix("  path      ")).unwrap();
    match path.split_once(" ... ") {
        // A long path is shortened in the middle.
        Some((head, tail)) => {
            let tail = tail.split(" ... ").last().unwrap();
            assert!(
                damaged.path.starts_with(head) && damaged.path.ends_with(tail),
                "{name}: {path}"
            );
            assert!(damaged.path.len() > 200 && path.len() < 250, "{name}: {path}");
        }
        None => assert_eq!(path, damaged.path, "{name}"),
    }
}

#[test]
fn every_damaged_file() {
    let all = expected();
    assert!(all.len() > 10);
    for damaged in all {
        let arguments = ["--dialect", &damaged.dialect, "--framing", &damaged.framing];
        assert_reported(&damaged, &validate(&damaged, &arguments));
    }
}

/// The dialect of a damaged file is detected if enough of it decodes.
#[test]
fn without_being_told_the_dialect() {
    for damaged in expected() {
        // Too short to detect.
        if !["typed_class.variant", "duplicate_key.variant"].contains(&damaged.file.as_str()) {
            assert_reported(&damaged, &validate(&damaged, &[]));
        }
    }
}
