//! [`is_utf8`]: whether bytes are UTF-8. A state machine without jumps reads short texts.
//!
//! In the code of `core` and simdutf8, the processor predicts the length of each character. In random text the
//! prediction is often wrong. A wrong prediction takes as much time as reading 20 bytes. A state machine reads
//! every byte in the same few instructions.

/// The state machine reads texts below this length. simdutf8 does not use vectors for them.
const SHORT: usize = 64;

/// Whether `bytes` are UTF-8. O(bytes).
///
/// Measured: without the state machine, short texts of random letters take 2 to 4 times as long to validate
/// (`benches/ablation.py short-utf8`).
pub(super) fn is_utf8(bytes: &[u8]) -> bool {
    if bytes.len() < SHORT { is_short_utf8(bytes) } else { long(bytes).is_some() }
}

/// `bytes` as text. O(bytes). Does not use the state machine: without unsafe code, only `core` and simdutf8 make a
/// `str` from bytes, and they read every byte.
pub(crate) fn to_str(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < SHORT { core::str::from_utf8(bytes).ok() } else { long(bytes) }
}

#[cfg(feature = "simdutf8")]
fn long(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

#[cfg(not(feature = "simdutf8"))]
fn long(bytes: &[u8]) -> Option<&str> {
    core::str::from_utf8(bytes).ok()
}

/// The state machine, eight bytes at a time: a loop whose end is seldom mispredicted.
fn is_short_utf8(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<WORD>();
    let state = words.iter().fold(START, |state, word| after_all(state, word));
    let state = match bytes.last_chunk::<WORD>() {
        Some(_) if rest.is_empty() => state,
        // The last word, shifted by the bytes that were read before. The shift fills the word with zeros after the
        // text. A zero byte is a whole character, so a last character that is cut off is still detected.
        Some(last) => {
            let before = WORD.saturating_sub(rest.len()).saturating_mul(8);
            after_all(state, &(u64::from_le_bytes(*last) >> (before & 63)).to_le_bytes())
        }
        None => after_all(state, rest),
    };
    state & SHIFT == START
}

/// The number of bytes in a word.
const WORD: usize = 8;

#[cfg_attr(not(variant_small), inline(always))]
fn after_all(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |state, &byte| after(state, byte))
}

/// The state after `byte`. A state is a bit position. The row of the byte has the next state at this position. Higher
/// bits of a state are ignored.
#[cfg_attr(not(variant_small), inline(always))]
fn after(state: u64, byte: u8) -> u64 {
    ROWS.get(usize::from(byte)).copied().unwrap_or_default() >> (state & SHIFT)
}

/// The mask of the bits of a state: the low six bits, which the shift of a `u64` uses.
const SHIFT: u64 = 63;

// The states, by the bytes that must follow. Each is 6 bits wide and has 6 bits in each row.

/// Not UTF-8, whatever follows.
const INVALID: u64 = 0;
/// A first byte of a character, or the end.
const START: u64 = 6;
/// One more byte: a continuation byte.
const ONE: u64 = 12;
/// Two more bytes, both continuation bytes.
const TWO: u64 = 18;
/// Three more bytes, all continuation bytes.
const THREE: u64 = 24;
/// After `e0`: two more bytes, the first `a0` or above, since a lower byte would make the character overlong.
const TWO_HIGH: u64 = 30;
/// After `ed`: two more bytes, the first below `a0`, since a higher byte would make the character a surrogate.
const TWO_LOW: u64 = 36;
/// After `f0`: three more bytes, the first `90` or above, since a lower byte would make the character overlong.
const THREE_HIGH: u64 = 42;
/// After `f4`: three more bytes, the first below `90`, since a higher byte would give a code point above U+10FFFF.
const THREE_LOW: u64 = 48;

/// The row of each byte: the next state for each state, or [`INVALID`].
static ROWS: [u64; 256] = rows();

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated in a constant"
)]
const fn rows() -> [u64; 256] {
    let mut rows = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        rows[byte] = lead(byte) << START | continuation(byte);
        byte += 1;
    }
    rows
}

