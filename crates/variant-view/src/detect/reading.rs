//! [`Reading`]: the kinds that a dialect finds in bytes, and how plausible their reals are.

use core::hash::Hasher as _;

use crate::error::Result;
use crate::fold::Fold;
use crate::kind::NumberType;
use crate::options::Reals;
use crate::scan::{Item, Sink};

/// Hashes the kinds, starts and ends of values, and counts reals.
#[derive(Default)]
pub(super) struct Reading {
    hash: Fold,
    are_wide: bool,
    /// The number of reals of 32 bits that are not zero, and of those that are denormal.
    reals: usize,
    denormal: usize,
}

impl Reading {
    pub(super) fn new(reals: Reals) -> Self {
        Self { are_wide: reals == Reals::Always64, ..Self::default() }
    }

    /// Equal hashes mean equal readings.
    pub(super) fn hash(&self) -> u64 {
        self.hash.finish()
    }

    fn add(&mut self, item: &Item<'_>) {
        for part in [item.header.kind.index(), item.start, item.end] {
            self.hash.write_usize(part);
        }
    }

    /// Counts the reals of a packed array, if they have 32 bits. O(bytes).
    fn count(&mut self, item: &Item<'_>) {
        let shape = item.header.kind.shape().filter(|shape| shape.is_packed);
        let Some(shape) = shape else { return };
        let is_single = match shape.number {
            NumberType::Float32 => true,
            NumberType::Real => !self.are_wide && !item.header.flag(),
            _ => false,
        };
        let numbers = item.bytes.get(super::EMPTY..item.end.saturating_sub(item.start));
        let Some(numbers) = numbers.filter(|_| is_single) else { return };
        for number in numbers.chunks_exact(4).filter_map(|bytes| bytes.first_chunk()) {
            let magnitude = u32::from_le_bytes(*number) & !(1 << 31);
            self.reals = self.reals.saturating_add(usize::from(magnitude != 0));
            let is_denormal = (1..f32::MIN_POSITIVE.to_bits()).contains(&magnitude);
            self.denormal = self.denormal.saturating_add(usize::from(is_denormal));
        }
    }

    /// Whether the reals look like numbers that programs write.
    pub(super) const fn is_plausible(&self) -> bool {
        self.denormal < 4 || self.denormal < self.reals / 4
    }
}

impl<'a> Sink<'a> for Reading {
    fn leaf(&mut self, item: &Item<'a>) -> Result<()> {
        self.add(item);
        self.count(item);
        Ok(())
    }

    fn enter(&mut self, item: &Item<'a>) -> Result<()> {
        self.add(item);
        Ok(())
    }

    fn exit(&mut self, _end: usize) -> Result<()> {
        Ok(())
    }
}
