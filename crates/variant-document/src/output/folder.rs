//! [`OutputFolder`]: a folder as output. It is filled under a temporary name, and renamed when it is complete.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use fs4::fs_std::FileExt as _;
use tempfile::TempDir;

use super::beside::builder;
use super::{OutputError, folder, follow_links};

/// A folder that is being filled. [`OutputFolder::finish`] gives the folder its name. Without a call of this method,
/// the folder is removed.
#[derive(Debug)]
pub struct OutputFolder {
    place: PathBuf,
    existing: Option<Metadata>,
    new: TempDir,
    /// The lock shows other processes that this process is alive.
    _lock: Option<File>,
}

impl OutputFolder {
    /// Begins to fill the folder at `path`, which must be new or empty.
    ///
    /// # Errors
    /// [`OutputError::NotEmpty`], or an error of the system.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let place = follow_links(path)?;
        let existing = match fs::read_dir(&place).map(|mut inside| inside.next().is_some()) {
            Ok(true) => return Err(OutputError::NotEmpty),
            Ok(false) => Some(fs::metadata(&place)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let new = new_folder(folder(&place))?;
        let lock = File::open(new.path()).and_then(|new| new.try_lock_exclusive().map(|_| new));
        Ok(Self { place, existing, new, _lock: lock.ok() })
    }

    /// The temporary folder to fill.
    pub fn path(&self) -> &Path {
        self.new.path()
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    /// The system refuses. Nothing is left of the folder.
    pub fn finish(self) -> io::Result<()> {
        if let Some(existing) = self.existing {
            fs::set_permissions(self.new.path(), existing.permissions())?;
            fs::remove_dir(&self.place)?;
        }
        fs::rename(self.new.path(), &self.place)?;
        // The folder was renamed, so it must not be removed on drop.
        let _ = self.new.keep();
        Ok(())
    }
}

/// A temporary folder, with the default mode of a new folder.
fn new_folder(folder: &Path) -> io::Result<TempDir> {
    builder(|builder| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The system applies the umask to the mode, so the folder gets the default mode.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        builder.tempdir_in(folder)
    })
}
