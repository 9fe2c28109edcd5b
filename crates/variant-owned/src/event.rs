//! Owned values as events: `&Variant` is a [`Producer`], a [`Collector`] makes a [`Variant`] of what it is given.

mod collector;
mod feed;

pub use collector::Collector;
pub(crate) use collector::Open;
pub(crate) use feed::{GiveLeaf, feed, head_of, leaf};
use variant_view::{FeedError, Head, Leaf, Numbers, Producer};

use crate::variant::Variant;

impl Variant {
    /// The value that a producer makes: a document, a view, parsed text or JSON, another value.
    ///
    /// O(what is produced), without recursion. Memory grows with the values that are there, never with a count that is
    /// claimed. Of a key that stands twice in a dictionary the last value is kept, in the place of the first, by the rule
    /// that the producer gives or, if it gives none, by that of its dialect or else of Godot 4.
    ///
    /// ```
    /// use variant_owned::{Variant, array};
    ///
    /// let value = Variant::from(array![1, "two"]);
    /// assert_eq!(Variant::from_producer(&value), Ok(value));
    /// ```
    ///
    /// # Errors
    /// Whatever is wrong with the producer's input.
    pub fn from_producer<P: Producer>(producer: P) -> Result<Self, P::Error> {
        let mut collector = Collector::for_input(&producer.input());
        match producer.feed(&mut collector) {
            Ok(()) => Ok(collector.finish().unwrap_or_default()),
            Err(FeedError::Producer(error)) => Err(error),
            Err(FeedError::Consumer(never)) => match never {},
        }
    }

    /// The value of a leaf. O(bytes); allocates what the value needs.
    ///
    /// ```
    /// use variant_owned::Variant;
    /// use variant_view::Leaf;
    ///
    /// assert_eq!(Variant::from_leaf(&Leaf::String(b"axe")), Variant::from("axe"));
    /// ```
    #[inline(always)]
    pub fn from_leaf(leaf: &Leaf<'_>) -> Self {
        Self::try_from_leaf(leaf).unwrap_or_default()
    }

    /// Gives the value to `take` as a leaf; a container or an object in full as null. O(1), without an allocation.
    ///
    /// ```
    /// use variant_owned::Variant;
    /// use variant_view::Leaf;
    ///
    /// let is_true = Variant::from(true).with_leaf(|leaf| matches!(leaf, Leaf::Bool(true)));
    /// assert!(is_true);
    /// ```
    #[inline]
    pub fn with_leaf<R>(&self, take: impl FnOnce(Leaf<'_>) -> R) -> R {
        self.payload_leaf(take)
    }

    /// What precedes the children of a container or of an object in full; none for a leaf. O(1).
    ///
    /// ```
    /// use variant_owned::{Variant, array};
    ///
    /// let list = Variant::from(array![1, 2]);
    /// assert_eq!(list.head().and_then(|head| head.len()), Some(2));
    /// assert!(Variant::from(1).head().is_none());
    /// ```
    pub fn head(&self) -> Option<Head<'_>> {
        head_of(self)
    }

    /// The mathematical value or the packed array that consists of these numbers. O(numbers).
    ///
    /// ```
    /// use variant_owned::Variant;
    /// use variant_view::{Kind, Numbers};
    ///
    /// let numbers: &[i32] = &[3, 4];
    /// let value = Variant::from_numbers(&Numbers::of(Kind::Vector2i, &numbers).unwrap());
    /// assert_eq!(value, Variant::from((3, 4)));
    /// ```
    pub fn from_numbers(numbers: &Numbers<'_>) -> Self {
        Self::from_leaf(&Leaf::Numbers(*numbers))
    }

    /// Gives the numbers of the value to `take`; none if it is not made of any ([`Kind::shape`](variant_view::Kind::shape)).
    /// O(1), without an allocation.
    pub fn with_numbers<R>(&self, take: impl FnOnce(Option<Numbers<'_>>) -> R) -> R {
        self.with_leaf(|leaf| match leaf {
            Leaf::Numbers(numbers) => take(Some(numbers)),
            _ => take(None),
        })
    }
}
