//! The same data in other formats, for the kinds in the saves.

use std::hint::black_box;

use bson::{Bson, RawBsonRef};
use flexbuffers::{FlexBufferType, MapReader, Reader, ReaderError};
use variant_owned::Variant;

/// As `MessagePack`.
pub fn to_message_pack(value: &Variant) -> rmpv::Value {
    let array = |lanes: &[f32]| rmpv::Value::Array(lanes.iter().map(|&n| n.into()).collect());
    match value {
        Variant::Bool(v) => (*v).into(),
        Variant::Int(v) => v.value().into(),
        Variant::Float(v) => v.value().into(),
        Variant::String(v) | Variant::StringName(v) => v.to_str_lossy().into_owned().into(),
        Variant::Vector2(v) => {
            let v = v.f32();
            array(&[v.x, v.y])
        }
        Variant::Vector3(v) => {
            let v = v.f32();
            array(&[v.x, v.y, v.z])
        }
        Variant::Array(v) => rmpv::Value::Array(v.iter().map(to_message_pack).collect()),
        Variant::Dictionary(v) => {
            let pairs = v.iter().map(|(key, value)| (to_message_pack(key), to_message_pack(value)));
            rmpv::Value::Map(pairs.collect())
        }
        _ => rmpv::Value::Nil,
    }
}

/// As JSON.
pub fn to_json(value: &Variant) -> serde_json::Value {
    match value {
        Variant::Bool(v) => (*v).into(),
        Variant::Int(v) => v.value().into(),
        Variant::Float(v) => v.value().into(),
        Variant::String(v) | Variant::StringName(v) => v.to_str_lossy().into(),
        Variant::Vector2(v) => {
            let v = v.f32();
            vec![v.x, v.y].into()
        }
        Variant::Array(v) => v.iter().map(to_json).collect(),
        Variant::Dictionary(v) => {
            v.iter().map(|(name, value)| (key(name), to_json(value))).collect()
        }
        _ => serde_json::Value::Null,
    }
}

/// The bytes of a BSON document, with the narrowest type for each number.
pub fn to_bson(value: &Variant) -> Vec<u8> {
    let Bson::Document(document) = to_bson_value(value) else { return Vec::new() };
    document.to_vec().expect("memory")
}

fn to_bson_value(value: &Variant) -> Bson {
    match value {
        Variant::Bool(v) => (*v).into(),
        Variant::Int(v) => i32::try_from(v.value()).map_or_else(|_| v.value().into(), Bson::from),
        Variant::Float(v) => v.value().into(),
        Variant::String(v) | Variant::StringName(v) => v.to_str_lossy().into_owned().into(),
        Variant::Vector2(v) => {
            let v = v.f32();
            vec![v.x, v.y].into()
        }
        Variant::Array(v) => Bson::Array(v.iter().map(to_bson_value).collect()),
        Variant::Dictionary(v) => {
            let pairs = v.iter().map(|(name, value)| (key(name), to_bson_value(value)));
            Bson::Document(pairs.collect())
        }
        _ => Bson::Null,
    }
}

/// The bytes of a `FlexBuffer`, with each key once and the narrowest type for each number.
pub fn to_flexbuffer(value: &Variant) -> Vec<u8> {
    flexbuffers::to_vec(to_json(value)).expect("memory")
}

/// The text of a key; the saves have no other keys.
pub(crate) fn key(key: &Variant) -> String {
    key.as_str().unwrap_or_default().to_owned()
}

/// Reads and thereby checks every element. Returns the number of elements that are not containers.
///
/// # Errors
/// The first error in an element.
pub fn read_bson(value: RawBsonRef<'_>) -> bson::error::Result<usize> {
    match value {
        RawBsonRef::Document(all) => all.iter().map(|pair| read_bson(pair?.1)).sum(),
        RawBsonRef::Array(all) => all.into_iter().map(|element| read_bson(element?)).sum(),
        leaf => Ok(seen(leaf)),
    }
}

/// Reads and thereby checks every key and value. Returns the number of values that are not containers.
///
/// # Errors
/// The first error in a key or value.
pub fn read_flexbuffer(value: &Reader<&[u8]>) -> Result<usize, ReaderError> {
    match value.flexbuffer_type() {
        FlexBufferType::Map => read_map(&value.get_map()?),
        kind if kind.is_vector() => value.get_vector()?.iter().map(|v| read_flexbuffer(&v)).sum(),
        FlexBufferType::String => value.get_str().map(seen),
        FlexBufferType::Bool => value.get_bool().map(seen),
        FlexBufferType::Float => value.get_f64().map(seen),
        // A number that is not negative.
        FlexBufferType::UInt => value.get_u64().map(seen),
        _ => value.get_i64().map(seen),
    }
}

fn read_map(map: &MapReader<&[u8]>) -> Result<usize, ReaderError> {
    for key in map.keys_vector().iter() {
        black_box(key.get_key()?);
    }
    map.iter_values().map(|value| read_flexbuffer(&value)).sum()
}

/// Makes sure that a value is read. Returns 1 for it.
fn seen<T>(value: T) -> usize {
    black_box(value);
    1
}
