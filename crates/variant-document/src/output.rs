//! [`Output`]: writes a file so that an error or a crash does not lose the old bytes. A regular file is written to a
//! temporary file in the same folder and renamed, so that it is never half written. Pipes and devices are written in
//! place. A file is also written in place if a replacement would change its owner, its group or its hard links, or if
//! its folder is not writable.

mod beside;
mod folder;
mod replace;
mod stamp;

use std::error::Error;
use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Stdout, Write, stdout};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::escape::escaped;
use beside::{Aside, new_file};
pub use folder::OutputFolder;
pub use replace::{Replaced, Replacement, replace};
pub use stamp::Stamp;

/// The maximum number of symbolic links that are followed, as in Linux.
const MOST_LINKS: usize = 40;

/// Receives lines for the user about files that are written in place, and about files that an interrupted run left.
pub type Notes<'n> = &'n mut dyn FnMut(&str) -> io::Result<()>;

/// Why a file is not written.
#[derive(Debug)]
pub enum OutputError {
    /// The system refused.
    Io(io::Error),
    /// The old file cannot be kept under another name. Nothing is changed.
    NotKept(io::Error),
    /// The folder for the output is not empty.
    NotEmpty,
    /// A line that names the file, and says where its old bytes are.
    Message(String),
}

impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotKept(error) => write!(f, "the old file cannot be copied: {error}"),
            Self::NotEmpty => f.write_str("the folder is not empty"),
            Self::Message(message) => f.write_str(message),
        }
    }
}

impl Error for OutputError {}

/// A file that is being written. [`Output::finish`] puts the file in its place. Without a call of this method, an old
/// file stays as it was.
///
/// ```
/// use std::fs;
/// use std::io::Write as _;
///
/// use variant_document::output::Output;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("save.dat");
/// fs::write(&path, "old")?;
/// let mut note = |line: &str| writeln!(std::io::stderr(), "{line}");
/// let mut output = Output::create(&path, &mut note)?;
/// output.write_all(b"new")?;
/// assert_eq!(fs::read(&path)?, b"old");
/// output.finish(&mut note)?;
/// assert_eq!(fs::read(&path)?, b"new");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Output(To);

/// The destination of the bytes, and the way of writing.
#[derive(Debug)]
enum To {
    /// Standard output.
    Stdout(Stdout),
    /// Devices, pipes and open file descriptors are written in place.
    There(File),
    /// Other files are first written to a temporary file. It is then renamed, or copied over the existing file.
    Beside(Box<Draft>),
}

/// A temporary file, and the path of the file that it becomes.
#[derive(Debug)]
struct Draft {
    /// The path of the file, which is not a symbolic link.
    path: PathBuf,
    existing: Option<Metadata>,
    file: NamedTempFile,
    in_place: InPlace,
}

/// The reason why a file is written in place; `None` if it is replaced.
type InPlace = Option<&'static str>;

/// Whether a path is that of standard output, such as `-`.
pub fn is_stdout(path: &Path) -> bool {
    const OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    OUTPUT.iter().any(|name| path == Path::new(name))
}

impl Output {
    /// Begins to write the file at `path`, or standard output for `-`.
    ///
    /// # Errors
    /// The path is a folder or a file without write permission, or the system refuses.
    pub fn create(path: &Path, notes: Notes<'_>) -> io::Result<Self> {
        const DESCRIPTORS: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/dev/stderr"];
        if is_stdout(path) {
            return Ok(Self(To::Stdout(stdout())));
        }
        let is_descriptor = DESCRIPTORS.iter().any(|folder| path.starts_with(folder));
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if is_descriptor || !found.is_file() => {
                // The file of a file descriptor may have contents: new bytes are appended.
                let file = OpenOptions::new().write(true).append(is_descriptor).open(path)?;
                Ok(Self(To::There(file)))
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(Self(To::Beside(Box::new(Draft::new(follow_links(path)?, notes)?)))),
        }
    }

