//! Conversions from common Rust types.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::num::TryFromIntError;

use variant_view::{Color, Vector2, Vector3, Vector4, math_types};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int, NodePath, Signal};
use crate::object::Object;
use crate::reals::{MathValue, RealVec};
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
    Cow<'_, str> => |value| Self::String(value.as_ref().into());
    String => |value| Self::String(value.into());
    &String => |value| Self::String(value.as_str().into());
    char => |value| Self::String(value.encode_utf8(&mut [0; 4]).as_bytes().into());
    Text => |value| Self::String(value);
    (f32, f32) => |value| Self::Vector2(Vector2 { x: value.0, y: value.1 }.into());
    (f32, f32, f32) => |value| Self::Vector3(Vector3 { x: value.0, y: value.1, z: value.2 }.into());
    (i32, i32) => |value| Self::Vector2i(Vector2 { x: value.0, y: value.1 });
    (i32, i32, i32) => |value| Self::Vector3i(Vector3 { x: value.0, y: value.1, z: value.2 });
    NodePath => |value| Self::NodePath(Box::new(value));
    Signal => |value| Self::Signal(Box::new(value));
    Object => |value| Self::Object(Box::new(value));
    Dictionary => |value| Self::Dictionary(value);
    Array => |value| Self::Array(value);
}

macro_rules! from_math {
    (
        reals { $($kind:ident: $as_real:ident $what:literal;)* }
        others { $($other:ident = $of:ident $(<$number:ident>)?: $as:ident $other_what:literal;)* }
    ) => {
        from! {
            // `into` boxes the value for the variants of the enum that hold a box.
            $(variant_view::$kind => |value| Self::$kind(MathValue::from(value).into());)*
            $(variant_view::$kind<f64> => |value| Self::$kind(MathValue::double(value).into());)*
            $(variant_view::$of $(<$number>)? => |value| Self::$other(value);)*
        }
    };
}

math_types!(from_math);

impl Variant {
    /// The integer with these 64 bits. The engines' integers are signed, so values from 2^63 on become negative, as ids
    /// and hashes are in scripts. O(1).
    ///
    /// ```
    /// use variant_owned::Variant;
    ///
    /// assert_eq!(Variant::from_bits(u64::MAX), -1);
    /// assert!(Variant::try_from(u64::MAX).is_err());
    /// ```
    pub fn from_bits(bits: u64) -> Self {
        bits.cast_signed().into()
    }
}

macro_rules! try_from {
    ($($type:ty)*) => {$(
        impl TryFrom<$type> for Variant {
            type Error = TryFromIntError;

            /// The same number. [`Variant::from_bits`] accepts numbers that an `i64` does not hold.
            ///
            /// # Errors
            /// The number is above `i64::MAX`.
            fn try_from(value: $type) -> Result<Self, TryFromIntError> {
                i64::try_from(value).map(Self::from)
            }
        }
    )*};
}

try_from!(u64 usize);

mod sealed {
    /// Seals [`super::Element`].
    pub trait Sealed {}
}

/// The element type of a list. The type selects the kind of array that engines use for such elements. Sealed.
///
/// This trait converts `Vec<T>`, `[T; N]`, `&[T]`, `&Vec<T>` and `Cow<[T]>` to a [`Variant`]:
///
/// ```
/// use variant_owned::{Variant, dictionary};
/// use variant_view::{Kind, Vector3};
///
/// assert_eq!(Variant::from([1.0_f32, 2.0]).kind(), Kind::PackedFloat32Array);
/// assert_eq!(Variant::from(&vec![Vector3::new(0.0, 1.0, 2.0)]).kind(), Kind::PackedVector3Array);
/// assert_eq!(Variant::from(["a", "b"]).kind(), Kind::PackedStringArray);
/// assert_eq!(Variant::from(vec![dictionary! { "hp" => 7 }]).kind(), Kind::Array);
/// ```
pub trait Element: sealed::Sealed + Sized {
    /// The array of these elements. O(elements); numbers and vectors are moved without conversion.
    fn into_array(elements: Vec<Self>) -> Variant;
}

macro_rules! elements {
    ($($type:ty => |$elements:ident| $make:expr;)*) => {$(
        impl sealed::Sealed for $type {}

        impl Element for $type {
            fn into_array($elements: Vec<Self>) -> Variant {
                $make
            }
        }
    )*};
}

