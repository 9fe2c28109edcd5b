//! The event protocol: whatever makes values is a [`Producer`], whatever takes them a [`Consumer`].
//!
//! Every pair of them composes and streams: documents, owned values, text and JSON are produced; bytes, owned values,
//! text and JSON are consumed. What stands in between (limits, paths, legality, conversion) is a consumer around a
//! consumer.

mod feed;
mod leaf;
mod limited;
mod number;
mod numbers;
mod texts;

use core::fmt;

pub(crate) use feed::{feed, max_values};
pub use leaf::{
    ArrayHead, DictionaryHead, Head, ImageLeaf, Leaf, NodePathLeaf, ObjectHead, ShortText,
};
pub use limited::{LimitError, Limited};
pub use number::Number;
pub use numbers::{Numbers, NumbersIter};
pub use texts::{Texts, TextsIter};

use crate::dialect::Dialect;
use crate::options::{Options, Reals};

/// What makes values: feeds one whole value to a consumer.
///
/// [`Document`](crate::Document) and [`VariantView`](crate::VariantView) are producers. A program's own data are, too,
/// once they say so:
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
    /// Why the input cannot be read.
    type Error;

    /// Gives the value to `consumer` as events, from front to back. Of a value that ends in an error the consumer has
    /// been given the first part.
    ///
    /// # Errors
    /// The first thing that is wrong with the input, or that the consumer returns.
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Self::Error, C::Error>>;

    /// What is known of the input beforehand. O(1).
    fn input(&self) -> Input {
        Input::default()
    }
}

/// What a [`Producer`] knows of its input beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The dialect in which it is written.
    pub dialect: Option<Dialect>,
    /// How wide its reals are.
    pub reals: Option<Reals>,
    /// The most values that there can be, containers and keys included, whatever lengths are claimed: a bound for what
    /// a consumer reserves.
    pub max_values: Option<usize>,
}

/// Takes one value as events.
///
/// | the value | its events |
/// |---|---|
/// | a leaf | [`leaf`](Consumer::leaf) |
/// | an array | [`enter`](Consumer::enter), its elements, [`exit`](Consumer::exit) |
/// | a dictionary | `enter`, key and value of each pair, `exit` |
/// | an object in full | `enter`, [`name`](Consumer::name) and value of each property, `exit` |
///
/// Producers need not know lengths. What events borrow lives for the call.
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
    /// Why the value cannot be taken.
    type Error;

    /// Whether [`Consumer::origin`] is to be called: finding it out costs a producer something. Adapters say what their
    /// inner consumer says.
    const WANTS_ORIGINS: bool = false;

    /// A value without children.
    ///
    /// # Errors
    /// What ends the value.
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error>;

    /// A `String`, or else a `StringName`, that is short and ASCII. A producer may call [`Consumer::leaf`] instead.
    ///
    /// # Errors
    /// What ends the value.
    #[inline(always)]
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Self::Error> {
        let text = text.as_bytes();
        self.leaf(if is_name { Leaf::StringName(text) } else { Leaf::String(text) })
    }

    /// A container or an object in full begins; its contents follow, then [`Consumer::exit`].
    ///
    /// # Errors
    /// What ends the value.
    fn enter(&mut self, head: Head<'_>) -> Result<(), Self::Error>;

    /// The name of the property whose value follows.
    ///
    /// # Errors
    /// What ends the value.
    fn name(&mut self, name: &[u8]) -> Result<(), Self::Error>;

    /// The end of what was entered last.
    ///
    /// # Errors
    /// What ends the value.
    fn exit(&mut self) -> Result<(), Self::Error>;

    /// Where the next event stands in the producer's input. Called in front of each event, if
    /// [`Consumer::WANTS_ORIGINS`] and if the producer has an input with places.
    #[inline(always)]
    fn origin(&mut self, origin: Origin<'_>) {
        let _ = origin;
    }

    /// The document that the events came from. Called once, behind the last of them, if [`Consumer::WANTS_ORIGINS`] and
    /// if the producer is a whole document: what follows the value in `bytes` is no event, and whether a key occurs twice is
    /// known only now.
    ///
    /// # Errors
    /// As those of events.
    #[inline(always)]
    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Self::Error> {
        let _ = (bytes, options);
        Ok(())
    }
}

/// Where an event stands in the producer's input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The byte of the input at which it starts. Of the end of a container, the byte behind it.
    pub offset: usize,
    /// Its bytes: of a container those before its first child, of a name its length and its padding as well, of the end
    /// of a container none.
    pub bytes: &'a [u8],
}

/// Why a value did not get from a [`Producer`] to a [`Consumer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedError<P, C> {
    /// The input cannot be read.
    Producer(P),
    /// The consumer does not take the value.
    Consumer(C),
}

impl<P, C> FeedError<P, C> {
    /// The same as an error of one type. O(1).
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

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error> {
        (**self).leaf(leaf)
    }

    #[inline(always)]
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Self::Error> {
        (**self).short_text(is_name, text)
    }

    #[inline(always)]
    fn enter(&mut self, head: Head<'_>) -> Result<(), Self::Error> {
        (**self).enter(head)
    }

    #[inline(always)]
    fn name(&mut self, name: &[u8]) -> Result<(), Self::Error> {
        (**self).name(name)
    }

    #[inline(always)]
    fn exit(&mut self) -> Result<(), Self::Error> {
        (**self).exit()
    }

    #[inline(always)]
    fn origin(&mut self, origin: Origin<'_>) {
        (**self).origin(origin);
    }

    #[inline(always)]
    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Self::Error> {
        (**self).source(bytes, options)
    }
}
