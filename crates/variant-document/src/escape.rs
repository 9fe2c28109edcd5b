//! Escaping text from files for terminals.

use std::fmt::Write as _;

use variant_view::is_invisible;

/// Appends at most `max` characters of `bytes` as text. Returns whether all of the text was appended. O(max).
///
/// Escapes quotes, control and other invisible characters, and bytes that are not UTF-8.
pub fn escape(out: &mut String, bytes: &[u8], max: usize) -> bool {
    // A character has at most 4 bytes, so `head` has more than `max` characters if it is cut.
    let head = bytes.get(..max.saturating_mul(4).saturating_add(4)).unwrap_or(bytes);
    let mut left = max;
    for chunk in head.utf8_chunks() {
        let end = chunk.valid().char_indices().nth(left).map(|(end, _)| end);
        let chars = end.and_then(|end| chunk.valid().get(..end)).unwrap_or(chunk.valid());
        write_chars(out, chars, &['\'']);
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

/// At most `max` characters of the bytes as text, escaped.
pub fn cut(bytes: &[u8], max: usize) -> String {
    let mut out = String::new();
    escape(&mut out, bytes, max);
    out
}

/// The whole text, escaped.
pub fn escaped(text: &str) -> String {
    cut(text.as_bytes(), usize::MAX / 8)
}

/// One line with control and other invisible characters escaped. Such characters may control a terminal, or make texts
/// look alike. Existing escapes are kept.
pub fn neutral(line: &str) -> String {
    let mut out = String::new();
    write_chars(&mut out, line, &['\'', '"', '\\']);
    out
}

/// Several lines with control and other invisible characters escaped, except line feeds.
pub fn neutral_lines(text: &str) -> String {
    let mut out = String::new();
    write_chars(&mut out, text, &['\'', '"', '\\', '\n']);
    out
}

/// Escapes quotes, backslashes and invisible characters, except the characters in `kept`.
fn write_chars(out: &mut String, chars: &str, kept: &[char]) {
    for (at, c) in chars.char_indices() {
        // A combining mark at the beginning would combine with the text before, so it is escaped.
        let is_lone_mark = at == 0 && c.escape_debug().len() > 1;
        match c {
            _ if kept.contains(&c) => out.push(c),
            '\0' | '\t' | '\r' | '\n' | '"' | '\'' | '\\' => out.extend(c.escape_debug()),
            _ if is_lone_mark || is_invisible(c) => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
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

    /// Tests control characters, marks that change the direction of text, and characters without width.
    #[test]
    fn nothing_hidden_is_left_in_a_line() {
        let ranges = [
            '\0'..='\x1f',
            '\x7f'..='\u{9f}',
            '\u{200b}'..='\u{200f}',
            '\u{2028}'..='\u{202e}',
            '\u{2060}'..='\u{206f}',
            '\u{feff}'..='\u{feff}',
            '\u{ad}'..='\u{ad}',
            '\u{115f}'..='\u{1160}',
            '\u{3164}'..='\u{3164}',
            '\u{ffa0}'..='\u{ffa0}',
            '\u{e0000}'..='\u{e007f}',
        ];
        for hidden in ranges.into_iter().flatten() {
            let line = neutral(&format!("a{hidden}b"));
            assert!(line.starts_with("a\\") && line.ends_with('b'), "{line:?}");
        }
        assert_eq!(neutral_lines("a\nb\x1b"), "a\nb\\u{1b}");
    }

    #[test]
    fn a_mark_without_a_letter_is_escaped() {
        assert_eq!(neutral("\u{301}e\u{301}"), "\\u{301}e\u{301}");
        assert_eq!(escape_to("\u{301}".as_bytes(), 9).0, "\\u{301}");
    }

    #[test]
    fn what_is_neutral_stays() {
        for line in ["[\"a'b\"]\\u{1b}\\n", "e\u{301}\u{e9}\u{65e5}", ""] {
            assert_eq!(neutral(line), line);
            assert_eq!(neutral(&neutral(line)), line);
        }
    }
}
