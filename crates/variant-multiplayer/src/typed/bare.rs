//! [`Bare`]: one array of bytes without a header.

use serde::de::value::SeqDeserializer;
use serde::de::{self, DeserializeSeed, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use variant_serde::Error;
use variant_view::PathStep;

use super::list::List;

/// A list whose only element is an array of bytes; `None` after the array has been taken.
pub(super) struct Bare<'de>(Option<Bytes<'de>>);

impl<'de> Bare<'de> {
    pub(super) const fn new(bytes: &'de [u8]) -> Self {
        Self(Some(Bytes(bytes)))
    }
}

impl<'de> SeqAccess<'de> for Bare<'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(bytes) = self.0.take() else { return Ok(None) };
        seed.deserialize(bytes).map(Some).map_err(|error| error.below(PathStep::Number(0)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(usize::from(self.0.is_some()))
    }
}

impl<'de> List<'de> for Bare<'de> {
    fn taken(&self) -> usize {
        usize::from(self.0.is_none())
    }

    fn left(&self) -> usize {
        usize::from(self.0.is_some())
    }
}

/// An array of bytes without its header. Types that accept an array with its header (`from_view_seed`) also accept this
/// array.
struct Bytes<'de>(&'de [u8]);

impl Bytes<'_> {
    #[cold]
    fn wrong_kind<T>(&self, expected: &dyn de::Expected) -> Result<T, Error> {
        Err(de::Error::invalid_type(Unexpected::Bytes(self.0), expected))
    }
}

/// An `Option` and a newtype struct deserialize from the same bytes as the value inside them.
macro_rules! wrappers_pass {
    () => {
        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value, Error> {
            visitor.visit_newtype_struct(self)
        }
    };
}

macro_rules! wrong_kind {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $(_: $type,)* visitor: V) -> Result<V::Value, Error> {
            self.wrong_kind(&visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Bytes<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut elements = SeqDeserializer::<_, Error>::new(self.0.iter().map(|&byte| Byte(byte)));
        let value = visitor.visit_seq(&mut elements)?;
        elements.end()?;
        Ok(value)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_bytes(self.0)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    wrappers_pass!();

    wrong_kind! {
        deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128() deserialize_f32()
        deserialize_f64() deserialize_char() deserialize_str() deserialize_string() deserialize_unit()
        deserialize_unit_struct(&'static str) deserialize_map()
        deserialize_enum(&'static str, &'static [&'static str]) deserialize_identifier()
    }

    forward_to_deserialize_any! { seq tuple tuple_struct struct }
}

/// An element of an array of bytes.
struct Byte(u8);

impl de::IntoDeserializer<'_, Error> for Byte {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> de::Deserializer<'de> for Byte {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i64(self.0.into())
    }

    wrappers_pass!();

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}
