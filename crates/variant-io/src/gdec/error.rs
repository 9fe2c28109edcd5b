//! [`GdecError`]: the reason why a file was not encrypted or decrypted.

use std::fmt;

/// The reason why a file was not encrypted or decrypted, and the offset of the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GdecError {
    kind: GdecErrorKind,
    offset: usize,
}

/// The fault of an encrypted file.
///
/// ```
/// use variant_io::{Encryption, GdecErrorKind, Key, decrypt, encrypt};
///
/// let key = Key::from_password("hunter2");
/// let file = encrypt(&[7; 100], &key, Encryption::Ecb);
/// let error = decrypt(&file, &key, 64).unwrap_err();
/// assert_eq!(error.kind(), &GdecErrorKind::TooLarge { len: 100, max_len: 64 });
/// assert_eq!(error.offset(), 24); // the number of plain bytes in the header
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GdecErrorKind {
    /// The file does not start with the magic bytes.
    NotEncrypted,
    /// The file ends inside the header.
    NoHeader {
        /// The size of the header in bytes.
        needed: usize,
        /// The size of the file in bytes.
        found: usize,
    },
    /// The file has more plain bytes than allowed.
    TooLarge {
        /// The number of plain bytes, as the header states it.
        len: u64,
        /// The limit in bytes.
        max_len: u64,
    },
    /// The encrypted data is incomplete.
    Cut {
        /// The number of encrypted bytes expected.
        needed: u64,
        /// The number of encrypted bytes found.
        found: usize,
    },
    /// The MD5 of the plain bytes differs from the header.
    Mismatch {
        /// Whether the key is the cause.
        key: KeyVerdict,
    },
    /// The system does not return random numbers; the text is the reason.
    NoRandom(String),
}

/// Whether a key is right, according to the zero padding after the plain bytes.
///
/// ```
/// use variant_io::{Encryption, GdecErrorKind, Key, KeyVerdict, decrypt, encrypt};
///
/// let key = Key::from_password("hunter2");
/// let mut file = encrypt(&[7; 20], &key, Encryption::Ecb); // 12 bytes of padding
/// let verdict = |file: &[u8], key: &Key| match decrypt(file, key, 1 << 20).unwrap_err().kind() {
///     GdecErrorKind::Mismatch { key } => *key,
///     other => panic!("{other:?}"),
/// };
/// assert_eq!(verdict(&file, &Key::from_password("guess")), KeyVerdict::Wrong);
/// file[32] ^= 1; // the first encrypted byte
/// assert_eq!(verdict(&file, &key), KeyVerdict::Right);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyVerdict {
    /// The key is right: the padding is zero, and long enough as evidence.
    Right,
    /// The key is probably wrong: the padding is not zero.
    Wrong,
    /// The padding is too short to decide.
    Unknown,
}

impl KeyVerdict {
    /// The shortest padding that counts as evidence; shorter padding is zero by chance too often.
    const TELLING: usize = 3;

    pub(super) fn of_padding(padding: &[u8]) -> Self {
        match padding.len() {
            _ if padding.iter().any(|&byte| byte != 0) => Self::Wrong,
            Self::TELLING.. => Self::Right,
            _ => Self::Unknown,
        }
    }
}

impl GdecError {
    pub(super) const fn new(kind: GdecErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// The fault.
    pub const fn kind(&self) -> &GdecErrorKind {
        &self.kind
    }

    /// The offset of the fault in the file.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for GdecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match &self.kind {
            GdecErrorKind::NotEncrypted => {
                f.write_str("not an encrypted file: it does not start with GDEC")
            }
            GdecErrorKind::NoHeader { needed, found } => write!(
                f,
                "the header of an encrypted file needs {needed} bytes, the file has {found}"
            ),
            GdecErrorKind::TooLarge { len, max_len } => {
                write!(f, "byte {offset}: {len} plain bytes exceed the limit of {max_len}")
            }
            GdecErrorKind::Cut { needed, found } => write!(
                f,
                "byte {offset}: {needed} encrypted bytes expected, {found} found: the file was cut \
                 short"
            ),
            GdecErrorKind::Mismatch { key: KeyVerdict::Right } => {
                write!(f, "byte {offset}: the key is right, the encrypted data is damaged")
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
