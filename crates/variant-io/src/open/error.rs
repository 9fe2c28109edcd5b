//! [`OpenError`]: the reason why a file was not opened.

use std::fmt;
use std::io;

#[cfg(feature = "compression")]
use crate::GcpfError;
#[cfg(feature = "encryption")]
use crate::{Encryption, GdecError};

/// The reason why a file was not opened; from [`open`](crate::open).
///
/// ```
/// use std::io::ErrorKind;
/// use variant_io::{OpenError, OpenOptions, open};
///
/// match open("no/such/file", &OpenOptions::new()) {
///     Err(OpenError::Io(error)) => assert_eq!(error.kind(), ErrorKind::NotFound),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file is encrypted, and the options have no key.
    #[cfg(feature = "encryption")]
    NoKey(Encryption),
    /// Decryption failed.
    #[cfg(feature = "encryption")]
    Encrypted(GdecError),
    /// Decompression failed.
    #[cfg(feature = "compression")]
    Compressed(GcpfError),
    /// The file has more layers than this number.
    TooManyLayers(usize),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

#[cfg(feature = "encryption")]
impl From<GdecError> for OpenError {
    fn from(error: GdecError) -> Self {
        Self::Encrypted(error)
    }
}

#[cfg(feature = "compression")]
impl From<GcpfError> for OpenError {
    fn from(error: GcpfError) -> Self {
        Self::Compressed(error)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            #[cfg(feature = "encryption")]
            Self::NoKey(encryption) => {
                write!(f, "encrypted with {encryption}; a key or a password is needed")
            }
            #[cfg(feature = "encryption")]
            Self::Encrypted(error) => error.fmt(f),
            #[cfg(feature = "compression")]
            Self::Compressed(error) => error.fmt(f),
            Self::TooManyLayers(most) => {
                write!(f, "more than {most} layers of compression and encryption")
            }
        }
    }
}

impl std::error::Error for OpenError {
    // `Display` includes the message of the inner error, so `source` skips the inner error and returns the cause of the
    // inner error.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            #[cfg(feature = "compression")]
            Self::Compressed(error) => error.source(),
            _ => None,
        }
    }
}
