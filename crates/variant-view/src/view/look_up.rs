//! Look-up of several keys in one pass over a dictionary.

use super::wanted::Wanted;
use super::{Raw, Source, VariantView};
use crate::bytes::Unfit;
use crate::dialect::by_dialect;
use crate::error::{ErrorKind, Limit, Result};
use crate::header::Header;
use crate::key::TextValue;
use crate::kind::Kind;
use crate::layout::{self, Extent};
use crate::options::Mode;
use crate::scan;
use crate::scan::flat::Words;

/// Returns the values that `fill` sets. The values are set in place, because moving them causes store-forwarding
/// stalls.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn in_place<'a, const N: usize>(
    fill: impl FnOnce(&mut [Option<VariantView<'a>>]) -> Result<()>,
) -> Result<[Option<VariantView<'a>>; N]> {
    let mut values = Ok([None; N]);
    if let Ok(places) = &mut values
        && let Err(error) = fill(places)
    {
        values = Err(error);
    }
    values
}

/// Sets the value of each of `keys` that the dictionary has.
#[inline(never)]
pub(crate) fn look_up<'a>(
    source: Source<'a>,
    keys: &mut [Wanted<'_>],
    values: &mut [Option<VariantView<'a>>],
) -> Result<()> {
    if find::<false>(source.raw.bytes, source.mode, keys).is_none() {
        // A second pass finds the exact error.
        forget(keys);
        find_slowly(source, keys)?;
    }
    fetch(source, keys, values)
}

/// Validates a document whose root is a dictionary, and sets the values of the `keys` that the dictionary has. `None`
/// if something is wrong, or in a rare case such as declared types.
#[inline(never)]
pub(crate) fn look_up_validated<'a>(
    bytes: &'a [u8],
    mode: Mode,
    keys: &mut [Wanted<'_>],
    values: &mut [Option<VariantView<'a>>],
) -> Option<()> {
    find::<true>(bytes, mode, keys)?;
    fetch(Source { raw: Raw { bytes, offset: 0 }, mode }, keys, values).ok()
}

/// Resets `keys` for another pass.
pub(crate) fn forget(keys: &mut [Wanted<'_>]) {
    for wanted in keys {
        wanted.found = 0;
    }
}

/// Reads the values that have been found.
#[cfg_attr(not(variant_small), inline(always))]
fn fetch<'a>(
    source: Source<'a>,
    keys: &[Wanted<'_>],
    values: &mut [Option<VariantView<'a>>],
) -> Result<()> {
    let Source { raw: Raw { bytes, offset }, mode } = source;
    let mode = mode.inner();
    for (wanted, value) in keys.iter().zip(values) {
        let at = wanted.found;
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

/// Finds where the values of `keys` start. `None` if something is wrong, or in a rare case such as declared types.
/// `TEXT`: whether text is validated.
#[cfg_attr(not(variant_small), inline(always))]
fn find<const TEXT: bool>(bytes: &[u8], mode: Mode, keys: &mut [Wanted<'_>]) -> Option<()> {
    by_dialect!(mode.dialect, |dialect| {
        let mode = Mode { dialect, ..mode };
        find_in::<TEXT>(bytes, mode, keys)
    })
}

#[cfg_attr(not(variant_small), inline(always))]
fn find_in<const TEXT: bool>(bytes: &[u8], mode: Mode, keys: &mut [Wanted<'_>]) -> Option<()> {
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
    let mut at = 2_usize;
    let mut is_open = false;
    for _ in 0..pairs {
        let header = words.header(at)?;
        let start = at;
        if let Kind::String | Kind::StringName = header.kind {
            at = words.text(at.wrapping_add(1))?;
            let key = words.bytes_from(start)?;
            let text = TextValue::read(key);
            for wanted in &mut *keys {
                if wanted.is_text(header.kind, text.as_ref(), key, rules) {
                    wanted.found = at.wrapping_mul(4);
                }
            }
        } else {
            at = words.any_value(at, &mut is_open)?;
            let key = words.bytes_from(start)?;
            compare_scalar(header.kind, key, words.mode(), keys, at.wrapping_mul(4));
        }
        at = words.value(at, words.header(at)?, &mut is_open)?;
    }
    words.end(at, is_open).map(drop)
}

/// Compares a key that is not text, at the start of `bytes`, with the wanted keys.
#[inline(never)]
fn compare_scalar(kind: Kind, bytes: &[u8], mode: Mode, keys: &mut [Wanted<'_>], behind: usize) {
    for wanted in keys {
        if wanted.key().is_scalar(kind, bytes, mode) {
            wanted.found = behind;
        }
    }
}

/// [`find`] with exact errors. Also handles the rare cases.
#[cold]
#[inline(never)]
fn find_slowly(source: Source<'_>, keys: &mut [Wanted<'_>]) -> Result<()> {
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
        for wanted in &mut *keys {
            let is_key = match text {
                Some(text) => wanted.key().is_text(header.kind, text, rules),
                None => wanted.key().is_scalar(header.kind, start.rest(), mode),
            };
            if is_key {
                wanted.found = cursor.offset().wrapping_sub(base);
            }
        }
        scan::skip(&mut cursor, mode)?;
    }
    Ok(())
}
