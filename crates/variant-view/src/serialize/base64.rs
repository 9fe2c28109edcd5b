//! [`Bytes`]: bytes, in formats for people as base64.

use core::fmt::{self, Write as _};

use serde_core::ser::{Serialize, Serializer};

/// Bytes, as bytes or as text.
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for three in self.0.chunks(3) {
            let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for (digit, shift) in [18, 12, 6, 0].into_iter().enumerate() {
                let index = usize::try_from(bits >> shift & 63).unwrap_or(0);
                let is_there = digit <= three.len();
                f.write_char(if is_there {
                    DIGITS.get(index).map_or('=', |&digit| digit.into())
                } else {
                    '='
                })?;
            }
        }
        Ok(())
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() && !super::is_own::<S>() {
            to.collect_str(self)
        } else {
            to.serialize_bytes(self.0)
        }
    }
}
