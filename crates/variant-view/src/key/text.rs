//! Comparison of texts as engines read them, in any encoding (docs/spec/format.md#text).

use core::cmp::Ordering;
use core::hash::Hasher;

#[cfg(test)]
use super::work;
use crate::text::TextRule;
use crate::text::{before_nul, without_bom};

/// Whether the engine reads `raw` as `wanted`, which has no NUL.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn is_same(raw: &[u8], wanted: &[u8], rule: TextRule) -> bool {
    if rule != TextRule::Strict {
        return is_same_lenient(raw, wanted);
    }
    // A wire text that engines read as `wanted` is at least as long as `wanted`.
    let may_be = match (raw.get(wanted.len()), raw.first()) {
        (None, first) => raw.len() == wanted.len() && first == wanted.first(),
        (Some(0), _) | (Some(_), Some(0xef)) => true,
        (Some(_), _) => false,
    };
    may_be && is_same_strict(raw, wanted)
}

#[inline(never)]
fn is_same_strict(raw: &[u8], wanted: &[u8]) -> bool {
    // The comparison is byte by byte, since keys are short.
    matches!(without_bom(raw).strip_prefix(wanted), Some([] | [0, ..])) && !wanted.contains(&0)
}

/// Stops at the first difference, or at the first NUL.
#[inline]
fn is_same_lenient(raw: &[u8], wanted: &[u8]) -> bool {
    // Most keys differ in the first byte. This byte decides, unless a text is empty, has a byte order mark, or starts
    // with a possibly overlong sequence.
    if let (Some(&first), Some(&other)) = (raw.first(), wanted.first())
        && first != other
        && ![first, other].iter().any(|byte| matches!(byte, 0 | 0xe0..))
    {
        return false;
    }
    let raw = without_bom(raw);
    let at = raw.iter().zip(wanted).position(|(a, b)| a != b || *a == 0);
    let at = at.unwrap_or(raw.len().min(wanted.len()));
    let [next, other] = [raw, wanted].map(|text| text.get(at).copied().unwrap_or(0));
    // Sequences of three and more bytes may be overlong, sequences of two cannot be.
    next == other || (next.max(other) >= 0xe0 && compare(raw, wanted, TextRule::Lenient).is_eq())
}

/// Orders texts without a byte order mark, up to their first NUL; texts that engines read alike are equal.
/// Reads at most the length of the shorter text, so one long key among many short keys is cheap.
pub(super) fn compare(a: &[u8], b: &[u8], rule: TextRule) -> Ordering {
    let at = a.iter().zip(b).position(|(a, b)| a != b || *a == 0);
    let at = at.unwrap_or(a.len().min(b.len()));
    #[cfg(test)]
    work::count(at);
    let [next, other] = [a, b].map(|text| text.get(at).copied().unwrap_or(0));
    // Strict text has no overlong sequences, and an ASCII byte is a whole character. So the order of the two bytes
    // decides.
    if rule == TextRule::Strict || (next | other) < 0x80 {
        return next.cmp(&other);
    }
    let read = |text| spelled(text).take_while(|&byte| byte != 0);
    read(a).cmp(read(b))
}

/// A hash of texts without a byte order mark; texts that engines read alike have equal hashes.
pub(super) fn hash(text: &[u8], rule: TextRule, hasher: &mut impl Hasher) {
    let text = before_nul(text);
    let may_be_longer = rule != TextRule::Strict && text.iter().any(|&byte| byte >= 0xe0);
    if !may_be_longer {
        return hash_bytes(text, hasher);
    }
    let mut word = [0; 8];
    let mut len = 0_usize;
    // A NUL ends the text, also if it is spelled long.
    for byte in spelled(text).take_while(|&byte| byte != 0) {
        if let Some(place) = word.get_mut(len % 8) {
            *place = byte;
        }
        len = len.wrapping_add(1);
        if len.is_multiple_of(8) {
            hasher.write_u64(u64::from_le_bytes(word));
            word = [0; 8];
        }
    }
    hash_end(word, len, hasher);
}

