//! Keys in wire form.

use core::cmp::Ordering;
use core::hash::Hasher as _;

use super::{KeyBody, KeyPart, KeyPlace};
use crate::bytes::{Cursor, size};
use crate::contents::{Contents, OpenContainer};
use crate::dialect::DialectRules;
use crate::error::{Error, Part, Result};
use crate::fold::Fold;
use crate::header::Header;
use crate::kind::{Kind, NumberType, Shape, Width};
use crate::layout::{
    self, COUNT, Extent, NODE_PATH_ABSOLUTE, NODE_PATH_PROPERTY, NodePathHead, Payload, WireType,
};
use crate::options::Mode;
use crate::scan::Scanner;
use crate::text;

/// The order of two keys. Equal keys compare as equal. Keys that are not equal although their content is equal give
/// `None`. The values at both cursors must be valid. O(bytes of the shorter key).
pub(crate) fn compare(a: Cursor<'_>, b: Cursor<'_>, mode: Mode) -> Option<Ordering> {
    let order = compare_parts(a.rest(), b.rest(), mode, KeyPlace::Key)?;
    if order.is_ne() || !has_items(a, mode) { Some(order) } else { compare_items(a, b, mode) }
}

/// A hash of a key's first part: equal keys have equal hashes. The value at the cursor must be valid. O(bytes of a
/// leaf).
pub(crate) fn hash(key: Cursor<'_>, mode: Mode) -> u64 {
    let mut hasher = Fold::default();
    if let Ok(part) = KeyPart::read(key.rest(), mode) {
        part.hash(mode.dialect.rules().keys, KeyPlace::Key, &mut hasher);
    }
    hasher.finish()
}

fn has_items(value: Cursor<'_>, mode: Mode) -> bool {
    matches!(layout::measure(value, mode), Ok((_, Extent::Open { items: 1.., .. })))
}

/// The order of containers with equal heads. Each item is compared before it is skipped, so only equal items are
/// skipped.
fn compare_items(a: Cursor<'_>, b: Cursor<'_>, mode: Mode) -> Option<Ordering> {
    // The scanners are in two variables, because making an array of them would copy kilobytes.
    let mut a = Scanner::<false>::new(a, mode);
    let mut b = Scanner::<false>::new(b, mode);
    while let (Ok(Some(_)), Ok(Some(_))) = (a.step(), b.step()) {
        let Some(place) = next_place(a.top()) else { continue };
        let order = compare_parts(a.rest(), b.rest(), mode, place)?;
        if order.is_ne() {
            return Some(order);
        }
    }
    Some(Ordering::Equal)
}

/// The position of the next value in the key; `None` at the end of the container.
const fn next_place(container: OpenContainer) -> Option<KeyPlace> {
    let OpenContainer { left, form, .. } = container;
    match form {
        _ if left == 0 => None,
        Contents::Pairs if left.is_multiple_of(2) => Some(KeyPlace::Key),
        Contents::Pairs | Contents::Elements | Contents::Properties => Some(KeyPlace::Item),
    }
}

fn compare_parts(a: &[u8], b: &[u8], mode: Mode, place: KeyPlace) -> Option<Ordering> {
    let [a, b] = [a, b].map(|value| KeyPart::read(value, mode).ok());
    a?.compare(&b?, mode.dialect.rules().keys, place)
}

impl<'a> KeyPart<'a> {
    /// Reads the valid value at the start of `bytes`; for a container only its head. O(1).
    #[inline]
    pub(crate) fn read(bytes: &'a [u8], mode: Mode) -> Result<Self> {
        let rules = mode.dialect.rules();
        let mut cursor = Cursor::new(bytes, 0);
        let header = Header::read(&mut cursor, rules)?;
        Ok(Self { kind: header.kind, body: body(header, cursor, mode)? })
    }
}

