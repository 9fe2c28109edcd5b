//! `as_bool`, `as_str` and the like of a [`TapeValue`], and its conversions: those of views.

use super::TapeValue;
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::view::{
    ArrayView, Color, DictionaryView, ImageView, InputEventView, NodePathView, ObjectView,
    PackedReals, PackedSlice, PackedStrings, SignalView, StrView, VariantView, Vector2, Vector3,
    Vector4, math, math_types, plain_accessors, plain_conversions,
};

impl<'a> TapeValue<'_, 'a> {
    /// The view of a value of this kind. Decodes nothing else, since callers pass a constant.
    #[cfg_attr(not(variant_small), inline(always))]
    fn of_kind(&self, kind: Kind) -> Result<VariantView<'a>> {
        let node = self.node();
        if node.kind() == kind { Ok(self.decode(node, kind)) } else { Err(self.wrong_kind(kind)) }
    }

    #[cold]
    fn wrong_kind(&self, expected: Kind) -> Error {
        Error::new(ErrorKind::WrongKind { expected, found: self.kind() }, self.offset())
    }

    /// Whether it is `null`. O(1).
    pub fn is_nil(&self) -> bool {
        self.node().kind() == Kind::Nil
    }

    /// The text of a `String` or `StringName` as the engine reads it; see [`VariantView::as_str`]. O(bytes
    /// of the text), which is checked to be UTF-8.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`], [`ErrorKind::InvalidText`].
    pub fn as_str(&self) -> Result<&'a str> {
        self.as_text()?.engine_text()
    }

    /// The view of the text of a `String` or `StringName`. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_text(&self) -> Result<StrView<'a>> {
        if self.node().kind() == Kind::StringName {
            return self.of_kind(Kind::StringName)?.as_text();
        }
        self.of_kind(Kind::String)?.as_text()
    }

    /// The view of an array of any of the three kinds: its declared type, and whether it is shared. O(1).
    /// [`TapeValue::items`] iterates without reading the bytes between.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_array(&self) -> Result<ArrayView<'a>> {
        self.view().as_array()
    }

    /// The value of a `float`, or of an `int` as the nearest `f64`. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_f64(&self) -> Result<f64> {
        self.number_view()?.as_f64()
    }

    /// The value of a `float` as the nearest `f32`; too large ones become infinite. An `int` is rounded to
    /// `f64` first. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_f32(&self) -> Result<f32> {
        self.number_view()?.as_f32()
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn number_view(&self) -> Result<VariantView<'a>> {
        if self.node().kind() == Kind::Int {
            self.of_kind(Kind::Int)
        } else {
            self.of_kind(Kind::Float)
        }
    }
}

macro_rules! of_kind {
    ($($(#[$doc:meta])* $name:ident = $kind:ident -> $type:ty;)*) => {
        impl<'a> TapeValue<'_, 'a> {$(
            $(#[$doc])*
            /// O(1).
            ///
            /// # Errors
            /// [`ErrorKind::WrongKind`].
            #[inline]
            pub fn $name(&self) -> Result<$type> {
                self.of_kind(Kind::$kind)?.$name()
            }
        )*}
    };
}

macro_rules! plain {
    (impl VariantView { $($(#[$doc:meta])* $name:ident = $kind:ident -> $type:ty { $take:expr })* }) => {
        of_kind! { $($(#[$doc])* $name = $kind -> $type;)* }
    };
}

plain_accessors!(plain);

macro_rules! mathematical {
    (
        reals { $($kind:ident: $narrow:ident $wide:ident $what:literal;)* }
        others { $($other:ident = $of:ident $(<$number:ident>)?: $as:ident $other_what:literal;)* }
    ) => {
        of_kind! {
            $(
                #[doc = concat!($what, ", in `f32`: wider reals are rounded, and become infinite where too large.")]
                $narrow = $kind -> math::$kind;
                #[doc = concat!($what, ", in `f64`, exact.")]
                $wide = $kind -> math::$kind<f64>;
            )*
            $(
                #[doc = concat!($other_what, ".")]
                $as = $other -> math::$of $(<$number>)?;
            )*
        }

        try_from! {
            $(math::$kind = $narrow;)*
            $(math::$of $(<$number>)? = $as;)*
        }
    };
}

macro_rules! try_from {
    ($($type:ty = $accessor:ident;)*) => {$(
        #[doc = concat!("As [`TapeValue::", stringify!($accessor), "`].")]
        impl<'a> TryFrom<TapeValue<'_, 'a>> for $type {
            type Error = Error;

            #[inline]
            fn try_from(value: TapeValue<'_, 'a>) -> Result<Self> {
                value.$accessor()
            }
        }
    )*};
}

math_types!(mathematical);
plain_conversions!(try_from);

macro_rules! ints {
    ($($type:ty)*) => {$(
        /// The value of an `int`, if it fits.
        impl TryFrom<TapeValue<'_, '_>> for $type {
            type Error = Error;

            #[inline]
            fn try_from(value: TapeValue<'_, '_>) -> Result<Self> {
                value.of_kind(Kind::Int)?.try_into()
            }
        }
    )*};
}

ints!(i8 i16 i32 u8 u16 u32 u64 usize);

impl TapeValue<'_, '_> {
    /// The value of an `int` that fits into 32 bits. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`], [`ErrorKind::IntRange`].
    pub fn as_i32(&self) -> Result<i32> {
        (*self).try_into()
    }

    /// The value of an `int` that is not negative. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`], [`ErrorKind::IntRange`].
    pub fn as_u64(&self) -> Result<u64> {
        (*self).try_into()
    }
}

macro_rules! equals {
    ($($type:ty)*) => {$(
        /// As a view compares.
        impl PartialEq<$type> for TapeValue<'_, '_> {
            fn eq(&self, other: &$type) -> bool {
                self.view() == *other
            }
        }
    )*};
}

equals!(str &str bool i32 i64 f64);
