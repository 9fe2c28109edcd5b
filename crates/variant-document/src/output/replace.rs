//! [`replace`]: replaces the bytes of a file that was read before. Another program, such as the game, may write the
//! file at any time. If that program has changed the file since it was read, [`replace`] keeps the changed file and
//! returns an error.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::beside::{Aside, clean, new_file};
use super::{
    LINKED, NOT_WRITABLE, Notes, OutputError, Stamp, folder, follow_links, has_other_names,
    is_denied, keep_rights, name, note_in_place, write_over,
};
use crate::backup::OLD;

/// The options of a replacement.
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    /// The stamp of the file when it was read.
    pub was: Option<Stamp>,
    /// Whether the old file is kept, under its name with `~` at the end.
    pub keeps_old: bool,
    /// Whether the bytes are written into the existing file, instead of a new file.
    pub is_in_place: bool,
}

/// The result of a replacement.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// The new name of the old file, if it is kept.
    pub kept: Option<PathBuf>,
    /// The stamp of the new file. If another program has written the file since, the file has another stamp.
    pub stamp: Stamp,
}

/// Replaces the file at `path`. After an error, the file and an older `~` are unchanged, or the error names the file that
/// has the old bytes.
///
/// # Errors
/// The file was changed since it was read, or the system refuses.
pub fn replace(
    path: &Path,
    bytes: &[u8],
    how: &Replacement,
    notes: Notes<'_>,
) -> Result<Replaced, OutputError> {
    let path = follow_links(path)?;
    let job = Job { existing: fs::metadata(&path)?, path, bytes, how: *how };
    // A rename would replace even a file without write permission. So the file is opened here, which fails for such a
    // file.
    OpenOptions::new().write(true).open(&job.path)?;
    clean(folder(&job.path), notes)?;
    if how.is_in_place { job.in_place() } else { job.replace(notes) }
}

/// The number of bytes that are compared at once.
const STRETCH: usize = 1 << 20;

struct Job<'b> {
    /// The path of the file, which is not a symbolic link.
    path: PathBuf,
    existing: Metadata,
    bytes: &'b [u8],
    how: Replacement,
}

