//! Files beside the one that is written. The next run removes the parts that an ended run left. It keeps whole files, because
//! each may be the only copy of its content.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use fs4::fs_std::FileExt as _;
use tempfile::{NamedTempFile, TempPath};

use super::{folder, keep_rights};
use crate::open::name;
use crate::terminal::Terminal;
// The process id follows.
use variant_document::backup::DRAFT as PREFIX;

/// The end of the name of a file that may lack something.
const PART: &str = ".part";
/// The end of the name of a whole file.
const WHOLE: &str = ".whole";

/// A builder of names for parts.
pub(super) fn builder<T>(build: impl FnOnce(&mut tempfile::Builder<'_, '_>) -> T) -> T {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    build(tempfile::Builder::new().prefix(&prefix).suffix(PART))
}

/// A file for a part. A new file has the default mode; a replacement is private until it gets the mode of the old file.
pub(super) fn new_file(folder: &Path, existing: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let file = builder(|builder| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The umask is applied to it.
            let mode = if existing.is_some() { 0o600 } else { 0o666 };
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        #[cfg(not(unix))]
        let _ = existing;
        builder.tempfile_in(folder)
    })?;
    // The lock says that this process is alive. On file systems without locks, nothing is removed.
    let _ = file.as_file().try_lock_exclusive();
    Ok(file)
}

/// Removes the parts of ended processes from a folder, and notes the whole files.
pub(super) fn clean(folder: &Path, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let called = entry.file_name();
        let Some(called) = called.to_str().filter(|called| called.starts_with(PREFIX)) else {
            continue;
        };
        let path = entry.path();
        // Holds the lock until the file is removed, so that no other process claims the file.
        let lock = File::open(&path).ok();
        let Some(_lock) = lock.filter(|file| matches!(file.try_lock_exclusive(), Ok(true))) else {
            continue;
        };
        if called.ends_with(PART) {
            // A part that cannot be removed does no harm.
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        } else if called.ends_with(WHOLE) {
            let what = "a run that was ended left this file, whole; look into it, then remove it";
            terminal.note(&format!("{}: {what}", name(&path)))?;
        }
    }
    Ok(())
}

/// A whole file beside another one. It is removed when it is dropped, and stays if the program is ended.
#[derive(Debug)]
pub(super) struct Aside {
    path: TempPath,
    /// Holds the lock.
    file: File,
}

impl Aside {
    /// Renames a completed part to the name of a whole file.
    pub(super) fn of(part: NamedTempFile) -> io::Result<Self> {
        part.as_file().sync_all()?;
        let mut whole = part.path().as_os_str().to_owned();
        whole.push(WHOLE);
        let file = part.persist_noclobber(&whole)?;
        Ok(Self { path: TempPath::try_from_path(PathBuf::from(whole))?, file })
    }

    /// Copies a file beside it, or to the temporary files if its folder is not writable. Only the owner may read the copy.
    pub(super) fn copy(path: &Path, existing: &Metadata) -> io::Result<Self> {
        Self::copy_to(folder(path), path, existing)
            .or_else(|_: io::Error| Self::copy_to(&std::env::temp_dir(), path, existing))
    }

    /// Copies a file beside it, with its rights.
    pub(super) fn copy_with_rights(path: &Path, existing: &Metadata) -> io::Result<Self> {
        let copy = Self::copy_to(folder(path), path, existing)?;
        // Where owner or group cannot be kept, the copy stays private.
        keep_rights(&copy.file, existing)?;
        Ok(copy)
    }

    fn copy_to(folder: &Path, path: &Path, existing: &Metadata) -> io::Result<Self> {
        let mut copy = new_file(folder, Some(existing))?;
        io::copy(&mut File::open(path)?, &mut copy)?;
        Self::of(copy)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames it, over an older file of that name.
    pub(super) fn rename(self, to: &Path) -> Result<(), (io::Error, Self)> {
        let Self { path, file } = self;
        path.persist(to).map_err(|refused| (refused.error, Self { path: refused.path, file }))
    }

    /// Keeps it, as `wanted` if that name is free, and returns its name.
    pub(super) fn keep_as(self, wanted: &Path) -> PathBuf {
        match self.path.persist_noclobber(wanted) {
            Ok(()) => wanted.to_owned(),
            Err(refused) => kept(refused.path),
        }
    }

    /// Removes it, and returns an error if that fails.
    pub(super) fn remove(self) -> io::Result<()> {
        self.path.close()
    }

    /// Keeps it, and returns its name.
    pub(super) fn keep(self) -> PathBuf {
        kept(self.path)
    }
}

fn kept(path: TempPath) -> PathBuf {
    let name = path.to_path_buf();
    // It fails on Windows only, where the file stays anyhow.
    let _ = path.keep();
    name
}
