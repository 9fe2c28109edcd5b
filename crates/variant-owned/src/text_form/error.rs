//! [`TextError`]: the position at which a text is invalid, the found text, and the expected text.

use std::borrow::Cow;
use std::fmt;

use super::escape;
use super::names::is_identifier_char;
use super::token::Fault;
use crate::text::line_and_column;

/// The reason why a text is not a value: the position, the found text, and the expected text.
///
/// ```
/// use variant_owned::Variant;
///
/// let error = "[1,\n 2;]".parse::<Variant>().unwrap_err();
/// assert_eq!((error.line(), error.column(), error.offset()), (2, 3, 6));
/// println!("expected {}, found {}", error.expected(), error.found());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    offset: usize,
    line: usize,
    column: usize,
    expected: Cow<'static, str>,
    found: String,
}

impl TextError {
    /// O(bytes before the fault).
    pub(super) fn new(text: &str, fault: Fault<'_>) -> Self {
        let offset = text.len().saturating_sub(fault.at.len());
        let (line, column) = line_and_column(text, offset);
        let found = fault.found.unwrap_or_else(|| describe(fault.at));
        Self { offset, line, column, expected: fault.expected, found }
    }

    /// The byte offset in the text.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The line, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The character of the line, from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// The expected text, in words: "`,` or `)`".
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// The found text, in words: "`;`", "the end". At most 24 characters of the text, without control characters.
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, expected, found, .. } = self;
        write!(f, "line {line}, column {column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for TextError {}

/// The longest excerpt of a text in messages, in characters.
const SHOWN: usize = 24;

/// Describes the start of a text: a name, a number, a quoted text, or a character.
fn describe(text: &str) -> String {
    let Some(first) = text.chars().next() else { return "the end".to_owned() };
    let mut out = String::from("`");
    for (at, c) in text.chars().enumerate() {
        let goes_on = first == '"' || (is_word(first) && is_word(c));
        if at > 0 && !goes_on {
            break;
        }
        if at == SHOWN {
            return out + "`...";
        }
        escape::push_visible(&mut out, c);
        if at > 0 && c == '"' {
            break;
        }
    }
    out + "`"
}

fn is_word(c: char) -> bool {
    is_identifier_char(c) || "+-.".contains(c)
}
