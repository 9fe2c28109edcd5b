//! [`ShortKey`]: a short text key as two words, compared without a loop.

use super::text::is_same;
use crate::bytes::size;
use crate::text::TextRule;

/// A text of 1 to 16 ASCII bytes without a NUL, as most keys are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortKey<'k> {
    text: &'k [u8],
    len: u32,
    first: u64,
    last: u64,
    /// The bits of `first` that belong to the text.
    first_mask: u64,
    last_mask: u64,
}

impl<'k> ShortKey<'k> {
    /// `None` unless `text` is 1 to 16 ASCII bytes without a NUL. O(1). The compiler computes the key of a literal.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn new(text: &'k [u8]) -> Option<Self> {
        let mut bytes = [0_u8; 16];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        let len = crate::bytes::count(text.len());
        let is_plain = !text.is_empty() && text.iter().all(|byte| matches!(byte, 1..0x80));
        let (first, last) = bytes.split_first_chunk::<8>()?;
        is_plain.then_some(Self {
            text,
            len,
            first: u64::from_le_bytes(*first),
            last: last.first_chunk().map_or(0, |last| u64::from_le_bytes(*last)),
            first_mask: mask(len.min(8)),
            last_mask: mask(len.saturating_sub(8)),
        })
    }

    /// Whether the engine reads the text of a value as this key. O(1), unless the text is longer than the key, and its
    /// first byte is the key's first byte or is not ASCII. Such a text is compared byte by byte.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn is(&self, value: &TextValue<'_>, rule: TextRule) -> bool {
        // A text that starts with another ASCII byte is not equal.
        let difference = value.first ^ self.first;
        let starts_alike = difference << 56 == 0 || value.first & 0x80 != 0;
        if !starts_alike || value.len < self.len {
            return false;
        }
        if value.len == self.len {
            // A text of the same length is equal only if its bytes are equal: the key is ASCII.
            let is_first = difference & self.first_mask == 0;
            return is_first && (self.len <= 8 || (value.last() ^ self.last) & self.last_mask == 0);
        }
        // A text longer than the key may be equal to it: a byte order mark, a NUL or a lenient encoding adds bytes.
        self.is_longer(value, rule)
    }

    #[inline(never)]
    fn is_longer(&self, value: &TextValue<'_>, rule: TextRule) -> bool {
        is_same(TextValue::slice(value.bytes), self.text, rule)
    }
}

/// The lowest `bytes` bytes of a word.
const fn mask(bytes: u32) -> u64 {
    match bytes {
        0 => 0,
        1..8 => !u64::MAX.wrapping_shl(bytes.wrapping_mul(8)),
        _ => u64::MAX,
    }
}

/// A text value on the wire, from its header on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextValue<'a> {
    bytes: &'a [u8],
    len: u32,
    /// The eight bytes from the start of the text on. They may include bytes after the text.
    first: u64,
}

impl<'a> TextValue<'a> {
    /// The valid text value at the start of `bytes`. `None` if fewer than 8 bytes follow its length. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let [_, _, _, _, a, b, c, d, first @ ..] = bytes.first_chunk::<16>()?;
        let (len, first) = (u32::from_le_bytes([*a, *b, *c, *d]), u64::from_le_bytes(*first));
        Some(Self { bytes, len, first })
    }

    /// The second eight bytes of the text, or zero if the document ends before them.
    #[cfg_attr(not(variant_small), inline(always))]
    fn last(&self) -> u64 {
        let last = self.bytes.get(16..).and_then(|last| last.first_chunk());
        last.map_or(0, |last| u64::from_le_bytes(*last))
    }

    /// The text of the valid value at the start of `bytes`. O(1).
    pub(crate) fn slice(bytes: &'a [u8]) -> &'a [u8] {
        let Some(([_, _, _, _, len @ ..], text)) = bytes.split_first_chunk::<8>() else {
            return &[];
        };
        text.get(..size(u32::from_le_bytes(*len))).unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// The bytes of a pair with the key `text`, up to the header of the pair's value.
    fn value(text: &[u8]) -> Vec<u8> {
        let mut all = std::vec![4, 0, 0, 0];
        all.extend(crate::bytes::count(text.len()).to_le_bytes());
        all.extend(text);
        all.resize(all.len().next_multiple_of(4), 0);
        all.extend([2, 0, 0, 0]);
        all
    }

    /// Texts that differ in one byte, in length, by a byte order mark, a NUL, or an encoding that lenient engines read.
    fn texts() -> Vec<Vec<u8>> {
        let long = b"abcdefghijklmnopqrst";
        let mut texts: Vec<Vec<u8>> = (0..=long.len()).map(|len| long[..len].to_vec()).collect();
        for text in texts.clone() {
            texts.push([b"\xef\xbb\xbf", &text[..]].concat());
            texts.push([&text[..], b"\0", b"more"].concat());
            for at in 0..text.len() {
                for byte in [b'A', 0, 0x80, 0xc1] {
                    let mut other = text.clone();
                    other[at] = byte;
                    texts.push(other);
                }
                let overlong = [0xe0, 0x81, 0x80 | text[at] & 0x3f];
                texts.push([&text[..at], &overlong, &text[at.saturating_add(1)..]].concat());
            }
        }
        texts
    }

    #[test]
    #[cfg_attr(
        miri,
        ignore = "hundreds of thousands of pairs, and nothing is borrowed as something else"
    )]
    fn words_say_what_bytes_say() {
        let texts = texts();
        let mut same = 0_u32;
        for wanted in &texts {
            let Some(key) = ShortKey::new(wanted) else {
                let is_short = matches!(wanted.len(), 1..=16);
                assert!(!is_short || wanted.iter().any(|byte| !matches!(byte, 1..0x80)));
                continue;
            };
            for text in &texts {
                let bytes = value(text);
                let Some(read) = TextValue::read(&bytes) else {
                    assert!(text.is_empty());
                    continue;
                };
                for rule in [TextRule::Strict, TextRule::Lenient, TextRule::Unchecked] {
                    let expected = is_same(text, wanted, rule);
                    assert_eq!(key.is(&read, rule), expected, "{text:?} {wanted:?} {rule:?}");
                    same = same.saturating_add(u32::from(expected));
                }
            }
        }
        assert!(same > 100, "only {same} were the same");
    }
}
