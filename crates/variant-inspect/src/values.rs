//! [`Values`]: the values of a file, and a report for the first damaged one.

use std::io;
use std::path::Path;

use variant_document::query::{Stop, address_text};
use variant_document::{Piece, Plain};
use variant_io::Framing;
use variant_view::{Document, Error, Options};

use crate::choice::Choice;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::report::Report;
use crate::terminal::Terminal;

/// One value of a file.
#[derive(Clone, Copy)]
pub(crate) struct Value<'v> {
    pub(crate) piece: &'v Piece<'v>,
    pub(crate) document: Document<'v>,
}

impl Value<'_> {
    /// The text of a path in the value. It starts with the frame or the setting if the framing allows several values.
    pub(crate) fn address(&self, path: &str) -> String {
        address_text(self.piece, path)
    }

    /// Works as [`Value::address`], but leaves out the frame of a file with one value.
    pub(crate) fn address_in(&self, is_alone: bool, path: &str) -> String {
        if is_alone { path.to_owned() } else { self.address(path) }
    }
}

/// Why a value cannot be processed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The value is damaged.
    Data(Error),
    /// Another reason, in one line.
    Message(String),
    Failure(Failure),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Data(error)
    }
}

/// Used for work that writes into memory. The result has the message of the failure, but not its exit status.
impl From<Trouble> for variant_document::Trouble {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Data(error) => Self::Data(error),
            Trouble::Message(message) | Trouble::Failure(Failure::File { message, .. }) => {
                Self::Message(message)
            }
            Trouble::Failure(Failure::Output(error)) => Self::Message(error.to_string()),
            Trouble::Failure(Failure::Told(_)) => {
                Self::Message("it was reported already".to_owned())
            }
        }
    }
}

impl From<variant_document::Trouble> for Trouble {
    fn from(trouble: variant_document::Trouble) -> Self {
        match trouble {
            variant_document::Trouble::Data(error) => Self::Data(error),
            variant_document::Trouble::Message(message) => Self::Message(message),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<Stop<Self>> for Trouble {
    fn from(stop: Stop<Self>) -> Self {
        match stop {
            Stop::Data(error) => error.into(),
            Stop::Caller(trouble) => trouble,
        }
    }
}

/// An open file, its framing and its dialect.
#[derive(Debug)]
pub(crate) struct Values {
    pub(crate) input: Input,
    pub(crate) choice: Choice,
}

impl Values {
    /// Opens the file at `path`, and prints what was guessed.
    pub(crate) fn open(path: &Path, terminal: &mut Terminal<'_>) -> Result<Self, Failure> {
        let input = Input::open(path, terminal.common)?;
        let choice = Choice::make(&input, terminal)?;
        Ok(Self { input, choice })
    }

    /// The plain bytes of the file, and how they are read.
    pub(crate) fn plain(&self) -> Plain<'_> {
        self.input.source.plain(self.choice)
    }

    pub(crate) fn is_one(&self) -> bool {
        !self.plain().has_several()
    }

    /// Whether the file is one frame, so that output need not name the frame.
    pub(crate) fn is_one_frame(&self) -> bool {
        matches!(self.choice.framing, Framing::Frames(_)) && self.is_one()
    }

    /// Calls `work` for each value. Stops at the first error or status other than [`Status::Fine`].
    pub(crate) fn each(
        &self,
        terminal: &mut Terminal<'_>,
        mut work: impl FnMut(&Value<'_>, &mut Terminal<'_>) -> Result<Status, Trouble>,
    ) -> Result<Status, Failure> {
        self.each_of(terminal, |piece, _, terminal| {
            let document = self.plain().document(piece.bytes);
            work(&Value { piece, document }, terminal)
        })
    }

    /// Calls `work` for each value, with the options to read it. The bytes of the value are borrowed from the file.
    pub(crate) fn each_of<'f>(
        &'f self,
        terminal: &mut Terminal<'_>,
        mut work: impl FnMut(&Piece<'f>, Options, &mut Terminal<'_>) -> Result<Status, Trouble>,
    ) -> Result<Status, Failure> {
        let Self { input, choice } = self;
        let file = self.plain();
        for piece in file.pieces() {
            let piece = piece.map_err(|error| invalid(input, &file.cut(&error)))?;
            let document = file.document(piece.bytes);
            match work(&piece, choice.options, terminal) {
                Ok(Status::Fine) => {}
                Ok(status) => return Ok(status),
                Err(Trouble::Data(error)) => {
                    Report { input, piece: &piece, document, error }.print(terminal)?;
                    return Ok(Status::Invalid);
                }
                Err(Trouble::Message(message)) => {
                    let called = piece.called().map(|called| format!("{called}: "));
                    let message = format!("{}{message}", called.unwrap_or_default());
                    return Err(invalid(input, &message));
                }
                Err(Trouble::Failure(failure)) => return Err(failure),
            }
        }
        Ok(Status::Fine)
    }
}

fn invalid(input: &Input, message: &str) -> Failure {
    Failure::invalid(format!("{}: {message}", input.name))
}
