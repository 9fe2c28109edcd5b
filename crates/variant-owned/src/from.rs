//! Conversions from and to the types people have.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use variant_view::{
    Aabb, Basis, Color, Kind, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
    Vector2, Vector3, Vector4,
};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int, NodePath, Signal};
use crate::object::Object;
use crate::reals::{RealVec, Reals};
use crate::text::Text;
use crate::variant::Variant;

macro_rules! from {
    ($($type:ty => |$value:ident| $make:expr;)*) => {$(
        impl From<$type> for Variant {
            fn from($value: $type) -> Self {
                $make
            }
        }
    )*};
}

from! {
    () => |_value| Self::Nil;
    bool => |value| Self::Bool(value);
    i8 => |value| Self::Int(Int::new(value.into()));
    u8 => |value| Self::Int(Int::new(value.into()));
    i16 => |value| Self::Int(Int::new(value.into()));
    u16 => |value| Self::Int(Int::new(value.into()));
    i32 => |value| Self::Int(Int::new(value.into()));
    u32 => |value| Self::Int(Int::new(value.into()));
    i64 => |value| Self::Int(Int::new(value));
    Int => |value| Self::Int(value);
    f32 => |value| Self::Float(Float::new(value.into()));
    f64 => |value| Self::Float(Float::new(value));
    Float => |value| Self::Float(value);
    &str => |value| Self::String(value.into());
    String => |value| Self::String(value.into());
    &String => |value| Self::String(value.as_str().into());
    char => |value| Self::String(value.encode_utf8(&mut [0; 4]).as_bytes().into());
    Text => |value| Self::String(value);
    (f32, f32) => |value| Self::Vector2(Vector2 { x: value.0, y: value.1 }.into());
    (f32, f32, f32) => |value| Self::Vector3(Vector3 { x: value.0, y: value.1, z: value.2 }.into());
    (i32, i32) => |value| Self::Vector2i(Vector2 { x: value.0, y: value.1 });
    (i32, i32, i32) => |value| Self::Vector3i(Vector3 { x: value.0, y: value.1, z: value.2 });
    Vector2 => |value| Self::Vector2(value.into());
    Vector2<f64> => |value| Self::Vector2(Reals::double(value));
    Vector2<i32> => |value| Self::Vector2i(value);
    Rect2 => |value| Self::Rect2(value.into());
    Rect2<f64> => |value| Self::Rect2(Reals::double(value));
    Rect2<i32> => |value| Self::Rect2i(value);
    Vector3 => |value| Self::Vector3(value.into());
    Vector3<f64> => |value| Self::Vector3(Reals::double(value));
    Vector3<i32> => |value| Self::Vector3i(value);
    Transform2D => |value| Self::Transform2D(Box::new(value.into()));
    Transform2D<f64> => |value| Self::Transform2D(Box::new(Reals::double(value)));
    Vector4 => |value| Self::Vector4(value.into());
    Vector4<f64> => |value| Self::Vector4(Reals::double(value));
    Vector4<i32> => |value| Self::Vector4i(value);
    Plane => |value| Self::Plane(value.into());
    Plane<f64> => |value| Self::Plane(Reals::double(value));
    Quaternion => |value| Self::Quaternion(value.into());
    Quaternion<f64> => |value| Self::Quaternion(Reals::double(value));
    Aabb => |value| Self::Aabb(Box::new(value.into()));
    Aabb<f64> => |value| Self::Aabb(Box::new(Reals::double(value)));
    Basis => |value| Self::Basis(Box::new(value.into()));
    Basis<f64> => |value| Self::Basis(Box::new(Reals::double(value)));
    Transform3D => |value| Self::Transform3D(Box::new(value.into()));
    Transform3D<f64> => |value| Self::Transform3D(Box::new(Reals::double(value)));
    Projection => |value| Self::Projection(Box::new(value.into()));
    Projection<f64> => |value| Self::Projection(Box::new(Reals::double(value)));
    Color => |value| Self::Color(value);
    NodePath => |value| Self::NodePath(Box::new(value));
    Signal => |value| Self::Signal(Box::new(value));
    Object => |value| Self::Object(Box::new(value));
    Dictionary => |value| Self::Dictionary(value);
    Array => |value| Self::Array(value);
    Vec<Self> => |value| Self::Array(value.into_iter().collect());
    Vec<u8> => |value| Self::PackedByteArray(value);
    Vec<i32> => |value| Self::PackedInt32Array(value);
    Vec<i64> => |value| Self::PackedInt64Array(value);
    Vec<f32> => |value| Self::PackedFloat32Array(value);
    Vec<f64> => |value| Self::PackedFloat64Array(value);
    Vec<Text> => |value| Self::PackedStringArray(value);
    Vec<String> => |value| Self::PackedStringArray(value.into_iter().map(Text::from).collect());
    Vec<&str> => |value| Self::PackedStringArray(value.into_iter().map(Text::from).collect());
    Vec<Vector2> => |value| Self::PackedVector2Array(RealVec::Single(value));
    Vec<Vector3> => |value| Self::PackedVector3Array(RealVec::Single(value));
    Vec<Vector4> => |value| Self::PackedVector4Array(RealVec::Single(value));
    Vec<Color> => |value| Self::PackedColorArray(value);
    &[u8] => |value| Self::PackedByteArray(value.to_vec());
    &[i32] => |value| Self::PackedInt32Array(value.to_vec());
    &[i64] => |value| Self::PackedInt64Array(value.to_vec());
    &[f32] => |value| Self::PackedFloat32Array(value.to_vec());
    &[f64] => |value| Self::PackedFloat64Array(value.to_vec());
}

