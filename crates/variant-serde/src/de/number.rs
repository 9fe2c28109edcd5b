//! [`NumberDeserializer`]: one number, for any type that can hold the number.

use serde::de::{Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use variant_view::{Kind, Number};

use crate::error::Error;

/// A number, and the kind and offset of its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberDeserializer {
    pub(super) number: Number,
    /// The kind of the number, or of the value that contains the number.
    pub(super) kind: Kind,
    pub(super) offset: usize,
}

impl NumberDeserializer {
    /// The number as an integer, if its value is whole.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the range is checked before"
    )]
    fn integer(self) -> Option<i64> {
        const END: f64 = 9_223_372_036_854_775_808.0;
        let float = match self.number {
            Number::Int(value) => return Some(value),
            other => other.to_f64(),
        };
        let is_whole = (-END..END).contains(&float) && float % 1.0 == 0.0;
        is_whole.then_some(float as i64)
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "the result is compared with the number"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "the result is compared with the number")]
    fn double(self) -> Option<f64> {
        match self.number {
            Number::Int(value) => {
                let float = value as f64;
                (float as i128 == i128::from(value)).then_some(float)
            }
            other => Some(other.to_f64()),
        }
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "the result is compared with the number"
    )]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the result is compared, or rounding is documented"
    )]
    fn single(self) -> Option<f32> {
        match self.number {
            Number::Int(value) => {
                let float = value as f32;
                (float as i128 == i128::from(value)).then_some(float)
            }
            Number::Float32(bits) => Some(f32::from_bits(bits)),
            Number::Float64(bits) => {
                let double = f64::from_bits(bits);
                let float = double as f32;
                (float.is_finite() || !double.is_finite()).then_some(float)
            }
        }
    }

    #[cold]
    fn misfit<'de, V: Visitor<'de>>(self, visitor: &V) -> Error {
        let found = match self.number {
            Number::Int(value) => Unexpected::Signed(value),
            other => Unexpected::Float(other.to_f64()),
        };
        Error::invalid_value(found, visitor).at(self.offset, self.kind)
    }
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let Some(value) = self.integer() else { return Err(self.misfit(&visitor)) };
            visitor.visit_i64(value).map_err(|error: Error| error.at(self.offset, self.kind))
        }
    )*};
}

impl<'de> Deserializer<'de> for NumberDeserializer {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let outcome = match self.number {
            Number::Int(value) => visitor.visit_i64(value),
            Number::Float32(bits) => visitor.visit_f32(f32::from_bits(bits)),
            Number::Float64(bits) => visitor.visit_f64(f64::from_bits(bits)),
        };
        outcome.map_err(|error: Error| error.at(self.offset, self.kind))
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(value) = self.single() else { return Err(self.misfit(&visitor)) };
        visitor.visit_f32(value).map_err(|error: Error| error.at(self.offset, self.kind))
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(value) = self.double() else { return Err(self.misfit(&visitor)) };
        visitor.visit_f64(value).map_err(|error: Error| error.at(self.offset, self.kind))
    }

    wrappers_pass!();

    forward_to_deserialize_any! {
        bool char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