fn body(header: Header, mut cursor: Cursor<'_>, mode: Mode) -> Result<KeyBody<'_>> {
    const PART: Part = Part::Header;
    let rules = mode.dialect.rules();
    let real = match layout::real_width(header, mode) {
        8 => Width::W64,
        _ => Width::W32,
    };
    if let Some(shape) = header.kind.shape() {
        return numbers(shape, real, cursor);
    }
    Ok(match header.kind.payload() {
        Payload::Empty => KeyBody::Empty,
        Payload::Fixed(_) => KeyBody::Int((cursor.u32(PART)? != 0).into()),
        Payload::Scalar => scalar(header, cursor, rules)?,
        Payload::Text => KeyBody::Text(text_of(&mut cursor)?),
        Payload::NodePath => path(cursor, rules)?,
        Payload::Rid if rules.rid_payload => KeyBody::Int(cursor.u64(PART)?.cast_signed()),
        Payload::Rid => KeyBody::Int(0),
        Payload::Object => object(header, cursor, rules)?,
        Payload::Signal => KeyBody::Signal(text_of_whole_words(&mut cursor)?, cursor.u64(PART)?),
        Payload::Image | Payload::InputEvent => KeyBody::Unlike,
        // These kinds consist of numbers, which were handled above.
        Payload::Reals(_) | Payload::Bytes | Payload::Packed(_) | Payload::PackedReals(_) => {
            KeyBody::Unlike
        }
        Payload::TypedArray => typed_array(header, cursor, rules)?,
        Payload::Array | Payload::Dictionary => {
            match layout::payload::<false, _>(header, cursor, mode)? {
                (_, Extent::Open { items, .. }) => KeyBody::Items(items),
                (_, Extent::Leaf) => KeyBody::Empty,
            }
        }
        Payload::Strings => match cursor.u32(PART)? {
            count @ 0..=COUNT => KeyBody::Texts(count, cursor.rest()),
            // Engines read a negative count as 0.
            _ => KeyBody::Texts(0, &[]),
        },
    })
}

fn scalar<'a>(header: Header, mut cursor: Cursor<'a>, rules: &DialectRules) -> Result<KeyBody<'a>> {
    let is_wide = layout::scalar_width(header, rules) == 8;
    Ok(match (header.kind, is_wide) {
        (Kind::Float, true) => KeyBody::Float(f64::from_bits(cursor.u64(Part::Header)?)),
        (Kind::Float, false) => KeyBody::Float(f32::from_bits(cursor.u32(Part::Header)?).into()),
        (_, true) => KeyBody::Int(cursor.u64(Part::Header)?.cast_signed()),
        (_, false) => KeyBody::Int(cursor.u32(Part::Header)?.cast_signed().into()),
    })
}

fn numbers(shape: Shape, reals: Width, mut cursor: Cursor<'_>) -> Result<KeyBody<'_>> {
    let elements = if shape.is_packed { size(cursor.u32(Part::Header)?) } else { 1 };
    let bytes = cursor.take(elements.saturating_mul(shape.bytes(reals)), Part::Header)?;
    Ok(match shape.number.with_reals(reals) {
        NumberType::Float32 => KeyBody::Reals(Width::W32, bytes),
        NumberType::Float64 => KeyBody::Reals(Width::W64, bytes),
        _ => KeyBody::Bytes(bytes),
    })
}

/// Reads a length word, and that many bytes.
fn text_of<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8]> {
    let length = cursor.u32(Part::TextLength)?;
    cursor.take(size(length), Part::Text)
}

fn text_of_whole_words<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8]> {
    let text = text_of(cursor)?;
    cursor.take_up_to(size(crate::bytes::padding(crate::bytes::count(text.len()))));
    Ok(text)
}

fn path<'a>(mut cursor: Cursor<'a>, rules: &DialectRules) -> Result<KeyBody<'a>> {
    Ok(match NodePathHead::read(&mut cursor, rules)? {
        NodePathHead::Plain { length } => KeyBody::Text(cursor.take(size(length), Part::Text)?),
        NodePathHead::Names { names, total, flags } => {
            let names = names.min(total);
            KeyBody::Path {
                is_absolute: flags & NODE_PATH_ABSOLUTE != 0,
                has_property: flags & NODE_PATH_PROPERTY != 0,
                names,
                subnames: total.saturating_sub(names),
                texts: cursor.rest(),
            }
        }
    })
}

/// Reads an object as a key. The object is null if its id is 0, its class name is empty, or the dialect writes objects
/// without a payload.
fn object<'a>(header: Header, mut cursor: Cursor<'a>, rules: &DialectRules) -> Result<KeyBody<'a>> {
    let is_null = if !rules.object_payload {
        true
    } else if header.flag() {
        cursor.u64(Part::Header)? == 0
    } else {
        text::reads_empty(text_of(&mut cursor)?)
    };
    Ok(if is_null { KeyBody::Empty } else { KeyBody::Unlike })
}

fn typed_array<'a>(
    header: Header,
    mut cursor: Cursor<'a>,
    rules: &DialectRules,
) -> Result<KeyBody<'a>> {
    let (id, wire) = layout::typed_element::<Error>(&mut cursor, header, rules, false)?;
    let items = cursor.u32(Part::Header)? & COUNT;
    Ok(match wire {
        WireType::Any => KeyBody::Typed(items, None, id, &[]),
        WireType::Builtin(kind) => KeyBody::Typed(items, Some(kind), 0, &[]),
        WireType::Class(class, _) | WireType::Script(class, _) => {
            KeyBody::Typed(items, Some(Kind::Object), 0, class)
        }
    })
}
