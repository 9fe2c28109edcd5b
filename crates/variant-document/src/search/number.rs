//! [`Wanted`]: a number that is searched as it is shown.

use variant_owned::Shortest;
use variant_view::{Kind, Number, Options, Reader, VariantView};

/// A searched number. A separator may be a point or group digits: `9.999` is 9999 or a number with three decimals.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The digits of an integer, with the sign.
    int: Option<String>,
    /// A number with decimals: its text, its value, and half a unit of its last decimal.
    float: Option<(String, f64, f64)>,
}

impl Wanted {
    /// The number that a text means; `None` if it is not a number.
    pub(super) fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let (sign, text) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => ("-", rest),
            None => ("", text.strip_prefix('+').unwrap_or(text)),
        };
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let int = whole(text).map(|digits| format!("{sign}{digits}"));
        let (before, decimals) = text.rsplit_once(['.', ',']).unwrap_or((text, ""));
        // The point that separates decimals does not also group digits.
        let point = text.strip_prefix(before).and_then(|rest| rest.chars().next());
        let is_grouped = point.is_some_and(|point| before.contains(point));
        let float = whole(before).filter(|_| !is_grouped).filter(|_| is_digits(decimals)).and_then(
            |digits| {
                let point = if text.len() == before.len() { "" } else { "." };
                let text = format!("{sign}{digits}{point}{decimals}");
                let value = text.parse().ok()?;
                let places = i32::try_from(decimals.len()).ok()?;
                Some((text, value, 0.5 * 10_f64.powi(places.saturating_neg())))
            },
        );
        (int.is_some() || float.is_some()).then_some(Self { int, float })
    }

    /// The next offset, before `end`, at which a value with the number may start. O(bytes up to the offset).
    pub(super) fn find(
        &self,
        bytes: &[u8],
        from: usize,
        end: usize,
        options: Options,
    ) -> Option<usize> {
        let kinds = options.dialect.kinds();
        let is_number =
            |kind: Kind| matches!(kind, Kind::Int | Kind::Float) || kind.shape().is_some();
        let has_number: Vec<bool> = kinds.iter().map(|kind| is_number(*kind)).collect();
        let ids = bytes.get(from..)?.iter().take(end.saturating_sub(from));
        // Most engines ignore most bits of the other bytes of a header. The reader refuses the others.
        let is_head = |id: &u8| has_number.get(usize::from(*id)).is_some_and(|has| *has);
        ids.enumerate().filter(|(_, id)| is_head(id)).find_map(|(at, _)| {
            let at = from.saturating_add(at);
            let (view, _) = Reader::new(bytes.get(at..)?, options).next_value().ok()?;
            // The elements of a packed array are examined when it is sure that a value starts here.
            let has_elements = view.elements().is_some_and(|elements| !elements.is_empty());
            (has_elements || self.is_in(&view)).then_some(at)
        })
    }

    /// Whether a value is the number, or has it.
    pub(super) fn is_in(&self, view: &VariantView<'_>) -> bool {
        match view {
            VariantView::Int(int) => self.is(Number::Int(int.value())),
            VariantView::Float(float) => self.is(Number::Float64(float.value().to_bits())),
            _ => view.numbers().is_some_and(|all| {
                let count = all.elements().saturating_mul(all.shape().count.into());
                (0..count).filter_map(|at| all.get(at)).any(|number| self.is(number))
            }),
        }
    }

    fn is(&self, number: Number) -> bool {
        match number {
            Number::Int(int) => self.int.as_ref().is_some_and(|wanted| begins(int, wanted)),
            Number::Float32(bits) => self.is_float(f32::from_bits(bits).into(), number),
            Number::Float64(bits) => self.is_float(f64::from_bits(bits), number),
        }
    }

    fn is_float(&self, value: f64, number: Number) -> bool {
        let whole = self.int.as_ref().and_then(|int| int.parse().ok()).map(|value| (value, 0.5));
        let with_decimals = self.float.as_ref().map(|(_, value, half)| (*value, *half));
        let mut all = [whole, with_decimals].into_iter().flatten();
        if all.any(|(wanted, half): (f64, f64)| (value - wanted).abs() <= half * (1.0 + 1e-9)) {
            return true;
        }
        // Only a number of the same sign and of at least the same size can begin with the text.
        let is_possible = |wanted: f64| value.is_finite() && value.abs() >= wanted.abs() * 0.999;
        let texts = [self.int.as_ref(), self.float.as_ref().map(|(text, ..)| text)];
        texts.into_iter().flatten().any(|wanted| {
            wanted.parse().is_ok_and(is_possible)
                && Shortest(number).to_string().starts_with(wanted.as_str())
        })
    }
}

