//! [`ErrorReport`]: an error or a warning.

use std::borrow::Cow;

use super::StackFrame;
use crate::list::List;

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
