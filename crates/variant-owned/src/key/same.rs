//! Leaves that are the same key, or make the containers around them the same.

use variant_view::{Color, Real};

use super::{KeyRule, float_bits, same_text};
use crate::eq::eq_leaves;
use crate::leaf::NodePath;
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

/// Of structures of reals, and of packed arrays of them.
macro_rules! same_reals {
    ($a:expr, $b:expr) => {
        $a.f64().map(float_bits) == $b.f64().map(float_bits)
    };
    (packed $a:expr, $b:expr) => {
        $a.iter_f64().map(|v| v.map(float_bits)).eq($b.iter_f64().map(|v| v.map(float_bits)))
    };
}

#[inline]
pub(super) fn leaves(a: &Variant, b: &Variant, rule: KeyRule) -> bool {
    match (a, b) {
        (Variant::String(a), Variant::String(b))
        | (Variant::StringName(a), Variant::StringName(b)) => same_text(a.as_bytes(), b.as_bytes()),
        (Variant::String(a), Variant::StringName(b))
        | (Variant::StringName(a), Variant::String(b)) => {
            rule.one_text_key && same_text(a.as_bytes(), b.as_bytes())
        }
        (Variant::Int(a), Variant::Int(b)) => a == b,
        _ => others(a, b, rule),
    }
}

/// What is seldom a key.
#[inline(never)]
fn others(a: &Variant, b: &Variant, rule: KeyRule) -> bool {
    match (a, b) {
        (Variant::Vector2(a), Variant::Vector2(b)) => same_reals!(a, b),
        (Variant::Rect2(a), Variant::Rect2(b)) => same_reals!(a, b),
        (Variant::Vector3(a), Variant::Vector3(b)) => same_reals!(a, b),
        (Variant::Transform2D(a), Variant::Transform2D(b)) => same_reals!(a, b),
        (Variant::Vector4(a), Variant::Vector4(b)) => same_reals!(a, b),
        (Variant::Plane(a), Variant::Plane(b)) => same_reals!(a, b),
        (Variant::Quaternion(a), Variant::Quaternion(b)) => same_reals!(a, b),
        (Variant::Aabb(a), Variant::Aabb(b)) => same_reals!(a, b),
        (Variant::Basis(a), Variant::Basis(b)) => same_reals!(a, b),
        (Variant::Transform3D(a), Variant::Transform3D(b)) => same_reals!(a, b),
        (Variant::Projection(a), Variant::Projection(b)) => same_reals!(a, b),
        (Variant::Color(a), Variant::Color(b)) => color_bits(*a) == color_bits(*b),
        (Variant::NodePath(a), Variant::NodePath(b)) => same_paths(a, b, rule),
        (Variant::Object(a), Variant::Object(b)) => is_null(a) && is_null(b),
        (Variant::PackedFloat32Array(a), Variant::PackedFloat32Array(b)) => {
            let bits = |float: &f32| float.to_bits();
            let reals = |float: &f32| float_bits(float.widen());
            if rule.packed_floats_by_bits {
                a.iter().map(bits).eq(b.iter().map(bits))
            } else {
                a.iter().map(reals).eq(b.iter().map(reals))
            }
        }
        (Variant::PackedFloat64Array(a), Variant::PackedFloat64Array(b)) => {
            a.iter().copied().map(float_bits).eq(b.iter().copied().map(float_bits))
        }
        (Variant::PackedStringArray(a), Variant::PackedStringArray(b)) => same_texts(a, b),
        (Variant::PackedVector2Array(a), Variant::PackedVector2Array(b)) => {
            same_reals!(packed a, b)
        }
        (Variant::PackedVector3Array(a), Variant::PackedVector3Array(b)) => {
            same_reals!(packed a, b)
        }
        (Variant::PackedVector4Array(a), Variant::PackedVector4Array(b)) => {
            same_reals!(packed a, b)
        }
        (Variant::PackedColorArray(a), Variant::PackedColorArray(b)) => {
            a.iter().copied().map(color_bits).eq(b.iter().copied().map(color_bits))
        }
        _ => eq_leaves(a, b),
    }
}

fn color_bits(color: Color) -> Color<u64> {
    color.map(|real| float_bits(real.into()))
}

fn same_paths(a: &NodePath, b: &NodePath, rule: KeyRule) -> bool {
    let is_absolute = |path: &NodePath| {
        let is_empty = path.names.is_empty() && path.subnames.is_empty();
        path.is_absolute && (rule.absolute_empty_path || !is_empty)
    };
    same_texts(&a.names, &b.names)
        && same_texts(&a.subnames, &b.subnames)
        && same_texts(a.plain.as_slice(), b.plain.as_slice())
        && is_absolute(a) == is_absolute(b)
        && a.has_property == b.has_property
}

fn same_texts(a: &[Text], b: &[Text]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_text(a.as_bytes(), b.as_bytes()))
}

/// What is not null is no other's equal.
const fn is_null(object: &Object) -> bool {
    matches!(object, Object::Null | Object::Id(0))
}
