//! [`Game`]: the game's side of one connection.

use std::time::Instant;

use variant_view::Dialect;

use crate::envelope::Envelope;
use crate::error::{Error, SendError};
use crate::family::{Family, Version};
use crate::inbox::{Framing, Inbox};
use crate::limits::Limits;
use crate::message::Message;
use crate::pen::Pen;
use crate::rate::Rate;
use crate::request::Request;

/// What a game is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GameOptions {
    /// The family.
    pub family: Family,
    /// The dialect, one of the family.
    pub dialect: Dialect,
    /// The version of Godot 4; other engines ignore it.
    pub version: Version,
    /// The id of the main thread.
    pub main_thread: i64,
    /// Bounds on what the debugger may send.
    pub limits: Limits,
}

impl GameOptions {
    /// A game of Godot 4.4.
    pub const GODOT_4: Self = Self {
        family: Family::ArrayThreads,
        dialect: Dialect::Godot4,
        version: Version::new(4, 4),
        main_thread: 1,
        limits: Limits::DEBUGGER,
    };

    /// A game of Godot 3.
    pub const GODOT_3: Self =
        Self { family: Family::Frames, dialect: Dialect::Godot3, ..Self::GODOT_4 };

    /// A game of this version of Godot 4.
    pub fn godot_4(version: Version) -> Self {
        let is_old = version < Version::new(4, 2);
        let family = if is_old { Family::Array } else { Family::ArrayThreads };
        Self { family, version, ..Self::GODOT_4 }
    }

    /// Returns the options with this family and this dialect.
    #[must_use]
    pub const fn dialect(mut self, family: Family, dialect: Dialect) -> Self {
        (self.family, self.dialect) = (family, dialect);
        self
    }

    /// Returns the options with this main thread.
    #[must_use]
    pub const fn main_thread(mut self, thread: i64) -> Self {
        self.main_thread = thread;
        self
    }

    /// Returns the options with these limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

/// The game's side of one connection, without sockets and without a clock: for tests, and for programs that the
/// engine's own editor inspects. The crate has an [example](crate).
///
/// A debugger may be hostile too. Commands that set, call, load or write are the program's to refuse.
#[derive(Debug)]
pub struct Game {
    options: GameOptions,
    inbox: Inbox,
    rate: Rate,
}

impl Game {
    /// A game.
    pub fn new(options: GameOptions) -> Self {
        let GameOptions { family, dialect, limits, .. } = options;
        let longest = u32::try_from(family.longest_command()).unwrap_or(u32::MAX);
        let limits = limits.frame(limits.frame.min(longest));
        let inbox = Inbox::new(Framing::One, Some(dialect), limits);
        Self { options, inbox, rate: Rate::new(limits.messages) }
    }

    /// Takes bytes of the debugger, in parts of any size. O(bytes).
    pub fn handle(&mut self, bytes: &[u8], now: Instant) {
        self.rate.tick(now);
        self.inbox.compact();
        self.inbox.push(bytes);
    }

    /// The next complete command. O(its bytes): they are validated. Commands beyond the limit `messages` are dropped.
    ///
    /// An error that [`Error::is_fatal`] ends the connection. After any other error the next call returns the next
    /// command.
    pub fn next_request(&mut self) -> Option<Result<Request<'_>, Error>> {
        let whole = loop {
            match self.inbox.next() {
                Some(Ok(whole)) if self.rate.allows() => break whole,
                Some(Ok(_)) => {}
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.inbox.compact();
                    return None;
                }
            }
        };
        let envelope = Envelope::of_debugger(&self.inbox, &whole, self.options.family);
        Some(envelope.map(Request::new))
    }

    /// The number of commands that were dropped since the last call.
    pub fn take_dropped(&mut self) -> u64 {
        self.rate.take_dropped().unwrap_or_default()
    }

    /// The bytes that send `message` from the main thread. O(bytes). Variables of a frame become a message each, in
    /// Godot 4.
    ///
    /// # Errors
    /// A message that the family does not have, or a value that the dialect does not have.
    pub fn send(&self, message: &Message<'_>) -> Result<Vec<u8>, SendError> {
        self.send_from(self.options.main_thread, message)
    }

    /// The bytes that send `message` from `thread`. O(bytes).
    ///
    /// # Errors
    /// Those of [`Game::send`].
    pub fn send_from(&self, thread: i64, message: &Message<'_>) -> Result<Vec<u8>, SendError> {
        let mut bytes = self.one(thread, message)?;
        if let Message::StackFrameVars { variables, .. } = message
            && self.options.family.is_array()
        {
            for variable in variables.clone() {
                bytes.extend(self.one(thread, &Message::StackFrameVar(variable?))?);
            }
        }
        Ok(bytes)
    }

    fn one(&self, thread: i64, message: &Message<'_>) -> Result<Vec<u8>, SendError> {
        let GameOptions { family, dialect, version, .. } = self.options;
        if !family.has_dialect(dialect) {
            return Err(SendError::Dialect { family, dialect });
        }
        let mut pen = Pen::of_game(family, dialect, version.into());
        let name = message.write(&mut pen, thread)?;
        pen.finish(&name, family.has_threads().then_some(thread))
    }

    /// The options.
    pub const fn options(&self) -> &GameOptions {
        &self.options
    }

    /// Whether a fatal error has ended the connection.
    pub const fn has_failed(&self) -> bool {
        self.inbox.has_failed()
    }
}
