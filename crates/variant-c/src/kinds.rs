//! The numbers of kinds in C, and their names.

use std::ffi::c_char;
use std::ptr;

use variant_view::Kind;

use crate::border::Result;
use crate::error::Failure;

// A kind has the number that Godot 4 gives it in Variant.Type. Kinds that Godot 4 lacks have numbers from 64 on.

/// null.
pub const VARIANT_KIND_NIL: u8 = 0;
/// bool.
pub const VARIANT_KIND_BOOL: u8 = 1;
/// int.
pub const VARIANT_KIND_INT: u8 = 2;
/// float.
pub const VARIANT_KIND_FLOAT: u8 = 3;
/// String.
pub const VARIANT_KIND_STRING: u8 = 4;
/// Vector2.
pub const VARIANT_KIND_VECTOR2: u8 = 5;
/// Vector2i.
pub const VARIANT_KIND_VECTOR2I: u8 = 6;
/// Rect2.
pub const VARIANT_KIND_RECT2: u8 = 7;
/// Rect2i.
pub const VARIANT_KIND_RECT2I: u8 = 8;
/// Vector3.
pub const VARIANT_KIND_VECTOR3: u8 = 9;
/// Vector3i.
pub const VARIANT_KIND_VECTOR3I: u8 = 10;
/// Transform2D.
pub const VARIANT_KIND_TRANSFORM2D: u8 = 11;
/// Vector4.
pub const VARIANT_KIND_VECTOR4: u8 = 12;
/// Vector4i.
pub const VARIANT_KIND_VECTOR4I: u8 = 13;
/// Plane.
pub const VARIANT_KIND_PLANE: u8 = 14;
/// Quaternion, in Godot 3 Quat.
pub const VARIANT_KIND_QUATERNION: u8 = 15;
/// AABB.
pub const VARIANT_KIND_AABB: u8 = 16;
/// Basis: 9 numbers, row by row.
pub const VARIANT_KIND_BASIS: u8 = 17;
/// Transform3D, in Godot 3 Transform: a basis, row by row, and the origin.
pub const VARIANT_KIND_TRANSFORM3D: u8 = 18;
/// Projection.
pub const VARIANT_KIND_PROJECTION: u8 = 19;
/// Color.
pub const VARIANT_KIND_COLOR: u8 = 20;
/// StringName.
pub const VARIANT_KIND_STRING_NAME: u8 = 21;
/// NodePath.
pub const VARIANT_KIND_NODE_PATH: u8 = 22;
/// RID.
pub const VARIANT_KIND_RID: u8 = 23;
/// Object: null, an id, or a class with properties.
pub const VARIANT_KIND_OBJECT: u8 = 24;
/// Callable.
pub const VARIANT_KIND_CALLABLE: u8 = 25;
/// Signal.
pub const VARIANT_KIND_SIGNAL: u8 = 26;
/// Dictionary.
pub const VARIANT_KIND_DICTIONARY: u8 = 27;
/// Array.
pub const VARIANT_KIND_ARRAY: u8 = 28;
/// PackedByteArray, in Godot 3 PoolByteArray. The names of the other packed arrays also begin with Pool in Godot 3.
pub const VARIANT_KIND_PACKED_BYTE_ARRAY: u8 = 29;
/// PackedInt32Array.
pub const VARIANT_KIND_PACKED_INT32_ARRAY: u8 = 30;
/// PackedInt64Array.
pub const VARIANT_KIND_PACKED_INT64_ARRAY: u8 = 31;
/// PackedFloat32Array.
pub const VARIANT_KIND_PACKED_FLOAT32_ARRAY: u8 = 32;
/// PackedFloat64Array.
pub const VARIANT_KIND_PACKED_FLOAT64_ARRAY: u8 = 33;
/// PackedStringArray.
pub const VARIANT_KIND_PACKED_STRING_ARRAY: u8 = 34;
/// PackedVector2Array.
pub const VARIANT_KIND_PACKED_VECTOR2_ARRAY: u8 = 35;
/// PackedVector3Array.
pub const VARIANT_KIND_PACKED_VECTOR3_ARRAY: u8 = 36;
/// PackedColorArray.
pub const VARIANT_KIND_PACKED_COLOR_ARRAY: u8 = 37;
/// PackedVector4Array.
pub const VARIANT_KIND_PACKED_VECTOR4_ARRAY: u8 = 38;
/// Image, in Godot 2 only.
pub const VARIANT_KIND_IMAGE: u8 = 64;
/// InputEvent, in Godot 2 only.
pub const VARIANT_KIND_INPUT_EVENT: u8 = 65;
/// TypedArray, in Pandemonium 5 only.
pub const VARIANT_KIND_TYPED_ARRAY: u8 = 66;
/// PackedTypedArray, in Pandemonium 5 only.
pub const VARIANT_KIND_PACKED_TYPED_ARRAY: u8 = 67;
/// PoolVector2iArray, in Pandemonium only.
pub const VARIANT_KIND_PACKED_VECTOR2I_ARRAY: u8 = 68;
/// PoolVector3iArray, in Pandemonium only.
pub const VARIANT_KIND_PACKED_VECTOR3I_ARRAY: u8 = 69;
/// PoolVector4iArray, in Pandemonium only.
pub const VARIANT_KIND_PACKED_VECTOR4I_ARRAY: u8 = 70;
/// A kind that has no number in this header. A later version of the library may have one.
pub const VARIANT_KIND_OTHER: u8 = 255;

