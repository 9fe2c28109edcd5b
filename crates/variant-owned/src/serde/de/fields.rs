//! [`NamedFields`]: the few named parts of a signal, an image and the like.

use serde_core::de::value::{BorrowedStrDeserializer, SeqDeserializer};
use serde_core::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use variant_view::PathStep;

use super::Result;
use crate::serde::error::{DeserializeError, DeserializeErrorKind};
use crate::text::Text;

/// One part.
#[derive(Clone, Copy)]
pub(super) enum Field<'de> {
    Int(u64),
    Text(&'de str),
    Bytes(&'de [u8]),
}

impl<'de> Deserializer<'de> for Field<'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Int(value) => visitor.visit_u64(value),
            Self::Text(text) => visitor.visit_borrowed_str(text),
            Self::Bytes(bytes) => {
                let bytes = bytes.iter().map(|&byte| u64::from(byte));
                visitor.visit_seq(SeqDeserializer::new(bytes))
            }
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct seq tuple tuple_struct
        map struct enum identifier ignored_any
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

    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_map(self)
    }
}

impl<'de> MapAccess<'de> for NamedFields<'_, 'de> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((&(name, value), rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        self.value = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        seed.deserialize(self.value.take().ok_or_else(out_of_turn)?)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

#[cold]
pub(super) fn out_of_turn() -> DeserializeError {
    DeserializeError::custom("a value was asked for before its key")
}

/// The text that the engine reads.
pub(super) fn text(text: &Text) -> Result<&str> {
    text.engine_text().ok_or_else(|| {
        DeserializeError::new(DeserializeErrorKind::InvalidText, "text is not valid UTF-8")
    })
}

pub(super) fn element(index: usize) -> PathStep<'static> {
    PathStep::Number(i64::try_from(index).unwrap_or(i64::MAX))
}
