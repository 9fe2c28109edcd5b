//! [`Node`]: one value of a tape.

use crate::bytes::size;
use crate::kind::Kind;

/// A value: its place, and the numbers that make access O(1). 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// The lower half is the offset of the header. The upper half is the number of the first value after this value and
    /// everything in it. Both halves are in one word, so that one addition shifts both.
    place: u64,
    what: What,
}

/// The part of a node that is the same in every copy of the node. It is copied as one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct What {
    /// The length of a leaf in bytes, or the number of children.
    size: u32,
    kind: Kind,
    is_open: bool,
}

const _: () = assert!(size_of::<Node>() == 16, "a tape is as large as its nodes");

impl Node {
    /// A placeholder for a missing value.
    pub(super) const NONE: Self =
        Self { place: 0, what: What { size: 0, kind: Kind::Nil, is_open: false } };

    /// Makes the node a value without children. Offsets and numbers have 32 bits.
    ///
    /// Writes the fields one by one: a node that is composed and then copied causes a store-forwarding stall.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn set_leaf(&mut self, start: usize, len: usize, kind: Kind, next: usize) {
        self.place = place(start, next);
        self.what.size = low_half(word(len));
        self.what.kind = kind;
        self.what.is_open = false;
    }

    /// Makes the node a container. Until the container ends, `next` is the number of the container around it.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn set_open(&mut self, start: usize, items: u32, kind: Kind, next: usize) {
        self.place = place(start, next);
        self.what.size = items;
        self.what.kind = kind;
        self.what.is_open = true;
    }

    /// The distance between copies of a node that are `bytes` bytes and `values` values apart.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn distance(bytes: usize, values: usize) -> u64 {
        place(bytes, values)
    }

    /// The copy of the node at this distance.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn plus(self, distance: u64) -> Self {
        Self { place: self.place.wrapping_add(distance), ..self }
    }

    /// The same node with another `next`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn with_next(self, next: usize) -> Self {
        Self { place: self.place & LOW | word(next) << 32, ..self }
    }

    /// The offset of the header in the document.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn offset(self) -> usize {
        size(low_half(self.place))
    }

    /// The number of the first value after this value and everything in it.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn next(self) -> u32 {
        low_half(self.place >> 32)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn kind(self) -> Kind {
        self.what.kind
    }

    /// Whether the node is a container or an object with a class, possibly empty.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn is_open(self) -> bool {
        self.what.is_open
    }

    /// The number of children; keys and values both count.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn items(self) -> u32 {
        if self.what.is_open { self.what.size } else { 0 }
    }

    /// The length of a leaf in bytes; 0 for others.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn len(self) -> usize {
        if self.what.is_open { 0 } else { size(self.what.size) }
    }
}

const LOW: u64 = 0xffff_ffff;

#[cfg_attr(not(variant_small), inline(always))]
fn place(offset: usize, next: usize) -> u64 {
    word(offset) & LOW | word(next) << 32
}

#[cfg_attr(not(variant_small), inline(always))]
fn word(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(LOW)
}

#[cfg_attr(not(variant_small), inline(always))]
fn low_half(word: u64) -> u32 {
    u32::try_from(word & LOW).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_gives_back_what_it_was_made_of() {
        for &kind in Kind::ALL {
            let mut leaf = Node::NONE;
            leaf.set_leaf(8, 12, kind, 3);
            assert_eq!((leaf.kind(), leaf.offset(), leaf.next(), leaf.len()), (kind, 8, 3, 12));
            assert!(!leaf.is_open() && leaf.items() == 0);
            let mut open = Node::NONE;
            open.set_open(8, 2, kind, usize::MAX);
            let open = open.with_next(9);
            assert_eq!((open.kind(), open.offset(), open.next(), open.items()), (kind, 8, 9, 2));
            assert!(open.is_open() && open.len() == 0);
            let other = open.plus(Node::distance(100, 7));
            assert_eq!((other.offset(), other.next(), other.items()), (108, 16, 2));
        }
    }
}
