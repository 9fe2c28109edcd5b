//! [`Dense`]: feeds a document to any consumer by one copy of the code. Otherwise the code would be compiled for each
//! type of consumer.

use variant_view::internal::ShortText;
use variant_view::{Consumer, Document, Error, FeedError, Head, Input, Leaf, Options, Producer};

/// A document that calls its consumer through a pointer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dense<'d>(pub(crate) Document<'d>);

impl Producer for Dense<'_> {
    type Error = Error;

    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        let mut taker = Taker { consumer, error: None };
        match (self.0.feed(&mut Pointer(&mut taker)), taker.error) {
            (_, Some(error)) => Err(FeedError::Consumer(error)),
            (Err(FeedError::Producer(error)), None) => Err(FeedError::Producer(error)),
            (Ok(()) | Err(FeedError::Consumer(Stop)), None) => Ok(()),
        }
    }

    fn input(&self) -> Input {
        self.0.input()
    }
}

/// A consumer, and the error that stopped the consumer.
struct Taker<'c, C: Consumer> {
    consumer: &'c mut C,
    error: Option<C::Error>,
}

/// The consumer has stopped with an error. [`Taker`] keeps the error.
struct Stop;

impl<C: Consumer> Taker<'_, C> {
    fn keep(&mut self, taken: Result<(), C::Error>) -> Result<(), Stop> {
        taken.map_err(|error| {
            self.error = Some(error);
            Stop
        })
    }
}

/// The object-safe part of [`Consumer`].
trait Take {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Stop>;
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Stop>;
    fn enter(&mut self, head: Head<'_>) -> Result<(), Stop>;
    fn name(&mut self, name: &[u8]) -> Result<(), Stop>;
    fn exit(&mut self) -> Result<(), Stop>;
    fn origin(&mut self, offset: usize, bytes: &[u8]);
    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Stop>;
}

impl<C: Consumer> Take for Taker<'_, C> {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Stop> {
        let taken = self.consumer.leaf(leaf);
        self.keep(taken)
    }

    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Stop> {
        let taken = self.consumer.short_text(is_name, text);
        self.keep(taken)
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Stop> {
        let taken = self.consumer.enter(head);
        self.keep(taken)
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Stop> {
        let taken = self.consumer.name(name);
        self.keep(taken)
    }

    fn exit(&mut self) -> Result<(), Stop> {
        let taken = self.consumer.exit();
        self.keep(taken)
    }

    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        self.consumer.origin(offset, bytes);
    }

    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Stop> {
        let taken = self.consumer.source(bytes, options);
        self.keep(taken)
    }
}

struct Pointer<'c>(&'c mut dyn Take);

impl Consumer for Pointer<'_> {
    type Error = Stop;

    // Origins are always passed. A consumer may ignore them.
    const WANTS_ORIGINS: bool = true;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Stop> {
        self.0.leaf(leaf)
    }

    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Stop> {
        self.0.short_text(is_name, text)
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Stop> {
        self.0.enter(head)
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Stop> {
        self.0.name(name)
    }

    fn exit(&mut self) -> Result<(), Stop> {
        self.0.exit()
    }

    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        self.0.origin(offset, bytes);
    }

    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Stop> {
        self.0.source(bytes, options)
    }
}
