//! GDEC: files encrypted as a whole, as `open_encrypted` makes them (docs/format.md, section 4.3).

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

/// What such a file starts with.
pub const GDEC_MAGIC: [u8; 4] = *b"GDEC";

/// How a file is encrypted: the two forms cannot be read by each other's engines.
///
/// Neither keeps anybody from changing a file unnoticed: the MD5 in it is no authentication. The first even
/// shows which blocks are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encryption {
    /// AES-256-ECB: Godot 1 to 3 and every Pandemonium.
    Ecb,
    /// AES-256-CFB, from this initialisation vector on: Godot 4.
    Cfb([u8; 16]),
}

impl Encryption {
    /// As Godot 4 does, with an initialisation vector of its own for each file.
    ///
    /// # Errors
    /// [`GdecErrorKind::NoRandom`] where the system gives no random numbers.
    pub fn cfb() -> Result<Self, GdecError> {
        let mut iv = [0; 16];
        let no_random =
            |error: getrandom::Error| GdecError::new(GdecErrorKind::NoRandom(error.to_string()), 0);
        getrandom::fill(&mut iv).map_err(no_random)?;
        Ok(Self::Cfb(iv))
    }

    /// A short name: `"aes256-ecb"`. O(1).
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ecb => "aes256-ecb",
            Self::Cfb(_) => "aes256-cfb",
        }
    }

    /// The byte at which the number of plain bytes stands.
    const fn len_offset(&self) -> usize {
        match self {
            Self::Ecb => 24,
            Self::Cfb(_) => 20,
        }
    }

    /// The bytes in front of what is encrypted.
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

/// What stands in front of what is encrypted, in the clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GdecHeader {
    /// How it is encrypted.
    pub encryption: Encryption,
    /// The MD5 of the plain bytes.
    pub md5: [u8; 16],
    /// How many plain bytes there are.
    pub len: u64,
}

/// AES takes so many bytes at a time.
const BLOCK: usize = 16;
/// The only mode that engines write, in the first form.
const MODE: u32 = 1;

impl GdecHeader {
    /// Reads the header of a file. O(1).
    ///
    /// # Errors
    /// What is no encrypted file, or ends within the header.
    pub fn parse(file: &[u8]) -> Result<Self, GdecError> {
        if !file.starts_with(&GDEC_MAGIC) {
            return Err(GdecError::new(GdecErrorKind::NotEncrypted, 0));
        }
        let (ecb, cfb) = (Self::parse_ecb(file), Self::parse_cfb(file));
        // Where one has the mode the other has a part of the MD5, which is never a small number by chance.
        let is_ecb = word(file, 4).is_some_and(|mode| mode <= MODE);
        let is_cfb = cfb.is_some_and(|header| header.ends_with(file));
        let header = match (ecb, cfb) {
            (Some(ecb), _) if is_ecb && (ecb.ends_with(file) || !is_cfb) => Some(ecb),
            (_, cfb) if !is_ecb || is_cfb => cfb,
            _ => None,
        };
        let needed = if is_ecb { 32 } else { 44 };
        let found = file.len();
        header.ok_or(GdecError::new(GdecErrorKind::NoHeader { needed, found }, found))
    }

    /// The byte of the file at which what is encrypted starts.
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

    /// Whether this is the header of a file that ends here.
    fn ends_with(&self, file: &[u8]) -> bool {
        let encrypted = file.len().saturating_sub(self.encryption.header_len());
        u64::try_from(encrypted).is_ok_and(|encrypted| encrypted == self.encrypted_len())
    }

    /// The bytes of what is encrypted: full blocks.
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

/// The plain bytes of an encrypted file, which are checked. O(bytes); memory grows with the file, not with what
/// it claims.
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
/// What is no encrypted file, is cut, has more than `max_len` plain bytes, or does not match its MD5: by the
/// filling at the end a wrong key is told apart from damage, where there is any ([`KeyVerdict`]).
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
    let mut plain = taken.to_vec();
    match header.encryption {
        Encryption::Ecb => {
            let (blocks, _) = Array::slice_as_chunks_mut(&mut plain);
            Aes256::new(key.bytes().into()).decrypt_blocks(blocks);
        }
        Encryption::Cfb(iv) => {
            cfb_mode::Decryptor::<Aes256>::new(key.bytes().into(), &iv.into()).decrypt(&mut plain);
        }
    }
    let len = usize::try_from(header.len).unwrap_or(plain.len());
    let filling = plain.split_off(len.min(plain.len()));
    if <[u8; 16]>::from(Md5::digest(&plain)) != header.md5 {
        let key = KeyVerdict::of_filling(&filling);
        return Err(GdecError::new(GdecErrorKind::Mismatch { key }, start));
    }
    Ok(plain)
}

/// An encrypted file of these bytes, which the engine opens with `open_encrypted` and the key, or with the
/// password. O(bytes).
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
