//! [`Terminal`]: the output streams of a command, and their colours.

use std::fmt;
use std::io::{self, Write};

use variant_view::is_invisible;

use crate::progress::Progress;
use crate::style::Palette;
use variant_document::escape::neutral;

/// The output streams of a command: standard output and standard error, or writers that capture them.
///
/// ```
/// use variant_inspect::Terminal;
///
/// let (mut out, mut err) = (Vec::new(), Vec::new());
/// let terminal = Terminal::of(&mut out, &mut err);
/// # let _ = terminal;
/// ```
pub struct Terminal<'t> {
    /// Results. Should be buffered; [`run`](crate::run) flushes it at the end.
    pub out: &'t mut dyn Write,
    /// Notes and errors.
    pub err: &'t mut dyn Write,
    /// The line of progress, if there is one.
    pub progress: Option<&'t Progress>,
    /// Whether results go to a terminal, which obeys control characters.
    pub is_out_terminal: bool,
    /// Whether to colour results.
    pub is_out_coloured: bool,
    /// Whether to colour notes and errors.
    pub is_err_coloured: bool,
}

impl<'t> Terminal<'t> {
    /// Two writers, neither of which is a terminal: without colours and progress.
    pub const fn of(out: &'t mut dyn Write, err: &'t mut dyn Write) -> Self {
        Self {
            out,
            err,
            progress: None,
            is_out_terminal: false,
            is_out_coloured: false,
            is_err_coloured: false,
        }
    }
}

impl Terminal<'_> {
    pub(crate) const fn palette(&self) -> Palette {
        Palette::new(self.is_out_coloured)
    }

    /// Prints JSON on a line, with invisible characters as escapes.
    pub(crate) fn json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        let text = value.to_string();
        for part in text.split_inclusive(is_invisible) {
            let last = part.chars().next_back().filter(|c| is_invisible(*c));
            let len = part.len().saturating_sub(last.map_or(0, char::len_utf8));
            self.out.write_all(part.get(..len).unwrap_or_default().as_bytes())?;
            for unit in last.into_iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()) {
                write!(self.out, "\\u{unit:04x}")?;
            }
        }
        writeln!(self.out)
    }

    /// Prints a note, after all results so far.
    pub(crate) fn note(&mut self, message: &str) -> io::Result<()> {
        self.out.flush()?;
        let style = Palette::new(self.is_err_coloured).note;
        writeln!(self.err, "{style}note:{style:#} {}", neutral(message))
    }

    /// Prints an error, after all results so far.
    pub(crate) fn error(&mut self, message: &str) -> io::Result<()> {
        self.out.flush()?;
        let style = Palette::new(self.is_err_coloured).error;
        writeln!(self.err, "{style}error:{style:#} {}", neutral(message))
    }
}

impl fmt::Debug for Terminal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("is_out_terminal", &self.is_out_terminal)
            .field("is_out_coloured", &self.is_out_coloured)
            .field("is_err_coloured", &self.is_err_coloured)
            .finish_non_exhaustive()
    }
}
