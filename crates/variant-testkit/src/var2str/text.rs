//! Text as the engine reads it, and its escapes.

use std::iter;

use variant_view::StrView;

/// The replacement of a character.
pub(super) type Escape = fn(char) -> Option<&'static str>;

pub(super) fn verbatim(_: char) -> Option<&'static str> {
    None
}

/// In a string: line breaks and tabs are unescaped.
pub(super) fn escape_quotes(c: char) -> Option<&'static str> {
    match c {
        '\\' => Some("\\\\"),
        '"' => Some("\\\""),
        _ => None,
    }
}

/// In a string of a packed array, and in a node path: as in C.
pub(super) fn escape_c(c: char) -> Option<&'static str> {
    match c {
        '\x07' => Some("\\a"),
        '\x08' => Some("\\b"),
        '\x0c' => Some("\\f"),
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\t' => Some("\\t"),
        '\x0b' => Some("\\v"),
        '\'' => Some("\\'"),
        '?' => Some("\\?"),
        _ => escape_quotes(c),
    }
}

pub(super) fn push_quoted(out: &mut String, text: StrView<'_>, escape: Escape) {
    out.push('"');
    push(out, text, escape);
    out.push('"');
}

pub(super) fn push(out: &mut String, text: StrView<'_>, escape: Escape) {
    for c in chars(text.code_points()) {
        match escape(c) {
            Some(escaped) => out.push_str(escaped),
            None => out.push(c),
        }
    }
}

pub(super) fn plain(text: StrView<'_>) -> String {
    chars(text.code_points()).collect()
}

/// A pair of surrogates, which the engine keeps separate, is one character in the records; a code point that is not a
/// character is U+FFFD.
fn chars(points: impl Iterator<Item = u32>) -> impl Iterator<Item = char> {
    let mut points = points.peekable();
    iter::from_fn(move || {
        let point = points.next()?;
        let pair = points.peek().and_then(|&low| joined(point, low));
        if pair.is_some() {
            points.next();
        }
        Some(pair.or(char::from_u32(point)).unwrap_or(char::REPLACEMENT_CHARACTER))
    })
}

fn joined(high: u32, low: u32) -> Option<char> {
    let units = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    let mut chars = char::decode_utf16(units);
    match (chars.next()?.ok()?, chars.next()) {
        (pair, None) => Some(pair),
        _ => None,
    }
}