/// The state after a first byte.
const fn lead(byte: usize) -> u64 {
    match byte {
        0..0x80 => START,
        0xc2..0xe0 => ONE,
        0xe0 => TWO_HIGH,
        0xed => TWO_LOW,
        0xe1..0xf0 => TWO,
        0xf0 => THREE_HIGH,
        0xf1..0xf4 => THREE,
        0xf4 => THREE_LOW,
        _ => INVALID,
    }
}

/// The states after a continuation byte, by the states before it.
const fn continuation(byte: usize) -> u64 {
    let any = START << ONE | ONE << TWO | TWO << THREE;
    match byte {
        0x80..0x90 => any | ONE << TWO_LOW | TWO << THREE_LOW,
        0x90..0xa0 => any | ONE << TWO_LOW | TWO << THREE_HIGH,
        0xa0..0xc0 => any | ONE << TWO_HIGH | TWO << THREE_HIGH,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    /// Bytes on both sides of each bound of a rule.
    const BOUNDS: [u8; 22] = [
        0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
        0xed, 0xee, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
    ];

    fn assert_as_the_library(bytes: &[u8]) {
        assert_eq!(is_short_utf8(bytes), core::str::from_utf8(bytes).is_ok(), "{bytes:x?}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of texts, and nothing is borrowed")]
    fn short_texts_are_utf8_as_the_library_has_it() {
        for first in 0..=0xff {
            for second in 0..=0xff {
                for third in BOUNDS {
                    for fourth in [0, 0x7f, 0x80, 0xbf, 0xc0, 0xc3, 0xff] {
                        assert_as_the_library(&[first, second, third, fourth]);
                        assert_as_the_library(&[first, second, third, fourth, b'a']);
                    }
                    assert_as_the_library(&[first, second, third]);
                }
                assert_as_the_library(&[first, second]);
            }
            assert_as_the_library(&[first]);
        }
        assert_as_the_library(&[]);
    }

    /// The verdict is right for each character at every position in a word, and before any other text.
    #[test]
    #[cfg_attr(miri, ignore = "thousands of texts, and nothing is borrowed")]
    fn a_character_may_be_anywhere() {
        let characters = ["a", "é", "語", "🎲", "\u{d7ff}", "\u{10ffff}"].map(str::as_bytes);
        let broken = [&b"\x80"[..], b"\xc3", b"\xe8\xaa", b"\xf0\x9f\x8e", b"\xed\xa0\x80"];
        for part in characters.into_iter().chain(broken) {
            for before in 0..24 {
                for behind in 0..24 {
                    let text = [&vec![b'x'; before], part, &vec![b'y'; behind]].concat();
                    assert_as_the_library(&text);
                    assert_as_the_library(&part.repeat(before));
                }
            }
        }
    }

    /// The first and the later bytes of all characters, as the library writes them.
    #[test]
    #[cfg_attr(miri, ignore = "all characters, and nothing is borrowed")]
    fn rows_are_those_of_the_bytes_of_characters() {
        let (mut first, mut later) = ([false; 256], [false; 256]);
        for character in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            for (at, &byte) in bytes.iter().enumerate() {
                let seen = if at == 0 { &mut first } else { &mut later };
                seen[usize::from(byte)] = true;
            }
        }
        for byte in 0..256 {
            assert_eq!(lead(byte) != INVALID, first[byte], "{byte:x}");
            assert_eq!(continuation(byte) != 0, later[byte], "{byte:x}");
        }
        assert_eq!(rows(), ROWS, "the same when built and when run");
    }

    #[test]
    fn both_ways_agree_around_their_bound() {
        for len in [SHORT - 2, SHORT - 1, SHORT, SHORT + 1] {
            let good = "é".repeat(len / 2);
            assert!(is_utf8(good.as_bytes()));
            assert_eq!(to_str(good.as_bytes()), Some(&*good));
            let cut = good.as_bytes().split_last().map_or(&[][..], |(_, rest)| rest);
            assert!(!is_utf8(cut));
            assert_eq!(to_str(cut), None);
        }
    }
}
