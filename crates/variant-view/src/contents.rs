//! [`Contents`]: the layout of a container's children. [`OpenContainer`]: a container being read.

/// The layout of a container's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub(crate) enum Contents {
    /// Values.
    #[default]
    Elements,
    /// Keys and values alternate; both count as items.
    Pairs,
    /// Values, each after a name without a header.
    Properties,
}

/// A container whose items are being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenContainer {
    /// The number of unread items.
    pub(crate) left: u32,
    /// The number of all items.
    pub(crate) items: u32,
    pub(crate) form: Contents,
}

impl OpenContainer {
    /// A pseudo-container whose only item is the root.
    pub(crate) const ROOT: Self = Self::new(1, Contents::Elements);

    #[inline]
    pub(crate) const fn new(items: u32, form: Contents) -> Self {
        Self { left: items, items, form }
    }

    /// The index of the next item.
    #[inline]
    pub(crate) const fn index(self) -> u32 {
        self.items.wrapping_sub(self.left)
    }
}

/// An [`OpenContainer`] in 8 bytes. The stack has room for a thousand containers, so each must be small.
///
/// A count on the wire has 31 bits, so bit 31 can hold the form. A dictionary has twice as many items as pairs, so half
/// the number of its items is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredContainer {
    pub(crate) left: u32,
    pub(crate) items: u32,
}

const TOP: u32 = 1 << 31;

impl OpenContainer {
    #[inline]
    pub(crate) const fn pack(self) -> StoredContainer {
        let Self { left, items, form } = self;
        match form {
            Contents::Elements => StoredContainer { left, items },
            Contents::Properties => StoredContainer { left: left | TOP, items },
            // Pairs have an even number of items.
            Contents::Pairs => StoredContainer { left, items: items >> 1 | TOP },
        }
    }
}

impl StoredContainer {
    #[inline]
    pub(crate) const fn unpack(self) -> OpenContainer {
        let Self { left, items } = self;
        if items & TOP != 0 {
            OpenContainer { left, items: items << 1, form: Contents::Pairs }
        } else if left & TOP != 0 {
            OpenContainer { left: left & !TOP, items, form: Contents::Properties }
        } else {
            OpenContainer { left, items, form: Contents::Elements }
        }
    }
}
