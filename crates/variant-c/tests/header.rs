//! The header lists the functions and constants of the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names after `before` in a text.
fn names(text: &str, before: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = text.split(before).skip(1);
    rest.map(|rest| rest.split(|c| !is_part(c)).next().unwrap().to_owned()).collect()
}

#[test]
#[cfg_attr(miri, ignore = "reads the sources")]
fn each_function_and_constant_is_in_the_header() {
    let header = fs::read_to_string(folder().join("include/variant.h")).unwrap();
    let mut sources = String::new();
    // Folders are skipped, since they have only inner modules of the fuzz target.
    for file in fs::read_dir(folder().join("src")).unwrap().map(|file| file.unwrap().path()) {
        if file.is_file() {
            sources += &fs::read_to_string(file).unwrap();
        }
    }
    let functions = names(&sources, "extern \"C\" fn ");
    assert!(functions.len() > 50, "{functions:?}");
    assert!(functions.iter().all(|name| name.starts_with("variant_")));
    for name in &functions {
        assert!(header.contains(&format!("{name}(")), "the header lacks {name}");
    }
    for name in names(&sources, "pub const VARIANT_") {
        let define = format!("#define VARIANT_{name} ");
        assert!(header.contains(&define), "the header lacks VARIANT_{name}");
    }
    // Each exported function has the attribute that keeps its name.
    assert_eq!(sources.matches("#[unsafe(no_mangle)]\n").count(), functions.len());
}

#[test]
fn the_header_has_the_version_of_the_crate() {
    use variant::code::{VARIANT_MAJOR, VARIANT_MINOR, VARIANT_PATCH};
    let version = format!("{VARIANT_MAJOR}.{VARIANT_MINOR}.{VARIANT_PATCH}");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
}
