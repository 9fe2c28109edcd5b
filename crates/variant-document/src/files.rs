//! [`select`]: the files that names, folders and patterns select.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::backup::is_kept;

/// The characters that make a name a pattern.
pub const WILD: [char; 3] = ['*', '?', '['];

/// The folders that are replaced by the files below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// No folders: a folder counts as a file, so reading it fails.
    Unopened,
    /// Folders whose own names are given. Patterns select files only.
    Named,
    /// Folders whose own names are given, and folders that a pattern matches.
    Matched,
}

/// The files that a name selects: the file itself, the files below a folder, or the files that match a pattern with
/// `*`, `?`, `[...]` and `**`. `None` for a pattern without a match. The files of a folder or a pattern are sorted. A
/// missing file and an unreadable folder are included: their errors occur when they are read.
///
/// In folders, leaves out old and unfinished files ([`is_kept`]), and adds their number to `kept`.
pub fn select(name: &Path, folders: Folders, kept: &mut u64) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    let pattern = name.to_str().filter(|text| text.contains(WILD) && !name.exists());
    let Some(pattern) = pattern else {
        add(name.to_owned(), folders != Folders::Unopened, &mut files, kept);
        return Some(files);
    };
    for path in glob::glob(pattern).ok()? {
        let path = path.unwrap_or_else(|error| error.path().to_owned());
        if folders != Folders::Named || !path.is_dir() {
            add(path, folders == Folders::Matched, &mut files, kept);
        }
    }
    (!files.is_empty()).then_some(files)
}

/// Adds a file, or the files below a folder. Links to files count as files; links to folders are not followed.
fn add(path: PathBuf, is_opened: bool, files: &mut Vec<PathBuf>, kept: &mut u64) {
    if !is_opened || !path.is_dir() {
        return files.push(path);
    }
    for entry in WalkDir::new(&path).sort_by_file_name() {
        match entry {
            Ok(entry) if is_kept(entry.path(), Path::is_file) => *kept = kept.saturating_add(1),
            Ok(entry) if entry.file_type().is_file() || entry.path().is_file() => {
                files.push(entry.into_path());
            }
            Ok(_) => {}
            Err(error) => files.push(error.path().unwrap_or(&path).to_owned()),
        }
    }
}
