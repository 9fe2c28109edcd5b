//! Differences between an engine's text and JSON and what this workspace prints and reads, by design or by defect.

use std::collections::BTreeSet;
use std::iter;

use variant_owned::{TextOptions, TextStyle, Variant, to_text};
use variant_view::{Dialect, Document, Result};

use super::between;
use crate::conformance::options;

/// An allowed difference between texts, or between values read from one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextDeparture {
    /// A number differs in its last digits: the engine prints fewer, or loses some in reading.
    Digits,
    /// A number that is not finite reads as zero.
    NotFinite,
    /// The text does not hold all of the value; both sides read what it holds alike.
    NotInText,
    /// Keys that the engine takes for nearly the same, or for neither less nor more, come in another order.
    KeyOrder,
    /// The engine does not print it: it crashes when it sorts keys without an order, or packed arrays of which one is
    /// empty.
    NotPrinted,
    /// The engine reads a Rect2i through 4-byte reals, so that large integers lose their last digits; Godot 4's JSON
    /// reads the integers of packed arrays through 8-byte reals.
    Integers,
    /// The engine holds the class of stand-ins where the bytes declare objects.
    ObjectType,
    /// The engine prints an unknown element type as nothing; here it is printed as its number.
    UnknownType,
    /// The engine prints `\v` and `\a`, and reads them as letters.
    Escapes,
    /// Godot 3 and Pandemonium print nothing for an RID, and do not read one.
    Rid,
    /// A number near the least of 8 bytes reads as zero, so that two keys may be one.
    Tiny,
    /// JSON holds neither ids of RIDs nor all digits, so that two keys become one: the engine keeps the last, here
    /// that is refused.
    SameKeys,
    /// Godot 4 reads no pair of a typed dictionary if one pair does not fit its types.
    TypedPairs,
    /// A `PackedTypedArray` holds its floats in 4 bytes, and prints nothing for nil.
    PackedElements,
}

/// All departures that are allowed for the text of the engine of a dialect.
pub const fn of_text(dialect: Dialect) -> &'static [TextDeparture] {
    #[allow(clippy::enum_glob_use, reason = "a table of names")]
    use TextDeparture::*;
    match dialect {
        Dialect::Godot3 => {
            &[Digits, NotFinite, NotInText, KeyOrder, NotPrinted, Escapes, Rid, Tiny]
        }
        Dialect::Godot4 => &[
            Digits, NotFinite, NotInText, Integers, ObjectType, Escapes, Tiny, SameKeys, TypedPairs,
        ],
        Dialect::Pandemonium3 => {
            &[Digits, NotInText, KeyOrder, NotPrinted, Integers, Escapes, Rid, Tiny]
        }
        Dialect::Pandemonium4 => &[Digits, NotInText, NotPrinted, Integers, Escapes, Rid, Tiny],
        Dialect::Pandemonium5 => &[
            Digits,
            NotInText,
            KeyOrder,
            NotPrinted,
            Integers,
            ObjectType,
            UnknownType,
            Escapes,
            Rid,
            Tiny,
            PackedElements,
        ],
        _ => &[],
    }
}

/// The departures between two texts that differ only in numbers and the order of lines; empty if they are the same.
pub fn between_texts(ours: &str, theirs: &str) -> Option<BTreeSet<TextDeparture>> {
    let plain = without_numbers_of_types(ours);
    let mut departures = by_tokens(&plain, theirs)
        .or_else(|| (lines(&plain) == lines(theirs)).then(|| [TextDeparture::KeyOrder].into()))?;
    if plain != ours && ours != theirs {
        departures.insert(TextDeparture::UnknownType);
    }
    Some(departures)
}

/// Which text an engine has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOf {
    /// The engine's own.
    Engine,
    /// The text printed here.
    Us,
}

/// The reason why the engine of a dialect may read another value from a text, or none, judged by the text's content.
/// Only reasons that were observed.
pub fn reason(dialect: Dialect, of: TextOf, text: &str) -> Option<TextDeparture> {
    use Dialect::{Godot3, Godot4, Pandemonium5};
    let has = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    let is_own = of == TextOf::Engine;
    if is_own && has(&["\\v", "\\a"]) {
        Some(TextDeparture::Escapes)
    } else if !is_own && dialect != Godot4 && has(&["RID("]) {
        Some(TextDeparture::Rid)
    } else if dialect == Pandemonium5
        && (has(&["TypedArray(  ,"]) || without_numbers_of_types(text) != text)
    {
        Some(TextDeparture::UnknownType)
    } else if dialect == Godot4 && has(&["EncodedObjectAsID"]) {
        Some(TextDeparture::ObjectType)
    } else if dialect == Godot3 && has(&["\u{fffd}"]) {
        Some(TextDeparture::NotInText)
    } else if matches!(dialect, Godot3 | Godot4) && has(&["inf", "nan", "1e99999"]) {
        Some(TextDeparture::NotFinite)
    } else if (!is_own || dialect == Godot4)
        && has(&["e-29", "e-30", "e-31", "e-32", "0.000000000000000"])
    {
        Some(TextDeparture::Tiny)
    } else if dialect == Godot4 && has(&["Dictionary["]) {
        Some(TextDeparture::TypedPairs)
    } else if dialect == Godot4
        && has(&["PackedInt64Array\",\"args"])
        && has(&["9223372036854775807"])
    {
        Some(TextDeparture::Integers)
    } else if dialect == Pandemonium5 && has(&["PackedTypedArray( Nil", "PackedTypedArray( float"])
    {
        Some(TextDeparture::PackedElements)
    } else {
        None
    }
}

