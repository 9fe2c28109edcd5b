//! [`PackedArray`] and [`TypedArray`]: sequences whose type selects the written array. This module also writes
//! [`Packed`].

use std::ops::{Deref, DerefMut};
use std::vec::Vec;

use serde::ser::{Serialize, SerializeSeq as _, SerializeTuple as _, Serializer};
use serde::{Deserialize, Deserializer};
use variant_view::zerocopy::IntoBytes as _;
use variant_view::{NumberType, Wire};

use crate::mark;
use crate::raw::Packed;
use crate::typed::{Items, PackedItem, TypedItem};
use crate::with::content;

macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident: $item:ident, $mark:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<C>(pub C);

        impl<C> From<C> for $name<C> {
            fn from(items: C) -> Self {
                Self(items)
            }
        }

        impl<C> Deref for $name<C> {
            type Target = C;

            fn deref(&self) -> &C {
                &self.0
            }
        }

        impl<C> DerefMut for $name<C> {
            fn deref_mut(&mut self) -> &mut C {
                &mut self.0
            }
        }

        impl<T> FromIterator<T> for $name<Vec<T>> {
            fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
                Self(items.into_iter().collect())
            }
        }

        impl<C: Serialize + Items<Item: $item>> Serialize for $name<C> {
            #[inline]
            fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                output.serialize_newtype_struct(const { mark::$mark(<C::Item as $item>::KIND) }, &self.0)
            }
        }

        impl<'de, C: Deserialize<'de> + Items<Item: $item>> Deserialize<'de> for $name<C> {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                content(const { mark::$mark(<C::Item as $item>::KIND) }, input).map(Self)
            }
        }
    )*};
}

arrays! {
    /// A sequence that is written as the packed array of its elements' type. [`as_packed`](crate::as_packed) does the
    /// same for a field.
    ///
    /// `C` owns or borrows the elements: `Vec<T>`, `[T; N]`, `Cow<[T]>`, `&[T]`. Other formats write a plain sequence.
    /// To read without a copy, use [`Packed`].
    ///
    /// ```
    /// use variant_serde::{PackedArray, to_variant};
    /// use variant_view::{Dialect, Kind};
    ///
    /// let heights = PackedArray(vec![1.0_f32, 2.0]);
    /// assert_eq!(to_variant(&heights, Dialect::Godot4)?.kind(), Kind::PackedFloat32Array);
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    PackedArray: PackedItem, of;
    /// A sequence that is written as an array with a declared element type. [`as_typed_array`](crate::as_typed_array)
    /// does the same for a field.
    ///
    /// `C` owns or borrows the elements: `Vec<T>`, `[T; N]`, `Cow<[T]>`, `&[T]`. Other formats write a plain sequence.
    ///
    /// ```
    /// use variant_serde::{TypedArray, to_variant};
    /// use variant_view::{Dialect, ElementType, Kind};
    ///
    /// let scores = to_variant(&TypedArray(vec![3, 1]), Dialect::Godot4)?;
    /// assert_eq!(scores.as_array().unwrap().element_type(), &ElementType::Builtin(Kind::Int));
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    TypedArray: TypedItem, array_of;
}

/// Writes the packed array of the elements' type. Other formats write a sequence of numbers or of tuples of numbers.
impl<T: Wire + PackedItem> Serialize for Packed<'_, T> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_newtype_struct(const { mark::of(T::KIND) }, &Elements::<T>(self.as_wire()))
    }
}

/// Serializes elements in wire form as a sequence.
struct Elements<'w, T: Wire>(&'w [T::Le]);

impl<T: Wire> Serialize for Elements<'_, T> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let mut elements = output.serialize_seq(Some(self.0.len()))?;
        for element in self.0 {
            elements
                .serialize_element(&Element { number: T::NUMBER, bytes: element.as_bytes() })?;
        }
        elements.end()
    }
}

/// An element in wire form: a number, or a tuple of numbers.
struct Element<'w> {
    number: NumberType,
    bytes: &'w [u8],
}

impl Element<'_> {
    fn numbers<const N: usize, T: Serialize, S: Serializer>(
        &self,
        output: S,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<S::Ok, S::Error> {
        let (numbers, _) = self.bytes.as_chunks::<N>();
        if let [only] = numbers {
            return number(*only).serialize(output);
        }
        let mut tuple = output.serialize_tuple(numbers.len())?;
        numbers.iter().try_for_each(|&bytes| tuple.serialize_element(&number(bytes)))?;
        tuple.end()
    }
}

impl Serialize for Element<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        match self.number {
            NumberType::Byte => self.numbers(output, |[byte]| byte),
            NumberType::Int32 => self.numbers(output, i32::from_le_bytes),
            NumberType::Int64 => self.numbers(output, i64::from_le_bytes),
            NumberType::Float64 => self.numbers(output, f64::from_le_bytes),
            NumberType::Float32 | NumberType::Real => self.numbers(output, f32::from_le_bytes),
        }
    }
}
