//! [`Figure`]: a number of a document, as the plain form of JSON writes it.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use jsonschema::json::JsonNumber;
use serde_json::Number as JsonText;
use variant_owned::Shortest;
use variant_view::Number;

/// A finite number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Figure {
    Int(i64),
    Unsigned(u64),
    /// A float. The plain form writes it with a point, also if it is whole: `1.0`.
    Float(f64),
}

impl Figure {
    /// A number of a mathematical value or of a packed array. The plain form writes whole numbers there without a
    /// point. `None` for NaN and infinities.
    pub(super) fn of_part(number: Number) -> Option<Self> {
        if !number.is_finite() {
            return None;
        }
        let value = match number {
            Number::Int(int) => return Some(Self::Int(int)),
            Number::Float64(bits) => f64::from_bits(bits),
            // The plain form prints the fewest digits that identify the number among 32-bit floats, so these digits are
            // parsed.
            Number::Float32(_) => Shortest(number).to_string().parse().ok()?,
        };
        Some(whole(value).map_or(Self::Float(value), Self::Int))
    }

    /// Writes a text. Two numbers have the same text if and only if they are equal.
    pub(super) fn write_equal(&self, out: &mut String) -> fmt::Result {
        match self.as_exact() {
            // -0.0 is equal to 0.
            Some(0.0) => out.write_char('0'),
            // The exponent distinguishes it from an integer that no float holds.
            Some(value) => write!(out, "{value:e}"),
            None => out.write_str(&self.as_str()),
        }
    }

    /// The number as a float; `None` if no float has exactly this value.
    fn as_exact(&self) -> Option<f64> {
        let digits = match *self {
            Self::Float(value) => return Some(value),
            Self::Int(int) => int.unsigned_abs(),
            Self::Unsigned(value) => value,
        };
        let bits =
            digits.checked_ilog2().map_or(0, |last| last.saturating_sub(digits.trailing_zeros()));
        self.as_f64().filter(|_| bits < f64::MANTISSA_DIGITS)
    }
}

/// A float without a fraction, as an integer. `None` if the plain form would not write it as an integer.
fn whole(value: f64) -> Option<i64> {
    const PLAIN: f64 = 1e16;
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    if is_negative_zero || value.fract() != 0.0 || value.abs() >= PLAIN {
        return None;
    }
    // `f64` has no checked conversion; below 1e16 the cast is exact.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "a whole number below 1e16"
    )]
    let whole = value as i64;
    Some(whole)
}

impl JsonNumber for Figure {
    fn as_u64(&self) -> Option<u64> {
        match *self {
            Self::Int(int) => u64::try_from(int).ok(),
            Self::Unsigned(value) => Some(value),
            Self::Float(_) => None,
        }
    }

    fn as_i64(&self) -> Option<i64> {
        match *self {
            Self::Int(int) => Some(int),
            Self::Unsigned(value) => i64::try_from(value).ok(),
            Self::Float(_) => None,
        }
    }

    fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::Float(value) => Some(value),
            _ => self.to_number().as_f64(),
        }
    }

    fn as_str(&self) -> Cow<'_, str> {
        self.to_number().to_string().into()
    }

    fn to_number(&self) -> Cow<'_, JsonText> {
        Cow::Owned(match *self {
            Self::Int(int) => int.into(),
            Self::Unsigned(value) => value.into(),
            // The default is never used, since a figure is finite.
            Self::Float(value) => JsonText::from_f64(value).unwrap_or_else(|| 0.into()),
        })
    }

    fn is_integer(&self) -> bool {
        match *self {
            Self::Float(value) => value.fract() == 0.0,
            _ => true,
        }
    }

    fn is_written_as_integer(&self) -> bool {
        !matches!(self, Self::Float(_))
    }
}

impl PartialEq for Figure {
    /// Numbers are equal by value, as JSON Schema compares them.
    fn eq(&self, other: &Self) -> bool {
        match (self.as_i64(), other.as_i64(), self.as_u64(), other.as_u64()) {
            (Some(one), Some(two), ..) => one == two,
            (.., Some(one), Some(two)) => one == two,
            _ => self.as_exact().is_some_and(|one| other.as_exact() == Some(one)),
        }
    }
}

impl From<&JsonText> for Figure {
    fn from(number: &JsonText) -> Self {
        let int = number.as_i64().map(Self::Int).or_else(|| number.as_u64().map(Self::Unsigned));
        int.or_else(|| number.as_f64().map(Self::Float)).unwrap_or(Self::Int(0))
    }
}
