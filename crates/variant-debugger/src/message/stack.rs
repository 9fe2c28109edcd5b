//! [`Stop`], [`StackFrame`], [`Variable`]: a thread that has stopped.

use std::borrow::Cow;

use crate::family::Version;
use crate::value::Value;
use variant_owned::{Variant, dictionary};
use variant_view::{DictionaryView, VariantView};

use crate::error::{Error, ErrorKind, SendError};
use crate::list::Row;
use crate::pen::Pen;
use crate::reader::{Reader, text_of};

/// A thread has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop<'a> {
    /// Whether the game can continue as if nothing had happened; false after a script error. `Continue` works in either
    /// case.
    pub can_continue: bool,
    /// `Breakpoint`, or the text of a script error; empty after `Break` in Godot 4.
    pub reason: Cow<'a, str>,
    /// Whether there is a stack to ask for; `None` in Godot 3 and Pandemonium 3.
    pub has_stack: Option<bool>,
    /// The name of the thread (Pandemonium 4 and 5, Godot 4.2 to 4.4).
    pub thread_name: Option<Cow<'a, str>>,
    /// The id of the thread (Godot 4.5 and later).
    pub thread_id: Option<i64>,
}

/// A frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame<'a> {
    /// The script, such as `res://main.gd`.
    pub file: Cow<'a, str>,
    /// The line, from 1.
    pub line: i64,
    /// The function.
    pub function: Cow<'a, str>,
}

/// A variable of a frame, or the value of an expression.
#[derive(Clone, Debug)]
pub struct Variable<'a> {
    /// The name; of an evaluation, the expression.
    pub name: Cow<'a, str>,
    /// Where it is declared.
    pub scope: Scope,
    /// The engine's id of the type, in the numbering of the dialect ([`Dialect::kind`]); `None` in Godot 3 and
    /// Pandemonium. It is the real type even if the value was too large and is `null`.
    ///
    /// [`Dialect::kind`]: variant_view::Dialect::kind
    pub type_id: Option<i64>,
    /// The value. Objects are ids.
    pub value: Value<'a>,
}

/// Where a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In the function: 0.
    Local,
    /// In the object: 1. The first is `self`.
    Member,
    /// In the program: 2.
    Global,
    /// The value of an expression: 3.
    Evaluation,
    /// Another number.
    Other(i64),
}

impl<'a> Stop<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let (can_continue, reason) = (reader.bool()?, reader.text()?);
        let has_stack = (reader.left() > 0).then(|| reader.bool()).transpose()?;
        let mut stop = Self { can_continue, reason, has_stack, thread_name: None, thread_id: None };
        match reader.peek() {
            Some(variant_view::Kind::Int) => stop.thread_id = Some(reader.int()?),
            Some(_) => stop.thread_name = Some(reader.text()?),
            None => {}
        }
        Ok(stop)
    }

    pub(crate) fn write(&self, pen: &mut Pen, thread: i64) -> Result<(), SendError> {
        pen.bool(self.can_continue)?;
        pen.text(&self.reason)?;
        if pen.family == crate::family::Family::Frames {
            return Ok(());
        }
        pen.bool(self.has_stack.unwrap_or(true))?;
        if pen.family == crate::family::Family::Array {
            return Ok(());
        }
        if pen.family.is_array() && pen.versions.reach(Version::new(4, 5)) == Some(true) {
            return pen.int(self.thread_id.unwrap_or(thread));
        }
        pen.text(self.thread_name.as_deref().unwrap_or("Main Thread"))
    }
}

impl<'a> Row<'a> for StackFrame<'a> {
    /// A dictionary, or file, line and function, of which the last two come in either order.
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        enum First<'a> {
            Frame(DictionaryView<'a>),
            File(Cow<'a, str>),
        }
        let first = reader.typed("a String or a Dictionary", |value| match value {
            VariantView::Dictionary(frame) => Some(First::Frame(*frame)),
            other => text_of(other).map(First::File),
        })?;
        match first {
            First::Frame(frame) => Self::of_dictionary(&frame),
            First::File(file) if reader.peek() == Some(variant_view::Kind::Int) => {
                Ok(Self { file, line: reader.int()?, function: reader.text()? })
            }
            First::File(file) => {
                let function = reader.text()?;
                Ok(Self { file, line: reader.int()?, function })
            }
        }
    }
}

impl<'a> StackFrame<'a> {
    fn of_dictionary(frame: &DictionaryView<'a>) -> Result<Self, Error> {
        let parts = frame.get_many(["file", "line", "function"]);
        let [file, line, function] = parts.map_err(|error| Error::in_frame(error, 0))?;
        let text = |value: Option<VariantView<'a>>| value.as_ref().and_then(text_of);
        let line = line.and_then(|line| line.as_i64().ok());
        match (text(file), line, text(function)) {
            (Some(file), Some(line), Some(function)) => Ok(Self { file, line, function }),
            _ => Err(Error::at(ErrorKind::StackFrame, frame.offset())),
        }
    }

    /// Writes the frame for a stack dump.
    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        if pen.family.is_array() {
            pen.text(&self.file)?;
            pen.int(self.line)?;
            return pen.text(&self.function);
        }
        let text = |text: &str| Variant::from(text);
        pen.variant(&Variant::from(dictionary! {
            "file" => text(&self.file),
            "line" => self.line,
            "function" => text(&self.function),
            "id" => 0,
        }))
    }
}

impl<'a> Row<'a> for Variable<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let name = reader.text()?;
        let scope = Scope::from_number(reader.int()?);
        let type_id = Some(reader.int()?);
        Ok(Self { name, scope, type_id, value: reader.value()?.into() })
    }

    /// Variables of games without Godot 4's messages: name and value, in groups by scope.
    fn next(reader: &mut Reader<'a>) -> Option<Result<Self, Error>> {
        let scope = match reader.scope() {
            Ok(scope) => scope?,
            Err(error) => return Some(Err(error)),
        };
        let mut read = || {
            let name = reader.text()?;
            Ok(Self { name, scope, type_id: None, value: reader.value()?.into() })
        };
        Some(read())
    }
}

impl Variable<'_> {
    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.text(&self.name)?;
        pen.int(self.scope.number())?;
        let id = || pen.dialect.id(self.value.kind()).map_or(0, i64::from);
        pen.int(self.type_id.unwrap_or_else(id))?;
        pen.value(&self.value)
    }
}

impl Scope {
    /// The scope of a number.
    pub const fn from_number(number: i64) -> Self {
        match number {
            0 => Self::Local,
            1 => Self::Member,
            2 => Self::Global,
            3 => Self::Evaluation,
            other => Self::Other(other),
        }
    }

    /// The number on the wire.
    pub const fn number(self) -> i64 {
        match self {
            Self::Local => 0,
            Self::Member => 1,
            Self::Global => 2,
            Self::Evaluation => 3,
            Self::Other(number) => number,
        }
    }
}
