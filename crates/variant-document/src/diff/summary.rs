//! [`Summary`]: the number of differences.

/// The number of differences, including those not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of compared values. Includes values that only one file has. A file may hold several values.
    pub values: u64,
    /// The items that are in both files and differ.
    pub changed: u64,
    /// The items that only the new file has.
    pub added: u64,
    /// The items that only the old file has.
    pub removed: u64,
    /// The containers whose items are in another order, even if the rule ignores the order.
    pub reordered: u64,
}

impl Summary {
    /// The number of all differences. `is_ordered` includes containers whose order differs.
    pub const fn total(&self, is_ordered: bool) -> u64 {
        let total = self.changed.saturating_add(self.added).saturating_add(self.removed);
        if is_ordered { total.saturating_add(self.reordered) } else { total }
    }
}
