//! Numbers as `printf("%g")` prints them: six significant digits of an `f32`.

use variant_view::{ScalarView, Width};

/// A real among others, as in `Vector2( 0.5, 1 )`.
pub(super) fn real(value: f32) -> String {
    if value.is_nan() {
        return nan(value.is_sign_negative());
    }
    // Minus zero included.
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.is_infinite() { value.to_string() } else { six_digits(f64::from(value)) }
}

/// A number by itself, with `.0` where it would look like an int.
pub(super) fn float(leaf: &ScalarView<'_, f64>) -> String {
    let value = leaf.value();
    // The sign of a NaN comes from the wire: Rust does not promise to keep it through a conversion.
    let mut text = if value.is_nan() { nan(is_negative(leaf)) } else { real(narrow(value)) };
    // The engine handles the two, but not their negatives: `-inf.0`.
    if text != "inf" && text != "nan" && !text.contains(['.', 'e']) {
        text.push_str(".0");
    }
    text
}

fn is_negative(leaf: &ScalarView<'_, f64>) -> bool {
    let shift = match leaf.width() {
        Width::W32 => 31,
        Width::W64 => 63,
    };
    leaf.bits() >> shift & 1 == 1
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the engine rounds to its real_t before it prints"
)]
fn narrow(value: f64) -> f32 {
    value as f32
}

fn nan(negative: bool) -> String {
    if negative { "-nan" } else { "nan" }.to_owned()
}

/// `%g`: scientific for exponents below -4 and from 6 on, no zeros at the end.
fn six_digits(value: f64) -> String {
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(5_i32.saturating_sub(exponent)).unwrap_or(0);
        without_zeros(&format!("{value:.decimals$}")).to_owned()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", without_zeros(digits), exponent.unsigned_abs())
    }
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_have_six_digits() {
        let cases = [
            (0.1, "0.1"),
            (-0.0, "0"),
            (100_000.0, "100000"),
            (999_999.5, "1e+06"),
            (1_000_000.0, "1e+06"),
            (0.0001, "0.0001"),
            (0.000_099_999_99, "0.0001"),
            (0.000_01, "1e-05"),
            (3.402_823_5e38, "3.40282e+38"),
            (-1.4e-45, "-1.4013e-45"),
            (f32::INFINITY, "inf"),
            (f32::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(real(value), text);
        }
    }
}
