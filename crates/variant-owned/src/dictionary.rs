//! [`Dictionary`]: pairs in order, found by their keys.

use std::hash::RandomState;
use std::mem;

use hashbrown::HashTable;
use variant_view::Key;

use crate::array::ElementType;
use crate::drop::{dismantle, drop_in_levels};
use crate::key::{self, KeyRule};
use crate::text::Text;
use crate::variant::Variant;

/// A dictionary: pairs in order of insertion, each key once. 24 bytes; what is rare, and an index of many
/// keys, stands on the heap.
///
/// Which keys are the same is the engine's affair ([`KeyRule`]); as there, a second value for a key takes
/// the place of the first.
#[derive(Clone, Default)]
pub struct Dictionary(Repr);

#[derive(Clone)]
enum Repr {
    /// Few pairs, of no declared type, under [`KeyRule::GODOT_4`].
    Plain(Vec<(Variant, Variant)>),
    Full(Box<Full>),
}

#[derive(Clone, Default)]
struct Full {
    pairs: Vec<(Variant, Variant)>,
    rule: KeyRule,
    key_type: ElementType,
    value_type: ElementType,
    is_shared: bool,
    index: Option<Index>,
}

/// Hash of a key to its place.
#[derive(Clone, Default)]
struct Index {
    /// With the hashes, so that growing does not look at keys.
    places: HashTable<(u64, usize)>,
    hasher: RandomState,
}

impl Default for Repr {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

/// More pairs than this are found by an index.
const FEW: usize = 16;

impl Dictionary {
    /// Without pairs.
    pub const fn new() -> Self {
        Self(Repr::Plain(Vec::new()))
    }

    /// Without pairs, under another rule for keys than Godot 4's.
    pub fn with_rule(rule: KeyRule) -> Self {
        let mut dictionary = Self::new();
        if rule != KeyRule::GODOT_4 {
            dictionary.fill(|full| full.rule = rule);
        }
        dictionary
    }

    /// The rule by which keys are the same.
    pub fn rule(&self) -> KeyRule {
        match &self.0 {
            Repr::Plain(_) => KeyRule::GODOT_4,
            Repr::Full(full) => full.rule,
        }
    }

    /// The pairs in order.
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

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// The pairs in order.
    pub fn iter(&self) -> Pairs<'_> {
        Pairs(self.as_slice().iter())
    }

