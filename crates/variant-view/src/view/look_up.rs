//! Look-up of several keys in one pass over a dictionary.

use core::slice;

use super::key::Key;
use super::raw::Source;
use super::{Raw, VariantView};
use crate::bytes::{Unfit, size};
use crate::dialect::{DialectRules, by_dialect};
use crate::error::{ErrorKind, Limit, Result};
use crate::header::Header;
use crate::key::Short;
use crate::kind::Kind;
use crate::layout::{self, Extent};
use crate::options::Mode;
use crate::scan;
use crate::scan::flat::Words;

/// A key to look up, and its text in words if it is short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'k> {
    key: Key<'k>,
    /// [`Short::NONE`] if it is not short.
    short: Short,
}

impl<'k> Wanted<'k> {
    #[inline(always)]
    pub(crate) fn new(key: Key<'k>) -> Self {
        let short = match key {
            Key::String(text) | Key::StringName(text) => Short::of_text(text),
            _ => None,
        };
        Self { key, short: short.unwrap_or(Short::NONE) }
    }

    pub(crate) const fn key(&self) -> Key<'k> {
        self.key
    }

    /// Whether a key of this kind of text and these words is equal.
    #[inline(always)]
    fn is_short(&self, kind: Kind, text: Short, rules: &DialectRules) -> bool {
        self.short == text && (rules.keys.one_text_key || self.key.is_of(kind))
    }
}

/// The offsets of the values found, counted from the header of the dictionary; 0 for none.
type Found = [usize];

