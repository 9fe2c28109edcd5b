//! [`Digest`]: the hash that finds a key.
//!
//! The digest of a container is computed from the digests of its items. So a key that is built item by item is hashed
//! once, at any depth.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::num::NonZeroU64;
use std::sync::LazyLock;

use variant_view::internal::{KeyPart, KeyPlace};

use super::{KeyRule, part_of, place_in_key};
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

/// The hash of a key. Equal keys have equal hashes. A program that chooses the keys cannot predict their hashes.
pub(crate) type Digest = NonZeroU64;

/// A keyed hash (`SipHash`) with a secret per process. An attacker who does not know the secret cannot choose keys with
/// equal digests.
static SECRET: LazyLock<RandomState> = LazyLock::new(RandomState::new);

fn end(hasher: &DefaultHasher) -> Digest {
    NonZeroU64::new(hasher.finish()).unwrap_or(NonZeroU64::MIN)
}

/// The digest of a leaf; `None` if the leaf is equal to nothing, not even to itself. O(bytes).
pub(crate) fn digest_of_part(part: &KeyPart<'_>, rule: KeyRule, place: KeyPlace) -> Option<Digest> {
    if part.is_unlike_any(rule, place) {
        return None;
    }
    let mut hasher = SECRET.build_hasher();
    part.hash(rule, place, &mut hasher);
    Some(end(&hasher))
}

/// The digest of any key; `None` if the key or one of its parts is equal to nothing, not even to itself. O(bytes).
pub(crate) fn digest_of(key: &Variant, rule: KeyRule) -> Option<Digest> {
    let mut digests = Digests::default();
    let mut open = Vec::new();
    let mut whole = None;
    for visit in Walk::new(key) {
        let (digest, place) = match visit {
            Visit::Leaf(value, place) => (digests.leaf(value, rule, place_in_key(place)), place),
            Visit::Enter(value, place) => {
                if part_of(value, &mut digests.space).is_unlike_any(rule, place_in_key(place)) {
                    return None;
                }
                digests.open();
                open.push((value, place));
                continue;
            }
            Visit::Exit => {
                let Some((value, place)) = open.pop() else { break };
                (digests.close(value, rule, place_in_key(place)), place)
            }
        };
        // If one part is equal to nothing, not even to itself (NaN), the key equals no other key, whatever its other
        // parts are.
        whole = Some(digest?);
        match place {
            Place::Key(pair) => digests.key(pair, digest),
            Place::Value(pair) => digests.value(pair, digest),
            _ => digests.element(digest),
        }
    }
    whole
}

#[derive(Default)]
pub(crate) struct Digests {
    open: Vec<Items>,
    space: Vec<u8>,
}

/// The digests of a container's items; `None` for items that are equal to nothing, not even to themselves.
struct Items {
    /// The digest of all elements so far; `None` after an element that is equal to nothing.
    elements: Option<Digest>,
    /// For each distinct key, the digests of the key and of its last value, in the order of first occurrence.
    pairs: Vec<[Option<Digest>; 2]>,
}

impl Digests {
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(crate) fn open(&mut self) {
        self.open.push(Items { elements: Some(Digest::MIN), pairs: Vec::new() });
    }

    pub(crate) fn leaf(
        &mut self,
        value: &Variant,
        rule: KeyRule,
        place: KeyPlace,
    ) -> Option<Digest> {
        digest_of_part(&part_of(value, &mut self.space), rule, place)
    }

    /// Adds an element to the innermost container.
    pub(crate) fn element(&mut self, digest: Option<Digest>) {
        let Some(items) = self.open.last_mut() else { return };
        items.elements = items.elements.zip(digest).map(|both| {
            let mut hasher = SECRET.build_hasher();
            both.hash(&mut hasher);
            end(&hasher)
        });
    }

    /// Adds the key of a pair to the innermost container.
    pub(crate) fn key(&mut self, pair: usize, digest: Option<Digest>) {
        let Some(items) = self.open.last_mut() else { return };
        if pair == items.pairs.len() {
            items.pairs.push([digest, None]);
        }
    }

    /// Sets the value of a pair.
    pub(crate) fn value(&mut self, pair: usize, digest: Option<Digest>) {
        let pairs = self.open.last_mut().map(|items| &mut items.pairs);
        if let Some([_, value]) = pairs.and_then(|pairs| pairs.get_mut(pair)) {
            *value = digest;
        }
    }

    /// Closes the innermost container, which became `value`.
    pub(crate) fn close(
        &mut self,
        value: &Variant,
        rule: KeyRule,
        place: KeyPlace,
    ) -> Option<Digest> {
        let items = self.open.pop()?;
        let part = part_of(value, &mut self.space);
        if part.is_unlike_any(rule, place) {
            return None;
        }
        let mut hasher = SECRET.build_hasher();
        part.hash(rule, place, &mut hasher);
        hasher.write_u64(items.elements?.get());
        for digest in items.pairs.into_iter().flatten() {
            hasher.write_u64(digest?.get());
        }
        Some(end(&hasher))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_has_a_secret() {
        let (key, rule) = (Variant::from(7), KeyRule::GODOT_4);
        let mut open = DefaultHasher::new();
        part_of(&key, &mut Vec::new()).hash(rule, KeyPlace::Key, &mut open);
        let digest = digest_of(&key, rule);
        assert!(digest.is_some() && digest != Some(end(&open)));
        assert_eq!(digest, digest_of(&key, rule));
    }
}
