//! [`Dictionary`]: ordered pairs, found by key.

mod build;
mod entry;
mod index;
mod iter;
mod place;

use std::mem;

use variant_view::Key;

pub use self::entry::{Entry, OccupiedEntry, VacantEntry};
use self::index::{Index, Moves};
pub use self::iter::{IntoPairs, Keys, Pairs, PairsMut, Values, ValuesMut};
use crate::array::ElementType;
use crate::drop::{dismantle, drop_in_levels};
use crate::key::{Digest, KeyRule};
use crate::variant::Variant;

/// A dictionary: pairs in insertion order, each key once. 24 bytes; rare fields, and the index of a large
/// dictionary, are boxed.
///
/// Keys are equal by the engine's rule ([`KeyRule`]). As in engines, inserting an existing key replaces its
/// value in place.
///
/// ```
/// use variant_owned::Dictionary;
///
/// let mut player = Dictionary::new();
/// player.insert("hp", 7);
/// assert_eq!(player.insert("hp", 8), Some(7.into())); // the old value
/// assert_eq!(player.get("hp"), Some(&8.into()));
/// assert_eq!(player.remove("hp"), Some(8.into()));
/// assert!(player.is_empty());
/// ```
#[derive(Clone, Default)]
pub struct Dictionary(Repr);

#[derive(Clone)]
enum Repr {
    /// At most 16 pairs with leaf keys, untyped, under [`KeyRule::GODOT_4`].
    Plain(Vec<(Variant, Variant)>),
    Full(Box<Full>),
}

#[derive(Clone, Default)]
struct Full {
    pairs: Vec<(Variant, Variant)>,
    rule: KeyRule,
    /// The declared types of keys and values.
    types: Option<Box<(ElementType, ElementType)>>,
    is_shared: bool,
    index: Option<Index>,
}

/// The digest of a key, if known. The inner `None` means that the key is equal to nothing, not even to itself. A vector
/// with a NaN is such a key.
pub(crate) type Known = Option<Option<Digest>>;

impl Default for Repr {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

/// A dictionary with more pairs has an index of its keys. A dictionary with a key that is a container always has an
/// index.
const FEW: usize = 16;

impl Dictionary {
    /// An empty dictionary. O(1), no allocation.
    pub const fn new() -> Self {
        Self(Repr::Plain(Vec::new()))
    }

    /// An empty dictionary with this key rule. Allocates if the rule is not Godot 4's.
    pub fn with_rule(rule: KeyRule) -> Self {
        let mut dictionary = Self::new();
        if rule != KeyRule::GODOT_4 {
            dictionary.fill(|full| full.rule = rule);
        }
        dictionary
    }

    /// The rule for equal keys.
    pub fn rule(&self) -> KeyRule {
        self.full().map_or(KeyRule::GODOT_4, |full| full.rule)
    }

    #[inline]
    const fn full(&self) -> Option<&Full> {
        match &self.0 {
            Repr::Plain(_) => None,
            Repr::Full(full) => Some(full),
        }
    }

