//! GDEC: encrypted files, as `open_encrypted` makes them (docs/spec/carriers.md#gdec).

mod error;
mod key;

use std::fmt;

use aes::Aes256;
use aes::cipher::{
    Array, BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _, KeyIvInit as _,
};
use md5::{Digest as _, Md5};

pub use error::{GdecError, GdecErrorKind, KeyVerdict};
pub use key::Key;

/// The magic bytes of an encrypted file.
pub const GDEC_MAGIC: [u8; 4] = *b"GDEC";

/// The cipher of an encrypted file. An engine reads only the files of one cipher.
///
/// The ciphers do not authenticate: a file can be changed unnoticed, because its MD5 is not a signature. ECB also
/// reveals which blocks are equal.
///
/// ```
/// use variant_io::{Encryption, Key, encrypt};
///
/// let key = Key::from_password("hunter2");
/// let file = |encryption| encrypt(b"a save", &key, encryption);
/// assert_eq!(file(Encryption::Ecb), file(Encryption::Ecb));
/// assert_ne!(file(Encryption::cfb()?), file(Encryption::cfb()?)); // each file has another vector
/// # Ok::<(), variant_io::GdecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encryption {
    /// AES-256-ECB: Godot 1 to 3 and every Pandemonium.
    Ecb,
    /// AES-256-CFB with this initialisation vector: Godot 4.
    Cfb([u8; 16]),
}

impl Encryption {
    /// [`Encryption::Cfb`] with a random initialisation vector, as in Godot 4. Takes 16 random bytes from the operating
    /// system.
    ///
    /// # Errors
    /// [`GdecErrorKind::NoRandom`] if the system does not return random bytes.
    pub fn cfb() -> Result<Self, GdecError> {
        let mut iv = [0; 16];
        let no_random =
            |error: getrandom::Error| GdecError::new(GdecErrorKind::NoRandom(error.to_string()), 0);
        getrandom::fill(&mut iv).map_err(no_random)?;
        Ok(Self::Cfb(iv))
    }

    /// The short name: `"aes256-ecb"`, `"aes256-cfb"`. O(1).
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ecb => "aes256-ecb",
            Self::Cfb(_) => "aes256-cfb",
        }
    }

    /// The plain bytes of whole blocks.
    fn decrypted(&self, encrypted: &[u8], key: &Key) -> Vec<u8> {
        let mut plain = encrypted.to_vec();
        match self {
            Self::Ecb => {
                let (blocks, _) = Array::slice_as_chunks_mut(&mut plain);
                Aes256::new(key.bytes().into()).decrypt_blocks(blocks);
            }
            Self::Cfb(iv) => {
                let cipher = cfb_mode::Decryptor::<Aes256>::new(key.bytes().into(), iv.into());
                cipher.decrypt(&mut plain);
            }
        }
        plain
    }

    const fn len_offset(&self) -> usize {
        match self {
            Self::Ecb => 24,
            Self::Cfb(_) => 20,
        }
    }

    const fn header_len(&self) -> usize {
        match self {
            Self::Ecb => 32,
            Self::Cfb(_) => 44,
        }
    }
}

impl fmt::Display for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The unencrypted header of an encrypted file.
///
/// ```
/// use variant_io::{Encryption, GdecHeader, Key, encrypt};
///
/// let file = encrypt(b"a save", &Key::from_password("hunter2"), Encryption::Ecb);
/// let header = GdecHeader::parse(&file)?; // needs no key
/// assert_eq!((header.encryption, header.len, header.start()), (Encryption::Ecb, 6, 32));
/// # Ok::<(), variant_io::GdecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GdecHeader {
    /// The cipher.
    pub encryption: Encryption,
    /// The MD5 of the plain bytes.
    pub md5: [u8; 16],
    /// The number of plain bytes.
    pub len: u64,
}

/// The block size of AES in bytes.
const BLOCK: usize = 16;
/// The only mode that engines write in ECB headers.
const MODE: u32 = 1;

