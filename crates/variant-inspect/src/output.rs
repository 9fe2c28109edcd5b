//! Writing output files. A regular file is written to a temporary file in the same folder and renamed, so that it is never
//! half written. Pipes and devices are written in place. So are files whose owner, group or hard links a replacement would
//! change.

mod beside;
#[cfg(feature = "table")]
mod folder;
mod replace;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, Status};
use crate::open::name;
use crate::terminal::Terminal;
use beside::{Aside, new_file};
#[cfg(feature = "table")]
pub(crate) use folder::write_folder;
pub(crate) use replace::{Replacement, replace};

/// The most symbolic links that are followed, as in Linux.
const MOST_LINKS: usize = 40;

/// Refuses an output that is the input file, also under another name.
pub(crate) fn check(input: &Path, output: &Path) -> Result<(), Failure> {
    let stream = |path: &Path, name: &str| {
        if path == Path::new("-") { PathBuf::from(name) } else { path.to_owned() }
    };
    if is_one_file(&stream(input, "/dev/stdin"), &stream(output, "/dev/stdout")) {
        let message =
            "the output is the input file, which is never changed; name another file".to_owned();
        return Err(Failure::file(Status::Usage, message));
    }
    Ok(())
}

#[cfg(unix)]
fn is_one_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let file = |path| {
        let metadata: Option<Metadata> = fs::metadata(path).ok();
        metadata.filter(Metadata::is_file).map(|file| (file.dev(), file.ino()))
    };
    file(one).is_some_and(|one| file(other) == Some(one))
}

#[cfg(not(unix))]
fn is_one_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Writes `bytes` to the file at `path`, or to standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8], terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    if let Ok(Place::Beside(path)) = Place::of(path)
        && let Some(existing) = fs::metadata(&path).ok().filter(has_other_names)
    {
        // The bytes are complete: a draft would only need more room.
        let written = overwrite(&path, &existing, &mut &*bytes, LINKED, terminal);
        return written.map_err(|failure| named(&path, failure));
    }
    write_with(path, terminal, |out| Ok(out.write_all(bytes)?))
}

/// Writes the file at `path` piece by piece, or standard output for `-`. If `make` fails, an old file is unchanged.
pub(crate) fn write_with<R>(
    path: &Path,
    terminal: &mut Terminal<'_>,
    make: impl FnOnce(&mut dyn Write) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let place = Place::of(path).map_err(|error| cannot_write(path, &error))?;
    let written = match place {
        Place::Output => return make(terminal.out),
        Place::There { is_descriptor } => write_there(path, is_descriptor, make),
        Place::Beside(path) => put(&path, terminal, make),
    };
    written.map_err(|failure| named(path, failure))
}

/// Turns a failure of writing into one that names the file.
fn named(path: &Path, failure: Failure) -> Failure {
    match failure {
        Failure::Output(error) => cannot_write(path, &error),
        failure => failure,
    }
}

/// Where and how a file is written.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// Standard output.
    Output,
    /// In place: devices, pipes and open file descriptors.
    There { is_descriptor: bool },
    /// By a rename to this path, which is not a symbolic link.
    Beside(PathBuf),
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        const OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        const DESCRIPTORS: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/dev/stderr"];
        if OUTPUT.iter().any(|name| path == Path::new(name)) {
            return Ok(Self::Output);
        }
        let is_descriptor = DESCRIPTORS.iter().any(|folder| path.starts_with(folder));
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if is_descriptor || !found.is_file() => Ok(Self::There { is_descriptor }),
            Ok(_) => follow_links(path).map(Self::Beside),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                follow_links(path).map(Self::Beside)
            }
            Err(error) => Err(error),
        }
    }
}

/// The path that a chain of symbolic links leads to. It may not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Ok(path);
        }
        // `join` with an absolute path gives that path.
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

/// Writes in place. A file descriptor may already have contents: new bytes are appended.
fn write_there<R>(
    path: &Path,
    is_descriptor: bool,
    make: impl FnOnce(&mut dyn Write) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let mut file = OpenOptions::new().write(true).append(is_descriptor).open(path)?;
    let filled = make(&mut file)?;
    file.flush()?;
    Ok(filled)
}

/// Why a file is written in place, if it is.
type InPlace = Option<&'static str>;

/// Creates or replaces a file. Writes in place if a replacement would lose something.
fn put<R>(
    path: &Path,
    terminal: &mut Terminal<'_>,
    make: impl FnOnce(&mut dyn Write) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let existing = fs::metadata(path).ok();
    if existing.is_some() {
        // Fails for a file without write permission, which a rename would replace.
        OpenOptions::new().write(true).open(path)?;
    }
    beside::clean(folder(path), terminal)?;
    let (mut file, mut in_place) = draft(path, existing.as_ref())?;
    let filled = make(&mut file)?;
    file.as_file().sync_all()?;
    if in_place.is_none() {
        match file.persist(path) {
            Ok(_) => {
                // The file is complete, even if the system cannot sync the folder.
                let _ = File::open(folder(path)).and_then(|folder| folder.sync_all());
                return Ok(filled);
            }
            Err(refused) if existing.is_some() && is_denied(&refused.error) => {
                file = refused.file;
                in_place = Some(NOT_WRITABLE);
            }
            Err(refused) => return Err(refused.error.into()),
        }
    }
    if let Some((why, existing)) = in_place.zip(existing) {
        overwrite(path, &existing, &mut file.reopen()?, why, terminal)?;
    }
    Ok(filled)
}

const LINKED: &str = "it has hard links";
const NOT_WRITABLE: &str = "its folder is not writable";

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// A temporary file for the new bytes, and the reason if it cannot replace the existing file.
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

/// Writes a file in place. Meanwhile a copy has the old bytes; it stays if the program is ended before that is done. If
/// writing fails, as on a full disk, the old bytes are written back: they take no more room than before.
fn overwrite(
    path: &Path,
    existing: &Metadata,
    bytes: &mut dyn io::Read,
    why: &str,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let copy = Aside::copy(path, existing)?;
    note_in_place(path, copy.path(), why, terminal)?;
    write_over(path, copy, |file| {
        let len = io::copy(bytes, file)?;
        file.set_len(len)
    })
    .map(drop)
}

fn note_in_place(
    path: &Path,
    copy: &Path,
    why: &str,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let what = format!("{}: written in place, not replaced: {why}", name(path));
    terminal.note(&format!("{what}; until that is done, its old bytes are in {}", name(copy)))
}

/// Writes a file in place, and returns the copy of its old bytes. If writing fails, the old bytes are written back. If that
/// fails too, the copy stays.
fn write_over(
    path: &Path,
    copy: Aside,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<Aside, Failure> {
    let open = || OpenOptions::new().read(true).write(true).open(path);
    let written = open().and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()
    });
    let Err(error) = written else { return Ok(copy) };
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
    Err(Failure::file(Status::Io, message))
}

/// Copies owner and group, then the mode, which no other owner ever gets. Returns a message if owner or group cannot be copied.
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

/// Which of owner and group differ.
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

/// The message for an output that cannot be written.
fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let path = name(path);
    Failure::file(Status::Io, format!("{path}: cannot be written: {error}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    /// This holds even if the program ends before the mode is copied.
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
}