    /// Whether the dictionary has the plain representation. A typed or shared dictionary, or one with another rule than
    /// [`KeyRule::GODOT_4`], has the full representation. Any other dictionary may also have the full representation.
    #[inline]
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.0, Repr::Plain(_))
    }

    /// The pairs in order. O(1).
    pub fn as_slice(&self) -> &[(Variant, Variant)] {
        match &self.0 {
            Repr::Plain(pairs) => pairs,
            Repr::Full(full) => &full.pairs,
        }
    }

    fn pairs_mut(&mut self) -> &mut Vec<(Variant, Variant)> {
        match &mut self.0 {
            Repr::Plain(pairs) => pairs,
            Repr::Full(full) => &mut full.pairs,
        }
    }

    /// The number of pairs. O(1).
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// The value of `key`. O(1) expected.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Option<&Variant> {
        let place = self.place_of_key(&key.into())?;
        self.as_slice().get(place).map(|(_, value)| value)
    }

    /// The mutable value of `key`. O(1) expected.
    pub fn get_mut<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<&mut Variant> {
        let place = self.place_of_key(&key.into())?;
        self.value_mut(place)
    }

    /// The value of a pair by position.
    pub(crate) fn value_mut(&mut self, place: usize) -> Option<&mut Variant> {
        self.pairs_mut().get_mut(place).map(|(_, value)| value)
    }

    /// The value of a key of any kind. O(bytes of the key) expected.
    ///
    /// ```
    /// use variant_owned::{array, dictionary};
    ///
    /// let tiles = dictionary! { array![1, 2] => "grass" };
    /// assert_eq!(tiles.get_variant(&array![1, 2].into()), Some(&"grass".into()));
    /// ```
    pub fn get_variant(&self, key: &Variant) -> Option<&Variant> {
        let place = self.place_of(key, None).0?;
        self.as_slice().get(place).map(|(_, value)| value)
    }

    /// Whether `key` is present. O(1) expected.
    pub fn contains_key<'k>(&self, key: impl Into<Key<'k>>) -> bool {
        self.place_of_key(&key.into()).is_some()
    }

    /// Sets the value of a key; returns the old one. A new key is appended. An equal key that is present keeps its
    /// place, and is not replaced by `key`. O(bytes of the key) expected.
    pub fn insert(
        &mut self,
        key: impl Into<Variant>,
        value: impl Into<Variant>,
    ) -> Option<Variant> {
        let key = key.into();
        let value = value.into();
        let (place, digest) = self.place_of(&key, None);
        if let Some(place) = place {
            let (_, old) = self.pairs_mut().get_mut(place)?;
            return Some(mem::replace(old, value));
        }
        self.append(key, value, digest);
        None
    }

    /// The entry of a key of any kind, to read, change or insert its value. O(bytes of the key) expected.
    pub fn entry(&mut self, key: impl Into<Variant>) -> Entry<'_> {
        let key = key.into();
        match self.place_of(&key, None) {
            (Some(place), _) => Entry::Occupied(OccupiedEntry::new(self, place)),
            (None, digest) => Entry::Vacant(VacantEntry::new(self, key, digest)),
        }
    }

    /// Removes a key; returns its value. Later pairs move up and keep their order, in O(pairs) moves. To remove many
    /// pairs, use [`Dictionary::retain`]: O(pairs) in all.
    pub fn remove<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<Variant> {
        let place = self.place_of_key(&key.into())?;
        self.remove_at(place).map(|(_, value)| value)
    }

    /// [`Dictionary::remove`] by position.
    pub(crate) fn remove_at(&mut self, place: usize) -> Option<(Variant, Variant)> {
        let pairs = self.pairs_mut();
        let pair = (place < pairs.len()).then(|| pairs.remove(place));
        if let Some(index) = self.index_mut() {
            index.remove(place);
        }
        pair
    }

    /// Keeps the pairs for which `keep` returns true, in order. O(pairs), and memory for their positions.
    pub fn retain(&mut self, mut keep: impl FnMut(&Variant, &mut Variant) -> bool) {
        let full = match &mut self.0 {
            Repr::Plain(pairs) => return pairs.retain_mut(|(key, value)| keep(key, value)),
            Repr::Full(full) => &mut **full,
        };
        let mut moves = Moves::new(full.pairs.len(), full.index.as_mut());
        full.pairs.retain_mut(|(key, value)| moves.add(keep(key, value)));
    }

    /// The declared type of the keys. O(1).
    pub fn key_type(&self) -> &ElementType {
        self.types().0
    }

    /// The declared type of the values. O(1).
    pub fn value_type(&self) -> &ElementType {
        self.types().1
    }

    #[inline]
    pub(crate) fn types(&self) -> (&ElementType, &ElementType) {
        let types = self.full().and_then(|full| full.types.as_deref());
        types.map_or((&ElementType::Any, &ElementType::Any), |(key, value)| (key, value))
    }

    /// Declares the types of keys and values; allocates for them. Existing pairs are not checked.
    pub fn set_types(&mut self, key_type: ElementType, value_type: ElementType) {
        let is_any = |of: &ElementType| matches!(of, ElementType::Any);
        if !is_any(&key_type) || !is_any(&value_type) {
            self.fill(|full| full.types = Some(Box::new((key_type, value_type))));
        } else if let Repr::Full(full) = &mut self.0 {
            full.types = None;
        }
    }

    /// Whether Godot 2 marked the dictionary as shared.
    pub fn is_shared(&self) -> bool {
        self.full().is_some_and(|full| full.is_shared)
    }

    /// Sets the shared flag, which only Godot 2 writes. A first change may allocate.
    pub fn set_shared(&mut self, is_shared: bool) {
        if is_shared != self.is_shared() {
            self.fill(|full| full.is_shared = is_shared);
        }
    }

    /// A copy without pairs, with the same rule, types and shared flag.
    pub(crate) fn without_pairs(&self) -> Self {
        let mut dictionary = Self::with_rule(self.rule());
        let (key_type, value_type) = self.types();
        dictionary.set_types(key_type.clone(), value_type.clone());
        dictionary.set_shared(self.is_shared());
        dictionary
    }

    /// All keys and values, each key before its value. A changed key can no longer be found.
    pub(crate) fn children_mut(&mut self) -> impl Iterator<Item = &mut Variant> {
        self.pairs_mut().iter_mut().flat_map(|(key, value)| [key, value])
    }

    fn fill(&mut self, change: impl FnOnce(&mut Full)) {
        let mut full = match mem::take(&mut self.0) {
            Repr::Plain(pairs) => Box::new(Full { pairs, ..Full::default() }),
            Repr::Full(full) => full,
        };
        change(&mut full);
        self.0 = Repr::Full(full);
    }
}

