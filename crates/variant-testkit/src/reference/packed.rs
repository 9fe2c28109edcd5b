//! docs/spec/format.md#packed-arrays: packed arrays.

use nom::Parser;
use nom::combinator::map;
use nom::multi;
use variant_view::Kind;

use super::event::Content;
use super::fault::{Fault, Parsed, Part, fail, take, word};
use super::header::Header;
use super::numbers;
use super::rules::Rules;
use super::text::{open_text, skip_padding};

/// An array with elements of equal size.
pub(super) fn packed(input: &[u8], header: Header, size: u32) -> Parsed<'_, Content<'_>> {
    let (rest, count) = word(Part::Count(header.kind)).parse(input)?;
    if i32::try_from(count).is_err() {
        return fail(Fault::Negative(Part::Count(header.kind), count), input);
    }
    let bytes = u64::from(count).saturating_mul(size.into());
    map(take(Part::Elements(header.kind), bytes), |bytes| Content::Elements(bytes, count))
        .parse(rest)
}

/// The size of one element in bytes.
pub(super) fn size(header: Header, rules: Rules) -> Option<u32> {
    let reals = numbers::width(header, rules);
    match header.kind {
        Kind::PackedInt32Array | Kind::PackedFloat32Array => Some(4),
        Kind::PackedInt64Array | Kind::PackedFloat64Array => Some(8),
        Kind::PackedVector2Array | Kind::PackedVector2iArray => Some(reals.saturating_mul(2)),
        Kind::PackedVector3Array | Kind::PackedVector3iArray => Some(reals.saturating_mul(3)),
        Kind::PackedVector4Array | Kind::PackedVector4iArray => Some(reals.saturating_mul(4)),
        Kind::PackedColorArray => Some(16),
        _ => None,
    }
}

/// A byte array. Its padding may be missing at the end of the buffer.
pub(super) fn bytes(input: &[u8], header: Header) -> Parsed<'_, Content<'_>> {
    let (padding, content) = packed(input, header, 1)?;
    let rest = match content {
        Content::Elements(bytes, _) => skip_padding(padding, bytes),
        _ => padding,
    };
    Ok((rest, content))
}

/// An array of strings. A negative count is read as 0. The NUL at the end of each string is not part of the string.
pub(super) fn strings(input: &[u8], rules: Rules) -> Parsed<'_, Content<'_>> {
    let (rest, count) = word(Part::Count(Kind::PackedStringArray)).parse(input)?;
    let count = usize::try_from(count.cast_signed()).unwrap_or(0);
    let string = map(|input| open_text(input, rules), |text| without_nul(text, rules));
    map(multi::count(string, count), Content::Strings).parse(rest)
}

fn without_nul(text: &[u8], rules: Rules) -> &[u8] {
    match text.strip_suffix(b"\0") {
        Some(text) if rules.has_terminators() => text,
        _ => text,
    }
}
