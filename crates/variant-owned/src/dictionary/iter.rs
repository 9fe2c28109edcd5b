//! Iterators over the pairs, keys and values of a [`Dictionary`], in order.

use std::{fmt, mem, slice, vec};

use super::Dictionary;
use crate::variant::Variant;

impl Dictionary {
    /// The pairs in order.
    pub fn iter(&self) -> Pairs<'_> {
        Pairs(self.as_slice().iter())
    }

    /// The pairs in order, with mutable values.
    ///
    /// ```
    /// use variant_owned::dictionary;
    ///
    /// let mut prices = dictionary! { "sword" => 10, "arrow" => 1 };
    /// for (_, price) in prices.iter_mut() {
    ///     *price = (price.as_i64().unwrap_or(0) * 2).into();
    /// }
    /// assert_eq!(prices, dictionary! { "sword" => 20, "arrow" => 2 });
    /// ```
    pub fn iter_mut(&mut self) -> PairsMut<'_> {
        PairsMut(self.pairs_mut().iter_mut())
    }

    /// The keys in order.
    ///
    /// ```
    /// use variant_owned::dictionary;
    ///
    /// let player = dictionary! { "name" => "Åsa", "level" => 37 };
    /// assert!(player.keys().filter_map(|key| key.as_str()).eq(["name", "level"]));
    /// ```
    pub fn keys(&self) -> Keys<'_> {
        Keys(self.iter())
    }

    /// The values in order.
    ///
    /// ```
    /// use variant_owned::dictionary;
    ///
    /// let ages = dictionary! { "Åsa" => 37, "Ib" => 5 };
    /// assert_eq!(ages.values().filter_map(|age| age.as_i64()).sum::<i64>(), 42);
    /// ```
    pub fn values(&self) -> Values<'_> {
        Values(self.iter())
    }

    /// The values in order, mutable.
    pub fn values_mut(&mut self) -> ValuesMut<'_> {
        ValuesMut(self.iter_mut())
    }
}

/// Iterator of [`Dictionary::iter`].
#[derive(Clone)]
pub struct Pairs<'v>(slice::Iter<'v, (Variant, Variant)>);

impl<'v> Iterator for Pairs<'v> {
    type Item = (&'v Variant, &'v Variant);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Pairs<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl ExactSizeIterator for Pairs<'_> {}
impl std::iter::FusedIterator for Pairs<'_> {}

impl fmt::Debug for Pairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pairs({} left)", self.0.len())
    }
}

/// Iterator of [`Dictionary::iter_mut`].
pub struct PairsMut<'v>(slice::IterMut<'v, (Variant, Variant)>);

impl<'v> Iterator for PairsMut<'v> {
    type Item = (&'v Variant, &'v mut Variant);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (&*key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for PairsMut<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (&*key, value))
    }
}

impl ExactSizeIterator for PairsMut<'_> {}
impl std::iter::FusedIterator for PairsMut<'_> {}

impl fmt::Debug for PairsMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PairsMut({} left)", self.0.len())
    }
}

/// Iterator of [`Dictionary::keys`].
#[derive(Clone)]
pub struct Keys<'v>(Pairs<'v>);

impl<'v> Iterator for Keys<'v> {
    type Item = &'v Variant;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, _)| key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Keys<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, _)| key)
    }
}

impl ExactSizeIterator for Keys<'_> {}
impl std::iter::FusedIterator for Keys<'_> {}

impl fmt::Debug for Keys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({} left)", self.0.len())
    }
}

/// Iterator of [`Dictionary::values`].
#[derive(Clone)]
pub struct Values<'v>(Pairs<'v>);

impl<'v> Iterator for Values<'v> {
    type Item = &'v Variant;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(_, value)| value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Values<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(_, value)| value)
    }
}

impl ExactSizeIterator for Values<'_> {}
impl std::iter::FusedIterator for Values<'_> {}

impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Values({} left)", self.0.len())
    }
}

/// Iterator of [`Dictionary::values_mut`].
pub struct ValuesMut<'v>(PairsMut<'v>);

impl<'v> Iterator for ValuesMut<'v> {
    type Item = &'v mut Variant;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(_, value)| value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for ValuesMut<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(_, value)| value)
    }
}

impl ExactSizeIterator for ValuesMut<'_> {}
impl std::iter::FusedIterator for ValuesMut<'_> {}

impl fmt::Debug for ValuesMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValuesMut({} left)", self.0.len())
    }
}

/// Iterator over the pairs of a consumed [`Dictionary`].
pub struct IntoPairs(vec::IntoIter<(Variant, Variant)>);

impl Iterator for IntoPairs {
    type Item = (Variant, Variant);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for IntoPairs {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for IntoPairs {}
impl std::iter::FusedIterator for IntoPairs {}

impl fmt::Debug for IntoPairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IntoPairs({} left)", self.0.len())
    }
}

impl IntoIterator for Dictionary {
    type Item = (Variant, Variant);
    type IntoIter = IntoPairs;

    /// Iterates over the owned pairs, in order. O(1).
    fn into_iter(mut self) -> IntoPairs {
        IntoPairs(mem::take(self.pairs_mut()).into_iter())
    }
}

impl<'v> IntoIterator for &'v Dictionary {
    type Item = (&'v Variant, &'v Variant);
    type IntoIter = Pairs<'v>;

    fn into_iter(self) -> Pairs<'v> {
        self.iter()
    }
}

impl<'v> IntoIterator for &'v mut Dictionary {
    type Item = (&'v Variant, &'v mut Variant);
    type IntoIter = PairsMut<'v>;

    fn into_iter(self) -> PairsMut<'v> {
        self.iter_mut()
    }
}