impl GdecHeader {
    /// Reads the header of a file. O(1).
    ///
    /// # Errors
    /// [`GdecErrorKind::NotEncrypted`], or [`GdecErrorKind::NoHeader`] if the file ends inside the header.
    pub fn parse(file: &[u8]) -> Result<Self, GdecError> {
        if !file.starts_with(&GDEC_MAGIC) {
            return Err(GdecError::new(GdecErrorKind::NotEncrypted, 0));
        }
        let (ecb, cfb) = (Self::parse_ecb(file), Self::parse_cfb(file));
        // Instead of the mode, a CFB header has MD5 bytes at this offset. These bytes rarely form such a small number.
        let is_ecb = word(file, 4).is_some_and(|mode| mode <= MODE);
        let is_cfb = cfb.is_some_and(|header| header.ends_with(file));
        let header = match ecb {
            Some(ecb) if is_ecb && (ecb.ends_with(file) || !is_cfb) => Some(ecb),
            _ => cfb,
        };
        let needed = if is_ecb { 32 } else { 44 };
        let found = file.len();
        header.ok_or(GdecError::new(GdecErrorKind::NoHeader { needed, found }, found))
    }

    /// The offset of the first encrypted byte.
    pub fn start(&self) -> u64 {
        u64::try_from(self.encryption.header_len()).unwrap_or(u64::MAX)
    }

    fn parse_ecb(file: &[u8]) -> Option<Self> {
        let (md5, len) = (chunk(file, 8)?, chunk(file, Encryption::Ecb.len_offset())?);
        Some(Self { encryption: Encryption::Ecb, md5, len: u64::from_le_bytes(len) })
    }

    fn parse_cfb(file: &[u8]) -> Option<Self> {
        let (md5, len, iv) = (chunk(file, 4)?, chunk(file, 20)?, chunk(file, 28)?);
        Some(Self { encryption: Encryption::Cfb(iv), md5, len: u64::from_le_bytes(len) })
    }

    /// Whether the length in this header matches the length of `file`.
    fn ends_with(&self, file: &[u8]) -> bool {
        let encrypted = file.len().saturating_sub(self.encryption.header_len());
        u64::try_from(encrypted).is_ok_and(|encrypted| encrypted == self.encrypted_len())
    }

    /// The offset after the last encrypted byte.
    pub(crate) fn end(&self) -> u64 {
        self.start().saturating_add(self.encrypted_len())
    }

    /// The number of encrypted bytes: a multiple of the block size.
    const fn encrypted_len(&self) -> u64 {
        self.len.div_ceil(16).saturating_mul(16)
    }

    fn to_bytes(self) -> Vec<u8> {
        let len = self.len.to_le_bytes();
        match self.encryption {
            Encryption::Ecb => [&GDEC_MAGIC[..], &MODE.to_le_bytes(), &self.md5, &len].concat(),
            Encryption::Cfb(iv) => [&GDEC_MAGIC[..], &self.md5, &len, &iv].concat(),
        }
    }
}

fn chunk<const N: usize>(file: &[u8], at: usize) -> Option<[u8; N]> {
    file.get(at..)?.first_chunk().copied()
}

fn word(file: &[u8], at: usize) -> Option<u32> {
    chunk(file, at).map(u32::from_le_bytes)
}

