//! [`NamedFields`]: the few named parts of a signal, an image and the like. [`Handed`]: parts for this crate's types.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::math::out_of_turn;
use crate::error::{Error, ErrorKind};

/// One part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field<'de> {
    /// A number.
    Int(u64),
    /// A text.
    Text(&'de str),
    /// Bytes.
    Bytes(&'de [u8]),
}

impl<'de> Deserializer<'de> for Field<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Int(value) => visitor.visit_u64(value),
            Self::Text(text) => visitor.visit_borrowed_str(text),
            Self::Bytes(bytes) => {
                let bytes = bytes.iter().map(|&byte| Field::Int(byte.into()));
                visitor.visit_seq(serde::de::value::SeqDeserializer::new(bytes.map(IntoField)))
            }
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

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

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct seq tuple tuple_struct
        map struct enum identifier ignored_any
    }
}

/// A part where serde wants something that becomes a deserializer.
struct IntoField<'de>(Field<'de>);

impl<'de> serde::de::IntoDeserializer<'de, Error> for IntoField<'de> {
    type Deserializer = Field<'de>;

    fn into_deserializer(self) -> Field<'de> {
        self.0
    }
}

/// Parts with names.
pub(super) struct NamedFields<'f, 'de> {
    rest: &'f [(&'static str, Field<'de>)],
    value: Option<Field<'de>>,
}

impl<'f, 'de> NamedFields<'f, 'de> {
    pub(super) const fn new(fields: &'f [(&'static str, Field<'de>)]) -> Self {
        Self { rest: fields, value: None }
    }
}

impl<'de> MapAccess<'de> for NamedFields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some((&(name, value), rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        self.value = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.value.take().ok_or_else(out_of_turn)?)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// Parts for a type of this project, as an enum of this name: no other format hands an enum to a type that asks for
/// any value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handed<'f, 'de> {
    pub(crate) name: &'static str,
    pub(crate) parts: &'f [Field<'de>],
}

impl<'de> Deserializer<'de> for Handed<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Handed<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name = seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.name))?;
        Ok((name, self))
    }
}

#[cold]
fn not_parts() -> Error {
    Error::new(ErrorKind::Message, "expected the parts of a value")
}

impl<'de> VariantAccess<'de> for Handed<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Err(not_parts())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Error> {
        Err(not_parts())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Parts(self.parts))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        Err(not_parts())
    }
}

/// Parts one by one.
struct Parts<'f, 'de>(&'f [Field<'de>]);

impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some((&first, rest)) = self.0.split_first() else { return Ok(None) };
        self.0 = rest;
        seed.deserialize(first).map(Some)
    }
}
