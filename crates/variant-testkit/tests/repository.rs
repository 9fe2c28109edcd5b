//! What no compiler holds together: scripts, pages, and the code that they are about.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use variant_testkit::{corpus, markdown};
use variant_view::{Dialect, Kind, Width};

fn root() -> PathBuf {
    corpus::root().join("..")
}

/// A file of the repository.
fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[track_caller]
fn assert_says(path: &str, all: &[&str]) {
    let page = page(path);
    for words in all {
        assert!(page.contains(words), "{path}: {words}");
    }
}

/// Fuzz builds have debug assertions, and without the flag they would never see the arms of released builds.
#[test]
fn fuzzing_reaches_the_released_arms() {
    const CFG: &str = "any(not(debug_assertions), variant_released)";
    for source in ["kind.rs", "dialect.rs"] {
        assert_says(&format!("crates/variant-view/src/{source}"), &[CFG]);
    }
    for script in ["fuzz/run", "fuzz/oss-fuzz/build.sh"] {
        assert_says(script, &["--cfg variant_released", "plain) ;;"]);
    }
    // And neither flavour is forgotten: `cargo test` replays the seeds in the plain one.
    assert_says(
        ".ci/fuzz",
        &["for FLAVOUR in ${flavours:-released}; do", "fuzz/oss-fuzz/build.sh"],
    );
}

#[test]
fn what_dependencies_bring_is_told() {
    let crates = ["zstd", "brotli-decompressor", "flate2", "memmap2", "fastlz"];
    let manifest = page("crates/variant-io/Cargo.toml");
    let security = page("SECURITY.md");
    let (_, told) = security.split_once("\n## What dependencies bring").unwrap();
    for name in crates {
        assert!(manifest.contains(&format!("\n{name}")), "{name} is no dependency any more");
        assert!(told.contains(&format!("| {name}")), "{name}");
    }
}

/// A check that could not be made must not look like one that passed.
#[test]
fn what_was_not_checked_is_counted() {
    assert_says(".ci/supply", &["NOT CHECKED", "\"${NOT_CHECKED:-/dev/null}\""]);
    assert_says(".ci/run", &["export NOT_CHECKED", "$(wc -l < \"$NOT_CHECKED\")"]);
}

/// The command names sections by file and anchor: some by name, and one for each kind.
#[test]
fn sections_that_the_command_names_are_there() {
    let source = page("crates/variant-document/src/section.rs");
    let quoted = source.split('"').skip(1).step_by(2).filter(|text| text.contains('#'));
    let (open, mut named): (Vec<_>, Vec<_>) =
        quoted.map(str::to_owned).partition(|text| text.ends_with("#{}"));
    assert!(named.len() > 5 && open == ["docs/spec/format.md#{}"], "{open:?} {named:?}");
    let of_kind = |kind: &Kind| open[0].replace("{}", &kind.name().to_lowercase());
    named.extend(Kind::ALL.iter().map(of_kind));
    for section in named {
        let (file, anchor) = section.split_once('#').unwrap();
        assert!(markdown::anchors(&page(file)).contains(anchor), "{section}");
    }
}

/// What stands in backquotes and ends as files do.
fn files_named(page: &str) -> Vec<&str> {
    let quoted = page.split('`').skip(1).step_by(2);
    let is_file = |name: &&str| {
        let ends = [".rs", ".md", ".json", ".svg"].iter().any(|end| name.ends_with(end));
        ends && name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    };
    quoted.filter(is_file).collect()
}

/// A newcomer is sent to files that are there: paths without a crate are of the view crate's sources.
#[test]
fn the_tour_names_files_of_the_tree() {
    let page = page("docs/architecture.md");
    let named = files_named(&page);
    assert!(named.len() > 60, "{} files are named", named.len());
    let places = ["crates/variant-view/src", "crates", "crates/variant-testkit", "."];
    for name in named {
        let found = places.iter().any(|place| root().join(place).join(name).exists());
        assert!(found, "docs/architecture.md: {name} is not there");
    }
}

