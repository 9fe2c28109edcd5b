//! Helpers of the command tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of the corpus.
pub(crate) fn corpus(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(path)
}

/// A run of the program.
pub(crate) fn inspect(arguments: &[&str], files: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.args(arguments).args(files).output().unwrap()
}

/// Printed bytes as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
