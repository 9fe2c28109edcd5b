//! Counts the types whose records the only other Rust crate for this format reads. The README's table has the number.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::panic;

use godot_binary_serialization::decoder::Decoder;
use variant_testkit::corpus;
use variant_view::{Dialect, Document};

/// The records of each type, without objects in full.
fn records() -> BTreeMap<String, Vec<Vec<u8>>> {
    let file = corpus::root().join("godot4/single.vectors.jsonl");
    let mut types: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let is_deep = record["name"].as_str().unwrap().starts_with("deep_");
        if record["dec"] == "ok" && record["full"] == false && !is_deep {
            let name = record["type_name"].as_str().unwrap().to_owned();
            let bytes = corpus::from_hex(record["hex"].as_str().unwrap()).unwrap();
            types.entry(name).or_default().push(bytes);
        }
    }
    types
}

fn read_by(is_read: impl Fn(&[u8]) -> bool) -> Vec<String> {
    let whole = records().into_iter().filter(|(_, all)| all.iter().all(|bytes| is_read(bytes)));
    whole.map(|(name, _)| name).collect()
}

#[test]
fn ours_reads_every_type() {
    let ours = read_by(|bytes| {
        let summary = Document::new(bytes, Dialect::Godot4).validate();
        summary.is_ok_and(|summary| summary.consumed == bytes.len())
    });
    assert_eq!(ours.len(), 39, "{ours:?}");
}

#[test]
fn the_other_reads_seven_types_whole() {
    let others = read_by(|bytes| Decoder::decode_variant(bytes).is_ok());
    let seven = ["Nil", "String", "Vector2", "Vector3", "bool", "float", "int"];
    assert_eq!(others, seven, "the README says so");
}

#[test]
fn the_other_panics_on_one_byte() {
    let panicked = panic::catch_unwind(|| Decoder::decode_variant(&[4]).is_ok());
    assert!(panicked.is_err(), "the README says so");
    assert!(Document::new(&[4], Dialect::Godot4).validate().is_err());
}
