//! The layout of each kind. Only this module converts lengths to ranges (docs/spec/format.md).

mod node_path;
mod string;
mod types;

use node_path::node_path;
pub(crate) use node_path::{NODE_PATH_ABSOLUTE, NODE_PATH_PROPERTY, NodePathHead};
use string::checked_string;
pub(crate) use string::string;
pub(crate) use types::{WireType, class_of_elements, element_type, typed_element};
use types::{typed_array, typed_dictionary};

use crate::bytes::{Cursor, Fault, padding, size};
use crate::contents::Contents;
use crate::dialect::DialectRules;
use crate::error::{ErrorKind, Limit, Part, Result};
use crate::header::Header;
use crate::kind::{Kind, NumberType, Shape, Width, by_kind, by_shape};
use crate::options::{Mode, Objects, Reals};
use crate::text;

/// The layout of a kind's payload, equal in every dialect that has the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    Empty,
    /// A fixed number of bytes.
    Fixed(u8),
    /// 4 or 8 bytes. The header flag decides, or all values of the dialect have the same width.
    Scalar,
    /// A fixed number of reals.
    Reals(u8),
    Text,
    NodePath,
    Rid,
    Object,
    Signal,
    Image,
    InputEvent,
    Array,
    TypedArray,
    Dictionary,
    /// A count, bytes, padding.
    Bytes,
    /// A count, then elements of this size in bytes.
    Packed(u8),
    /// A count, then elements of this many reals.
    PackedReals(u8),
    /// A count, then texts.
    Strings,
}

impl Payload {
    #[cfg_attr(not(variant_small), inline(always))]
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the size is at most 16 bytes"
    )]
    const fn of_numbers(shape: Shape) -> Self {
        // The width does not matter, because kinds with reals do not use `bytes`.
        let bytes = shape.bytes(Width::W32) as u8;
        match (shape.number, shape.is_packed) {
            (NumberType::Byte, _) => Self::Bytes,
            (NumberType::Real, false) => Self::Reals(shape.count),
            (NumberType::Real, true) => Self::PackedReals(shape.count),
            (_, false) => Self::Fixed(bytes),
            (_, true) => Self::Packed(bytes),
        }
    }
}

impl Kind {
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) const fn payload(self) -> Payload {
        match self {
            Self::Nil | Self::Callable => Payload::Empty,
            Self::Bool => Payload::Fixed(4),
            Self::Int | Self::Float => Payload::Scalar,
            Self::String | Self::StringName => Payload::Text,
            Self::Image => Payload::Image,
            Self::NodePath => Payload::NodePath,
            Self::Rid => Payload::Rid,
            Self::Object => Payload::Object,
            Self::InputEvent => Payload::InputEvent,
            Self::Signal => Payload::Signal,
            Self::Dictionary => Payload::Dictionary,
            Self::Array => Payload::Array,
            Self::TypedArray | Self::PackedTypedArray => Payload::TypedArray,
            Self::PackedStringArray => Payload::Strings,
            kind => by_shape!(kind, Payload::of_numbers, Payload::Empty),
        }
    }
}

/// The result of [`measure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The value ends here.
    Leaf,
    /// This many items follow and belong to the value.
    Open { items: u32, form: Contents },
}

/// Measures one value; for a container only the part before its first child.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn measure<E: Fault>(
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<(Cursor<'_, E>, Extent), E> {
    let header = Header::read(&mut cursor, mode.dialect.rules())?;
    by_kind!(header.kind, |kind| payload::<false, E>(header.of_kind(kind), cursor, mode))
}

