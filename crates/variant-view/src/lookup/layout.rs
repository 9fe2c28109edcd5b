//! [`Layout`]: the runs of bytes in documents of a shape, and the compared blocks.

use alloc::vec::Vec;

use super::item::Item;
use super::learnt::Learnt;
use crate::bytes::size;

/// The number of bytes that are compared at once.
pub(super) const BLOCK: usize = 32;
/// The maximum number of items of variable length.
pub(super) const MAX_RUNS: usize = 64;

pub(super) type Lanes = [u64; 4];

/// The start of each run in a document.
pub(super) struct Starts(pub(super) [u32; MAX_RUNS]);

impl Default for Starts {
    fn default() -> Self {
        Self([0; MAX_RUNS])
    }
}

impl Starts {
    #[inline(always)]
    pub(super) fn get(&self, run: u8) -> usize {
        self.0.get(usize::from(run)).map_or(0, |&start| size(start))
    }
}

/// 32 bytes, and the bits of them that must agree.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) want: Lanes,
    pub(super) mask: Lanes,
    /// The start of the block, from the start of its run.
    pub(super) run: u8,
    pub(super) at: i32,
}

/// Bytes of a fixed layout, and after them an item. The size of the item follows from the last word
/// of the bytes.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) len: usize,
    pub(super) item: Option<Item>,
}

/// The place of a value in a shape.
#[derive(Clone, Copy)]
pub(super) struct Place {
    run: u8,
    /// The number of containers around the value.
    pub(super) level: u32,
    /// The offset from the start of the run.
    at: u32,
}

impl Place {
    #[inline(always)]
    pub(super) fn offset(self, starts: &Starts) -> usize {
        starts.get(self.run).wrapping_add(size(self.at))
    }
}

impl Block {
    /// Adds the bits of `found` that differ from the block.
    #[inline(always)]
    pub(super) fn differences(&self, so_far: Lanes, found: &[u8; BLOCK]) -> Lanes {
        let mut all = so_far;
        let lanes = found.as_chunks::<8>().0.iter().zip(self.want.iter().zip(&self.mask));
        for (sum, (found, (want, mask))) in all.iter_mut().zip(lanes) {
            *sum |= (u64::from_le_bytes(*found) ^ want) & mask;
        }
        all
    }
}

/// The runs and blocks of a shape.
pub(super) struct Layout {
    pub(super) blocks: Vec<Block>,
    pub(super) runs: Vec<Run>,
    /// The start of each run in the document that was learnt.
    pub(super) starts: Vec<usize>,
}

impl Layout {
    pub(super) fn of(bytes: &[u8], learnt: &Learnt, items: &[(Item, bool)]) -> Option<Self> {
        let mut mask = learnt.mask.clone();
        let mut layout = Self { blocks: Vec::new(), runs: Vec::new(), starts: Vec::new() };
        let mut start = 0_usize;
        let varying = items.iter().filter(|(_, varies)| *varies).map(|(item, _)| Some(*item));
        for item in varying.chain([None]) {
            let end = item.map_or(learnt.len, |item| item.at);
            if let Some(item) = item {
                let word = mask.get_mut(..end)?.last_chunk_mut::<4>()?;
                *word = (u32::from_le_bytes(*word) & item.form.mask()).to_le_bytes();
            }
            layout.run(bytes, &mask, start, end)?;
            layout.runs.push(Run { len: end.checked_sub(start)?, item });
            layout.starts.push(start);
            start = match item {
                Some(item) => end.checked_add(item.form.size(item.size)?)?,
                None => end,
            };
        }
        (layout.runs.len() <= MAX_RUNS).then_some(layout)
    }

    /// Adds the blocks of a run: whole blocks from its start, and a last block that ends with the
    /// run.
    fn run(&mut self, bytes: &[u8], mask: &[u8], start: usize, end: usize) -> Option<()> {
        let run = u8::try_from(self.runs.len()).ok()?;
        let mut from = start;
        while from < end {
            let rest = end.checked_sub(from)?;
            // The last block ends with the run, but a document has no bytes before its start.
            let at = if rest >= BLOCK { from } else { end.saturating_sub(BLOCK) };
            let to = at.checked_add(BLOCK)?;
            let mut block = Block {
                want: [0; 4],
                mask: [0; 4],
                run,
                at: i32::try_from(signed(at)?.checked_sub(signed(start)?)?).ok()?,
            };
            let lanes = block.want.iter_mut().zip(&mut block.mask).enumerate();
            for (lane, (want, bits)) in lanes {
                let first = at.checked_add(lane.checked_mul(8)?)?;
                let word = |all: &[u8]| {
                    // Takes only the bytes of the run that previous blocks do not have.
                    let mut word = [0; 8];
                    for (place, position) in word.iter_mut().zip(first..) {
                        if (from..end).contains(&position) {
                            *place = all.get(position).copied().unwrap_or(0);
                        }
                    }
                    u64::from_le_bytes(word)
                };
                *bits = word(mask);
                *want = word(bytes) & *bits;
            }
            self.blocks.push(block);
            from = to.min(end);
        }
        Some(())
    }

    /// The place of the value at `offset` of the document that was learnt.
    pub(super) fn place(&self, offset: usize, level: u32) -> Option<Place> {
        let run = self.starts.iter().rposition(|start| *start <= offset)?;
        let at = offset.checked_sub(*self.starts.get(run)?)?;
        Some(Place { run: u8::try_from(run).ok()?, level, at: u32::try_from(at).ok()? })
    }
}

fn signed(offset: usize) -> Option<i64> {
    i64::try_from(offset).ok()
}
