//! [`Shape`]: the layout that documents of one type have in common.
//!
//! A shape consists of runs: bytes of a fixed layout, then at most one item of variable length. The last word of the
//! run gives the item's size. Each run is compared in blocks of 32 bytes under a mask: headers, counts and keys must
//! agree, payloads may differ. So a document that agrees is valid if its text is valid. Text that is not ASCII is
//! checked by the rule of the dialect.

use alloc::vec::Vec;

use super::item::{Form, Item};
use super::layout::{BLOCK, Block, Lanes, Layout, Place, Position, Run, Starts};
use super::learnt::Learnt;
use crate::bytes::{count, size};
use crate::kind::by_kind;
use crate::options::Options;
use crate::text;
use crate::view::VariantView;

/// The layout of documents, and the values to read from them.
pub(super) struct Shape {
    blocks: Vec<Block>,
    runs: Vec<Run>,
    /// The size of all documents, if there is no item of variable length.
    len: Option<usize>,
    /// The texts outside of keys.
    texts: Vec<Position>,
    places: Vec<Place>,
    /// All items whose length can vary, and whether the length of each varies in this shape.
    items: Vec<(Item, bool)>,
    /// The bytes that documents of all lengths have in common.
    skeleton: Vec<u8>,
}

impl Shape {
    /// Whether a document has this shape and is valid.
    #[inline(always)]
    pub(super) fn recognise(
        &self,
        bytes: &[u8],
        options: &Options,
        starts: &mut Starts,
    ) -> Option<()> {
        let (consumed, is_ascii) = match self.len {
            // The mask has the high bits of all texts, so a text that agrees is ASCII.
            Some(len) => self.agrees(bytes, len).map(|()| (len, true))?,
            None => self.fits(bytes, starts)?,
        };
        if u64::try_from(consumed).map_or(true, |consumed| consumed > options.limits.bytes) {
            return None;
        }
        if !is_ascii && !self.has_valid_texts(bytes, options, starts) {
            return None;
        }
        Some(())
    }

    /// Sets the values that a document of this shape has.
    #[inline(always)]
    pub(super) fn read<'a>(
        &self,
        bytes: &'a [u8],
        starts: &Starts,
        values: &mut [Option<VariantView<'a>>],
    ) {
        for place in &self.places {
            let offset = place.start.offset(starts);
            let len = place.end.offset(starts).wrapping_sub(offset);
            let value = values.get_mut(size(place.slot));
            let (Some(value), Some(rest)) = (value, bytes.get(offset..)) else { continue };
            by_kind!(place.kind, |kind| {
                *value = Some(VariantView::new(kind, rest, len, offset, place.mode));
            });
        }
    }

    /// Compares a document with a shape of fixed length.
    #[inline(always)]
    fn agrees(&self, bytes: &[u8], len: usize) -> Option<()> {
        let bytes = bytes.get(..len)?;
        let (whole, _) = bytes.as_chunks::<BLOCK>();
        // The last block ends with the document, and may overlap the block before it.
        let (last, blocks) = self.blocks.split_last()?;
        let mut differences = last.differences([0; 4], bytes.last_chunk()?);
        for (block, found) in blocks.iter().zip(whole.get(..blocks.len())?) {
            differences = block.differences(differences, found);
        }
        is_zero(differences).then_some(())
    }

    /// Compares a document with a shape of variable length. Returns the document's size, and whether its texts are
    /// ASCII.
    #[inline(never)]
    fn fits(&self, bytes: &[u8], starts: &mut Starts) -> Option<(usize, bool)> {
        let (mut at, mut is_ascii) = (0_usize, true);
        for (run, start) in self.runs.iter().zip(&mut starts.0) {
            *start = u32::try_from(at).ok()?;
            at = at.checked_add(run.len)?;
            let Some(form) = run.form else { continue };
            let word = at.checked_sub(4).and_then(|before| bytes.get(before..))?.first_chunk()?;
            let end = at.checked_add(form.size(u32::from_le_bytes(*word))?)?;
            if form == Form::Text {
                is_ascii &= ends_in_ascii(bytes.get(..end)?, end.wrapping_sub(at));
            }
            at = end;
        }
        if at > bytes.len() {
            return None;
        }
        let mut differences = [0; 4];
        for block in &self.blocks {
            let start = starts.get(block.run).wrapping_add_signed(block.at);
            let found = bytes.get(start..)?.first_chunk()?;
            differences = block.differences(differences, found);
        }
        is_zero(differences).then_some((at, is_ascii))
    }

