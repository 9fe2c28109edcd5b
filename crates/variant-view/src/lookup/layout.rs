//! [`Layout`]: the runs of bytes that the documents of one shape have in common, and the blocks in which the runs are
//! compared. `shape.rs` explains shapes and runs.

use alloc::vec::Vec;

use super::item::{Form, Item};
use super::learnt::Learnt;
use crate::bytes::size;
use crate::kind::Kind;
use crate::options::Mode;
use crate::view::VariantView;

/// The number of bytes that are compared at once. A longer run of bytes is compared in several blocks.
pub(super) const BLOCK: usize = 32;
/// The maximum number of runs of one shape. A run is a part of the bytes with a fixed layout.
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
        self.0.get(usize::from(run) % MAX_RUNS).map_or(0, |&start| size(start))
    }
}

/// 32 bytes, and a mask of the bits that must agree. Aligned, so that one instruction reads and compares 16 bytes.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Block {
    pub(super) want: Lanes,
    pub(super) mask: Lanes,
    /// The run of the block, and the block's offset from the start of the run.
    pub(super) run: u8,
    pub(super) at: isize,
}

/// Bytes of a fixed layout. An item of variable length may follow. The last word of the bytes gives the item's size.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) len: usize,
    pub(super) form: Option<Form>,
}

/// An offset in documents of a shape.
#[derive(Clone, Copy)]
pub(super) struct Position {
    run: u8,
    /// The offset from the start of the run.
    at: u32,
}

impl Position {
    #[inline(always)]
    pub(super) fn offset(self, starts: &Starts) -> usize {
        starts.get(self.run).wrapping_add(size(self.at))
    }
}

/// Where a value is in documents of a shape, and the mode with which to read it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) start: Position,
    pub(super) end: Position,
    pub(super) kind: Kind,
    pub(super) mode: Mode,
    /// The value's number among the values to read.
    pub(super) slot: u32,
}

impl Block {
    /// Adds to `so_far` the bits of `found` that differ from the block.
    #[inline(always)]
    pub(super) fn differences(&self, so_far: Lanes, found: &[u8; BLOCK]) -> Lanes {
        let mut all = so_far;
        let Self { want, mask, .. } = *self;
        let lanes = found.as_chunks::<8>().0.iter().zip(want.iter().zip(&mask));
        for (sum, (found, (want, mask))) in all.iter_mut().zip(lanes) {
            *sum |= (u64::from_le_bytes(*found) ^ want) & mask;
        }
        all
    }
}

pub(super) struct Layout {
    pub(super) blocks: Vec<Block>,
    pub(super) runs: Vec<Run>,
    /// The start of each run in the document from which the shape was made.
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
            let form = item.map(|item| item.form);
            layout.runs.push(Run { len: end.checked_sub(start)?, form });
            layout.starts.push(start);
            start = match item {
                Some(item) => end.checked_add(item.form.size(item.size)?)?,
                None => end,
            };
        }
        (layout.runs.len() <= MAX_RUNS).then_some(layout)
    }

    /// Adds the blocks of a run: whole blocks from its start, and a last block that ends with the run.
    fn run(&mut self, bytes: &[u8], mask: &[u8], start: usize, end: usize) -> Option<()> {
        let run = u8::try_from(self.runs.len()).ok()?;
        let mut from = start;
        while from < end {
            let rest = end.checked_sub(from)?;
            // The last block ends with the run, unless it would then start before the document.
            let at = if rest >= BLOCK { from } else { end.saturating_sub(BLOCK) };
            let to = at.checked_add(BLOCK)?;
            let mut block = Block {
                want: [0; 4],
                mask: [0; 4],
                run,
                at: isize::try_from(at).ok()?.checked_sub_unsigned(start)?,
            };
            let lanes = block.want.iter_mut().zip(&mut block.mask).enumerate();
            for (lane, (want, bits)) in lanes {
                let first = at.checked_add(lane.checked_mul(8)?)?;
                let word = |all: &[u8]| {
                    // Takes only those bytes of the run that no previous block has.
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

    /// Where `value` is in documents of the shape. `value` is of the document from which the shape was made.
    pub(super) fn place(
        &self,
        slot: u32,
        value: &VariantView<'_>,
        learnt: &Learnt,
    ) -> Option<Place> {
        let at = value.offset();
        let end = at.checked_add(value.raw_bytes().ok()?.len())?;
        let mode = learnt.mode.below(learnt.level(at)?);
        let [start, end] = [self.position(at)?, self.position(end)?];
        Some(Place { start, end, kind: value.kind(), mode, slot })
    }

    /// Where a byte is in documents of the shape. `offset` is its offset in the document from which the shape was made.
    pub(super) fn position(&self, offset: usize) -> Option<Position> {
        let run = self.starts.iter().rposition(|start| *start <= offset)?;
        let at = offset.checked_sub(*self.starts.get(run)?)?;
        Some(Position { run: u8::try_from(run).ok()?, at: u32::try_from(at).ok()? })
    }
}
