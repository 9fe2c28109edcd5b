//! [`Source`]: the place of a file's bytes.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use variant_document::count::counted;
use variant_io::{OpenError, Opened, open, open_bytes};

use crate::options::ReadOptions;

/// A file to be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A file of this machine.
    Path(PathBuf),
    /// Bytes in memory, and a name for them.
    Bytes(Arc<str>, Arc<[u8]>),
    /// An object of a store, and its name there.
    Object(Arc<dyn Store>, Arc<str>),
}

/// A store of objects that are not files of this machine.
pub trait Store: fmt::Debug + Send + Sync {
    /// All bytes of an object that has at most `max_len`. May block: called on threads that wait for nothing else.
    ///
    /// # Errors
    /// The object is unreadable, or longer.
    fn get(&self, name: &str, max_len: u64) -> io::Result<Vec<u8>>;
}

/// Files up to this length are read, longer ones mapped: mapping costs as much as reading a small file.
const READ: u64 = 1 << 20;

impl Source {
    /// The name, as in the column `_file`.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Bytes(name, _) | Self::Object(_, name) => name.to_string(),
        }
    }

    /// Opens the file without its compression and encryption. `spare` is memory for it, which [`Opened::into_bytes`] gives
    /// back.
    pub(crate) fn open(
        &self,
        options: &ReadOptions,
        spare: &mut Vec<u8>,
    ) -> Result<Opened, OpenError> {
        let mut bytes = std::mem::take(spare);
        bytes.clear();
        match self {
            Self::Path(path) => {
                let mut file = File::open(path)?;
                let found = file.metadata()?;
                if found.is_file() && found.len() > READ {
                    *spare = bytes;
                    return open(path, &options.open);
                }
                if found.is_dir() {
                    return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
                }
                let len = usize::try_from(found.len()).unwrap_or(0);
                bytes.reserve(len.saturating_add(1));
                if found.is_file() {
                    // It may have grown.
                    file.read_to_end(&mut bytes)?;
                } else {
                    read_at_most(options.max_len, file, &mut bytes)?;
                }
            }
            Self::Bytes(_, all) => bytes.extend_from_slice(all),
            Self::Object(store, name) => bytes = store.get(name, options.max_len)?,
        }
        open_bytes(bytes, &options.open)
    }

    /// The number of bytes, if known without reading them.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Path(path) => fs::metadata(path).ok().map(|found| found.len()),
            Self::Bytes(_, bytes) => u64::try_from(bytes.len()).ok(),
            Self::Object(..) => None,
        }
    }
}

/// Reads all bytes of an input of unknown length, such as a pipe.
pub(crate) fn read_at_most(most: u64, from: impl io::Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    from.take(most.saturating_add(1)).read_to_end(bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|len| len <= most) {
        return Ok(());
    }
    let why = format!("longer than {}, which is the limit", counted(most, "byte"));
    Err(io::Error::new(io::ErrorKind::FileTooLarge, why))
}

impl From<PathBuf> for Source {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}
