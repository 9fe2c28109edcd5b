//! Temporary files in the folder of the file that is written. An unfinished temporary file is called a part, and a
//! complete one a whole file. The next run removes the parts that an interrupted run left. It keeps the whole files,
//! because each may be the only copy of its content.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use fs4::fs_std::FileExt as _;
use tempfile::{NamedTempFile, TempPath};

use super::{Notes, folder, keep_rights, name};
// In the name of a temporary file, the process id comes after this prefix.
use crate::backup::DRAFT as PREFIX;

/// The suffix of the names of unfinished temporary files.
const PART: &str = ".part";
/// The suffix of the names of complete temporary files.
const WHOLE: &str = ".whole";

/// Builds a temporary file or folder whose name marks it as unfinished.
pub(super) fn builder<T>(build: impl FnOnce(&mut tempfile::Builder<'_, '_>) -> T) -> T {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    build(tempfile::Builder::new().prefix(&prefix).suffix(PART))
}

/// Creates the temporary file that becomes the output, or a copy of the old file. For a new output, it has the default
/// mode. Otherwise it is private until it gets the mode of the old file.
pub(super) fn new_file(folder: &Path, existing: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let file = builder(|builder| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The system applies the umask to the mode, so a new file gets the default mode.
            let mode = if existing.is_some() { 0o600 } else { 0o666 };
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        #[cfg(not(unix))]
        let _ = existing;
        builder.tempfile_in(folder)
    })?;
    // The lock shows other processes that this process is alive. Other processes remove the unfinished files of
    // processes that hold no lock. On file systems without locks, they remove none.
    let _ = file.as_file().try_lock_exclusive();
    Ok(file)
}

/// Cleans up after processes that have ended: removes their unfinished files from a folder, and reports their complete
/// files.
pub(super) fn clean(folder: &Path, notes: Notes<'_>) -> io::Result<()> {
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
            // An error is ignored, because an unfinished file that stays does no harm.
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        } else if called.ends_with(WHOLE) {
            let what = "an interrupted run left this complete file; check it, then remove it";
            notes(&format!("{}: {what}", name(&path)))?;
        }
    }
    Ok(())
}

/// A complete temporary file. It is removed on drop, but stays if the program is killed.
#[derive(Debug)]
pub(super) struct Aside {
    path: TempPath,
    /// The open file, which holds the lock.
    file: File,
}

impl Aside {
    /// Renames a temporary file that is now complete, so that its name marks it as complete.
    pub(super) fn of(part: NamedTempFile) -> io::Result<Self> {
        part.as_file().sync_all()?;
        let mut whole = part.path().as_os_str().to_owned();
        whole.push(WHOLE);
        let file = part.persist_noclobber(&whole)?;
        Ok(Self { path: TempPath::try_from_path(PathBuf::from(whole))?, file })
    }

    /// Copies a file into its folder, or into the folder for temporary files if its folder is not writable. Only the
    /// owner may read the copy.
    pub(super) fn copy(path: &Path, existing: &Metadata) -> io::Result<Self> {
        Self::copy_to(folder(path), path, existing)
            .or_else(|_: io::Error| Self::copy_to(&std::env::temp_dir(), path, existing))
    }

    /// Copies a file to a new file in the same folder, with its owner, group and mode.
    pub(super) fn copy_with_rights(path: &Path, existing: &Metadata) -> io::Result<Self> {
        let copy = Self::copy_to(folder(path), path, existing)?;
        // If owner or group cannot be kept, the copy stays private.
        keep_rights(&copy.file, existing)?;
        Ok(copy)
    }

    fn copy_to(folder: &Path, path: &Path, existing: &Metadata) -> io::Result<Self> {
        let mut copy = new_file(folder, Some(existing))?;
        io::copy(&mut File::open(path)?, &mut copy)?;
        Self::of(copy)
    }

    pub(super) fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the file. An older file with that name is replaced.
    pub(super) fn rename(self, to: &Path) -> Result<(), (io::Error, Self)> {
        let Self { path, file } = self;
        path.persist(to).map_err(|refused| (refused.error, Self { path: refused.path, file }))
    }

    /// Keeps the file under the name `wanted` if that name is free. Returns the name of the file.
    pub(super) fn keep_as(self, wanted: &Path) -> PathBuf {
        match self.path.persist_noclobber(wanted) {
            Ok(()) => wanted.to_owned(),
            Err(refused) => kept(refused.path),
        }
    }

    /// Removes the file. Returns an error if that fails.
    pub(super) fn remove(self) -> io::Result<()> {
        self.path.close()
    }

    /// Keeps the file, and returns its name.
    pub(super) fn keep(self) -> PathBuf {
        kept(self.path)
    }
}

fn kept(path: TempPath) -> PathBuf {
    let name = path.to_path_buf();
    // `keep` fails only on Windows, where the file stays even if `keep` fails.
    let _ = path.keep();
    name
}