/// Hashes the bytes by words, and then their length, so that the hash separates the bytes from later data.
pub(super) fn hash_bytes(bytes: &[u8], hasher: &mut impl Hasher) {
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hasher.write_u64(u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    for (place, byte) in last.iter_mut().zip(rest) {
        *place = *byte;
    }
    hash_end(last, bytes.len(), hasher);
}

fn hash_end(last: [u8; 8], len: usize, hasher: &mut impl Hasher) {
    if !len.is_multiple_of(8) {
        hasher.write_u64(u64::from_le_bytes(last));
    }
    hasher.write_usize(len);
}

/// The bytes of a text, each overlong sequence shortened. Bytes that are invalid by the lenient rule are unchanged.
fn spelled(text: &[u8]) -> Spelled<'_> {
    Spelled { rest: text, point: 0, follow: 0 }
}

struct Spelled<'a> {
    rest: &'a [u8],
    /// The character that is being encoded again, and the number of its remaining bytes.
    point: u32,
    follow: u32,
}

impl Iterator for Spelled<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        #[cfg(test)]
        work::count(1);
        if let Some(follow) = self.follow.checked_sub(1) {
            self.follow = follow;
            return Some(0x80 | low_bits(self.point >> follow.saturating_mul(6)) & 0x3f);
        }
        let (&byte, after) = self.rest.split_first()?;
        match follows(self.rest).and_then(|count| after.split_at_checked(count)) {
            Some((sequence, behind)) if sequence.iter().all(|byte| byte & 0xc0 == 0x80) => {
                self.rest = behind;
                // The lead byte of an overlong sequence has no bits of the character.
                self.point =
                    sequence.iter().fold(0, |point, &byte| point << 6 | u32::from(byte & 0x3f));
                let (lead, follow) = lead(self.point);
                self.follow = follow;
                Some(lead | low_bits(self.point >> follow.saturating_mul(6)))
            }
            _ => {
                self.rest = after;
                Some(byte)
            }
        }
    }
}

/// The number of bytes after the first, if the sequence is overlong.
const fn follows(sequence: &[u8]) -> Option<usize> {
    Some(match sequence {
        [0xe0, 0x80..0xa0, ..] => 2,
        [0xf0, 0x80..0x90, ..] => 3,
        [0xf8, 0x80..0x88, ..] => 4,
        [0xfc, 0x80..0x84, ..] => 5,
        _ => return None,
    })
}

/// For the character `point`: the marker bits of the first byte, and the number of bytes after it. `point` has at most
/// 26 bits, since its sequence was overlong.
const fn lead(point: u32) -> (u8, u32) {
    match point {
        0..0x80 => (0, 0),
        0x80..0x800 => (0xc0, 1),
        0x800..0x1_0000 => (0xe0, 2),
        0x1_0000..0x20_0000 => (0xf0, 3),
        _ => (0xf8, 4),
    }
}