/// Measures the payload after a header; for a container only the part before its first child.
///
/// Always inlined, for callers that know the kind at compile time. `TEXT`: whether text is validated by the dialect's
/// rule.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn payload<const TEXT: bool, E: Fault>(
    header: Header,
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<(Cursor<'_, E>, Extent), E> {
    let rules = mode.dialect.rules();
    let kind = header.kind;
    match kind.payload() {
        Payload::Empty => {}
        Payload::Fixed(bytes) => drop(cursor.take(usize::from(bytes), Part::Payload(kind))?),
        Payload::Scalar => match scalar_width(header, rules) {
            4 => drop(cursor.take(4, Part::Payload(kind))?),
            _ => drop(cursor.take(8, Part::Payload(kind))?),
        },
        Payload::Reals(lanes) => match real_width(header, mode) {
            4 => drop(cursor.take(usize::from(lanes).saturating_mul(4), Part::Payload(kind))?),
            _ => drop(cursor.take(usize::from(lanes).saturating_mul(8), Part::Payload(kind))?),
        },
        Payload::Text => drop(string::<TEXT, E>(&mut cursor, rules)?),
        Payload::Bytes => byte_array(&mut cursor)?,
        Payload::Packed(bytes) => packed(&mut cursor, kind, usize::from(bytes))?,
        Payload::PackedReals(lanes) => {
            let bytes = usize::from(lanes).saturating_mul(real_width(header, mode));
            packed(&mut cursor, kind, bytes)?;
        }
        Payload::Array if !has_types(header, rules) => {
            let items = cursor.u32(Part::Count(kind))? & COUNT;
            return Ok((cursor, Extent::Open { items, form: Contents::Elements }));
        }
        Payload::Dictionary if !has_types(header, rules) => {
            let pairs = cursor.u32(Part::Count(kind))? & COUNT;
            // A count is at most 2^31 - 1 pairs, so twice that number fits.
            let items = pairs.wrapping_mul(2);
            return Ok((cursor, Extent::Open { items, form: Contents::Pairs }));
        }
        _ => return rare(header, cursor, mode, TEXT),
    }
    Ok((cursor, Extent::Leaf))
}

/// Whether a container declares types in the form of Godot 4.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) const fn has_types(header: Header, rules: &DialectRules) -> bool {
    rules.typed_containers && header.type_bits() != 0
}

/// Rare layouts, kept out of the hot code.
#[inline(never)]
fn rare<E: Fault>(
    header: Header,
    mut rest: Cursor<'_, E>,
    mode: Mode,
    check_text: bool,
) -> Result<(Cursor<'_, E>, Extent), E> {
    let rules = mode.dialect.rules();
    let kind = header.kind;
    let cursor = &mut rest;
    let mut extent = Extent::Leaf;
    if rules.unsupported.contains(&kind) {
        return Err(cursor.error(ErrorKind::Unsupported { kind }));
    }
    match kind.payload() {
        Payload::Rid if rules.rid_payload => drop(cursor.u64(Part::Payload(kind))?),
        Payload::NodePath => node_path(cursor, rules, check_text)?,
        Payload::Strings => strings(cursor, rules, check_text)?,
        Payload::Signal => {
            checked_string(cursor, rules, check_text)?;
            cursor.u64(Part::Payload(kind))?;
        }
        Payload::Image => image(cursor)?,
        Payload::InputEvent => input_event(cursor)?,
        Payload::TypedArray => {
            if mode.depth == 0
                && let Some(class) = class_of_elements(*cursor, header, rules)
            {
                return Err(class.error(ErrorKind::LimitExceeded { limit: Limit::Depth }));
            }
            typed_element(cursor, header, rules, check_text)?;
            let items = cursor.u32(Part::Count(kind))? & COUNT;
            extent = Extent::Open { items, form: Contents::Elements };
        }
        Payload::Array => extent = typed_array(cursor, header, rules, check_text)?,
        Payload::Dictionary => extent = typed_dictionary(cursor, header, rules, check_text)?,
        Payload::Object => extent = object(cursor, header, mode, check_text)?,
        _ => {}
    }
    Ok((rest, extent))
}

/// Mask for the count; bit 31 is Godot 2's shared flag.
pub(crate) const COUNT: u32 = 0x7fff_ffff;

#[cfg_attr(not(variant_small), inline(always))]
pub(crate) const fn scalar_width(header: Header, rules: &DialectRules) -> usize {
    let rule = if matches!(header.kind, Kind::Float) { rules.float } else { rules.int };
    let width = if header.flag() { rule.with } else { rule.without };
    width.bytes()
}

/// The size of one real of a mathematical type in bytes (docs/spec/format.md#double-precision).
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) const fn real_width(header: Header, mode: Mode) -> usize {
    match mode.reals {
        Reals::Always64 => 8,
        Reals::ByFlag if header.flag() && mode.dialect.rules().wide_reals => 8,
        Reals::ByFlag => 4,
    }
}

