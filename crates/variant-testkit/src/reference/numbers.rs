//! docs/spec/format.md#scalars, docs/spec/format.md#mathematical-types and docs/spec/format.md#rid: values of fixed
//! size. docs/spec/format.md#double-precision: the width of reals.

use nom::Parser;
use nom::combinator::map;
use variant_view::Kind;

use super::event::Content;
use super::fault::{Parsed, Part, double_word, take, word};
use super::header::Header;
use super::rules::Rules;

/// docs/spec/format.md#scalars.
pub(super) fn boolean(input: &[u8]) -> Parsed<'_, Content<'_>> {
    map(word(Part::Payload(Kind::Bool)), |word| Content::Bool(word != 0)).parse(input)
}

/// docs/spec/format.md#scalars.
pub(super) fn int(input: &[u8], header: Header, rules: Rules) -> Parsed<'_, Content<'_>> {
    let part = Part::Payload(Kind::Int);
    if header.flag() || rules.has_fixed_scalars() {
        map(double_word(part), |bits| Content::Int(bits.cast_signed(), true)).parse(input)
    } else {
        map(word(part), |bits| Content::Int(bits.cast_signed().into(), false)).parse(input)
    }
}

/// docs/spec/format.md#scalars.
pub(super) fn float(input: &[u8], header: Header) -> Parsed<'_, Content<'_>> {
    let part = Part::Payload(Kind::Float);
    if header.flag() {
        map(double_word(part), |bits| Content::Float(bits, true)).parse(input)
    } else {
        map(word(part), |bits| Content::Float(bits.into(), false)).parse(input)
    }
}

/// docs/spec/format.md#mathematical-types.
pub(super) fn math(
    input: &[u8],
    header: Header,
    count: u32,
    rules: Rules,
) -> Parsed<'_, Content<'_>> {
    let width = width(header, rules);
    let size = u64::from(count.saturating_mul(width));
    map(take(Part::Payload(header.kind), size), |bytes| Content::Numbers(bytes, width)).parse(input)
}

/// docs/spec/format.md#mathematical-types: the number of numbers in a value of this kind.
pub(super) fn count(kind: Kind) -> Option<u32> {
    match kind {
        Kind::Vector2 | Kind::Vector2i => Some(2),
        Kind::Vector3 | Kind::Vector3i => Some(3),
        Kind::Vector4
        | Kind::Vector4i
        | Kind::Rect2
        | Kind::Rect2i
        | Kind::Plane
        | Kind::Quaternion
        | Kind::Color => Some(4),
        Kind::Aabb | Kind::Transform2D => Some(6),
        Kind::Basis => Some(9),
        Kind::Transform3D => Some(12),
        Kind::Projection => Some(16),
        _ => None,
    }
}

/// docs/spec/format.md#double-precision: the size in bytes of one number of a mathematical type, alone or in a packed
/// array.
pub(super) fn width(header: Header, rules: Rules) -> u32 {
    let by_flag = rules.has_wide_reals() && header.flag();
    if is_real(header.kind) && (by_flag || rules.always_wide) { 8 } else { 4 }
}

/// docs/spec/format.md#double-precision: the kinds whose reals the flag widens.
fn is_real(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Vector2
            | Kind::Vector3
            | Kind::Vector4
            | Kind::Rect2
            | Kind::Plane
            | Kind::Quaternion
            | Kind::Aabb
            | Kind::Basis
            | Kind::Transform2D
            | Kind::Transform3D
            | Kind::Projection
            | Kind::PackedVector2Array
            | Kind::PackedVector3Array
            | Kind::PackedVector4Array
    )
}

/// docs/spec/format.md#rid.
pub(super) fn rid(input: &[u8], rules: Rules) -> Parsed<'_, Content<'_>> {
    if rules.has_rid_payload() {
        map(double_word(Part::Payload(Kind::Rid)), Content::Rid).parse(input)
    } else {
        Ok((input, Content::Rid(0)))
    }
}
