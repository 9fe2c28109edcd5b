//! Comparing without recursion.

use crate::array::ElementType;
use crate::object::Object;
use crate::text::Text;
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        are_equal(self, other, eq_leaves)
    }
}

/// Compares two values step by step, their leaves by `leaves`.
pub(crate) fn are_equal(
    a: &Variant,
    b: &Variant,
    leaves: impl Fn(&Variant, &Variant) -> bool,
) -> bool {
    let mut others = Walk::new(b);
    Walk::new(a).all(|step| match (step, others.next()) {
        (Visit::Leaf(a, at), Some(Visit::Leaf(b, bt))) => same_name(at, bt) && leaves(a, b),
        (Visit::Enter(a, at), Some(Visit::Enter(b, bt))) => same_name(at, bt) && eq_shells(a, b),
        (Visit::Exit, Some(Visit::Exit)) => true,
        _ => false,
    })
}

fn same_name(a: Place<'_>, b: Place<'_>) -> bool {
    match (a, b) {
        (Place::Property(_, a), Place::Property(_, b)) => a == b,
        _ => true,
    }
}

/// What a container is apart from its children.
#[derive(PartialEq)]
struct Shell<'v> {
    len: usize,
    types: [&'v ElementType; 2],
    class: Option<&'v Text>,
}

impl<'v> Shell<'v> {
    fn of(value: &'v Variant) -> Self {
        let any = &ElementType::Any;
        match value {
            Variant::Array(v) | Variant::TypedArray(v) | Variant::PackedTypedArray(v) => {
                Self { len: v.len(), types: [v.element_type(), any], class: None }
            }
            Variant::Dictionary(v) => {
                let (key, value) = v.types();
                Self { len: v.len(), types: [key, value], class: None }
            }
            Variant::Object(v) => match &**v {
                Object::Full { class, properties } => {
                    Self { len: properties.as_slice().len(), types: [any; 2], class: Some(class) }
                }
                Object::Null | Object::Id(_) => Self { len: 0, types: [any; 2], class: None },
            },
            _ => Self { len: 0, types: [any; 2], class: None },
        }
    }
}

fn eq_shells(a: &Variant, b: &Variant) -> bool {
    a.kind() == b.kind() && Shell::of(a) == Shell::of(b)
}

pub(crate) fn eq_leaves(a: &Variant, b: &Variant) -> bool {
    match (a, b) {
        (Variant::Nil, Variant::Nil) | (Variant::Callable, Variant::Callable) => true,
        (Variant::Bool(a), Variant::Bool(b)) => a == b,
        (Variant::Int(a), Variant::Int(b)) => a == b,
        (Variant::Float(a), Variant::Float(b)) => a == b,
        (Variant::Vector2(a), Variant::Vector2(b)) => a == b,
        (Variant::Vector2i(a), Variant::Vector2i(b)) => a == b,
        (Variant::Rect2(a), Variant::Rect2(b)) => a == b,
        (Variant::Rect2i(a), Variant::Rect2i(b)) => a == b,
        (Variant::Vector3(a), Variant::Vector3(b)) => a == b,
        (Variant::Vector3i(a), Variant::Vector3i(b)) => a == b,
        (Variant::Transform2D(a), Variant::Transform2D(b)) => a == b,
        (Variant::Vector4(a), Variant::Vector4(b)) => a == b,
        (Variant::Vector4i(a), Variant::Vector4i(b)) => a == b,
        (Variant::Plane(a), Variant::Plane(b)) => a == b,
        (Variant::Quaternion(a), Variant::Quaternion(b)) => a == b,
        (Variant::Aabb(a), Variant::Aabb(b)) => a == b,
        (Variant::Basis(a), Variant::Basis(b)) => a == b,
        (Variant::Transform3D(a), Variant::Transform3D(b)) => a == b,
        (Variant::Projection(a), Variant::Projection(b)) => a == b,
        (Variant::Color(a), Variant::Color(b)) => a == b,
        (Variant::Image(a), Variant::Image(b)) => a == b,
        (Variant::String(a), Variant::String(b))
        | (Variant::StringName(a), Variant::StringName(b)) => a == b,
        (Variant::NodePath(a), Variant::NodePath(b)) => a == b,
        (Variant::Rid(a), Variant::Rid(b)) => a == b,
        (Variant::Object(a), Variant::Object(b)) => match (&**a, &**b) {
            (Object::Null, Object::Null) => true,
            (Object::Id(a), Object::Id(b)) => a == b,
            _ => false,
        },
        (Variant::InputEvent(a), Variant::InputEvent(b)) => a == b,
        (Variant::Signal(a), Variant::Signal(b)) => a == b,
        (Variant::PackedByteArray(a), Variant::PackedByteArray(b)) => a == b,
        (Variant::PackedInt32Array(a), Variant::PackedInt32Array(b)) => a == b,
        (Variant::PackedInt64Array(a), Variant::PackedInt64Array(b)) => a == b,
        (Variant::PackedFloat32Array(a), Variant::PackedFloat32Array(b)) => a == b,
        (Variant::PackedFloat64Array(a), Variant::PackedFloat64Array(b)) => a == b,
        (Variant::PackedStringArray(a), Variant::PackedStringArray(b)) => a == b,
        (Variant::PackedVector2Array(a), Variant::PackedVector2Array(b)) => a == b,
        (Variant::PackedVector2iArray(a), Variant::PackedVector2iArray(b)) => a == b,
        (Variant::PackedVector3Array(a), Variant::PackedVector3Array(b)) => a == b,
        (Variant::PackedVector3iArray(a), Variant::PackedVector3iArray(b)) => a == b,
        (Variant::PackedColorArray(a), Variant::PackedColorArray(b)) => a == b,
        (Variant::PackedVector4Array(a), Variant::PackedVector4Array(b)) => a == b,
        (Variant::PackedVector4iArray(a), Variant::PackedVector4iArray(b)) => a == b,
        _ => false,
    }
}
