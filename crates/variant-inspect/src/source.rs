//! [`Source`]: the bytes of a file, mapped or read. The one place with `unsafe` in it.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a file, opened for reading only.
pub(crate) enum Source {
    /// Pages are read when they are looked at.
    Mapped(Mmap),
    /// In memory.
    Read(Vec<u8>),
}

impl Source {
    /// Opens the file at `path`; `-` is standard input. Maps it if `may_map` and if it is a regular
    /// file with something in it, which costs O(1); reads it otherwise.
    pub(crate) fn open(path: &Path, may_map: bool) -> io::Result<Self> {
        if path == Path::new("-") {
            return read(&mut io::stdin().lock());
        }
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // What has no length, such as a pipe or much of /proc, may have contents nonetheless.
        if may_map && metadata.is_file() && metadata.len() > 0 {
            return map(&file).map(Self::Mapped);
        }
        read(&mut file)
    }
}

fn read(from: &mut dyn io::Read) -> io::Result<Source> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    Ok(Source::Read(bytes))
}

/// Maps a file into memory, privately and for reading.
#[allow(unsafe_code, reason = "nothing else opens a file larger than memory at once")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: The map is read-only, so nothing here can write to the file, and its memory stays valid
    // until it is dropped. What cannot be ruled out is that another process writes to the file or
    // truncates it meanwhile. Bytes that change under our eyes break a promise of `&[u8]`; the parser
    // checks what it reads but may see one thing when it checks and another when it uses. A page
    // that is no longer there ends this process with SIGBUS. Neither harms anything but this
    // process's output, and `--no-mmap` reads the file instead.
    unsafe { Mmap::map(file) }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self {
            Self::Mapped(_) => "Mapped",
            Self::Read(_) => "Read",
        };
        write!(f, "{how}({} bytes)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_and_read_are_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, b"abc").unwrap();
        let mapped = Source::open(&path, true).unwrap();
        let read = Source::open(&path, false).unwrap();
        assert!(matches!(mapped, Source::Mapped(_)) && matches!(read, Source::Read(_)));
        assert_eq!((&*mapped, &*read), (&b"abc"[..], &b"abc"[..]));
    }

    #[test]
    fn an_empty_file_is_not_mapped() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let source = Source::open(file.path(), true).unwrap();
        assert!(matches!(source, Source::Read(bytes) if bytes.is_empty()));
    }

    #[test]
    fn a_directory_is_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let error = Source::open(dir.path(), true).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }
}
