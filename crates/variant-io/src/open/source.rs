//! [`Source`]: the bytes of a file, mapped or read. Only this module has `unsafe`.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

#[cfg(feature = "mmap")]
use memmap2::Mmap;

/// The smallest file that is mapped, in bytes. Reading a smaller file is faster than mapping it, and threads that map
/// files wait for each other.
#[cfg(feature = "mmap")]
const MAPPED_FROM: u64 = 1 << 16;

/// The bytes of a file, opened for reading only.
pub(super) enum Source {
    /// A memory map. Pages are read on first access.
    #[cfg(feature = "mmap")]
    Mapped(Mmap),
    /// In memory.
    Read(Vec<u8>),
}

impl Source {
    /// Opens the file at `path`. If `may_map` is set, a regular file of at least `MAPPED_FROM` bytes is mapped, in
    /// O(1); other files are read.
    pub(super) fn open(path: &Path, may_map: bool) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files of length 0 are read, not mapped: they may still have contents, such as pipes and many files in /proc.
        #[cfg(feature = "mmap")]
        if may_map && metadata.is_file() && metadata.len() >= MAPPED_FROM {
            return map(&file).map(Self::Mapped);
        }
        let _ = may_map;
        Self::read(&mut file)
    }

    pub(super) fn read(from: &mut dyn io::Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        Ok(Self::Read(bytes))
    }

    pub(super) const fn is_mapped(&self) -> bool {
        match self {
            #[cfg(feature = "mmap")]
            Self::Mapped(_) => true,
            Self::Read(_) => false,
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            #[cfg(feature = "mmap")]
            Self::Mapped(map) => map.to_vec(),
            Self::Read(bytes) => bytes,
        }
    }
}

/// Maps a file into memory: private and read-only.
#[cfg(feature = "mmap")]
#[allow(unsafe_code, reason = "only a map opens a large file without reading it")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: The map is read-only: this process cannot change the bytes, and they stay valid until the map is dropped.
    // Another process may still write to the file or truncate it. A write breaks the guarantee of `&[u8]` that bytes do
    // not change: the parser may check one value and use another. A truncation ends this process with SIGBUS at the
    // next access. Both affect only the output of this process. `OpenOptions::map(false)` avoids both.
    unsafe { Mmap::map(file) }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            #[cfg(feature = "mmap")]
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.is_mapped() { "Mapped" } else { "Read" };
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
        let bytes = vec![7; 1 << 16];
        std::fs::write(&path, &bytes).unwrap();
        let mapped = Source::open(&path, true).unwrap();
        let read = Source::open(&path, false).unwrap();
        assert_eq!((mapped.is_mapped(), read.is_mapped()), (cfg!(feature = "mmap"), false));
        assert_eq!((&*mapped, &*read), (&bytes[..], &bytes[..]));
    }

    #[test]
    fn a_small_file_is_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"abc").unwrap();
        let source = Source::open(file.path(), true).unwrap();
        assert!(matches!(source, Source::Read(bytes) if bytes == b"abc"));
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
