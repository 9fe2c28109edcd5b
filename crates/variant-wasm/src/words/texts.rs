//! The table of short texts that JavaScript has already: keys repeat, and to make a string costs more than to look it up.

/// Texts of at most this many bytes are remembered.
const LONGEST: usize = 24;
/// A text that hashes as another one takes its slot, so whoever chooses the texts gains nothing.
const SLOTS: usize = 4096;

/// What JavaScript knows at each slot.
#[derive(Debug)]
pub(crate) struct Texts {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// `LONGEST + 1` where nothing is known.
    len: u8,
    bytes: [u8; LONGEST],
}

/// How a text is told.
pub(crate) enum Telling {
    Known(u32),
    Learn(u32),
    Whole,
}

impl Texts {
    pub(crate) fn new() -> Self {
        Self { slots: vec![Slot { len: u8::MAX, bytes: [0; LONGEST] }; SLOTS] }
    }

    /// O(1).
    pub(crate) fn tell(&mut self, text: &[u8]) -> Telling {
        let Some(place) = Slot::of(text) else { return Telling::Whole };
        let index = place.hash();
        let Some(slot) = self.slots.get_mut(usize::from(index)) else { return Telling::Whole };
        if slot.len == place.len && slot.bytes == place.bytes {
            return Telling::Known(index.into());
        }
        *slot = place;
        Telling::Learn(index.into())
    }
}

impl Slot {
    fn of(text: &[u8]) -> Option<Self> {
        let len = u8::try_from(text.len()).ok()?;
        let mut bytes = [0; LONGEST];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self { len, bytes })
    }

    fn hash(&self) -> u16 {
        let words = self.bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk));
        let mixed = words.fold(u64::from(self.len), |hash, word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        // The upper 12 bits: as many as there are slots.
        u16::try_from(mixed >> 52).unwrap_or_default()
    }
}
