//! Conversions to common Rust types, and comparisons with them.

use std::fmt;

use variant_view::{Color, Kind, Vector2, Vector3, Vector4, math_types};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{NodePath, Signal};
use crate::object::Object;
use crate::reals::RealVec;
use crate::text::Text;
use crate::variant::Variant;

/// Why a [`Variant`] cannot be converted to the requested Rust type.
///
/// ```
/// use variant_owned::{FromVariantError, Variant};
///
/// assert_eq!(u16::try_from(&Variant::from(300)), Ok(300));
/// let error = u8::try_from(&Variant::from(300)).unwrap_err();
/// assert_eq!(error, FromVariantError::IntRange { expected: "u8", value: 300 });
/// let error = String::try_from(Variant::from(300)).unwrap_err();
/// assert_eq!(error.to_string(), "expected String, found int");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FromVariantError {
    /// The value has another kind.
    WrongKind {
        /// The Rust type.
        expected: &'static str,
        /// The kind of the value.
        found: Kind,
    },
    /// The `int` does not fit the type.
    IntRange {
        /// The Rust type.
        expected: &'static str,
        /// The value of the `int`.
        value: i64,
    },
    /// The text is not UTF-8; [`Variant::as_text`] has its bytes.
    NotUtf8,
}

impl fmt::Display for FromVariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongKind { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::IntRange { expected, value } => {
                write!(f, "the int {value} does not fit into {expected}; try a wider type")
            }
            Self::NotUtf8 => f.write_str("the text is not UTF-8; its bytes are in `as_text`"),
        }
    }
}

impl std::error::Error for FromVariantError {}

type Result<T> = std::result::Result<T, FromVariantError>;

const fn wrong_kind<T>(expected: &'static str, found: Kind) -> Result<T> {
    Err(FromVariantError::WrongKind { expected, found })
}

/// Conversions from a reference, and from the value itself.
macro_rules! converted {
    ($($(#[$doc:meta])* $type:ty: |$value:ident| $outcome:expr;)*) => {$(
        impl TryFrom<&Variant> for $type {
            type Error = FromVariantError;

            $(#[$doc])*
            fn try_from($value: &Variant) -> Result<Self> {
                $outcome
            }
        }

        impl TryFrom<Variant> for $type {
            type Error = FromVariantError;

            fn try_from(value: Variant) -> Result<Self> {
                Self::try_from(&value)
            }
        }
    )*};
}

/// `$name` is the type's name in errors.
macro_rules! copied {
    ($($type:ty, $name:expr, |$value:ident| $take:expr;)*) => {
        converted! {$(
            /// Like the accessor of this type. O(1).
            $type: |$value| match $take {
                Some(taken) => Ok(taken),
                None => wrong_kind($name, $value.kind()),
            };
        )*}
    };
}

copied! {
    bool, "bool", |value| value.as_bool();
    i64, "i64", |value| value.as_i64();
    f32, "f32", |value| value.as_f32();
    f64, "f64", |value| value.as_f64();
}

macro_rules! copied_math {
    (
        reals { $($kind:ident: $as_real:ident $what:literal;)* }
        others { $($other:ident = $of:ident $(<$number:ident>)?: $as:ident $other_what:literal;)* }
    ) => {
        copied! {
            $(variant_view::$kind, stringify!($kind), |value| value.$as_real();)*
            $(variant_view::$kind<f64>, concat!(stringify!($kind), "<f64>"), |value| match value {
                Variant::$kind(value) => Some(value.f64()),
                _ => None,
            };)*
            $(variant_view::$of $(<$number>)?, concat!(stringify!($of) $(, "<", stringify!($number), ">")?),
                |value| value.$as();)*
        }
    };
}

math_types!(copied_math);

macro_rules! ints {
    ($($type:ident)*) => {
        converted! {$(
            /// # Errors
            /// A value that is not an `int`, or one that does not fit.
            $type: |value| {
                let value = i64::try_from(value)?;
                let range = FromVariantError::IntRange { expected: stringify!($type), value };
                value.try_into().map_err(|_| range)
            };
        )*}
    };
}

ints!(i8 u8 i16 u16 i32 u32 u64 usize);

/// Conversions of an owned value move its contents. Conversions of a reference copy the contents.
macro_rules! moved {
    ($($type:ty, $pattern:pat => $take:expr;)*) => {$(
        impl TryFrom<Variant> for $type {
            type Error = FromVariantError;

            /// Moves the contents of the value; O(bytes) for a `String`, and for reals wider than `f32`, which are
            /// copied.
            ///
            /// # Errors
            /// A value of another kind; text that is not UTF-8, for a `String`.
            fn try_from(value: Variant) -> Result<Self> {
                match value {
                    $pattern => $take,
                    other => wrong_kind(stringify!($type), other.kind()),
                }
            }
        }

        impl TryFrom<&Variant> for $type {
            type Error = FromVariantError;

            /// O(bytes): copies the value.
            ///
            /// # Errors
            /// Those of the conversion from an owned `Variant`.
            fn try_from(value: &Variant) -> Result<Self> {
                Self::try_from(value.clone())
            }
        }
    )*};
}

moved! {
    // The text as the engine reads it.
    String, Variant::String(text) | Variant::StringName(text) => string(&text);
    Text, Variant::String(text) | Variant::StringName(text) => Ok(text);
    NodePath, Variant::NodePath(path) => Ok(*path);
    Signal, Variant::Signal(signal) => Ok(*signal);
    Object, Variant::Object(object) => Ok(*object);
    Dictionary, Variant::Dictionary(dictionary) => Ok(dictionary);
    Array, Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => Ok(array);
    Vec<u8>, Variant::PackedByteArray(all) => Ok(all);
    Vec<i32>, Variant::PackedInt32Array(all) => Ok(all);
    Vec<i64>, Variant::PackedInt64Array(all) => Ok(all);
    Vec<f32>, Variant::PackedFloat32Array(all) => Ok(all);
    Vec<f64>, Variant::PackedFloat64Array(all) => Ok(all);
    Vec<Text>, Variant::PackedStringArray(all) => Ok(all);
    Vec<String>, Variant::PackedStringArray(all) => all.iter().map(string).collect();
    Vec<Vector2>, Variant::PackedVector2Array(all) => Ok(all.into_f32());
    Vec<Vector2<i32>>, Variant::PackedVector2iArray(all) => Ok(all);
    Vec<Vector3>, Variant::PackedVector3Array(all) => Ok(all.into_f32());
    Vec<Vector3<i32>>, Variant::PackedVector3iArray(all) => Ok(all);
    Vec<Vector4>, Variant::PackedVector4Array(all) => Ok(all.into_f32());
    Vec<Vector4<i32>>, Variant::PackedVector4iArray(all) => Ok(all);
    Vec<Color>, Variant::PackedColorArray(all) => Ok(all);
}

fn string(text: &Text) -> Result<String> {
    text.engine_text().map(str::to_owned).ok_or(FromVariantError::NotUtf8)
}

impl<'v> TryFrom<&'v Variant> for &'v str {
    type Error = FromVariantError;

    fn try_from(value: &'v Variant) -> Result<Self> {
        match value {
            Variant::String(text) | Variant::StringName(text) => {
                text.engine_text().ok_or(FromVariantError::NotUtf8)
            }
            other => wrong_kind("&str", other.kind()),
        }
    }
}

macro_rules! borrowed {
    ($($type:ty = $accessor:ident;)*) => {$(
        impl<'v> TryFrom<&'v Variant> for &'v $type {
            type Error = FromVariantError;

            fn try_from(value: &'v Variant) -> Result<Self> {
                match value.$accessor() {
                    Some(found) => Ok(found),
                    None => wrong_kind(concat!("&", stringify!($type)), value.kind()),
                }
            }
        }
    )*};
}

