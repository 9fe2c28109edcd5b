//! The source files are on floors: each module uses only modules on lower floors.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use std::fs;
use std::path::{Path, PathBuf};

/// The modules by floor, lowest first: a file and the folder of its name are one module. Modules on one floor may use
/// only those before them.
const FLOORS: &[&[&str]] = &[
    &["limits", "text", "kind", "element_type", "error", "bytes", "contents", "fold"],
    &["dialect"],
    &["options", "header", "stack"],
    &["layout"],
    &["template", "scan"],
    &["key"],
    &["view"],
    &["walk", "path", "canonical", "validate", "compact", "detect", "event", "reader", "serialize"],
    &["document", "tape"],
    &["lib"],
];

/// Files with tests only.
const TESTS: &[&str] = &["key/work"];

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((module(&root, &path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.retain(|(module, _)| !TESTS.contains(&module.as_str()));
    files
}

/// `view/array` of `src/view/array.rs`.
fn module(root: &Path, path: &Path) -> String {
    let module: PathBuf = path.strip_prefix(root).unwrap().with_extension("");
    module.to_str().unwrap().replace('\\', "/")
}

/// The modules that a file names by `crate::`, test code excluded.
fn used(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut lines = code.lines().peekable();
    let mut modules = Vec::new();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            // Skips the one statement that follows.
            lines.next();
            continue;
        }
        let line = line.split("//").next().unwrap_or_default();
        for rest in line.split("crate::").skip(1) {
            let end = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
            let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            // Names with a capital letter come from the root.
            if name.starts_with(|c: char| c.is_ascii_lowercase()) {
                modules.push(name.to_owned());
            }
            assert!(!name.is_empty(), "one room for each `use`: {line}");
        }
    }
    modules
}

fn height(room: &str) -> usize {
    let mut rooms = FLOORS.iter().flat_map(|floor| floor.iter());
    rooms.position(|known| *known == room).unwrap_or_else(|| panic!("{room} stands on no floor"))
}

#[test]
fn no_room_uses_one_above_it() {
    for (module, source) in sources() {
        let room = module.split('/').next().unwrap_or_default();
        for other in used(&source) {
            let is_below = other == room || height(&other) < height(room);
            assert!(is_below, "src/{module}.rs uses {other}, which stands above {room}");
        }
    }
}

/// The files of a module may use their parent and be used by it; among them there are no cycles.
#[test]
fn the_files_of_a_room_do_not_go_in_circles() {
    let sources = sources();
    let modules: Vec<_> = sources.iter().map(|(module, _)| module.as_str()).collect();
    let uses = |from: usize, to: usize| {
        let (Some((module, source)), Some(other)) = (sources.get(from), modules.get(to)) else {
            return false;
        };
        let Some((room, _)) = module.split_once('/') else { return false };
        let Some((other_room, name)) = other.split_once('/') else { return false };
        let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        room == other_room && from != to && code.contains(&format!("super::{name}::"))
    };
    for (start, module) in modules.iter().enumerate() {
        let (mut reached, mut open) = (vec![false; modules.len()], vec![start]);
        while let Some(from) = open.pop() {
            for to in 0..modules.len() {
                if uses(from, to) && !reached.get(to).copied().unwrap_or(true) {
                    reached.iter_mut().skip(to).take(1).for_each(|seen| *seen = true);
                    open.push(to);
                }
            }
        }
        let is_circle = reached.get(start).copied().unwrap_or(false);
        assert!(!is_circle, "src/{module}.rs uses itself by way of others");
    }
}

#[test]
fn files_are_short() {
    for (module, source) in sources() {
        let lines = source.lines().count();
        assert!(lines <= 400, "src/{module}.rs has {lines} lines, more than 400");
    }
}
