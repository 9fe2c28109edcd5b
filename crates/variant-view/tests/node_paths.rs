//! The text of a node path is the text that the engine prints.

use std::fs;

use serde_json::Value;
use variant_testkit::corpus;
use variant_view::{Document, Kind, Options};

#[test]
fn a_node_path_is_printed_as_the_engine_prints_it() {
    let mut paths = Vec::new();
    for (dialect, file) in corpus::record_files() {
        // The other files have texts that are not UTF-8, which engines print in other ways.
        if !file.to_string_lossy().contains("vectors") {
            continue;
        }
        for line in fs::read_to_string(file).unwrap().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let (Some(hex), Some(text)) = (record["hex"].as_str(), record["text"].as_str()) else {
                continue;
            };
            let Some(printed) = text.strip_prefix("NodePath(\"") else { continue };
            let printed = printed.strip_suffix("\")").unwrap();
            let bytes = corpus::from_hex(hex).unwrap();
            let root = Document::new(&bytes, Options::engine(dialect)).root().unwrap();
            assert_eq!(root.kind(), Kind::NodePath, "{dialect} {text}");
            assert_eq!(root.as_node_path().unwrap().to_string(), printed, "{dialect}");
            paths.push(printed.to_owned());
        }
    }
    for path in ["", "A", "A/B", "A/B:x:y", "/root/A:pos:x"] {
        assert!(paths.iter().filter(|printed| *printed == path).count() > 1, "{path} {paths:?}");
    }
}
