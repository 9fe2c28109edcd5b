//! [`Event`]: a message as it arrived.

use crate::envelope::Envelope;
use crate::message::Message;

/// A message as it arrived; from [`Session::next_event`](crate::Session::next_event). It borrows from the session.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    source: Source<'a>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    Arrived(Envelope<'a>),
    Dropped { messages: u64 },
}

impl<'a> Event<'a> {
    pub(crate) const fn new(envelope: Envelope<'a>) -> Self {
        Self { source: Source::Arrived(envelope) }
    }

    pub(crate) const fn dropped(messages: u64) -> Self {
        Self { source: Source::Dropped { messages } }
    }

    const fn arrived(&self) -> Option<&Envelope<'a>> {
        match &self.source {
            Source::Arrived(envelope) => Some(envelope),
            Source::Dropped { .. } => None,
        }
    }

    /// The name on the wire, such as `output` or `scene:scene_tree`; empty for messages that this session dropped.
    pub fn name(&self) -> &str {
        self.arrived().map_or("", |envelope| &envelope.name)
    }

    /// The thread that sent the message; `None` in families without threads. Output and errors of all threads may come
    /// from the main thread.
    pub fn thread(&self) -> Option<i64> {
        self.arrived()?.thread
    }

    /// The bytes as they arrived, with their length words.
    pub fn bytes(&self) -> &'a [u8] {
        self.arrived().map_or(&[], |envelope| envelope.bytes)
    }

    /// The message. Lists are read on iteration; a list that is not the last of its message is measured, O(its bytes).
    pub fn message(&self) -> Message<'a> {
        let envelope = match &self.source {
            Source::Arrived(envelope) => envelope,
            Source::Dropped { messages } => return Message::Dropped { messages: *messages },
        };
        let name = envelope.name.clone();
        match envelope.fault {
            Some(error) => Message::malformed(name, &envelope.elements, error),
            None => Message::read(name, &envelope.elements),
        }
    }
}
