//! [`Session`]: the debugger's side of one connection.

use std::time::Instant;

use variant_view::Dialect;

use crate::command::Command;
use crate::error::{Error, SendError};
use crate::event::Event;
use crate::family::{Family, Versions};
use crate::limits::Limits;

/// What is known of a game in advance. Without any of it, a session finds what the messages show.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SessionOptions {
    /// The family.
    pub family: Option<Family>,
    /// The dialect.
    pub dialect: Option<Dialect>,
    /// The versions of Godot 4 that the game may have.
    pub versions: Versions,
    /// Bounds on what the game may send.
    pub limits: Limits,
}

impl Default for SessionOptions {
    /// Nothing known; [`Limits::GAME`].
    fn default() -> Self {
        Self { family: None, dialect: None, versions: Versions::default(), limits: Limits::GAME }
    }
}

impl SessionOptions {
    /// Returns the options with this family.
    #[must_use]
    pub const fn family(mut self, family: Family) -> Self {
        self.family = Some(family);
        self
    }

    /// Returns the options with this dialect.
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Returns the options with these versions: one, or a range.
    #[must_use]
    pub fn versions(mut self, versions: impl Into<Versions>) -> Self {
        self.versions = versions.into();
        self
    }

    /// Returns the options with these limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

/// A thread that is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The id of the thread; `None` in families without threads.
    pub thread: Option<i64>,
    /// The name of the thread, if the game sent it; cut after 256 bytes.
    pub thread_name: Option<String>,
    /// The reason: `Breakpoint`, or the text of a script error; cut after 256 bytes.
    pub reason: String,
    /// Whether the game can continue as if nothing had happened.
    pub can_continue: bool,
    /// Whether there is a stack to ask for; `None` if the game does not say.
    pub has_stack: Option<bool>,
}

/// The debugger's side of one connection, without sockets and without a clock.
///
/// [`Session::handle`] takes the bytes that arrive; [`Session::next_event`] returns their messages one by one;
/// [`Session::send`] returns the bytes of a command.
#[derive(Debug)]
pub struct Session {}

impl Session {
    /// A session for one connection.
    pub fn new(options: SessionOptions) -> Self {
        Self {}
    }

    /// Takes bytes of the game, in parts of any size. [`Session::next_event`] returns the messages that are complete.
    /// O(bytes).
    pub fn handle(&mut self, bytes: &[u8], now: Instant) {}

    /// The next complete message.
    ///
    /// An error that [`Error::is_fatal`] ends the session: close the connection. After any other error the next call
    /// returns the next message.
    pub fn next_event(&mut self) -> Option<Result<Event<'_>, Error>> {
        None
    }

    /// The bytes that send `command` to the thread that stopped last; if none is stopped, to the main thread.
    ///
    /// # Errors
    /// [`SendError`] says why the game would not understand the command, or not survive it.
    pub fn send(&mut self, command: &Command<'_>) -> Result<Vec<u8>, SendError> {
        Err(SendError::FamilyUnknown)
    }

    /// The bytes that send `command` to `thread`.
    ///
    /// # Errors
    /// Those of [`Session::send`].
    pub fn send_to(&mut self, thread: i64, command: &Command<'_>) -> Result<Vec<u8>, SendError> {
        Err(SendError::FamilyUnknown)
    }

    /// The family, once the first frames have shown it.
    pub const fn family(&self) -> Option<Family> {
        None
    }

    /// The dialect, once messages have shown it.
    pub const fn dialect(&self) -> Option<Dialect> {
        None
    }

    /// The versions of Godot 4 that the game may have, by its messages so far.
    pub const fn versions(&self) -> Versions {
        Versions { least: None, most: None }
    }

    /// The first line of output: the engine's name and version. Forks have their own names. Cut after 256 bytes.
    pub fn banner(&self) -> Option<&str> {
        None
    }

    /// The process id that the game claims. Never signal it: a script can claim any id.
    pub const fn pid(&self) -> Option<i64> {
        None
    }

    /// The main thread.
    pub const fn main_thread(&self) -> Option<i64> {
        None
    }

    /// The threads that are stopped, in the order in which they stopped.
    pub fn stopped(&self) -> &[Stopped] {
        &[]
    }

    /// Whether a fatal error has ended the session.
    pub const fn has_failed(&self) -> bool {
        false
    }
}

impl Default for Session {
    /// Nothing known in advance.
    fn default() -> Self {
        Self::new(SessionOptions::default())
    }
}
