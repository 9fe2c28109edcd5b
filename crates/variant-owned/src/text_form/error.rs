//! [`TextError`]: where a text is wrong, and what should stand there.

use std::borrow::Cow;
use std::fmt;

/// Where a text stops being a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    offset: usize,
    line: usize,
    column: usize,
    expected: Cow<'static, str>,
}

impl TextError {
    /// `offset` is where a character starts, or the end. O(bytes before it).
    pub(super) fn new(text: &str, offset: usize, expected: Cow<'static, str>) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
        let line = before.matches('\n').count().saturating_add(1);
        let column = before.get(start..).unwrap_or_default().chars().count().saturating_add(1);
        Self { offset, line, column, expected }
    }

    /// Bytes before the place.
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

    /// What should stand there, in words: "`,` or `)`".
    pub fn expected(&self) -> &str {
        &self.expected
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, expected, .. } = self;
        write!(f, "line {line}, column {column}: expected {expected}")
    }
}

impl std::error::Error for TextError {}
