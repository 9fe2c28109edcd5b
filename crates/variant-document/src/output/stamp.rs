//! [`Stamp`]: shows whether a file has changed.

use std::fs::{self, Metadata};
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
        fs::metadata(path).ok().filter(Metadata::is_file).map(|found| Self::of_metadata(&found))
    }

    pub(super) fn of_metadata(found: &Metadata) -> Self {
        let (id, changed) = inode(found);
        Self { id, len: found.len(), modified: found.modified().ok(), changed }
    }

    /// The stamp of this file after it was renamed to `path`. If another program has replaced or written the file since,
    /// the result differs from the stamp of the file at `path`.
    pub(super) fn renamed_to(self, path: &Path) -> Self {
        Self::of(path).filter(|now| now.renamed() == self.renamed()).unwrap_or(self)
    }

    /// The stamp without `changed`, because a rename changes that time.
    pub(super) fn renamed(self) -> Self {
        Self { changed: None, ..self }
    }
}

#[cfg(unix)]
#[expect(clippy::type_complexity, reason = "two pairs of numbers, from the metadata of the system")]
fn inode(found: &Metadata) -> (Option<(u64, u64)>, Option<(i64, i64)>) {
    use std::os::unix::fs::MetadataExt as _;
    (Some((found.dev(), found.ino())), Some((found.ctime(), found.ctime_nsec())))
}

#[cfg(not(unix))]
const fn inode(_: &Metadata) -> (Option<(u64, u64)>, Option<(i64, i64)>) {
    (None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_file_has_its_stamp_until_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let [part, path] = ["part", "file"].map(|name| folder.path().join(name));
        fs::write(&part, "new").unwrap();
        let stamp = Stamp::of(&part).unwrap();
        fs::rename(&part, &path).unwrap();
        assert_eq!(Some(stamp.renamed_to(&path)), Stamp::of(&path));
        fs::write(&path, "newer").unwrap();
        assert_ne!(Some(stamp.renamed_to(&path)), Stamp::of(&path));
        fs::remove_file(&path).unwrap();
        assert_ne!(Some(stamp.renamed_to(&path)), Stamp::of(&path));
    }
}
