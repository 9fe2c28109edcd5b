//! [`Request`]: a command as it arrived.

use crate::command::Command;
use crate::envelope::Envelope;
use crate::error::{Error, ErrorKind};
use crate::messages;

/// A command as it arrived; from [`Game::next_request`](crate::Game::next_request). It borrows from the game.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    envelope: Envelope<'a>,
}

impl<'a> Request<'a> {
    pub(crate) const fn new(envelope: Envelope<'a>) -> Self {
        Self { envelope }
    }

    /// The name on the wire.
    pub fn name(&self) -> &str {
        &self.envelope.name
    }

    /// The thread that it is for; `None` in families without threads.
    pub const fn thread(&self) -> Option<i64> {
        self.envelope.thread
    }

    /// The bytes as they arrived, with their length word.
    pub const fn bytes(&self) -> &'a [u8] {
        self.envelope.bytes
    }

    /// The command. An unknown name is [`Command::Custom`]. Where an engine would crash, the result is an error.
    ///
    /// # Errors
    /// Too few arguments, or arguments of other types than the command has.
    pub fn command(&self) -> Result<Command<'a>, Error> {
        let (name, elements) = (&self.envelope.name, self.envelope.elements());
        let found = elements.left();
        let least = messages::command(name, self.envelope.family).map_or(0, |row| row.least);
        if found < least {
            return Err(Error::at(ErrorKind::TooFew { found, least }, 0));
        }
        Command::read(name, &elements)
    }
}
