//! [`Report`]: the report of an error in the data, on one line or with all details.

use std::io::{self, Write};

use serde_json::{Value, json};
use variant_view::{Document, Error, ErrorKind, Part, short_path};

use crate::hexdump::excerpt;
use crate::open::Input;
use crate::style::Palette;
use crate::terminal::Terminal;
use variant_document::Piece;
use variant_document::count::grouped;
use variant_document::escape::neutral;
use variant_document::explain;
use variant_document::query::{ROOT, path_to};
use variant_document::section;

/// An error and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report<'r> {
    pub(crate) input: &'r Input,
    pub(crate) piece: &'r Piece<'r>,
    pub(crate) document: Document<'r>,
    /// The error. Its offset counts from the start of the document.
    pub(crate) error: Error,
}

impl Report<'_> {
    /// Flushes the results, and then writes the report to standard error.
    pub(crate) fn print(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        terminal.out.flush()?;
        self.write(terminal.err, &Palette::new(terminal.is_err_coloured))
    }

    /// Writes one line, or all details with `--explain`.
    pub(crate) fn write(&self, out: &mut dyn Write, palette: &Palette) -> io::Result<()> {
        if self.input.is_explained {
            return self.write_whole(out, palette);
        }
        let (error, at) = (&self.error, self.piece.absolute(self.error.offset()));
        let (name, red) = (&self.input.name, palette.error);
        let called = self.piece.called().map_or_else(String::new, |called| format!(" in {called}"));
        let path = self.path();
        let hint = explain::hint(error, &self.document);
        let rest = format!("{} at byte {at}{called}, path {path}; {hint}", error.kind());
        writeln!(out, "{name}: {red}invalid{red:#}: {}", neutral(&rest))
    }

    /// Writes all details, with the bytes around the error.
    pub(crate) fn write_whole(&self, out: &mut dyn Write, palette: &Palette) -> io::Result<()> {
        let (error, at) = (&self.error, self.piece.absolute(self.error.offset()));
        let red = palette.error;
        writeln!(out, "{}: {red}invalid{red:#}: {} at byte {at}", self.input.name, error.kind())?;
        let mut line = |name: &str, text: &str| writeln!(out, "  {name:<9} {}", neutral(text));
        line("byte", &self.place(at))?;
        line("path", &self.path())?;
        line("found", &explain::found(error, &self.document))?;
        line("expected", &explain::expected(error, &self.document))?;
        line("hint", explain::hint(error, &self.document))?;
        line("format", &section::of_error(error.kind()).to_string())?;
        writeln!(out)?;
        excerpt(out, self.input.source.whole(), at, palette)
    }

    /// All details, as a JSON object.
    pub(crate) fn to_json(self) -> Value {
        let error = &self.error;
        json!({
            "file": self.input.name,
            "status": "invalid",
            "frame": self.piece.called().map(|_| self.piece.number),
            "offset": self.piece.absolute(error.offset()),
            "path": self.path(),
            "error": error.kind().to_string(),
            "found": explain::found(error, &self.document),
            "expected": explain::expected(error, &self.document),
            "hint": explain::hint(error, &self.document),
            "format": section::of_error(error.kind()).to_string(),
        })
    }

    fn place(&self, at: usize) -> String {
        let place = format!("{} (0x{at:x})", grouped(at));
        let Some(called) = self.piece.called() else { return place };
        let start = grouped(self.piece.start);
        format!("{place} in {called}, whose value starts at byte {start}")
    }

    fn path(&self) -> String {
        let offset = self.error.offset();
        let last = self.document.bytes().len().saturating_sub(1);
        match path_to(&self.document, offset) {
            Ok(path) => shown(&path),
            // The error may be at the end of the bytes, outside every value. If so, the path is that of the last byte.
            Err(_) => match path_to(&self.document, last.min(offset)) {
                Ok(path) if self.is_between_values() && !path.is_empty() => {
                    format!("after {}", shown(&path))
                }
                Ok(path) => shown(&path),
                Err(_) => ROOT.to_owned(),
            },
        }
    }

    const fn is_between_values(&self) -> bool {
        matches!(self.error.kind(), ErrorKind::Truncated { part: Part::Header, .. })
    }
}

/// A path for output: the root is `(root)`.
pub(crate) const fn or_root(path: &str) -> &str {
    if path.is_empty() { ROOT } else { path }
}

/// Works as [`or_root`], but shortens a long path.
pub(crate) fn shown(path: &str) -> String {
    short_path(or_root(path)).into_owned()
}
