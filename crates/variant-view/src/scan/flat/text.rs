//! Texts, read in words of 4 bytes.

use crate::bytes::size;
use crate::layout;
use crate::text::{self, TextRule};

/// The bits of a word that are clear if its bytes are ASCII.
const HIGH: u32 = 0x8080_8080;

#[cfg_attr(not(variant_small), inline(always))]
pub(super) fn word(words: &[[u8; 4]], at: usize) -> Option<u32> {
    words.get(at).map(|word| u32::from_le_bytes(*word))
}

/// The position after the text whose length is at `at`. The text is not read, and may be missing.
#[cfg_attr(not(variant_small), inline(always))]
fn any_text(words: &[[u8; 4]], at: usize) -> Option<usize> {
    let length = word(words, at)?;
    if length > layout::COUNT {
        return None;
    }
    Some(at.wrapping_add(1).wrapping_add(size(length.wrapping_add(3) >> 2)))
}

/// The position after the text whose length is at `at`. Validates the text by the rule.
///
/// Short texts have separate arms: each arm adds a constant to the position. So a processor that predicts the arm knows
/// the position of the next value.
#[cfg_attr(not(variant_small), inline(always))]
fn checked_text(words: &[[u8; 4]], at: usize, rule: TextRule) -> Option<usize> {
    let length = word(words, at)?;
    let start = at.wrapping_add(1);
    let (high, behind) = match length {
        1..=4 => (word(words, start)?, at.wrapping_add(2)),
        5..=8 => (some::<2>(words, start)?, at.wrapping_add(3)),
        9..=12 => (some::<3>(words, start)?, at.wrapping_add(4)),
        _ => return long_text(words, start, length, rule),
    };
    if high & HIGH != 0 {
        check(words, start, length, rule)?;
    }
    Some(behind)
}

/// The bitwise or of `N` words.
#[cfg_attr(not(variant_small), inline(always))]
fn some<const N: usize>(words: &[[u8; 4]], at: usize) -> Option<u32> {
    let some = words.get(at..)?.first_chunk::<N>()?;
    Some(some.iter().fold(0, |bits, word| bits | u32::from_le_bytes(*word)))
}

/// Validates a text that is not ASCII.
#[cold]
#[inline(never)]
fn check(words: &[[u8; 4]], start: usize, length: u32, rule: TextRule) -> Option<()> {
    let rest = words.get(start..)?.as_flattened();
    text::check(rule, rest.get(..size(length))?).ok()
}

/// The position after a text of any length that starts at `start`.
#[inline(never)]
fn long_text(words: &[[u8; 4]], start: usize, length: u32, rule: TextRule) -> Option<usize> {
    if length > layout::COUNT {
        return None;
    }
    let behind = start.wrapping_add(size(length.wrapping_add(3) >> 2));
    let whole = words.get(start..behind)?;
    if rule != TextRule::Unchecked && !text::is_ascii(whole.as_flattened()) {
        check(words, start, length, rule)?;
    }
    Some(behind)
}

/// The position after the text whose length is at `at`.
#[cfg_attr(not(variant_small), inline(always))]
pub(super) fn text<const TEXT: bool>(
    words: &[[u8; 4]],
    at: usize,
    rule: TextRule,
) -> Option<usize> {
    if TEXT { checked_text(words, at, rule) } else { any_text(words, at) }
}

/// Like [`text`], for the name of a property.
#[inline(never)]
pub(super) fn name<const TEXT: bool>(
    words: &[[u8; 4]],
    at: usize,
    rule: TextRule,
) -> Option<usize> {
    text::<TEXT>(words, at, rule)
}
