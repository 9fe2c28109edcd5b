//! The event protocol: a [`Producer`] feeds one value to a [`Consumer`] as events.
//!
//! Every producer works with every consumer, and the value is streamed. Documents, owned values, text and JSON are
//! producers. Writers of bytes, owned values, text and JSON are consumers. Limits and conversion are consumers that
//! wrap another consumer.

mod feed;
mod leaf;
mod number;
mod numbers;
mod texts;

use core::fmt;

#[cfg(feature = "serde")]
pub(crate) use feed::leaf;
pub(crate) use feed::{feed, max_values};
pub use leaf::{ArrayHead, DictionaryHead, Head, Leaf, NodePathLeaf, ShortText};
pub use number::Number;
pub use numbers::Numbers;
pub use texts::Texts;

use crate::dialect::Dialect;
use crate::options::{Options, Reals};

/// Feeds one whole value to a consumer as events.
///
/// [`Document`](crate::Document) and [`VariantView`](crate::VariantView) are producers. Implement the trait for other
/// data:
///
/// ```
/// use std::convert::Infallible;
/// use variant_view::{ArrayHead, Consumer, FeedError, Head, Leaf, Producer, Width};
///
/// /// The first square numbers.
/// struct Squares(i64);
///
/// impl Producer for Squares {
///     type Error = Infallible;
///
///     fn feed<C: Consumer>(self, to: &mut C) -> Result<(), FeedError<Infallible, C::Error>> {
///         let squares = (0..self.0).map(|i| Leaf::Int { value: i * i, width: Width::W32 });
///         to.enter(Head::Array(ArrayHead::default())).map_err(FeedError::Consumer)?;
///         for square in squares {
///             to.leaf(square).map_err(FeedError::Consumer)?;
///         }
///         to.exit().map_err(FeedError::Consumer)
///     }
/// }
/// ```
pub trait Producer {
    /// The error of reading the input.
    type Error;

    /// Feeds the value to `consumer` as events, from front to back. After an error, the consumer
    /// has received the events before the error. O(bytes of the value).
    ///
    /// # Errors
    /// The first error of the input or of the consumer.
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Self::Error, C::Error>>;

    /// Facts about the input that are known in advance. O(1).
    fn input(&self) -> Input {
        Input::default()
    }
}

/// Facts that a [`Producer`] knows about its input in advance.
///
/// ```
/// use variant_view::{Dialect, Document, Producer};
///
/// let input = Document::new(b"\x02\0\0\0\x07\0\0\0", Dialect::Godot3).input();
/// assert_eq!(input.dialect, Some(Dialect::Godot3));
/// assert!(input.max_values.is_some_and(|most| (1..8).contains(&most)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The dialect of the input.
    pub dialect: Option<Dialect>,
    /// The width of the input's reals.
    pub reals: Option<Reals>,
    /// An upper bound on the number of values, containers and keys included. The bound comes from the size of the input
    /// and not from its counts, so a consumer may reserve memory for this number of values.
    pub max_values: Option<usize>,
}

/// Receives one value as events.
///
/// | the value | its events |
/// |---|---|
/// | a leaf | [`leaf`](Consumer::leaf) |
/// | an array | [`enter`](Consumer::enter), its elements, [`exit`](Consumer::exit) |
/// | a dictionary | `enter`, key and value of each pair, `exit` |
/// | a full object | `enter`, [`name`](Consumer::name) and value of each property, `exit` |
///
/// Producers need not know lengths. Borrowed data of an event is valid during the call.
///
/// ```
/// use std::convert::Infallible;
/// use variant_view::{Consumer, Dialect, Document, Head, Leaf, Producer};
///
/// /// Adds up all integers.
/// #[derive(Default)]
/// struct Sum(i64);
///
/// impl Consumer for Sum {
///     type Error = Infallible;
///
///     fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Infallible> {
///         if let Leaf::Int { value, .. } = leaf {
///             self.0 += value;
///         }
///         Ok(())
///     }
///
///     fn enter(&mut self, _: Head<'_>) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn name(&mut self, _: &[u8]) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn exit(&mut self) -> Result<(), Infallible> {
///         Ok(())
///     }
/// }
///
/// let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // [5, 7]
/// let mut sum = Sum::default();
/// Document::new(&bytes, Dialect::Godot3).feed(&mut sum)?;
/// assert_eq!(sum.0, 12);
/// # Ok::<(), variant_view::FeedError<variant_view::Error, Infallible>>(())
/// ```
pub trait Consumer {
    /// The error of consuming the value.
    type Error;

