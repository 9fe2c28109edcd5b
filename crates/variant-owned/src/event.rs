//! Owned values as events: `&Variant` is a [`Producer`], [`Collector`] is a consumer that makes a [`Variant`].

mod collector;
mod feed;
mod limited;

pub use collector::Collector;
pub(crate) use collector::Open;
pub(crate) use feed::{GiveLeaf, Stopped, begin, feed, feed_to_end, head_of, leaf};
pub use limited::{LimitError, Limited};
use variant_view::{Head, Leaf, Numbers, Producer};

use crate::variant::Variant;

impl Variant {
    /// Builds the value of a producer: a document, a view, parsed text or JSON, another value.
    ///
    /// O(size of the value), no recursion. Memory grows with the values received, as described at [`Collector`]. If a
    /// dictionary key occurs twice, its pair has the first position and the last value. Keys are compared by the first
    /// known rule: the producer's, its dialect's, or Godot 4's.
    ///
    /// ```
    /// use variant_owned::{Variant, array};
    ///
    /// let value = Variant::from(array![1, "two"]);
    /// assert_eq!(Variant::from_producer(&value), Ok(value));
    /// ```
    ///
    /// # Errors
    /// The first error of the producer's input.
    pub fn from_producer<P: Producer>(producer: P) -> Result<Self, P::Error> {
        let mut collector = Collector::for_input(&producer.input());
        let fed = producer.feed(&mut collector);
        fed.map_err(|error| error.either(|error| error, |never| match never {}))?;
        Ok(collector.finish().unwrap_or_default())
    }

    /// Builds the value of a leaf. O(bytes); allocates if the value needs it.
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn from_leaf(leaf: &Leaf<'_>) -> Self {
        Self::try_from_leaf(leaf).unwrap_or_default()
    }

    /// Passes the value to `take` as a leaf. A container or full object is passed as null. O(1), no allocation.
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

    /// The head of a container or full object; `None` for a leaf. O(1).
    pub fn head(&self) -> Option<Head<'_>> {
        head_of(self)
    }

    /// Builds a mathematical value or a packed array from its numbers. O(numbers).
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

    /// Passes the numbers of the value to `take`; `None` if its kind has no
    /// [`Kind::shape`](variant_view::Kind::shape). O(1), no allocation.
    pub fn with_numbers<R>(&self, take: impl FnOnce(Option<Numbers<'_>>) -> R) -> R {
        self.with_leaf(|leaf| match leaf {
            Leaf::Numbers(numbers) => take(Some(numbers)),
            _ => take(None),
        })
    }
}
