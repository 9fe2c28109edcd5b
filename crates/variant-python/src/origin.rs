//! [`Origin`]: the file of the system whose bytes were read. Changed bytes replace it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use variant_document::output::{Output, OutputError, Replacement, Stamp, replace};

/// A file of the system, as it was when it was read.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    path: PathBuf,
    /// The stamp before the bytes were read; `None` if the path is not that of a regular file.
    stamp: Option<Stamp>,
}

impl Origin {
    /// The file at a path. Call it before the bytes are read, so that a later change of the file is noticed.
    pub(crate) fn of(path: &Path) -> Self {
        // The program may change its working folder before it saves.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { stamp: Stamp::of(&path), path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a path leads to this file.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let [own, other] = [&self.path, path].map(|path| path.canonicalize().ok());
        own.is_some() && own == other
    }

    /// Replaces the file. Refuses if another program changed it since it was read.
    pub(crate) fn replace(
        &mut self,
        bytes: &[u8],
        keeps_old: bool,
        notes: &mut Vec<String>,
    ) -> Result<(), OutputError> {
        if self.stamp.is_none() {
            let why = "this is not a regular file; name another path";
            return Err(OutputError::Message(format!("{}: {why}", self.path.display())));
        }
        let how = Replacement { was: self.stamp, keeps_old, is_in_place: false };
        let replaced = replace(&self.path, bytes, &how, &mut note(notes))?;
        self.stamp = Some(replaced.stamp);
        Ok(())
    }
}

/// Writes another file.
pub(crate) fn write(path: &Path, bytes: &[u8], notes: &mut Vec<String>) -> Result<(), OutputError> {
    // `Output` writes the path `-` to standard output. Here it is the name of a file.
    let path = std::path::absolute(path)?;
    let mut output = Output::create(&path, &mut note(notes))?;
    output.write_all(bytes)?;
    output.finish(&mut note(notes))
}

fn note(notes: &mut Vec<String>) -> impl FnMut(&str) -> std::io::Result<()> {
    |line| {
        notes.push(line.to_owned());
        Ok(())
    }
}
