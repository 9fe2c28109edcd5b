//! Makes the [`KeyPart`]s of an owned value that is a key.

use variant_view::internal::{KeyBody, KeyPart};
use variant_view::{Kind, NumberType, Width};

use crate::array::{Array, ElementType};
use crate::leaf::NodePath;
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

/// The part of a leaf, or of the head of a container. `space` is a scratch buffer for numbers and lists of texts in
/// wire form. O(bytes); O(1) for texts, scalars and containers.
pub(crate) fn part_of<'v>(value: &'v Variant, space: &'v mut Vec<u8>) -> KeyPart<'v> {
    #[cfg(test)]
    super::work::count();
    space.clear();
    KeyPart { kind: value.kind(), body: body_of(value, space) }
}

#[inline]
fn body_of<'v>(value: &'v Variant, space: &'v mut Vec<u8>) -> KeyBody<'v> {
    match value {
        Variant::String(text) | Variant::StringName(text) => KeyBody::Text(text.as_bytes()),
        Variant::Int(value) => KeyBody::Int(value.value()),
        Variant::Float(value) => KeyBody::Float(value.value()),
        Variant::Bool(value) => KeyBody::Int((*value).into()),
        Variant::Nil | Variant::Callable => KeyBody::Empty,
        Variant::Rid(id) => KeyBody::Int(id.cast_signed()),
        Variant::Image(_) | Variant::InputEvent(_) => KeyBody::Unlike,
        Variant::Object(object) => match **object {
            Object::Null | Object::Id(0) => KeyBody::Empty,
            Object::Id(_) | Object::Full { .. } => KeyBody::Unlike,
        },
        Variant::Signal(signal) => KeyBody::Signal(signal.name.as_bytes(), signal.object_id),
        Variant::NodePath(path) => path_of(path, space),
        Variant::Array(array) => KeyBody::Items(count(array.len())),
        Variant::Dictionary(dictionary) => {
            KeyBody::Items(count(dictionary.len()).saturating_mul(2))
        }
        Variant::TypedArray(array) | Variant::PackedTypedArray(array) => typed(array),
        Variant::PackedByteArray(bytes) => KeyBody::Bytes(bytes),
        Variant::PackedStringArray(texts) => {
            write_texts(texts, space);
            KeyBody::Texts(count(texts.len()), space)
        }
        packed => numbers(packed, space),
    }
}

#[inline(never)]
fn numbers<'v>(value: &Variant, space: &'v mut Vec<u8>) -> KeyBody<'v> {
    let number = value.with_numbers(|numbers| {
        let numbers = numbers?;
        let _ = numbers.try_for_each_piece(|piece| {
            space.extend_from_slice(piece);
            Ok::<_, ()>(())
        });
        Some(numbers.number_type())
    });
    match number {
        None => KeyBody::Empty,
        Some(NumberType::Float32 | NumberType::Real) => KeyBody::Reals(Width::W32, space),
        Some(NumberType::Float64) => KeyBody::Reals(Width::W64, space),
        Some(NumberType::Byte | NumberType::Int32 | NumberType::Int64) => KeyBody::Bytes(space),
    }
}

fn path_of<'v>(path: &'v NodePath, space: &'v mut Vec<u8>) -> KeyBody<'v> {
    if let Some(plain) = &path.plain {
        return KeyBody::Text(plain.as_bytes());
    }
    write_texts(&path.names, space);
    write_texts(&path.subnames, space);
    KeyBody::Path {
        is_absolute: path.is_absolute,
        has_property: path.has_property,
        names: count(path.names.len()),
        subnames: count(path.subnames.len()),
        texts: space,
    }
}

fn write_texts(texts: &[Text], space: &mut Vec<u8>) {
    for text in texts {
        space.extend_from_slice(&count(text.len()).to_le_bytes());
        space.extend_from_slice(text.as_bytes());
        space.resize(space.len().next_multiple_of(4), 0);
    }
}

fn typed(array: &Array) -> KeyBody<'_> {
    let (kind, number, class): (_, _, &[u8]) = match array.element_type() {
        ElementType::Any => (None, 0, &[]),
        ElementType::Builtin(kind) => (Some(*kind), 0, &[]),
        ElementType::Class(class) | ElementType::Script(class) => {
            (Some(Kind::Object), 0, class.as_bytes())
        }
        ElementType::Unknown(number) => (None, *number, &[]),
    };
    KeyBody::Typed(count(array.len()), kind, number, class)
}

/// A count as a `u32`, as on the wire. Saturates.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
