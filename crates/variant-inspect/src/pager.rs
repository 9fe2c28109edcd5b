//! [`Pager`]: long output on a terminal, a screen at a time.

use std::env;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

/// A pager that shows what is written to it: that of `$PAGER`, else `less`.
#[derive(Debug)]
pub(crate) struct Pager(Child);

impl Pager {
    /// Starts the pager; none if the user wants none, or if it does not start.
    pub(crate) fn start() -> Option<Self> {
        let chosen =
            ["VARIANT_INSPECT_PAGER", "PAGER"].into_iter().find_map(|name| env::var(name).ok());
        let command = chosen.unwrap_or_else(|| "less".to_owned());
        if command.is_empty()
            || command == "cat"
            || env::var("TERM").is_ok_and(|term| term == "dumb")
        {
            return None;
        }
        let mut words = command.split_whitespace();
        let mut pager = Command::new(words.next()?);
        pager.args(words).stdin(Stdio::piped());
        if env::var_os("LESS").is_none() {
            // Ends where all fits on a screen, shows colours, and leaves the screen as it is.
            pager.env("LESS", "FRX");
        }
        pager.spawn().ok().map(Self)
    }

    /// Waits until the user has seen enough.
    pub(crate) fn wait(mut self) -> io::Result<()> {
        drop(self.0.stdin.take());
        self.0.wait().map(drop)
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0.stdin {
            Some(stdin) => stdin.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.stdin.as_mut().map_or(Ok(()), Write::flush)
    }
}
