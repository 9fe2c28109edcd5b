//! [`Session`]: the debugger's side of one connection.

use std::time::Instant;

use variant_view::Dialect;

use crate::command::Command;
use crate::envelope::Envelope;
use crate::error::{Error, SendError};
use crate::event::Event;
use crate::family::{Family, Versions};
use crate::inbox::{Framing, Inbox, Whole};
use crate::limits::Limits;
use crate::outbox;
use crate::rate::Rate;
use crate::state::{State, Stopped};

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

/// The debugger's side of one connection, without sockets and without a clock.
///
/// [`Session::handle`] takes the bytes that arrive; [`Session::next_event`] returns their messages one by one;
/// [`Session::send`] returns the bytes of a command. The crate has an [example](crate).
#[derive(Debug)]
pub struct Session {
    inbox: Inbox,
    state: State,
    rate: Rate,
    found: Option<Found>,
}

/// What the next event is.
#[derive(Debug)]
enum Found {
    Message(Whole),
    Fault(Error),
    Dropped(u64),
}

impl Session {
    /// A session for one connection.
    pub fn new(options: SessionOptions) -> Self {
        let SessionOptions { family, dialect, versions, limits } = options;
        let family = family.or_else(|| family_of(dialect));
        let framing = match family {
            Some(family) if family.is_array() => Framing::One,
            Some(family) => Framing::Many(family),
            None if dialect == Some(Dialect::Godot4) => Framing::One,
            None => Framing::Unknown,
        };
        let dialect = dialect.or_else(|| family.filter(|f| f.is_array()).map(|_| Dialect::Godot4));
        Self {
            inbox: Inbox::new(framing, dialect, limits),
            state: State::new(family, versions, limits),
            rate: Rate::new(limits.messages),
            found: None,
        }
    }

    /// Takes bytes of the game, in parts of any size. [`Session::next_event`] returns the messages that are complete.
    /// O(bytes).
    pub fn handle(&mut self, bytes: &[u8], now: Instant) {
        self.rate.tick(now);
        // A message that was found must stay where it is.
        if self.found.is_none() {
            self.inbox.compact();
        }
        self.inbox.push(bytes);
    }

    /// The next complete message. O(its bytes): they are validated.
    ///
    /// An error that [`Error::is_fatal`] ends the session: close the connection. After any other error the next call
    /// returns the next message.
    pub fn next_event(&mut self) -> Option<Result<Event<'_>, Error>> {
        let found = self.found.take().or_else(|| self.find())?;
        Some(match found {
            Found::Message(whole) => take(&self.inbox, &mut self.state, &whole).map(Event::new),
            Found::Fault(error) => Err(error),
            Found::Dropped(messages) => Ok(Event::dropped(messages)),
        })
    }

    /// Whether [`Session::next_event`] returns something. A loop that reads more bytes where it does not cannot keep the
    /// event.
    pub(crate) fn is_ready(&mut self) -> bool {
        if self.found.is_none() {
            self.found = self.find();
        }
        self.found.is_some()
    }

    fn find(&mut self) -> Option<Found> {
        loop {
            let whole = match self.inbox.next() {
                Some(Ok(whole)) => whole,
                Some(Err(error)) => return Some(Found::Fault(error)),
                None => {
                    self.inbox.compact();
                    return self.rate.take_dropped().map(Found::Dropped);
                }
            };
            if self.rate.allows() {
                if self.inbox.dialect.is_none() {
                    let _ = self.learn(&whole);
                }
                return Some(Found::Message(whole));
            }
            // The state follows messages that are dropped.
            let _ = self.learn(&whole);
        }
    }

    /// Follows a message that is not reported, and takes the dialect if it shows that.
    fn learn(&mut self, whole: &Whole) -> Result<(), Error> {
        take(&self.inbox, &mut self.state, whole)?;
        self.inbox.dialect = self.inbox.dialect.or_else(|| self.state.dialect());
        Ok(())
    }

    /// The bytes that send `command` to the thread that stopped last; if none is stopped, to the main thread. O(bytes).
    ///
    /// # Errors
    /// [`SendError`] says why the game would not understand the command, or not survive it.
    pub fn send(&self, command: &Command<'_>) -> Result<Vec<u8>, SendError> {
        let stopped = self.state.stopped.last().and_then(|stopped| stopped.thread);
        outbox::send(self, command, stopped.or(self.state.main_thread))
    }

    /// The bytes that send `command` to `thread`. O(bytes).
    ///
    /// # Errors
    /// Those of [`Session::send`].
    pub fn send_to(&self, thread: i64, command: &Command<'_>) -> Result<Vec<u8>, SendError> {
        outbox::send(self, command, Some(thread))
    }

    /// The family, once the first frames have shown it.
    pub const fn family(&self) -> Option<Family> {
        self.state.family
    }

    /// The dialect, once messages have shown it.
    pub const fn dialect(&self) -> Option<Dialect> {
        self.inbox.dialect
    }

    /// The versions of Godot 4 that the game may have, by its messages so far.
    pub const fn versions(&self) -> Versions {
        self.state.versions
    }

    /// The first line of output: the engine's name and version. Forks have their own names. Cut after 256 bytes.
    pub fn banner(&self) -> Option<&str> {
        self.state.banner.as_deref()
    }

    /// The process id that the game claims. Never signal it: a script can claim any id.
    pub const fn pid(&self) -> Option<i64> {
        self.state.pid
    }

    /// The main thread; `None` in families without threads.
    pub const fn main_thread(&self) -> Option<i64> {
        self.state.main_thread
    }

    /// The threads that are stopped, in the order in which they stopped.
    pub fn stopped(&self) -> &[Stopped] {
        &self.state.stopped
    }

    /// The stop of a thread; in families without threads, of the game.
    pub(crate) fn stop(&self, thread: Option<i64>) -> Option<&Stopped> {
        self.state.stop(thread)
    }

    /// Whether a fatal error has ended the session.
    pub const fn has_failed(&self) -> bool {
        self.inbox.has_failed()
    }
}

/// The message, after the state has followed it.
fn take<'a>(inbox: &'a Inbox, state: &mut State, whole: &Whole) -> Result<Envelope<'a>, Error> {
    let envelope = Envelope::of_game(inbox, whole, state.family)?;
    state.follow(&envelope);
    Ok(envelope)
}

/// The family that a dialect alone decides.
const fn family_of(dialect: Option<Dialect>) -> Option<Family> {
    match dialect {
        Some(Dialect::Godot3 | Dialect::Pandemonium3) => Some(Family::Frames),
        Some(Dialect::Pandemonium4 | Dialect::Pandemonium5) => Some(Family::FramesThreads),
        _ => None,
    }
}

impl Default for Session {
    /// Nothing known in advance.
    fn default() -> Self {
        Self::new(SessionOptions::default())
    }
}
