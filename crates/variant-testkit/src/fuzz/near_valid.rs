//! Fuzz target `near_valid`.

use arbitrary::{Result, Unstructured};
use variant_owned::encode;
use variant_view::{Document, Limits, Options};

use super::choice::dialect;
use super::fields::Fields;
use crate::exercise::exercise;
use crate::{agree, values};

/// A valid document with damage in counts, flags, types, padding, and in lengths just beyond the end. All readers
/// agree on it.
pub fn check_near_valid(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let Ok((mut bytes, options)) = valid(&mut choices) else { return };
    let damages = choices.int_in_range(1..=4).unwrap_or(1);
    for _ in 0..damages {
        let fields = Fields::of(&Document::new(&bytes, options));
        if damage(&mut bytes, &fields, &mut choices).is_err() {
            break;
        }
    }
    agree::check_agree(&bytes, options);
    exercise(&bytes, options);
}

/// A document that an engine of some dialect would write.
fn valid(choices: &mut Unstructured<'_>) -> Result<(Vec<u8>, Options)> {
    let choice: u8 = choices.arbitrary()?;
    let len = usize::from(choices.arbitrary::<u8>()?).min(choices.len());
    let seed = choices.bytes(len)?;
    let dialect = dialect(choice >> 1);
    let value = values::variant(&mut Unstructured::new(seed), dialect, choice & 1 != 0)?;
    let bytes = encode(&value, dialect).expect("its own dialect can hold it");
    Ok((bytes, Options::new(dialect).limits(Limits::FILE.depth(1_024))))
}

fn damage(bytes: &mut Vec<u8>, fields: &Fields, choices: &mut Unstructured<'_>) -> Result<()> {
    match choices.int_in_range(0..=9_u8)? {
        0 => flip_flag(bytes, *choices.choose(&fields.headers)?, choices)?,
        1 => change_type(bytes, *choices.choose(&fields.headers)?, choices)?,
        2 => shift_word(bytes, *choices.choose(&fields.words)?, choices)?,
        3 => huge_word(bytes, *choices.choose(&fields.words)?, choices)?,
        4 => cross_the_end(bytes, *choices.choose(&fields.words)?, choices)?,
        5 => soil(bytes, choices.choose(&fields.pads)?.clone(), choices)?,
        6 => drop(bytes.drain(within(bytes, choices.choose(&fields.pads)?.clone()))),
        7 => {
            let at = choices.choose(&fields.pads)?.end.min(bytes.len());
            bytes.insert(at, choices.arbitrary()?);
        }
        8 => bytes.truncate(choices.choose_index(bytes.len().saturating_add(1))?),
        _ => repeat(bytes, fields, choices)?,
    }
    Ok(())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
    word.map_or(0, |word| u32::from_le_bytes(*word))
}

fn set_word(bytes: &mut [u8], at: usize, value: u32) {
    if let Some(word) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *word = value.to_le_bytes();
    }
}

/// Flips any bit of a header outside the type.
fn flip_flag(bytes: &mut [u8], at: usize, choices: &mut Unstructured<'_>) -> Result<()> {
    let flag = choices.int_in_range(8..=31_u32)?;
    set_word(bytes, at, word(bytes, at) ^ (1 << flag));
    Ok(())
}

/// Sets any type, also ones that no engine has.
fn change_type(bytes: &mut [u8], at: usize, choices: &mut Unstructured<'_>) -> Result<()> {
    let id = choices.int_in_range(0..=41_u32)?;
    set_word(bytes, at, word(bytes, at) & !0xff | id);
    Ok(())
}

/// Adds or subtracts one or two.
fn shift_word(bytes: &mut [u8], at: usize, choices: &mut Unstructured<'_>) -> Result<()> {
    let by = choices.int_in_range(-2..=2_i32)?;
    set_word(bytes, at, word(bytes, at).wrapping_add_signed(by));
    Ok(())
}

/// Sets numbers at which signs change and products overflow.
fn huge_word(bytes: &mut [u8], at: usize, choices: &mut Unstructured<'_>) -> Result<()> {
    const HUGE: &[u32] = &[
        0x7fff_ffff,
        0x7fff_fffc,
        0x8000_0000,
        0x8000_0001,
        0xffff_fffc,
        0xffff_ffff,
        0x4000_0000,
        0x2000_0000,
        0x1555_5556,
        0x1000_0000,
        0x0001_0000,
    ];
    set_word(bytes, at, *choices.choose(HUGE)?);
    Ok(())
}

/// Sets the number of bytes that are left, up to four more or three less, or the same in larger elements.
fn cross_the_end(bytes: &mut [u8], at: usize, choices: &mut Unstructured<'_>) -> Result<()> {
    let left = bytes.len().saturating_sub(at.saturating_add(4));
    let size = *choices.choose(&[1_usize, 2, 4, 8, 12, 16])?;
    let more = choices.int_in_range(0..=7_usize)?;
    let count = left.checked_div(size).unwrap_or(left).saturating_add(more).saturating_sub(3);
    set_word(bytes, at, u32::try_from(count).unwrap_or(u32::MAX));
    Ok(())
}

/// Changes padding, which need not be zero.
fn soil(
    bytes: &mut [u8],
    pad: std::ops::Range<usize>,
    choices: &mut Unstructured<'_>,
) -> Result<()> {
    let dirt: u8 = choices.arbitrary()?;
    let pad = within(bytes, pad);
    bytes.get_mut(pad).unwrap_or_default().fill(dirt);
    Ok(())
}

fn within(bytes: &[u8], range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    range.start.min(bytes.len())..range.end.min(bytes.len())
}

/// Copies a part of the document to the place of a value.
fn repeat(bytes: &mut Vec<u8>, fields: &Fields, choices: &mut Unstructured<'_>) -> Result<()> {
    let from = *choices.choose(&fields.headers)?;
    let to = *choices.choose(&fields.headers)?;
    let len = choices.int_in_range(1..=16_usize)?.saturating_mul(4);
    let part = bytes.iter().skip(from).take(len).copied().collect::<Vec<_>>();
    bytes.splice(to..to, part);
    Ok(())
}
