//! The reference agrees with docs/spec/format.md and with the engines.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;

use variant_testkit::corpus::{self, Case, Precision};
use variant_testkit::defects::Defects;
use variant_testkit::reference::{self, Rules, read, table};
use variant_view::{Dialect, Kind};

fn page(name: &str) -> String {
    fs::read_to_string(corpus::root().join("../docs/spec").join(name)).unwrap()
}

/// The cells of the first table of a section.
fn rows<'d>(document: &'d str, section: &str) -> Vec<Vec<&'d str>> {
    let (_, section) = document.split_once(&format!("\n## {section}\n")).unwrap();
    let table = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = table.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// docs/spec/format.md#type-ids.
#[test]
fn the_table_is_the_document_s() {
    let document = page("format.md");
    let rows = rows(&document, "Type ids");
    let (_, kinds) = rows.split_last().unwrap();
    assert_eq!(kinds.len(), Kind::ALL.len());
    for (row, (kind, ids)) in kinds.iter().zip(table()) {
        let (name, _) = row[0].trim_start_matches('[').split_once(']').unwrap();
        assert!(name.eq_ignore_ascii_case(kind.name()), "{row:?}");
        for ((cell, &id), &dialect) in row[1..].iter().zip(ids).zip(Dialect::ALL) {
            let (number, _) = cell.split_once(' ').unwrap_or((cell, ""));
            assert_eq!(number.parse().ok(), reference::id(dialect, *kind), "{row:?}");
            assert_eq!(number.parse().unwrap_or(u32::MAX), id, "{row:?}");
        }
    }
}

/// docs/spec/writing.md#short-vectors.
#[test]
fn the_short_vectors_read() {
    let document = page("writing.md");
    let mut count = 0;
    for row in rows(&document, "Short vectors") {
        let bytes = corpus::from_hex(&row[2].replace(['`', ' '], "")).unwrap();
        let without = row[1].strip_prefix("all but ").map(|name| name.trim_matches('`'));
        for &dialect in Dialect::ALL {
            let name = format!("{dialect:?}");
            let is_named = row[1] == "all" || row[1].trim_matches('`') == name;
            if is_named || without.is_some_and(|without| without != name) {
                let outcome = read(&bytes, Rules::new(dialect)).outcome;
                assert_eq!(outcome.unwrap().consumed, bytes.len(), "{row:?}");
                count += 1;
            }
        }
    }
    assert!(count > 25, "{count}");
}

/// Verdict and bytes consumed are those of the engines, except for their known defects.
#[test]
fn the_engines_agree() {
    let defects = Defects::of_corpus().unwrap();
    let mut count = 0;
    for (dialect, path) in corpus::record_files() {
        let precision = Precision::of_file(&path);
        for case in corpus::read_cases(&path).unwrap() {
            let is_known = defects.find(dialect, precision, &case).is_some();
            if !is_known {
                let name = format!("{}:{} {}", path.display(), case.line, case.name);
                check_verdict(dialect, &case, &name);
                count += 1;
            }
        }
    }
    assert!(count > 15_000, "{count}");
}

fn check_verdict(dialect: Dialect, case: &Case, name: &str) {
    // 3.2.3 has no limit of depth.
    let depth = if dialect == Dialect::Godot3 { 100_000 } else { 1_024 };
    let rules = Rules { refuse_objects: !case.objects, depth, ..Rules::new(dialect) };
    let outcome = on_a_deep_stack(&case.bytes, rules);
    assert_eq!(outcome.is_ok(), case.accepted, "{name}: {outcome:?}");
    if let (Ok(summary), Some(consumed)) = (outcome, case.consumed) {
        assert_eq!(summary.consumed, consumed.min(case.bytes.len()), "{name}");
    }
}

/// The deepest records have 2,000 levels.
fn on_a_deep_stack(bytes: &[u8], rules: Rules) -> Result<reference::Summary, reference::Error> {
    if bytes.len() < 2_000 {
        return read(bytes, rules).outcome;
    }
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    std::thread::scope(|scope| {
        thread.spawn_scoped(scope, || read(bytes, rules).outcome).unwrap().join().unwrap()
    })
}
