//! [`is_plain`]: whether a value has the bytes that engines write for its kind and content.

use variant_owned::{Float, Int, NodePath, Variant};
use variant_view::{ElementType, StrView, VariantView};

/// Whether a value has the bytes that engines write. The values inside a container are not examined. O(bytes of a
/// text), O(1) for other values.
pub(super) fn is_plain(view: &VariantView<'_>) -> bool {
    use VariantView as V;
    match view {
        V::Int(int) => Int::new(int.value()).width() == int.width(),
        V::Float(float) => Float::new(float.value()).width() == float.width(),
        V::String(text) | V::StringName(text) => is_read_whole(text),
        V::PackedStringArray(texts) => texts.iter().all(|text| is_read_whole(&text)),
        V::NodePath(path) => {
            let parsed = Variant::from(NodePath::parse(&path.to_string()));
            Variant::from_view(view).is_ok_and(|path| path == parsed)
        }
        V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => {
            !v.is_shared() && is_built_in(v.element_type())
        }
        V::Dictionary(v) => {
            !v.is_shared() && is_built_in(v.key_type()) && is_built_in(v.value_type())
        }
        _ => true,
    }
}

/// Whether the engine reads all bytes of the text.
fn is_read_whole(text: &StrView<'_>) -> bool {
    text.engine_text().is_ok_and(|read| read.as_bytes() == text.as_bytes())
}

const fn is_built_in(declared: ElementType<StrView<'_>>) -> bool {
    matches!(declared, ElementType::Any | ElementType::Builtin(_))
}
