//! A folder as output: filled beside its place, and renamed when it is complete.

use std::fs;
use std::io;
use std::path::Path;

use fs4::fs_std::FileExt as _;

use super::beside::builder;
use super::{cannot_write, folder, follow_links};
use crate::failure::{Failure, Status};
use crate::open::name;

/// Writes the folder at `path`, which must be new or empty. `make` fills a temporary folder. Leaves nothing if it fails.
pub(crate) fn write_folder<R>(
    path: &Path,
    make: impl FnOnce(&Path) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let cannot_write = |error: io::Error| cannot_write(path, &error);
    let place = follow_links(path).map_err(cannot_write)?;
    let existing = match fs::read_dir(&place).map(|mut inside| inside.next().is_some()) {
        Ok(true) => {
            let message =
                format!("{}: is not empty; name a new folder, or an empty one", name(path));
            return Err(Failure::file(Status::Usage, message));
        }
        Ok(false) => Some(fs::metadata(&place).map_err(cannot_write)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(cannot_write(error)),
    };
    let new = new_folder(folder(&place)).map_err(cannot_write)?;
    // The lock says that this process is alive, as for files.
    let _lock = fs::File::open(new.path()).and_then(|new| new.try_lock_exclusive().map(|_| new));
    let filled = make(new.path())?;
    let put = || {
        if let Some(existing) = existing {
            fs::set_permissions(new.path(), existing.permissions())?;
            fs::remove_dir(&place)?;
        }
        fs::rename(new.path(), &place)
    };
    put().map_err(cannot_write)?;
    // It has another name now.
    let _ = new.keep();
    Ok(filled)
}

/// A temporary folder, with the default mode for a new one.
fn new_folder(folder: &Path) -> io::Result<tempfile::TempDir> {
    builder(|builder| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The umask is applied to it.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        builder.tempdir_in(folder)
    })
}
