//! [`FieldKey`]: a key of a dictionary as the name of a struct's field.

use alloc::format;
use alloc::string::String;

use serde::de::Visitor;
use serde::forward_to_deserialize_any;
use variant_view::{Kind, VariantView};

use super::text;
use super::{Deserializer, Result};
use crate::error::Error;

/// The next key, for a struct with these fields.
pub(super) struct FieldKey<'r, 'de> {
    pub(super) de: &'r mut Deserializer<'de>,
    pub(super) fields: &'static [&'static str],
    /// The index of the expected field. Most records follow the order of the fields.
    pub(super) next: &'r mut usize,
}

/// The field with this name. The expected field is tried first.
#[inline(always)]
fn field(fields: &'static [&'static str], next: &mut usize, key: &[u8]) -> Option<&'static str> {
    let place = *next;
    match fields.get(place) {
        Some(&field) if text::same(field.as_bytes(), key) => {
            *next = place.wrapping_add(1);
            Some(field)
        }
        _ => search(fields, next, key),
    }
}

#[inline(never)]
fn search(fields: &'static [&'static str], next: &mut usize, key: &[u8]) -> Option<&'static str> {
    let place = fields.iter().position(|field| field.as_bytes() == key)?;
    *next = place.wrapping_add(1);
    fields.get(place).copied()
}

impl<'de> FieldKey<'_, 'de> {
    /// Reads a key that `text_if` refused: text that [`text::plain`] does not accept, text of Godot 2, or a value that
    /// is not text. Such a value becomes a name in brackets, such as `[3]`, which fields rarely have.
    #[cold]
    #[inline(never)]
    fn rare<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (start, kind) = (self.de.reader.offset(), self.de.reader.kind()?);
        let outcome = if let Kind::String | Kind::StringName = kind {
            let bytes = match &self.de.reader.next_value()?.0 {
                VariantView::String(text) | VariantView::StringName(text) => text.engine_bytes(),
                _ => &[],
            };
            match core::str::from_utf8(bytes) {
                Ok(text) => visitor.visit_borrowed_str(text),
                Err(_) => visitor.visit_string(String::from_utf8_lossy(bytes).into_owned()),
            }
        } else if let Some(number) = self.de.reader.int() {
            visitor.visit_string(format!("[{number}]"))
        } else {
            self.de.reader.skip()?;
            visitor.visit_string(format!("[{kind}]"))
        };
        outcome.map_err(|error: Error| error.at(start, kind))
    }
}

impl<'de> serde::Deserializer<'de> for FieldKey<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.de.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let start = self.de.reader.offset();
        let Self { de, fields, next } = &mut self;
        // A key that equals the name of a field is valid text, so it needs no check.
        let take = |key| field(fields, next, key).or_else(|| text::plain(key));
        match de.reader.text_if(take) {
            Some(name) => {
                let outcome = visitor.visit_borrowed_str(name);
                outcome.map_err(|error: Error| error.at(start, Kind::String))
            }
            None => self.rare(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_identifier(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_identifier(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.de.deserialize_ignored_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum
    }
}