impl Job<'_> {
    fn replace(&self, notes: Notes<'_>) -> Result<Replaced, OutputError> {
        if has_other_names(&self.existing) {
            return self.over(LINKED, notes);
        }
        let mut draft = match new_file(folder(&self.path), Some(&self.existing)) {
            Ok(draft) => draft,
            Err(error) if is_denied(&error) => return self.over(NOT_WRITABLE, notes),
            Err(error) => return Err(error.into()),
        };
        if let Some(lost) = keep_rights(draft.as_file(), &self.existing)? {
            return self.over(lost, notes);
        }
        draft.write_all(self.bytes)?;
        self.swap(Aside::of(draft)?)
    }

    /// Replaces the old file by the new file, if the old file has not changed since it was read.
    fn swap(&self, new: Aside) -> Result<Replaced, OutputError> {
        if self.is_changed() {
            return Err(self.refuse(new));
        }
        // Another program may write the new file as soon as it has its name, so its stamp is taken before.
        let stamp = Stamp::of_metadata(&new.metadata()?);
        let kept = match exchange(new.path(), &self.path) {
            Ok(()) => self.after_exchange(new)?,
            Err(_) => self.rename(new)?,
        };
        Ok(Replaced { kept, stamp: stamp.renamed_to(&self.path) })
    }

    /// Continues after the two names are exchanged: the old file then has the temporary name.
    fn after_exchange(&self, old: Aside) -> Result<Option<PathBuf>, OutputError> {
        let back = |old: &Aside| {
            exchange(old.path(), &self.path).map_err(|error| {
                let what = "the new file is written; the old file is";
                format!("{error}; {what} {}", name(old.path()))
            })
        };
        let is_as_read = Stamp::of(old.path()).map(Stamp::renamed) == self.was_renamed();
        if !is_as_read {
            return match back(&old) {
                Ok(()) => Err(self.refuse(old)),
                Err(why) => Err(self.failed(&why, old)),
            };
        }
        let Some(kept) = self.kept() else { return self.discard(old) };
        match old.rename(&kept) {
            Ok(()) => Ok(self.done(Some(kept))),
            Err((error, old)) => match back(&old) {
                Ok(()) => Err(OutputError::NotKept(error)),
                Err(why) => Err(self.failed(&why, old)),
            },
        }
    }

    /// Renames the new file, if names cannot be exchanged. If the old file is kept, copies it first. Checks shortly
    /// before the rename that no other program has changed the file.
    fn rename(&self, new: Aside) -> Result<Option<PathBuf>, OutputError> {
        let old = self.copy()?;
        if self.is_changed() {
            return Err(self.refuse(new));
        }
        new.rename(&self.path).map_err(|(error, _)| error)?;
        self.keep_copy(old)
    }

    /// Overwrites the old bytes. `why` is the reason why a new file cannot replace the old file.
    fn over(&self, why: &str, notes: Notes<'_>) -> Result<Replaced, OutputError> {
        let copy = self.copy_aside()?;
        note_in_place(&self.path, copy.path(), why, notes)?;
        self.write_over(copy, |file| {
            file.write_all(self.bytes)?;
            file.set_len(u64::try_from(self.bytes.len()).map_err(io::Error::other)?)
        })
    }

    /// Overwrites the parts that differ. The file keeps its length. Reads only one part of the old bytes at a time.
    fn in_place(&self) -> Result<Replaced, OutputError> {
        self.write_over(self.copy_aside()?, |file| {
            let mut old = vec![0; STRETCH.min(self.bytes.len())];
            for new in self.bytes.chunks(STRETCH) {
                let old = old.get_mut(..new.len()).unwrap_or_default();
                file.read_exact(old)?;
                if old != new {
                    let back = i64::try_from(new.len()).map_err(io::Error::other)?;
                    file.seek(SeekFrom::Current(back.saturating_neg()))?;
                    file.write_all(new)?;
                }
            }
            Ok(())
        })
    }

    /// A copy of the old bytes, to keep, or to remove after the file is written.
    fn copy_aside(&self) -> Result<Aside, OutputError> {
        match self.copy()? {
            Some(copy) => Ok(copy),
            None => Ok(Aside::copy(&self.path, &self.existing)?),
        }
    }

    fn write_over(
        &self,
        copy: Aside,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<Replaced, OutputError> {
        if self.is_changed() {
            let why = "the file was changed meanwhile; nothing is written, try again";
            return Err(OutputError::Message(format!("{}: {why}", name(&self.path))));
        }
        let (copy, written) = write_over(&self.path, copy, write)?;
        let kept =
            if self.how.keeps_old { self.keep_copy(Some(copy)) } else { self.discard(copy) }?;
        Ok(Replaced { kept, stamp: Stamp::of_metadata(&written) })
    }

    /// Removes the old file after the new file was written.
    fn discard(&self, old: Aside) -> Result<Option<PathBuf>, OutputError> {
        let called = name(old.path());
        old.remove().map_err(|error| {
            let why = format!("{error}; the new file is written, and this is the old file");
            OutputError::Message(format!("{called}: cannot be removed: {why}"))
        })?;
        Ok(self.done(None))
    }

    /// The name for the old file, if it is kept: the name of the file and `~`.
    fn kept(&self) -> Option<PathBuf> {
        self.how.keeps_old.then(|| with_end(&self.path, OLD))
    }

    fn copy(&self) -> Result<Option<Aside>, OutputError> {
        let copy = || Aside::copy_with_rights(&self.path, &self.existing);
        let copy = self.how.keeps_old.then(copy).transpose();
        copy.map_err(OutputError::NotKept)
    }

    /// Gives the copy of the old file its name after the new file was written. An older copy is replaced.
    fn keep_copy(&self, copy: Option<Aside>) -> Result<Option<PathBuf>, OutputError> {
        let Some((copy, kept)) = copy.zip(self.kept()) else { return Ok(self.done(None)) };
        match copy.rename(&kept) {
            Ok(()) => Ok(self.done(Some(kept))),
            Err((error, copy)) => {
                let why = format!("{error}; the new file is written; the old file is");
                let message = format!("{}: {why} {}", name(&kept), name(&copy.keep()));
                Err(OutputError::Message(message))
            }
        }
    }

    /// Syncs the folder. The files are complete even if the sync fails.
    fn done(&self, kept: Option<PathBuf>) -> Option<PathBuf> {
        let _ = File::open(folder(&self.path)).and_then(|folder| folder.sync_all());
        kept
    }

    fn was_renamed(&self) -> Option<Stamp> {
        self.how.was.map(Stamp::renamed)
    }

    fn is_changed(&self) -> bool {
        Stamp::of(&self.path) != self.how.was
    }

    /// The error if another program wrote the file since it was read. Keeps the file of the other program, and the new
    /// file.
    fn refuse(&self, new: Aside) -> OutputError {
        let new = new.keep_as(&with_end(&self.path, ".new"));
        let how = "it is unchanged, and the new bytes are in";
        let message =
            format!("{}: the file was changed meanwhile; {how} {}", name(&self.path), name(&new));
        OutputError::Message(message)
    }

    fn failed(&self, why: &str, old: Aside) -> OutputError {
        // The name that `keep` returns is not needed, because `why` contains it.
        let _ = old.keep();
        OutputError::Message(format!("{}: {why}", name(&self.path)))
    }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Exchanges the names of two files in one step. Some systems cannot do that.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
