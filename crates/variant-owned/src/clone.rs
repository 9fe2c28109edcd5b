//! Cloning without recursion.

use crate::build::{Builder, Open};
use crate::object::Object;
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

impl Clone for Variant {
    fn clone(&self) -> Self {
        let mut builder = Builder::default();
        for visit in Walk::new(self) {
            if let Visit::Leaf(_, Place::Property(_, name))
            | Visit::Enter(_, Place::Property(_, name)) = visit
            {
                builder.name(name.clone());
            }
            match visit {
                Visit::Leaf(value, _) => builder.value(clone_leaf(value)),
                Visit::Enter(value, _) => {
                    if let Some(shell) = Open::shell_of(value) {
                        builder.enter(shell);
                    }
                }
                Visit::Exit => builder.exit(),
            }
        }
        builder.finish().unwrap_or_default()
    }
}

/// A copy of a value without children; of one with children, nil.
fn clone_leaf(value: &Variant) -> Variant {
    match value {
        Variant::Nil
        | Variant::Array(_)
        | Variant::TypedArray(_)
        | Variant::PackedTypedArray(_)
        | Variant::Dictionary(_) => Variant::Nil,
        Variant::Bool(v) => Variant::Bool(*v),
        Variant::Int(v) => Variant::Int(*v),
        Variant::Float(v) => Variant::Float(*v),
        Variant::String(v) => Variant::String(v.clone()),
        Variant::Vector2(v) => Variant::Vector2(v.clone()),
        Variant::Vector2i(v) => Variant::Vector2i(*v),
        Variant::Rect2(v) => Variant::Rect2(v.clone()),
        Variant::Rect2i(v) => Variant::Rect2i(*v),
        Variant::Vector3(v) => Variant::Vector3(v.clone()),
        Variant::Vector3i(v) => Variant::Vector3i(*v),
        Variant::Transform2D(v) => Variant::Transform2D(v.clone()),
        Variant::Vector4(v) => Variant::Vector4(v.clone()),
        Variant::Vector4i(v) => Variant::Vector4i(*v),
        Variant::Plane(v) => Variant::Plane(v.clone()),
        Variant::Quaternion(v) => Variant::Quaternion(v.clone()),
        Variant::Aabb(v) => Variant::Aabb(v.clone()),
        Variant::Basis(v) => Variant::Basis(v.clone()),
        Variant::Transform3D(v) => Variant::Transform3D(v.clone()),
        Variant::Projection(v) => Variant::Projection(v.clone()),
        Variant::Color(v) => Variant::Color(*v),
        Variant::Image(v) => Variant::Image(v.clone()),
        Variant::StringName(v) => Variant::StringName(v.clone()),
        Variant::NodePath(v) => Variant::NodePath(v.clone()),
        Variant::Rid(v) => Variant::Rid(*v),
        Variant::Object(v) => Variant::Object(Box::new(match &**v {
            Object::Id(id) => Object::Id(*id),
            _ => Object::Null,
        })),
        Variant::InputEvent(v) => Variant::InputEvent(v.clone()),
        Variant::Callable => Variant::Callable,
        Variant::Signal(v) => Variant::Signal(v.clone()),
        Variant::PackedByteArray(v) => Variant::PackedByteArray(v.clone()),
        Variant::PackedInt32Array(v) => Variant::PackedInt32Array(v.clone()),
        Variant::PackedInt64Array(v) => Variant::PackedInt64Array(v.clone()),
        Variant::PackedFloat32Array(v) => Variant::PackedFloat32Array(v.clone()),
        Variant::PackedFloat64Array(v) => Variant::PackedFloat64Array(v.clone()),
        Variant::PackedStringArray(v) => Variant::PackedStringArray(v.clone()),
        Variant::PackedVector2Array(v) => Variant::PackedVector2Array(v.clone()),
        Variant::PackedVector2iArray(v) => Variant::PackedVector2iArray(v.clone()),
        Variant::PackedVector3Array(v) => Variant::PackedVector3Array(v.clone()),
        Variant::PackedVector3iArray(v) => Variant::PackedVector3iArray(v.clone()),
        Variant::PackedColorArray(v) => Variant::PackedColorArray(v.clone()),
        Variant::PackedVector4Array(v) => Variant::PackedVector4Array(v.clone()),
        Variant::PackedVector4iArray(v) => Variant::PackedVector4iArray(v.clone()),
    }
}