pub(crate) const fn of_kind(kind: Kind) -> u8 {
    match kind {
        Kind::Nil => VARIANT_KIND_NIL,
        Kind::Bool => VARIANT_KIND_BOOL,
        Kind::Int => VARIANT_KIND_INT,
        Kind::Float => VARIANT_KIND_FLOAT,
        Kind::String => VARIANT_KIND_STRING,
        Kind::Vector2 => VARIANT_KIND_VECTOR2,
        Kind::Vector2i => VARIANT_KIND_VECTOR2I,
        Kind::Rect2 => VARIANT_KIND_RECT2,
        Kind::Rect2i => VARIANT_KIND_RECT2I,
        Kind::Vector3 => VARIANT_KIND_VECTOR3,
        Kind::Vector3i => VARIANT_KIND_VECTOR3I,
        Kind::Transform2D => VARIANT_KIND_TRANSFORM2D,
        Kind::Vector4 => VARIANT_KIND_VECTOR4,
        Kind::Vector4i => VARIANT_KIND_VECTOR4I,
        Kind::Plane => VARIANT_KIND_PLANE,
        Kind::Quaternion => VARIANT_KIND_QUATERNION,
        Kind::Aabb => VARIANT_KIND_AABB,
        Kind::Basis => VARIANT_KIND_BASIS,
        Kind::Transform3D => VARIANT_KIND_TRANSFORM3D,
        Kind::Projection => VARIANT_KIND_PROJECTION,
        Kind::Color => VARIANT_KIND_COLOR,
        Kind::StringName => VARIANT_KIND_STRING_NAME,
        Kind::NodePath => VARIANT_KIND_NODE_PATH,
        Kind::Rid => VARIANT_KIND_RID,
        Kind::Object => VARIANT_KIND_OBJECT,
        Kind::Callable => VARIANT_KIND_CALLABLE,
        Kind::Signal => VARIANT_KIND_SIGNAL,
        Kind::Dictionary => VARIANT_KIND_DICTIONARY,
        Kind::Array => VARIANT_KIND_ARRAY,
        Kind::PackedByteArray => VARIANT_KIND_PACKED_BYTE_ARRAY,
        Kind::PackedInt32Array => VARIANT_KIND_PACKED_INT32_ARRAY,
        Kind::PackedInt64Array => VARIANT_KIND_PACKED_INT64_ARRAY,
        Kind::PackedFloat32Array => VARIANT_KIND_PACKED_FLOAT32_ARRAY,
        Kind::PackedFloat64Array => VARIANT_KIND_PACKED_FLOAT64_ARRAY,
        Kind::PackedStringArray => VARIANT_KIND_PACKED_STRING_ARRAY,
        Kind::PackedVector2Array => VARIANT_KIND_PACKED_VECTOR2_ARRAY,
        Kind::PackedVector3Array => VARIANT_KIND_PACKED_VECTOR3_ARRAY,
        Kind::PackedColorArray => VARIANT_KIND_PACKED_COLOR_ARRAY,
        Kind::PackedVector4Array => VARIANT_KIND_PACKED_VECTOR4_ARRAY,
        Kind::Image => VARIANT_KIND_IMAGE,
        Kind::InputEvent => VARIANT_KIND_INPUT_EVENT,
        Kind::TypedArray => VARIANT_KIND_TYPED_ARRAY,
        Kind::PackedTypedArray => VARIANT_KIND_PACKED_TYPED_ARRAY,
        Kind::PackedVector2iArray => VARIANT_KIND_PACKED_VECTOR2I_ARRAY,
        Kind::PackedVector3iArray => VARIANT_KIND_PACKED_VECTOR3I_ARRAY,
        Kind::PackedVector4iArray => VARIANT_KIND_PACKED_VECTOR4I_ARRAY,
        _ => VARIANT_KIND_OTHER,
    }
}

