//! [`Line`]: a line of output.

use crate::error::{Error, SendError};
use crate::list::Row;
use crate::pen::Pen;
use crate::reader::Reader;
use std::borrow::Cow;

/// A line of output. Control characters and `BBCode` are the game's: escape them before printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text without line break. Godot 4 joins the log lines of one frame with line breaks.
    pub text: Cow<'a, str>,
    /// What printed it.
    pub kind: LineKind,
    /// The thread that printed it (Pandemonium 4 and 5).
    pub thread: Option<i64>,
}

/// What printed a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// `print`: 0.
    Log,
    /// `printerr`: 1.
    Error,
    /// `print_rich`, with `BBCode`: 2 (Godot 4).
    Rich,
    /// Another number.
    Other(i64),
}

impl LineKind {
    /// The kind of a number.
    pub const fn from_number(number: i64) -> Self {
        match number {
            0 => Self::Log,
            1 => Self::Error,
            2 => Self::Rich,
            other => Self::Other(other),
        }
    }

    /// The number on the wire.
    pub const fn number(self) -> i64 {
        match self {
            Self::Log => 0,
            Self::Error => 1,
            Self::Rich => 2,
            Self::Other(number) => number,
        }
    }
}

impl<'a> Row<'a> for Line<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut parts = reader.array()?;
        let (text, kind) = (parts.text()?, LineKind::from_number(parts.int()?));
        let thread = (parts.left() > 0).then(|| parts.int()).transpose()?;
        Ok(Self { text, kind, thread })
    }

    fn next(reader: &mut Reader<'a>) -> Option<Result<Self, Error>> {
        if reader.has_lines() {
            let (text, kind) = reader.line()?;
            return Some(Ok(Self { text, kind: LineKind::from_number(kind), thread: None }));
        }
        (reader.left() > 0).then(|| Self::read(reader))
    }
}

impl Line<'_> {
    /// Writes the line as an array. `main` is the thread of a line that names none.
    pub(crate) fn write(&self, pen: &mut Pen, main: i64) -> Result<(), SendError> {
        pen.array(|pen| {
            pen.text(&self.text)?;
            pen.int(self.kind.number())?;
            if pen.family.has_threads() { pen.int(self.thread.unwrap_or(main)) } else { Ok(()) }
        })
    }
}
