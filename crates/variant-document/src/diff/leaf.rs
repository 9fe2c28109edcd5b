//! Compares values without children.

use variant_view::{ElementType, Kind, NodePathView, ObjectForm, StrView, VariantView};

use super::rule::Rule;

/// Whether two values without children mean the same, also in different dialects. O(bytes of the shorter).
pub(super) fn are_same(old: &VariantView<'_>, new: &VariantView<'_>, rule: &Rule) -> bool {
    use VariantView as V;
    match (old, new) {
        (V::Nil(_), V::Nil(_)) | (V::Callable(_), V::Callable(_)) => true,
        (V::Bool(old), V::Bool(new)) => old.value() == new.value(),
        (V::Int(old), V::Int(new)) => old.value() == new.value(),
        (V::Float(old), V::Float(new)) => rule.reals(old.value(), new.value()),
        (V::Int(int), V::Float(float)) => rule.int_and_float(int.value(), float.value(), old),
        (V::Float(float), V::Int(int)) => rule.int_and_float(int.value(), float.value(), new),
        (V::String(old), V::String(new)) | (V::StringName(old), V::StringName(new)) => {
            texts(old, new, rule)
        }
        (V::String(old), V::StringName(new)) | (V::StringName(old), V::String(new)) => {
            rule.is_loose && texts(old, new, rule)
        }
        (V::NodePath(old), V::NodePath(new)) => paths(old, new, rule),
        (V::Rid(old), V::Rid(new)) => old.value() == new.value(),
        (V::Signal(old), V::Signal(new)) => {
            old.object_id() == new.object_id() && texts(&old.name(), &new.name(), rule)
        }
        (V::Object(old), V::Object(new)) => match (old.form(), new.form()) {
            (ObjectForm::Null, ObjectForm::Null) => true,
            (ObjectForm::Id(old), ObjectForm::Id(new)) => old == new,
            _ => false,
        },
        (V::PackedStringArray(old), V::PackedStringArray(new)) => {
            let same = |(old, new): (StrView<'_>, StrView<'_>)| texts(&old, &new, rule);
            old.len() == new.len() && old.iter().zip(new.iter()).all(same)
        }
        (old, new) if old.kind() != new.kind() => false,
        (old, new) => match (old.numbers(), new.numbers()) {
            (Some(old), Some(new)) => {
                old.len() == new.len()
                    && old.iter().zip(new.iter()).all(|(old, new)| rule.numbers(old, new))
            }
            // Images, input events, and kinds unknown to this version are compared by their bytes.
            _ => matches!((old.raw_bytes(), new.raw_bytes()), (Ok(old), Ok(new)) if old == new),
        },
    }
}

/// Whether two texts are the same, as the engine reads them.
pub(super) fn texts(old: &StrView<'_>, new: &StrView<'_>, rule: &Rule) -> bool {
    if rule.is_exact {
        return old.as_bytes() == new.as_bytes();
    }
    old.engine_bytes() == new.engine_bytes()
}

fn paths(old: &NodePathView<'_>, new: &NodePathView<'_>, rule: &Rule) -> bool {
    if old.plain().is_some() || new.plain().is_some() {
        // Godot 2 writes a path as one text, and the other engines write its names one by one, so the whole paths are
        // compared as text.
        return old.to_string() == new.to_string();
    }
    let same = |(old, new): (StrView<'_>, StrView<'_>)| texts(&old, &new, rule);
    old.is_absolute() == new.is_absolute()
        && old.names().count() == new.names().count()
        && old.subnames().count() == new.subnames().count()
        && old.names().zip(new.names()).all(same)
        && old.subnames().zip(new.subnames()).all(same)
}

/// Whether two containers of a kind declare the same types.
pub(super) fn have_same_types(old: &VariantView<'_>, new: &VariantView<'_>) -> bool {
    match (old, new) {
        (VariantView::Dictionary(old), VariantView::Dictionary(new)) => {
            types(&old.key_type(), &new.key_type()) && types(&old.value_type(), &new.value_type())
        }
        _ => match (old.as_array(), new.as_array()) {
            (Ok(old), Ok(new)) => types(&old.element_type(), &new.element_type()),
            _ => true,
        },
    }
}

fn types(old: &ElementType<StrView<'_>>, new: &ElementType<StrView<'_>>) -> bool {
    use ElementType as E;
    match (old, new) {
        (E::Any, E::Any) => true,
        (E::Builtin(old), E::Builtin(new)) => old == new,
        (E::Class(old), E::Class(new)) | (E::Script(old), E::Script(new)) => {
            old.engine_bytes() == new.engine_bytes()
        }
        (E::Unknown(old), E::Unknown(new)) => old == new,
        _ => false,
    }
}

/// Whether two containers can be compared item by item: two objects of one class, or two other containers of one kind.
pub(super) fn are_comparable(old: &VariantView<'_>, new: &VariantView<'_>) -> bool {
    match (old, new) {
        (VariantView::Object(old), VariantView::Object(new)) => match (old.class(), new.class()) {
            (Some(old), Some(new)) => old.engine_bytes() == new.engine_bytes(),
            _ => false,
        },
        _ => old.kind() == new.kind() && old.kind() != Kind::Object,
    }
}
