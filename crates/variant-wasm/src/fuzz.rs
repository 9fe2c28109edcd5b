//! The body of the fuzz target `words`.

#![allow(clippy::panic, reason = "a fuzz target reports a finding by a panic")]

use variant_owned::{EncodeOptions, Writer, decode};
use variant_view::{Dialect, Document, FeedError, Producer as _};

use crate::words::Words;

/// The greatest number of words.
const LONGEST: usize = 1_024;

/// The first byte picks the dialect, the second the greatest depth, and the third the number of words, in steps of four.
/// The words follow, and then the bytes of their texts and numbers. JavaScript may give any words. The checks: words
/// are refused, or written as exactly one valid value. The value that a file takes from the same words has the same
/// bytes.
pub fn check_words(data: &[u8]) {
    let Some((&[dialect, depth, count], rest)) = data.split_first_chunk() else { return };
    let dialect = Dialect::ALL.iter().copied().cycle().nth(dialect.into()).unwrap_or(Dialect::Godot4);
    let count = usize::from(count).saturating_mul(4).min(LONGEST).min(rest.len() / 4);
    let Some((words, bytes)) = rest.split_at_checked(count.saturating_mul(4)) else { return };
    let words: Vec<_> = words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let options = EncodeOptions::new(dialect).depth(depth.into());

    let words = Words::new(&words, bytes, dialect);
    let mut written = Vec::new();
    let mut writer = Writer::new(&mut written, options);
    let fed = words.feed(&mut writer);
    let finished = match fed {
        Ok(()) => writer.finish().is_ok(),
        Err(FeedError::Consumer(_) | FeedError::Producer(_)) => {
            drop(writer);
            false
        }
    };
    if !finished {
        assert!(written.is_empty(), "refused words leave no bytes");
        return;
    }
    let document = Document::new(&written, options.reading());
    let summary = document.validate().unwrap_or_else(|error| panic!("a written value: {error}"));
    assert_eq!(summary.consumed, written.len(), "one value");
    let value = variant_owned::Variant::from_producer(words);
    let value = value.unwrap_or_else(|malformed| panic!("written words: {malformed}"));
    let read = decode(&written, options.reading());
    let read = read.unwrap_or_else(|error| panic!("a valid value: {error}"));
    assert_eq!(format!("{value:?}"), format!("{read:?}"), "the value of a file");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that are likely to be events.
    fn input(seed: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut input = vec![next().to_le_bytes()[0], 16, 16];
        for _ in 0..64 {
            let [op, detail, small, ..] = next().to_le_bytes();
            let word = if small < 128 { u32::from(op % 24) | u32::from(detail % 40) << 8 } else { u32::from(detail % 24) };
            input.extend_from_slice(&word.to_le_bytes());
        }
        input.extend_from_slice(b"a text, and numbers of 64 bytes, for the places of those words...");
        input
    }

    #[test]
    fn any_words_are_refused_or_written_as_one_value() {
        check_words(&[]);
        (0..20_000).for_each(|seed| check_words(&input(seed)));
    }
}