/// Decrypts a file and checks its MD5. O(bytes).
///
/// Memory grows with the bytes of the file, not with the length in its header.
///
/// ```
/// use variant_io::{Encryption, Key, decrypt, encrypt};
///
/// let key = Key::from_password("hunter2");
/// let file = encrypt(b"a save", &key, Encryption::cfb()?);
/// assert_eq!(decrypt(&file, &key, 1 << 20)?, b"a save");
///
/// let error = decrypt(&file, &Key::from_password("hunter3"), 1 << 20).unwrap_err();
/// assert!(error.to_string().contains("the key is wrong"));
/// # Ok::<(), variant_io::GdecError>(())
/// ```
///
/// # Errors
/// * [`GdecErrorKind::NotEncrypted`], [`GdecErrorKind::NoHeader`], [`GdecErrorKind::Cut`]: the file is of another kind
///   or incomplete.
/// * [`GdecErrorKind::TooLarge`]: more than `max_len` plain bytes.
/// * [`GdecErrorKind::Mismatch`]: the MD5 differs. [`KeyVerdict`] says whether the key is the cause.
pub fn decrypt(file: &[u8], key: &Key, max_len: u64) -> Result<Vec<u8>, GdecError> {
    let header = GdecHeader::parse(file)?;
    let start = header.encryption.header_len();
    let encrypted = file.get(start..).unwrap_or_default();
    if header.len > max_len {
        let at = header.encryption.len_offset();
        return Err(GdecError::new(GdecErrorKind::TooLarge { len: header.len, max_len }, at));
    }
    let needed = header.encrypted_len();
    let taken = usize::try_from(needed).ok().and_then(|len| encrypted.get(..len));
    let Some(taken) = taken else {
        let found = encrypted.len();
        return Err(GdecError::new(GdecErrorKind::Cut { needed, found }, start));
    };
    let mut plain = header.encryption.decrypted(taken, key);
    let len = usize::try_from(header.len).unwrap_or(plain.len());
    let padding = plain.split_off(len.min(plain.len()));
    if <[u8; 16]>::from(Md5::digest(&plain)) != header.md5 {
        let key = KeyVerdict::of_padding(&padding);
        return Err(GdecError::new(GdecErrorKind::Mismatch { key }, start));
    }
    Ok(plain)
}

/// Decrypts the available part of a file; also returns the fault of an incomplete or damaged file. O(bytes).
///
/// # Errors
/// Those of [`decrypt`], except an incomplete file and damaged bytes. The key is an error only with
/// [`KeyVerdict::Wrong`].
pub(crate) fn decrypt_part(
    file: &[u8],
    key: &Key,
    max_len: u64,
) -> Result<(Vec<u8>, Option<GdecError>), GdecError> {
    let is_partial = |kind: &GdecErrorKind| {
        !matches!(kind, GdecErrorKind::Mismatch { key: KeyVerdict::Wrong })
            && matches!(kind, GdecErrorKind::Mismatch { .. } | GdecErrorKind::Cut { .. })
    };
    let error = match decrypt(file, key, max_len) {
        Ok(plain) => return Ok((plain, None)),
        Err(error) if is_partial(error.kind()) => error,
        Err(error) => return Err(error),
    };
    let header = GdecHeader::parse(file)?;
    let encrypted = file.get(header.encryption.header_len()..).unwrap_or_default();
    let needed = usize::try_from(header.encrypted_len()).unwrap_or(usize::MAX);
    let taken = encrypted.get(..needed).unwrap_or(encrypted);
    let (blocks, _) = taken.as_chunks::<BLOCK>();
    let mut plain = header.encryption.decrypted(blocks.as_flattened(), key);
    plain.truncate(usize::try_from(header.len).unwrap_or(usize::MAX));
    Ok((plain, Some(error)))
}

/// Encrypts bytes as a file that the engine opens with `open_encrypted` or `open_encrypted_with_pass`. O(bytes).
pub fn encrypt(plain: &[u8], key: &Key, encryption: Encryption) -> Vec<u8> {
    let len = u64::try_from(plain.len()).unwrap_or(u64::MAX);
    let header = GdecHeader { encryption, md5: Md5::digest(plain).into(), len };
    let mut file = header.to_bytes();
    let start = file.len();
    file.extend_from_slice(plain);
    let filled = start.saturating_add(plain.len().next_multiple_of(BLOCK));
    file.resize(filled, 0);
    let encrypted = file.get_mut(start..).unwrap_or_default();
    match encryption {
        Encryption::Ecb => {
            let (blocks, _) = Array::slice_as_chunks_mut(encrypted);
            Aes256::new(key.bytes().into()).encrypt_blocks(blocks);
        }
        Encryption::Cfb(iv) => {
            cfb_mode::Encryptor::<Aes256>::new(key.bytes().into(), &iv.into()).encrypt(encrypted);
        }
    }
    file
}
