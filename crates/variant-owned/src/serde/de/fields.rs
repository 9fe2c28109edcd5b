//! [`Field`]: one of the few named parts of a value such as a signal or an image.

use serde_core::de::value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer};
use serde_core::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use super::Result;
use crate::serde::error::{DeserializeError, DeserializeErrorKind};
use crate::text::Text;

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

    wrappers_pass!();

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct seq tuple tuple_struct
        map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, DeserializeError> for Field<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Passes parts with names to a visitor, as a map.
pub(super) fn visit_fields<'de, V: Visitor<'de>>(
    fields: &[(&'static str, Field<'de>)],
    visitor: V,
) -> Result<V::Value> {
    let fields = fields.iter().map(|&(name, part)| (BorrowedStrDeserializer::new(name), part));
    visitor.visit_map(MapDeserializer::new(fields))
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
