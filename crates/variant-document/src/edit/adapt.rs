//! [`adapt`]: a literal as the kind of value that stands in its place.

use variant_owned::{Float, TextOptions, TextStyle, Variant, from_text, to_text};
use variant_view::{ElementType, Kind, VariantView};

/// The value as the kind of `old`, if nothing is lost: integers as floats, texts as names and paths, arrays as packed and
/// typed ones. Otherwise the value as it is.
pub(super) fn adapt(value: Variant, old: &VariantView<'_>) -> Variant {
    match (value, old) {
        (value @ Variant::Array(_), VariantView::Array(array)) => match array.element_type() {
            ElementType::Builtin(kind) => {
                read(&value, &format!("Array[{kind}]("), ")").unwrap_or(value)
            }
            _ => value,
        },
        (value, old) => to_kind(value, old.kind()),
    }
}

/// The value as `wanted`, if nothing is lost; otherwise as it is.
pub(super) fn to_kind(value: Variant, wanted: Kind) -> Variant {
    match (value, wanted) {
        (Variant::Int(int), Kind::Float) => match exact_float(int.value()) {
            Some(float) => Variant::Float(Float::new(float)),
            None => Variant::Int(int),
        },
        (Variant::String(text), Kind::StringName) => Variant::StringName(text),
        (Variant::StringName(text), Kind::String) => Variant::String(text),
        (value @ Variant::String(_), Kind::NodePath) => {
            read(&value, "NodePath(", ")").unwrap_or(value)
        }
        (value @ Variant::Array(_), wanted) if wanted.name().starts_with("Packed") => {
            packed(&value, wanted).unwrap_or(value)
        }
        (value, _) => value,
    }
}

/// The integer as a float, if that is exact.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "what is not exact is left")]
fn exact_float(int: i64) -> Option<f64> {
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    (int.unsigned_abs() <= EXACT).then_some(int as f64)
}

/// An array of scalars as a packed array of them.
fn packed(array: &Variant, wanted: Kind) -> Option<Variant> {
    let text = text_of(array);
    let items = text.strip_prefix('[')?.strip_suffix(']')?;
    from_text(&format!("{wanted}({items})")).ok().filter(|value| value.kind() == wanted)
}

/// What the text of a value reads as between `before` and `after`.
fn read(value: &Variant, before: &str, after: &str) -> Option<Variant> {
    from_text(&format!("{before}{}{after}", text_of(value))).ok()
}

fn text_of(value: &Variant) -> String {
    to_text(value, &TextOptions::new(TextStyle::Godot4))
}
