//! [`Field`]: a named part of a signal, an image and the like. [`Handed`]: deserializes the parts into types of this
//! crate.

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::error::{Error, ErrorKind};

/// The value of one part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field<'de> {
    Int(u64),
    Text(&'de str),
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
                visitor.visit_seq(SeqDeserializer::new(bytes))
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

    wrappers_pass!();

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct seq tuple tuple_struct
        map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Field<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Passes named parts to a visitor as a map.
pub(super) fn visit_fields<'de, V: Visitor<'de>>(
    fields: &[(&'static str, Field<'de>)],
    visitor: V,
) -> Result<V::Value, Error> {
    let fields = fields.iter().map(|&(name, part)| (BorrowedStrDeserializer::new(name), part));
    visitor.visit_map(MapDeserializer::new(fields))
}

/// Parts of a value for a type of this project. The type receives the parts as an enum variant called `name`, and
/// recognises them by this name. The type requests them by `deserialize_any`, for which other formats never pass an
/// enum. So the type does not mistake a value of another format for parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handed<'f, 'de> {
    pub(crate) name: &'static str,
    pub(crate) parts: &'f [Field<'de>],
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
        visitor.visit_seq(SeqDeserializer::new(self.parts.iter().copied()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        Err(not_parts())
    }
}