/// The kind with this number.
pub(crate) fn kind<'a>(number: u8) -> Result<'a, Kind> {
    let found = Kind::ALL.iter().copied().find(|kind| of_kind(*kind) == number);
    found.ok_or(Failure::argument("the number of the kind is not one of VARIANT_KIND_*"))
}

/// The name of a kind as Godot 4 spells it, such as "Vector2"; NULL for other numbers. The text is never freed.
#[unsafe(no_mangle)]
pub const extern "C" fn variant_kind_name(kind: u8) -> *const c_char {
    let name = match kind {
        VARIANT_KIND_NIL => c"Nil",
        VARIANT_KIND_BOOL => c"bool",
        VARIANT_KIND_INT => c"int",
        VARIANT_KIND_FLOAT => c"float",
        VARIANT_KIND_STRING => c"String",
        VARIANT_KIND_VECTOR2 => c"Vector2",
        VARIANT_KIND_VECTOR2I => c"Vector2i",
        VARIANT_KIND_RECT2 => c"Rect2",
        VARIANT_KIND_RECT2I => c"Rect2i",
        VARIANT_KIND_VECTOR3 => c"Vector3",
        VARIANT_KIND_VECTOR3I => c"Vector3i",
        VARIANT_KIND_TRANSFORM2D => c"Transform2D",
        VARIANT_KIND_VECTOR4 => c"Vector4",
        VARIANT_KIND_VECTOR4I => c"Vector4i",
        VARIANT_KIND_PLANE => c"Plane",
        VARIANT_KIND_QUATERNION => c"Quaternion",
        VARIANT_KIND_AABB => c"AABB",
        VARIANT_KIND_BASIS => c"Basis",
        VARIANT_KIND_TRANSFORM3D => c"Transform3D",
        VARIANT_KIND_PROJECTION => c"Projection",
        VARIANT_KIND_COLOR => c"Color",
        VARIANT_KIND_STRING_NAME => c"StringName",
        VARIANT_KIND_NODE_PATH => c"NodePath",
        VARIANT_KIND_RID => c"RID",
        VARIANT_KIND_OBJECT => c"Object",
        VARIANT_KIND_CALLABLE => c"Callable",
        VARIANT_KIND_SIGNAL => c"Signal",
        VARIANT_KIND_DICTIONARY => c"Dictionary",
        VARIANT_KIND_ARRAY => c"Array",
        VARIANT_KIND_PACKED_BYTE_ARRAY => c"PackedByteArray",
        VARIANT_KIND_PACKED_INT32_ARRAY => c"PackedInt32Array",
        VARIANT_KIND_PACKED_INT64_ARRAY => c"PackedInt64Array",
        VARIANT_KIND_PACKED_FLOAT32_ARRAY => c"PackedFloat32Array",
        VARIANT_KIND_PACKED_FLOAT64_ARRAY => c"PackedFloat64Array",
        VARIANT_KIND_PACKED_STRING_ARRAY => c"PackedStringArray",
        VARIANT_KIND_PACKED_VECTOR2_ARRAY => c"PackedVector2Array",
        VARIANT_KIND_PACKED_VECTOR3_ARRAY => c"PackedVector3Array",
        VARIANT_KIND_PACKED_COLOR_ARRAY => c"PackedColorArray",
        VARIANT_KIND_PACKED_VECTOR4_ARRAY => c"PackedVector4Array",
        VARIANT_KIND_IMAGE => c"Image",
        VARIANT_KIND_INPUT_EVENT => c"InputEvent",
        VARIANT_KIND_TYPED_ARRAY => c"TypedArray",
        VARIANT_KIND_PACKED_TYPED_ARRAY => c"PackedTypedArray",
        VARIANT_KIND_PACKED_VECTOR2I_ARRAY => c"PackedVector2iArray",
        VARIANT_KIND_PACKED_VECTOR3I_ARRAY => c"PackedVector3iArray",
        VARIANT_KIND_PACKED_VECTOR4I_ARRAY => c"PackedVector4iArray",
        _ => return ptr::null(),
    };
    name.as_ptr()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::CStr;

    use variant_view::Dialect;

    use super::*;

    fn read(name: *const c_char) -> String {
        // SAFETY: names are constants that end with a NUL.
        unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_kind_has_the_number_of_godot4_and_its_name() {
        let mut numbers = BTreeSet::new();
        for kind in Kind::ALL.iter().copied() {
            let number = of_kind(kind);
            assert!(numbers.insert(number) && number != VARIANT_KIND_OTHER, "{kind}");
            assert_eq!(Dialect::Godot4.id(kind).unwrap_or(number), number);
            assert_eq!(Dialect::Godot4.id(kind).is_none(), number >= 64, "{kind}");
            assert_eq!(read(variant_kind_name(number)), kind.name());
            assert_eq!(super::kind(number).unwrap(), kind);
        }
    }
}
