//! [`JsonError`]: what keeps JSON from being written or read, and where.

use std::fmt;
use std::io;

use crate::encode::EncodeErrorKind;

/// What keeps JSON from being written or read, and where in the text.
#[derive(Debug)]
pub struct JsonError {
    kind: JsonErrorKind,
    line: usize,
    column: usize,
    pointer: String,
}

impl JsonError {
    pub(super) fn at(kind: JsonErrorKind, text: &str, offset: usize, pointer: String) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count().saturating_add(1);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        Self { kind, line, column: column.saturating_add(1), pointer }
    }

    /// An error without a place in a text of JSON.
    pub(super) const fn nowhere(kind: JsonErrorKind) -> Self {
        Self { kind, line: 0, column: 0, pointer: String::new() }
    }

    /// What is wrong.
    pub const fn kind(&self) -> &JsonErrorKind {
        &self.kind
    }

    /// What is wrong, alone.
    pub fn into_kind(self) -> JsonErrorKind {
        self.kind
    }

    /// The line in the text that was read, from 1; 0 if the error has no place in it.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The character of the line, from 1; 0 if the error has no place in the text.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// The JSON Pointer (RFC 6901) of the value at fault; empty for the root and for errors of syntax.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        if self.line > 0 {
            write!(f, " at line {} column {}", self.line, self.column)?;
        }
        if !self.pointer.is_empty() {
            write!(f, " ({})", self.pointer)?;
        }
        Ok(())
    }
}

impl std::error::Error for JsonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            JsonErrorKind::Io(error) => Some(error),
            JsonErrorKind::Document(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for JsonError {
    fn from(error: io::Error) -> Self {
        Self::nowhere(JsonErrorKind::Io(error))
    }
}

impl From<variant_view::Error> for JsonError {
    fn from(error: variant_view::Error) -> Self {
        Self::nowhere(JsonErrorKind::Document(error))
    }
}

/// What is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text is no JSON: what should have stood here.
    Syntax(&'static str),
    /// JSON of another shape than the form has it: what should have stood here.
    Expected(&'static str),
    /// A tagged object lacks this field.
    Missing(&'static str),
    /// A field that the tag does not have, or has only once.
    Field(String),
    /// No kind has this name.
    UnknownKind(String),
    /// A number that its place cannot hold.
    OutOfRange,
    /// The dialect cannot hold the value.
    Encode(EncodeErrorKind),
    /// What is wrong in the document to be written as JSON.
    Document(variant_view::Error),
    /// Reading or writing failed.
    Io(io::Error),
}

impl fmt::Display for JsonErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(what) => write!(f, "no JSON: expected {what}"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::Missing(field) => write!(f, "the field {field:?} is missing"),
            Self::Field(field) => write!(f, "the field {field:?} is unknown or stands twice"),
            Self::UnknownKind(name) => write!(f, "there is no kind {name:?}"),
            Self::OutOfRange => f.write_str("the number is out of range"),
            Self::Encode(kind) => kind.fmt(f),
            Self::Document(error) => write!(f, "in the document: {error}"),
            Self::Io(error) => error.fmt(f),
        }
    }
}
