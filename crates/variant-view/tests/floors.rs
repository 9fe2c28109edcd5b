//! The modules form layers, called floors: each module uses only modules on lower floors.

use std::fs;
use std::path::{Path, PathBuf};

use variant_testkit::corpus;

/// The modules by floor, lowest first: a file and the folder of the same name are one module. A module may use an
/// earlier module on its floor.
const FLOORS: &[&[&str]] = &[
    &["limits", "text", "kind", "element_type", "error", "bytes", "contents", "fold"],
    &["dialect"],
    &["options", "header", "stack"],
    &["layout"],
    &["template", "scan"],
    &["key"],
    &["view"],
    &["walk", "path", "canonical", "validate", "compact", "event", "reader", "serialize"],
    &["document", "tape", "lookup", "owned_document"],
    &["lib"],
];

/// Files with tests only.
const TESTS: &[&str] = &["key/work"];

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = corpus::files_in(&root).unwrap().into_iter();
    let mut files: Vec<_> =
        files.map(|path| (module(&root, &path), fs::read_to_string(&path).unwrap())).collect();
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
            // A name with a capital letter is an item of the crate's root, and not a module.
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
    rooms.position(|known| *known == room).unwrap_or_else(|| panic!("{room} has no floor"))
}

#[test]
fn no_room_uses_one_above_it() {
    for (module, source) in sources() {
        let room = module.split('/').next().unwrap_or_default();
        for other in used(&source) {
            let is_below = other == room || height(&other) < height(room);
            assert!(is_below, "src/{module}.rs uses {other}, which is above {room}");
        }
    }
}