    #[cold]
    #[inline(never)]
    fn has_valid_texts(&self, bytes: &[u8], options: &Options, starts: &Starts) -> bool {
        self.texts.iter().all(|text| {
            let at = text.offset(starts);
            let text = bytes.get(at..).and_then(|value| {
                let (len, rest) = value.get(4..)?.split_first_chunk()?;
                rest.get(..size(u32::from_le_bytes(*len)))
            });
            text.is_some_and(|text| options.dialect.check_text(text).is_ok())
        })
    }

    /// Whether documents of both shapes differ only in lengths.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.skeleton == other.skeleton && self.items.len() == other.items.len()
    }

    /// For each item, whether its length varies in one of the shapes or differs between them.
    pub(super) fn varying(&self, other: &Self) -> Vec<bool> {
        let pairs = self.items.iter().zip(&other.items);
        pairs.map(|((a, one), (b, other))| *one || *other || a.size != b.size).collect()
    }

    /// The memory that the shape takes, in bytes.
    pub(super) fn memory(&self) -> usize {
        let blocks = self.blocks.capacity().saturating_mul(size_of::<Block>());
        let runs = self.runs.capacity().saturating_mul(size_of::<Run>());
        let texts = self.texts.capacity().saturating_mul(size_of::<Position>());
        let items = self.items.capacity().saturating_mul(size_of::<(Item, bool)>());
        let places = self.places.capacity().saturating_mul(size_of::<Place>());
        [runs, texts, places, items, self.skeleton.capacity()]
            .into_iter()
            .fold(blocks, usize::saturating_add)
    }
}

/// Whether the last `len` bytes are ASCII.
///
/// For a `len` up to the size of a block, no jump depends on `len`, because a processor could not predict such a jump.
#[inline(always)]
fn ends_in_ascii(bytes: &[u8], len: usize) -> bool {
    let (Some(block), Some(before)) = (bytes.last_chunk::<BLOCK>(), BLOCK.checked_sub(len)) else {
        let at = bytes.len().saturating_sub(len);
        return bytes.get(at..).is_some_and(<[u8]>::is_ascii);
    };
    let mut shift = count(before).wrapping_mul(8);
    let mut high = 0;
    for word in block.as_chunks().0 {
        high |= u64::from_le_bytes(*word) & text::HIGH.checked_shl(shift).unwrap_or(0);
        shift = shift.saturating_sub(64);
    }
    high == 0
}

#[inline(always)]
const fn is_zero(lanes: Lanes) -> bool {
    let [a, b, c, d] = lanes;
    a | b | c | d == 0
}

impl Shape {
    /// The shape of a valid document, with the places of the values that were found in it. `varying` has for each item
    /// whether its length varies; if it is empty, only texts that are not ASCII vary. `None` if too many items vary.
    pub(super) fn of(
        learnt: &Learnt,
        bytes: &[u8],
        values: &[Option<VariantView<'_>>],
        varying: &[bool],
    ) -> Option<Self> {
        let mut items = Vec::new();
        for (number, item) in learnt.items.iter().enumerate() {
            let is_beyond_ascii = item.form == Form::Text && !is_ascii_at(bytes, item);
            items.push((*item, varying.get(number).copied().unwrap_or(is_beyond_ascii)));
        }
        let layout = Layout::of(bytes, learnt, &items)?;
        let mut places = Vec::new();
        for (slot, value) in (0..).zip(values) {
            if let Some(value) = value {
                places.push(layout.place(slot, value, learnt)?);
            }
        }
        let texts = learnt.texts.iter().map(|&at| layout.position(at)).collect::<Option<_>>()?;
        let len = items.iter().all(|(_, varies)| !varies).then_some(learnt.len);
        let Layout { blocks, runs, .. } = layout;
        let skeleton = learnt.skeleton(bytes);
        Some(Self { blocks, runs, len, texts, places, items, skeleton })
    }
}

fn is_ascii_at(bytes: &[u8], item: &Item) -> bool {
    let end = item.form.size(item.size).and_then(|size| item.at.checked_add(size));
    end.and_then(|end| bytes.get(item.at..end)).is_some_and(<[u8]>::is_ascii)
}
