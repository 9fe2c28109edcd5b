//! The parts of a page of docs/spec.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use variant_testkit::{corpus, markdown};
use variant_view::{Dialect, Kind};

fn folder() -> PathBuf {
    corpus::root().join("../docs/spec")
}

pub(crate) fn page(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

/// A fenced block whose info string begins with `bytes`.
#[derive(Debug)]
pub(crate) struct Example {
    pub(crate) info: String,
    pub(crate) bytes: Vec<u8>,
    /// The bytes of each line, and its note.
    pub(crate) lines: Vec<(Vec<u8>, String)>,
}

pub(crate) fn examples(text: &str) -> Vec<Example> {
    let blocks = markdown::blocks(text);
    let examples = blocks.iter().filter_map(|(info, block)| {
        let info = info.strip_prefix("bytes ")?.to_owned();
        let lines = markdown::noted(block).expect(&info);
        let bytes = lines.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        Some(Example { info, bytes, lines })
    });
    examples.collect()
}

impl Example {
    /// The records with this name. A file may have several.
    pub(crate) fn records(&self) -> Vec<Vec<u8>> {
        let (file, name) = self.info.split_once(' ').unwrap();
        let lines = fs::read_to_string(corpus::root().join(format!("{file}.jsonl"))).expect(file);
        let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let named = records.filter(|record| {
            ["name", "tag", "base"].iter().any(|key| record[key] == name)
                && record["hex"].is_string()
        });
        named.map(|record| corpus::from_hex(record["hex"].as_str().unwrap()).unwrap()).collect()
    }

    /// Whether no engine made the example.
    pub(crate) fn is_made(&self) -> bool {
        self.info == "made"
    }

    pub(crate) fn dialect(&self) -> Dialect {
        if self.is_made() {
            return Dialect::Godot2;
        }
        self.info.split('/').next().unwrap().parse().unwrap()
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        self.dialect().kind(*self.bytes.first()?)
    }
}

/// Each heading, with the text up to the next heading, in the order of the page.
pub(crate) fn sections(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        match line.split_once("# ") {
            Some((level, title)) if !is_code && level.chars().all(|sign| sign == '#') => {
                all.push((title.to_owned(), String::new()));
            }
            _ => {
                if let Some((_, body)) = all.last_mut() {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
    }
    all
}

pub(crate) fn section(text: &str, title: &str) -> String {
    let found = sections(text).into_iter().find(|(own, _)| own == title);
    assert!(found.is_some(), "no section {title}");
    found.unwrap().1
}

/// The cells of each row of the tables of a section. Each table is a list without the row of headings.
pub(crate) fn tables(section: &str) -> Vec<Vec<Vec<String>>> {
    let mut all = vec![Vec::new()];
    for line in section.lines() {
        match line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
            Some(row) if row.chars().all(|sign| "-:|".contains(sign)) => {}
            Some(row) => {
                let cells = row.split('|').map(|cell| cell.trim().to_owned()).collect();
                all.last_mut().unwrap().push(cells);
            }
            None => all.push(Vec::new()),
        }
    }
    all.retain(|table| !table.is_empty());
    all
}

pub(crate) fn table(section: &str, head: &str) -> Vec<Vec<String>> {
    let found = tables(section).into_iter().find(|table| table.first().unwrap().join(" ") == head);
    assert!(found.is_some(), "no table {head} in {section}");
    found.unwrap().split_off(1)
}

/// The number after these words in a note.
pub(crate) fn number_after(note: &str, words: &str) -> Option<f64> {
    let rest = note.split_once(words)?.1;
    let is_digit = |sign: char| sign.is_ascii_digit() || "-.".contains(sign);
    rest.split(|sign| !is_digit(sign)).next()?.trim_end_matches('.').parse().ok()
}
