//! [`ErrorReport`]: an error or a warning.

use std::borrow::Cow;

use super::StackFrame;
use crate::error::{Error, SendError};
use crate::list::List;
use crate::pen::Pen;
use crate::reader::Reader;

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct ErrorReport<'a> {
    /// The time since the start of the game.
    pub time: Time,
    /// The file, in most cases of the engine's source. The place in a script is in `stack`.
    pub file: Cow<'a, str>,
    /// The function.
    pub function: Cow<'a, str>,
    /// The line, from 1; -1 for a count of dropped errors.
    pub line: i64,
    /// The error: the condition, or the text of `push_error`.
    pub error: Cow<'a, str>,
    /// The description; may be empty.
    pub description: Cow<'a, str>,
    /// Whether it is a warning.
    pub is_warning: bool,
    /// The stack of the script, innermost first; empty in release builds of Godot 4.
    pub stack: List<'a, StackFrame<'a>>,
}

/// A time since the start of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Hours.
    pub hours: i64,
    /// Minutes.
    pub minutes: i64,
    /// Seconds.
    pub seconds: i64,
    /// Milliseconds.
    pub milliseconds: i64,
}

impl<'a> ErrorReport<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        if reader.family().is_array() {
            return Self::parts(reader).and_then(|report| report.with_stack(reader));
        }
        let mut parts = reader.array()?;
        Self::parts(&mut parts)?.with_stack(reader)
    }

    fn parts(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let time = Time::read(reader)?;
        let (first, second) = (reader.text()?, reader.text()?);
        let (file, function) =
            if reader.family().is_array() { (first, second) } else { (second, first) };
        Ok(Self {
            time,
            file,
            function,
            line: reader.int()?,
            error: reader.text()?,
            description: reader.text()?,
            is_warning: reader.bool()?,
            stack: List::default(),
        })
    }

    fn with_stack(self, reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self { stack: List::read(reader.counted()?), ..self })
    }

    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        if pen.family.is_array() {
            self.write_parts(pen)?;
        } else {
            pen.array(|pen| self.write_parts(pen))?;
        }
        pen.counted(&self.stack, 3, |pen, frame| {
            pen.text(&frame.file)?;
            pen.text(&frame.function)?;
            pen.int(frame.line)
        })
    }

    fn write_parts(&self, pen: &mut Pen) -> Result<(), SendError> {
        let Time { hours, minutes, seconds, milliseconds } = self.time;
        for part in [hours, minutes, seconds, milliseconds] {
            pen.int(part)?;
        }
        let (file, function) = (&self.file, &self.function);
        let (first, second) =
            if pen.family.is_array() { (file, function) } else { (function, file) };
        pen.text(first)?;
        pen.text(second)?;
        pen.int(self.line)?;
        pen.text(&self.error)?;
        pen.text(&self.description)?;
        pen.bool(self.is_warning)
    }
}

impl Time {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            hours: reader.int()?,
            minutes: reader.int()?,
            seconds: reader.int()?,
            milliseconds: reader.int()?,
        })
    }
}
