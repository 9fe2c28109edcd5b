//! `audit` and `explain`.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;

use crate::common::{corpus, inspect, text};
use serde_json::Value;

/// `["res://a", <dirty padding>, NaN, 7 in 64 bits, {"k": 1, "k": 2}, text that is not UTF-8]` of Godot 4, and a byte
/// after it.
fn suspicious() -> Vec<u8> {
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let key = [&words(&[4, 1])[..], b"k\0\0\0"].concat();
    [
        &words(&[28, 6])[..],
        &[&words(&[4, 7])[..], b"res://a\0"].concat(),
        &[&words(&[4, 1])[..], b"aSEC"].concat(),
        &words(&[0x1_0003, 0, 0x7ff8_0000]),
        &words(&[0x1_0002, 7, 0]),
        &[&words(&[27, 2])[..], &key, &words(&[2, 1]), &key, &words(&[2, 2])].concat(),
        &[&words(&[4, 1])[..], b"\xff\0\0\0"].concat(),
        b"x",
    ]
    .concat()
}

const GODOT4: [&str; 4] = ["--dialect", "godot4", "--framing", "bare"];

fn findings(arguments: &[&str], bytes: &[u8]) -> (Option<i32>, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, bytes).unwrap();
    let output = inspect(&[&["audit", "--json"], &GODOT4[..], arguments].concat(), &[&file]);
    let lines = text(&output.stdout);
    (output.status.code(), lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn every_finding_is_told() {
    let (status, all) = findings(&[], &suspicious());
    assert_eq!(status, Some(1));
    let told: Vec<_> = all
        .iter()
        .filter_map(|one| {
            Some((one["rule"].as_str()?, one["offset"].as_u64()?, one["path"].as_str()?))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("resource-path", 16, "[0]"),
            ("dirty-padding", 33, "[1]"),
            ("not-a-number", 36, "[2]"),
            ("wide-int", 52, "[3]"),
            ("duplicate-key", 88, "[4]{1:key}"),
            ("invalid-text", 116, "[5]"),
            ("trailing-bytes", 120, ""),
        ]
    );
    let counts = all.last().unwrap();
    assert_eq!(
        (&counts["errors"], &counts["warnings"], &counts["infos"]),
        (&1.into(), &5.into(), &1.into())
    );
}

#[test]
fn the_status_follows_the_severity() {
    let only_padding = [28, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'a', 1, 2, 3];
    assert_eq!(findings(&[], &only_padding).0, Some(0));
    assert_eq!(findings(&["--fail-on", "warning"], &only_padding).0, Some(1));
    assert_eq!(findings(&["--fail-on", "info"], &[0, 0, 0, 0]).0, Some(0));
}

#[test]
fn of_each_rule_some_are_printed_and_all_counted() {
    let many = [&[28, 0, 0, 0, 100, 0, 0, 0][..], &[1, 0, 0, 0, 2, 0, 0, 0].repeat(100)].concat();
    let (_, all) = findings(&["--limit", "3"], &many);
    assert_eq!(all.len(), 4);
    assert_eq!(all[3]["warnings"], 100);
    assert_eq!(all[3]["not_shown"]["bool-value"], 97);
}

#[test]
fn scripts_are_errors() {
    let file = corpus("godot3/saves/objects_full.bin");
    let output = inspect(&["audit"], &[&file]);
    assert!(text(&output.stdout).contains("warning object: frame 1"), "{output:?}");
}

#[test]
fn sarif_has_all_rules_and_results() {
    let file = corpus("damaged/dirty_padding.variant");
    let output = inspect(&["audit", "--sarif"], &[&file]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["ruleId"] == "dirty-padding"), "{document}");
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
    }
}

#[test]
fn each_byte_has_its_part() {
    let file = corpus("godot4/saves/sample3.variant");
    for (at, words) in [
        ("0", "header, type number"),
        ("2", "header, flags"),
        ("4", "count"),
        ("356", "length of the text"),
        ("0x168", "text, byte 1 of"),
        ("388", "element 0"),
    ] {
        let output = inspect(&[&["explain"], &GODOT4[..]].concat(), &[&file, at.as_ref()]);
        assert_eq!(output.status.code(), Some(0), "{at}: {output:?}");
        assert!(text(&output.stdout).contains(words), "{at}: {}", text(&output.stdout));
    }
    let damaged = corpus("damaged/unknown_type.variant");
    let output = inspect(&[&["explain"], &GODOT4[..]].concat(), &[&damaged, "444".as_ref()]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    assert!(told.contains("docs/spec/format.md#header") && told.contains("hint"), "{told}");
}
