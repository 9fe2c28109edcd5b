//! [`Terminal`]: where output goes, and in which colours.

use std::fmt;
use std::io::{self, Write};

use crate::style::Palette;

/// Standard output and standard error, or what stands in for them.
pub struct Terminal<'t> {
    /// Results. Should be buffered; it is flushed at the end.
    pub out: &'t mut dyn Write,
    /// Remarks and errors.
    pub err: &'t mut dyn Write,
    /// Whether results are to be coloured.
    pub is_out_coloured: bool,
    /// Whether remarks are to be coloured.
    pub is_err_coloured: bool,
}

impl Terminal<'_> {
    pub(crate) const fn palette(&self) -> Palette {
        Palette::new(self.is_out_coloured)
    }

    /// A remark. Results that are written already come first.
    pub(crate) fn note(&mut self, message: &str) -> io::Result<()> {
        self.out.flush()?;
        let style = Palette::new(self.is_err_coloured).note;
        writeln!(self.err, "{style}note:{style:#} {message}")
    }

    /// Something that went wrong.
    pub(crate) fn error(&mut self, message: &str) -> io::Result<()> {
        self.out.flush()?;
        let style = Palette::new(self.is_err_coloured).error;
        writeln!(self.err, "{style}error:{style:#} {message}")
    }
}

impl fmt::Debug for Terminal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("is_out_coloured", &self.is_out_coloured)
            .field("is_err_coloured", &self.is_err_coloured)
            .finish_non_exhaustive()
    }
}
