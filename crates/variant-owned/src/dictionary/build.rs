//! Builds a [`Dictionary`] pair by pair, from events.

use std::mem;

use super::{Dictionary, FEW, Full, Known, Repr};
use crate::array::make_room;
use crate::key::{self, KeyRule};
use crate::text::Text;
use crate::variant::Variant;

impl Dictionary {
    pub(crate) fn with_room(rule: KeyRule, pairs: usize) -> Self {
        let pairs = Vec::with_capacity(pairs);
        if rule == KeyRule::GODOT_4 {
            Self(Repr::Plain(pairs))
        } else {
            Self(Repr::Full(Box::new(Full { pairs, rule, ..Full::default() })))
        }
    }

    /// Makes room for one more pair. `claim` is the number of pairs that the input announces.
    #[inline]
    pub(crate) fn make_room(&mut self, claim: usize) {
        make_room(self.pairs_mut(), claim);
    }

    /// Prepares a pair for a key, and returns the position of the pair. An existing key keeps its value until
    /// [`Dictionary::close_pair`].
    pub(crate) fn open_pair(&mut self, key: Variant, digest: Known) -> usize {
        let (found, digest) = self.place_of(&key, digest);
        found.unwrap_or_else(|| {
            let place = self.len();
            self.append(key, Variant::Nil, digest);
            place
        })
    }

    /// Whether a small dictionary clearly lacks this key: each of its keys is of another kind, or differs in an ASCII
    /// character. False does not mean that the dictionary has the key.
    ///
    /// Measured: with this check, building the value of a packet takes 0.7 times as long, because a new key is written
    /// in place without a look-up.
    #[inline]
    pub(crate) fn lacks_text_key(&self, text: &[u8]) -> bool {
        match &self.0 {
            Repr::Plain(pairs) if pairs.len() < FEW => pairs.iter().all(|(key, _)| match key {
                Variant::String(own) | Variant::StringName(own) => {
                    key::are_clearly_different(own.as_bytes(), text)
                }
                _ => true,
            }),
            _ => false,
        }
    }

    /// [`Dictionary::open_pair`] for a text key that is known to be absent.
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
            _ => {
                self.append(Variant::of_text(Text::from_bytes(text), is_name), Variant::Nil, None);
                place
            }
        }
    }

    /// Sets the value of a pair that [`Dictionary::open_pair`] prepared.
    pub(crate) fn close_pair(&mut self, place: usize, value: Variant) {
        if let Some(room) = self.room(place) {
            *room = value;
        }
    }

    /// The value of a pair that [`Dictionary::open_pair`] prepared. Sets the value to nil first.
    #[inline]
    pub(crate) fn room(&mut self, place: usize) -> Option<&mut Variant> {
        let (_, room) = self.pairs_mut().get_mut(place)?;
        if !room.is_nil() {
            *room = Variant::Nil;
        }
        Some(room)
    }

    /// Puts the pairs in the order of the given positions; pairs without a given position come last. O(pairs):
    /// no key is hashed.
    pub(crate) fn reorder(&mut self, order: impl FnOnce(&[(Variant, Variant)]) -> Vec<usize>) {
        let order = order(self.as_slice());
        let pairs = self.pairs_mut();
        let mut left: Vec<_> = mem::take(pairs).into_iter().map(Some).collect();
        let mut moved = vec![None; left.len()];
        for place in order.into_iter().chain(0..left.len()) {
            let Some(pair) = left.get_mut(place).and_then(Option::take) else { continue };
            if let Some(moved) = moved.get_mut(place) {
                *moved = Some(pairs.len());
            }
            pairs.push(pair);
        }
        if let Some(index) = self.index_mut() {
            index.move_to(&moved);
        }
    }
}
