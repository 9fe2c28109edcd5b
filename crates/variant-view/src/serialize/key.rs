//! [`serialize_key`]: keys as text.

use core::fmt;

use serde_core::ser::{Serialize, Serializer};

use super::texts::{PathText, Text};
use crate::event::{Leaf, Number, Numbers};

/// Writes a leaf as a key in a format whose keys are text, as in the plain form of JSON. Text and numbers are written
/// as they are, mathematical values as their numbers, most other leaves as the name of their kind.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_key<S: Serializer>(leaf: &Leaf<'_>, to: S) -> Result<S::Ok, S::Error> {
    match leaf {
        Leaf::String(text) | Leaf::StringName(text) => Text(text).serialize(to),
        other => to.collect_str(&LeafKey(other)),
    }
}

/// The text of a leaf that is a key and not itself text.
struct LeafKey<'l>(&'l Leaf<'l>);

impl fmt::Display for LeafKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.0 {
            Leaf::Nil => f.write_str("null"),
            Leaf::Bool(value) => write!(f, "{value}"),
            Leaf::Int { value, .. } => write!(f, "{value}"),
            Leaf::Float { bits, width } => write!(f, "{:?}", super::numbers::value(bits, width)),
            Leaf::NodePath(path) => write!(f, "{}", PathText(path)),
            Leaf::Rid(id) => write!(f, "RID({id})"),
            Leaf::Numbers(numbers) if !numbers.shape().is_packed => tuple(&numbers, f),
            other => f.write_str(other.kind().name()),
        }
    }
}

fn tuple(numbers: &Numbers<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("(")?;
    for (i, number) in numbers.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write_number(number, f)?;
    }
    f.write_str(")")
}

/// Writes a number with the fewest digits. A float without a fraction is written without a point; from 1e16 on, it is
/// written with an exponent.
fn write_number(number: Number, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let value = number.to_f64();
    let is_plain = value % 1.0 == 0.0 && value.abs() < 1e16;
    match number {
        Number::Int(value) => write!(f, "{value}"),
        // Without its point, -0.0 would read as the integer 0, which has no sign.
        _ if value == 0.0 && number.is_negative() => f.write_str("-0.0"),
        Number::Float32(bits) if is_plain => write!(f, "{}", f32::from_bits(bits)),
        Number::Float32(bits) => write!(f, "{:?}", f32::from_bits(bits)),
        Number::Float64(_) if is_plain => write!(f, "{value}"),
        Number::Float64(_) => write!(f, "{value:?}"),
    }
}
