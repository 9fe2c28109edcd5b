//! [`Lessons`]: decides whether a lookup compares a document with the known layouts, and whether it stores the layout
//! of a document.

/// The credit that is spent to store one layout. Each recognised document adds 1 to the credit.
const PRICE: u32 = 64;

/// The maximum credit.
const MOST: u32 = 16 * PRICE;

/// After this many consecutive unrecognised documents, only some documents are compared.
const PATIENCE: u32 = 64;

/// After [`PATIENCE`] unrecognised documents, one document in `PROBE` is compared.
const PROBE: u32 = 16;

/// Counts hits and misses, so that a hostile or varied stream costs little more than without a lookup.
#[derive(Clone, Debug)]
pub(super) struct Lessons {
    credit: u32,
    /// The consecutive documents that were not recognised.
    misses: u32,
}

impl Lessons {
    pub(super) const fn new() -> Self {
        Self { credit: 8 * PRICE, misses: 0 }
    }

    /// Whether the next document is worth a comparison.
    #[inline(always)]
    pub(super) const fn compares(&self) -> bool {
        self.misses < PATIENCE || self.misses.is_multiple_of(PROBE)
    }

    /// Counts a document that was recognised.
    #[inline(always)]
    pub(super) fn hit(&mut self) {
        self.misses = 0;
        // No overflow: the credit is at most `MOST`.
        self.credit = self.credit.wrapping_add(1).min(MOST);
    }

    /// Counts a document that was not recognised. Returns whether its layout should be stored; if so, [`PRICE`] is
    /// subtracted from the credit. Every 32nd consecutive unrecognised document adds 1 to the credit.
    pub(super) fn missed(&mut self) -> bool {
        self.misses = self.misses.wrapping_add(1);
        if self.misses.is_multiple_of(32) {
            self.credit = self.credit.saturating_add(1).min(MOST);
        }
        match self.credit.checked_sub(PRICE) {
            Some(rest) => {
                self.credit = rest;
                true
            }
            None => false,
        }
    }
}
