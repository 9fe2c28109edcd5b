//! `Debug` without recursion: one line, in the manner of `GDScript`.

use std::fmt::{self, Debug as _};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::object::{Object, Properties};
use crate::reals::Reals;
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut closers = Vec::new();
        let mut is_first = true;
        for visit in Walk::new(self) {
            if let Visit::Leaf(_, place) | Visit::Enter(_, place) = visit {
                separate(f, place, is_first)?;
            }
            is_first = false;
            match visit {
                Visit::Leaf(value, _) => write_leaf(f, value)?,
                Visit::Enter(value, _) => {
                    closers.push(open(f, value)?);
                    is_first = true;
                }
                Visit::Exit => f.write_str(closers.pop().unwrap_or_default())?,
            }
        }
        Ok(())
    }
}

fn separate(f: &mut fmt::Formatter<'_>, place: Place<'_>, is_first: bool) -> fmt::Result {
    match place {
        Place::Value(_) => return f.write_str(": "),
        _ if !is_first => f.write_str(", ")?,
        _ => {}
    }
    match place {
        Place::Property(_, name) => write!(f, "{name}: "),
        _ => Ok(()),
    }
}

/// Writes what opens a container and says what closes it.
fn open(f: &mut fmt::Formatter<'_>, value: &Variant) -> Result<&'static str, fmt::Error> {
    match value {
        Variant::Dictionary(_) => f.write_str("{").map(|()| "}"),
        Variant::Object(object) => match &**object {
            Object::Full { class, .. } => write!(f, "{class}(").map(|()| ")"),
            Object::Null | Object::Id(_) => Ok(""),
        },
        _ => f.write_str("[").map(|()| "]"),
    }
}

macro_rules! write_reals {
    ($f:expr, $view:expr) => {
        match &$view {
            Reals::Single(value) => value.fmt($f),
            Reals::Double(value) => value.fmt($f),
        }
    };
}

fn write_leaf(f: &mut fmt::Formatter<'_>, value: &Variant) -> fmt::Result {
    match value {
        Variant::Nil => f.write_str("null"),
        Variant::Bool(v) => v.fmt(f),
        Variant::Int(v) => v.value().fmt(f),
        Variant::Float(v) => v.value().fmt(f),
        Variant::String(v) => v.fmt(f),
        Variant::StringName(v) => write!(f, "&{v:?}"),
        Variant::Vector2(v) => write_reals!(f, v),
        Variant::Rect2(v) => write_reals!(f, v),
        Variant::Vector3(v) => write_reals!(f, v),
        Variant::Transform2D(v) => write_reals!(f, **v),
        Variant::Vector4(v) => write_reals!(f, v),
        Variant::Plane(v) => write_reals!(f, v),
        Variant::Quaternion(v) => write_reals!(f, v),
        Variant::Aabb(v) => write_reals!(f, **v),
        Variant::Basis(v) => write_reals!(f, **v),
        Variant::Transform3D(v) => write_reals!(f, **v),
        Variant::Projection(v) => write_reals!(f, **v),
        Variant::Vector2i(v) => v.fmt(f),
        Variant::Rect2i(v) => v.fmt(f),
        Variant::Vector3i(v) => v.fmt(f),
        Variant::Vector4i(v) => v.fmt(f),
        Variant::Color(v) => v.fmt(f),
        Variant::Image(v) => v.fmt(f),
        Variant::NodePath(v) => v.fmt(f),
        Variant::Rid(v) => write!(f, "RID({v})"),
        Variant::Object(v) => match **v {
            Object::Id(id) => write!(f, "Object#{id}"),
            _ => f.write_str("Object(null)"),
        },
        Variant::InputEvent(v) => v.fmt(f),
        Variant::Callable => f.write_str("Callable()"),
        Variant::Signal(v) => v.fmt(f),
        Variant::PackedByteArray(v) => v.fmt(f),
        Variant::PackedInt32Array(v) => v.fmt(f),
        Variant::PackedInt64Array(v) => v.fmt(f),
        Variant::PackedFloat32Array(v) => v.fmt(f),
        Variant::PackedFloat64Array(v) => v.fmt(f),
        Variant::PackedStringArray(v) => v.fmt(f),
        Variant::PackedVector2Array(v) => v.fmt(f),
        Variant::PackedVector2iArray(v) => v.fmt(f),
        Variant::PackedVector3Array(v) => v.fmt(f),
        Variant::PackedVector3iArray(v) => v.fmt(f),
        Variant::PackedColorArray(v) => v.fmt(f),
        Variant::PackedVector4Array(v) => v.fmt(f),
        Variant::PackedVector4iArray(v) => v.fmt(f),
        // Containers have an inside, and are no leaves.
        Variant::Array(_)
        | Variant::TypedArray(_)
        | Variant::PackedTypedArray(_)
        | Variant::Dictionary(_) => Ok(()),
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.as_slice().iter().map(|(name, value)| (name, value))).finish()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Object(null)"),
            Self::Id(id) => write!(f, "Object#{id}"),
            Self::Full { class, properties } => write!(f, "{class} {properties:?}"),
        }
    }
}
