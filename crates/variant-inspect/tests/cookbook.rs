//! The commands in `docs/cookbook.md`, `docs/migrate.md`, `docs/saves-in-ci.md`, `docs/tables.md` and the guides print the text below them.
//!
//! `WRITE_COOKBOOK=1 cargo test -p variant-inspect --test cookbook` rewrites the outputs.

#![cfg(unix)]

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Copies the files that the page's first table lists.
fn lay_out(page: &str, folder: &Path) {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut count = 0;
    for row in rows {
        let (name, rest) = row.split_once('`').unwrap();
        let Some(source) = rest.split('`').nth(1).filter(|path| path.starts_with("corpus/")) else {
            continue;
        };
        let copy = folder.join(name);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(root().join(source), copy).unwrap();
        count += 1;
    }
    assert!(count > 2, "{count} files");
}

/// The output of a shell command, and its exit status unless it is 0.
fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_variant-inspect")).parent().unwrap();
    let path = env::join_paths(
        [program.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .env("VARIANT_INSPECT_CONFIG", "")
        .env_remove("VISUAL")
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    if !output.status.success() {
        let code = output.status.code().unwrap();
        assert!(code < 2, "{command}: {}", String::from_utf8_lossy(&output.stderr));
        writeln!(text, "(exit status {code})").unwrap();
    }
    text
}

#[test]
fn each_command_prints_what_the_page_shows() {
    for (name, least) in [
        ("cookbook", 41),
        ("guides/saves", 14),
        ("guides/migrating", 8),
        ("migrate", 9),
        ("saves-in-ci", 10),
    ] {
        holds(name, least);
    }
}

#[cfg(feature = "table")]
#[test]
fn each_command_of_tables_prints_what_the_page_shows() {
    holds("tables", 9);
}

fn holds(name: &str, least: usize) {
    let path = root().join(format!("docs/{name}.md"));
    let page = fs::read_to_string(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    lay_out(&page, folder.path());
    let (mut true_page, mut is_console, mut commands) = (String::new(), false, 0);
    for line in page.lines() {
        match line.strip_prefix("$ ") {
            Some(command) if is_console => {
                commands += 1;
                writeln!(true_page, "{line}").unwrap();
                true_page.push_str(&run(command, folder.path()));
            }
            _ if is_console && line != "```" => {}
            _ => {
                is_console = line == "```console";
                writeln!(true_page, "{line}").unwrap();
            }
        }
    }
    assert!(commands >= least, "{name}: {commands} commands");
    if env::var_os("WRITE_COOKBOOK").is_some() {
        fs::write(&path, true_page).unwrap();
        return;
    }
    for (shown, printed) in page.lines().zip(true_page.lines()) {
        assert_eq!(shown, printed, "{name}");
    }
    assert_eq!(page.lines().count(), true_page.lines().count());
}