const fn low_bits(bits: u32) -> u8 {
    bits.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::DefaultHasher;
    use std::vec::Vec;

    use super::*;
    use crate::text::engine_bytes;
    use TextRule::{Lenient, Strict, Unchecked};

    fn hash_of(text: &[u8], rule: TextRule) -> u64 {
        let mut hasher = DefaultHasher::new();
        hash(without_bom(text), rule, &mut hasher);
        hasher.finish()
    }

    /// Whether two texts are equal; asserts that comparison, order and hash agree.
    fn are_one(a: &[u8], b: &[u8], rule: TextRule) -> bool {
        let is_one = is_same(a, engine_bytes(b), rule);
        assert_eq!(is_same(b, engine_bytes(a), rule), is_one, "{b:x?} {a:x?}");
        let order = compare(without_bom(a), without_bom(b), rule);
        assert_eq!(order.is_eq(), is_one, "{a:x?} {b:x?}");
        assert_eq!(compare(without_bom(b), without_bom(a), rule), order.reverse());
        assert_eq!(hash_of(a, rule) == hash_of(b, rule), is_one, "{a:x?} {b:x?}");
        is_one
    }

    #[test]
    fn texts_are_compared_as_the_engine_reads_them() {
        for rule in [Unchecked, Lenient, Strict] {
            for (a, b) in [
                (&b"abc"[..], &b"abc"[..]),
                (b"abc\0rest", b"abc"),
                (b"a\0b", b"a\0c"),
                (b"\xef\xbb\xbfabc", b"abc"),
                (b"\xef\xbb\xbf\0", b""),
                (b"", b""),
                (b"eightbytes and more", b"eightbytes and more\0"),
            ] {
                assert!(are_one(a, b, rule), "{a:x?} {b:x?}");
            }
            for (a, b) in [
                (&b"abcd"[..], &b"abc"[..]),
                (b"ab", b""),
                (b"\xef\xbb\xbf\xef\xbb\xbfa", b"\xef\xbb\xbfa"),
                (b"a\xff", b"a"),
                (b"a\xe0\x81", b"a"),
                (b"12345678", b"1234567"),
            ] {
                assert!(!are_one(a, b, rule), "{a:x?} {b:x?}");
            }
        }
    }

    #[test]
    fn long_spellings_are_the_same_characters() {
        let texts: [(&[u8], &[u8]); 9] = [
            (b"\xe0\x81\xa1b", b"ab"),
            (b"a\xe0\x81\xa2", b"ab"),
            (b"\xef\xbb\xbfa\xe0\x81\xa2\0c", b"ab"),
            (b"\xe0\x9f\xbf", b"\xdf\xbf"),
            (b"\xf0\x8f\xbf\xbf", b"\xef\xbf\xbf"),
            (b"\xf8\x87\xbf\xbf\xbf", b"\xf7\xbf\xbf\xbf"),
            (b"\xfc\x83\xbf\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf"),
            (b"\xe0\x80\x80", b""),
            (b"a\xf0\x80\x80\x80b", b"a"),
        ];
        for (long, short) in texts {
            for rule in [Unchecked, Lenient] {
                assert!(are_one(long, short, rule), "{long:x?}");
                assert!(are_one(long, long, rule), "{long:x?}");
            }
            assert!(!are_one(long, short, Strict), "{long:x?}");
        }
        for text in
            ["é€😀".as_bytes(), b"\xe0\x81", b"\xe0\x81a", b"\xed\xa0\x80", b"\xf0\x90\x80\x80"]
        {
            assert_eq!(spelled(text).collect::<Vec<_>>(), text);
        }
    }

    /// Sorting needs an order of all texts, invalid ones included.
    #[test]
    fn there_is_one_order() {
        let bytes = [0x00, 0x61, 0x80, 0x81, 0xa1, 0xc3, 0xe0, 0xf0];
        let mut texts: Vec<Vec<u8>> = Vec::from([Vec::new()]);
        let longest = if cfg!(miri) { 2 } else { 3 };
        for len in 1..=longest {
            let shorter = texts.iter().filter(|text| text.len() == len - 1).cloned();
            let longer = shorter.collect::<Vec<_>>().into_iter().flat_map(|text| {
                bytes.map(|byte| text.iter().copied().chain([byte]).collect::<Vec<_>>())
            });
            texts.extend(longer);
        }
        for rule in [Lenient, Strict] {
            let mut sorted = texts.clone();
            sorted.sort_by(|a, b| compare(a, b, rule));
            for (a, b) in sorted.iter().zip(sorted.iter().skip(1)) {
                assert!(compare(a, b, rule).is_le());
                are_one(a, b, rule);
            }
            for (at, less) in sorted.iter().enumerate() {
                let is_le = |other: &Vec<u8>| compare(less, other, rule).is_le();
                assert!(sorted[at..].iter().all(is_le), "{less:x?}");
            }
        }
    }
}
