//! The order in which the engines print the keys of a dictionary.

use std::cmp::Ordering;

use variant_view::{Dialect, Kind};

use super::TextStyle;
use super::number::{self, Number};
use crate::variant::Variant;

/// Arrays in arrays are compared so deep.
const DEPTH: u32 = 16;

/// By type and then by value; what the engine has no order for keeps its place. Unlike the engine's,
/// this is an order whatever the keys are: a NaN stands behind the other floats.
pub(super) fn compare(a: &Variant, b: &Variant, style: TextStyle) -> Ordering {
    within(a, b, style, DEPTH)
}

fn within(a: &Variant, b: &Variant, style: TextStyle, depth: u32) -> Ordering {
    rank(a.kind(), style).cmp(&rank(b.kind(), style)).then_with(|| by_content(a, b, style, depth))
}

/// The engine's number of the type; in Godot 4 both kinds of text stand together.
fn rank(kind: Kind, style: TextStyle) -> (u8, usize) {
    let (dialect, kind) = match style {
        TextStyle::Godot4 if kind == Kind::StringName => (Dialect::Godot4, Kind::String),
        TextStyle::Godot4 => (Dialect::Godot4, kind),
        TextStyle::Godot3 => (Dialect::Godot3, kind),
        TextStyle::Pandemonium => (Dialect::Pandemonium5, kind),
    };
    (dialect.id(kind).unwrap_or(u8::MAX), kind.index())
}

fn by_content(a: &Variant, b: &Variant, style: TextStyle, depth: u32) -> Ordering {
    match (a, b) {
        (Variant::Bool(a), Variant::Bool(b)) => a.cmp(b),
        (Variant::Int(a), Variant::Int(b)) => a.value().cmp(&b.value()),
        (Variant::Float(a), Variant::Float(b)) => by_float(a.value(), b.value()),
        (Variant::NodePath(a), Variant::NodePath(b)) => {
            (&a.names, &a.subnames).cmp(&(&b.names, &b.subnames))
        }
        (Variant::Array(a), Variant::Array(b)) => {
            let Some(depth) = depth.checked_sub(1) else { return Ordering::Equal };
            let pairs = a.iter().zip(b);
            let unequal = pairs.map(|(a, b)| within(a, b, style, depth)).find(|o| o.is_ne());
            unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => a.as_text().cmp(&b.as_text()).then_with(|| by_numbers(a, b)),
    }
}

/// Of the mathematical types only some vectors have an order.
fn by_numbers(a: &Variant, b: &Variant) -> Ordering {
    let has_order = matches!(
        a.kind(),
        Kind::Vector2
            | Kind::Vector2i
            | Kind::Vector3
            | Kind::Vector3i
            | Kind::Vector4
            | Kind::Vector4i
    );
    if !has_order {
        return Ordering::Equal;
    }
    let (a, b) = (numbers(a), numbers(b));
    let unequal = a.iter().zip(&b).map(|(&a, &b)| by_float(a, b)).find(|o| o.is_ne());
    unequal.unwrap_or(Ordering::Equal)
}

fn numbers(value: &Variant) -> Vec<f64> {
    let mut all = Vec::with_capacity(4);
    number::each(value, &mut |number| {
        all.push(match number {
            Number::Component(value) => value.into(),
            Number::Single(value) => value.into(),
            Number::Double(value) | Number::Float(value) => value,
            Number::Int(_) => 0.0,
        });
    });
    all
}

/// Minus zero is zero, and every NaN the same.
fn by_float(a: f64, b: f64) -> Ordering {
    let only = |value: f64| if value.is_nan() { f64::NAN } else { value + 0.0 };
    only(a).total_cmp(&only(b))
}
