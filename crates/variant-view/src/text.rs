//! The three rules for text (docs/spec/format.md#text).

mod utf8;

pub(crate) use utf8::to_str;

/// The rule by which a reader validates text (docs/spec/format.md#text).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextRule {
    /// No validation: invalid bytes shorten the text (Godot 2).
    Unchecked,
    /// Old-style UTF-8, with surrogates, sequences of five and six bytes, and most overlong forms (Godot 3,
    /// Pandemonium 3).
    Lenient,
    /// UTF-8 as Unicode defines it (Godot 4, Pandemonium 4 and 5).
    Strict,
}

/// The highest bit of each byte of a word.
pub(crate) const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether all bytes are ASCII. The length must be a multiple of 4.
///
/// Measured: without the case for short texts, texts of different lengths take 1.1 times as long to validate
/// (`benches/ablation.py short-ascii`).
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        let word = bytes.first_chunk().map_or(0, |word| u32::from_ne_bytes(*word));
        return u64::from(word) & HIGH == 0;
    };
    if bytes.len() > 16 {
        return bytes.is_ascii();
    }
    // Most texts are this short. The check has no branch that could be mispredicted.
    (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH == 0
}

/// Validates `bytes` up to the first NUL; the error is the index of the first invalid byte.
pub(crate) fn check(rule: TextRule, bytes: &[u8]) -> Result<(), usize> {
    match rule {
        TextRule::Unchecked => Ok(()),
        // A text that is valid as a whole is valid up to any NUL, and strict UTF-8 is also valid by the lenient rule.
        _ if utf8::is_utf8(bytes) => Ok(()),
        _ => check_slowly(rule, bytes),
    }
}

#[cold]
fn check_slowly(rule: TextRule, bytes: &[u8]) -> Result<(), usize> {
    let text = before_nul(bytes);
    match rule {
        TextRule::Unchecked => Ok(()),
        TextRule::Lenient => lenient(text),
        TextRule::Strict => match core::str::from_utf8(text) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.valid_up_to()),
        },
    }
}

/// Whether a character is invisible or changes how other characters print: control characters, zero-width characters,
/// direction marks, fillers, soft hyphens and tags. O(1).
///
/// Printed paths, JSON, text and reports use this list. U+FE0E and U+FE0F are not in the list, since they select the
/// presentation of an emoji, and game texts use them.
///
/// ```
/// use variant_view::is_invisible;
///
/// assert!("\u{1b}\u{202e}\u{200b}\u{3164}\u{e0041}".chars().all(is_invisible));
/// assert!(!"a e\u{301} \u{2764}\u{fe0f}".chars().any(is_invisible));
/// ```
pub const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\0'..='\x1f'
            | '\x7f'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0d}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The part of a text's bytes that every engine reads: the bytes up to the first NUL, without a leading byte order mark
/// (docs/spec/format.md#text). O(bytes).
///
/// ```
/// assert_eq!(variant_view::engine_bytes("\u{feff}name\0rest".as_bytes()), b"name");
/// ```
#[inline]
pub fn engine_bytes(text: &[u8]) -> &[u8] {
    without_bom(before_nul(text))
}

/// The bytes before the first NUL.
#[inline]
pub(crate) fn before_nul(bytes: &[u8]) -> &[u8] {
    let end = if is_without_nul(bytes) { None } else { memchr::memchr(0, bytes) };
    let text = end.and_then(|end| bytes.get(..end)).unwrap_or(bytes);
    #[cfg(test)]
    crate::key::work::count(text.len());
    text
}

/// Whether there is no NUL; always false for more than 16 bytes.
#[inline]
fn is_without_nul(bytes: &[u8]) -> bool {
    const LOW: u64 = HIGH >> 7;
    // Sets the highest bit of each NUL, and maybe of bytes after it.
    let nuls = |word: u64| word.wrapping_sub(LOW) & !word & HIGH;
    let double = |word: &[u8; 4]| u64::from(u32::from_ne_bytes(*word)) | HIGH << 32;
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) if bytes.len() <= 16 => {
            nuls(u64::from_ne_bytes(*first)) | nuls(u64::from_ne_bytes(*last)) == 0
        }
        (None, None) => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => nuls(double(first)) | nuls(double(last)) == 0,
            _ => !bytes.contains(&0),
        },
        _ => false,
    }
}

