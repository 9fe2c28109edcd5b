//! [`Game`]: the game's side of one connection.

use std::time::Instant;

use variant_view::Dialect;

use crate::error::{Error, SendError};
use crate::family::{Family, Version};
use crate::limits::Limits;
use crate::message::Message;
use crate::request::Request;

/// What a game is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GameOptions {
    /// The family.
    pub family: Family,
    /// The dialect, one of the family.
    pub dialect: Dialect,
    /// The version of Godot 4; ignored for other engines.
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
}

/// The game's side of one connection, without sockets and without a clock.
#[derive(Debug)]
pub struct Game {}

impl Game {
    /// A game.
    pub fn new(options: GameOptions) -> Self {
        Self {}
    }

    /// Takes bytes of the debugger, in parts of any size.
    pub fn handle(&mut self, bytes: &[u8], now: Instant) {}

    /// The next complete command.
    pub fn next_request(&mut self) -> Option<Result<Request<'_>, Error>> {
        None
    }

    /// The bytes that send `message` from the main thread.
    ///
    /// # Errors
    /// A message that the family or the version does not have, or a value that has no bytes.
    pub fn send(&mut self, message: &Message<'_>) -> Result<Vec<u8>, SendError> {
        Err(SendError::FamilyUnknown)
    }

    /// The bytes that send `message` from `thread`.
    ///
    /// # Errors
    /// Those of [`Game::send`].
    pub fn send_from(&mut self, thread: i64, message: &Message<'_>) -> Result<Vec<u8>, SendError> {
        Err(SendError::FamilyUnknown)
    }
}
