//! `docs/json.md` lists the fields of all objects that `--json` prints.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The fields in the first columns of a section's tables.
fn documented(section: &str) -> BTreeSet<String> {
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split(','));
    names.map(|name| name.trim().trim_matches('`').to_owned()).collect()
}

#[test]
fn every_field_is_documented_and_every_documented_one_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/json.md")).unwrap();
    let sections: Vec<_> = page.split("\n## ").skip(1).collect();
    assert!(sections.len() >= 9, "{}", sections.len());
    for section in sections {
        let verb = section.lines().next().unwrap();
        if verb == "table" && !cfg!(feature = "table") {
            continue;
        }
        let mut printed = BTreeSet::new();
        let commands = section.lines().filter_map(|line| line.strip_prefix("    variant-inspect "));
        for command in commands {
            let output = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
                .args(command.split_whitespace())
                .current_dir(&root)
                .output()
                .unwrap();
            assert!(
                output.stdout.len() > 10,
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            for line in String::from_utf8(output.stdout).unwrap().lines() {
                let Ok(Value::Object(fields)) = serde_json::from_str(line) else {
                    panic!("{command}: {line}")
                };
                let is_of_many = ["diff", "schema"].contains(&verb);
                assert!(fields.contains_key("file") || is_of_many, "{command}: {line}");
                printed.extend(fields.into_iter().map(|(name, _)| name));
            }
        }
        assert_eq!(printed, documented(section), "{verb}");
    }
}
