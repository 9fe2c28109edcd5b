//! [`NumberDeserializer`]: one number for any type that holds it exactly.

use serde_core::de::{Deserializer, Error as _, Unexpected, Visitor};
use serde_core::forward_to_deserialize_any;
use variant_view::Number;

use super::super::error::DeserializeError;

#[derive(Clone, Copy)]
pub(super) struct NumberDeserializer(pub(super) Number);

impl NumberDeserializer {
    /// The number as an integer, if it is one.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the range is checked before"
    )]
    fn integer(self) -> Option<i64> {
        const END: f64 = 9_223_372_036_854_775_808.0;
        let float = match self.0 {
            Number::Int(value) => return Some(value),
            other => other.to_f64(),
        };
        ((-END..END).contains(&float) && float % 1.0 == 0.0).then_some(float as i64)
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the result is compared with the number"
    )]
    fn double(self) -> Option<f64> {
        let float = self.0.to_f64();
        match self.0 {
            Number::Int(value) => (float as i128 == i128::from(value)).then_some(float),
            _ => Some(float),
        }
    }

    /// The nearest `f32`. `None` for a finite float that is too large, and for an integer that no `f32` equals.
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "the result is compared with the number"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "the result is compared with the number")]
    fn single(self) -> Option<f32> {
        match self.0 {
            Number::Int(value) => {
                let float = value as f32;
                (float as i128 == i128::from(value)).then_some(float)
            }
            other => {
                let float = other.to_f32();
                (float.is_finite() || !other.is_finite()).then_some(float)
            }
        }
    }

    #[cold]
    fn misfit<'de, V: Visitor<'de>>(self, visitor: &V) -> DeserializeError {
        let found = match self.0 {
            Number::Int(value) => Unexpected::Signed(value),
            other => Unexpected::Float(other.to_f64()),
        };
        DeserializeError::invalid_value(found, visitor)
    }
}

macro_rules! numbers {
    ($($of:ident, $visit:ident: $($method:ident)*;)*) => {$($(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
            match self.$of() {
                Some(value) => visitor.$visit(value),
                None => Err(self.misfit(&visitor)),
            }
        }
    )*)*};
}

impl<'de> Deserializer<'de> for NumberDeserializer {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.0 {
            Number::Int(value) => visitor.visit_i64(value),
            Number::Float32(bits) => visitor.visit_f32(f32::from_bits(bits)),
            Number::Float64(bits) => visitor.visit_f64(f64::from_bits(bits)),
        }
    }

    numbers! {
        integer, visit_i64:
            deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128;
        single, visit_f32: deserialize_f32;
        double, visit_f64: deserialize_f64;
    }

    wrappers_pass!();

    forward_to_deserialize_any! {
        bool char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
