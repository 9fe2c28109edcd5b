//! [`Index`]: the positions of a dictionary's keys.

use hashbrown::HashTable;

use crate::key::Digest;
use crate::variant::Variant;

/// Maps the digest of a key to its position.
#[derive(Clone, Default)]
pub(super) struct Index {
    /// The positions, stored with the digests, so that the table grows without hashing keys again.
    places: HashTable<(Digest, usize)>,
}

impl Index {
    /// Adds the position of a key with this digest. A key without a digest is equal to nothing, so no look-up finds it,
    /// and it is not added.
    pub(super) fn add(&mut self, digest: Option<Digest>, place: usize) {
        if let Some(digest) = digest {
            let hash = |&(digest, _): &(Digest, usize)| digest.get();
            self.places.insert_unique(digest.get(), (digest, place), hash);
        }
    }

    /// The position of a key. Only keys with the same digest are compared, and these are almost always equal.
    pub(super) fn find(
        &self,
        digest: Digest,
        pairs: &[(Variant, Variant)],
        mut is_it: impl FnMut(&Variant) -> bool,
    ) -> Option<usize> {
        let is_there = |&(own, place): &(Digest, usize)| {
            own == digest && pairs.get(place).is_some_and(|(key, _)| is_it(key))
        };
        self.places.find(digest.get(), is_there).map(|&(_, place)| place)
    }

    /// Updates the positions after the removal of a pair.
    pub(super) fn remove(&mut self, removed: usize) {
        self.places.retain(|(_, place)| {
            let is_kept = *place != removed;
            *place = place.saturating_sub(usize::from(*place > removed));
            is_kept
        });
    }

    /// Replaces each position by its new one. Removes the positions of pairs that no longer exist.
    pub(super) fn move_to(&mut self, places: &[Option<usize>]) {
        self.places.retain(|(_, place)| {
            let moved = places.get(*place).copied().flatten();
            *place = moved.unwrap_or_default();
            moved.is_some()
        });
    }
}

/// The new positions of pairs during a removal. Dropping this value updates the index, also after a panic.
pub(super) struct Moves<'i> {
    index: Option<&'i mut Index>,
    places: Vec<Option<usize>>,
    kept: usize,
    /// The number of pairs before the removal.
    pairs: usize,
}

impl<'i> Moves<'i> {
    pub(super) const fn new(pairs: usize, index: Option<&'i mut Index>) -> Self {
        Self { index, places: Vec::new(), kept: 0, pairs }
    }

    /// Adds the next pair, and returns whether it is kept.
    pub(super) fn add(&mut self, is_kept: bool) -> bool {
        self.places.push(is_kept.then_some(self.kept));
        self.kept = self.kept.saturating_add(is_kept.into());
        is_kept
    }
}

impl Drop for Moves<'_> {
    fn drop(&mut self) {
        // Pairs that were not visited stay.
        for _ in self.places.len()..self.pairs {
            self.add(true);
        }
        if let Some(index) = &mut self.index {
            index.move_to(&self.places);
        }
    }
}
