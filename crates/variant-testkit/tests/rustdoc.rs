//! The front pages of the libraries: what each of them must have.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

const CRATES: [&str; 5] =
    ["variant-view", "variant-owned", "variant-serde", "variant-io", "variant-multiplayer"];

/// The front page of a crate: the lines of `//!` in its `lib.rs`.
fn front_page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src/lib.rs");
    let source = fs::read_to_string(path).unwrap();
    // A fence may depend on features.
    let lines =
        source.lines().filter(|line| line.starts_with("//!") || line.contains("doc = \"```\""));
    lines.fold(String::new(), |page, line| page + line + "\n")
}

#[test]
fn a_front_page_teaches_by_three_programs() {
    for name in CRATES {
        let page = front_page(name);
        assert_eq!(page.matches("```").count(), 6, "{name}: three programs");
        for heading in ["# Which ", "# Features", "# Costs", "# Guides"] {
            assert!(page.contains(heading), "{name}: no {heading:?}");
        }
    }
}

#[test]
fn programs_of_a_front_page_are_whole() {
    for name in CRATES {
        let page = front_page(name);
        let hidden: Vec<&str> = page
            .split("```")
            .skip(1)
            .step_by(2)
            .flat_map(str::lines)
            .filter(|line| line.starts_with("//! # "))
            .filter(|line| !line.starts_with("//! # Ok::<"))
            .collect();
        assert!(hidden.is_empty(), "{name}: only the last line may be hidden: {hidden:?}");
    }
}
