//! [`validate`]: a minimal validator of a packet, as a floor for the library.
//!
//! It supports one dialect, only the kinds in the packet `rpc`, and only ASCII text. It returns only the number of
//! values, or `None` if the packet is invalid. The library's additional time is the cost of six dialects, all kinds,
//! limits, exact errors and views.

/// The maximum number of nested containers, including the root.
const LEVELS: usize = 8;

/// The high bit of every byte, which is set in bytes that are not ASCII.
const HIGH: u32 = 0x8080_8080;

/// The number of values of a document of Godot 4, if it is valid and holds only the kinds of `rpc`. O(bytes).
///
/// Positions are counted in words of 32 bits. The end of the document is checked only when bytes are read. A value of
/// fixed size is skipped unread: its end is checked when the next value is read, or at the end of the document.
pub fn validate(bytes: &[u8]) -> Option<u32> {
    let (words, _) = bytes.as_chunks::<4>();
    let word = |at: usize| words.get(at).map(|word| u32::from_le_bytes(*word));
    let (mut around, mut level) = ([0; LEVELS], 0_usize);
    let (mut at, mut left, mut values) = (0_usize, 1_u32, 0_u32);
    loop {
        while left == 0 {
            if level == 0 {
                return (at <= words.len()).then_some(values);
            }
            level = level.wrapping_sub(1);
            left = *around.get(level)?;
        }
        (left, values) = (left.wrapping_sub(1), values.wrapping_add(1));
        let header = word(at)?;
        let items = match header {
            // bool, int
            1 | 2 => {
                at = at.wrapping_add(2);
                0
            }
            // float of 64 bits
            0x1_0003 => {
                at = at.wrapping_add(3);
                0
            }
            // Vector3
            9 => {
                at = at.wrapping_add(4);
                0
            }
            4 => {
                at = behind_text(words, at)?;
                0
            }
            27 | 28 => {
                let count = word(at.wrapping_add(1))?;
                at = at.wrapping_add(2);
                if header == 27 { count.checked_mul(2)? } else { count }
            }
            _ => return None,
        };
        if items > 0 {
            *around.get_mut(level)? = left;
            level = level.wrapping_add(1);
            left = items;
        }
    }
}

/// The position after a text. Texts of one word and texts of two words have separate match arms, each of which adds a
/// constant. The processor predicts the arm, and starts with the next value at once.
#[inline(always)]
fn behind_text(words: &[[u8; 4]], at: usize) -> Option<usize> {
    let length = words.get(at.wrapping_add(1)).map(|word| u32::from_le_bytes(*word))?;
    let text = words.get(at.wrapping_add(2)..)?;
    let is_high = |count: usize| {
        let text = text.get(..count)?;
        Some(text.iter().fold(0, |all, word| all | u32::from_le_bytes(*word)) & HIGH != 0)
    };
    let (is_high, end) = match length {
        1..=4 => (is_high(1)?, at.wrapping_add(3)),
        5..=8 => (is_high(2)?, at.wrapping_add(4)),
        _ => {
            let count = usize::try_from(length.div_ceil(4)).ok()?;
            (is_high(count)?, at.wrapping_add(2).wrapping_add(count))
        }
    };
    (!is_high).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs;

    #[test]
    fn the_floor_reads_what_the_library_reads() {
        let rpc = inputs::rpc();
        assert_eq!(validate(&rpc.bytes).map(u64::from), Some(rpc.values()));
        for cut in 0..rpc.bytes.len() {
            assert_eq!(rpc.bytes.get(..cut).and_then(validate), None, "{cut}");
        }
    }
}
