//! [`NumberCells`]: consecutive numbers.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, Int32Array, Int64Array, UInt8Array};
use variant_view::{Number, NumberType, Width};

#[derive(Debug)]
pub(super) enum NumberCells {
    Byte(Vec<u8>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float32(Vec<f32>),
    Float64(Vec<f64>),
}

impl NumberCells {
    pub(super) fn new(of: NumberType, width: Width) -> Self {
        match of.with_reals(width) {
            NumberType::Byte => Self::Byte(Vec::new()),
            NumberType::Int32 => Self::Int32(Vec::new()),
            NumberType::Int64 => Self::Int64(Vec::new()),
            NumberType::Float32 | NumberType::Real => Self::Float32(Vec::new()),
            NumberType::Float64 => Self::Float64(Vec::new()),
        }
    }

    pub(super) const fn number_type(&self) -> NumberType {
        match self {
            Self::Byte(_) => NumberType::Byte,
            Self::Int32(_) => NumberType::Int32,
            Self::Int64(_) => NumberType::Int64,
            Self::Float32(_) => NumberType::Float32,
            Self::Float64(_) => NumberType::Float64,
        }
    }

    /// Appends a number. If that would lose information, appends nothing and returns false.
    pub(super) fn push(&mut self, number: Number) -> bool {
        match (self, number) {
            (Self::Byte(all), Number::Int(int)) => {
                u8::try_from(int).map(|int| all.push(int)).is_ok()
            }
            (Self::Int32(all), Number::Int(int)) => {
                i32::try_from(int).map(|int| all.push(int)).is_ok()
            }
            (Self::Int64(all), Number::Int(int)) => {
                all.push(int);
                true
            }
            (Self::Float32(all), Number::Float32(bits)) => {
                all.push(f32::from_bits(bits));
                true
            }
            (Self::Float32(all), Number::Float64(bits)) => {
                let wide = f64::from_bits(bits);
                let narrow = number.to_f32();
                let is_exact = f64::from(narrow).to_bits() == bits || wide.is_nan();
                if is_exact {
                    all.push(narrow);
                }
                is_exact
            }
            (Self::Float64(all), number @ (Number::Float32(_) | Number::Float64(_))) => {
                all.push(number.to_f64());
                true
            }
            _ => false,
        }
    }

    pub(super) fn push_zero(&mut self) {
        match self {
            Self::Byte(all) => all.push(0),
            Self::Int32(all) => all.push(0),
            Self::Int64(all) => all.push(0),
            Self::Float32(all) => all.push(0.0),
            Self::Float64(all) => all.push(0.0),
        }
    }

    /// Appends numbers of this type in their wire form, by one copy.
    pub(super) fn extend_from_wire(&mut self, bytes: &[u8]) {
        match self {
            Self::Byte(all) => all.extend_from_slice(bytes),
            Self::Int32(all) => all.extend(words(bytes).map(i32::from_le_bytes)),
            Self::Int64(all) => all.extend(words(bytes).map(i64::from_le_bytes)),
            Self::Float32(all) => all.extend(words(bytes).map(f32::from_le_bytes)),
            Self::Float64(all) => all.extend(words(bytes).map(f64::from_le_bytes)),
        }
    }

    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Byte(all) => all.len(),
            Self::Int32(all) => all.len(),
            Self::Int64(all) => all.len(),
            Self::Float32(all) => all.len(),
            Self::Float64(all) => all.len(),
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        match self {
            Self::Byte(all) => all.truncate(len),
            Self::Int32(all) => all.truncate(len),
            Self::Int64(all) => all.truncate(len),
            Self::Float32(all) => all.truncate(len),
            Self::Float64(all) => all.truncate(len),
        }
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        use std::mem::take;
        match self {
            Self::Byte(all) => Arc::new(UInt8Array::from(take(all))),
            Self::Int32(all) => Arc::new(Int32Array::from(take(all))),
            Self::Int64(all) => Arc::new(Int64Array::from(take(all))),
            Self::Float32(all) => Arc::new(Float32Array::from(take(all))),
            Self::Float64(all) => Arc::new(Float64Array::from(take(all))),
        }
    }
}

/// The numbers, of `N` bytes each. If they are in the byte order of the host, the compiled code is a single copy.
fn words<const N: usize>(bytes: &[u8]) -> impl ExactSizeIterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}
