//! [`Index`]: where in a dictionary the keys stand.

use hashbrown::HashTable;

use crate::key::Digest;
use crate::variant::Variant;

/// Digest of a key to its place.
#[derive(Clone, Default)]
pub(super) struct Index {
    /// With the digests, so that growing does not look at keys.
    places: HashTable<(Digest, usize)>,
}

impl Index {
    /// The key at a place, but not one that is never found, all of which might have one digest.
    pub(super) fn add(&mut self, digest: Option<Digest>, place: usize) {
        if let Some(digest) = digest {
            let hash = |&(digest, _): &(Digest, usize)| digest.get();
            self.places.insert_unique(digest.get(), (digest, place), hash);
        }
    }

    /// The place of a key. No key is looked at but one of the same digest, which is that key but for an accident.
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

    /// A pair has been removed, and those behind it have moved up.
    pub(super) fn remove(&mut self, removed: usize) {
        self.places.retain(|(_, place)| {
            let is_kept = *place != removed;
            *place = place.saturating_sub(usize::from(*place > removed));
            is_kept
        });
    }

    /// For each place there was, where its pair is now, if it is.
    pub(super) fn move_to(&mut self, places: &[Option<usize>]) {
        self.places.retain(|(_, place)| {
            let moved = places.get(*place).copied().flatten();
            *place = moved.unwrap_or_default();
            moved.is_some()
        });
    }
}
