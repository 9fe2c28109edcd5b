//! [`Terminal`]: the output streams of a command, and their colours.

use std::fmt;
use std::io::{self, Write};

use crate::escape::neutral;
use crate::style::Palette;

/// The output streams of a command: standard output and standard error, or writers that capture them.
///
/// ```
/// use variant_inspect::Terminal;
///
/// let (mut out, mut err) = (Vec::new(), Vec::new());
/// let terminal = Terminal {
///     out: &mut out,
///     err: &mut err,
///     is_out_terminal: false,
///     is_out_coloured: false,
///     is_err_coloured: false,
/// };
/// # let _ = terminal;
/// ```
pub struct Terminal<'t> {
    /// Results. Should be buffered; [`run`](crate::run) flushes it at the end.
    pub out: &'t mut dyn Write,
    /// Notes and errors.
    pub err: &'t mut dyn Write,
    /// Whether results go to a terminal, which obeys control characters.
    pub is_out_terminal: bool,
    /// Whether to colour results.
    pub is_out_coloured: bool,
    /// Whether to colour notes and errors.
    pub is_err_coloured: bool,
}

impl Terminal<'_> {
    pub(crate) const fn palette(&self) -> Palette {
        Palette::new(self.is_out_coloured)
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
