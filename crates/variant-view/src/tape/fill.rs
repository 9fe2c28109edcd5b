//! [`Filling`]: nodes from the values that a pass reads.

use alloc::vec::Vec;

use super::node::Node;
use crate::bytes::{count, size};
use crate::kind::Kind;
use crate::template::{LONGEST, PATTERNS, RecordPattern};

/// Appends a node for each value. Any pass can drive it: it tells each leaf, and each start and end of a
/// container, in the order of the bytes.
pub(super) struct Filling<'t> {
    nodes: &'t mut Vec<Node>,
    /// The innermost open container. While a container is open, its `next` holds the one around it.
    open: u32,
    /// A record of each template, once there is one.
    records: Option<[Record; PATTERNS]>,
}

/// The nodes of one record.
#[derive(Clone, Copy)]
struct Record {
    nodes: [Node; MOST],
    len: usize,
    /// The number of its first node.
    first: usize,
}

/// The most values of one record, since each has a header.
const MOST: usize = LONGEST / 4;

impl Record {
    const NONE: Self = Self { nodes: [Node::NONE; MOST], len: 0, first: 0 };
}

impl<'t> Filling<'t> {
    #[inline]
    pub(super) fn new(nodes: &'t mut Vec<Node>) -> Self {
        nodes.clear();
        Self { nodes, open: u32::MAX, records: None }
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
        let records = self.records.get_or_insert([Record::NONE; PATTERNS]);
        let (Some(record), Some(last)) = (records.get_mut(pattern.slot), self.nodes.get(first..))
        else {
            return;
        };
        record.first = first;
        record.len = last.len().min(MOST);
        for (place, node) in record.nodes.iter_mut().zip(last) {
            *place = *node;
        }
    }

    /// So many records with this pattern follow, the first at `offset`: the nodes of the one that was
    /// learnt, shifted by a fixed number of bytes and values.
    pub(super) fn repeat(&mut self, pattern: RecordPattern, offset: usize, records: u32) {
        let record = self.records.as_ref().and_then(|records| records.get(pattern.slot));
        let Some(Record { nodes, len, first }) = record else { return };
        let nodes = nodes.get(..*len).unwrap_or_default();
        let Some(one) = nodes.first() else { return };
        let step = Node::distance(pattern.bytes, *len);
        let values = self.nodes.len().wrapping_sub(*first);
        let mut distance = Node::distance(offset.wrapping_sub(one.offset()), values);
        for _ in 0..records {
            self.nodes.extend(nodes.iter().map(|node| node.plus(distance)));
            distance = distance.wrapping_add(step);
        }
    }
}
