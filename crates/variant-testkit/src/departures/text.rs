//! Differences between an engine and this workspace in the printing and reading of text and JSON. They come from design
//! or from defects.

use std::collections::BTreeSet;
use std::iter;

use variant_owned::{TextOptions, TextStyle, Variant, to_text};
use variant_view::{Dialect, Document, Result};

use super::{ENGINES, OLD, between};
use crate::conformance::options;

/// An allowed difference between texts, or between values read from one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextDeparture {
    /// A number differs in its last digits. The engine prints fewer digits, or loses some in reading.
    Digits,
    /// The engine reads infinity or NaN as zero.
    NotFinite,
    /// The text lacks parts of the value. Both sides read the same value from the text.
    NotInText,
    /// The order of keys differs. For the engine, the keys are nearly the same, or have no order.
    KeyOrder,
    /// The engine does not print the value. It crashes when it sorts keys that have no order, or packed arrays of which
    /// one is empty.
    NotPrinted,
    /// The engine reads a Rect2i through 4-byte reals, so that large integers lose their last digits. Godot 4's JSON
    /// reads the integers of packed arrays through 8-byte reals.
    Integers,
    /// For a declared class, the engine declares `EncodedObjectAsID` instead, the class that represents objects by id.
    ObjectType,
    /// The engine prints nothing for an unknown element type. This workspace prints its number.
    UnknownType,
    /// The engine prints `\v` and `\a`, and reads them as letters.
    Escapes,
    /// Godot 3 and Pandemonium print nothing for an RID, and do not read one.
    Rid,
    /// The engine reads a number near the smallest 8-byte number as zero, so that two keys may become one.
    Tiny,
    /// JSON lacks the ids of RIDs and some digits of numbers, so that two keys may become one. The engine keeps the
    /// last of these keys. This workspace refuses the JSON.
    SameKeys,
    /// Godot 4 reads no pair of a typed dictionary if one pair does not fit its types.
    TypedPairs,
    /// The engine holds the floats of a `PackedTypedArray` in 4 bytes, and prints nothing for nil.
    PackedElements,
}

/// A known departure, the engines that have it, and two lists of parts of texts. If a text has one of the parts, an
/// engine may read a different value than this workspace. The first list is for texts that the engine prints, the
/// second for texts that this workspace prints. `*` in a part matches anything.
type Known = (TextDeparture, &'static [Dialect], &'static [&'static str], &'static [&'static str]);

/// The departures that were observed.
const KNOWN: &[Known] = {
    #[allow(clippy::enum_glob_use, reason = "a table of names")]
    use {Dialect::*, TextDeparture::*};
    const PANDEMONIUM: &[Dialect] = &[Pandemonium3, Pandemonium4, Pandemonium5];
    const UNKNOWN: &[&str] = &["TypedArray(  ,"];
    const STAND_IN: &[&str] = &["EncodedObjectAsID"];
    const NOT_FINITE: &[&str] = &["inf", "nan", "1e99999"];
    const TINY: &[&str] = &["e-29", "e-30", "e-31", "e-32", "0.000000000000000"];
    const LARGE: &[&str] = &["PackedInt64Array\",\"args*9223372036854775807"];
    const PACKED: &[&str] = &["PackedTypedArray( Nil", "PackedTypedArray( float"];
    &[
        (Digits, ENGINES, &[], &[]),
        (Escapes, ENGINES, &["\\v", "\\a"], &[]),
        (Rid, OLD, &[], &["RID("]),
        (UnknownType, &[Pandemonium5], UNKNOWN, UNKNOWN),
        (ObjectType, &[Godot4], STAND_IN, STAND_IN),
        (ObjectType, &[Pandemonium5], &[], &[]),
        (NotInText, &[Godot3], &["\u{fffd}"], &["\u{fffd}"]),
        (NotInText, ENGINES, &[], &[]),
        (NotFinite, &[Godot3, Godot4], NOT_FINITE, NOT_FINITE),
        (Tiny, &[Godot4], TINY, TINY),
        (Tiny, OLD, &[], TINY),
        (TypedPairs, &[Godot4], &["Dictionary["], &["Dictionary["]),
        (Integers, &[Godot4], LARGE, LARGE),
        (Integers, PANDEMONIUM, &[], &[]),
        (PackedElements, &[Pandemonium5], PACKED, PACKED),
        (KeyOrder, &[Godot3, Pandemonium3, Pandemonium5], &[], &[]),
        (NotPrinted, OLD, &[], &[]),
        (SameKeys, &[Godot4], &[], &[]),
    ]
};

/// Whether the engine of a dialect is known to have a departure.
pub fn is_known(dialect: Dialect, departure: TextDeparture) -> bool {
    KNOWN.iter().any(|(known, engines, ..)| *known == departure && engines.contains(&dialect))
}

/// The departures between two texts. Empty if they are the same. `None` if they differ in more than numbers and the
/// order of lines.
pub fn between_texts(ours: &str, theirs: &str) -> Option<BTreeSet<TextDeparture>> {
    let plain = without_numbers_of_types(ours);
    let mut departures = by_tokens(&plain, theirs)
        .or_else(|| (lines(&plain) == lines(theirs)).then(|| [TextDeparture::KeyOrder].into()))?;
    if plain != ours && ours != theirs {
        departures.insert(TextDeparture::UnknownType);
    }
    Some(departures)
}

/// The origin of the text that an engine has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOf {
    /// The text that the engine printed.
    Engine,
    /// The text that this workspace printed.
    Us,
}

/// The reason why the engine of a dialect may read a different value than this workspace, or no value, from a text.
/// Determined by the parts of the text.
pub fn reason(dialect: Dialect, of: TextOf, text: &str) -> Option<TextDeparture> {
    let text = without_numbers_of_types(text);
    let has = |part: &&str| part.split('*').all(|part| text.contains(part));
    let is_it = |(_, engines, theirs, ours): &&Known| {
        let parts = if of == TextOf::Engine { theirs } else { ours };
        engines.contains(&dialect) && parts.iter().any(has)
    };
    KNOWN.iter().find(is_it).map(|&(departure, ..)| departure)
}

/// The lines in sorted order, without the commas at their ends.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().map(|line| line.trim_end_matches(',')).collect();
    lines.sort_unstable();
    lines
}

/// The text without the numbers of types: `TypedArray( 42 ,` becomes `TypedArray(  ,`.
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

/// The departures between two encoded values. `None` if they differ in more than numbers and the departures of
/// [`between`].
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
        // The engine turns values that round to 2^31 into the least integer.
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
