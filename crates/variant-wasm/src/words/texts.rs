//! The table of short texts that JavaScript has as strings. Keys repeat, and finding a string costs less than creating
//! it.

/// The maximum number of bytes of a text in the table.
const LONGEST: usize = 24;
/// The number of slots, each for one text. If two texts have the same slot, the later text replaces the earlier one, so
/// hostile texts cannot slow the table.
const SLOTS: usize = 4096;

/// The text that JavaScript has at each slot.
#[derive(Debug)]
pub(crate) struct Texts {
    slots: Vec<Slot>,
}

/// A text as three words with all its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    /// The length of the text. An empty slot has more than `LONGEST`.
    len: usize,
    words: [u64; 3],
}

/// The form in which a text is written: as its slot, as a text to remember in a slot, or as a text alone.
pub(crate) enum Telling {
    Known(u32),
    Learn(u32),
    Whole,
}

impl Texts {
    pub(crate) fn new() -> Self {
        Self { slots: vec![Slot { len: usize::MAX, words: [0; 3] }; SLOTS] }
    }

    /// Returns the form of the text, and remembers the text. O(1).
    #[inline]
    pub(crate) fn tell(&mut self, text: &[u8]) -> Telling {
        let Some(told) = Slot::of(text) else { return Telling::Whole };
        let index = told.hash();
        let Some(slot) = self.slots.get_mut(usize::from(index)) else { return Telling::Whole };
        if *slot == told {
            return Telling::Known(index.into());
        }
        *slot = told;
        Telling::Learn(index.into())
    }
}

impl Slot {
    /// Reads the text as whole words, which overlap if the text is short. Copying bytes would need a function call.
    #[inline]
    fn of(text: &[u8]) -> Option<Self> {
        let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
        let len = text.len();
        let words = match (text.first_chunk(), text.last_chunk()) {
            _ if len > LONGEST => return None,
            (Some(first), Some(last)) => {
                let middle = text.get(8..).and_then(|rest| rest.first_chunk());
                [word(first), middle.map_or(0, word), word(last)]
            }
            _ => match (text.first_chunk(), text.last_chunk()) {
                (Some(first), Some(last)) => [half(first), 0, half(last)],
                _ => [text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0, 0],
            },
        };
        Some(Self { len, words })
    }

    #[inline]
    fn hash(&self) -> u16 {
        let mixed = self.words.iter().fold(u64::try_from(self.len).unwrap_or(0), |hash, word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        // Takes the upper 12 bits, since there are 2^12 slots.
        u16::try_from(mixed >> 52).unwrap_or_default()
    }
}
