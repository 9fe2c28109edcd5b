//! [`JsonError`]: the reason why JSON cannot be read, and the position.

use std::borrow::Cow;
use std::fmt;

use variant_view::Dialect;

use crate::encode::EncodeErrorKind;
use crate::text::line_and_column;

/// The reason why JSON cannot be read: the position, the found JSON, and the expected JSON.
///
/// ```
/// use variant_owned::json::{self, Form};
/// use variant_view::Dialect;
///
/// let text = r#"{"t": "Vector3", "v": [1, 2]}"#;
/// let error = json::read(text, Form::Exact, Dialect::Godot4).unwrap_err();
/// assert_eq!(error.to_string(), "line 1 column 23 (/v): expected 3 numbers, found an array of 2");
/// ```
#[derive(Debug)]
pub struct JsonError {
    kind: JsonErrorKind,
    line: usize,
    column: usize,
    pointer: String,
    found: String,
}

impl JsonError {
    pub(super) fn at(
        kind: JsonErrorKind,
        text: &str,
        offset: usize,
        pointer: String,
        found: String,
    ) -> Self {
        let (line, column) = line_and_column(text, offset);
        Self { kind, line, column, pointer, found }
    }

    /// The kind of the error.
    pub const fn kind(&self) -> &JsonErrorKind {
        &self.kind
    }

    /// The line of the text, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The position in the line, in characters from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// The JSON Pointer (RFC 6901) of the value concerned; empty for the root and for syntax errors.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The found JSON, in words. A long text is cut.
    pub fn found(&self) -> &str {
        &self.found
    }
}

/// The longest pointer in messages, in characters; longer ones are shortened.
const POINTER: usize = 200;

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)?;
        match self.pointer.as_str() {
            "" => {}
            pointer => write!(f, " ({})", short(pointer, POINTER))?,
        }
        write!(f, ": {}", self.kind)?;
        if !self.found.is_empty() && self.kind.says_what_should_be() {
            write!(f, ", found {}", self.found)?;
        }
        match self.kind.hint() {
            "" => Ok(()),
            hint => write!(f, "; {hint}"),
        }
    }
}

/// Shortens a long text to its beginning and its end.
pub(super) fn short(text: &str, most: usize) -> Cow<'_, str> {
    let half = most / 2;
    let head = text.char_indices().nth(half).map(|(at, _)| at);
    let tail = text.char_indices().nth_back(half).map(|(at, _)| at);
    match (head, tail) {
        (Some(head), Some(tail)) if head < tail => {
            let (head, tail) = (text.get(..head), text.get(tail..));
            format!("{}\u{2026}{}", head.unwrap_or_default(), tail.unwrap_or_default()).into()
        }
        _ => text.into(),
    }
}

impl std::error::Error for JsonError {}

/// The kind of a [`JsonError`].
///
/// ```
/// use variant_owned::json::{self, Form, JsonErrorKind};
/// use variant_view::Dialect;
///
/// let error = json::read(r#"{"t": "Vektor2"}"#, Form::Exact, Dialect::Godot4).unwrap_err();
/// assert!(matches!(error.kind(), JsonErrorKind::UnknownKind(name) if name == "Vektor2"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// Invalid JSON, with the expected syntax.
    Syntax(&'static str),
    /// JSON in another shape than the form's, with the expected shape.
    Expected(Cow<'static, str>),
    /// A tagged object lacks this field.
    Missing(&'static str),
    /// A field that objects with this tag do not have.
    Field {
        /// The name of the field.
        name: String,
        /// The fields that the tag has, as a list.
        known: String,
    },
    /// A field that occurs twice.
    Twice(String),
    /// No kind has this name.
    UnknownKind(String),
    /// A number outside the range of its type.
    OutOfRange,
    /// The dialect cannot hold the value.
    Encode(EncodeErrorKind, Dialect),
}

impl JsonErrorKind {
    /// Whether the error names the expected JSON. If so, the message also names the found JSON.
    const fn says_what_should_be(&self) -> bool {
        matches!(self, Self::Syntax(_) | Self::Expected(_) | Self::Missing(_) | Self::OutOfRange)
    }

    /// A suggestion, or an empty text.
    fn hint(&self) -> &'static str {
        match self {
            Self::Missing("t") => {
                "in the exact form, the field \"t\" has the kind of each object; JSON from other tools has the plain form"
            }
            Self::UnknownKind(_) => {
                "kinds have the names of Godot 4, such as \"int\", \"String\" and \"Vector2\""
            }
            _ => "",
        }
    }
}

impl fmt::Display for JsonErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(what) => write!(f, "invalid JSON: expected {what}"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::Missing(field) => write!(f, "expected the field {field:?}"),
            Self::Field { name, known } => {
                write!(f, "unknown field {:?}, expected one of {known}", short(name, 60))
            }
            Self::Twice(name) => write!(f, "duplicate field {:?}", short(name, 60)),
            Self::UnknownKind(name) => write!(f, "unknown kind {:?}", short(name, 60)),
            Self::OutOfRange => f.write_str("expected a number that fits here"),
            Self::Encode(kind, dialect) => write!(f, "{kind} ({dialect})"),
        }
    }
}
