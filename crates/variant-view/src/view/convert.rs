//! `TryFrom<VariantView>` and comparisons with Rust's types: the accessors as traits.

use super::{
    ArrayView, Color, DictionaryView, NodePathView, ObjectView, PackedReals, PackedSlice,
    PackedStrings, SignalView, StrView, VariantView, Vector2, Vector3, Vector4, math, math_types,
};
use crate::error::{Error, Result};
use crate::kind::Kind;

macro_rules! try_from {
    ($($type:ty = $accessor:ident;)*) => {$(
        #[doc = concat!("As [`VariantView::", stringify!($accessor), "`].")]
        impl<'a> TryFrom<VariantView<'a>> for $type {
            type Error = Error;

            #[inline]
            fn try_from(view: VariantView<'a>) -> Result<Self> {
                view.$accessor()
            }
        }
    )*};
}

try_from! {
    bool = as_bool;
    i64 = as_i64;
    f32 = as_f32;
    f64 = as_f64;
    &'a str = as_str;
    &'a [u8] = as_bytes;
    StrView<'a> = as_text;
    ArrayView<'a> = as_array;
    DictionaryView<'a> = as_dictionary;
    ObjectView<'a> = as_object;
    NodePathView<'a> = as_node_path;
    SignalView<'a> = as_signal;
    PackedSlice<'a, i32> = as_int32s;
    PackedSlice<'a, i64> = as_int64s;
    PackedSlice<'a, f32> = as_float32s;
    PackedSlice<'a, f64> = as_float64s;
    PackedSlice<'a, Color> = as_colors;
    PackedStrings<'a> = as_strings;
    PackedSlice<'a, Vector2<i32>> = as_vector2is;
    PackedSlice<'a, Vector3<i32>> = as_vector3is;
    PackedSlice<'a, Vector4<i32>> = as_vector4is;
    PackedReals<'a, Vector2> = as_vector2s;
    PackedReals<'a, Vector3> = as_vector3s;
    PackedReals<'a, Vector4> = as_vector4s;
}

macro_rules! try_from_math {
    (
        reals { $($kind:ident: $as_real:ident $what:literal;)* }
        others { $($other:ident = $of:ident $(<$number:ident>)?: $as:ident $other_what:literal;)* }
    ) => {
        try_from! {
            $(math::$kind = $as_real;)*
            $(math::$of $(<$number>)? = $as;)*
        }

        $(
            /// Converts the value exactly.
            impl<'a> TryFrom<VariantView<'a>> for math::$kind<f64> {
                type Error = Error;

                #[inline]
                fn try_from(view: VariantView<'a>) -> Result<Self> {
                    match view {
                        VariantView::$kind(value) => Ok(value.f64()),
                        other => Err(other.wrong_kind(Kind::$kind)),
                    }
                }
            }
        )*
    };
}

math_types!(try_from_math);

macro_rules! try_from_int {
    ($($type:ty)*) => {$(
        /// The value of an `int`, if it fits.
        impl<'a> TryFrom<VariantView<'a>> for $type {
            type Error = Error;

            #[inline]
            fn try_from(view: VariantView<'a>) -> Result<Self> {
                view.int()
            }
        }
    )*};
}

try_from_int!(i8 i16 i32 u8 u16 u32 u64 usize);

macro_rules! equals {
    ($($type:ty: |$view:ident, $other:ident| $equals:expr;)*) => {$(
        impl PartialEq<$type> for VariantView<'_> {
            fn eq(&self, $other: &$type) -> bool {
                let $view = self;
                $equals
            }
        }
    )*};
}

// Values are compared as the accessors return them: text as the engine reads it, a number from an int or from a float.
equals! {
    str: |view, other| view.as_str() == Ok(other);
    &str: |view, other| view.as_str() == Ok(*other);
    bool: |view, other| view.as_bool() == Ok(*other);
    i32: |view, other| view.as_i64() == Ok((*other).into());
    i64: |view, other| view.as_i64() == Ok(*other);
    f64: |view, other| view.as_f64() == Ok(*other);
}

impl PartialEq<str> for StrView<'_> {
    /// Compares the text as the engine reads it: [`StrView::engine_text`].
    fn eq(&self, other: &str) -> bool {
        self.engine_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for StrView<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::{Dialect, Document, ErrorKind};

    fn view(bytes: &[u8]) -> VariantView<'_> {
        Document::new(bytes, Dialect::Godot4).root().expect("a value")
    }

    const INT: [u8; 12] = [2, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0];
    const MINUS_ONE: [u8; 8] = [2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
    const FLOAT: [u8; 8] = [3, 0, 0, 0, 0, 0, 0xc0, 0x3f];
    const TEXT: [u8; 16] = [4, 0, 0, 0, 6, 0, 0, 0, 0xef, 0xbb, 0xbf, b'h', b'i', 0, 0, 0];

    #[test]
    fn integers_fit_or_say_so() {
        assert_eq!(view(&INT).as_u64(), Ok(1 << 32));
        let error = view(&INT).as_i32().expect_err("too large");
        let kind = ErrorKind::IntRange { value: 1 << 32, is_signed: true, bits: 32 };
        assert_eq!((error.kind(), error.offset()), (kind, 0));
        assert_eq!(kind.to_string(), "the int 4294967296 does not fit into i32");
        let error = u8::try_from(view(&MINUS_ONE)).expect_err("negative");
        assert_eq!(error.kind().to_string(), "the int -1 does not fit into u8");
        assert_eq!(i8::try_from(view(&MINUS_ONE)), Ok(-1));
        assert!(view(&MINUS_ONE).as_u64().is_err());
    }

    #[test]
    fn values_compare_with_rust_s() {
        assert!(view(&FLOAT) == 1.5);
        assert!(view(&MINUS_ONE) == -1 && view(&MINUS_ONE) == -1.0);
        assert!(view(&TEXT) == "hi" && view(&TEXT) != "h");
        assert!(view(&TEXT).as_text().expect("text") == "hi");
        assert_eq!(<&str>::try_from(view(&TEXT)), Ok("hi"));
        assert_eq!(f32::try_from(view(&FLOAT)), Ok(1.5));
        assert!(bool::try_from(view(&FLOAT)).is_err());
    }
}