    /// Whether the producer calls [`Consumer::origin`]. These calls cost the producer time. A consumer that wraps
    /// another consumer must set this constant to the value of the inner consumer.
    const WANTS_ORIGINS: bool = false;

    /// A value without children.
    ///
    /// # Errors
    /// After any error, the producer sends no more events.
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error>;

    /// A short ASCII `String`, or `StringName` if `is_name`. Producers may call [`Consumer::leaf`] instead.
    ///
    /// # Errors
    /// After any error, the producer sends no more events.
    #[doc(hidden)]
    #[cfg_attr(not(variant_small), inline(always))]
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Self::Error> {
        let text = text.as_bytes();
        self.leaf(if is_name { Leaf::StringName(text) } else { Leaf::String(text) })
    }

    /// A container or a full object begins; its contents follow, then [`Consumer::exit`].
    ///
    /// # Errors
    /// After any error, the producer sends no more events.
    fn enter(&mut self, head: Head<'_>) -> Result<(), Self::Error>;

    /// The name of a property; its value follows.
    ///
    /// # Errors
    /// After any error, the producer sends no more events.
    fn name(&mut self, name: &[u8]) -> Result<(), Self::Error>;

    /// The container that was entered last ends.
    ///
    /// # Errors
    /// After any error, the producer sends no more events.
    fn exit(&mut self) -> Result<(), Self::Error>;

    /// The position of the next event in the producer's input. Called before each event, if
    /// [`Consumer::WANTS_ORIGINS`] is true and the input has positions.
    ///
    /// `offset` is the offset of the event; for the end of a container, the offset after the container. `bytes` are the
    /// bytes of the event. For a container they end at its first child. For a name they include the length word and the
    /// padding. For the end of a container they are empty.
    #[cfg_attr(not(variant_small), inline(always))]
    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        let _ = (offset, bytes);
    }

    /// The whole document that the events came from. Called once, after the last event, if [`Consumer::WANTS_ORIGINS`]
    /// is true and the producer is a whole document. In this method a consumer can check for trailing bytes and
    /// duplicate keys, which events do not report.
    ///
    /// # Errors
    /// After any error, [`Producer::feed`] returns the error.
    #[cfg_attr(not(variant_small), inline(always))]
    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Self::Error> {
        let _ = (bytes, options);
        Ok(())
    }
}

/// The error of a [`Producer`] or of a [`Consumer`].
///
/// ```
/// use variant_view::FeedError;
///
/// let refused: FeedError<u8, &str> = FeedError::Consumer("no room");
/// assert_eq!(refused.either(|byte| byte.to_string(), String::from), "no room");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedError<P, C> {
    /// The input cannot be read.
    Producer(P),
    /// The consumer refused the value.
    Consumer(C),
}

impl<P, C> FeedError<P, C> {
    /// Maps both cases to one error type. O(1).
    pub fn either<E>(self, producer: impl FnOnce(P) -> E, consumer: impl FnOnce(C) -> E) -> E {
        match self {
            Self::Producer(error) => producer(error),
            Self::Consumer(error) => consumer(error),
        }
    }
}

impl<P: fmt::Display, C: fmt::Display> fmt::Display for FeedError<P, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Producer(error) => error.fmt(f),
            Self::Consumer(error) => error.fmt(f),
        }
    }
}

impl<P: core::error::Error, C: core::error::Error> core::error::Error for FeedError<P, C> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Producer(error) => error.source(),
            Self::Consumer(error) => error.source(),
        }
    }
}

impl<C: Consumer + ?Sized> Consumer for &mut C {
    type Error = C::Error;

    const WANTS_ORIGINS: bool = C::WANTS_ORIGINS;

    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error> {
        (**self).leaf(leaf)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Self::Error> {
        (**self).short_text(is_name, text)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, head: Head<'_>) -> Result<(), Self::Error> {
        (**self).enter(head)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn name(&mut self, name: &[u8]) -> Result<(), Self::Error> {
        (**self).name(name)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self) -> Result<(), Self::Error> {
        (**self).exit()
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        (**self).origin(offset, bytes);
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Self::Error> {
        (**self).source(bytes, options)
    }
}
