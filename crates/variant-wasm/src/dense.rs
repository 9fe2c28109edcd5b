//! [`Dense`]: a document that is told to all consumers by the same code, which would be compiled for each of them otherwise.

use variant_view::{Consumer, Document, Error, FeedError, Head, Input, Leaf, Producer, ShortText};

/// A document whose consumer is called through a pointer.
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

/// A consumer and the error that it has stopped with.
struct Taker<'c, C: Consumer> {
    consumer: &'c mut C,
    error: Option<C::Error>,
}

/// The consumer has stopped, with an error that it keeps.
struct Stop;

impl<C: Consumer> Taker<'_, C> {
    fn keep(&mut self, taken: Result<(), C::Error>) -> Result<(), Stop> {
        taken.map_err(|error| {
            self.error = Some(error);
            Stop
        })
    }
}

/// What [`Consumer`] has, without what is known of a type alone.
trait Take {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Stop>;
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Stop>;
    fn enter(&mut self, head: Head<'_>) -> Result<(), Stop>;
    fn name(&mut self, name: &[u8]) -> Result<(), Stop>;
    fn exit(&mut self) -> Result<(), Stop>;
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
}

struct Pointer<'c>(&'c mut dyn Take);

impl Consumer for Pointer<'_> {
    type Error = Stop;

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
}