/// Sets the values of the `keys` that the dictionary has.
///
/// Each view is written where it stays: building it elsewhere and moving it causes store-forwarding stalls.
#[inline(never)]
pub(crate) fn look_up<'a>(
    source: Source<'a>,
    keys: &[Wanted<'_>],
    found: &mut Found,
    values: &mut [Option<VariantView<'a>>],
) -> Result<()> {
    if find::<false>(source.raw.bytes, source.mode, keys, found).is_none() {
        // A second pass finds the exact error.
        found.fill(0);
        find_slowly(source, keys, found)?;
    }
    // Keys on the wire end at a NUL, so a key with one is cut and looked up again.
    if keys.iter().zip(&*found).any(|(wanted, &at)| at == 0 && wanted.key.has_nul()) {
        find_cut(source, keys, found)?;
    }
    fetch(source, found, values)
}

/// Validates a document whose root is a dictionary, and sets the values of the `keys` that it has; none if
/// something is wrong or rare.
#[inline(never)]
pub(crate) fn look_up_validated<'a>(
    bytes: &'a [u8],
    mode: Mode,
    keys: &[Wanted<'_>],
    found: &mut Found,
    values: &mut [Option<VariantView<'a>>],
) -> Option<()> {
    if keys.iter().any(|wanted| wanted.key.has_nul()) {
        return None;
    }
    find::<true>(bytes, mode, keys, found)?;
    fetch(Source { raw: Raw { bytes, offset: 0 }, mode }, found, values).ok()
}

/// Reads the values that have been found.
#[inline(always)]
fn fetch<'a>(
    source: Source<'a>,
    found: &Found,
    values: &mut [Option<VariantView<'a>>],
) -> Result<()> {
    let Source { raw: Raw { bytes, offset }, mode } = source;
    let mode = mode.inner();
    for (&at, value) in found.iter().zip(values) {
        if at == 0 {
            continue;
        }
        let bytes = bytes.get(at..).unwrap_or_default();
        let offset = offset.wrapping_add(at);
        if let Err(Unfit) = VariantView::put(bytes, offset, mode, value) {
            *value = Some(VariantView::starting(bytes, offset, mode)?);
        }
    }
    Ok(())
}

/// Finds where the values of `keys` start; none if something is wrong or rare. `TEXT`: whether text is validated.
#[inline(always)]
fn find<const TEXT: bool>(
    bytes: &[u8],
    mode: Mode,
    keys: &[Wanted<'_>],
    found: &mut Found,
) -> Option<()> {
    by_dialect!(mode.dialect, |dialect| {
        find_in::<TEXT>(bytes, Mode { dialect, ..mode }, keys, found)
    })
}

#[inline(always)]
fn find_in<const TEXT: bool>(
    bytes: &[u8],
    mode: Mode,
    keys: &[Wanted<'_>],
    found: &mut Found,
) -> Option<()> {
    let rules = mode.dialect.rules();
    let words = Words::<TEXT>::new(bytes, mode.inner());
    let header = words.header(0)?;
    if header.kind != Kind::Dictionary || layout::has_types(header, rules) {
        return None;
    }
    let pairs = words.word(1)? & layout::COUNT;
    if pairs > 0 && mode.depth == 0 {
        return None;
    }
    let are_short = keys.iter().all(|wanted| wanted.short != Short::NONE);
    let mut at = 2_usize;
    let mut is_open = false;
    for _ in 0..pairs {
        let header = words.header(at)?;
        let start = at;
        if let Kind::String | Kind::StringName = header.kind {
            let short;
            (short, at) = read_text(&words, at.wrapping_add(1))?;
            match short {
                Some(short) if are_short => {
                    for (wanted, place) in keys.iter().zip(&mut *found) {
                        if wanted.is_short(header.kind, short, rules) {
                            *place = at.wrapping_mul(4);
                        }
                    }
                }
                _ => compare_text(header.kind, words.bytes_from(start)?, rules, keys, found, at)?,
            }
        } else {
            at = words.any_value(at, &mut is_open)?;
            let key = words.bytes_from(start)?;
            compare_scalar(header.kind, key, words.mode(), keys, found, at);
        }
        at = words.value(at, words.header(at)?, &mut is_open)?;
    }
    words.end(at, is_open).map(drop)
}

/// The text whose length is at `at`, if it is short, and the position past it.
#[inline(always)]
fn read_text<const TEXT: bool>(
    words: &Words<'_, TEXT>,
    at: usize,
) -> Option<(Option<Short>, usize)> {
    let length = words.word(at)?;
    let start = at.wrapping_add(1);
    let short = match length {
        1..=4 => Short::of_words(words.word(start)?.into(), 0, length),
        5..=8 => Short::of_words(words.double_word(start)?, 0, length),
        9..=12 => {
            let last = words.word(start.wrapping_add(2))?;
            Short::of_words(words.double_word(start)?, last.into(), length)
        }
        13..=16 => {
            let last = words.double_word(start.wrapping_add(2))?;
            Short::of_words(words.double_word(start)?, last, length)
        }
        _ => None,
    };
    // Each arm adds a constant, so that a processor that guesses the length knows where the value is.
    let behind = match (short, length) {
        (None, _) => words.text(at)?,
        (Some(_), ..=4) => at.wrapping_add(2),
        (Some(_), 5..=8) => at.wrapping_add(3),
        (Some(_), 9..=12) => at.wrapping_add(4),
        (Some(_), _) => at.wrapping_add(5),
    };
    Some((short, behind))
}

/// Compares a text of any length and any bytes, at the start of `bytes`, with the keys.
#[inline(never)]
fn compare_text(
    kind: Kind,
    bytes: &[u8],
    rules: &DialectRules,
    keys: &[Wanted<'_>],
    found: &mut Found,
    behind: usize,
) -> Option<()> {
    let length = u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?);
    let text = bytes.get(8..)?.get(..size(length))?;
    for (wanted, place) in keys.iter().zip(found) {
        if wanted.key.is_text(kind, text, rules) {
            *place = behind.wrapping_mul(4);
        }
    }
    Some(())
}

/// Compares a key of another kind, at the start of `bytes`, with the keys.
#[inline(never)]
fn compare_scalar(
    kind: Kind,
    bytes: &[u8],
    mode: Mode,
    keys: &[Wanted<'_>],
    found: &mut Found,
    behind: usize,
) {
    for (wanted, place) in keys.iter().zip(found) {
        if wanted.key.is_scalar(kind, bytes, mode) {
            *place = behind.wrapping_mul(4);
        }
    }
}

/// Looks keys up again, cut at their first NUL.
#[cold]
#[inline(never)]
fn find_cut(source: Source<'_>, keys: &[Wanted<'_>], found: &mut Found) -> Result<()> {
    for (wanted, place) in keys.iter().zip(found) {
        let cut = Wanted { key: wanted.key.cut(), short: Short::NONE };
        *place = 0;
        find_slowly(source, &[cut], slice::from_mut(place))?;
    }
    Ok(())
}

/// [`find`] with exact errors, and for what is rare.
#[cold]
#[inline(never)]
fn find_slowly(source: Source<'_>, keys: &[Wanted<'_>], found: &mut Found) -> Result<()> {
    let rules = source.mode.dialect.rules();
    let mode = source.mode.inner();
    let base = source.raw.offset;
    let mut cursor = source.raw.cursor();
    let header = Header::read(&mut cursor, rules)?.of_kind(Kind::Dictionary);
    let (mut cursor, extent) = layout::payload::<false, _>(header, cursor, source.mode)?;
    let Extent::Open { items, .. } = extent else { return Ok(()) };
    if items > 0 && source.mode.depth == 0 {
        return Err(cursor.error(ErrorKind::LimitExceeded { limit: Limit::Depth }));
    }
    for _ in 0..items / 2 {
        let start = cursor;
        let header = Header::read(&mut cursor, rules)?;
        let text = match header.kind {
            Kind::String | Kind::StringName => {
                Some(layout::string::<false, _>(&mut cursor, rules)?)
            }
            _ => {
                cursor = scan::skip_apart(start, mode)?;
                None
            }
        };
        for (wanted, place) in keys.iter().zip(&mut *found) {
            let is_key = match text {
                Some(text) => wanted.key.is_text(header.kind, text, rules),
                None => wanted.key.is_scalar(header.kind, start.rest(), mode),
            };
            if is_key {
                *place = cursor.offset().wrapping_sub(base);
            }
        }
        scan::skip(&mut cursor, mode)?;
    }
    Ok(())
}