/// Whether the decimal text of a number begins with a text, without a text for each number.
fn begins(int: i64, wanted: &str) -> bool {
    let (digits, is_negative) = match wanted.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (wanted, false),
    };
    let Ok(wanted) = digits.parse::<u64>() else { return false };
    if is_negative != (int < 0) {
        return false;
    }
    let mut rest = int.unsigned_abs();
    while rest > wanted && wanted > 0 {
        rest /= 10;
    }
    rest == wanted
}

/// The digits of an integer whose digits may be in groups of three, all with the same separator.
fn whole(text: &str) -> Option<String> {
    const SEPARATORS: &[char] = &[',', '.', '\'', '\u{2019}', '_', ' ', '\u{a0}', '\u{202f}'];
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let Some(separator) = text.chars().find(|c| SEPARATORS.contains(c)) else {
        return is_digits(text).then(|| text.to_owned());
    };
    let mut parts = text.split(separator);
    // `0.125` has decimals, and no groups.
    let is_group = |part: &str| is_digits(part) && part.len() <= 3 && !part.starts_with('0');
    let is_first = parts.next().is_some_and(is_group);
    let is_rest = parts.all(|part| is_digits(part) && part.len() == 3);
    (is_first && is_rest).then(|| text.chars().filter(char::is_ascii_digit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(text: &str, number: Number) -> bool {
        Wanted::of(text).unwrap().is(number)
    }

    #[test]
    fn a_number_is_found_as_it_is_shown() {
        for text in ["9999", "9,999", "9.999", "9 999", "9'999", "9_999", "9\u{202f}999"] {
            assert!(is(text, Number::Int(9999)), "{text}");
            assert!(is(text, Number::Int(99_991)) && !is(text, Number::Int(999)), "{text}");
            assert!(!is(text, Number::Int(-9999)), "{text}");
        }
        let float = |value: f64| Number::Float64(value.to_bits());
        for (text, value, expected) in [
            ("0.5", 0.5, true),
            ("0,5", 0.53, true),
            ("0.1", 0.125, true),
            ("0.13", 0.127, true),
            ("0.1", 0.3, false),
            ("12", 11.6, true),
            ("12", 12.4, true),
            ("12", 120.25, true),
            ("12", 13.0, false),
            ("-2.5", -2.5, true),
            ("2.5", -2.5, false),
            ("1,234.5", 1234.5, true),
            ("9.999", 9999.0, true),
            ("0.125", 0.125, true),
            ("0.125", 125.0, false),
            ("1,234,567", 1_234_567.0, true),
            ("1,234,567", 1_234.567, false),
            ("1", f64::NAN, false),
            ("1", f64::INFINITY, false),
        ] {
            assert_eq!(is(text, float(value)), expected, "{text}: {value}");
        }
        assert!(!is("0.125", Number::Int(125)) && !is("0,001", Number::Int(10)));
        assert!(is("0.1", Number::Float32(0.1_f32.to_bits())));
        assert!(is("-5", Number::Int(-57)) && is("0", Number::Int(0)) && !is("0", Number::Int(7)));
        for text in ["", "a", "1a", "hp 1", ".", "-", "1.2.3", "1 2"] {
            assert!(Wanted::of(text).is_none(), "{text}");
        }
    }
}
