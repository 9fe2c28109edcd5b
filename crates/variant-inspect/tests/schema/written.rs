//! The modules that are compiled and type-checked are those that `schema` writes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{BARE, Folder, corpus, good, run};

/// Compares a file of the repository with a module that was written. With `TRYCMD=overwrite`, the file becomes that
/// module.
#[track_caller]
pub(super) fn check(path: &Path, written: &str) {
    if std::env::var_os("TRYCMD").is_some_and(|how| how == "overwrite") {
        fs::write(path, written).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert!(written == expected, "{} is not what schema writes", path.display());
}

/// The saves of the corpus that have values, without the folder of the corpus.
pub(super) fn corpus_saves() -> Vec<String> {
    let mut saves = Vec::new();
    for dialect in ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"] {
        for entry in fs::read_dir(corpus(dialect).join("saves")).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            // An empty file, and one whose values are among other data.
            let has_values = !["empty.bin", "mixed.bin"].contains(&file.as_str());
            if has_values && Path::new(&file).extension().is_none_or(|of| of != "json") {
                saves.push(format!("{dialect}/saves/{file}"));
            }
        }
    }
    saves
}

/// Two saves of one shape with values of every kind.
pub(super) fn kind_files(folder: &Folder) -> (PathBuf, PathBuf) {
    let one = folder.literal("one", include_str!("kinds/one.txt"), "godot4");
    (one, folder.literal("two", include_str!("kinds/two.txt"), "godot4"))
}

/// The module for these saves.
pub(super) fn kinds(folder: &Folder, form: &str) -> String {
    let (one, two) = kind_files(folder);
    good(&[&["schema", form], &BARE[..]].concat(), &[&one, &two]).out
}

/// `crates/variant-wasm/test/package.test.js` and `.ci/python` check these modules.
#[test]
fn the_modules_that_are_type_checked_are_those_that_are_written() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = Folder::new();
    for (form, place, extension) in [
        ("--typescript", "variant-wasm/test/types", "ts"),
        ("--python", "variant-python/tests/saves", "py"),
    ] {
        let module = |name: &str| crates.join(place).join(name).with_extension(extension);
        check(&module("kinds"), &kinds(&folder, form));
        let save = corpus("godot3/saves/rpg_save.bin");
        check(&module("rpg_save"), &run(&["schema", form, "--dialect", "godot3"], &[&save]).out);
    }
}
