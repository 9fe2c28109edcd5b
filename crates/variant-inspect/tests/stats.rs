//! `stats` counts every byte and value once. For hostile files, time and memory are bounded.

use std::path::Path;

use crate::common::{Folder, corpus, good, inspect, run, words};
use serde_json::Value;

#[track_caller]
fn stats(arguments: &[&str], file: &Path) -> Value {
    let stats = good(&[&["stats", "--json"], arguments].concat(), &[file]).out;
    serde_json::from_str(&stats).unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn bytes_and_values_are_counted_once() {
    for (file, dialect) in [
        ("godot3/saves/rpg_save.bin", "godot3"),
        ("godot3/containers/gcpf_zstd_save.bin", "godot3"),
        ("godot4/saves/sample3.variant", "godot4"),
        ("pandemonium5/saves/project.binary", "pandemonium5"),
    ] {
        let path = corpus(file);
        if !path.exists() {
            continue;
        }
        let found = stats(&["--dialect", dialect], &path);
        let valid = inspect(&["check", "--json", "--dialect", dialect], &[&path]);
        let valid: Value = serde_json::from_slice(&valid.stdout).unwrap();
        for field in ["frames", "values", "depth", "bytes", "framing"] {
            assert_eq!(found[field], valid[field], "{file}: {field}");
        }
        let sum = |field: &str| -> u64 {
            found["kinds"].as_object().unwrap().values().map(|kind| number(&kind[field])).sum()
        };
        assert_eq!(
            (sum("values"), sum("bytes")),
            (number(&found["values"]), number(&found["bytes"]))
        );
        let root = &found["paths"][0];
        assert_eq!((root["path"].as_str(), &root["bytes"]), (Some("(root)"), &found["bytes"]));
    }
}

#[test]
fn the_largest_are_found_with_their_paths() {
    let folder = Folder::new();
    let value = r#"{"a": [{"x": "short"}, {"x": "a longer text"}], "b": PackedInt32Array(1, 2, 3), "c": [[], [[1]]]}"#;
    let file = folder.literal("save", value, "godot4");
    let found = stats(&["--dialect", "godot4", "--depth", "9"], &file);
    assert_eq!(found["texts"][0]["path"], "a[1].x");
    assert_eq!(found["packed"][0]["path"], "b");
    assert_eq!(found["containers"][0]["path"], "(root)");
    assert_eq!(found["containers"][0]["items"], 3);
    let paths: Vec<_> = found["paths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["path"].as_str().unwrap())
        .collect();
    for path in ["(root)", "a", "a[*]", "a[*].x", "b", "c", "c[*]", "c[*][*]", "c[*][*][*]"] {
        assert!(paths.contains(&path), "{path}: {paths:?}");
    }
    assert_eq!(found["beyond"], Value::Array(Vec::new()));
}

#[test]
fn limits_that_are_exceeded_are_named() {
    let folder = Folder::new();
    for (levels, engines) in [(1_025, true), (1_000, false), (100, false)] {
        let file = folder.file("deep", &[words(&[28, 1]).repeat(levels), words(&[0])].concat());
        let found = stats(&["--dialect", "godot4", "--framing", "bare"], &file);
        let beyond = found["beyond"].as_array().unwrap();
        let of = |who: &str| beyond.iter().any(|one| one["of"] == who && one["what"] == "depth");
        assert_eq!(
            (of("Godot 4"), of("Limits::SERVER")),
            (engines, levels > 128),
            "{levels}: {found}"
        );
    }
}

/// A hundred thousand keys give each value a separate path. Some keys are long.
#[test]
fn hostile_paths_are_bounded() {
    let folder = Folder::new();
    let mut bytes = words(&[27, 100_000]);
    for number in 0..100_000_u32 {
        let name = format!("{number:0width$}", width = if number % 1_000 == 0 { 1_000 } else { 8 });
        bytes.extend(words(&[4, u32::try_from(name.len()).unwrap()]));
        bytes.extend(name.as_bytes());
        bytes.extend(words(&[0]));
    }
    let arguments = ["stats", "--dialect", "godot4", "--framing", "bare"];
    let told = good(&arguments, &[&folder.file("many", &bytes)]).out;
    assert!(told.len() < 10_000 && told.contains("too many paths"), "{told}");
    // Damage ends the statistics with a report.
    let run = run(&arguments, &[&folder.file("many", &bytes[..500_000])]).expect(1);
    assert!(run.out.is_empty() && run.err.contains("invalid"), "{}", run.err);
}

#[test]
fn several_files_are_summed_up_in_order() {
    let folder = corpus("godot4/saves");
    let told = run(&["stats", "--dialect", "godot4", "-r"], &[&folder]).out;
    let last = told.lines().last().unwrap();
    assert!(last.contains(" files: ") && last.ends_with(" bytes"), "{last}");
    assert_eq!(run(&["stats", "--dialect", "godot4", "-r", "-j", "1"], &[&folder]).out, told);
}