impl Drop for Dictionary {
    fn drop(&mut self) {
        drop_in_levels(self.pairs_mut(), |pairs| {
            dismantle(pairs.iter_mut().flat_map(|(key, value)| [key, value]));
        });
    }
}

impl PartialEq for Dictionary {
    /// Equal types, and equal pairs in equal order. O(bytes).
    fn eq(&self, other: &Self) -> bool {
        self.types() == other.types() && self.as_slice() == other.as_slice()
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut dictionary = Self::new();
        dictionary.extend(pairs);
        dictionary
    }
}

impl<K: Into<Variant>, V: Into<Variant>> Extend<(K, V)> for Dictionary {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(key, value);
        }
    }
}

/// Creates a [`Dictionary`] from keys and values of any type that is [`Into<Variant>`].
///
/// ```
/// use variant_owned::dictionary;
///
/// let player = dictionary! { "name" => "Åsa", "level" => 37, 7 => true };
/// assert_eq!(player.get("level").and_then(|level| level.as_i64()), Some(37));
/// ```
#[macro_export]
macro_rules! dictionary {
    ($($key:expr => $value:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "the macro may have no pairs")]
        let mut dictionary = $crate::Dictionary::new();
        $(dictionary.insert($key, $value);)*
        dictionary
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_keeps_its_place() {
        let mut dictionary = dictionary! { "a" => 1, "b" => 2 };
        assert_eq!(dictionary.insert("a", 3).and_then(|old| old.as_i64()), Some(1));
        let keys: Vec<_> = dictionary.iter().map(|(key, _)| key.as_str().unwrap()).collect();
        assert_eq!(keys, ["a", "b"]);
    }

    /// If the closure panics, the pairs that it did not see remain, and look-ups find each of these pairs.
    #[test]
    fn a_panic_in_retain_loses_no_key() {
        for len in [10_i64, 40] {
            for end in 0..len {
                let mut dictionary: Dictionary = (0..len).map(|i| (i, i)).collect();
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    dictionary.retain(|key, _| {
                        assert!(*key != end, "as planned");
                        key.as_i64().is_some_and(|key| key % 2 == 0)
                    });
                }));
                assert!(outcome.is_err());
                for (at, (key, value)) in dictionary.as_slice().iter().enumerate() {
                    assert_eq!(dictionary.place_of(key, None).0, Some(at), "{len} {end}");
                    assert_eq!(key, value);
                }
                let kept = (0..len).filter(|key| key % 2 == 0 || *key >= end).count();
                assert_eq!(dictionary.len(), kept);
            }
        }
    }
}
