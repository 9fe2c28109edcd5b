//! OSC 52: the sequence by which a program asks its terminal to fill the clipboard, over a remote shell too.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The most bytes that terminals commonly take.
pub(super) const MOST: usize = 64 << 10;

/// Puts text on the clipboard. Encodes it in base64, so that no part of it reaches the terminal as it is.
pub(super) fn copy(out: &mut dyn Write, text: &str) -> io::Result<()> {
    write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
    out.flush()
}
