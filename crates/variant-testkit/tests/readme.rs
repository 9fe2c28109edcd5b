//! The README's claims have evidence: a test of that name, a page that exists.

use std::fs;

use variant_testkit::{corpus, markdown};

fn page(path: &str) -> String {
    fs::read_to_string(corpus::root().join("..").join(path)).unwrap_or_default()
}

/// The links of a cell: the words in backquotes, and the link target.
fn links(cell: &str) -> impl Iterator<Item = (&str, &str)> {
    cell.split("[`").skip(1).map(|rest| {
        let (name, rest) = rest.split_once("`](").unwrap();
        (name, rest.split_once(')').unwrap().0)
    })
}

/// Each row must have a test.
#[test]
fn every_row_of_the_table_is_held_by_a_test() {
    let readme = page("README.md");
    let (_, table) = readme.split_once("| held by |\n").unwrap();
    let rows: Vec<&str> = table.lines().skip(1).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 15, "{rows:#?}");
    for row in rows {
        let held = row.trim_end_matches('|').rsplit('|').next().unwrap();
        let mut count = 0;
        for (name, path) in links(held) {
            let file = page(path);
            let is_there = file.contains(&format!("fn {name}(")) || path == name;
            assert!(!file.is_empty() && is_there, "{path}: {name}");
            count += 1;
        }
        assert!(count > 0, "{row}");
    }
}

/// A code host shows lines that documentation hides.
#[test]
fn no_page_has_hidden_lines() {
    let root = corpus::root().join("..");
    let mut pages = vec![root.join("README.md")];
    pages.extend(corpus::files_in(&root.join("docs")).unwrap());
    for path in pages.iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let blocks = markdown::blocks(&fs::read_to_string(path).unwrap());
        for (_, block) in blocks.iter().filter(|(info, _)| info.starts_with("rust")) {
            let is_hidden = |line: &str| line == "#" || line.starts_with("# ");
            assert!(!block.lines().any(is_hidden), "{}: {block}", path.display());
        }
    }
}
