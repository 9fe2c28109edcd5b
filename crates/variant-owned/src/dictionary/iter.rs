//! Iterators over the pairs, keys and values of a [`Dictionary`], in order.

use std::{fmt, mem, slice, vec};

use super::Dictionary;
use crate::variant::Variant;

impl Dictionary {
    /// The pairs in order.
    ///
    /// ```
    /// use variant_owned::dictionary;
    ///
    /// let player = dictionary! { "name" => "Åsa", "level" => 37 };
    /// let shown: Vec<_> = player.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    /// assert_eq!(shown, [r#""name" = "Åsa""#, r#""level" = 37"#]);
    /// assert_eq!(player.iter().next_back().map(|(_, level)| level), Some(&37.into()));
    /// ```
    pub fn iter(&self) -> Pairs<'_> {
        Pairs(self.as_slice().iter())
    }

    /// The pairs in order, with mutable values.
    pub fn iter_mut(&mut self) -> PairsMut<'_> {
        PairsMut(self.pairs_mut().iter_mut())
    }

    /// The keys in order.
    pub fn keys(&self) -> Keys<'_> {
        Keys(self.iter())
    }

    /// The values in order.
    pub fn values(&self) -> Values<'_> {
        Values(self.iter())
    }

    /// The values in order, mutable.
    ///
    /// ```
    /// use variant_owned::dictionary;
    ///
    /// let mut flags = dictionary! { "seen" => true, "done" => true };
    /// flags.values_mut().for_each(|flag| *flag = false.into());
    /// assert_eq!(flags, dictionary! { "seen" => false, "done" => false });
    /// ```
    pub fn values_mut(&mut self) -> ValuesMut<'_> {
        ValuesMut(self.iter_mut())
    }
}

/// Defines iterators that wrap another iterator and return parts of the inner iterator's items.
macro_rules! iterators {
    ($($(#[$attribute:meta])* $name:ident$(<$v:lifetime>)?($inner:ty) -> $item:ty, $shown:expr;)*) => {$(
        $(#[$attribute])*
        pub struct $name$(<$v>)?($inner);

        impl$(<$v>)? Iterator for $name$(<$v>)? {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map($shown)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl$(<$v>)? DoubleEndedIterator for $name$(<$v>)? {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map($shown)
            }
        }

        impl$(<$v>)? ExactSizeIterator for $name$(<$v>)? {}
        impl$(<$v>)? std::iter::FusedIterator for $name$(<$v>)? {}

        impl$(<$v>)? fmt::Debug for $name$(<$v>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({} left)"), self.0.len())
            }
        }
    )*};
}

iterators! {
    /// Iterator of [`Dictionary::iter`].
    #[derive(Clone)]
    Pairs<'v>(slice::Iter<'v, (Variant, Variant)>) -> (&'v Variant, &'v Variant), |(key, value)| (key, value);

    /// Iterator of [`Dictionary::iter_mut`].
    PairsMut<'v>(slice::IterMut<'v, (Variant, Variant)>) -> (&'v Variant, &'v mut Variant), |(key, value)| (&*key, value);

    /// Iterator of [`Dictionary::keys`].
    #[derive(Clone)]
    Keys<'v>(Pairs<'v>) -> &'v Variant, |(key, _)| key;

    /// Iterator of [`Dictionary::values`].
    #[derive(Clone)]
    Values<'v>(Pairs<'v>) -> &'v Variant, |(_, value)| value;

    /// Iterator of [`Dictionary::values_mut`].
    ValuesMut<'v>(PairsMut<'v>) -> &'v mut Variant, |(_, value)| value;

    /// Iterator over the pairs of a consumed [`Dictionary`].
    IntoPairs(vec::IntoIter<(Variant, Variant)>) -> (Variant, Variant), |pair| pair;
}

impl IntoIterator for Dictionary {
    type Item = (Variant, Variant);
    type IntoIter = IntoPairs;

    /// Iterates over the owned pairs, in order. O(1).
    ///
    /// ```
    /// use variant_owned::{Variant, dictionary};
    ///
    /// let ages = dictionary! { "Åsa" => 37, "Ib" => 5 };
    /// let names: Vec<Variant> = ages.into_iter().map(|(name, _)| name).collect();
    /// assert_eq!(names, [Variant::from("Åsa"), "Ib".into()]);
    /// ```
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
