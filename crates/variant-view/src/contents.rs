//! [`Contents`]: how the children of a container stand; [`OpenContainer`]: one whose children are being read.

/// How the children of a container are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub(crate) enum Contents {
    /// Values.
    #[default]
    Elements,
    /// Keys and values in turn; both count as items.
    Pairs,
    /// Values, each behind a name without a header.
    Properties,
}

/// A container whose items are being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenContainer {
    /// How many items are to be read.
    pub(crate) left: u32,
    /// How many there are in all.
    pub(crate) items: u32,
    pub(crate) form: Contents,
}

impl OpenContainer {
    /// What stands around the root: room for one value.
    pub(crate) const ROOT: Self = Self::new(1, Contents::Elements);

    #[inline(always)]
    pub(crate) const fn new(items: u32, form: Contents) -> Self {
        Self { left: items, items, form }
    }

    /// The item that is read next.
    #[inline(always)]
    pub(crate) const fn index(self) -> u32 {
        self.items.wrapping_sub(self.left)
    }
}

/// A [`OpenContainer`] in eight bytes, since there is room for a thousand of them.
///
/// Counts have 31 bits; of pairs there are twice as many items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredContainer {
    pub(crate) left: u32,
    pub(crate) items: u32,
}

const TOP: u32 = 1 << 31;

impl OpenContainer {
    #[inline(always)]
    pub(crate) const fn pack(self) -> StoredContainer {
        let Self { left, items, form } = self;
        match form {
            Contents::Elements => StoredContainer { left, items },
            Contents::Properties => StoredContainer { left: left | TOP, items },
            // Items of pairs are even in number.
            Contents::Pairs => StoredContainer { left, items: items >> 1 | TOP },
        }
    }
}

impl StoredContainer {
    #[inline(always)]
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
