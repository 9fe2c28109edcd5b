//! `--no-mmap`: a file that shrinks while it is read.

#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// SIGBUS, the signal for access to a removed page of a mapping.
const SIGBUS: i32 = 7;

/// Runs the program on a file much larger than a pipe's buffer. Truncates the file after the first output, and reads
/// the rest of the output.
fn inspect_while_cutting(file: &Path, arguments: &[&str]) -> (ExitStatus, usize) {
    let save =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/godot4/saves/save_10k.variant");
    fs::copy(save, file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.args(["tree", "--dialect", "godot4", "--framing", "bare"]).args(arguments).arg(file);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 1]).unwrap();
    OpenOptions::new().write(true).open(file).unwrap().set_len(8).unwrap();
    let printed = out.read_to_end(&mut Vec::new()).unwrap();
    (child.wait().unwrap(), printed)
}

#[test]
fn a_mapped_file_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let (status, _) = inspect_while_cutting(&folder.path().join("save"), &[]);
    assert_eq!(status.signal(), Some(SIGBUS), "{status}");
}

#[test]
fn a_file_that_was_read_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let (status, printed) = inspect_while_cutting(&folder.path().join("save"), &["--no-mmap"]);
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(printed > 1_000_000, "{printed} bytes");
}
