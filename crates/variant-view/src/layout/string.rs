//! Texts with their lengths and padding (docs/spec/format.md#text).

use crate::bytes::{Cursor, Fault, padded, padding, size};
use crate::dialect::DialectRules;
use crate::error::{ErrorKind, Part, Result};
use crate::text::{self, TextRule};

/// A length word, text, and required padding (docs/spec/format.md#text).
#[cfg_attr(not(variant_small), inline(always))]
pub(super) fn padded_text<'a, const TEXT: bool, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    rules: &DialectRules,
) -> Result<&'a [u8], E> {
    let length = cursor.length(Part::TextLength)?;
    let start = *cursor;
    let Ok(whole) = cursor.take(size(padded(length)), Part::Text) else {
        return Err(short_text(start, length));
    };
    // The ASCII check covers whole words, including the padding. Padding may be any bytes, but is normally zero. If
    // padding is not ASCII, the text is checked in full.
    let text = whole.get(..size(length)).unwrap_or(whole);
    if TEXT && rules.text != TextRule::Unchecked && !text::is_ascii(whole) {
        check(start, text, rules)?;
    }
    Ok(text)
}

/// The error for the text, or for its padding if the text is complete.
#[cold]
fn short_text<E: Fault>(mut cursor: Cursor<'_, E>, length: u32) -> E {
    match cursor.take(size(length), Part::Text) {
        Ok(_) => cursor.truncated(size(padding(length)), Part::Padding),
        Err(error) => error,
    }
}

/// The text of a `String`, or of a name without a header.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn string<'a, const TEXT: bool, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    rules: &DialectRules,
) -> Result<&'a [u8], E> {
    if rules.open_string_end { open_text(cursor) } else { padded_text::<TEXT, E>(cursor, rules) }
}

/// Text whose padding may be missing at the end of the document. Only for Godot 2, which never validates text.
fn open_text<'a, E: Fault>(cursor: &mut Cursor<'a, E>) -> Result<&'a [u8], E> {
    let length = cursor.length(Part::TextLength)?;
    let text = cursor.take(size(length), Part::Text)?;
    cursor.take_up_to(size(padding(length)));
    Ok(text)
}

pub(super) fn checked_string<'a, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    rules: &DialectRules,
    check_text: bool,
) -> Result<&'a [u8], E> {
    if check_text { string::<true, E>(cursor, rules) } else { string::<false, E>(cursor, rules) }
}

/// Validates `text`, which starts at `start`, by the dialect's rule.
#[inline(never)]
fn check<E: Fault>(start: Cursor<'_, E>, text: &[u8], rules: &DialectRules) -> Result<(), E> {
    text::check(rules.text, text)
        .map_err(|at| E::new(ErrorKind::InvalidText, start.offset().saturating_add(at)))
}
