//! [`Synchronizer`]: the on-change properties of a synchronizer that were last sent.

/// A synchronizer of a spawned node, with the on-change properties that were last sent.
#[derive(Clone, Debug)]
pub(crate) struct Synchronizer {
    /// The values in the compact form, by the numbers of their bits in a mask. A value that was never sent is empty.
    values: Vec<Box<[u8]>>,
    /// The mask of the properties that are not in the spawn state. A peer that gets the node gets them separately.
    pub(crate) late: u64,
}

impl Default for Synchronizer {
    /// It is unknown which properties are in the spawn state, so all are sent separately.
    fn default() -> Self {
        Self { values: Vec::new(), late: u64::MAX }
    }
}

/// The bits of a mask.
const BITS: usize = 64;

impl Synchronizer {
    /// Stores the value of a property. Returns whether it has changed.
    pub(crate) fn set(&mut self, index: usize, value: &[u8]) -> bool {
        if self.values.len() <= index {
            let len = index.saturating_add(1).min(BITS);
            self.values.resize_with(len, Box::default);
        }
        let kept = self.values.get_mut(index).filter(|kept| ***kept != *value);
        kept.map(|kept| *kept = value.into()).is_some()
    }

    /// The changes that a peer needs after the spawn of the node: a mask and the values.
    pub(crate) fn late(&self) -> Option<(u64, Vec<u8>)> {
        let (mut mask, mut row) = (0, Vec::new());
        for (index, value) in self.values.iter().enumerate() {
            if self.late & mask_of(index) != 0 && !value.is_empty() {
                mask |= mask_of(index);
                row.extend_from_slice(value);
            }
        }
        (mask != 0).then_some((mask, row))
    }

    /// The memory that a set of changes needs, and the memory that it frees.
    pub(crate) fn growth<'v>(
        &self,
        changes: impl Iterator<Item = (usize, &'v [u8])>,
    ) -> (usize, usize) {
        let (mut more, mut less, mut len) = (0_usize, 0_usize, self.values.len());
        for (index, value) in changes {
            let kept = self.values.get(index).map_or(0, |kept| kept.len());
            let new = index.saturating_add(1).saturating_sub(len);
            len = len.saturating_add(new);
            let places = new.saturating_mul(size_of::<Box<[u8]>>());
            more = more.saturating_add(value.len()).saturating_add(places);
            less = less.saturating_add(kept);
        }
        (more, less)
    }
}

/// The bit of a property in a mask.
pub(crate) fn mask_of(index: usize) -> u64 {
    u32::try_from(index).ok().and_then(|index| 1_u64.checked_shl(index)).unwrap_or_default()
}
