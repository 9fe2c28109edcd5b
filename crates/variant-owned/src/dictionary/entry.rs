//! [`Entry`]: a key in a dictionary, present or absent.

use std::fmt;

use super::{Dictionary, Known};
use crate::variant::Variant;

/// The result of [`Dictionary::entry`].
///
/// ```
/// use variant_owned::{Entry, dictionary};
///
/// let mut scores = dictionary! { "ann" => 1 };
/// match scores.entry("ann") {
///     Entry::Occupied(mut score) => drop(score.insert(2)),
///     Entry::Vacant(place) => *place.insert(0) = 1.into(),
/// }
/// assert_eq!(scores, dictionary! { "ann" => 2 });
/// ```
#[derive(Debug)]
pub enum Entry<'d> {
    /// The key is present.
    Occupied(OccupiedEntry<'d>),
    /// The key is absent.
    Vacant(VacantEntry<'d>),
}

impl<'d> Entry<'d> {
    /// The value; `value` is inserted if the key is absent. O(1) expected.
    pub fn or_insert(self, value: impl Into<Variant>) -> &'d mut Variant {
        self.or_insert_with(|| value.into())
    }

    /// The value; the result of `make` is inserted if the key is absent. O(1) expected.
    pub fn or_insert_with(self, make: impl FnOnce() -> Variant) -> &'d mut Variant {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(make()),
        }
    }

    /// Changes the value if the key is present.
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut Variant)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// The key. If an equal key is present, returns the key that the dictionary has. O(1).
    pub fn key(&self) -> &Variant {
        match self {
            Self::Occupied(entry) => entry.key(),
            Self::Vacant(entry) => entry.key(),
        }
    }
}

/// The entry of a key that is present.
///
/// ```
/// use variant_owned::{Entry, dictionary};
///
/// let mut items = dictionary! { "arrow" => 0, "axe" => 1 };
/// if let Entry::Occupied(entry) = items.entry("arrow") {
///     if *entry.get() == 0 {
///         entry.remove();
///     }
/// }
/// assert_eq!(items, dictionary! { "axe" => 1 });
/// ```
pub struct OccupiedEntry<'d> {
    dictionary: &'d mut Dictionary,
    place: usize,
}

/// The pair at `place`, which is a valid position.
#[expect(
    clippy::indexing_slicing,
    reason = "the pair exists: the dictionary is borrowed since it was found"
)]
fn pair_at(dictionary: &mut Dictionary, place: usize) -> &mut (Variant, Variant) {
    &mut dictionary.pairs_mut()[place]
}

impl<'d> OccupiedEntry<'d> {
    pub(super) const fn new(dictionary: &'d mut Dictionary, place: usize) -> Self {
        Self { dictionary, place }
    }

    /// The key that the dictionary has. O(1).
    pub fn key(&self) -> &Variant {
        self.dictionary.as_slice().get(self.place).map_or(&Variant::Nil, |(key, _)| key)
    }

    /// The value. O(1).
    pub fn get(&self) -> &Variant {
        self.dictionary.as_slice().get(self.place).map_or(&Variant::Nil, |(_, value)| value)
    }

    /// The value, mutable. O(1).
    pub fn get_mut(&mut self) -> &mut Variant {
        &mut pair_at(self.dictionary, self.place).1
    }

    /// The value, mutable, for the lifetime of the borrow. O(1).
    pub fn into_mut(self) -> &'d mut Variant {
        &mut pair_at(self.dictionary, self.place).1
    }

    /// Sets the value; returns the old one. O(1).
    pub fn insert(&mut self, value: impl Into<Variant>) -> Variant {
        std::mem::replace(self.get_mut(), value.into())
    }

    /// Removes the pair; returns its value. Costs as much as [`Dictionary::remove`].
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

/// The entry of a key that is absent.
///
/// ```
/// use variant_owned::{Entry, dictionary};
///
/// let mut items = dictionary! { "axe" => 1 };
/// if let Entry::Vacant(entry) = items.entry("bow") {
///     assert_eq!(*entry.key(), "bow");
///     entry.insert(2);
/// }
/// assert_eq!(items, dictionary! { "axe" => 1, "bow" => 2 });
/// ```
pub struct VacantEntry<'d> {
    dictionary: &'d mut Dictionary,
    key: Variant,
    digest: Known,
}

impl<'d> VacantEntry<'d> {
    pub(super) const fn new(dictionary: &'d mut Dictionary, key: Variant, digest: Known) -> Self {
        Self { dictionary, key, digest }
    }

    /// The key that was looked up. O(1).
    pub const fn key(&self) -> &Variant {
        &self.key
    }

    /// The key that was looked up, owned. O(1).
    pub fn into_key(self) -> Variant {
        self.key
    }

    /// Appends the key with a value. O(1) expected.
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
