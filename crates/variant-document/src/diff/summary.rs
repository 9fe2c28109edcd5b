//! [`Summary`]: how many differences there are.

/// How many differences there are, those that were not told included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The values that were compared, of which a file may hold several; also those that only one file has.
    pub values: u64,
    /// What is in both files, and differs.
    pub changed: u64,
    /// What only the new file has.
    pub added: u64,
    /// What only the old file has.
    pub removed: u64,
    /// The containers whose items are in another order, whether that is a difference or not.
    pub reordered: u64,
}

impl Summary {
    /// The number of all differences; of another order, if it `is_ordered`.
    pub const fn total(&self, is_ordered: bool) -> u64 {
        let total = self.changed.saturating_add(self.added).saturating_add(self.removed);
        if is_ordered { total.saturating_add(self.reordered) } else { total }
    }
}
