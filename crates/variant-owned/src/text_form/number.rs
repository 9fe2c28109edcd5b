//! How numbers are printed, and the numbers of a value one by one.

use std::fmt::{self, Write};

use variant_view::Real;

use super::{Numbers, TextOptions, TextStyle};
use crate::reals::{RealVec, Reals};
use crate::variant::Variant;

/// A number among others, as in `Vector2(0.5, 1)`.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Int(i64),
    /// Of an integer vector: older engines print it through a float.
    Component(i32),
    Single(f32),
    /// Of a mathematical value in `f64`, which is to be told from one in `f32`.
    Double(f64),
    /// Of an array that is always of `f64`.
    Float(f64),
}

/// Gives the numbers of a mathematical value or of a packed array to `f`, in the order of wire and text,
/// which are the same. Other kinds have none.
pub(super) fn each(value: &Variant, f: &mut impl FnMut(Number)) {
    match value {
        Variant::Vector2i(v) => {
            v.map(|n| f(Number::Component(n)));
        }
        Variant::Rect2i(v) => {
            v.map(|n| f(Number::Component(n)));
        }
        Variant::Vector3i(v) => {
            v.map(|n| f(Number::Component(n)));
        }
        Variant::Vector4i(v) => {
            v.map(|n| f(Number::Component(n)));
        }
        Variant::PackedInt32Array(all) => all.iter().for_each(|&n| f(Number::Int(n.into()))),
        Variant::PackedByteArray(all) => all.iter().for_each(|&n| f(Number::Int(n.into()))),
        Variant::PackedInt64Array(all) => all.iter().for_each(|&n| f(Number::Int(n))),
        Variant::PackedVector2iArray(all) => {
            for v in all {
                v.map(|n| f(Number::Component(n)));
            }
        }
        Variant::PackedVector3iArray(all) => {
            for v in all {
                v.map(|n| f(Number::Component(n)));
            }
        }
        Variant::PackedVector4iArray(all) => {
            for v in all {
                v.map(|n| f(Number::Component(n)));
            }
        }
        _ => each_real(value, f),
    }
}

macro_rules! reals {
    ($reals:expr, $f:expr) => {
        match $reals {
            Reals::Single(v) => {
                v.map(|n| $f(Number::Single(n)));
            }
            Reals::Double(v) => {
                v.map(|n| $f(Number::Double(n)));
            }
        }
    };
}

macro_rules! real_vec {
    ($reals:expr, $f:expr) => {
        match $reals {
            RealVec::Single(all) => {
                for v in all {
                    v.map(|n| $f(Number::Single(n)));
                }
            }
            RealVec::Double(all) => {
                for v in all.iter() {
                    v.map(|n| $f(Number::Double(n)));
                }
            }
        }
    };
}

fn each_real(value: &Variant, f: &mut impl FnMut(Number)) {
    match value {
        Variant::Vector2(v) => reals!(v, f),
        Variant::Rect2(v) => reals!(v, f),
        Variant::Vector3(v) => reals!(v, f),
        Variant::Transform2D(v) => reals!(&**v, f),
        Variant::Vector4(v) => reals!(v, f),
        Variant::Plane(v) => reals!(v, f),
        Variant::Quaternion(v) => reals!(v, f),
        Variant::Aabb(v) => reals!(&**v, f),
        Variant::Basis(v) => reals!(&**v, f),
        Variant::Transform3D(v) => reals!(&**v, f),
        Variant::Projection(v) => reals!(&**v, f),
        Variant::Color(v) => {
            v.map(|n| f(Number::Single(n)));
        }
        Variant::PackedFloat32Array(all) => all.iter().for_each(|&n| f(Number::Single(n))),
        Variant::PackedFloat64Array(all) => all.iter().for_each(|&n| f(Number::Float(n))),
        Variant::PackedVector2Array(all) => real_vec!(all, f),
        Variant::PackedVector3Array(all) => real_vec!(all, f),
        Variant::PackedVector4Array(all) => real_vec!(all, f),
        Variant::PackedColorArray(all) => {
            for v in all {
                v.map(|n| f(Number::Single(n)));
            }
        }
        _ => {}
    }
}

