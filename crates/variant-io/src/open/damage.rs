//! [`Damage`]: the missing parts of a layer's contents.

#[cfg(feature = "encryption")]
use crate::GdecError;
#[cfg(feature = "compression")]
use crate::gcpf::Broken;

/// Plain bytes of a damaged layer that were not recovered; from [`Opened::damage`](crate::Opened::damage).
///
/// ```
/// # #[cfg(feature = "encryption")] {
/// use variant_io::{Encryption, Key, OpenOptions, encrypt, open_bytes};
///
/// let key = Key::from_password("hunter2");
/// let mut save = encrypt(&[7; 64], &key, Encryption::Ecb);
/// save.truncate(64); // a header of 32 bytes, and 32 of the 64 encrypted bytes
/// let opened = open_bytes(save, &OpenOptions::new().key(key).lenient(true))?;
/// assert_eq!(opened.bytes(), [7; 32]);
/// assert_eq!((opened.damage()[0].start, opened.damage()[0].len), (32, 32));
/// # }
/// # Ok::<(), variant_io::OpenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The offset of the first missing byte in the contents of the layer.
    pub start: u64,
    /// The number of missing bytes according to the claimed length of the layer. 0 if the contents only differ from
    /// their checksum.
    pub len: u64,
    /// The fault.
    pub reason: String,
}

impl Damage {
    /// The missing bytes after the decrypted plain bytes.
    #[cfg(feature = "encryption")]
    pub(super) fn of_rest(plain: &[u8], len: u64, error: &GdecError) -> Self {
        let start = super::len(plain);
        Self { start, len: len.saturating_sub(start), reason: error.to_string() }
    }

    #[cfg(feature = "compression")]
    pub(super) fn of_block(broken: &Broken) -> Self {
        let Broken { start, len, error } = broken;
        Self { start: *start, len: *len, reason: error.to_string() }
    }
}