/// The lines, sorted, without what separates them.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().map(|line| line.trim_end_matches(',')).collect();
    lines.sort_unstable();
    lines
}

/// `TypedArray( 42 ,` as `TypedArray(  ,`.
fn without_numbers_of_types(text: &str) -> String {
    let mut parts = text.split("TypedArray( ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("TypedArray( ");
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    plain
}

fn by_tokens(ours: &str, theirs: &str) -> Option<BTreeSet<TextDeparture>> {
    let mut departures = BTreeSet::new();
    let (mut ours, mut theirs) = (tokens(ours), tokens(theirs));
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return Some(departures),
            (Some("Object"), Some("EncodedObjectAsID"))
            | (Some("EncodedObjectAsID"), Some("Object")) => {
                departures.insert(TextDeparture::ObjectType);
            }
            (Some(ours), Some(theirs)) if ours == theirs => {}
            (Some(ours), Some(theirs)) => drop(departures.insert(between_numbers(ours, theirs)?)),
            _ => return None,
        }
    }
}

/// The departures between two encoded values that differ only in numbers and in what [`between`] allows.
///
/// # Errors
/// If a value cannot be read.
pub fn between_values(
    dialect: Dialect,
    ours: &[u8],
    theirs: &[u8],
) -> Result<Option<BTreeSet<TextDeparture>>> {
    if between(dialect, ours, theirs)?.is_some() {
        return Ok(Some(BTreeSet::new()));
    }
    let text = |bytes| {
        let value = Variant::from_document(&Document::new(bytes, options(dialect, false)))?;
        Ok(to_text(&value, &TextOptions::new(TextStyle::Godot4)))
    };
    Ok(between_texts(&text(ours)?, &text(theirs)?))
}

/// Splits a text into numbers and the parts between them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_+-.".contains(c);
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (token, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some(token)
    })
}

fn between_numbers(ours: &str, theirs: &str) -> Option<TextDeparture> {
    // JSON cannot express NaN.
    if (ours, theirs) == ("null", "nan") {
        return Some(TextDeparture::NotFinite);
    }
    let theirs: f64 = theirs.parse().ok()?;
    if ["inf", "-inf", "inf_neg", "nan"].contains(&ours) && theirs == 0.0 {
        return Some(TextDeparture::NotFinite);
    }
    let ours: f64 = ours.parse().ok()?;
    if ours.is_infinite() {
        return (ours.to_bits() == theirs.to_bits()).then_some(TextDeparture::NotFinite);
    }
    let difference = (ours - theirs).abs();
    let is_whole = ours.fract() == 0.0 && theirs.fract() == 0.0 && ours.abs() < 4e9;
    if difference <= ours.abs().mul_add(1e-14, 1e-14) {
        Some(TextDeparture::Digits)
    } else {
        // Values that round to 2^31 become the least integer.
        let is_over =
            ours > 2_147_483_583.0 && theirs.to_bits() == (-2_147_483_648.0_f64).to_bits();
        (is_whole && (is_over || difference <= ours.abs() * 1e-7))
            .then_some(TextDeparture::Integers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_near_and_nothing_else_may_differ() {
        let found = |ours, theirs| between_texts(ours, theirs);
        assert_eq!(found("[1, \"a\"]", "[1, \"a\"]"), Some([].into()));
        assert_eq!(
            found("[0.1, 2]", "[0.10000000000000001, 2]"),
            Some([TextDeparture::Digits].into())
        );
        assert_eq!(found("f:1e-40", "f:0.0"), Some([TextDeparture::Digits].into()));
        assert_eq!(found("f:-inf", "f:0.0"), Some([TextDeparture::NotFinite].into()));
        for (ours, theirs) in
            [("[1]", "[2]"), ("[1]", "[1, 1]"), ("0.1", "0.1001"), ("a1", "a2"), ("inf", "1.0")]
        {
            assert_eq!(found(ours, theirs), None, "{ours} {theirs}");
        }
    }
}
