//! [`Event`]: a message as it arrived.

use crate::envelope::Envelope;
use crate::message::Message;

/// A message as it arrived; from [`Session::next_event`](crate::Session::next_event). It borrows from the session.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    arrived: Option<Envelope<'a>>,
    /// The number of messages that the session dropped, if none has arrived.
    dropped: u64,
}

impl<'a> Event<'a> {
    pub(crate) const fn new(envelope: Envelope<'a>) -> Self {
        Self { arrived: Some(envelope), dropped: 0 }
    }

    pub(crate) const fn dropped(messages: u64) -> Self {
        Self { arrived: None, dropped: messages }
    }

    /// The name on the wire, such as `output` or `scene:scene_tree`; empty for messages that this session dropped.
    pub fn name(&self) -> &str {
        self.arrived.as_ref().map_or("", |envelope| &envelope.name)
    }

    /// The thread that sent the message; `None` in families without threads. Output and errors of all threads may come
    /// from the main thread.
    pub fn thread(&self) -> Option<i64> {
        self.arrived.as_ref()?.thread
    }

    /// The bytes as they arrived, with their length words.
    pub fn bytes(&self) -> &'a [u8] {
        self.arrived.as_ref().map_or(&[], |envelope| envelope.bytes)
    }

    /// The message. Lists are read on iteration; a list that is not the last of its message is measured, O(its bytes).
    pub fn message(&self) -> Message<'a> {
        let Some(envelope) = &self.arrived else {
            return Message::Dropped { messages: self.dropped };
        };
        let name = envelope.name.clone();
        match envelope.fault {
            Some(error) => Message::malformed(name, &envelope.elements(), error),
            None => Message::read(name, &envelope.elements()),
        }
    }
}
