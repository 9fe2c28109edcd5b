//! [`Files`]: the files that names and patterns select.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use variant_document::backup::is_kept;
use walkdir::WalkDir;

use crate::error::TableError;
use crate::source::{Source, read_at_most};

/// The files that names and patterns select, each once, and remarks on the selection.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Files {
    /// The files, in the order of the names; those of a pattern or a folder are sorted.
    pub sources: Vec<Source>,
    /// Patterns that do not match a file.
    pub unmatched: Vec<String>,
    /// The number of files that were named again; each is read once.
    pub repeated: usize,
    /// The number of old files in folders that are left out, beside their replacements.
    pub kept: u64,
}

impl Files {
    /// Finds files: a name is a file, a folder with all files in it, or a pattern of files with `*`, `?`, `[...]` and
    /// `**`. `-` is standard input, which is read here, up to `max_len` bytes. A missing file is included, so that its
    /// row reports it.
    ///
    /// # Errors
    /// Standard input cannot be read, or is longer.
    pub fn find<T: AsRef<Path>>(
        names: impl IntoIterator<Item = T>,
        max_len: u64,
    ) -> Result<Self, TableError> {
        let mut files = Self::default();
        let mut seen = HashSet::new();
        for name in names {
            let name = name.as_ref();
            if name == Path::new("-") {
                let (text, mut bytes) = ("standard input", Vec::new());
                read_at_most(max_len, io::stdin().lock(), &mut bytes)
                    .map_err(|error| TableError::Io { name: text.to_owned(), error })?;
                files.sources.push(Source::Bytes(text.into(), bytes.into()));
                continue;
            }
            let pattern =
                name.to_str().filter(|text| text.contains(['*', '?', '[']) && !name.exists());
            match pattern {
                None => files.add(name.to_owned(), &mut seen),
                Some(pattern) => {
                    let before = files.sources.len().saturating_add(files.repeated);
                    for path in matches(pattern)? {
                        files.add(path, &mut seen);
                    }
                    if files.sources.len().saturating_add(files.repeated) == before {
                        files.unmatched.push(pattern.to_owned());
                    }
                }
            }
        }
        Ok(files)
    }

    /// Adds a file, or all files of a folder. Links to files are files; links to folders are not followed.
    fn add(&mut self, path: PathBuf, seen: &mut HashSet<PathBuf>) {
        if !path.is_dir() {
            return self.add_file(path, seen);
        }
        for entry in WalkDir::new(&path).sort_by_file_name() {
            match entry {
                Ok(entry) if is_kept(entry.path(), Path::is_file) => {
                    self.kept = self.kept.saturating_add(1);
                }
                Ok(entry) if entry.file_type().is_file() || entry.path().is_file() => {
                    self.add_file(entry.into_path(), seen);
                }
                Ok(_) => {}
                // An unreadable folder becomes a row that reports it.
                Err(error) => self.add_file(error.path().unwrap_or(&path).to_owned(), seen),
            }
        }
    }

    fn add_file(&mut self, path: PathBuf, seen: &mut HashSet<PathBuf>) {
        if seen.insert(path.clone()) {
            self.sources.push(Source::Path(path));
        } else {
            self.repeated = self.repeated.saturating_add(1);
        }
    }
}

/// The files that a pattern matches, sorted. Includes unreadable paths, but not folders.
fn matches(pattern: &str) -> Result<Vec<PathBuf>, TableError> {
    let found = glob::glob(pattern).map_err(|error| TableError::Io {
        name: pattern.to_owned(),
        error: io::Error::new(io::ErrorKind::InvalidInput, error),
    })?;
    let path = |found: Result<PathBuf, glob::GlobError>| {
        found.unwrap_or_else(|error| error.path().to_owned())
    };
    Ok(found.map(path).filter(|path| !path.is_dir()).collect())
}
