//! [`Filling`]: nodes from the values that a pass reads.

use alloc::vec::Vec;

use super::node::Node;
use crate::bytes::{count, size};
use crate::kind::Kind;
use crate::template::{PATTERNS, RecordPattern};

/// Appends a node for each value. Any pass can drive it: it tells each leaf, and each start and end of a
/// container, in the order of the bytes.
pub(super) struct Filling<'t> {
    nodes: &'t mut Vec<Node>,
    /// The innermost open container. While a container is open, its `next` holds the one around it.
    open: u32,
    /// A record of each template.
    records: [Record; PATTERNS],
}

/// The nodes of one record.
#[derive(Clone, Copy, Default)]
struct Record {
    /// The number of its first node.
    first: usize,
    len: usize,
}

impl<'t> Filling<'t> {
    #[inline]
    pub(super) fn new(nodes: &'t mut Vec<Node>) -> Self {
        nodes.clear();
        Self { nodes, open: u32::MAX, records: [Record::default(); PATTERNS] }
    }

    #[inline(always)]
    fn number(&self) -> u32 {
        count(self.nodes.len())
    }

    /// A value without children, by its start and end in the document.
    #[inline(always)]
    pub(super) fn leaf(&mut self, start: usize, end: usize, kind: Kind) {
        self.nodes.push(Node::leaf(start, end, kind, self.number().wrapping_add(1)));
    }

    /// A container of so many items, possibly none; they follow, then [`Filling::exit`].
    #[inline(always)]
    pub(super) fn enter(&mut self, start: usize, kind: Kind, items: u32) {
        let number = self.number();
        self.nodes.push(Node::open(start, items, kind, self.open));
        self.open = number;
    }

    /// The container entered last ends.
    #[inline(always)]
    pub(super) fn exit(&mut self) {
        let next = self.number();
        if let Some(container) = self.nodes.get_mut(size(self.open)) {
            self.open = container.next();
            *container = container.with_next(next);
        }
    }

    /// The last values were a record with this pattern.
    pub(super) fn learn(&mut self, pattern: RecordPattern) {
        let first = self.nodes.len().saturating_sub(pattern.values);
        let len = self.nodes.len().wrapping_sub(first);
        if let Some(record) = self.records.get_mut(pattern.slot) {
            *record = Record { first, len };
        }
    }

    /// So many records with this pattern follow, the first at `offset`: the nodes of the one that was
    /// learnt, shifted by a fixed number of bytes and values.
    pub(super) fn repeat(&mut self, pattern: RecordPattern, offset: usize, records: u32) {
        let Some(&Record { first, len }) = self.records.get(pattern.slot) else { return };
        let Some(one) = self.nodes.get(first) else { return };
        let mut bytes = count(offset).wrapping_sub(count(one.offset()));
        for _ in 0..records {
            let from = self.nodes.len();
            let values = count(from.wrapping_sub(first));
            self.nodes.extend_from_within(first..first.saturating_add(len));
            for node in self.nodes.get_mut(from..).unwrap_or_default() {
                *node = node.plus(bytes, values);
            }
            bytes = bytes.wrapping_add(count(pattern.bytes));
        }
    }
}
