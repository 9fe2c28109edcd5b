//! Converts the contents of views to the terms of the reference.

use variant_view::{
    ArrayView, Dialect, DictionaryView, ElementType, NodePathView, Numbers, ObjectForm, ObjectView,
    StrView, VariantView, Width,
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
        VariantView::PackedStringArray(v) => Content::Strings(v.iter().map(text).collect()),
        _ => view.numbers().map_or(Content::Nothing, numbers),
    }
}

fn numbers(numbers: Numbers<'_>) -> Content<'_> {
    let bytes = numbers.as_wire_bytes().unwrap_or_default();
    if numbers.shape().is_packed {
        return Content::Elements(bytes, count(numbers.elements()));
    }
    Content::Numbers(bytes, if numbers.width() == Width::W64 { 8 } else { 4 })
}

/// The bytes of a text, as on the wire.
///
/// # Panics
/// If the decoder's reading of the text differs from that of the reference.
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

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
