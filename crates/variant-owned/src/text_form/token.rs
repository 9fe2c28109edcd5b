//! Parses tokens with nom: whitespace, symbols, names, numbers, texts.

use std::borrow::Cow;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while_m_n, take_while1};
use nom::character::complete::{char, digit1, hex_digit1, multispace0, one_of};
use nom::combinator::{map, opt, recognize, value};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use variant_view::Wire as _;

use super::names::is_identifier_char;

/// A syntax error: its position, and the expected text.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    /// The text from the error on.
    pub(super) at: &'a str,
    pub(super) expected: Cow<'static, str>,
    /// The found text, if it is not the text at `at`.
    pub(super) found: Option<String>,
}

pub(super) type Parsed<'a, T> = IResult<&'a str, T, Fault<'a>>;

impl<'a> ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self { at, expected: Cow::Borrowed("a value"), found: None }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

pub(super) fn fault<T>(at: &str, expected: impl Into<Cow<'static, str>>) -> Parsed<'_, T> {
    Err(nom::Err::Error(Fault { at, expected: expected.into(), found: None }))
}

/// Fails at `at` because of a wrong number of items.
pub(super) fn wrong_count<T>(at: &str, expected: String, found: usize) -> Parsed<'_, T> {
    let found = Some(found.to_string());
    Err(nom::Err::Error(Fault { at, expected: expected.into(), found }))
}

pub(super) fn spaces(input: &str) -> Parsed<'_, &str> {
    multispace0(input)
}

/// Parses a symbol after optional whitespace.
pub(super) fn symbol<'a>(input: &'a str, symbol: &'static str) -> Parsed<'a, &'a str> {
    let (input, _) = spaces(input)?;
    tag(symbol).parse(input).or_else(|_: nom::Err<Fault<'_>>| fault(input, format!("`{symbol}`")))
}

/// Takes a symbol after optional whitespace, if the text has it.
pub(super) fn try_symbol<'a>(input: &'a str, wanted: &'static str) -> Option<&'a str> {
    let (input, _) = spaces(input).ok()?;
    input.strip_prefix(wanted)
}

pub(super) fn identifier(input: &str) -> Parsed<'_, &str> {
    let (input, _) = spaces(input)?;
    let starts = input.starts_with(|c: char| is_identifier_char(c) && !c.is_ascii_digit());
    if starts { take_while1(is_identifier_char).parse(input) } else { fault(input, "a name") }
}

/// The text of a number; its context determines the type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'a>(pub(super) &'a str);

/// Parses a number after optional whitespace.
pub(super) fn number(input: &str) -> Parsed<'_, Number<'_>> {
    let (input, _) = spaces(input)?;
    let special = alt((tag("inf_neg"), recognize((tag("inf"), opt(tag(".0")))), nan));
    let unsigned = alt((hexadecimal, decimal, special));
    let mut number = recognize(preceded(opt(one_of("+-")), unsigned));
    match number.parse(input) {
        // Numbers that continue as a name or as `1.2.3` are refused.
        Ok((rest, text)) if !rest.starts_with(|c| is_identifier_char(c) || c == '.') => {
            Ok((rest, Number(text)))
        }
        _ => fault(input, "a number"),
    }
}

/// Parses a NaN. Its sign is parsed before: Godot 3.2.3 prints `-nan.0`.
fn nan(input: &str) -> Parsed<'_, &str> {
    recognize((tag("nan"), opt(tag(".0")))).parse(input)
}

fn hexadecimal(input: &str) -> Parsed<'_, &str> {
    recognize((alt((tag("0x"), tag("0X"))), hex_digit1)).parse(input)
}

fn decimal(input: &str) -> Parsed<'_, &str> {
    // `digit0` is not used: at the end of the text, it returns a rest that `recognize` takes for another position.
    let digits = take_while(|c: char| c.is_ascii_digit());
    let whole = recognize((digit1, opt((char('.'), digits))));
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    recognize((alt((whole, recognize((char('.'), digit1)))), opt(exponent))).parse(input)
}

impl Number<'_> {
    /// The value as an integer; `None` for a float, and for an integer beyond 64 bits.
    pub(super) fn int(self) -> Option<i64> {
        let hex = ["0x", "0X"].iter().find_map(|mark| self.0.split_once(mark));
        match hex {
            Some((sign, digits)) => i64::from_str_radix(&format!("{sign}{digits}"), 16).ok(),
            None => self.0.parse().ok(),
        }
    }

    /// Whether the number is written as an int.
    pub(super) fn is_int(self) -> bool {
        self.is_hex() || !self.0.contains(['.', 'e', 'E', 'n'])
    }

    fn is_hex(self) -> bool {
        self.0.contains(['x', 'X'])
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "the nearest float is wanted"
    )]
    pub(super) fn f64(self) -> f64 {
        let special = self.special();
        let hex = || self.int().map(|int| int as f64);
        special.or_else(|| self.0.parse().ok()).or_else(hex).unwrap_or(f64::NAN)
    }

    /// The `f32` nearest to the text. This is not always the `f32` nearest to the `f64` of the text.
    pub(super) fn f32(self) -> f32 {
        match self.special() {
            Some(value) => f32::narrow(value),
            None => self.0.parse().unwrap_or_else(|_| f32::narrow(self.f64())),
        }
    }

    fn special(self) -> Option<f64> {
        let is_negative = self.0.starts_with('-') != self.0.ends_with("_neg");
        match self.0 {
            text if text.contains("nan") => Some(f64::NAN),
            text if text.contains("inf") && is_negative => Some(f64::NEG_INFINITY),
            text if text.contains("inf") => Some(f64::INFINITY),
            _ => None,
        }
    }
}

