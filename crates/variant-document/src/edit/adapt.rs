//! [`adapt`]: converts a literal to the kind of the value that it replaces.

use variant_owned::{
    Array, Dictionary, ElementType as OwnedElementType, Float, TextOptions, TextStyle, Variant,
    from_text, to_text,
};
use variant_view::{ElementType, Kind, VariantView};

/// Converts the value to the kind of `old` if nothing is lost: integers to floats, texts to names and paths, arrays to
/// packed and typed arrays. Otherwise returns the value unchanged.
pub(super) fn adapt(value: Variant, old: &VariantView<'_>) -> Variant {
    match (value, old) {
        (Variant::Array(array), VariantView::Array(old)) => {
            let declared = declared(array.element_type(), &old.element_type());
            Variant::Array(typed(array, declared))
        }
        (Variant::Dictionary(pairs), VariantView::Dictionary(old)) => {
            let keys = declared(pairs.key_type(), &old.key_type());
            let values = declared(pairs.value_type(), &old.value_type());
            Variant::Dictionary(typed_pairs(pairs, keys, values))
        }
        (value, old) => to_kind(value, old.kind()),
    }
}

/// The kind that a value has after [`Action::Set`](super::Action::Set) has put it instead of `old`: the kind of `old` if the value loses
/// nothing by that. O(value).
///
/// ```
/// use variant_document::edit::kind_after;
/// use variant_view::{Dialect, Document, Kind};
///
/// let bytes = [3, 0, 0, 0, 0, 0, 0, 0]; // 0.0
/// let old = Document::new(&bytes, Dialect::Godot4).root()?;
/// assert_eq!(kind_after(7.into(), &old), Kind::Float);
/// assert_eq!(kind_after(true.into(), &old), Kind::Bool);
/// # Ok::<(), variant_view::Error>(())
/// ```
pub fn kind_after(value: Variant, old: &VariantView<'_>) -> Kind {
    adapt(value, old).kind()
}

/// The declared kind of a container's items: the kind that the literal declares, or otherwise the kind that the
/// replaced value declares.
const fn declared<N, O>(new: &ElementType<N>, old: &ElementType<O>) -> Option<Kind> {
    match (new, old) {
        (ElementType::Builtin(kind), _) | (ElementType::Any, ElementType::Builtin(kind)) => {
            Some(*kind)
        }
        _ => None,
    }
}

/// The array with the declared kind. Converts each item to this kind, if that loses nothing.
fn typed(mut array: Array, declared: Option<Kind>) -> Array {
    if let Some(kind) = declared {
        array.set_element_type(ElementType::Builtin(kind));
        for item in &mut array {
            *item = to_kind(std::mem::take(item), kind);
        }
    }
    array
}

/// The dictionary with these kinds declared. Converts each key and value to its kind, if that loses nothing.
fn typed_pairs(pairs: Dictionary, keys: Option<Kind>, values: Option<Kind>) -> Dictionary {
    if keys.is_none() && values.is_none() {
        return pairs;
    }
    let as_kind = |value, kind: Option<Kind>| match kind {
        Some(kind) => to_kind(value, kind),
        None => value,
    };
    let element_type = |kind: Option<Kind>, old: &OwnedElementType| match kind {
        Some(kind) => ElementType::Builtin(kind),
        None => old.clone(),
    };
    let types = (element_type(keys, pairs.key_type()), element_type(values, pairs.value_type()));
    let pairs = pairs.into_iter().map(|(key, value)| (as_kind(key, keys), as_kind(value, values)));
    let mut pairs: Dictionary = pairs.collect();
    pairs.set_types(types.0, types.1);
    pairs
}

/// Converts the value to `wanted` if nothing is lost; otherwise returns it unchanged.
pub(crate) fn to_kind(value: Variant, wanted: Kind) -> Variant {
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
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "an inexact result is not used"
)]
fn exact_float(int: i64) -> Option<f64> {
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    (int.unsigned_abs() <= EXACT).then_some(int as f64)
}

/// An array of scalars as a packed array.
fn packed(array: &Variant, wanted: Kind) -> Option<Variant> {
    let text = text_of(array);
    let items = text.strip_prefix('[')?.strip_suffix(']')?;
    from_text(&format!("{wanted}({items})")).ok().filter(|value| value.kind() == wanted)
}

/// Parses a text that is composed of `before`, the value and `after`.
fn read(value: &Variant, before: &str, after: &str) -> Option<Variant> {
    from_text(&format!("{before}{}{after}", text_of(value))).ok()
}

fn text_of(value: &Variant) -> String {
    to_text(value, &TextOptions::new(TextStyle::Godot4))
}
