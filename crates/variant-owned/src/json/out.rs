//! [`Out`]: JSON text, token by token.

use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, Write};

/// Writes JSON text token by token; commas and line breaks come by themselves.
pub(super) struct Out<W: Write> {
    to: BufWriter<W>,
    is_pretty: bool,
    depth: usize,
    /// The depth from which on everything stands in one line.
    flat: Option<usize>,
    /// Nothing stands in the innermost container.
    is_first: bool,
    is_behind_key: bool,
    scratch: String,
}

/// Deeper lines are not indented further: text must not grow with the square of the depth.
const INDENTED: usize = 64;

impl<W: Write> Out<W> {
    pub(super) fn new(to: W, is_pretty: bool) -> Self {
        Self {
            to: BufWriter::new(to),
            is_pretty,
            depth: 0,
            flat: None,
            is_first: true,
            is_behind_key: false,
            scratch: String::new(),
        }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.is_pretty {
            self.to.write_all(b"\n")?;
        }
        self.to.flush()
    }

    fn line(&mut self) -> io::Result<()> {
        if self.is_pretty && self.flat.is_none() && self.depth > 0 {
            self.to.write_all(b"\n")?;
            for _ in 0..self.depth.min(INDENTED) {
                self.to.write_all(b"  ")?;
            }
        }
        Ok(())
    }

    /// What comes before a value or a key.
    fn lead(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_behind_key) {
            return Ok(());
        }
        if !std::mem::replace(&mut self.is_first, false) && self.depth > 0 {
            self.to.write_all(if self.is_pretty && self.flat.is_some() { b", " } else { b"," })?;
        }
        self.line()
    }

    /// Opens `[` or `{`.
    pub(super) fn begin(&mut self, open: &str) -> io::Result<()> {
        self.lead()?;
        self.to.write_all(open.as_bytes())?;
        self.depth = self.depth.saturating_add(1);
        self.is_first = true;
        Ok(())
    }

    /// The same, of what is to stand in one line.
    pub(super) fn begin_flat(&mut self, open: &str) -> io::Result<()> {
        self.begin(open)?;
        self.flat.get_or_insert(self.depth);
        Ok(())
    }

    /// Closes with `]` or `}`.
    pub(super) fn end(&mut self, close: &str) -> io::Result<()> {
        let was_flat = self.flat.is_some();
        if self.flat == Some(self.depth) {
            self.flat = None;
        }
        self.depth = self.depth.saturating_sub(1);
        if !std::mem::replace(&mut self.is_first, false) && !was_flat {
            if self.depth == 0 && self.is_pretty {
                self.to.write_all(b"\n")?;
            }
            self.line()?;
        }
        self.to.write_all(close.as_bytes())
    }

    pub(super) fn key(&mut self, key: &str) -> io::Result<()> {
        self.string(key)?;
        self.to.write_all(if self.is_pretty { b": " } else { b":" })?;
        self.is_behind_key = true;
        Ok(())
    }

    /// A token that is JSON as it is.
    pub(super) fn token(&mut self, token: &str) -> io::Result<()> {
        self.lead()?;
        self.to.write_all(token.as_bytes())
    }

    /// A number; of floats without the `.0` if `is_short`, but for negative zero.
    pub(super) fn number(&mut self, number: fmt::Arguments<'_>, is_short: bool) -> io::Result<()> {
        self.lead()?;
        self.scratch.clear();
        // Writing to a string does not fail.
        let _ = self.scratch.write_fmt(number);
        let text = match self.scratch.strip_suffix(".0") {
            Some(short) if is_short && short != "-0" => short,
            _ => &self.scratch,
        };
        self.to.write_all(text.as_bytes())
    }

    /// A string, escaped where JSON demands it, and wherever a terminal would take it for a command.
    pub(super) fn string(&mut self, text: &str) -> io::Result<()> {
        self.lead()?;
        self.to.write_all(b"\"")?;
        let mut rest = text;
        while let Some((at, special)) = first_special(rest) {
            let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.to.write_all(plain.as_bytes())?;
            match special {
                '"' => self.to.write_all(b"\\\"")?,
                '\\' => self.to.write_all(b"\\\\")?,
                '\n' => self.to.write_all(b"\\n")?,
                '\t' => self.to.write_all(b"\\t")?,
                '\r' => self.to.write_all(b"\\r")?,
                other => write!(self.to, "\\u{:04x}", u32::from(other))?,
            }
            rest = behind.get(special.len_utf8()..).unwrap_or_default();
        }
        self.to.write_all(rest.as_bytes())?;
        self.to.write_all(b"\"")
    }

    /// Bytes as a string of hexadecimal digits.
    pub(super) fn hex(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.lead()?;
        self.to.write_all(b"\"")?;
        for byte in bytes {
            write!(self.to, "{byte:02x}")?;
        }
        self.to.write_all(b"\"")
    }

    /// Bytes as a string of base64 (RFC 4648), padded.
    pub(super) fn base64(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.lead()?;
        self.to.write_all(b"\"")?;
        for chunk in bytes.chunks(3) {
            let byte = |at| u32::from(chunk.get(at).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            let mut quad = [18, 12, 6, 0].map(|shift| digit(bits >> shift & 63));
            for (place, digit) in quad.iter_mut().enumerate() {
                if place > chunk.len() {
                    *digit = b'=';
                }
            }
            self.to.write_all(&quad)?;
        }
        self.to.write_all(b"\"")
    }
}

/// The first character to be escaped, and where it is. All control characters are, those in two bytes
/// (U+0080 to U+009F) as well.
fn first_special(text: &str) -> Option<(usize, char)> {
    let may_be = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f | 0x7f | 0xc2);
    let mut from = 0_usize;
    loop {
        let rest = text.get(from..)?;
        let at = rest.as_bytes().iter().position(may_be)?;
        let found = rest.get(at..)?.chars().next()?;
        if found.is_ascii() || found.is_control() {
            return Some((from.saturating_add(at), found));
        }
        from = from.saturating_add(at).saturating_add(found.len_utf8());
    }
}

fn digit(value: u32) -> u8 {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    usize::try_from(value).ok().and_then(|at| DIGITS.get(at)).copied().unwrap_or(b'=')
}
