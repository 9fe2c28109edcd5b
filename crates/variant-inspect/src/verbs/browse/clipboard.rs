//! OSC 52: the escape sequence that asks a terminal to fill the clipboard. It also works over a remote shell.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The longest text that is copied, in bytes. Most terminals accept this length.
pub(super) const MOST: usize = 64 << 10;

/// Puts text on the clipboard. The text is sent in base64, so that the terminal does not obey control characters in it.
pub(super) fn copy(out: &mut dyn Write, text: &str) -> io::Result<()> {
    write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
    out.flush()
}