    /// Ends writing, and replaces an old file by the new file.
    ///
    /// # Errors
    /// The system refuses. The old file is as it was, or the error names the file that has the old bytes.
    pub fn finish(self, notes: Notes<'_>) -> Result<(), OutputError> {
        match self.0 {
            To::Stdout(mut out) => Ok(out.flush()?),
            To::There(mut file) => Ok(file.flush()?),
            To::Beside(draft) => draft.put(notes),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            To::Stdout(out) => out.write(bytes),
            To::There(file) => file.write(bytes),
            To::Beside(draft) => draft.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            To::Stdout(out) => out.flush(),
            To::There(file) => file.flush(),
            To::Beside(draft) => draft.file.flush(),
        }
    }
}

impl Draft {
    fn new(path: PathBuf, notes: Notes<'_>) -> io::Result<Self> {
        let existing = fs::metadata(&path).ok();
        if existing.is_some() {
            // A rename would replace even a file without write permission. So the file is opened here, which fails for
            // such a file.
            OpenOptions::new().write(true).open(&path)?;
        }
        beside::clean(folder(&path), notes)?;
        let (file, in_place) = draft(&path, existing.as_ref())?;
        Ok(Self { path, existing, file, in_place })
    }

    /// Creates or replaces the file. Writes in place if `in_place` has a reason, or if the folder is not writable.
    fn put(self, notes: Notes<'_>) -> Result<(), OutputError> {
        let Self { path, existing, mut file, mut in_place } = self;
        file.as_file().sync_all()?;
        if in_place.is_none() {
            match file.persist(&path) {
                Ok(_) => {
                    // The file is complete, even if the system cannot sync the folder.
                    let _ = File::open(folder(&path)).and_then(|folder| folder.sync_all());
                    return Ok(());
                }
                Err(refused) if existing.is_some() && is_denied(&refused.error) => {
                    file = refused.file;
                    in_place = Some(NOT_WRITABLE);
                }
                Err(refused) => return Err(refused.error.into()),
            }
        }
        let Some((why, existing)) = in_place.zip(existing) else { return Ok(()) };
        // If the program is killed during the writing, the copy stays.
        let copy = Aside::copy(&path, &existing)?;
        note_in_place(&path, copy.path(), why, notes)?;
        let mut bytes = file.reopen()?;
        let write = |file: &mut File| {
            let len = io::copy(&mut bytes, file)?;
            file.set_len(len)
        };
        write_over(&path, copy, write).map(drop)
    }
}

/// The path at the end of a chain of symbolic links. There may be no file at this path.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Ok(path);
        }
        // A link may have an absolute path: `join` with such a path returns this path.
        path = folder(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many symbolic links"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

const LINKED: &str = "it has hard links";
const NOT_WRITABLE: &str = "its folder is not writable";

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// Creates a temporary file for the new bytes. If it cannot replace the existing file, also returns the reason.
fn draft(path: &Path, existing: Option<&Metadata>) -> io::Result<(NamedTempFile, InPlace)> {
    let Some(existing) = existing else { return Ok((new_file(folder(path), None)?, None)) };
    match new_file(folder(path), Some(existing)) {
        Ok(file) if has_other_names(existing) => Ok((file, Some(LINKED))),
        Ok(file) => {
            let lost = keep_rights(file.as_file(), existing)?;
            Ok((file, lost))
        }
        Err(error) if is_denied(&error) => {
            Ok((new_file(&std::env::temp_dir(), Some(existing))?, Some(NOT_WRITABLE)))
        }
        Err(error) => Err(error),
    }
}

fn note_in_place(path: &Path, copy: &Path, why: &str, notes: Notes<'_>) -> io::Result<()> {
    let what = format!("{}: written in place, not replaced: {why}", name(path));
    notes(&format!("{what}; until that is done, its old bytes are in {}", name(copy)))
}

/// Writes a file in place. Returns the copy of its old bytes, and the metadata of the written file. If writing fails, for example on a full disk, the old
/// bytes are written back. The old bytes fit, since the file had them before. If this also fails, the copy stays.
fn write_over(
    path: &Path,
    copy: Aside,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(Aside, Metadata), OutputError> {
    let open = || OpenOptions::new().read(true).write(true).open(path);
    let written = open().and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        file.metadata()
    });
    let error = match written {
        Ok(written) => return Ok((copy, written)),
        Err(error) => error,
    };
    let restored = File::open(copy.path()).and_then(|mut old| {
        let mut file = open()?;
        let len = io::copy(&mut old, &mut file)?;
        file.set_len(len)?;
        file.sync_all()
    });
    let how = match restored {
        Ok(()) => "its old bytes were written back".to_owned(),
        Err(_) => format!("it is damaged, and its old bytes are in {}", name(&copy.keep())),
    };
    let message = format!("{}: cannot be written: {error}; {how}", name(path));
    Err(OutputError::Message(message))
}

