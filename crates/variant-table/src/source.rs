//! [`Source`]: a file, bytes in memory, or an object of a store.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use variant_document::count::counted;
use variant_io::{OpenError, OpenOptions, Opened, open, open_bytes};

/// A file to be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A file of this machine.
    Path(PathBuf),
    /// Bytes in memory, and a name for them.
    Bytes(Arc<str>, Arc<[u8]>),
    /// An object of a store, and the name of the object there.
    Object(Arc<dyn Store>, Arc<str>),
}

/// A store of objects that are not files of this machine.
pub trait Store: fmt::Debug + Send + Sync {
    /// All bytes of an object that has at most `max_len` bytes. The method may block: it is called on threads that do
    /// not wait for anything else.
    ///
    /// # Errors
    /// The object cannot be read, or it has more than `max_len` bytes.
    fn get(&self, name: &str, max_len: u64) -> io::Result<Vec<u8>>;
}

/// Files of at most this size are read into memory. Larger files are mapped. Reading a small file does not cost more
/// than mapping it.
const READ: u64 = 1 << 20;

impl Source {
    /// The name, as in the column `_file`.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Bytes(name, _) | Self::Object(_, name) => name.to_string(),
        }
    }

    /// Opens the file without its compression and encryption. `spare` is memory for its bytes, which
    /// [`Opened::into_bytes`] returns.
    pub(crate) fn open(
        &self,
        layers: &OpenOptions,
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
                    return open(path, layers);
                }
                if found.is_dir() {
                    return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
                }
                let len = usize::try_from(found.len()).unwrap_or(0);
                bytes.reserve(len.saturating_add(1));
                if found.is_file() {
                    // The file may have grown since its size was read.
                    file.read_to_end(&mut bytes)?;
                } else {
                    read_at_most(layers.limit(), file, &mut bytes)?;
                }
            }
            Self::Bytes(_, all) => bytes.extend_from_slice(all),
            Self::Object(store, name) => bytes = store.get(name, layers.limit())?,
        }
        open_bytes(bytes, layers)
    }

    /// The number of bytes, if it is known without reading them.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Path(path) => fs::metadata(path).ok().map(|found| found.len()),
            Self::Bytes(_, bytes) => u64::try_from(bytes.len()).ok(),
            Self::Object(..) => None,
        }
    }
}

/// Reads all bytes of an input of unknown length, such as a pipe. An error if there are more than `most`.
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