/// A count, bytes and padding. Every engine accepts a byte array without padding at the end of a document
/// (docs/spec/format.md#packedbytearray).
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn byte_array<E: Fault>(cursor: &mut Cursor<'_, E>) -> Result<(), E> {
    let length = cursor.length(Part::Count(Kind::PackedByteArray))?;
    cursor.take(size(length), Part::Elements(Kind::PackedByteArray))?;
    cursor.take_up_to(size(padding(length)));
    Ok(())
}

#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn packed<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    kind: Kind,
    element: usize,
) -> Result<(), E> {
    let count = cursor.length(Part::Count(kind))?;
    cursor.take(size(count).saturating_mul(element), Part::Elements(kind))?;
    Ok(())
}

/// A count, then texts whose lengths include a terminating NUL. Engines read a negative count as 0.
fn strings<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    rules: &DialectRules,
    check_text: bool,
) -> Result<(), E> {
    let count = cursor.u32(Part::Count(Kind::PackedStringArray))?;
    if count > COUNT {
        return Ok(());
    }
    for _ in 0..count {
        checked_string(cursor, rules, check_text)?;
    }
    Ok(())
}

/// An image of Godot 2 (docs/spec/format.md#image).
fn image<E: Fault>(cursor: &mut Cursor<'_, E>) -> Result<(), E> {
    cursor.array::<16>(Part::Payload(Kind::Image))?;
    let length = cursor.length(Part::Count(Kind::Image))?;
    cursor.take(size(length), Part::Elements(Kind::Image))?;
    cursor.take_up_to(size(padding(length)));
    Ok(())
}

/// An input event of Godot 2: its type decides the size (docs/spec/format.md#inputevent).
fn input_event<E: Fault>(cursor: &mut Cursor<'_, E>) -> Result<(), E> {
    let part = Part::Payload(Kind::InputEvent);
    let event = cursor.u32(part)?;
    let _device = cursor.u32(part)?;
    let total = cursor.u32(part)?;
    cursor.take(input_event_payload(event, total), part)?;
    Ok(())
}

/// The number of bytes after the three words of an input event.
pub(crate) const fn input_event_payload(event: u32, total: u32) -> usize {
    match event {
        // Godot 2.0 writes the axis, Godot 2.1 the axis and the value. Only `total` distinguishes these forms.
        4 if total == 16 => 4,
        // Modifiers and scancode, or axis and value.
        1 | 4 => 8,
        // The index of a mouse button, a joystick button or a touch.
        3 | 5 | 6 => 4,
        _ => 0,
    }
}

/// An object by id, a full object, or null (docs/spec/format.md#object).
fn object<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    header: Header,
    mode: Mode,
    check_text: bool,
) -> Result<Extent, E> {
    let rules = mode.dialect.rules();
    if !rules.object_payload {
        return Ok(Extent::Leaf);
    }
    if header.flag() {
        cursor.u64(Part::Payload(Kind::Object))?;
        return Ok(Extent::Leaf);
    }
    if mode.objects == Objects::Refuse {
        return Err(cursor.error(ErrorKind::ObjectRefused));
    }
    let class = checked_string(cursor, rules, check_text)?;
    if text::reads_empty(class) {
        return Ok(Extent::Leaf);
    }
    let count = cursor.u32(Part::Properties)?;
    // Engines read a negative count as 0.
    let items = if count > COUNT { 0 } else { count };
    Ok(Extent::Open { items, form: Contents::Properties })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_have_the_sizes_of_their_numbers() {
        for (kind, payload) in [
            (Kind::PackedByteArray, Payload::Bytes),
            (Kind::Vector3, Payload::Reals(3)),
            (Kind::PackedVector2Array, Payload::PackedReals(2)),
            (Kind::Vector2i, Payload::Fixed(8)),
            (Kind::Color, Payload::Fixed(16)),
            (Kind::PackedInt64Array, Payload::Packed(8)),
            (Kind::PackedVector3iArray, Payload::Packed(12)),
        ] {
            assert_eq!(kind.payload(), payload, "{kind}");
            assert_eq!(kind.shape().map(Payload::of_numbers), Some(payload));
        }
    }
}
