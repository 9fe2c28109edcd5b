//! [`List`]: deserializes a tuple, a struct or a sequence from arguments.

use core::fmt;

use serde::de::{self, Deserialize, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use variant_serde::Error;

/// The arguments of a call, in either form.
pub(super) trait List<'de>: SeqAccess<'de, Error = Error> {
    /// The number of arguments that were taken.
    fn taken(&self) -> usize;

    /// The number of arguments that are left.
    fn left(&self) -> usize;
}

/// Deserializes a type from all arguments of a list.
#[inline]
pub(super) fn read<'de, T: Deserialize<'de>>(list: impl List<'de>) -> Result<T, Error> {
    T::deserialize(ListDeserializer(list))
}

struct ListDeserializer<L>(L);

impl<'de, L: List<'de>> de::Deserializer<'de> for ListDeserializer<L> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let value = visitor.visit_seq(ByReference(&mut self.0))?;
        match self.0.left() {
            0 => Ok(value),
            left => Err(too_many(self.0.taken(), left)),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.left() {
            0 => visitor.visit_unit(),
            left => Err(too_many(0, left)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// A list by reference. The list can be used after the visitor has finished.
struct ByReference<'l, L>(&'l mut L);

impl<'de, L: List<'de>> SeqAccess<'de> for ByReference<'_, L> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: de::DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        self.0.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// The error of a type that accepts fewer arguments than the call has.
#[cold]
fn too_many(taken: usize, left: usize) -> Error {
    de::Error::invalid_length(taken.saturating_add(left), &Fewer(taken))
}

/// The number of arguments that a type accepts, for the error of a call with more arguments.
struct Fewer(usize);

impl de::Expected for Fewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} arguments", self.0)
    }
}
