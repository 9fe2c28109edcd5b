//! [`Frame`]: a container on the way down.

use crate::layout::Form;

/// A container whose items are being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// How many items are to be read.
    pub(crate) left: u32,
    /// How many there are in all.
    pub(crate) items: u32,
    pub(crate) form: Form,
}

impl Frame {
    /// What stands around the root: room for one value.
    pub(crate) const ROOT: Self = Self::new(1, Form::Elements);

    #[inline(always)]
    pub(crate) const fn new(items: u32, form: Form) -> Self {
        Self { left: items, items, form }
    }

    /// The item that is read next.
    #[inline(always)]
    pub(crate) const fn index(self) -> u32 {
        self.items.wrapping_sub(self.left)
    }
}

/// A [`Frame`] in eight bytes, since there is room for a thousand of them.
///
/// Counts have 31 bits; of pairs there are twice as many items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed {
    pub(crate) left: u32,
    pub(crate) items: u32,
}

const TOP: u32 = 1 << 31;

impl Frame {
    #[inline(always)]
    pub(crate) const fn pack(self) -> Packed {
        let Self { left, items, form } = self;
        match form {
            Form::Elements => Packed { left, items },
            Form::Properties => Packed { left: left | TOP, items },
            // Items of pairs are even in number.
            Form::Pairs => Packed { left, items: items >> 1 | TOP },
        }
    }
}

impl Packed {
    #[inline(always)]
    pub(crate) const fn unpack(self) -> Frame {
        let Self { left, items } = self;
        if items & TOP != 0 {
            Frame { left, items: items << 1, form: Form::Pairs }
        } else if left & TOP != 0 {
            Frame { left: left & !TOP, items, form: Form::Properties }
        } else {
            Frame { left, items, form: Form::Elements }
        }
    }
}
