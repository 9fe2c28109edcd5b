//! [`Source`]: where the bytes of a file are.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use variant_io::{OpenError, Opened, open, open_bytes};

use crate::options::ReadOptions;

/// A file to be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A file of this machine.
    Path(PathBuf),
    /// Bytes in memory, and the name for them.
    Bytes(Arc<str>, Arc<[u8]>),
    /// An object of a store, and its name there.
    Object(Arc<dyn Store>, Arc<str>),
}

/// Where objects are that are no files of this machine.
pub trait Store: fmt::Debug + Send + Sync {
    /// All bytes of an object. It may block: it is called on threads that wait for nothing else.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn get(&self, name: &str) -> io::Result<Vec<u8>>;
}

/// Files up to this length are read, longer ones mapped: to map costs as much as to read some of it.
const READ: u64 = 1 << 20;

impl Source {
    /// The name, as the column `_file` has it.
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
                let file = File::open(path)?;
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
                // A pipe tells no length, and a file may grow.
                file.take(options.max_len.saturating_add(1)).read_to_end(&mut bytes)?;
            }
            Self::Bytes(_, all) => bytes.extend_from_slice(all),
            Self::Object(store, name) => bytes = store.get(name)?,
        }
        open_bytes(bytes, &options.open)
    }

    /// The number of bytes, as far as it is known without reading them.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Path(path) => fs::metadata(path).ok().map(|found| found.len()),
            Self::Bytes(_, bytes) => u64::try_from(bytes.len()).ok(),
            Self::Object(..) => None,
        }
    }
}

impl From<PathBuf> for Source {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}
