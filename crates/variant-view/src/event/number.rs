//! [`Number`]: one number of any type.

use crate::kind::{NumberType, Width};
use crate::view::Wire as _;

/// One number. Floats are kept as bits, since arithmetic may change the bits of a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// An integer of any type.
    Int(i64),
    /// The bits of an `f32`.
    Float32(u32),
    /// The bits of an `f64`.
    Float64(u64),
}

impl Number {
    /// Reads the number at the start of `bytes`.
    #[inline]
    pub(super) fn read(bytes: &[u8], number: NumberType) -> Self {
        let half = bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let whole = bytes.first_chunk().map_or(0, |words| u64::from_le_bytes(*words));
        match number {
            NumberType::Byte => Self::Int(bytes.first().copied().unwrap_or(0).into()),
            NumberType::Int32 => Self::Int(half.cast_signed().into()),
            NumberType::Int64 => Self::Int(whole.cast_signed()),
            NumberType::Float32 | NumberType::Real => Self::Float32(half),
            NumberType::Float64 => Self::Float64(whole),
        }
    }

    /// The number of this type at the start of `bytes`, little-endian; a [`NumberType::Real`] has 32 bits. `None` if
    /// there are too few bytes. O(1).
    ///
    /// ```
    /// use variant_view::{Number, NumberType};
    ///
    /// assert_eq!(Number::from_wire(NumberType::Int32, &[7, 0, 0, 0]), Some(Number::Int(7)));
    /// assert_eq!(Number::from_wire(NumberType::Int32, &[7, 0, 0]), None);
    /// ```
    #[inline]
    pub fn from_wire(number: NumberType, bytes: &[u8]) -> Option<Self> {
        bytes.get(..number.bytes(Width::W32)).map(|bytes| Self::read(bytes, number))
    }

    /// The number as the nearest `f64`. O(1).
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "rounding is documented"
    )]
    pub const fn to_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float32(bits) => f32::from_bits(bits) as f64,
            Self::Float64(bits) => f64::from_bits(bits),
        }
    }

    /// The number as the nearest `f32`; infinite if too large. O(1).
    pub fn to_f32(self) -> f32 {
        match self {
            Self::Float32(bits) => f32::from_bits(bits),
            other => f32::narrow(other.to_f64()),
        }
    }

    /// Whether the number is neither infinite nor NaN.
    pub const fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    /// Whether the number is NaN.
    pub const fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }

    /// Whether the sign is negative, -0.0 and negative NaNs included.
    pub const fn is_negative(self) -> bool {
        match self {
            Self::Int(value) => value < 0,
            Self::Float32(bits) => bits >> 31 != 0,
            Self::Float64(bits) => bits >> 63 != 0,
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<f32> for Number {
    fn from(value: f32) -> Self {
        Self::Float32(value.to_bits())
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::Float64(value.to_bits())
    }
}
