//! Numbers and mathematical types in the form of the records.

use serde_json::{Number, Value, json};
use variant_view::{Basis, Color, Vector2, Vector3, Vector4};

/// A number, or a text if JSON cannot express the number.
pub(super) fn double(value: f64) -> Value {
    if value.is_nan() {
        return json!(format!("nan:{:016x}", value.to_bits()));
    }
    match Number::from_f64(value) {
        Some(number) => number.into(),
        None if value > 0.0 => json!("inf"),
        None => json!("-inf"),
    }
}

/// Converts an integer to a float, for a container that declares floats. The integer is rounded to 32 bits in one step
/// (docs/spec/format.md#typed-containers).
pub(super) fn cast(value: i64) -> Value {
    double(f64::from(value as f32))
}

/// A float as the engine holds it in a real of 4 bytes.
pub(super) fn narrowed(value: f64) -> f64 {
    f64::from(value as f32)
}

pub(super) fn list<const N: usize>(values: [f64; N]) -> Value {
    values.map(double).into_iter().collect()
}

pub(super) fn flat<const N: usize>(lists: [Value; N]) -> Value {
    lists
        .into_iter()
        .flat_map(|list| match list {
            Value::Array(elements) => elements,
            other => vec![other],
        })
        .collect()
}

pub(super) fn vector2(v: Vector2<f64>) -> Value {
    list([v.x, v.y])
}

pub(super) fn vector3(v: Vector3<f64>) -> Value {
    list([v.x, v.y, v.z])
}

pub(super) fn vector4(v: Vector4<f64>) -> Value {
    list([v.x, v.y, v.z, v.w])
}

pub(super) fn basis(b: Basis<f64>) -> Value {
    json!([vector3(b.row0), vector3(b.row1), vector3(b.row2)])
}

pub(super) fn color(c: Color) -> Value {
    list([c.r, c.g, c.b, c.a].map(f64::from))
}

pub(super) fn vector2i(v: Vector2<i32>) -> Value {
    json!([v.x, v.y])
}

pub(super) fn vector3i(v: Vector3<i32>) -> Value {
    json!([v.x, v.y, v.z])
}

pub(super) fn vector4i(v: Vector4<i32>) -> Value {
    json!([v.x, v.y, v.z, v.w])
}