borrowed! {
    [u8] = as_bytes;
    [i32] = as_int32s;
    [i64] = as_int64s;
    [f32] = as_float32s;
    [f64] = as_float64s;
    [Text] = as_strings;
    [Vector2<i32>] = as_vector2is;
    [Vector3<i32>] = as_vector3is;
    [Vector4<i32>] = as_vector4is;
    [Color] = as_colors;
    RealVec<Vector2> = as_vector2s;
    RealVec<Vector3> = as_vector3s;
    RealVec<Vector4> = as_vector4s;
    NodePath = as_node_path;
    Signal = as_signal;
    Text = as_text;
    Array = as_array;
    Dictionary = as_dictionary;
    Object = as_object;
}

macro_rules! equals {
    ($($type:ty: |$value:ident, $other:ident| $equals:expr;)*) => {$(
        impl PartialEq<$type> for Variant {
            fn eq(&self, $other: &$type) -> bool {
                let $value = self;
                $equals
            }
        }
    )*};
}

// Values are compared as the accessors return them: text as the engine reads it, and an int also as a float.
equals! {
    str: |value, other| value.as_str() == Some(other);
    &str: |value, other| value.as_str() == Some(*other);
    String: |value, other| value.as_str() == Some(other);
    bool: |value, other| value.as_bool() == Some(*other);
    i32: |value, other| value.as_i64() == Some((*other).into());
    i64: |value, other| value.as_i64() == Some(*other);
    f64: |value, other| value.as_f64() == Some(*other);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array;

    #[test]
    fn what_goes_in_comes_out() {
        assert_eq!(f64::try_from(Variant::from(3)), Ok(3.0));
        assert_eq!(f32::try_from(&Variant::from(1.5)), Ok(1.5));
        let vectors = vec![Vector3::new(1.0, 2.0, 3.0)];
        assert_eq!(Vec::try_from(&Variant::from(&vectors)), Ok(vectors));
        let names = ["a".to_owned(), "b".to_owned()];
        assert_eq!(Vec::<String>::try_from(Variant::from(&names)), Ok(names.to_vec()));
        let [real, whole, text] = [Variant::from(1.5), Variant::from(2), Variant::from("x")];
        assert!(real == 1.5 && whole == 2.0 && text == "x");
        assert_eq!(<&[u8]>::try_from(&Variant::from([1_u8, 2])), Ok(&[1_u8, 2][..]));
        assert_eq!(usize::try_from(Variant::from(7)), Ok(7));
        let text = Variant::from(Text::from_bytes(b"\xff"));
        assert_eq!(String::try_from(&text), Err(FromVariantError::NotUtf8));
        let error = Dictionary::try_from(Variant::from(array![])).unwrap_err();
        assert_eq!(error.to_string(), "expected Dictionary, found Array");
    }
}
