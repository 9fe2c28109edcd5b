//! serde's methods of a [`Deserializer`]. Frequent values are read directly, others by their views.

use serde::de::Visitor;
use variant_view::{Kind, Number};

use super::leaf::LeafDeserializer;
use super::math::Math;
use super::number::NumberDeserializer;
use super::{Deserializer, Result, Take, text};
use crate::error::Error;
use crate::raw::{self, Packed};
use crate::token;

macro_rules! by_leaf {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.leaf(|leaf| leaf.$method(visitor))
        }
    )*};
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let start = self.reader.offset();
            match self.reader.int() {
                Some(value) => visitor.visit_i64(value).map_err(|error: Error| error.at(start, Kind::Int)),
                None => self.leaf(|leaf| leaf.$method(visitor)),
            }
        }
    )*};
}

impl<'de> serde::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    // Types use their human-readable form, since scripts read and write these values.
    fn is_human_readable(&self) -> bool {
        true
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.slowly(Take::Any, visitor)
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.bool() {
            Some(value) => {
                visitor.visit_bool(value).map_err(|error: Error| error.at(start, Kind::Bool))
            }
            None => self.leaf(|leaf| leaf.deserialize_bool(visitor)),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.float() {
            Some(value) => {
                visitor.visit_f64(value).map_err(|error: Error| error.at(start, Kind::Float))
            }
            None => self.leaf(|leaf| leaf.deserialize_f64(visitor)),
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.float() {
            Some(value) => {
                let number = Number::from(value);
                NumberDeserializer { number, kind: Kind::Float, offset: start }
                    .deserialize_f32(visitor)
            }
            None => self.leaf(|leaf| leaf.deserialize_f32(visitor)),
        }
    }

    by_leaf! {
        deserialize_char deserialize_bytes deserialize_byte_buf deserialize_unit
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.text_if(text::plain) {
            Some(text) => visitor
                .visit_borrowed_str(text)
                .map_err(|error: Error| error.at(start, Kind::String)),
            None => self.leaf(|leaf| leaf.deserialize_str(visitor)),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let offset = self.reader.offset();
        if self.reader.nil().is_some() {
            return visitor.visit_none().map_err(|error: Error| error.at(offset, Kind::Nil));
        }
        if self.reader.kind()? == Kind::Object {
            let start = self.reader.clone();
            let (view, _) = self.reader.next_value()?;
            if LeafDeserializer(view).is_nil() {
                return visitor.visit_none().map_err(|error: Error| error.at(offset, Kind::Object));
            }
            self.reader = start;
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == token::PACKED_VIEW {
            return self.leaf(|leaf| Packed::<u8>::hand_over(leaf.0, visitor));
        }
        if raw::is_token(name) {
            return self.raw(visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.enter(Kind::Array) {
            Some(items) => self.elements(start, Kind::Array, items, visitor),
            None => match self.reader.numbers() {
                Some((numbers, shape)) => {
                    Math::new(&numbers, shape, start).deserialize_seq(visitor)
                }
                None => self.slowly(Take::Seq, visitor),
            },
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.enter(Kind::Array) {
            Some(items) => self.elements(start, Kind::Array, items, visitor),
            None => match self.reader.numbers() {
                Some((numbers, shape)) => {
                    Math::new(&numbers, shape, start).deserialize_tuple(len, visitor)
                }
                None => self.slowly(Take::Tuple(len), visitor),
            },
        }
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.enter(Kind::Dictionary) {
            Some(items) => self.pairs(start, items, visitor),
            None => match self.reader.numbers() {
                Some((numbers, shape)) => {
                    Math::new(&numbers, shape, start).deserialize_map(visitor)
                }
                None => self.slowly(Take::Map, visitor),
            },
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let start = self.reader.offset();
        match self.reader.enter(Kind::Dictionary) {
            Some(items) => self.record(start, items, fields, visitor),
            None => match self.reader.numbers() {
                Some((numbers, shape)) => Math::new(&numbers, shape, start).record(fields, visitor),
                None => self.slowly(Take::Struct(fields), visitor),
            },
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.any_enum(visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Ok(Kind::String | Kind::StringName) = self.reader.kind() {
            return self.deserialize_str(visitor);
        }
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.reader.skip()?;
        visitor.visit_unit()
    }
}
