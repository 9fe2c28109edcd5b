//! Text from files, made safe to print.

use std::fmt::Write as _;

/// Appends `bytes` as text, at most `max` characters of it, and says whether that is all.
///
/// Quotes, control and other invisible characters are escaped, and so are bytes that are not UTF-8;
/// looks at O(max) bytes.
pub(crate) fn escape(out: &mut String, bytes: &[u8], max: usize) -> bool {
    // No character takes more bytes than 4, so that the cut is never arrived at.
    let head = bytes.get(..max.saturating_mul(4).saturating_add(4)).unwrap_or(bytes);
    let mut left = max;
    for chunk in head.utf8_chunks() {
        let end = chunk.valid().char_indices().nth(left).map(|(end, _)| end);
        write_chars(out, end.and_then(|end| chunk.valid().get(..end)).unwrap_or(chunk.valid()));
        if end.is_some() {
            return false;
        }
        left = left.saturating_sub(chunk.valid().chars().count());
        for &byte in chunk.invalid() {
            let Some(fewer) = left.checked_sub(1) else { return false };
            left = fewer;
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    true
}

/// The whole text.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    escape(&mut out, text.as_bytes(), usize::MAX / 8);
    out
}

/// As the standard library has it, but for single quotes, which need no escape.
fn write_chars(out: &mut String, chars: &str) {
    for (i, part) in chars.split('\'').enumerate() {
        if i > 0 {
            out.push('\'');
        }
        out.extend(part.escape_debug());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escape_to(bytes: &[u8], max: usize) -> (String, bool) {
        let mut out = String::new();
        let all = escape(&mut out, bytes, max);
        (out, all)
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        let (text, _) = escape_to("a\"b'\\\n\t\0\x1b[31m\u{202e}\u{e9}".as_bytes(), 100);
        assert_eq!(text, "a\\\"b'\\\\\\n\\t\\0\\u{1b}[31m\\u{202e}\u{e9}");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown() {
        assert_eq!(escape_to(b"a\xff\xc3(", 100), ("a\\xff\\xc3(".into(), true));
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        let long = "\u{1f600}".repeat(10);
        assert_eq!(escape_to(long.as_bytes(), 3), ("\u{1f600}".repeat(3), false));
        assert_eq!(escape_to(long.as_bytes(), 10), (long, true));
        assert_eq!(escape_to(&[0xff; 9], 2), ("\\xff\\xff".into(), false));
        assert_eq!(escape_to(b"", 0), (String::new(), true));
    }
}
