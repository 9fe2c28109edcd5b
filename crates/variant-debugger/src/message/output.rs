//! [`Line`]: a line of output.

use std::borrow::Cow;

/// A line of output. Control characters and BBCode are the game's: escape them before printing.
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
    /// `print_rich`, with BBCode: 2 (Godot 4).
    Rich,
    /// Another number.
    Other(i64),
}