/// Parses a quoted text after optional whitespace; borrows it if it has no escapes.
pub(super) fn string(input: &str) -> Parsed<'_, Cow<'_, str>> {
    let (input, _) = spaces(input)?;
    let Ok((mut rest, _)) = char::<_, Fault<'_>>('"').parse(input) else {
        return fault(input, "a text in quotes");
    };
    let mut text = Cow::Borrowed("");
    loop {
        let (behind, plain) = take_while(|c| c != '"' && c != '\\').parse(rest)?;
        if text.is_empty() {
            text = plain.into();
        } else {
            text.to_mut().push_str(plain);
        }
        if let Some(behind) = behind.strip_prefix('"') {
            return Ok((behind, text));
        }
        if behind.is_empty() {
            return fault(behind, "`\"` at the end of a text");
        }
        let (behind, c) = escape(behind)?;
        text.to_mut().push(c);
        rest = behind;
    }
}

fn escape(input: &str) -> Parsed<'_, char> {
    let mut escape = preceded(char('\\'), alt((single, code_point)));
    escape.parse(input).or_else(|_: nom::Err<Fault<'_>>| {
        fault(input, "an escape: `\\n`, `\\t`, `\\r`, `\\\"`, `\\\\`, `\\u0041` or `\\U01f600`")
    })
}

fn single(input: &str) -> Parsed<'_, char> {
    alt((
        value('\n', char('n')),
        value('\t', char('t')),
        value('\r', char('r')),
        value('\x07', char('a')),
        value('\x08', char('b')),
        value('\x0c', char('f')),
        value('\x0b', char('v')),
        one_of("\"\\'?/"),
    ))
    .parse(input)
}

fn code_point(input: &str) -> Parsed<'_, char> {
    let long = preceded(char('U'), digits(6));
    let pair = (preceded(char('u'), digits(4)), opt(preceded(tag("\\u"), digits(4))));
    let (rest, (high, low)) = alt((map(long, |point| (point, None)), pair)).parse(input)?;
    if let Some(c) = low.and_then(|low| joined(high, low)) {
        return Ok((rest, c));
    }
    // If the escapes are not a surrogate pair, the second escape is a separate character.
    let length = if low.is_some() { 5 } else { 0 };
    match (char::from_u32(high), low) {
        (Some(c), None) => Ok((rest, c)),
        (Some(c), Some(_)) => Ok((input.get(length..).unwrap_or(rest), c)),
        (None, _) => fault(input, "a code point"),
    }
}

fn digits<'a>(count: usize) -> impl Parser<&'a str, Output = u32, Error = Fault<'a>> {
    let digits = take_while_m_n(count, count, |c: char| c.is_ascii_hexdigit());
    map(digits, |digits| u32::from_str_radix(digits, 16).unwrap_or(u32::MAX))
}

fn joined(high: u32, low: u32) -> Option<char> {
    let units = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    let mut chars = char::decode_utf16(units);
    match (chars.next()?.ok()?, chars.next()) {
        (pair, None) => Some(pair),
        _ => None,
    }
}

/// Parses items in parentheses, separated by commas; a trailing comma is allowed.
pub(super) fn arguments<'a, T>(
    input: &'a str,
    item: impl Fn(&'a str) -> Parsed<'a, T>,
) -> Parsed<'a, Vec<T>> {
    let (mut input, _) = symbol(input, "(")?;
    let mut items = Vec::new();
    while try_symbol(input, ")").is_none() {
        let (rest, parsed) = item(input)?;
        items.push(parsed);
        input = match try_symbol(rest, ",") {
            Some(rest) => rest,
            None if try_symbol(rest, ")").is_some() => rest,
            None => return fault(rest.trim_start(), "`,` or `)`"),
        };
    }
    let (input, _) = symbol(input, ")")?;
    Ok((input, items))
}

/// Parses one item in parentheses.
pub(super) fn argument<'a, T>(input: &'a str, item: fn(&'a str) -> Parsed<'a, T>) -> Parsed<'a, T> {
    let open = |input| symbol(input, "(");
    delimited(open, item, |input| symbol(input, ")")).parse(input)
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let cases = [
            ("0.5", 0.5),
            (" -1.", -1.0),
            (".25", 0.25),
            ("+1e5", 1e5),
            ("1.5E-3", 0.0015),
            ("-0", 0.0),
            ("0x1F", 31.0),
            ("-0x10", -16.0),
            ("-inf.0", f64::NEG_INFINITY),
            ("inf_neg", f64::NEG_INFINITY),
            ("inf", f64::INFINITY),
        ];
        for (text, expected) in cases {
            for behind in ["", ")", " ,"] {
                let text = format!("{text}{behind}");
                let (rest, number) = number(&text).unwrap();
                assert_eq!((rest, number.f64()), (behind, expected), "{text}");
                assert!(
                    (number.f32() - f32::narrow(expected)).abs() <= 0.0 || !expected.is_finite(),
                    "{text}"
                );
            }
        }
        assert!(number("-nan.0").unwrap().1.f64().is_nan());
        for bad in ["", "-", ".", "1e", "1.2.3", "12a", "0x", "infinite", "e5"] {
            assert!(number(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn escapes() {
        let text = r#""\"\\\n\t\r\u0041\U01f600\ud83d\ude00\u0041\u0042\'\?\/x" rest"#;
        let (rest, read) = string(text).unwrap();
        assert_eq!((rest, &*read), (" rest", "\"\\\n\t\rA😀😀AB'?/x"));
        for bad in [
            r#""\q""#,
            r#""\u12""#,
            r#""\ud83d""#,
            r#""\ud83d\u0041""#,
            r#""\U110000""#,
            "\"a",
            "\"\\",
        ] {
            assert!(string(bad).is_err(), "{bad}");
        }
    }
}
