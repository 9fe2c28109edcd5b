//! docs/debugger.md has the rows of [`variant_debugger::messages`], and its examples are frames of the corpus or what the
//! encoder writes. With `WRITE_DEBUGGER=1` the tests write these parts into the page. Notes and prose are written by hand.

mod examples;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares the page with its generated form, part by part.
fn is_current(generate: impl Fn(&str) -> String) {
    const PAGE: &str = "docs/debugger.md";
    // The tests write one after another, so that none overwrites what another wrote.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let page = read(PAGE);
    let generated = generate(&page);
    if std::env::var_os("WRITE_DEBUGGER").is_some() {
        fs::write(root().join(PAGE), &generated).unwrap();
    }
    for (number, (line, wanted)) in page.lines().zip(generated.lines()).enumerate() {
        assert_eq!(line, wanted, "{PAGE}, line {}: WRITE_DEBUGGER=1 writes it", number + 1);
    }
    assert_eq!(page.lines().count(), generated.lines().count(), "WRITE_DEBUGGER=1 writes the page");
}
