//! Tests of `audit` and `explain`, the names of `check --all` and `hex --offset` in earlier versions.

use crate::common::{BARE, Folder, corpus, good, run, words};
use serde_json::Value;

/// `["res://a", <dirty padding>, NaN, 7 in 64 bits, {"k": 1, "k": 2}, text that is not UTF-8]` of Godot 4, and one more
/// byte.
fn suspicious() -> Vec<u8> {
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

fn findings(arguments: &[&str], bytes: &[u8]) -> (Option<i32>, Vec<Value>) {
    let folder = Folder::new();
    let arguments = [&["audit", "--json"], &BARE[..], arguments].concat();
    let run = run(&arguments, &[&folder.file("file", bytes)]);
    (run.code, run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
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
    let only_padding = words(&[28, 1, 4, 1, u32::from_le_bytes([b'a', 1, 2, 3])]);
    assert_eq!(findings(&[], &only_padding).0, Some(0));
    assert_eq!(findings(&["--fail-on", "warning"], &only_padding).0, Some(1));
    assert_eq!(findings(&["--fail-on", "info"], &[0, 0, 0, 0]).0, Some(0));
}

#[test]
fn of_each_rule_some_are_printed_and_all_counted() {
    let many = [words(&[28, 100]), words(&[1, 2]).repeat(100)].concat();
    let (_, all) = findings(&["--limit", "3"], &many);
    assert_eq!(all.len(), 4);
    assert_eq!(all[3]["warnings"], 100);
    assert_eq!(all[3]["not_shown"]["bool-value"], 97);
}

#[test]
fn scripts_are_errors() {
    let file = corpus("godot3/saves/objects_full.bin");
    let told = run(&["audit"], &[&file]).out;
    assert!(told.contains("warning object: frame 1"), "{told}");
}

#[test]
fn sarif_has_all_rules_and_results() {
    let file = corpus("damaged/dirty_padding.variant");
    let document: Value = serde_json::from_str(&run(&["audit", "--sarif"], &[&file]).out).unwrap();
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
        let told = good(&[&["explain"], &BARE[..]].concat(), &[&file, at.as_ref()]).out;
        assert!(told.contains(words), "{at}: {told}");
    }
    let damaged = corpus("damaged/unknown_type.variant");
    let explain = run(&[&["explain"], &BARE[..]].concat(), &[&damaged, "444".as_ref()]);
    let told = explain.expect(1).out;
    assert!(told.contains("docs/spec/format.md#header") && told.contains("hint"), "{told}");
}
