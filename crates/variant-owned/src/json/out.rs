//! [`Out`]: JSON text, token by token.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use variant_view::is_invisible;

/// Writes JSON text token by token; adds commas and line breaks.
#[derive(Debug)]
pub(super) struct Out<W: Write> {
    to: BufWriter<W>,
    is_pretty: bool,
    depth: usize,
    /// The depth from which everything is on one line.
    flat: Option<usize>,
    /// Whether the innermost container is still empty.
    is_first: bool,
    is_behind_key: bool,
}

/// The deepest indentation, so that output does not grow with the square of the depth.
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

    /// Writes the comma and the line break before a value or a key.
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
    pub(super) fn begin(&mut self, open: &str) -> io::Result<&mut Self> {
        self.lead()?;
        self.to.write_all(open.as_bytes())?;
        self.depth = self.depth.saturating_add(1);
        self.is_first = true;
        Ok(self)
    }

    /// Opens `[` or `{`, with the contents on one line.
    pub(super) fn begin_flat(&mut self, open: &str) -> io::Result<&mut Self> {
        self.begin(open)?;
        self.flat.get_or_insert(self.depth);
        Ok(self)
    }

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

    pub(super) fn key(&mut self, key: &str) -> io::Result<&mut Self> {
        self.string(key)?;
        self.to.write_all(if self.is_pretty { b": " } else { b":" })?;
        self.is_behind_key = true;
        Ok(self)
    }

    /// Writes a token that is valid JSON.
    pub(super) fn token(&mut self, token: impl Display) -> io::Result<()> {
        self.lead()?;
        write!(self.to, "{token}")
    }

    /// Writes a string that needs no escapes.
    pub(super) fn quoted(&mut self, text: impl Display) -> io::Result<()> {
        self.lead()?;
        write!(self.to, "\"{text}\"")
    }

    /// Writes a string. Escapes the characters that JSON requires, and characters that are invisible, change text
    /// direction or control a terminal.
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
                other => {
                    for unit in other.encode_utf16(&mut [0; 2]) {
                        write!(self.to, "\\u{unit:04x}")?;
                    }
                }
            }
            rest = behind.get(special.len_utf8()..).unwrap_or_default();
        }
        self.to.write_all(rest.as_bytes())?;
        self.to.write_all(b"\"")
    }

    pub(super) fn hex(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.lead()?;
        self.to.write_all(b"\"")?;
        // Formatting each byte with `write!` takes several times as long as this table.
        let digit = |half: u8| b"0123456789abcdef".get(usize::from(half)).copied().unwrap_or(b'0');
        bytes
            .iter()
            .try_for_each(|byte| self.to.write_all(&[digit(byte >> 4), digit(byte & 15)]))?;
        self.to.write_all(b"\"")
    }
}

/// The first character that needs an escape, and its position.
fn first_special(text: &str) -> Option<(usize, char)> {
    // The first bytes of all characters that may need an escape.
    let may_be = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f | 0x7f | 0xc2 | 0xcd | 0xd8 | 0xe1..=0xe3 | 0xef..=0xf3);
    let mut from = 0_usize;
    loop {
        let rest = text.get(from..)?;
        let at = rest.as_bytes().iter().position(may_be)?;
        let found = rest.get(at..)?.chars().next()?;
        if is_special(found) {
            return Some((from.saturating_add(at), found));
        }
        from = from.saturating_add(at).saturating_add(found.len_utf8());
    }
}

const fn is_special(c: char) -> bool {
    matches!(c, '"' | '\\') || is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> String {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes, false);
        out.string(text).unwrap();
        out.finish().unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Checks all invisible characters, since `first_special` searches by the first byte.
    #[test]
    fn nothing_invisible_is_left_in_a_string() {
        for c in ('\0'..=char::MAX).filter(|&c| is_invisible(c)) {
            let text = string(&format!("a{c}b"));
            assert!(text.starts_with("\"a\\"), "{c:?}: {text}");
            assert_eq!(serde_json::from_str::<String>(&text).unwrap(), format!("a{c}b"));
        }
        assert_eq!(string("\u{e0041}\u{3164}"), r#""\udb40\udc41\u3164""#);
        assert_eq!(
            string("\u{65e5}\u{2764}\u{fe0f}\u{1f600}"),
            "\"\u{65e5}\u{2764}\u{fe0f}\u{1f600}\""
        );
    }
}
