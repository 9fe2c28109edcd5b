//! `check` names offset, path and fault of each damaged file of the corpus.

use std::fs;

use serde::Deserialize;

use crate::common::{corpus, run};

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

fn expected() -> Vec<Expected> {
    serde_json::from_slice(&fs::read(corpus("damaged/expected.json")).unwrap()).unwrap()
}

#[track_caller]
fn assert_reported(damaged: &Expected, arguments: &[&str]) {
    let name = &damaged.file;
    let how = ["check", "--explain", "--profile", &damaged.profile];
    let file = corpus("damaged").join(name);
    let text = run(&[&how[..], arguments].concat(), &[&file]).expect(1).out;
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
        assert_reported(&damaged, &arguments);
    }
}

/// The dialect of a damaged file is detected if enough of the file decodes.
#[test]
fn without_being_told_the_dialect() {
    for damaged in expected() {
        // These two files are too short for detection.
        if !["typed_class.variant", "duplicate_key.variant"].contains(&damaged.file.as_str()) {
            assert_reported(&damaged, &[]);
        }
    }
}
