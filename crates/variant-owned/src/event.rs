//! Owned values as events: `&Variant` is a [`Producer`], [`Collector`] is a consumer that makes a
//! [`Variant`].

mod collector;
mod feed;

pub use collector::Collector;
pub(crate) use collector::Open;
pub(crate) use feed::{GiveLeaf, begin, feed, head_of, leaf};
use variant_view::{FeedError, Head, Leaf, Numbers, Producer};

use crate::variant::Variant;

impl Variant {
    /// Builds the value of a producer: a document, a view, parsed text or JSON, another value.
    ///
    /// O(size of the value), no recursion. Memory grows with the values received, as
    /// [`Collector`] says. If a dictionary key occurs twice, the last value wins, at the place of the first. Keys
    /// are compared by the producer's rule, else by that of its dialect, else by Godot 4's.
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
        match producer.feed(&mut collector) {
            Ok(()) => Ok(collector.finish().unwrap_or_default()),
            Err(FeedError::Producer(error)) => Err(error),
            Err(FeedError::Consumer(never)) => match never {},
        }
    }

    /// Builds the value of a leaf. O(bytes); allocates if the value needs it.
    ///
    /// ```
    /// use variant_owned::Variant;
    /// use variant_view::Leaf;
    ///
    /// assert_eq!(Variant::from_leaf(&Leaf::String(b"axe")), Variant::from("axe"));
    /// ```
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn from_leaf(leaf: &Leaf<'_>) -> Self {
        Self::try_from_leaf(leaf).unwrap_or_default()
    }

    /// Passes the value to `take` as a leaf; containers and full objects as null. O(1), no allocation.
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
    ///
    /// ```
    /// use variant_owned::Variant;
    ///
    /// let flat = |value: &Variant| value.with_numbers(|all| all.map(|all| all.len()));
    /// assert_eq!(flat(&(1.0, 2.0, 3.0).into()), Some(3)); // a Vector3
    /// assert_eq!(flat(&[1_i32, 2, 3, 4].into()), Some(4)); // a PackedInt32Array
    /// assert_eq!(flat(&"text".into()), None);
    /// ```
    pub fn with_numbers<R>(&self, take: impl FnOnce(Option<Numbers<'_>>) -> R) -> R {
        self.with_leaf(|leaf| match leaf {
            Leaf::Numbers(numbers) => take(Some(numbers)),
            _ => take(None),
        })
    }
}
