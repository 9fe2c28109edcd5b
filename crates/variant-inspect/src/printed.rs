//! [`bytes`]: reads bytes from a text that a script or console printed.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::cli::InputArg;

/// Base64, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns the bytes that a text describes, or the reason why it describes none. O(bytes).
pub(crate) fn bytes(text: &[u8], form: InputArg) -> Result<Vec<u8>, String> {
    let text = str::from_utf8(text).map_err(|error| {
        format!(
            "not text at byte {}; without --input the bytes of the file are read",
            error.valid_up_to()
        )
    })?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err("there is no text".to_owned());
    }
    match form {
        InputArg::Bytes => numbers(text),
        InputArg::Hex => digits(text),
        InputArg::Base64 => base64(text),
        InputArg::Auto => auto(text),
    }
}

/// Reads text with brackets as numbers. Otherwise tries hexadecimal digits, then base64, then numbers.
fn auto(text: &str) -> Result<Vec<u8>, String> {
    if text.contains(['[', '(', '{']) {
        return numbers(text);
    }
    let found = digits(text).or_else(|_| base64(text)).or_else(|_| numbers(text));
    found.map_err(|_| {
        "neither numbers in brackets, nor hexadecimal digits, nor base64; \
         a file that is not text is read without --input"
            .to_owned()
    })
}

/// `[27, 0]`, `{27, 0}`, `PackedByteArray(27, 0)`, `PackedByteArray("GwA=")`, `byte[] {0x1b, 0}`.
fn numbers(text: &str) -> Result<Vec<u8>, String> {
    let start = text.find(['[', '(', '{']).unwrap_or(0);
    let text = text.get(start..).unwrap_or_default();
    if let Some((_, rest)) = text.split_once('"') {
        return base64(rest.split_once('"').map_or(rest, |(inside, _)| inside));
    }
    let is_between = |c: char| c.is_whitespace() || "[](){},;".contains(c);
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(number).collect()
}

fn number(word: &str) -> Result<u8, String> {
    let hex = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let found = match hex {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => word.parse(),
    };
    found.map_err(|_| {
        let shown: String = word.chars().take(20).collect();
        let how = if shown.contains("...") { "; the list was cut when it was printed" } else { "" };
        format!("{shown:?} is not a byte, 0 to 255{how}")
    })
}

/// Pairs of digits, with or without separators.
fn digits(text: &str) -> Result<Vec<u8>, String> {
    let is_between = |c: char| c.is_whitespace() || ",:-".contains(c);
    let mut bytes = Vec::new();
    for word in text.split(is_between) {
        let word = word.strip_prefix("0x").or_else(|| word.strip_prefix("\\x")).unwrap_or(word);
        let (pairs, rest) = word.as_bytes().as_chunks::<2>();
        if !rest.is_empty() {
            return Err("an odd number of hexadecimal digits; one is missing".to_owned());
        }
        for pair in pairs {
            let pair = str::from_utf8(pair).ok().filter(|pair| !pair.contains('+'));
            let byte = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
            bytes.push(byte.ok_or("characters that are not hexadecimal digits")?);
        }
    }
    Ok(bytes)
}

fn base64(text: &str) -> Result<Vec<u8>, String> {
    let text: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        // Replaces the characters of the base64 alphabet for URLs.
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => byte,
        })
        .collect();
    BASE64.decode(text).map_err(|error| format!("base64: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_in_every_form() {
        let value = [27, 0, 0, 0, 255];
        for (text, form) in [
            ("[27, 0, 0, 0, 255]", InputArg::Bytes),
            ("{27, 0, 0, 0, 255}\n", InputArg::Bytes),
            ("PackedByteArray(27, 0, 0, 0, 255)", InputArg::Bytes),
            ("PoolByteArray( 27,0,0,0,255 )", InputArg::Bytes),
            ("PackedByteArray([27, 0, 0, 0, 255])", InputArg::Bytes),
            ("PackedByteArray(\"GwAAAP8=\")", InputArg::Bytes),
            ("byte[] {0x1b, 0x00, 0x0, 0, 0xFF}", InputArg::Bytes),
            ("1b000000ff", InputArg::Hex),
            ("\u{feff}1B 00 00 00 FF\r\n", InputArg::Hex),
            ("1b00 0000\nff", InputArg::Hex),
            ("0x1b, 0x00, 0x00, 0x00, 0xff", InputArg::Hex),
            ("1b:00:00:00:ff", InputArg::Hex),
            ("\\x1b \\x00 \\x00 \\x00 \\xff", InputArg::Hex),
            ("GwAAAP8=", InputArg::Base64),
            ("GwAA\nAP8\n", InputArg::Base64),
        ] {
            for form in [form, InputArg::Auto] {
                assert_eq!(bytes(text.as_bytes(), form).as_deref(), Ok(&value[..]), "{text}");
            }
        }
        assert_eq!(bytes(b"27 0 0 0 255", InputArg::Bytes).as_deref(), Ok(&value[..]));
    }

    #[test]
    fn what_names_no_bytes_is_refused() {
        for (text, form, why) in [
            ("[27, 0, 256]", InputArg::Bytes, "\"256\" is not a byte"),
            ("[27, -1]", InputArg::Bytes, "\"-1\""),
            ("[27, 0, ...]", InputArg::Bytes, "cut when it was printed"),
            ("1b0", InputArg::Hex, "odd number"),
            ("1b0g", InputArg::Hex, "characters that are not hex"),
            ("+b+b", InputArg::Hex, "characters that are not hex"),
            ("é0", InputArg::Hex, "odd number"),
            ("", InputArg::Auto, "no text"),
            ("hp = 3", InputArg::Auto, "neither"),
            ("A", InputArg::Base64, "base64"),
        ] {
            let found = bytes(text.as_bytes(), form).unwrap_err();
            assert!(found.contains(why), "{text}: {found}");
        }
        assert!(bytes(&[27, 0, 0, 0, 255], InputArg::Auto).is_err());
    }
}
