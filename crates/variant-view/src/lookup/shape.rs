//! [`Shape`]: the layout that documents of one type have in common.
//!
//! A shape consists of runs: bytes of a fixed layout, then at most one item of variable length, whose size follows from the
//! last word of the run. Each run is compared in blocks of 32 bytes under a mask: headers, counts and keys must agree,
//! payloads may differ. So a document that agrees is valid, except for text that is not ASCII, which is checked by the
//! rule of the dialect.

use alloc::vec::Vec;

use super::item::{Form, Item};
use super::layout::{BLOCK, Block, Lanes, Layout, Place, Run, Starts};
use super::learnt::Learnt;
use crate::bytes::size;
use crate::options::Options;
use crate::view::VariantView;

/// A document of a known shape.
pub(super) struct Known<const N: usize> {
    pub(super) places: [Option<Place>; N],
}

/// The layout of documents with `N` values to read.
pub(super) struct Shape<const N: usize> {
    blocks: Vec<Block>,
    runs: Vec<Run>,
    /// The size of all documents, if there is no item of variable length.
    len: Option<usize>,
    /// The texts outside of keys.
    texts: Vec<Place>,
    places: [Option<Place>; N],
    /// All items whose length may vary, and whether it varies in this shape.
    items: Vec<(Item, bool)>,
    /// The bytes that documents of all lengths have in common.
    skeleton: Vec<u8>,
}

impl<const N: usize> Shape<N> {
    /// Whether a document has this shape and is valid.
    #[inline]
    pub(super) fn recognise(
        &self,
        bytes: &[u8],
        options: &Options,
        starts: &mut Starts,
    ) -> Option<Known<N>> {
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
        Some(Known { places: self.places })
    }

    /// Whether a document of fixed layout agrees.
    #[inline]
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

    /// Whether a document of varying lengths agrees: its size, and whether its texts are ASCII.
    #[inline(never)]
    fn fits(&self, bytes: &[u8], starts: &mut Starts) -> Option<(usize, bool)> {
        let (mut at, mut is_ascii) = (0_usize, true);
        for (run, start) in self.runs.iter().zip(&mut starts.0) {
            *start = u32::try_from(at).ok()?;
            at = at.checked_add(run.len)?;
            let Some(item) = run.item else { continue };
            let word = at.checked_sub(4).and_then(|before| bytes.get(before..))?.first_chunk()?;
            let end = at.checked_add(item.form.size(u32::from_le_bytes(*word))?)?;
            let item_bytes = bytes.get(at..end)?;
            if item.form == Form::Text {
                is_ascii &= item_bytes.is_ascii();
            }
            at = end;
        }
        if at > bytes.len() {
            return None;
        }
        let mut differences = [0; 4];
        for block in &self.blocks {
            let start =
                starts.get(block.run).checked_add_signed(isize::try_from(block.at).ok()?)?;
            let found = bytes.get(start..)?.first_chunk()?;
            differences = block.differences(differences, found);
        }
        is_zero(differences).then_some((at, is_ascii))
    }

    /// Whether all texts are valid.
    #[cold]
    #[inline(never)]
    fn has_valid_texts(&self, bytes: &[u8], options: &Options, starts: &Starts) -> bool {
        self.texts.iter().all(|place| {
            let at = place.offset(starts);
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

    /// For each item, whether its length varies in one of the shapes or between them.
    pub(super) fn varying(&self, other: &Self) -> Vec<bool> {
        let pairs = self.items.iter().zip(&other.items);
        pairs.map(|((a, one), (b, other))| *one || *other || a.size != b.size).collect()
    }

    /// The bytes that the shape takes.
    pub(super) fn memory(&self) -> usize {
        let blocks = self.blocks.capacity().saturating_mul(size_of::<Block>());
        let runs = self.runs.capacity().saturating_mul(size_of::<Run>());
        let texts = self.texts.capacity().saturating_mul(size_of::<Place>());
        let items = self.items.capacity().saturating_mul(size_of::<(Item, bool)>());
        [runs, texts, items, self.skeleton.capacity()]
            .into_iter()
            .fold(blocks, usize::saturating_add)
    }
}

#[inline(always)]
const fn is_zero(lanes: Lanes) -> bool {
    let [a, b, c, d] = lanes;
    a | b | c | d == 0
}

impl<const N: usize> Shape<N> {
    /// The shape of a valid document and of the values that were found in it. `varying` says which items vary in
    /// length; if it is empty, only texts that are not ASCII vary. `None` if too many items vary.
    pub(super) fn of(
        learnt: &Learnt,
        bytes: &[u8],
        values: &[Option<VariantView<'_>>; N],
        varying: &[bool],
    ) -> Option<Self> {
        let mut items = Vec::new();
        for (number, item) in learnt.items.iter().enumerate() {
            let is_beyond_ascii = item.form == Form::Text && !is_ascii_at(bytes, item);
            items.push((*item, varying.get(number).copied().unwrap_or(is_beyond_ascii)));
        }
        let layout = Layout::of(bytes, learnt, &items)?;
        let mut places = [None; N];
        for (place, value) in places.iter_mut().zip(values) {
            if let Some(value) = value {
                let offset = value.offset();
                *place = Some(layout.place(offset, learnt.level(offset)?)?);
            }
        }
        let texts = learnt.texts.iter().map(|&at| layout.place(at, 0)).collect::<Option<_>>()?;
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
