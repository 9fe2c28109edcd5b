//! [`Stamp`]: shows whether a file has changed.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Metadata that change when a file is written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Device and inode, on systems where files have them.
    id: Option<(u64, u64)>,
    len: u64,
    modified: Option<SystemTime>,
    /// The time of the last change of the inode. Programs cannot set this time, unlike `modified`.
    changed: Option<(i64, i64)>,
}

impl Stamp {
    /// The stamp of a regular file; `None` for others.
    pub fn of(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let (id, changed) = inode(&found);
        Some(Self { id, len: found.len(), modified: found.modified().ok(), changed })
    }

    /// The stamp without `changed`, because a rename changes that time.
    pub(super) fn renamed(self) -> Self {
        Self { changed: None, ..self }
    }
}

#[cfg(unix)]
#[expect(clippy::type_complexity, reason = "two pairs of numbers, from the metadata of the system")]
fn inode(found: &fs::Metadata) -> (Option<(u64, u64)>, Option<(i64, i64)>) {
    use std::os::unix::fs::MetadataExt as _;
    (Some((found.dev(), found.ino())), Some((found.ctime(), found.ctime_nsec())))
}

#[cfg(not(unix))]
const fn inode(_: &fs::Metadata) -> (Option<(u64, u64)>, Option<(i64, i64)>) {
    (None, None)
}
