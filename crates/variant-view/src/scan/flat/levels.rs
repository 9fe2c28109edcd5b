//! [`Levels`]: the open containers of a flat pass.

use crate::bytes::size;
use crate::contents::Contents;
use crate::stack::Stack;

/// The number of levels in the pass for packets.
pub(super) const NEAR: usize = 16;

/// A container whose items are being read, in one word: the number of remaining items in the low bits, their layout in
/// the high bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level(u64);

/// The bits that hold the number of remaining items.
const LEFT: u64 = 0xffff_ffff;
const ELEMENTS: u64 = 1 << 32;
const PAIRS: u64 = 2 << 32;
const PROPERTIES: u64 = 3 << 32;

impl Level {
    /// No container.
    pub(super) const LEAF: Self = Self(0);

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn new(left: u32, form: Contents) -> Self {
        let form = match form {
            Contents::Elements => ELEMENTS,
            Contents::Pairs => PAIRS,
            Contents::Properties => PROPERTIES,
        };
        Self(u64::from(left) | form)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn is_leaf(self) -> bool {
        self.0 == 0
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn is_empty(self) -> bool {
        self.0 & LEFT == 0
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn left(self) -> u32 {
        u32::try_from(self.0 & LEFT).unwrap_or(u32::MAX)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn has_names(self) -> bool {
        self.0 >= PROPERTIES
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn form(self) -> Contents {
        match self.0 & !LEFT {
            PAIRS => Contents::Pairs,
            PROPERTIES => Contents::Properties,
            _ => Contents::Elements,
        }
    }

    /// Subtracts `items`, at most [`Level::left`], from the number of remaining items.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn take(&mut self, items: u32) {
        self.0 = self.0.wrapping_sub(items.into());
    }
}

pub(super) trait Levels {
    /// Sets a level; all lower levels must be set. Returns whether there was room.
    fn set(&mut self, level: u32, frame: Level) -> bool;

    /// A level that was set.
    fn get(&self, level: u32) -> Option<Level>;
}

/// A few levels, which need less stack space than a [`Stack`].
impl Levels for [Level; NEAR] {
    #[cfg_attr(not(variant_small), inline(always))]
    fn set(&mut self, level: u32, frame: Level) -> bool {
        match self.get_mut(size(level)) {
            Some(place) => {
                *place = frame;
                true
            }
            None => false,
        }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn get(&self, level: u32) -> Option<Level> {
        self.as_slice().get(size(level)).copied()
    }
}

impl Levels for Stack<Level> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn set(&mut self, level: u32, frame: Level) -> bool {
        Self::set(self, level, frame)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn get(&self, level: u32) -> Option<Level> {
        Self::get(self, level)
    }
}
