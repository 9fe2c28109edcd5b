//! Fuzz target `near_valid`.

use arbitrary::{Result, Unstructured};
use variant_owned::encode;
use variant_view::{Document, Limits, Options};

use super::choice::dialect;
use super::fields::Fields;
use crate::exercise::exercise;
use crate::{agree, values};

/// Checks that all readers agree on a nearly valid document. Its counts, flags, types and padding may be damaged, and
/// its lengths may end just beyond the document.
pub fn check_near_valid(data: &[u8]) {
    let Some((bytes, options)) = near_valid(data) else { return };
    agree::check_agree(&bytes, options);
    exercise(&bytes, options);
}

/// A nearly valid document. `None` if `data` has too few choices.
pub fn near_valid(data: &[u8]) -> Option<(Vec<u8>, Options)> {
    let mut choices = Unstructured::new(data);
    let (mut bytes, options) = valid(&mut choices).ok()?;
    let damages = choices.int_in_range(1..=4).unwrap_or(1);
    for _ in 0..damages {
        let fields = Fields::of(&Document::new(&bytes, options));
        if damage(&mut bytes, &fields, &mut choices).is_err() {
            break;
        }
    }
    Some((bytes, options))
}

/// A document as an engine would write it, in any dialect.
fn valid(choices: &mut Unstructured<'_>) -> Result<(Vec<u8>, Options)> {
    let choice: u8 = choices.arbitrary()?;
    let len = usize::from(choices.arbitrary::<u8>()?).min(choices.len());
    let seed = choices.bytes(len)?;
    let dialect = dialect(choice >> 1);
    let value = values::variant(&mut Unstructured::new(seed), dialect, choice & 1 != 0)?;
    let bytes = encode(&value, dialect).expect("its own dialect can hold it");
    Ok((bytes, Options::engine(dialect).limits(Limits::FILE.depth(1_024))))
}

fn damage(bytes: &mut Vec<u8>, fields: &Fields, choices: &mut Unstructured<'_>) -> Result<()> {
    match choices.int_in_range(0..=9_u8)? {
        what @ 0..=4 => {
            let at = *choices.choose(if what < 2 { &fields.headers } else { &fields.words })?;
            let new = other_word(bytes, at, what, choices)?;
            set_word(bytes, at, new);
        }
        5 => {
            let pad = within(bytes, choices.choose(&fields.pads)?.clone());
            // Padding need not be zero.
            bytes[pad].fill(choices.arbitrary()?);
        }
        6 => drop(bytes.drain(within(bytes, choices.choose(&fields.pads)?.clone()))),
        7 => {
            let at = choices.choose(&fields.pads)?.end.min(bytes.len());
            bytes.insert(at, choices.arbitrary()?);
        }
        8 => bytes.truncate(choices.choose_index(bytes.len() + 1)?),
        _ => repeat(bytes, fields, choices)?,
    }
    Ok(())
}

/// A header or another word, damaged in one of five ways.
fn other_word(bytes: &[u8], at: usize, what: u8, choices: &mut Unstructured<'_>) -> Result<u32> {
    let old = word(bytes, at);
    Ok(match what {
        // Changes any bit of a header outside the type.
        0 => old ^ 1 << choices.int_in_range(8..=31_u32)?,
        // Sets any type, even a type that no engine has.
        1 => old & !0xff | choices.int_in_range(0..=41_u32)?,
        2 => old.wrapping_add_signed(choices.int_in_range(-2..=2_i32)?),
        3 => *choices.choose(HUGE)?,
        _ => {
            // Sets a count of elements of one size: as many as the remaining bytes hold, or a few more or less.
            let left = bytes.len().saturating_sub(at + 4);
            let size = *choices.choose(&[1_usize, 2, 4, 8, 12, 16])?;
            let more = choices.int_in_range(0..=7_usize)?;
            u32::try_from((left / size + more).saturating_sub(3)).unwrap_or(u32::MAX)
        }
    })
}

/// Numbers at which signs change and products overflow.
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

fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
    word.map_or(0, |word| u32::from_le_bytes(*word))
}

fn set_word(bytes: &mut [u8], at: usize, value: u32) {
    if let Some(word) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *word = value.to_le_bytes();
    }
}

fn within(bytes: &[u8], range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    range.start.min(bytes.len())..range.end.min(bytes.len())
}

/// Inserts a copy of a part of the document before a value.
fn repeat(bytes: &mut Vec<u8>, fields: &Fields, choices: &mut Unstructured<'_>) -> Result<()> {
    let from = *choices.choose(&fields.headers)?;
    let to = *choices.choose(&fields.headers)?;
    let len = choices.int_in_range(1..=16_usize)?.saturating_mul(4);
    let part = bytes.iter().skip(from).take(len).copied().collect::<Vec<_>>();
    bytes.splice(to..to, part);
    Ok(())
}
