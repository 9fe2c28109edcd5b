//! [`GdecError`]: what keeps an encrypted file from being read, and where.

use std::fmt;

/// What keeps an encrypted file from being read, and the byte of it at which that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GdecError {
    kind: GdecErrorKind,
    offset: usize,
}

/// What is wrong with an encrypted file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GdecErrorKind {
    /// It starts with something else.
    NotEncrypted,
    /// It ends within the header.
    NoHeader {
        /// The bytes that the header takes.
        needed: usize,
        /// The bytes that are there.
        found: usize,
    },
    /// It has more plain bytes than allowed.
    TooLarge {
        /// What it claims.
        len: u64,
        /// What is allowed.
        max_len: u64,
    },
    /// It ends too early.
    Cut {
        /// The encrypted bytes that there should be.
        needed: u64,
        /// Those that there are.
        found: usize,
    },
    /// The plain bytes are not those whose MD5 is in the header.
    Mismatch {
        /// Whether that is the key's fault.
        key: KeyVerdict,
    },
    /// The system gives no random numbers.
    NoRandom(String),
}

/// What the filling behind the plain bytes, which is of zeros, says of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyVerdict {
    /// It is the right one: there is filling, and it is of zeros.
    Right,
    /// It is most likely the wrong one: the filling is anything.
    Wrong,
    /// There is too little filling to tell.
    Unknown,
}

impl KeyVerdict {
    /// With fewer bytes chance makes zeros too often.
    const TELLING: usize = 3;

    pub(super) fn of_filling(filling: &[u8]) -> Self {
        match filling.len() {
            _ if filling.iter().any(|&byte| byte != 0) => Self::Wrong,
            Self::TELLING.. => Self::Right,
            _ => Self::Unknown,
        }
    }
}

impl GdecError {
    pub(super) const fn new(kind: GdecErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// What is wrong.
    pub const fn kind(&self) -> &GdecErrorKind {
        &self.kind
    }

    /// Where in the file.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for GdecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match &self.kind {
            GdecErrorKind::NotEncrypted => {
                f.write_str("no encrypted file: it does not start with GDEC")
            }
            GdecErrorKind::NoHeader { needed, found } => write!(
                f,
                "an encrypted file has a header of {needed} bytes; this one ends after {found}"
            ),
            GdecErrorKind::TooLarge { len, max_len } => {
                write!(f, "byte {offset}: {len} plain bytes, more than the {max_len} allowed")
            }
            GdecErrorKind::Cut { needed, found } => write!(
                f,
                "byte {offset}: {needed} encrypted bytes should follow, {found} are there: the file \
                 was cut short"
            ),
            GdecErrorKind::Mismatch { key: KeyVerdict::Right } => {
                write!(f, "byte {offset}: the key is right, but what was encrypted is damaged")
            }
            GdecErrorKind::Mismatch { key: KeyVerdict::Wrong } => {
                write!(f, "byte {offset}: the key is wrong, or the end of the file is damaged")
            }
            GdecErrorKind::Mismatch { key: KeyVerdict::Unknown } => {
                write!(f, "byte {offset}: the key is wrong, or the file is damaged")
            }
            GdecErrorKind::NoRandom(reason) => {
                write!(f, "the system gives no random numbers: {reason}")
            }
        }
    }
}

impl std::error::Error for GdecError {}