    /// The value of a key. O(1) expected.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Option<&Variant> {
        let place = self.place_of_key(&key.into())?;
        self.as_slice().get(place).map(|(_, value)| value)
    }

    /// The value of a key, to change it. O(1) expected.
    pub fn get_mut<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<&mut Variant> {
        let place = self.place_of_key(&key.into())?;
        self.pairs_mut().get_mut(place).map(|(_, value)| value)
    }

    /// The value of a key of any kind. O(bytes of the key) expected.
    pub fn get_variant(&self, key: &Variant) -> Option<&Variant> {
        let place = self.place_of(key)?;
        self.as_slice().get(place).map(|(_, value)| value)
    }

    /// Sets the value of a key, and gives back the one it had. A new key comes behind the others; a key
    /// that is there keeps its place and its first form. O(bytes of the key) expected.
    pub fn insert(
        &mut self,
        key: impl Into<Variant>,
        value: impl Into<Variant>,
    ) -> Option<Variant> {
        let key = key.into();
        let value = value.into();
        if let Some(place) = self.place_of(&key) {
            let (_, old) = self.pairs_mut().get_mut(place)?;
            return Some(mem::replace(old, value));
        }
        self.append(key, value);
        None
    }

    /// Removes a key and its value. O(pairs): those behind it move up.
    pub fn remove<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<Variant> {
        let place = self.place_of_key(&key.into())?;
        if let Repr::Full(full) = &mut self.0 {
            full.index = None;
        }
        let (_, value) = self.pairs_mut().remove(place);
        self.index_if_many();
        Some(value)
    }

    /// The declared types of keys and values.
    pub fn types(&self) -> (&ElementType, &ElementType) {
        match &self.0 {
            Repr::Plain(_) => (&ElementType::Any, &ElementType::Any),
            Repr::Full(full) => (&full.key_type, &full.value_type),
        }
    }

    /// Declares the types of keys and values; none of them is looked at.
    pub fn set_types(&mut self, key_type: ElementType, value_type: ElementType) {
        let is_any = |of: &ElementType| matches!(of, ElementType::Any);
        if matches!(self.0, Repr::Full(_)) || !is_any(&key_type) || !is_any(&value_type) {
            self.fill(|full| {
                full.key_type = key_type;
                full.value_type = value_type;
            });
        }
    }

    /// Whether Godot 2 marked it as shared with other places.
    pub fn is_shared(&self) -> bool {
        matches!(&self.0, Repr::Full(full) if full.is_shared)
    }

    /// Marks it as shared; only Godot 2 writes that.
    pub fn set_shared(&mut self, is_shared: bool) {
        if is_shared != self.is_shared() {
            self.fill(|full| full.is_shared = is_shared);
        }
    }

    /// Whether it declares no types and has no marks, as far as its form tells.
    #[inline]
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.0, Repr::Plain(_))
    }

    /// The same rule, types and marks, without the pairs.
    pub(crate) fn without_pairs(&self) -> Self {
        let mut dictionary = Self::with_rule(self.rule());
        let (key_type, value_type) = self.types();
        dictionary.set_types(key_type.clone(), value_type.clone());
        dictionary.set_shared(self.is_shared());
        dictionary
    }

    /// Keys and values in turn. Changed keys are not found again.
    pub(crate) fn children_mut(&mut self) -> impl Iterator<Item = &mut Variant> {
        self.pairs_mut().iter_mut().flat_map(|(key, value)| [key, value])
    }

    /// Without pairs, with room for some.
    pub(crate) fn with_room(rule: KeyRule, pairs: usize) -> Self {
        let pairs = Vec::with_capacity(pairs);
        if rule == KeyRule::GODOT_4 {
            Self(Repr::Plain(pairs))
        } else {
            Self(Repr::Full(Box::new(Full { pairs, rule, ..Full::default() })))
        }
    }

    /// Makes room for the value of a key, and says where; a key that is there already keeps its value
    /// until [`Dictionary::close_pair`].
    pub(crate) fn open_pair(&mut self, key: Variant) -> usize {
        self.place_of(&key).unwrap_or_else(|| self.open_new_pair(key))
    }

    /// The same for a key that is known not to be there.
    #[inline]
    pub(crate) fn open_new_pair(&mut self, key: Variant) -> usize {
        let place = self.len();
        match &mut self.0 {
            Repr::Plain(pairs) if place < FEW => pairs.push((key, Variant::Nil)),
            _ => self.append(key, Variant::Nil),
        }
        place
    }

    /// The same for a key of text.
    #[inline]
    pub(crate) fn open_new_text_pair(&mut self, is_name: bool, text: &[u8]) -> usize {
        let place = self.len();
        match &mut self.0 {
            Repr::Plain(pairs) if place < FEW => {
                pairs.push((Variant::of_text(Text::new(), is_name), Variant::Nil));
                if let Some((Variant::String(key) | Variant::StringName(key), _)) = pairs.last_mut()
                {
                    key.set(text);
                }
                place
            }
            _ => self.open_new_pair(Variant::of_text(Text::from_bytes(text), is_name)),
        }
    }

    /// Fills the room that [`Dictionary::open_pair`] made.
    pub(crate) fn close_pair(&mut self, place: usize, value: Variant) {
        if let Some(room) = self.room(place) {
            *room = value;
        }
    }

    /// The room itself, with nil in it.
    #[inline]
    pub(crate) fn room(&mut self, place: usize) -> Option<&mut Variant> {
        let (_, room) = self.pairs_mut().get_mut(place)?;
        if !room.is_nil() {
            *room = Variant::Nil;
        }
        Some(room)
    }

    fn fill(&mut self, change: impl FnOnce(&mut Full)) {
        let mut full = match mem::take(&mut self.0) {
            Repr::Plain(pairs) => Box::new(Full { pairs, ..Full::default() }),
            Repr::Full(full) => full,
        };
        change(&mut full);
        self.0 = Repr::Full(full);
    }

    fn append(&mut self, key: Variant, value: Variant) {
        let place = self.len();
        if let Repr::Full(full) = &mut self.0 {
            full.add_to_index(&key, place);
        }
        self.pairs_mut().push((key, value));
        self.index_if_many();
    }

    fn index_if_many(&mut self) {
        let is_indexed = matches!(&self.0, Repr::Full(full) if full.index.is_some());
        if self.len() > FEW && !is_indexed {
            self.fill(Full::build_index);
        }
    }

    fn place_of(&self, key: &Variant) -> Option<usize> {
        let rule = self.rule();
        if key::has_identity(key, rule) {
            return None;
        }
        self.find(|hasher| key::hash(key, rule, hasher), |other| key::are_same(other, key, rule))
    }

    fn place_of_key(&self, key: &Key<'_>) -> Option<usize> {
        let rule = self.rule();
        self.find(|hasher| key::hash_key(key, rule, hasher), |other| key::is_key(other, key, rule))
    }

    fn find(
        &self,
        hash: impl FnOnce(&RandomState) -> u64,
        is_it: impl Fn(&Variant) -> bool,
    ) -> Option<usize> {
        let index = match &self.0 {
            Repr::Full(full) => full.index.as_ref(),
            Repr::Plain(_) => None,
        };
        let pairs = self.as_slice();
        match index {
            Some(index) => {
                let is_there = |&(_, place): &(u64, usize)| {
                    pairs.get(place).is_some_and(|(key, _)| is_it(key))
                };
                index.places.find(hash(&index.hasher), is_there).map(|&(_, place)| place)
            }
            None => pairs.iter().position(|(key, _)| is_it(key)),
        }
    }
}

