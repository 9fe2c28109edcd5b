//! [`each`]: one value of a file after the other, and a report for the first that is damaged.

use std::io;
use std::path::Path;

use variant_view::{Document, Error, Objects};

use crate::choice::Choice;
use crate::cli::CommonArgs;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::pieces::{Piece, pieces};
use crate::report::Report;
use crate::terminal::Terminal;

/// A value of a file.
#[derive(Clone, Copy)]
pub(crate) struct Value<'v> {
    pub(crate) input: &'v Input,
    pub(crate) piece: &'v Piece<'v>,
    pub(crate) document: Document<'v>,
    pub(crate) choice: Choice,
}

/// Why a value cannot be worked on.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Something is wrong in it.
    Data(Error),
    /// Something is wrong with it, in one line.
    Message(String),
    Failure(Failure),
}

impl Trouble {
    pub(crate) fn message(error: impl std::error::Error) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Data(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Does `work` on each value of the file at `path`.
pub(crate) fn each(
    path: &Path,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
    mut work: impl FnMut(&Value<'_>, &mut Terminal<'_>) -> Result<Status, Trouble>,
) -> Result<Status, Failure> {
    let input = Input::open(path, common)?;
    let choice = Choice::make(&input, common, terminal)?;
    let options = choice.options.objects(Objects::Accept);
    for piece in pieces(&input.source, choice.framing) {
        let piece = piece.map_err(|error| invalid(&input, &error.to_string()))?;
        let document = Document::new(piece.bytes, options);
        let value = Value { input: &input, piece: &piece, document, choice };
        match work(&value, terminal) {
            Ok(Status::Fine) => {}
            Ok(status) => return Ok(status),
            Err(Trouble::Data(error)) => {
                let palette = terminal.palette();
                let report = Report { input: &input, piece: &piece, document, error };
                report.write(terminal.out, &palette)?;
                return Ok(Status::Invalid);
            }
            Err(Trouble::Message(message)) => return Err(invalid(&input, &message)),
            Err(Trouble::Failure(failure)) => return Err(failure),
        }
    }
    Ok(Status::Fine)
}

fn invalid(input: &Input, message: &str) -> Failure {
    Failure::file(Status::Invalid, format!("{}: {message}", input.name))
}
