//! [`Filling`]: nodes from the values that a pass reads.

use alloc::vec::Vec;

use super::node::Node;
use crate::bytes::size;
use crate::kind::Kind;
use crate::template::{PATTERNS, RecordPattern};

/// Appends a node for each value. A pass reports each leaf, and each start and end of a container, in the order of the
/// bytes.
///
/// New nodes overwrite nodes of the previous document, and nodes after the last value are never read. So a reused tape
/// is written by index, without the cost of a push.
pub(super) struct Filling<'t> {
    nodes: &'t mut Vec<Node>,
    /// The number of values so far.
    len: usize,
    /// The number of the innermost open container. Until a container ends, its `next` is the number of the container
    /// around it.
    open: usize,
    /// For each template, one of its records.
    records: [Record; PATTERNS],
}

/// The nodes of a record: the number of the first node, and the count.
#[derive(Clone, Copy)]
struct Record {
    first: usize,
    len: usize,
}

impl Record {
    const NONE: Self = Self { first: 0, len: 0 };
}

impl<'t> Filling<'t> {
    #[inline]
    pub(super) fn new(nodes: &'t mut Vec<Node>) -> Self {
        Self { nodes, len: 0, open: usize::MAX, records: [Record::NONE; PATTERNS] }
    }

    /// Adds a value without children, by its start and end in the document.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn leaf(&mut self, start: usize, end: usize, kind: Kind) {
        let (len, next) = (end.wrapping_sub(start), self.len.wrapping_add(1));
        self.put(|node| node.set_leaf(start, len, kind, next));
    }

    /// Adds a container of `items` items, possibly none. The items follow, then [`Filling::exit`].
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn enter(&mut self, start: usize, kind: Kind, items: u32) {
        let number = self.len;
        let around = self.open;
        self.put(|node| node.set_open(start, items, kind, around));
        self.open = number;
    }

    /// Ends the container that was entered last.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn exit(&mut self) {
        if let Some(container) = self.nodes.get_mut(self.open) {
            self.open = size(container.next());
            *container = container.with_next(self.len);
        }
    }

    /// Adds a node, whose fields `set` writes.
    #[cfg_attr(not(variant_small), inline(always))]
    fn put(&mut self, set: impl FnOnce(&mut Node)) {
        if self.len >= self.nodes.len() {
            grow(self.nodes, self.len.wrapping_add(1));
        }
        if let Some(node) = self.nodes.get_mut(self.len) {
            set(node);
        }
        self.len = self.len.wrapping_add(1);
    }

    /// Stores that the last values are a record of this pattern.
    pub(super) fn learn(&mut self, pattern: RecordPattern) {
        let first = self.len.saturating_sub(pattern.values);
        if let Some(record) = self.records.get_mut(pattern.slot) {
            *record = Record { first, len: self.len.wrapping_sub(first) };
        }
    }

    /// Adds `records` records with this pattern, the first at `offset`. The new nodes are copies of the nodes of the
    /// record that [`Filling::learn`] stored, shifted by a fixed number of bytes and values.
    pub(super) fn repeat(&mut self, pattern: RecordPattern, offset: usize, records: u32) {
        let Some(&Record { first, len }) = self.records.get(pattern.slot) else { return };
        let Some(one) = self.nodes.get(first).copied() else { return };
        let step = Node::distance(pattern.bytes, len);
        let values = self.len.wrapping_sub(first);
        let mut distance = Node::distance(offset.wrapping_sub(one.offset()), values);
        for _ in 0..records {
            let end = self.len.wrapping_add(len);
            if end > self.nodes.len() {
                grow(self.nodes, end);
            }
            let Some((before, places)) = self.nodes.split_at_mut_checked(self.len) else { return };
            let record = before.get(first..first.wrapping_add(len)).unwrap_or_default();
            for (place, node) in places.iter_mut().zip(record) {
                *place = node.plus(distance);
            }
            self.len = end;
            distance = distance.wrapping_add(step);
        }
    }
}

/// Makes room for `len` nodes, whose values have been found. Fills the rest of the allocated capacity with unused
/// nodes.
#[cold]
#[inline(never)]
fn grow(nodes: &mut Vec<Node>, len: usize) {
    nodes.resize(len, Node::NONE);
    nodes.resize(nodes.capacity(), Node::NONE);
}
