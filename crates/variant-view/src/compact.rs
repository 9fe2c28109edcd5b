//! Reads one value in the compact form of Godot 4's multiplayer (docs/spec/multiplayer.md, section 5).
//! `variant-multiplayer` reads rows of such values.

use crate::bytes::Cursor;
use crate::error::{ErrorKind, Limit, Result};
use crate::layout::Extent;
use crate::options::{Options, Profile};
use crate::scan;
use crate::validate::{self, Summary};
use crate::view::{VariantView, compact_deviation};

/// Reads the value at the start of `rest`, and moves `rest` past the value. `offset` is the position of `rest` in a
/// buffer. After an error `rest` is unchanged. O(1), for containers O(bytes of the value).
///
/// # Errors
/// Bytes that are not a value.
#[cfg_attr(not(variant_small), inline(always))]
pub fn read_compact<'a>(
    rest: &mut &'a [u8],
    offset: usize,
    options: &Options,
) -> Result<VariantView<'a>> {
    let mode = options.mode();
    let start = Cursor::new(rest, offset);
    let mut cursor = start;
    if let Some(scalar) = VariantView::compact_scalar(&mut cursor)? {
        *rest = cursor.rest();
        return Ok(scalar);
    }
    let (view, extent) = VariantView::read(&mut cursor, mode)?;
    if let Extent::Open { .. } = extent {
        cursor = start;
        scan::skip(&mut cursor, mode)?;
    }
    *rest = cursor.rest();
    Ok(view)
}

/// Validates the value at the start of `bytes`. `offset` is the position of `bytes` in a buffer. O(bytes of the value).
///
/// # Errors
/// Those of [`Document::validate`](crate::Document::validate).
pub fn validate_compact(bytes: &[u8], offset: usize, options: &Options) -> Result<Summary> {
    let start = Cursor::new(bytes, offset);
    if options.limits.values == 0 {
        return Err(start.error(ErrorKind::LimitExceeded { limit: Limit::Values }));
    }
    let mut cursor = start;
    if let Some(scalar) = VariantView::compact_scalar(&mut cursor)? {
        return validate_scalar(&scalar, start, options);
    }
    validate::validate(alone(bytes, start, options)?, options)
        .map_err(|error| error.in_buffer(offset))
}

/// Returns `bytes`, which start with a value. For the canonical profile, which refuses trailing bytes, returns only the
/// bytes of that value.
fn alone<'a>(bytes: &'a [u8], start: Cursor<'a>, options: &Options) -> Result<&'a [u8]> {
    if options.profile == Profile::Engine {
        return Ok(bytes);
    }
    let mut behind = start;
    scan::skip(&mut behind, options.mode())?;
    let len = bytes.len().saturating_sub(behind.rest().len());
    Ok(bytes.get(..len).unwrap_or(bytes))
}

/// Checks the size of a `bool` or an `int`. For the canonical profile, also checks that the engine writes these bytes.
fn validate_scalar(
    scalar: &VariantView<'_>,
    start: Cursor<'_>,
    options: &Options,
) -> Result<Summary> {
    let bytes = scalar.raw_bytes()?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > options.limits.bytes {
        return Err(start.error(ErrorKind::LimitExceeded { limit: Limit::Bytes }));
    }
    if options.profile == Profile::Canonical
        && let Some(deviation) = compact_deviation(scalar, bytes)
    {
        return Err(start.error(ErrorKind::NotCanonical(deviation)));
    }
    Ok(Summary { consumed: bytes.len(), values: 1, depth: 0 })
}
