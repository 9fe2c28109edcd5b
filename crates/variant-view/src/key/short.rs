//! [`Short`]: short texts that compare as two words.

/// A text of 1 to 16 bytes of ASCII without a NUL, in two words with zeroes behind it.
///
/// Every engine reads such a text as it stands, so two of them are one key exactly if their words are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Short(u64, u64);

impl Short {
    /// Equal to no text.
    pub(crate) const NONE: Self = Self(0, 0);

    /// The text in the first `length` bytes of two words, of which there are 1 to 16.
    #[inline(always)]
    pub(crate) fn of_words(first: u64, last: u64, length: u32) -> Option<Self> {
        // The last word of a text may be filled up with anything.
        let counts = u64::MAX >> (length.wrapping_neg().wrapping_mul(8) & 63);
        if length > 8 {
            let is_plain = is_plain(first, u64::MAX) && is_plain(last, counts);
            is_plain.then_some(Self(first, last & counts))
        } else {
            is_plain(first, counts).then_some(Self(first & counts, 0))
        }
    }

    /// A whole text. Always inlined: of a literal nothing is left to do at run time.
    #[inline(always)]
    pub(crate) fn of_text(text: &[u8]) -> Option<Self> {
        let mut bytes = [0_u8; 16];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        let (words, _) = bytes.as_chunks::<8>();
        let &[first, last] = words else { return None };
        let length = crate::bytes::count(text.len());
        if length == 0 {
            return None;
        }
        Self::of_words(u64::from_le_bytes(first), u64::from_le_bytes(last), length)
    }
}

/// Whether the bytes that count are ASCII and none is NUL.
#[inline(always)]
const fn is_plain(bytes: u64, counts: u64) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = HIGH >> 7;
    let bytes = bytes & counts | !counts & ONES;
    (bytes.wrapping_sub(ONES) | bytes) & HIGH == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_equal_as_their_bytes_are() {
        let texts: [&[u8]; 7] =
            [b"a", b"ab", b"abcdefgh", b"abcdefghi", b"abcdefghijklmnop", b"b", b"abcdefgi"];
        for a in texts {
            for b in texts {
                assert_eq!(Short::of_text(a) == Short::of_text(b), a == b);
            }
        }
    }

    #[test]
    fn other_texts_are_not_short() {
        for other in [
            &b""[..],
            b"\0",
            b"a\0",
            b"a\x80",
            b"abcdefgh\0",
            b"abcdefghijklmnopq",
            b"\xef\xbb\xbfa",
        ] {
            assert_eq!(Short::of_text(other), None, "{other:x?}");
        }
    }

    #[test]
    fn bytes_behind_a_text_do_not_count() {
        let dirty = u64::from_le_bytes(*b"ab\0\xff\x80\x01zz");
        assert_eq!(Short::of_words(dirty, 0, 2), Short::of_text(b"ab"));
        assert_eq!(Short::of_words(dirty, 0, 3), None);
        let (first, last) =
            (u64::from_le_bytes(*b"abcdefgh"), u64::from_le_bytes(*b"i\0\0\0\xff\0\0\0"));
        assert_eq!(Short::of_words(first, last, 9), Short::of_text(b"abcdefghi"));
    }
}