/// The text without a leading byte order mark. Engines drop only one mark.
#[inline]
pub(crate) fn without_bom(bytes: &[u8]) -> &[u8] {
    if let [0xef, 0xbb, 0xbf, rest @ ..] = bytes { rest } else { bytes }
}

/// Whether the engine reads the text as empty.
pub(crate) fn reads_empty(bytes: &[u8]) -> bool {
    matches!(without_bom(bytes), [] | [0, ..])
}

/// Accepts sequences of up to six bytes. Like the old engines, refuses only some overlong forms. Overlong forms of two
/// bytes are refused by their lead byte alone. Longer forms are refused if the lead byte and the first two continuation
/// bytes are nearly zero.
pub(crate) fn lenient(text: &[u8]) -> Result<(), usize> {
    let mut rest = text;
    while let Some((&lead, after)) = rest.split_first() {
        let at = text.len().saturating_sub(rest.len());
        let continuations = match lead {
            0x00..0x80 => 0_usize,
            0xc2..0xe0 => 1,
            0xe0..0xf0 => 2,
            0xf0..0xf8 => 3,
            0xf8..0xfc => 4,
            0xfc..0xfe => 5,
            _ => return Err(at),
        };
        let Some((sequence, next)) = after.split_at_checked(continuations) else {
            return Err(at);
        };
        if sequence.iter().any(|byte| byte & 0xc0 != 0x80) || overlong(lead, sequence) {
            return Err(at);
        }
        rest = next;
    }
    Ok(())
}

/// Whether old engines refuse this sequence of three or more bytes as overlong.
fn overlong(lead: u8, continuations: &[u8]) -> bool {
    let (&[0x80, second, ..], 0xe0 | 0xf0 | 0xf8 | 0xfc) = (continuations, lead) else {
        return false;
    };
    let threshold = match lead {
        0xe0 => 0x90,
        0xf0 => 0x88,
        0xf8 => 0x84,
        _ => 0x82,
    };
    second < threshold
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenient_rejects_what_old_engines_reject() {
        let good: [&[u8]; 10] = [
            b"\xed\xa0\x80",
            b"\xf5\x80\x80\x80",
            b"\xf7\xbf\xbf\xbf",
            b"\xf8\x88\x80\x80\x80",
            b"\xfc\x84\x80\x80\x80\x80",
            b"\xe0\x9f\xbf",
            b"\xf0\x8f\xbf\xbf",
            b"\xf8\x87\xbf\xbf\xbf",
            b"\xfc\x83\xbf\xbf\xbf\xbf",
            b"ok\0\xff",
        ];
        let bad: [&[u8]; 12] = [
            b"\x80",
            b"\xc0\x80",
            b"\xc1\xbf",
            b"\xe0\x80\x80",
            b"\xe0\x80\x8f",
            b"\xf0\x80\x87\x80",
            b"\xf8\x80\x83\x80\x80",
            b"\xfc\x80\x81\x80\x80\x80",
            b"\xfe",
            b"\xff",
            b"\xe2\x82",
            b"\xe2\x82\0",
        ];
        for text in good.into_iter().chain(bad) {
            let is_lenient = check(TextRule::Lenient, text).is_ok();
            assert_eq!(is_lenient, good.contains(&text), "{text:x?}");
        }
    }

    #[test]
    fn the_error_is_where_the_bad_sequence_starts() {
        assert_eq!(check(TextRule::Strict, b"ab\xff"), Err(2));
        assert_eq!(check(TextRule::Lenient, b"ab\xe2\x82"), Err(2));
        assert_eq!(check(TextRule::Unchecked, b"\xff"), Ok(()));
    }

    #[test]
    fn text_ends_at_the_first_nul_of_any_length() {
        for len in 0..40 {
            for other in [1, 0x7f, 0x80, 0x81, 0xff] {
                let mut text = std::vec![other; len];
                assert_eq!(before_nul(&text), text);
                for end in (0..len).rev() {
                    text[end] = 0;
                    assert_eq!(before_nul(&text), &text[..end]);
                }
            }
        }
    }
}
