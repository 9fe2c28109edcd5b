//! [`Entry`]: the place of a key, there or not.

use std::fmt;

use super::{Dictionary, Known};
use crate::variant::Variant;

/// The place of a key, of [`Dictionary::entry`].
#[derive(Debug)]
pub enum Entry<'d> {
    /// The key is there.
    Occupied(OccupiedEntry<'d>),
    /// It is not.
    Vacant(VacantEntry<'d>),
}

impl<'d> Entry<'d> {
    /// The value; inserts `value` if there is none. O(1).
    pub fn or_insert(self, value: impl Into<Variant>) -> &'d mut Variant {
        self.or_insert_with(|| value.into())
    }

    /// The value; inserts what `make` makes if there is none.
    pub fn or_insert_with(self, make: impl FnOnce() -> Variant) -> &'d mut Variant {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(make()),
        }
    }

    /// Changes the value, if there is one.
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut Variant)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// The key; of one that is there, its first form. O(1).
    pub fn key(&self) -> &Variant {
        match self {
            Self::Occupied(entry) => entry.key(),
            Self::Vacant(entry) => entry.key(),
        }
    }
}

/// A key that is there.
pub struct OccupiedEntry<'d> {
    dictionary: &'d mut Dictionary,
    place: usize,
}

/// The pair at a place at which one was found, or put.
#[expect(
    clippy::indexing_slicing,
    reason = "the dictionary has been borrowed since the pair was there"
)]
fn pair_at(dictionary: &mut Dictionary, place: usize) -> &mut (Variant, Variant) {
    &mut dictionary.pairs_mut()[place]
}

impl<'d> OccupiedEntry<'d> {
    pub(super) const fn new(dictionary: &'d mut Dictionary, place: usize) -> Self {
        Self { dictionary, place }
    }

    /// The key in its first form. O(1).
    pub fn key(&self) -> &Variant {
        self.dictionary.as_slice().get(self.place).map_or(&Variant::Nil, |(key, _)| key)
    }

    /// The value. O(1).
    pub fn get(&self) -> &Variant {
        self.dictionary.as_slice().get(self.place).map_or(&Variant::Nil, |(_, value)| value)
    }

    /// The value, to change it. O(1).
    pub fn get_mut(&mut self) -> &mut Variant {
        &mut pair_at(self.dictionary, self.place).1
    }

    /// The value, to change it for as long as the dictionary is borrowed. O(1).
    pub fn into_mut(self) -> &'d mut Variant {
        &mut pair_at(self.dictionary, self.place).1
    }

    /// Sets the value, and gives back the one there was. O(1).
    pub fn insert(&mut self, value: impl Into<Variant>) -> Variant {
        std::mem::replace(self.get_mut(), value.into())
    }

    /// Removes the key and gives back its value. As [`Dictionary::remove`].
    pub fn remove(self) -> Variant {
        self.dictionary.remove_at(self.place).map(|(_, value)| value).unwrap_or_default()
    }
}

impl fmt::Debug for OccupiedEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, value) = (self.key(), self.get());
        f.debug_struct("OccupiedEntry").field("key", key).field("value", value).finish()
    }
}

/// A key that is not there.
pub struct VacantEntry<'d> {
    dictionary: &'d mut Dictionary,
    key: Variant,
    digest: Known,
}

impl<'d> VacantEntry<'d> {
    pub(super) const fn new(dictionary: &'d mut Dictionary, key: Variant, digest: Known) -> Self {
        Self { dictionary, key, digest }
    }

    /// The key that was looked for. O(1).
    pub const fn key(&self) -> &Variant {
        &self.key
    }

    /// The same, to keep it. O(1).
    pub fn into_key(self) -> Variant {
        self.key
    }

    /// Puts the key and a value behind the other pairs. O(1) expected.
    pub fn insert(self, value: impl Into<Variant>) -> &'d mut Variant {
        let place = self.dictionary.len();
        self.dictionary.append(self.key, value.into(), self.digest);
        &mut pair_at(self.dictionary, place).1
    }
}

impl fmt::Debug for VacantEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key).finish()
    }
}