impl Full {
    fn build_index(&mut self) {
        self.index = Some(Index::default());
        let pairs = mem::take(&mut self.pairs);
        for (place, (key, _)) in pairs.iter().enumerate() {
            self.add_to_index(key, place);
        }
        self.pairs = pairs;
    }

    /// Not of keys that are never found, all of which might have one hash.
    fn add_to_index(&mut self, key: &Variant, place: usize) {
        let rule = self.rule;
        if key::has_identity(key, rule) {
            return;
        }
        if let Some(Index { places, hasher }) = &mut self.index {
            let hash = key::hash(key, rule, hasher);
            places.insert_unique(hash, (hash, place), |&(hash, _)| hash);
        }
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
    /// By declared types and pairs, in order.
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

/// Iterator of [`Dictionary::iter`].
#[derive(Clone)]
pub struct Pairs<'v>(std::slice::Iter<'v, (Variant, Variant)>);

impl std::fmt::Debug for Pairs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pairs({} left)", self.0.len())
    }
}

impl<'v> Iterator for Pairs<'v> {
    type Item = (&'v Variant, &'v Variant);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Pairs<'_> {}

impl<'v> IntoIterator for &'v Dictionary {
    type Item = (&'v Variant, &'v Variant);
    type IntoIter = Pairs<'v>;

    fn into_iter(self) -> Pairs<'v> {
        self.iter()
    }
}

/// Makes a [`Dictionary`] of anything that is [`Into<Variant>`].
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
        #[allow(unused_mut, reason = "there may be no pairs")]
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
        assert_eq!(dictionary.remove("a").and_then(|old| old.as_i64()), Some(3));
        assert!(dictionary.get("a").is_none());
    }

    #[test]
    fn many_keys_are_indexed() {
        let mut dictionary: Dictionary = (0..1_000_i64).map(|i| (i, i * 2)).collect();
        for i in 0..1_000 {
            assert_eq!(dictionary.get(i).and_then(Variant::as_i64), Some(i64::from(i) * 2));
        }
        assert!(dictionary.get(1_000).is_none());
        assert!(dictionary.get("1").is_none());
        assert!(dictionary.remove(500).is_some());
        assert_eq!(dictionary.get(501).and_then(Variant::as_i64), Some(1_002));
        assert!(dictionary.get(500).is_none());
        dictionary.insert(501, "new");
        assert_eq!(dictionary.len(), 999);
        assert_eq!(dictionary.clone().get(501).and_then(Variant::as_str), Some("new"));
    }
}
