//! The body of the fuzz target `words`.

#![allow(
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "a fuzz target reports a finding by a panic"
)]

use variant_owned::{EncodeErrorKind, EncodeOptions, Variant, Writer, encode};
use variant_view::{Dialect, Document, Limits, Options, Producer as _};

use crate::words::Words;

/// The first byte picks the dialect, the second the greatest depth, and the third the number of words. The words
/// follow, and then the bytes of their texts and numbers. JavaScript may give any words. The checks: words
/// are refused, or written as exactly one valid value. A file takes the same value from the same words. Returns whether
/// a value was written.
pub fn check_words(data: &[u8]) -> bool {
    let Some((&[dialect, depth, count], rest)) = data.split_first_chunk() else { return false };
    let dialect =
        Dialect::ALL.iter().copied().cycle().nth(dialect.into()).unwrap_or(Dialect::Godot4);
    let count = usize::from(count).min(rest.len() / 4);
    let Some((words, bytes)) = rest.split_at_checked(count.saturating_mul(4)) else { return false };
    let words: Vec<_> = words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let options = EncodeOptions::new(dialect).depth(depth.into());

    let words = Words::new(&words, bytes, dialect);
    let mut written = Vec::new();
    if write(words, &mut written, options).is_none() {
        assert!(written.is_empty(), "refused words leave no bytes");
        return false;
    }
    let of_file = Variant::from_producer(words);
    let of_file = of_file.unwrap_or_else(|malformed| panic!("written words: {malformed}"));
    let again = match encode(&of_file, options) {
        Ok(again) => again,
        // Keys become equal if the dialect drops a part of them, such as the number of an RID.
        Err(error) if matches!(error.kind(), EncodeErrorKind::SameKeys { .. }) => return true,
        Err(error) => panic!("a written value: {error}"),
    };
    let reading = Options::engine(dialect).limits(Limits::FILE.depth(depth.into()));
    let [value, of_file] = [&written, &again].map(|bytes| {
        let document = Document::new(bytes, reading);
        let summary = document.validate().unwrap_or_else(|error| panic!("written: {error}"));
        assert_eq!(summary.consumed, bytes.len(), "one value");
        Variant::from_producer(document).unwrap_or_else(|error| panic!("a valid value: {error}"))
    });
    assert_eq!(format!("{value:?}"), format!("{of_file:?}"), "the value of a file");
    true
}

/// `None` for refused words.
fn write(words: Words<'_>, written: &mut Vec<u8>, options: EncodeOptions) -> Option<usize> {
    let mut writer = Writer::new(written, options);
    words.feed(&mut writer).ok()?;
    writer.finish().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "a test may panic")]

    use variant_view::Kind;

    use super::*;
    use crate::words::{Op, UNKNOWN};

    /// A generator of values in words.
    struct Values {
        state: u64,
        words: Vec<u32>,
    }

    impl Values {
        fn below(&mut self, end: u32) -> u32 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            u32::try_from((self.state >> 11) % u64::from(end)).unwrap()
        }

        fn event(&mut self, op: Op, detail: u32, data: &[u32]) {
            self.words.push(op.with(detail));
            self.words.extend_from_slice(data);
        }

        /// The place and the length of a text.
        fn text(&mut self) -> [u32; 2] {
            [self.below(32), self.below(16)]
        }

        fn value(&mut self, levels: u32) {
            let (text, low, high) = (self.text(), self.below(256), self.below(2));
            let [place, len] = text;
            match self.below(if levels == 0 { 11 } else { 16 }) {
                0 => self.event(Op::Nil, 0, &[]),
                1 => self.event(Op::Bool, high, &[]),
                2 => self.event(Op::Int, high, &[low, high]),
                3 => self.event(Op::Float, high, &[low, high]),
                4 => self.event(Op::Text, high, &text),
                5 => self.event(Op::PlainPath, 0, &text),
                6 => self.event(Op::Path, low & 3, &[1, 1, place, len, len, len]),
                7 => {
                    let kind = self.below(40);
                    self.event(Op::Numbers, kind | high << 8, &[place & !7, len * 4]);
                }
                8 => {
                    self.event(
                        Op::Strings,
                        0,
                        &[1, Op::Text.with(0), place, len, Op::Exit.with(0)],
                    );
                }
                9 => self.event(Op::Rid, 0, &[low, 0]),
                10 => self.event(Op::NullObject, 0, &[]),
                11 | 12 => {
                    self.event(Op::Array, Kind::Array.index().try_into().unwrap(), &[2, 0, 0, 0]);
                    (0..2).for_each(|_| self.value(levels - 1));
                    self.event(Op::Exit, 0, &[]);
                }
                13 | 14 => {
                    self.event(Op::Dictionary, 0, &[UNKNOWN, 0, 0, 0, 0, 0, 0]);
                    (0..4).for_each(|_| self.value(levels - 1));
                    self.event(Op::Exit, 0, &[]);
                }
                _ => {
                    self.event(Op::Object, 0, &[1, place, len]);
                    self.event(Op::Name, 0, &text);
                    self.value(levels - 1);
                    self.event(Op::Exit, 0, &[]);
                }
            }
        }
    }

    /// A value in words; every second one with a changed word.
    fn input(seed: u64) -> Vec<u8> {
        let mut values =
            Values { state: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), words: Vec::new() };
        values.value(3);
        if seed % 2 == 1 {
            let at = values.below(values.words.len().try_into().unwrap());
            let word = values.below(24) | values.below(40) << 8;
            values.words[usize::try_from(at).unwrap()] = word;
        }
        values.words.truncate(255);
        let [dialect, ..] = (seed / 2).to_le_bytes();
        let count = values.words.len().try_into().unwrap();
        let mut input = vec![dialect, 16, count];
        input.extend(values.words.iter().flat_map(|word| word.to_le_bytes()));
        input.extend_from_slice(
            b"a text, and numbers of 64 bytes, for the places of those words...",
        );
        input
    }

    #[test]
    fn any_words_are_refused_or_written_as_one_value() {
        assert!(!check_words(&[]));
        let written = (0..20_000).filter(|seed| check_words(&input(*seed))).count();
        assert!((5_000..15_000).contains(&written), "{written} values");
    }
}
