//! Prints numbers.

use std::fmt::{self, Display, Write};

use variant_view::{Number, NumberType, Shape, Wire as _};

use super::TextOptions;

/// Displays a number with the fewest digits that read back as the same number. A whole float has no point: `1`, `-0`,
/// `0.1`, `1e30`, `inf`, `-inf`, `nan`. Does not allocate.
///
/// ```
/// use variant_owned::Shortest;
///
/// assert_eq!(Shortest(0.1_f32.into()).to_string(), "0.1");
/// assert_eq!(Shortest(2.0_f64.into()).to_string(), "2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortest(pub Number);

impl Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0.to_f64();
        // `Debug` adds `.0` to whole numbers, and uses exponents from 1e16 on.
        let is_plain = value.fract() == 0.0 && value.abs() < 1e16;
        match self.0 {
            Number::Int(value) => write!(f, "{value}"),
            _ if value.is_nan() => f.write_str("nan"),
            Number::Float32(bits) if is_plain => write!(f, "{}", f32::from_bits(bits)),
            Number::Float32(bits) => write!(f, "{:?}", f32::from_bits(bits)),
            Number::Float64(_) if is_plain => write!(f, "{value}"),
            Number::Float64(_) => write!(f, "{value:?}"),
        }
    }
}

/// Like [`Shortest`], but `-0.0` keeps its point: `-0` would read as an integer, which has no negative zero.
pub(crate) struct Signed(pub(crate) Number);

impl Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_integer = matches!(self.0, Number::Int(_));
        let is_negative_zero = !is_integer && self.0.to_f64() == 0.0 && self.0.is_negative();
        if is_negative_zero { f.write_str("-0.0") } else { Shortest(self.0).fmt(f) }
    }
}

/// Writes a number of a value with several numbers, as in `Vector2(0.5, 1)`.
pub(super) fn write(
    out: &mut impl Write,
    number: Number,
    shape: &Shape,
    options: TextOptions,
) -> fmt::Result {
    let value = number.to_f64();
    match number {
        // Older engines print integer vectors through a float.
        Number::Int(_)
            if shape.count > 1 && options.is_engine() && options.style.of().is_narrow =>
        {
            out.write_str(&six_digits(value))
        }
        Number::Int(value) => write!(out, "{value}"),
        _ if options.is_engine() => out.write_str(&engine_real(value, options)),
        _ if !value.is_finite() => out.write_str(special(value)),
        Number::Float64(_) if shape.number == NumberType::Real => write_double(out, value),
        _ => write!(out, "{}", Signed(number)),
    }
}

/// The maximum number of digits in the shortest text of an `f32`.
pub(super) const SINGLE_DIGITS: usize = 9;

/// Writes an `f64` real. If the real is not equal to an `f32`, its text has more digits than the text of an `f32`.
/// These digits determine the width for the reader.
fn write_double(out: &mut impl Write, value: f64) -> fmt::Result {
    let shortest = Signed(value.into()).to_string();
    if is_single(value) || digits(&shortest) > SINGLE_DIGITS {
        out.write_str(&shortest)
    } else {
        write!(out, "{value:.16e}")
    }
}

/// Whether an `f32` holds the value exactly; true for NaN.
#[expect(clippy::float_cmp, reason = "this checks whether the conversion is exact")]
pub(super) fn is_single(value: f64) -> bool {
    f64::from(f32::narrow(value)) == value || value.is_nan()
}

/// The number of significant digits of a number's text. Trailing zeros of a whole number do not count,
/// since they may only express its size.
pub(super) fn digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let mantissa = if mantissa.contains('.') { mantissa } else { mantissa.trim_end_matches('0') };
    let digits = mantissa.chars().filter(char::is_ascii_digit);
    digits.skip_while(|&digit| digit == '0').count()
}

/// Writes a float that is not part of a mathematical value. Adds `.0` if it would read as an int.
pub(super) fn write_float(out: &mut impl Write, value: f64, options: TextOptions) -> fmt::Result {
    if !options.is_engine() && value.is_finite() {
        return write!(out, "{value:?}");
    }
    if !options.is_engine() {
        return out.write_str(special(value));
    }
    let text = engine_real(value, options);
    out.write_str(&text)?;
    // Godot 3 omits `.0` after `inf` and `nan`, but not after their negatives: `-inf.0`.
    let is_plain = ["inf", "nan", "inf_neg"].contains(&text.as_str());
    if is_plain || text.contains(['.', 'e']) { Ok(()) } else { out.write_str(".0") }
}

/// The text of a value that is not finite. Most engines, including the newest, read `inf_neg`.
fn special(value: f64) -> &'static str {
    match value {
        _ if value.is_nan() => "nan",
        _ if value > 0.0 => "inf",
        _ => "inf_neg",
    }
}
/// A real as the engine prints it, with six significant digits. Engines before Godot 4 first narrow it to an `f32`.
fn engine_real(value: f64, options: TextOptions) -> String {
    let style = options.style.of();
    let value = if style.is_narrow { f64::from(f32::narrow(value)) } else { value };
    if value.is_finite() {
        return six_digits(value);
    }
    match (style.has_signs && value.is_sign_negative(), value.is_nan()) {
        (true, true) => "-nan".to_owned(),
        (true, false) => "-inf".to_owned(),
        _ => special(value).to_owned(),
    }
}

/// Like C's `%g`: scientific for exponents below -4 and from 6 on, without trailing zeros. Zero has no sign.
fn six_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(5_i32.saturating_sub(exponent)).unwrap_or(0);
        return without_zeros(&format!("{value:.decimals$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", without_zeros(mantissa), exponent.unsigned_abs())
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_as_short_as_can_be() {
        let shortest = |number: Number| Shortest(number).to_string();
        for (float, expected) in [
            (1.0_f32, "1"),
            (-0.0, "-0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000"),
            (1e16, "1e16"),
            (1e30, "1e30"),
            (1e-5, "1e-5"),
            (f32::NEG_INFINITY, "-inf"),
            (f32::NAN, "nan"),
        ] {
            assert_eq!(shortest(float.into()), expected);
        }
        assert_eq!(shortest((0.1_f64 + 0.2).into()), "0.30000000000000004");
        assert_eq!(shortest(1e15_f64.into()), "1000000000000000");
        assert_eq!(shortest((1e16_f64 - 2.0).into()), "9999999999999998");
        assert_eq!(shortest(1e16_f64.into()), "1e16");
        assert_eq!(shortest((-1e16_f64).into()), "-1e16");
        assert_eq!(shortest(f64::NAN.into()), "nan");
        assert_eq!(shortest(i64::MIN.into()), "-9223372036854775808");
    }
}
