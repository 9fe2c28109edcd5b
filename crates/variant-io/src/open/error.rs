//! [`OpenError`]: what keeps a file from being opened.

use std::fmt;
use std::io;

#[cfg(feature = "compression")]
use crate::GcpfError;
#[cfg(feature = "encryption")]
use crate::{Encryption, GdecError};

/// What keeps a file from being opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// It cannot be read.
    Io(io::Error),
    /// It is encrypted, and there is no key.
    #[cfg(feature = "encryption")]
    NoKey(Encryption),
    /// It cannot be decrypted.
    #[cfg(feature = "encryption")]
    Encrypted(GdecError),
    /// It cannot be decompressed.
    #[cfg(feature = "compression")]
    Compressed(GcpfError),
    /// It is wrapped in more than so many layers.
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
                write!(f, "encrypted by {encryption}; a key or a password is needed")
            }
            #[cfg(feature = "encryption")]
            Self::Encrypted(error) => error.fmt(f),
            #[cfg(feature = "compression")]
            Self::Compressed(error) => error.fmt(f),
            Self::TooManyLayers(most) => {
                write!(f, "compressed or encrypted more than {most} times over")
            }
        }
    }
}

impl std::error::Error for OpenError {
    // Display has said what the error inside says.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            #[cfg(feature = "encryption")]
            Self::Encrypted(error) => error.source(),
            #[cfg(feature = "compression")]
            Self::Compressed(error) => error.source(),
            _ => None,
        }
    }
}
