//! [`Report`]: all there is to say about an error in the data.

use std::io::{self, Write};

use variant_view::{Document, Error, ErrorKind, Part};

use crate::count::grouped;
use crate::escape::escape;
use crate::explain;
use crate::hexdump::excerpt;
use crate::open::Input;
use crate::pieces::{Piece, unit};
use crate::style::Palette;

/// An error, and where it was met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report<'r> {
    pub(crate) input: &'r Input,
    pub(crate) piece: &'r Piece<'r>,
    pub(crate) document: Document<'r>,
    /// Its offset counts from the start of the document.
    pub(crate) error: Error,
}

impl Report<'_> {
    pub(crate) fn write(&self, out: &mut dyn Write, palette: &Palette) -> io::Result<()> {
        let (error, at) = (&self.error, self.piece.absolute(self.error.offset()));
        let red = palette.error;
        writeln!(out, "{}: {red}invalid{red:#}: {} at byte {at}", self.input.name, error.kind())?;
        let mut line = |name: &str, text: &str| writeln!(out, "  {name:<9} {text}");
        line("byte", &self.place(at))?;
        line("path", &self.path())?;
        line("found", &explain::found(error, &self.document))?;
        line("expected", &explain::expected(error, &self.document))?;
        line("hint", explain::hint(error))?;
        writeln!(out)?;
        excerpt(out, &self.input.source, at, palette)
    }

    fn place(&self, at: usize) -> String {
        let Piece { number, start, name, framing, .. } = *self.piece;
        let place = format!("{} (0x{at:x})", grouped(at));
        let Some(unit) = unit(framing) else { return place };
        let mut called = String::new();
        if let Some(name) = name {
            called.push_str(", ");
            escape(&mut called, name, 100);
        }
        let (number, start) = (grouped(number), grouped(start));
        format!("{place} in {unit} {number}{called}, whose value starts at byte {start}")
    }

    fn path(&self) -> String {
        let offset = self.error.offset();
        let last = self.document.bytes().len().saturating_sub(1);
        match self.document.path_to(offset) {
            Ok(path) if path.is_root() => "(root)".to_owned(),
            Ok(path) => path.to_string(),
            // Where the bytes end there is no value any more, only one that has begun or ended there.
            Err(_) => match self.document.path_to(last.min(offset)) {
                Ok(path) if path.is_root() => "(root)".to_owned(),
                Ok(path) if self.is_between_values() => format!("behind {path}"),
                Ok(path) => path.to_string(),
                Err(_) => "(root)".to_owned(),
            },
        }
    }

    const fn is_between_values(&self) -> bool {
        matches!(self.error.kind(), ErrorKind::Truncated { part: Part::Header, .. })
    }
}
