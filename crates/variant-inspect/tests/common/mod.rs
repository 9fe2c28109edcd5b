//! Helpers for tests of the command.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The arguments for one value of Godot 4.
pub(crate) const BARE: [&str; 4] = ["--dialect", "godot4", "--framing", "bare"];

pub(crate) fn corpus(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(path)
}

/// Runs the program.
pub(crate) fn inspect(arguments: &[&str], files: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.args(arguments).args(files).output().unwrap()
}

/// A run that has ended: its exit status, and its output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| text(bytes));
        Self { code: output.status.code(), out, err }
    }
}

impl Run {
    /// Standard output, followed by standard error.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}

/// Runs the program, which must print text.
pub(crate) fn run(arguments: &[&str], files: &[&Path]) -> Run {
    inspect(arguments, files).into()
}

#[track_caller]
pub(crate) fn good(arguments: &[&str], files: &[&Path]) -> Run {
    run(arguments, files).expect(0)
}

/// Runs a command that fails with this status. Returns its messages.
#[track_caller]
pub(crate) fn refused(code: i32, arguments: &[&str], files: &[&Path]) -> String {
    run(arguments, files).expect(code).err
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the program with bytes on its standard input.
pub(crate) fn inspect_with(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // An error is ignored: a command that does not read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn framed(values: &[&[u8]]) -> Vec<u8> {
    let frame = |value: &&[u8]| [&words(&[u32::try_from(value.len()).unwrap()]), *value].concat();
    values.iter().flat_map(frame).collect()
}

/// The names of the commands that the help lists.
pub(crate) fn commands() -> Vec<String> {
    let help = text(&inspect(&["--help"], &[]).stdout);
    let list = help.split_once("Arguments:\n").unwrap().0;
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    names.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// A bare file with the value of a literal.
    pub(crate) fn literal(&self, name: &str, text: &str, dialect: &str) -> PathBuf {
        let (path, source) = (self.path(name), self.file("source.txt", text.as_bytes()));
        let how = ["from-text", "--dialect", dialect, "--to-framing", "bare", "-o"];
        good(&how, &[&path, &source]);
        path
    }
}
