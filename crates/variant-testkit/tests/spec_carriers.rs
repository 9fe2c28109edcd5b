//! The annotated bytes of docs/spec/carriers.md are those of files of the corpus.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;

use serde_json::Value;
use variant_testkit::corpus;

/// A fenced block: what stands behind the fence, and its lines.
fn blocks(page: &str) -> Vec<(Vec<&str>, Vec<&str>)> {
    let mut all: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        if let Some(info) = line.strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                all.push((info.split_whitespace().collect(), Vec::new()));
            }
        } else if is_open {
            all.last_mut().unwrap().1.push(line);
        }
    }
    all
}

/// The bytes of lines: pairs of digits, then two or more spaces, then a note.
fn noted(lines: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        let (digits, note) = line.split_once("  ").unwrap_or_else(|| panic!("no note: {line}"));
        assert!(!digits.is_empty() && !note.trim().is_empty(), "{line}");
        for pair in digits.split(' ') {
            assert!(pair.len() == 2 && pair == pair.to_lowercase(), "{line}");
            bytes.push(u8::from_str_radix(pair, 16).unwrap_or_else(|_| panic!("{line}")));
        }
    }
    bytes
}

fn lines(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(corpus::root().join(path)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn hex(record: &Value) -> Vec<u8> {
    corpus::from_hex(record["hex"].as_str().unwrap()).unwrap()
}

#[test]
fn annotated_bytes_are_of_the_corpus() {
    let page = fs::read_to_string(corpus::root().join("../docs/spec/carriers.md")).unwrap();
    let (mut parts, mut records) = (0, 0);
    for (info, text) in blocks(&page) {
        let found = noted(&text);
        match info[..] {
            ["file", path, offset] => {
                let file = corpus::bytes(path.strip_prefix("corpus/").unwrap()).unwrap();
                let start: usize = offset.parse().unwrap();
                assert_eq!(file[start..start + found.len()], found, "{info:?}");
                parts += 1;
            }
            ["line", path, number] => {
                let number: usize = number.parse().unwrap();
                let all = lines(path.strip_prefix("corpus/").unwrap());
                assert_eq!(hex(&all[number - 1]), found, "{info:?}");
                records += 1;
            }
            ["bytes", path, name] => {
                let all = lines(&format!("{path}.jsonl"));
                let record = all.iter().find(|record| record["name"] == name).unwrap();
                assert_eq!(hex(record), found, "{info:?}");
                records += 1;
            }
            _ => panic!("{info:?}"),
        }
    }
    assert!(parts >= 7 && records >= 6, "{parts} {records}");
}

/// Small files are there whole, to the magic at their end.
#[test]
fn whole_files_are_whole() {
    let page = fs::read_to_string(corpus::root().join("../docs/spec/carriers.md")).unwrap();
    for (info, text) in blocks(&page).iter().filter(|(info, _)| info[0] == "file") {
        let file = corpus::bytes(info[1].strip_prefix("corpus/").unwrap()).unwrap();
        if file.len() <= 64 {
            assert_eq!(noted(text), file, "{info:?}");
        }
    }
}

#[test]
#[should_panic(expected = "no note")]
fn a_line_without_a_note_is_seen() {
    noted(&["00 01"]);
}