/// A path in messages.
fn name(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// Copies owner and group, and then the mode. If owner or group cannot be copied, returns a message, and does not
/// change the mode. Otherwise another owner would get the rights of the old owner.
#[cfg(unix)]
fn keep_rights(file: &File, existing: &Metadata) -> io::Result<InPlace> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let whose = |file: &Metadata| (file.uid(), file.gid());
    if whose(&file.metadata()?) != whose(existing) {
        // The result is checked below.
        let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
    }
    let lost = lost(whose(&file.metadata()?), whose(existing));
    if lost.is_none() {
        file.set_permissions(fs::Permissions::from_mode(existing.mode() & 0o777))?;
    }
    Ok(lost)
}

/// The message that names owner, group or both, if they differ; `None` if both are the same.
#[cfg(unix)]
const fn lost(new: (u32, u32), existing: (u32, u32)) -> InPlace {
    match (new.0 == existing.0, new.1 == existing.1) {
        (true, true) => None,
        (false, true) => Some("a new file cannot keep its owner"),
        (true, false) => Some("a new file cannot keep its group"),
        (false, false) => Some("a new file cannot keep its owner and group"),
    }
}

#[cfg(not(unix))]
fn keep_rights(file: &File, existing: &Metadata) -> io::Result<InPlace> {
    file.set_permissions(existing.permissions())?;
    Ok(None)
}

/// Whether the file has other hard links.
#[cfg(unix)]
fn has_other_names(file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.nlink() > 1
}

#[cfg(not(unix))]
const fn has_other_names(_: &Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    /// The file is private from the start, even if the program ends before the mode is copied.
    #[test]
    fn nobody_else_may_read_what_takes_the_place_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let existing = fs::metadata(&path).unwrap();
        let file = new_file(folder.path(), Some(&existing)).unwrap();
        assert_eq!(file.as_file().metadata().unwrap().mode() & 0o777, 0o600);
        assert_eq!(keep_rights(file.as_file(), &existing).unwrap(), None);
        assert_eq!(file.as_file().metadata().unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_would_be_lost_is_told() {
        let lost = |new| lost(new, (7, 8)).unwrap_or_default();
        assert_eq!(lost((7, 8)), "");
        assert!(lost((1, 8)).ends_with("its owner"));
        assert!(lost((7, 1)).ends_with("its group"));
        assert!(lost((1, 1)).ends_with("its owner and group"));
    }

    /// Replaces a file twice, the second time with the stamp of the first. A write of another program is not overwritten.
    #[test]
    fn a_replaced_file_has_the_stamp_that_is_returned() {
        for (keeps_old, is_in_place, is_linked) in
            [(false, false, false), (true, false, false), (true, true, false), (false, false, true)]
        {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            fs::write(&path, "old").unwrap();
            if is_linked {
                fs::hard_link(&path, folder.path().join("link")).unwrap();
            }
            let put = |was, bytes: &[u8]| {
                replace(&path, bytes, &Replacement { was, keeps_old, is_in_place }, &mut |_| Ok(()))
            };
            let first = put(Stamp::of(&path), b"new").unwrap();
            assert_eq!(Some(first.stamp), Stamp::of(&path));
            let second = put(Some(first.stamp), b"two").unwrap();
            assert_eq!(second.kept.is_some(), keeps_old);
            fs::write(&path, "from the game").unwrap();
            assert!(put(Some(second.stamp), b"late").is_err());
            assert_eq!(fs::read(&path).unwrap(), b"from the game");
        }
    }
}
