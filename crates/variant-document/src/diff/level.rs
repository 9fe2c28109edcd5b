//! [`Level`]: a pair of open containers, and the items that are compared.

use variant_view::{Key, Kind, VariantView};

use super::difference::Side;
use super::half::Cursor;
use super::ident::ALONE;

/// The place of an item in its container.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place<'a> {
    pub(super) position: u32,
    /// Whether the item is a pair or a property, not an element.
    pub(super) is_pair: bool,
    /// The key of a pair or a property, if a path can name it.
    pub(super) key: Option<Key<'a>>,
    /// The key of a pair, if it is neither text nor an integer.
    pub(super) other: Option<VariantView<'a>>,
    /// The value by which an element is matched.
    pub(super) by: Option<VariantView<'a>>,
    /// Whether the place is the pair's key, not its value.
    pub(super) is_key: bool,
}

/// A pair of open containers of one kind.
#[derive(Debug)]
pub(super) struct Level<'a> {
    pub(super) kind: Kind,
    pub(super) course: Course<'a>,
    /// The places of the items that are compared now.
    pub(super) old: Place<'a>,
    pub(super) new: Place<'a>,
}

impl<'a> Level<'a> {
    /// A pair of containers whose heads have been read. `old` and `new` are the numbers of their items; keys and values
    /// count as separate items.
    pub(super) fn new(kind: Kind, old: u32, new: u32) -> Self {
        let count = |items: u32| if kind == Kind::Dictionary { items / 2 } else { items };
        let course = Course::Together { done: 0, old: count(old), new: count(new) };
        Self { kind, course, old: Place::default(), new: Place::default() }
    }

    pub(super) const fn place(&self, side: Side) -> Place<'a> {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    pub(super) const fn is_array(&self) -> bool {
        !matches!(self.kind, Kind::Dictionary | Kind::Object)
    }
}

/// The pairing of the items.
#[derive(Debug)]
pub(super) enum Course<'a> {
    /// Items at the same position are pairs, up to the first mismatch. `done` is the number of compared items; `old`
    /// and `new` are the numbers of all items.
    Together { done: u32, old: u32, new: u32 },
    /// A list has the partner of each item.
    Listed(Box<Listed<'a>>),
}

/// The items from the first mismatch on, and their partners.
#[derive(Debug)]
pub(super) struct Listed<'a> {
    /// The position of the first of these items.
    pub(super) first: u32,
    /// The offsets of the old and of the new items.
    pub(super) old: Vec<usize>,
    pub(super) new: Vec<usize>,
    /// For each old item, the index of its partner among the new items.
    pub(super) partners: Vec<u32>,
    /// For each new item, whether it has a partner.
    pub(super) is_taken: Vec<bool>,
    /// The number of compared items. The old items come first, then the new items.
    pub(super) done: usize,
    /// The cursors after the items.
    pub(super) behind: (Cursor<'a>, Cursor<'a>),
}

/// The next comparison.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// Offset and position of both items of a pair.
    Pair {
        old: (usize, u32),
        new: (usize, u32),
    },
    /// Side, offset and position of an item without a partner.
    Alone(Side, usize, u32),
    End,
}

impl<'a> Listed<'a> {
    pub(super) fn new(
        first: u32,
        items: (Vec<usize>, Vec<usize>),
        partners: Vec<u32>,
        behind: (Cursor<'a>, Cursor<'a>),
    ) -> Self {
        let (old, new) = items;
        let mut is_taken = vec![false; new.len()];
        for partner in &partners {
            if let Some(taken) = index(*partner).and_then(|at| is_taken.get_mut(at)) {
                *taken = true;
            }
        }
        Self { first, old, new, partners, is_taken, done: 0, behind }
    }

    /// Whether the partners are in another order than the old items.
    pub(super) fn is_reordered(&self) -> bool {
        let mut last = None;
        self.partners.iter().filter(|partner| **partner != ALONE).any(|partner| {
            let is_before = last.is_some_and(|last| *partner < last);
            last = Some(*partner);
            is_before
        })
    }

    /// The next item or pair: first the old items in their order, then the new items without a partner. O(1), plus the
    /// skipped new items.
    pub(super) fn turn(&mut self) -> Turn {
        let position = |at: usize| self.first.saturating_add(u32::try_from(at).unwrap_or(ALONE));
        loop {
            let at = self.done;
            self.done = at.saturating_add(1);
            if let Some(start) = self.old.get(at) {
                let old = (*start, position(at));
                let partner = self.partners.get(at).copied().and_then(index);
                let new = partner.and_then(|at| Some((self.new.get(at).copied()?, position(at))));
                let alone = Turn::Alone(Side::Old, old.0, old.1);
                return new.map_or(alone, |new| Turn::Pair { old, new });
            }
            let at = at.saturating_sub(self.old.len());
            match (self.new.get(at), self.is_taken.get(at)) {
                (Some(start), Some(false)) => return Turn::Alone(Side::New, *start, position(at)),
                (Some(_), _) => {}
                (None, _) => return Turn::End,
            }
        }
    }
}

fn index(partner: u32) -> Option<usize> {
    if partner == ALONE { None } else { usize::try_from(partner).ok() }
}
