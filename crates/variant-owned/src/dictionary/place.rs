//! The position of a key in a [`Dictionary`]: by linear search, or by the index.

use variant_view::Key;
use variant_view::internal::{KeyPart, KeyPlace};

use super::index::Index;
use super::{Dictionary, FEW, Full, Known, Repr};
use crate::key::{self, KeyRule};
use crate::variant::Variant;

impl Dictionary {
    pub(super) fn index_mut(&mut self) -> Option<&mut Index> {
        match &mut self.0 {
            Repr::Plain(_) => None,
            Repr::Full(full) => full.index.as_mut(),
        }
    }

    pub(super) fn append(&mut self, key: Variant, value: Variant, digest: Known) {
        let place = self.len();
        if self.index().is_none() && (place >= FEW || key::is_container(&key)) {
            self.fill(Full::build_index);
        }
        let rule = self.rule();
        if let Some(index) = self.index_mut() {
            let digest = digest.unwrap_or_else(|| key::digest_of(&key, rule));
            index.add(digest, place);
        }
        self.pairs_mut().push((key, value));
    }

    /// The position of a key, and its digest if it was needed.
    pub(super) fn place_of(&self, key: &Variant, digest: Known) -> (Option<usize>, Known) {
        if !key::is_container(key) {
            let mut space = Vec::new();
            return self.place_of_part(&key::part_of(key, &mut space), digest);
        }
        let rule = self.rule();
        let digest = digest.unwrap_or_else(|| key::digest_of(key, rule));
        let is_it = |other: &Variant| key::are_same(other, key, rule);
        // A dictionary without an index has no keys that are containers, so it does not have this key.
        let place = self.index().and_then(|index| index.find(digest?, self.as_slice(), is_it));
        (place, Some(digest))
    }

    pub(crate) fn place_of_key(&self, key: &Key<'_>) -> Option<usize> {
        self.place_of_part(&key.part(), None).0
    }

    /// The position of a leaf key.
    fn place_of_part(&self, part: &KeyPart<'_>, digest: Known) -> (Option<usize>, Known) {
        let rule = self.rule();
        let Some(index) = self.index() else { return (self.search(part, rule), digest) };
        let digest = digest.unwrap_or_else(|| key::digest_of_part(part, rule, KeyPlace::Key));
        let mut space = Vec::new();
        let is_it = |other: &Variant| key::is_part(other, part, rule, &mut space);
        (digest.and_then(|digest| index.find(digest, self.as_slice(), is_it)), Some(digest))
    }

    pub(super) fn index(&self) -> Option<&Index> {
        self.full().and_then(|full| full.index.as_ref())
    }

    #[inline]
    fn search(&self, part: &KeyPart<'_>, rule: KeyRule) -> Option<usize> {
        let Some(wanted) = part.text() else { return self.search_others(part, rule) };
        self.as_slice().iter().position(|(key, _)| match key {
            Variant::String(own) | Variant::StringName(own) => {
                (rule.has_one_text_key() || key.kind() == part.kind)
                    && rule.is_text(own.as_bytes(), wanted)
            }
            _ => false,
        })
    }

    fn search_others(&self, part: &KeyPart<'_>, rule: KeyRule) -> Option<usize> {
        let mut space = Vec::new();
        self.as_slice().iter().position(|(key, _)| key::is_part(key, part, rule, &mut space))
    }
}

impl Full {
    /// Adds an index. All keys are leaves: a container key would have added the index before.
    pub(super) fn build_index(&mut self) {
        let mut index = Index::default();
        for (place, (key, _)) in self.pairs.iter().enumerate() {
            index.add(key::digest_of(key, self.rule), place);
        }
        self.index = Some(index);
    }
}
