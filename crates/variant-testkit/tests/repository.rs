//! Checks facts that a compiler does not check: scripts, pages and code agree. For example, each claim of the README
//! names an existing test or page.

use std::fs;
use std::path::PathBuf;

use variant_testkit::{corpus, markdown};

fn root() -> PathBuf {
    corpus::root().join("..")
}

/// A file of the repository.
fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_page_lists_each_dependency_that_unpacks() {
    let crates = ["zstd", "brotli-decompressor", "flate2", "memmap2", "fastlz"];
    let manifest = page("crates/variant-io/Cargo.toml");
    let security = page("SECURITY.md");
    let (_, listed) = security.split_once("\n## What dependencies bring").unwrap();
    for name in crates {
        assert!(manifest.contains(&format!("\n{name}")), "{name} is not a dependency");
        assert!(listed.contains(&format!("| {name}")), "{name}");
    }
}

#[test]
fn each_file_of_tests_is_run() {
    let stem = |path: &PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let folder = folder.unwrap().path();
        let Ok(all) = fs::read_to_string(folder.join("tests/all.rs")) else { continue };
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let files = fs::read_dir(folder.join("tests")).unwrap().map(|file| file.unwrap().path());
        for file in files.filter(|path| path.extension().is_some_and(|end| end == "rs")) {
            let name = stem(&file).unwrap();
            let is_run = all.contains(&format!("\nmod {name};"))
                || manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            assert!(is_run, "{} is not in tests/all.rs", file.display());
        }
    }
}

/// A filter of tests by module must name an existing module. Otherwise no test would run.
#[test]
fn modules_that_scripts_run_are_there() {
    let crates = ["view", "owned", "serde", "multiplayer", "c"];
    let all = crates.map(|name| page(&format!("crates/variant-{name}/tests/all.rs")));
    for script in [".ci/machines", ".ci/miri", ".ci/unoptimised"] {
        let script = page(script);
        let words = script.split(|c: char| c.is_whitespace() || c == ';');
        for (module, _) in words.filter_map(|word| word.split_once("::")) {
            let named = format!("\nmod {module};");
            assert!(all.iter().any(|all| all.contains(&named)), "{module}");
        }
    }
}

/// The words in backquotes that end like file names.
fn files_named(page: &str) -> Vec<&str> {
    let quoted = page.split('`').skip(1).step_by(2);
    let is_file = |name: &&str| {
        let ends = [".rs", ".md", ".json", ".svg"].iter().any(|end| name.ends_with(end));
        ends && name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    };
    quoted.filter(is_file).collect()
}

/// The file names in a page for newcomers exist. Paths without a crate are in the view crate's sources.
#[test]
fn the_tour_names_files_of_the_tree() {
    let page = page("docs/dev/architecture.md");
    let places = ["crates/variant-view/src", "crates", "crates/variant-testkit", "."];
    for name in files_named(&page) {
        let found = places.iter().any(|place| root().join(place).join(name).exists());
        assert!(found, "docs/dev/architecture.md: {name} is not there");
    }
}

/// The links of a cell: the words in backquotes, and the link target.
fn links(cell: &str) -> impl Iterator<Item = (&str, &str)> {
    cell.split("[`").skip(1).map(|rest| {
        let (name, rest) = rest.split_once("`](").unwrap();
        (name, rest.split_once(')').unwrap().0)
    })
}

#[test]
fn every_row_of_the_table_is_held_by_a_test() {
    let readme = page("README.md");
    let (_, table) = readme.split_once("| checked by |\n").unwrap();
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

/// The pages have no hidden lines of doctests, because a code host shows the lines that rustdoc hides.
#[test]
fn no_page_has_hidden_lines() {
    let mut pages = vec![root().join("README.md")];
    pages.extend(corpus::files_in(&root().join("docs")).unwrap());
    for path in pages.iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let blocks = markdown::blocks(&fs::read_to_string(path).unwrap());
        for (_, block) in blocks.iter().filter(|(info, _)| info.starts_with("rust")) {
            let is_hidden = |line: &str| line == "#" || line.starts_with("# ");
            assert!(!block.lines().any(is_hidden), "{}: {block}", path.display());
        }
    }
}
