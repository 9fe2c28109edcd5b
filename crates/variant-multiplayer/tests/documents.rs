//! The packets and lines that the documentation quotes equal their source: the packets are in the corpus, the lines in
//! the examples.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use variant_testkit::markdown;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The bytes at the start of a line: pairs of digits, each after one space.
fn bytes_of(line: &str) -> String {
    let bytes = line.split("  ").next().unwrap_or_default();
    assert!(bytes.chars().all(|c| c == ' ' || c.is_ascii_hexdigit()), "{line}");
    bytes.replace(' ', "")
}

/// All hexadecimal texts of the records of a file.
fn recorded(name: &str) -> BTreeSet<String> {
    let records = page(&format!("corpus/multiplayer/{name}.jsonl"));
    records.split('"').filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

#[test]
fn packets_of_the_format_are_records() {
    let format = page("docs/spec/multiplayer.md");
    let mut count = 0;
    for (info, block) in markdown::blocks(&format) {
        let Some(name) = info.strip_prefix("text ") else { continue };
        let recorded = recorded(name);
        let bytes = block.lines().map(bytes_of);
        // On the page, each value is on a line, and each packet is in a block.
        let quoted: Vec<String> =
            if name == "compact" { bytes.collect() } else { vec![bytes.collect()] };
        for hex in quoted {
            assert!(recorded.contains(&hex), "{name} has no {hex}: {block}");
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

/// Blocks of `rs` and `gdscript` are parts of the examples. Blocks of `rust` are compiled.
#[test]
fn lines_of_the_guide_are_those_of_the_examples() {
    const EXAMPLES: [&str; 8] = [
        "examples/multiplayer_server.rs",
        "examples/client/main.gd",
        "examples/client/player.gd",
        "examples/client/world.gd",
        "tests/server.rs",
        "examples/multiplayer_load.rs",
        "examples/lobby/main.rs",
        "examples/lobby/web.rs",
    ];
    let texts = EXAMPLES.map(|path| page(&format!("crates/variant-multiplayer/{path}")));
    let guide = page("docs/multiplayer-server.md");
    let mut count = 0;
    for (info, block) in markdown::blocks(&guide) {
        if !["rs", "gdscript"].contains(&info.as_str()) {
            continue;
        }
        assert!(
            texts.iter().any(|text| text.contains(block.trim_end())),
            "no example has:\n{block}"
        );
        count += 1;
    }
    assert!(count > 10, "{count}");
}

#[test]
fn every_bound_is_held_by_a_test() {
    let security = page("SECURITY.md");
    let (_, table) = security.split_once("| grows | bound | held by |\n").unwrap();
    let rows: Vec<&str> = table.lines().skip(1).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 10, "{rows:#?}");
    for row in rows {
        let (_, held) = row.rsplit_once("[`").unwrap_or_else(|| panic!("no test: {row}"));
        let (name, rest) = held.split_once("`](").unwrap();
        let (path, _) = rest.split_once(')').unwrap();
        assert!(page(path).contains(&format!("fn {name}(")), "{path} has no test {name}");
    }
}
