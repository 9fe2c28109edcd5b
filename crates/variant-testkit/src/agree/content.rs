//! The contents of views, in the reference's terms.

use variant_view::{
    ArrayView, Dialect, DictionaryView, ElementType, FixedView, MathView, NodePathView, ObjectForm,
    ObjectView, PackedReals, PackedSlice, Real, StrView, VariantView, Width, Wire,
};

use crate::reference::{self, Content, Typing};

pub(super) fn content<'a>(view: &VariantView<'a>) -> Content<'a> {
    match view {
        VariantView::Bool(v) => Content::Bool(v.value()),
        VariantView::Int(v) => Content::Int(v.value(), v.width() == Width::W64),
        VariantView::Float(v) => Content::Float(v.bits(), v.width() == Width::W64),
        VariantView::String(v) | VariantView::StringName(v) => Content::Text(text(*v)),
        VariantView::Rid(v) => Content::Rid(v.value()),
        VariantView::NodePath(v) => node_path(v),
        VariantView::Object(v) => object(v),
        VariantView::Signal(v) => Content::Signal(text(v.name()), v.object_id()),
        VariantView::Dictionary(v) => dictionary(v),
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            array(v)
        }
        VariantView::Image(v) => {
            Content::Image([v.format(), v.mipmaps(), v.width(), v.height()], v.data())
        }
        VariantView::InputEvent(v) => Content::InputEvent([v.event(), v.device()], v.payload()),
        _ => numbers(view),
    }
}

fn numbers<'a>(view: &VariantView<'a>) -> Content<'a> {
    match view {
        VariantView::Vector2(v) => math(v),
        VariantView::Rect2(v) => math(v),
        VariantView::Vector3(v) => math(v),
        VariantView::Transform2D(v) => math(v),
        VariantView::Vector4(v) => math(v),
        VariantView::Plane(v) => math(v),
        VariantView::Quaternion(v) => math(v),
        VariantView::Aabb(v) => math(v),
        VariantView::Basis(v) => math(v),
        VariantView::Transform3D(v) => math(v),
        VariantView::Projection(v) => math(v),
        VariantView::Vector2i(v) => fixed(v),
        VariantView::Rect2i(v) => fixed(v),
        VariantView::Vector3i(v) => fixed(v),
        VariantView::Vector4i(v) => fixed(v),
        VariantView::Color(v) => fixed(v),
        _ => packed(view),
    }
}

fn packed<'a>(view: &VariantView<'a>) -> Content<'a> {
    match view {
        VariantView::PackedByteArray(v) => elements(v),
        VariantView::PackedInt32Array(v) => elements(v),
        VariantView::PackedInt64Array(v) => elements(v),
        VariantView::PackedFloat32Array(v) => elements(v),
        VariantView::PackedFloat64Array(v) => elements(v),
        VariantView::PackedVector2iArray(v) => elements(v),
        VariantView::PackedVector3iArray(v) => elements(v),
        VariantView::PackedVector4iArray(v) => elements(v),
        VariantView::PackedColorArray(v) => elements(v),
        VariantView::PackedVector2Array(v) => packed_reals(v),
        VariantView::PackedVector3Array(v) => packed_reals(v),
        VariantView::PackedVector4Array(v) => packed_reals(v),
        VariantView::PackedStringArray(v) => Content::Strings(v.iter().map(text).collect()),
        _ => Content::Nothing,
    }
}

/// The bytes of a text, as on the wire.
///
/// # Panics
/// If the decoder's reading of the text differs from the reference's.
pub(super) fn text(view: StrView<'_>) -> &[u8] {
    let text = view.as_bytes();
    assert_eq!(view.engine_bytes(), reference::as_read(text), "what the engine reads of a text");
    text
}

fn node_path<'a>(view: &NodePathView<'a>) -> Content<'a> {
    if let Some(path) = view.plain() {
        return Content::PlainPath(text(path));
    }
    let flags = u32::from(view.is_absolute()) | u32::from(view.has_property()) << 1;
    let (names, subnames) = (view.names().map(text), view.subnames().map(text));
    Content::Path(flags, names.collect(), subnames.collect())
}

fn object<'a>(view: &ObjectView<'a>) -> Content<'a> {
    match view.form() {
        ObjectForm::Null => Content::Null,
        ObjectForm::Id(id) => Content::Id(id),
        ObjectForm::Full(class) => Content::Class(text(class), count(view.len())),
    }
}

fn array<'a>(view: &ArrayView<'a>) -> Content<'a> {
    let elements = typing(view.element_type(), view.dialect());
    Content::Container(count(view.len()), view.is_shared(), [elements, Typing::Any])
}

fn dictionary<'a>(view: &DictionaryView<'a>) -> Content<'a> {
    let types = [view.key_type(), view.value_type()].map(|t| typing(t, view.dialect()));
    Content::Container(count(view.len()), view.is_shared(), types)
}

fn typing(view: ElementType<StrView<'_>>, dialect: Dialect) -> Typing<'_> {
    match view {
        ElementType::Builtin(kind) => Typing::Id(reference::id(dialect, kind).unwrap_or(u32::MAX)),
        ElementType::Unknown(id) => Typing::Id(id),
        ElementType::Class(class) => Typing::Class(text(class)),
        ElementType::Script(path) => Typing::Script(text(path)),
        ElementType::Any => Typing::Any,
    }
}

fn math<'a, T: Real>(view: &MathView<'a, T>) -> Content<'a> {
    let width = if view.width() == Width::W64 { 8 } else { 4 };
    Content::Numbers(view.raw_bytes().get(4..).unwrap_or_default(), width)
}

fn fixed<'a, T: Wire>(view: &FixedView<'a, T>) -> Content<'a> {
    Content::Numbers(view.raw_bytes().get(4..).unwrap_or_default(), 4)
}

fn elements<'a, T: Wire>(view: &PackedSlice<'a, T>) -> Content<'a> {
    Content::Elements(view.as_bytes(), count(view.len()))
}

fn packed_reals<'a, T: Real>(view: &PackedReals<'a, T>) -> Content<'a> {
    let narrow = view.as_f32().map(|packed| packed.as_bytes());
    let wide = view.as_f64().map(|packed| packed.as_bytes());
    Content::Elements(narrow.or(wide).unwrap_or_default(), count(view.len()))
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
