//! Reads numbers from JSON: integers, floats that are written as digits or as bits, and the numbers of mathematical
//! types.

use variant_view::{Kind, NumberType, Numbers, Shape, Width, Wire as _};

use super::error::JsonErrorKind;
use super::fields::{Fields, Result, expected, fault};
use super::tape::{Tape, Token};
use crate::variant::Variant;

pub(super) const INTEGER: &str = "an integer";

/// 2^53. From this number on, integers with a point or an exponent are refused: the writer used floats, which do not
/// hold all integers exactly.
const NOT_EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads an integer from a number or a string of digits. The notation of a number does not matter: 5.0 and 5e0 are 5.
pub(super) fn integer<T: TryFrom<i128>>(tape: &Tape<'_>, at: usize) -> Result<T> {
    let source = tape.characters(at);
    let is_plain = !source.is_empty()
        && source.strip_prefix('-').unwrap_or(&source).bytes().all(|b| b.is_ascii_digit());
    let whole = match tape.token(at) {
        Token::Number | Token::String if is_plain => source.parse::<i128>().ok(),
        Token::Number => match source.parse::<f64>() {
            Ok(value) if value.is_infinite() => None,
            Ok(value) if value.abs() >= NOT_EXACT => {
                return expected("an integer in digits alone, as all from 2^53 on", at);
            }
            Ok(value) if value.fract() == 0.0 => format!("{value:.0}").parse().ok(),
            _ => return expected(INTEGER, at),
        },
        _ => return expected(INTEGER, at),
    };
    match whole.and_then(|value| T::try_from(value).ok()) {
        Some(value) => Ok(value),
        None => fault(JsonErrorKind::OutOfRange, at),
    }
}

impl Fields<'_, '_> {
    pub(super) fn integer<T: TryFrom<i128>>(&self, name: &'static str) -> Result<T> {
        integer(self.tape, self.get(name)?)
    }
}

/// Reads a float of known width, and returns its bits.
pub(super) fn float_bits(tape: &Tape<'_>, at: usize, width: Width) -> Result<u64> {
    let source = tape.characters(at);
    let is_infinite = match (tape.token(at), &*source) {
        (Token::String, "inf" | "-inf") => true,
        (Token::String, text) if text.starts_with("nan:") => return nan(text, at, width),
        (Token::String | Token::Number, text) if is_decimal(text) => false,
        _ => return expected("a number, \"inf\", \"-inf\" or \"nan:\" and its bits", at),
    };
    let bits = match width {
        Width::W32 => source.parse::<f32>().ok().map(|v| (v.is_infinite(), v.to_bits().into())),
        Width::W64 => source.parse::<f64>().ok().map(|v| (v.is_infinite(), v.to_bits())),
    };
    match bits {
        Some((became_infinite, bits)) if became_infinite == is_infinite => Ok(bits),
        _ => fault(JsonErrorKind::OutOfRange, at),
    }
}

/// Whether the text is a decimal number. The check is needed because Rust also parses words such as `inf`.
fn is_decimal(text: &str) -> bool {
    let may_be =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    text.bytes().all(may_be) && text.parse::<f64>().is_ok()
}

/// Reads a NaN that is written as its bits.
fn nan(text: &str, at: usize, width: Width) -> Result<u64> {
    let digits = text.strip_prefix("nan:").unwrap_or_default();
    let wanted = match width {
        Width::W32 => 8,
        Width::W64 => 16,
    };
    let is_hex = digits.len() == wanted && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bits = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex);
    let is_nan = |bits: &u64| match width {
        Width::W32 => u32::try_from(*bits).is_ok_and(|bits| f32::from_bits(bits).is_nan()),
        Width::W64 => f64::from_bits(*bits).is_nan(),
    };
    match bits.filter(is_nan) {
        Some(bits) => Ok(bits),
        None => expected(format!("\"nan:\" and the {wanted} hexadecimal digits of a NaN"), at),
    }
}

/// Encodes the numbers of these nodes. Floats that are too large become infinite if `may_overflow`;
/// otherwise they are errors.
pub(super) fn wire_bytes(
    tape: &Tape<'_>,
    nodes: impl Iterator<Item = usize>,
    number: NumberType,
    may_overflow: bool,
) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for at in nodes {
        match number {
            NumberType::Byte => bytes.push(integer(tape, at)?),
            NumberType::Int32 => bytes.extend(integer::<i32>(tape, at)?.to_le_bytes()),
            NumberType::Int64 => bytes.extend(integer::<i64>(tape, at)?.to_le_bytes()),
            NumberType::Float64 => {
                bytes.extend(real_bits(tape, at, Width::W64, may_overflow)?.to_le_bytes());
            }
            NumberType::Float32 | NumberType::Real => {
                let bits = real_bits(tape, at, Width::W32, may_overflow)?.to_le_bytes();
                bytes.extend_from_slice(bits.first_chunk::<4>().unwrap_or(&[0; 4]));
            }
        }
    }
    Ok(bytes)
}

/// Reads a real, and returns its bits. With `may_overflow`, numbers that overflow are infinities and null is a NaN, as
/// in the engine's form.
fn real_bits(tape: &Tape<'_>, at: usize, width: Width, may_overflow: bool) -> Result<u64> {
    let value = match tape.token(at) {
        Token::Number => tape.source(at).parse::<f64>().ok(),
        Token::Null => Some(f64::NAN),
        _ => None,
    };
    match (value.filter(|_| may_overflow), width) {
        (None, _) => float_bits(tape, at, width),
        (Some(value), Width::W32) => Ok(f32::narrow(value).to_bits().into()),
        (Some(value), Width::W64) => Ok(value.to_bits()),
    }
}

/// Makes a value of `kind` from the wire bytes of its numbers. The numbers come from node `at`.
pub(super) fn of_wire(
    kind: Kind,
    shape: Shape,
    reals: Width,
    bytes: &[u8],
    at: usize,
) -> Result<Variant> {
    match Numbers::from_wire(kind, reals, bytes) {
        Some(numbers) => Ok(Variant::from_numbers(&numbers)),
        None => expected(wanted(shape), at),
    }
}

/// The expected count of numbers, for messages.
pub(super) fn wanted(shape: Shape) -> String {
    match (shape.is_packed, shape.count) {
        (true, 1) => "numbers".to_owned(),
        (true, count) => format!("a multiple of {count} numbers"),
        (false, count) => format!("{count} numbers"),
    }
}