/// Writes a number among others.
pub(super) fn write(out: &mut impl Write, number: Number, options: TextOptions) -> fmt::Result {
    match number {
        Number::Int(value) => write!(out, "{value}"),
        Number::Component(value) if is_engine_before_4(options) => {
            out.write_str(&engine_real(value.into(), options))
        }
        Number::Component(value) => write!(out, "{value}"),
        Number::Single(value) => write_real(out, value.into(), &format!("{value:?}"), options),
        Number::Double(value) => write_real(out, value, &exact_double(value), options),
        Number::Float(value) => write_real(out, value, &format!("{value:?}"), options),
    }
}

fn write_real(out: &mut impl Write, value: f64, exact: &str, options: TextOptions) -> fmt::Result {
    match options.numbers {
        Numbers::Engine => out.write_str(&engine_real(value, options)),
        Numbers::Exact if value.is_finite() => {
            out.write_str(exact.strip_suffix(".0").unwrap_or(exact))
        }
        Numbers::Exact => out.write_str(special(value)),
    }
}

/// So many digits at most has the shortest text of an `f32`.
pub(super) const SINGLE_DIGITS: usize = 9;

/// With more digits than an `f32` has where the value is none: that is how the reader knows the width.
fn exact_double(value: f64) -> String {
    let mut shortest = format!("{value:?}");
    if shortest.ends_with(".0") {
        shortest.truncate(shortest.len().saturating_sub(2));
    }
    if !value.is_finite() || is_single(value) || digits(&shortest) > SINGLE_DIGITS {
        shortest
    } else {
        format!("{value:.16e}")
    }
}

/// Whether an `f32` holds it exactly.
#[expect(clippy::float_cmp, reason = "exactness is the question")]
pub(super) fn is_single(value: f64) -> bool {
    f64::from(f32::narrow(value)) == value || value.is_nan()
}

/// The digits of a number's text from the first that is not zero to the exponent. Zeros at the end of a
/// whole number may be there for its size only.
pub(super) fn digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let mantissa = if mantissa.contains('.') { mantissa } else { mantissa.trim_end_matches('0') };
    let digits = mantissa.chars().filter(char::is_ascii_digit);
    digits.skip_while(|&digit| digit == '0').count()
}

/// Writes a number of its own, with `.0` where it would pass for an int.
pub(super) fn write_float(out: &mut impl Write, value: f64, options: TextOptions) -> fmt::Result {
    match options.numbers {
        Numbers::Exact if value.is_finite() => write!(out, "{value:?}"),
        Numbers::Exact => out.write_str(special(value)),
        Numbers::Engine => {
            let text = engine_real(value, options);
            out.write_str(&text)?;
            // Godot 3 thinks of `inf` and `nan`, but not of their negatives: `-inf.0`.
            let is_plain = ["inf", "nan", "inf_neg"].contains(&text.as_str());
            if is_plain || text.contains(['.', 'e']) { Ok(()) } else { out.write_str(".0") }
        }
    }
}

/// `inf_neg` is what most engines read, and the newest too.
fn special(value: f64) -> &'static str {
    match value {
        _ if value.is_nan() => "nan",
        _ if value > 0.0 => "inf",
        _ => "inf_neg",
    }
}

fn is_engine_before_4(options: TextOptions) -> bool {
    options.numbers == Numbers::Engine && options.style != TextStyle::Godot4
}

/// Six significant digits, before Godot 4 of an `f32`.
fn engine_real(value: f64, options: TextOptions) -> String {
    let value = match options.style {
        TextStyle::Godot4 => value,
        _ => f64::from(f32::narrow(value)),
    };
    // Minus zero included.
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.is_finite() {
        return six_digits(value);
    }
    let is_negative = value.is_sign_negative() && options.style == TextStyle::Godot3;
    match (is_negative, value.is_nan()) {
        (true, true) => "-nan".to_owned(),
        (true, false) => "-inf".to_owned(),
        _ => special(value).to_owned(),
    }
}

/// C's `%g`: scientific for exponents below -4 and from 6 on, no zeros at the end.
fn six_digits(value: f64) -> String {
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
