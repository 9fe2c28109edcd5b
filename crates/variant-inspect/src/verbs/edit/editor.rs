//! [`Editor`]: a text in the user's editor.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, ExitStatus};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::open::name;

/// The prefix of a line with the reason why the editor is open again.
const COMPLAINT: &str = "#! ";

/// A text in the editor that `$VISUAL` or `$EDITOR` names.
#[derive(Debug)]
pub(super) struct Editor {
    command: String,
    /// The temporary file. Only its owner may read it. The file is removed at the end, unless the user's work would be
    /// lost.
    file: Option<NamedTempFile>,
    /// The text in the file when the editor opens.
    opened: String,
    /// Whether the user has changed the text.
    is_changed: bool,
    is_complaint: bool,
}

/// The outcome of an edit.
#[derive(Debug)]
pub(super) enum Ended {
    /// The text is unchanged.
    Same,
    /// The text was opened again because of an error, and the user did not change it.
    GivenUp,
    Changed(String),
}

impl Editor {
    pub(super) fn new(text: &str, extension: &str) -> Result<Self, Failure> {
        let is_set = |name: &&str| env::var(name).is_ok_and(|command| !command.trim().is_empty());
        let command =
            ["VISUAL", "EDITOR"].into_iter().find(is_set).and_then(|name| env::var(name).ok());
        let file = tempfile::Builder::new().prefix("variant-").suffix(extension).tempfile();
        let file = file.map_err(|error| failed("a temporary file", &error))?;
        let editor = Self {
            command: command.unwrap_or_else(|| DEFAULT.to_owned()),
            file: Some(file),
            opened: text.to_owned(),
            is_changed: false,
            is_complaint: false,
        };
        editor.write()?;
        Ok(editor)
    }

    /// Opens the editor, and waits until it ends.
    pub(super) fn open(&mut self) -> Result<Ended, Failure> {
        let Some(file) = &self.file else { return Ok(Ended::GivenUp) };
        let path = file.path().to_owned();
        let status = start(&self.command, &path).map_err(|error| {
            let how = "set $EDITOR to the editor of your choice";
            Failure::io(format!("the editor `{}`: {error}; {how}", self.command))
        })?;
        let text = fs::read_to_string(&path);
        if !status.success() {
            self.is_changed |= text.is_ok_and(|text| text != self.opened);
            let why = format!("the editor `{}` failed: {status}", self.command);
            return Err(Failure::invalid(format!("{why}; nothing is written")));
        }
        let text = text.map_err(|error| {
            self.is_changed = true;
            Failure::invalid(format!("the edited text: {error}"))
        })?;
        if text == self.opened {
            return Ok(if self.is_complaint { Ended::GivenUp } else { Ended::Same });
        }
        self.opened = text;
        self.is_changed = true;
        let is_complaint = |line: &&str| line.starts_with(COMPLAINT.trim_end());
        let said: usize =
            self.opened.split_inclusive('\n').take_while(is_complaint).map(str::len).sum();
        Ok(Ended::Changed(self.opened.get(said..).unwrap_or_default().to_owned()))
    }

    /// Puts an error before the text, for the next opening of the editor.
    pub(super) fn complain(&mut self, error: &str) -> Result<(), Failure> {
        let is_complaint = |line: &&str| line.starts_with(COMPLAINT.trim_end());
        let text: String = self.opened.split_inclusive('\n').skip_while(is_complaint).collect();
        let how = "leave the text as it is to give up; lines before it that start with #! are not a part of it";
        let mut opened = String::new();
        for line in error.lines().chain([how]) {
            opened.push_str(COMPLAINT);
            opened.push_str(line);
            opened.push('\n');
        }
        self.opened = opened + &text;
        self.is_complaint = true;
        self.write()
    }

    /// Keeps the temporary file if the user has changed the text. Returns the end of a message that names the file.
    pub(super) fn keep(&mut self) -> String {
        if !self.is_changed {
            return String::new();
        }
        let kept = self.file.take().and_then(|file| file.into_temp_path().keep().ok());
        kept.map_or_else(String::new, |kept| format!("; the text is kept in {}", name(&kept)))
    }

    /// Replaces the temporary file completely or not at all. Renames a new file to the path, because the editor may
    /// already have replaced the file.
    fn write(&self) -> Result<(), Failure> {
        let Some(file) = &self.file else { return Ok(()) };
        let write = || -> io::Result<()> {
            let folder = file.path().parent().unwrap_or_else(|| Path::new("."));
            let mut new = NamedTempFile::new_in(folder)?;
            new.write_all(self.opened.as_bytes())?;
            new.persist(file.path())?;
            Ok(())
        };
        write().map_err(|error| failed(&name(file.path()), &error))
    }
}

fn failed(what: &str, error: &io::Error) -> Failure {
    Failure::io(format!("{what}: {error}"))
}

#[cfg(unix)]
const DEFAULT: &str = "vi";
#[cfg(not(unix))]
const DEFAULT: &str = "notepad";

/// Runs the editor through the shell, so that the command may have arguments.
#[cfg(unix)]
fn start(command: &str, path: &Path) -> io::Result<ExitStatus> {
    let line = format!("{command} \"$1\"");
    Command::new("sh").args(["-c", &line, "sh"]).arg(path).status()
}

#[cfg(not(unix))]
fn start(command: &str, path: &Path) -> io::Result<ExitStatus> {
    let mut words = command.split_whitespace();
    Command::new(words.next().unwrap_or(DEFAULT)).args(words).arg(path).status()
}
