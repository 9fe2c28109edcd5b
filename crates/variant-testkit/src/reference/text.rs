//! docs/spec/format.md#text: texts.

use nom::Parser;
use variant_view::Dialect;

use super::fault::{Fault, Parsed, Part, fail, take, word};
use super::rules::Rules;

/// A text whose padding must be present.
pub(super) fn text(input: &[u8], rules: Rules) -> Parsed<'_, &[u8]> {
    let (padding, text) = unpadded(input)?;
    let (rest, _) = take(Part::Padding, pad4(text)).parse(padding)?;
    check(input, text, rules)?;
    Ok((rest, text))
}

/// A text. Its padding may be missing at the end of the buffer, if the dialect accepts that.
pub(super) fn open_text(input: &[u8], rules: Rules) -> Parsed<'_, &[u8]> {
    if !rules.has_open_end() {
        return text(input, rules);
    }
    let (padding, text) = unpadded(input)?;
    check(input, text, rules)?;
    Ok((skip_padding(padding, text), text))
}

/// Skips the existing padding of `bytes`.
pub(super) fn skip_padding<'a>(padding: &'a [u8], bytes: &[u8]) -> &'a [u8] {
    let count = usize::try_from(pad4(bytes)).unwrap_or(0);
    padding.get(count..).or(padding.get(padding.len()..)).unwrap_or_default()
}

/// The number of padding bytes up to a multiple of 4.
fn pad4(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len().wrapping_neg() % 4).unwrap_or(0)
}

/// Steps 1 and 2 of docs/spec/format.md#text, without the padding.
fn unpadded(input: &[u8]) -> Parsed<'_, &[u8]> {
    let (rest, length) = word(Part::TextLength).parse(input)?;
    if i32::try_from(length).is_err() {
        return fail(Fault::Negative(Part::TextLength, length), input);
    }
    take(Part::Text, length.into()).parse(rest)
}

/// Step 5 of docs/spec/format.md#text. `input` is the text with its length.
fn check<'a>(input: &'a [u8], text: &[u8], rules: Rules) -> Parsed<'a, ()> {
    match fault_in(as_read(text), rules.dialect) {
        Some(at) if rules.check_text => {
            let skipped = if text.starts_with(BOM) { 7 } else { 4 };
            let rest = input.get(skipped..).and_then(|text| text.get(at..));
            fail(Fault::Text, rest.unwrap_or_default())
        }
        _ => Ok((input, ())),
    }
}

/// Steps 3 and 4 of docs/spec/format.md#text: the text that remains after reading.
pub fn as_read(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    text.split(|&byte| byte == 0).next().unwrap_or(text)
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The offset of the first sequence that breaks the dialect's rule.
fn fault_in(text: &[u8], dialect: Dialect) -> Option<usize> {
    match dialect {
        Dialect::Godot2 => None,
        Dialect::Godot3 | Dialect::Pandemonium3 => lenient(text),
        _ => std::str::from_utf8(text).err().map(|error| error.valid_up_to()),
    }
}

fn lenient(text: &[u8]) -> Option<usize> {
    let mut rest = text;
    while let Some(&lead) = rest.first() {
        match sequence_length(lead).and_then(|length| rest.split_at_checked(length)) {
            Some((sequence, behind)) if is_lenient(sequence) => rest = behind,
            _ => return Some(text.len().saturating_sub(rest.len())),
        }
    }
    None
}

fn sequence_length(lead: u8) -> Option<usize> {
    match lead {
        0x00..0x80 => Some(1),
        0xc2..=0xdf => Some(2),
        0xe0..=0xef => Some(3),
        0xf0..=0xf7 => Some(4),
        0xf8..=0xfb => Some(5),
        0xfc..=0xfd => Some(6),
        _ => None,
    }
}

fn is_lenient(sequence: &[u8]) -> bool {
    let is_complete = sequence.iter().skip(1).all(|byte| matches!(byte, 0x80..=0xbf));
    is_complete && !is_overlong(sequence)
}

fn is_overlong(sequence: &[u8]) -> bool {
    matches!(
        sequence,
        [0xe0, 0x80, ..=0x8f]
            | [0xf0, 0x80, ..=0x87, _]
            | [0xf8, 0x80, ..=0x83, _, _]
            | [0xfc, 0x80, ..=0x81, _, _, _]
    )
}