elements! {
    u8 => |all| Variant::PackedByteArray(all);
    i32 => |all| Variant::PackedInt32Array(all);
    i64 => |all| Variant::PackedInt64Array(all);
    f32 => |all| Variant::PackedFloat32Array(all);
    f64 => |all| Variant::PackedFloat64Array(all);
    Text => |all| Variant::PackedStringArray(all);
    String => |all| Variant::PackedStringArray(all.into_iter().map(Text::from).collect());
    &str => |all| Variant::PackedStringArray(all.into_iter().map(Text::from).collect());
    Vector2 => |all| Variant::PackedVector2Array(all.into());
    Vector3 => |all| Variant::PackedVector3Array(all.into());
    Vector4 => |all| Variant::PackedVector4Array(all.into());
    Vector2<f64> => |all| Variant::PackedVector2Array(RealVec::Double(Box::new(all)));
    Vector3<f64> => |all| Variant::PackedVector3Array(RealVec::Double(Box::new(all)));
    Vector4<f64> => |all| Variant::PackedVector4Array(RealVec::Double(Box::new(all)));
    Vector2<i32> => |all| Variant::PackedVector2iArray(all);
    Vector3<i32> => |all| Variant::PackedVector3iArray(all);
    Vector4<i32> => |all| Variant::PackedVector4iArray(all);
    Color => |all| Variant::PackedColorArray(all);
    Variant => |all| Variant::Array(all.into_iter().collect());
    bool => |all| Variant::Array(all.into_iter().collect());
    Dictionary => |all| Variant::Array(all.into_iter().collect());
    Array => |all| Variant::Array(all.into_iter().collect());
    Object => |all| Variant::Array(all.into_iter().collect());
}

macro_rules! from_elements {
    ($([$($generics:tt)*] $type:ty => |$elements:ident| $all:expr;)*) => {$(
        impl<$($generics)*> From<$type> for Variant {
            fn from($elements: $type) -> Self {
                T::into_array($all)
            }
        }
    )*};
}

from_elements! {
    [T: Element] Vec<T> => |all| all;
    [T: Element, const N: usize] [T; N] => |all| all.into();
    [T: Element + Clone] &[T] => |all| all.to_vec();
    [T: Element + Clone] &Vec<T> => |all| all.clone();
    [T: Element + Clone, const N: usize] &[T; N] => |all| all.to_vec();
    [T: Element + Clone] Cow<'_, [T]> => |all| all.into_owned();
}

#[cfg(feature = "bytes")]
impl From<bytes::Bytes> for Variant {
    /// O(bytes) at most: shared and static bytes are copied, others keep their allocation.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use variant_owned::Variant;
    ///
    /// let packet = Bytes::from_static(b"axe");
    /// assert_eq!(Variant::from(packet).as_bytes(), Some(&b"axe"[..]));
    /// ```
    fn from(value: bytes::Bytes) -> Self {
        Self::PackedByteArray(value.into())
    }
}

#[cfg(feature = "mint")]
macro_rules! from_mint {
    ($($(#[$doc:meta])* $other:ident => $own:ident)*) => {$(
        $(#[$doc])*
        impl From<mint::$other<f32>> for Variant {
            fn from(value: mint::$other<f32>) -> Self {
                variant_view::$own::from(value).into()
            }
        }
    )*};
}

#[cfg(feature = "mint")]
from_mint! {
    /// ```
    /// use variant_owned::Variant;
    ///
    /// let at = mint::Vector2 { x: 1.0_f32, y: 2.5 };
    /// assert_eq!(Variant::from(at), Variant::from((1.0, 2.5)));
    /// ```
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
    /// `null` for `None`.
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Nil, Into::into)
    }
}

impl<K: Into<Self>, V: Into<Self>> From<BTreeMap<K, V>> for Variant {
    /// A `Dictionary` in the map's order. O(bytes of the keys) expected.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use variant_owned::{Variant, dictionary};
    ///
    /// let ages = BTreeMap::from([("Ib", 5), ("Bo", 7)]);
    /// let wanted = dictionary! { "Bo" => 7, "Ib" => 5 };
    /// assert_eq!(Variant::from(ages), Variant::from(wanted));
    /// ```
    fn from(map: BTreeMap<K, V>) -> Self {
        Self::Dictionary(map.into_iter().collect())
    }
}

impl<K: Into<Self>, V: Into<Self>, S> From<HashMap<K, V, S>> for Variant {
    /// A `Dictionary` in the map's order, which is not the same in every run. O(bytes of the keys) expected.
    fn from(map: HashMap<K, V, S>) -> Self {
        Self::Dictionary(map.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integers above `i64::MAX` are refused; only `from_bits` takes them, as bits.
    #[test]
    fn no_integer_changes_without_a_word() {
        let [most, more] = [i64::MAX.cast_unsigned(), 1 << 63];
        assert_eq!(Variant::try_from(most).ok(), Some(i64::MAX.into()));
        assert!(Variant::try_from(more).is_err());
        assert!(usize::try_from(more).map_or(true, |more| Variant::try_from(more).is_err()));
        assert_eq!(Variant::from_bits(more), i64::MIN);
    }
}