/// Its table of floors is the one that the sources are held against.
#[test]
fn the_tour_has_the_floors_of_the_sources() {
    let tour = page("docs/architecture.md");
    let (_, floors) = tour.split_once("| floor | rooms |").unwrap();
    let (floors, _) = floors.split_once("\n\n").unwrap();
    let told = floors.split('`').skip(1).step_by(2).map(str::to_owned);
    let test = page("crates/variant-view/tests/floors.rs");
    let (_, floors) = test.split_once("const FLOORS").unwrap();
    let (floors, _) = floors.split_once("];").unwrap();
    let held = floors.split('"').skip(1).step_by(2).map(str::to_owned);
    assert_eq!(told.collect::<BTreeSet<_>>(), held.collect::<BTreeSet<_>>());
}

/// The files of the worked example of docs/architecture.md, each with the lines around what is added.
fn worked_example(page: &str) -> Vec<(&str, Vec<&str>)> {
    let (_, example) = page.split_once("\n## Worked example: a new math type\n").unwrap();
    let (_, diff) = example.split_once("\n```diff\n").unwrap();
    let (diff, _) = diff.split_once("\n```\n").unwrap();
    let mut files: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in diff.lines() {
        if let Some(file) = line.strip_prefix("+++ b/") {
            files.push((file, Vec::new()));
        } else if let Some(kept) = line.strip_prefix([' ', '-'])
            && let Some((_, lines)) = files.last_mut()
            && !line.starts_with("--- ")
        {
            lines.push(kept);
        }
    }
    files
}

/// Code without comments and tests.
fn code(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn names(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

/// A new mathematical type touches five files, since the one that it is put beside stands in no other.
#[test]
fn a_new_math_type_touches_five_files() {
    let tour = page("docs/architecture.md");
    let example = worked_example(&tour);
    assert!((1..=5).contains(&example.len()), "{} files", example.len());
    for (file, lines) in &example {
        let source = page(file);
        assert!(names(&code(&source), "Plane"), "{file} does not name the neighbour");
        assert!(!lines.is_empty(), "{file}: nothing says where");
        for line in lines {
            assert!(source.lines().any(|found| found == *line), "{file} lacks: {line}");
        }
    }
    for package in ["variant-view", "variant-owned", "variant-io", "variant-inspect"] {
        for path in corpus::files_in(&root().join("crates").join(package).join("src")).unwrap() {
            let place = path.to_string_lossy().replace('\\', "/");
            let is_told = example.iter().any(|(file, _)| place.ends_with(file));
            // Engines that have the type from the start.
            let is_table = place.contains("/variant-view/src/dialect/");
            let source = fs::read_to_string(&path).unwrap_or_default();
            assert!(is_told || is_table || !names(&code(&source), "Plane"), "{place}");
        }
    }
}

/// As many types in each dialect as docs/spec/format.md#type-ids gives ids.
#[test]
fn dialects_have_the_types_of_the_format() {
    let types =
        |dialect: &Dialect| Kind::ALL.iter().filter(|kind| dialect.id(**kind).is_some()).count();
    assert!(Dialect::ALL.iter().map(types).eq([29, 27, 39, 33, 38, 40]));
}

/// The sizes that documentation gives of mathematical types are those of the wire.
#[test]
fn documented_sizes_are_those_of_the_wire() {
    let places =
        ["variant-view/src/kind.rs", "variant-view/src/view.rs", "variant-owned/src/variant.rs"];
    for place in places {
        let source = page(&format!("crates/{place}"));
        let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
        for &kind in Kind::ALL {
            let Some(shape) = kind.shape().filter(|shape| !shape.is_packed) else { continue };
            let [narrow, wide] = [Width::W32, Width::W64].map(|width| shape.bytes(width) + 4);
            let size = if narrow == wide {
                format!(" {narrow} bytes.")
            } else {
                format!(" {narrow} or {wide} bytes.")
            };
            let row = format!("{kind:?}").replace("AABB", "Aabb");
            let is_row = |line: &str| {
                line.strip_prefix(&row).is_some_and(|rest| rest.starts_with([' ', ':', '(']))
            };
            let told = lines.windows(2).any(|pair| {
                matches!(pair, [doc, line] if is_row(line) && doc.starts_with("///") && doc.contains(&size))
            });
            assert!(told, "{place}: {kind} has{size}");
        }
    }
}
