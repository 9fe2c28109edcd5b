//! [`Terminal`]: the output streams of a command, and their colours.

use std::fmt;
use std::io::{self, Write};
use std::sync::LazyLock;

use variant_view::is_invisible;

use crate::cli::CommonArgs;
use crate::progress::Progress;
use crate::style::Palette;
use variant_document::escape::neutral;

/// The output streams of a command, and the options of every command. The streams are standard output and standard
/// error, or writers that capture the output.
///
/// ```
/// use variant_inspect::Terminal;
///
/// let (mut out, mut err) = (Vec::new(), Vec::new());
/// let terminal = Terminal::of(&mut out, &mut err);
/// # let _ = terminal;
/// ```
pub struct Terminal<'t> {
    /// The options of every command; [`run`](crate::run) sets them.
    pub common: &'t CommonArgs,
    /// The stream of results. It should be buffered; [`run`](crate::run) flushes it at the end.
    pub out: &'t mut dyn Write,
    /// The stream of notes and errors.
    pub err: &'t mut dyn Write,
    /// The line of progress, if there is one.
    pub progress: Option<&'t Progress>,
    /// Whether results go to a terminal, which obeys control characters.
    pub is_out_terminal: bool,
    /// Whether to colour results.
    pub is_out_coloured: bool,
    /// Whether notes and errors are coloured.
    pub is_err_coloured: bool,
}

static DEFAULT: LazyLock<CommonArgs> = LazyLock::new(CommonArgs::default);

impl<'t> Terminal<'t> {
    /// A terminal with two writers that are not terminals: without colours and without a line of progress.
    pub fn of(out: &'t mut dyn Write, err: &'t mut dyn Write) -> Self {
        Self {
            common: &DEFAULT,
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
    /// The same streams, with other options.
    pub(crate) fn with<'s>(&'s mut self, common: &'s CommonArgs) -> Terminal<'s> {
        Terminal {
            common,
            out: &mut *self.out,
            err: &mut *self.err,
            progress: self.progress,
            is_out_terminal: self.is_out_terminal,
            is_out_coloured: self.is_out_coloured,
            is_err_coloured: self.is_err_coloured,
        }
    }

    pub(crate) const fn palette(&self) -> Palette {
        Palette::new(self.is_out_coloured)
    }

    /// Prints JSON on a line, with invisible characters as escapes.
    pub(crate) fn json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        json_line(value, self.out)
    }

    /// Prints a note after the results. Prints nothing with `--quiet`.
    pub(crate) fn note(&mut self, message: &str) -> io::Result<()> {
        if self.common.quiet {
            return Ok(());
        }
        self.out.flush()?;
        let style = Palette::new(self.is_err_coloured).note;
        writeln!(self.err, "{style}note:{style:#} {}", neutral(message))
    }

    /// Prints an error after the results.
    pub(crate) fn error(&mut self, message: &str) -> io::Result<()> {
        self.out.flush()?;
        let style = Palette::new(self.is_err_coloured).error;
        writeln!(self.err, "{style}error:{style:#} {}", neutral(message))
    }
}

/// Writes JSON on a line, with invisible characters as escapes.
pub(crate) fn json_line(value: &serde_json::Value, out: &mut dyn Write) -> io::Result<()> {
    let text = value.to_string();
    for part in text.split_inclusive(is_invisible) {
        let last = part.chars().next_back().filter(|c| is_invisible(*c));
        let len = part.len().saturating_sub(last.map_or(0, char::len_utf8));
        out.write_all(part.get(..len).unwrap_or_default().as_bytes())?;
        for unit in last.into_iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()) {
            write!(out, "\\u{unit:04x}")?;
        }
    }
    writeln!(out)
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