#[cfg(feature = "mint")]
macro_rules! from_mint {
    ($($other:ident => $own:ident)*) => {$(
        impl From<mint::$other<f32>> for Variant {
            fn from(value: mint::$other<f32>) -> Self {
                $own::from(value).into()
            }
        }
    )*};
}

#[cfg(feature = "mint")]
from_mint! {
    Vector2 => Vector2
    Vector3 => Vector3
    Vector4 => Vector4
    Point2 => Vector2
    Point3 => Vector3
    Quaternion => Quaternion
    RowMatrix3 => Basis
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes)
    }
}

impl From<&mut [u8]> for Text {
    fn from(bytes: &mut [u8]) -> Self {
        Self::from_bytes(bytes)
    }
}

impl<V: Into<Self>> From<Option<V>> for Variant {
    /// `null` for none.
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Nil, Into::into)
    }
}

impl<K: Into<Self>, V: Into<Self>> From<BTreeMap<K, V>> for Variant {
    fn from(map: BTreeMap<K, V>) -> Self {
        Self::Dictionary(map.into_iter().collect())
    }
}

impl<K: Into<Self>, V: Into<Self>, S> From<HashMap<K, V, S>> for Variant {
    /// In the map's order, which is not the same in every run.
    fn from(map: HashMap<K, V, S>) -> Self {
        Self::Dictionary(map.into_iter().collect())
    }
}

/// A [`Variant`] is of another kind than asked for, or its value does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongKind {
    /// What was asked for.
    pub expected: &'static str,
    /// What there is.
    pub found: Kind,
}

impl fmt::Display for WrongKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for WrongKind {}

macro_rules! try_into {
    ($($type:ty, $pattern:pat => $take:expr;)*) => {$(
        impl TryFrom<Variant> for $type {
            type Error = WrongKind;

            fn try_from(value: Variant) -> Result<Self, WrongKind> {
                let found = value.kind();
                let taken = match value {
                    $pattern => $take,
                    _ => None,
                };
                taken.ok_or(WrongKind { expected: stringify!($type), found })
            }
        }
    )*};
}

try_into! {
    bool, Variant::Bool(value) => Some(value);
    i8, Variant::Int(value) => value.value().try_into().ok();
    u8, Variant::Int(value) => value.value().try_into().ok();
    i16, Variant::Int(value) => value.value().try_into().ok();
    u16, Variant::Int(value) => value.value().try_into().ok();
    i32, Variant::Int(value) => value.value().try_into().ok();
    u32, Variant::Int(value) => value.value().try_into().ok();
    i64, Variant::Int(value) => Some(value.value());
    u64, Variant::Int(value) => value.value().try_into().ok();
    usize, Variant::Int(value) => value.value().try_into().ok();
    f64, Variant::Float(value) => Some(value.value());
    String, Variant::String(value) | Variant::StringName(value) => value.as_str().map(str::to_owned);
    Text, Variant::String(value) | Variant::StringName(value) => Some(value);
    Vector2, Variant::Vector2(value) => Some(value.f32());
    Vector3, Variant::Vector3(value) => Some(value.f32());
    Vector4, Variant::Vector4(value) => Some(value.f32());
    Quaternion, Variant::Quaternion(value) => Some(value.f32());
    Color, Variant::Color(value) => Some(value);
    NodePath, Variant::NodePath(value) => Some(*value);
    Object, Variant::Object(value) => Some(*value);
    Dictionary, Variant::Dictionary(value) => Some(value);
    Array, Variant::Array(value) | Variant::TypedArray(value) | Variant::PackedTypedArray(value) => {
        Some(value)
    };
    Vec<u8>, Variant::PackedByteArray(value) => Some(value);
    Vec<i32>, Variant::PackedInt32Array(value) => Some(value);
    Vec<i64>, Variant::PackedInt64Array(value) => Some(value);
    Vec<f32>, Variant::PackedFloat32Array(value) => Some(value);
    Vec<f64>, Variant::PackedFloat64Array(value) => Some(value);
    Vec<Text>, Variant::PackedStringArray(value) => Some(value);
    Vec<Color>, Variant::PackedColorArray(value) => Some(value);
}

impl PartialEq<str> for Variant {
    fn eq(&self, other: &str) -> bool {
        self.as_text().is_some_and(|text| text.as_bytes() == other.as_bytes())
    }
}

impl PartialEq<&str> for Variant {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl PartialEq<i64> for Variant {
    fn eq(&self, other: &i64) -> bool {
        self.as_i64() == Some(*other)
    }
}

impl PartialEq<i32> for Variant {
    fn eq(&self, other: &i32) -> bool {
        self.as_i64() == Some((*other).into())
    }
}

impl PartialEq<bool> for Variant {
    fn eq(&self, other: &bool) -> bool {
        self.as_bool() == Some(*other)
    }
}
