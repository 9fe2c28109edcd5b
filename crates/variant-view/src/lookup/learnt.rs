//! [`Learnt`]: the facts from which a shape is made, found by a walk through a document.

use alloc::vec;
use alloc::vec::Vec;

use super::item::{Form, Item};
use super::layout::BLOCK;
use crate::document::Document;
use crate::header::FLAG;
use crate::kind::Kind;
use crate::options::Mode;
use crate::view::VariantView;
use crate::walk::{Event, Node, Role};

/// The size of the largest document from which a shape is made.
const MAX_BYTES: usize = 4_096;

pub(super) struct Learnt {
    /// The mode of the root.
    pub(super) mode: Mode,
    /// The size of the value.
    pub(super) len: usize,
    /// For each byte, the bits that must be equal in other documents of the shape.
    pub(super) mask: Vec<u8>,
    pub(super) items: Vec<Item>,
    /// The offsets of texts outside of keys.
    pub(super) texts: Vec<usize>,
    /// The offset and level of each value.
    pub(super) levels: Vec<(usize, u32)>,
}

impl Learnt {
    /// Walks a document. O(4 KiB). `None` if the document is smaller than a block or larger than 4 KiB.
    pub(super) fn of(document: &Document<'_>) -> Option<Self> {
        let mut learnt = Self {
            mode: document.options().mode(),
            len: 0,
            mask: vec![0xff; document.bytes().len().min(MAX_BYTES)],
            items: Vec::new(),
            texts: Vec::new(),
            levels: Vec::new(),
        };
        // For each open container, whether it is a key or inside a key.
        let mut keys = Vec::new();
        for event in document.walk() {
            let is_in_key = keys.last().copied().unwrap_or(false);
            let is_key = |node: &Node<'_>| is_in_key || matches!(node.role(), Role::Key(_));
            match event.ok()? {
                Event::Enter(node) if node.view.offset() > MAX_BYTES => return None,
                Event::Enter(node) => {
                    learnt.levels.push((node.view.offset(), node.depth));
                    keys.push(is_key(&node));
                }
                Event::Exit { end, .. } => {
                    keys.pop();
                    learnt.len = end;
                }
                Event::Leaf(node) if node.view.offset() > MAX_BYTES => return None,
                Event::Leaf(node) => {
                    learnt.levels.push((node.view.offset(), node.depth));
                    let end = learnt.leaf(&node.view, document, is_key(&node))?;
                    learnt.len = end;
                }
            }
        }
        let is_learnable =
            (BLOCK..=MAX_BYTES).contains(&learnt.len) && learnt.len.is_multiple_of(4);
        learnt.mask.truncate(learnt.len);
        (is_learnable && learnt.mask.len() == learnt.len).then_some(learnt)
    }

    /// Marks the payload of a leaf as variable, unless the leaf is in a key. Returns the end of the leaf.
    fn leaf(
        &mut self,
        view: &VariantView<'_>,
        document: &Document<'_>,
        is_key: bool,
    ) -> Option<usize> {
        let start = view.offset();
        let end = start.checked_add(view.raw_bytes().ok()?.len().next_multiple_of(4))?;
        let value = document.bytes().get(start..end)?;
        if is_key {
            return Some(end);
        }
        let word = |at: usize| {
            let word = value.get(at..)?.first_chunk()?;
            Some(u32::from_le_bytes(*word))
        };
        let kind = view.kind();
        let head = match kind {
            Kind::String | Kind::StringName => {
                self.free(start.checked_add(8)?, end, 0x80)?;
                self.texts.push(start);
                self.items.push(Item {
                    at: start.checked_add(8)?,
                    form: Form::Text,
                    size: word(4)?,
                });
                return Some(end);
            }
            Kind::Int | Kind::Float if document.options().dialect.has_wide_scalars() => {
                let flag = word(0)? & FLAG;
                self.items.push(Item { at: start.checked_add(4)?, form: Form::Number, size: flag });
                4
            }
            Kind::Bool | Kind::Int | Kind::Float => 4,
            kind => match kind.shape() {
                Some(shape) if shape.is_packed => {
                    let count = word(4)?;
                    let bytes = u32::try_from(value.len().checked_sub(8)?).ok()?;
                    // The size of a byte array includes padding, so it does not give the size of an element.
                    let size = if kind == Kind::PackedByteArray {
                        1
                    } else {
                        bytes.checked_div(count).unwrap_or(0)
                    };
                    if size > 0 {
                        let at = start.checked_add(8)?;
                        self.items.push(Item { at, form: Form::Elements(size), size: count });
                    }
                    8
                }
                Some(_) => 4,
                // Other documents of the shape must have the same bytes in a value of a rare kind.
                None => return Some(end),
            },
        };
        self.free(start.checked_add(head)?, end, 0)?;
        Some(end)
    }

    /// For the bytes from `start` to `end`, sets the bits that other documents of the shape must have.
    fn free(&mut self, start: usize, end: usize, mask: u8) -> Option<()> {
        self.mask.get_mut(start..end)?.fill(mask);
        Some(())
    }

    pub(super) fn level(&self, offset: usize) -> Option<u32> {
        let found = self.levels.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
        self.levels.get(found).map(|(_, level)| *level)
    }

    /// The bytes that all documents of the shape have in common, whatever the lengths of their items.
    pub(super) fn skeleton(&self, bytes: &[u8]) -> Vec<u8> {
        let mut skeleton = Vec::new();
        let mut from = 0;
        let mut add = |from: usize, to: usize, last: u32| {
            let range = bytes.get(from..to).unwrap_or_default().iter();
            let masked = range.zip(self.mask.get(from..to).unwrap_or_default());
            skeleton.extend(masked.map(|(byte, mask)| byte & mask));
            let word = skeleton.last_chunk_mut::<4>();
            if let Some(word) = word {
                *word = (u32::from_le_bytes(*word) & last).to_le_bytes();
            }
        };
        for item in &self.items {
            add(from, item.at, item.form.mask());
            from = item.at.saturating_add(item.form.size(item.size).unwrap_or(0));
        }
        add(from, self.len, u32::MAX);
        skeleton
    }
}
