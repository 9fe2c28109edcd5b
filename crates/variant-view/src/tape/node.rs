//! [`Node`]: one value of a tape.

use crate::bytes::{count, size};
use crate::kind::Kind;

/// A value: its place, and what makes access to it O(1). 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    offset: u32,
    next: u32,
    size: u32,
    kind: Kind,
    is_open: bool,
}

const _: () = assert!(size_of::<Node>() == 16, "a tape is as large as its nodes");

impl Node {
    /// Stands for a value that is not there.
    pub(super) const NONE: Self = Self { offset: 0, next: 0, size: 0, kind: Kind::Nil, is_open: false };

    #[inline(always)]
    pub(super) fn leaf(start: usize, end: usize, kind: Kind, next: u32) -> Self {
        let size = count(end.wrapping_sub(start));
        Self { offset: count(start), next, size, kind, is_open: false }
    }

    /// A container, or an object with a class. `next` is for the filler to use until it ends.
    #[inline(always)]
    pub(super) fn open(start: usize, items: u32, kind: Kind, next: u32) -> Self {
        Self { offset: count(start), next, size: items, kind, is_open: true }
    }

    /// The node so many bytes and values further on.
    #[inline(always)]
    pub(super) const fn plus(self, bytes: u32, values: u32) -> Self {
        let offset = self.offset.wrapping_add(bytes);
        Self { offset, next: self.next.wrapping_add(values), ..self }
    }

    /// The same with another `next`.
    #[inline(always)]
    pub(super) const fn with_next(self, next: u32) -> Self {
        Self { next, ..self }
    }

    /// The offset of the header in the document.
    #[inline(always)]
    pub(super) fn offset(self) -> usize {
        size(self.offset)
    }

    /// The number of the first value behind this one and everything in it.
    #[inline(always)]
    pub(super) const fn next(self) -> u32 {
        self.next
    }

    #[inline(always)]
    pub(super) const fn kind(self) -> Kind {
        self.kind
    }

    /// Whether it is a container or an object with a class, possibly empty.
    #[inline(always)]
    pub(super) const fn is_open(self) -> bool {
        self.is_open
    }

    /// The number of children; keys and values both count.
    #[inline(always)]
    pub(super) const fn items(self) -> u32 {
        if self.is_open { self.size } else { 0 }
    }

    /// The length of a leaf in bytes; 0 for others.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        if self.is_open { 0 } else { size(self.size) }
    }
}
