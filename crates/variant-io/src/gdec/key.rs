//! [`Key`]: the key of an encrypted file.

use std::fmt;
use std::fmt::Write as _;

use md5::{Digest as _, Md5};

/// The key of an encrypted file, 32 bytes. `Debug` does not print the bytes.
///
/// ```
/// use variant_io::Key;
///
/// let key = Key::from_password("hunter2");
/// assert_eq!(format!("{key:?}"), "Key(..)");
/// assert!(Key::from_hex("not a key").is_none());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key that a game passes to `open_encrypted`. O(1).
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key that `open_encrypted_with_pass` derives from a password: the hexadecimal digits of its MD5. An empty
    /// password is valid. O(bytes).
    pub fn from_password(password: &str) -> Self {
        let mut digits = String::new();
        for byte in Md5::digest(password) {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Self(digits.as_bytes().first_chunk().copied().unwrap_or_default())
    }

    /// The key of 64 hexadecimal digits, in either case. `None` for other text.
    pub fn from_hex(digits: &str) -> Option<Self> {
        let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
        let mut key = [0; 32];
        if pairs.len() != key.len() {
            return None;
        }
        for (byte, pair) in key.iter_mut().zip(pairs) {
            let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
            *byte = u8::try_from(high? << 4 | low?).ok()?;
        }
        Some(Self(key))
    }

    /// The key from a password, or from 32 bytes; `None` without both. O(bytes).
    ///
    /// ```
    /// use variant_io::Key;
    ///
    /// assert_eq!(Key::given(Some("a"), None), Ok(Some(Key::from_password("a"))));
    /// assert_eq!(Key::given(None, Some(b"short")), Err("a key has 32 bytes"));
    /// ```
    ///
    /// # Errors
    /// A message, if there are both a password and a key, or if `key` does not have 32 bytes.
    pub fn given(password: Option<&str>, key: Option<&[u8]>) -> Result<Option<Self>, &'static str> {
        match (password, key) {
            (Some(_), Some(_)) => Err("a password or a key, and not both"),
            (Some(password), None) => Ok(Some(Self::from_password(password))),
            (None, None) => Ok(None),
            (None, Some(key)) => {
                key.try_into().map(|key| Some(Self(key))).map_err(|_| "a key has 32 bytes")
            }
        }
    }

    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits() {
        let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F";
        let key = Key::from_hex(digits).unwrap();
        assert_eq!(key.bytes().to_vec(), (0..32).collect::<Vec<u8>>());
        for bad in
            ["", "00", &format!("{digits}0"), &format!("{digits}00"), &digits.replace('A', "g")]
        {
            assert!(Key::from_hex(bad).is_none(), "{bad}");
        }
        assert_eq!(format!("{key:?}"), "Key(..)");
    }

    #[test]
    fn a_password_is_its_md5_in_digits() {
        let key = Key::from_password("");
        assert_eq!(key.bytes(), b"d41d8cd98f00b204e9800998ecf8427e");
    }
}
