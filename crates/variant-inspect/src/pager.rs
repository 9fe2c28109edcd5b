//! [`Pager`]: long output on a terminal, a screen at a time.

use std::env;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

/// A running pager: the command in `$PAGER`, or else `less`.
#[derive(Debug)]
pub(crate) struct Pager(Child);

impl Pager {
    /// Starts the pager; `None` if the user wants no pager, or if it does not start.
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
        let mut pager = parsed(&command)?;
        pager.stdin(Stdio::piped());
        if env::var_os("LESS").is_none() {
            // F: `less` exits at once if the text fits on one screen. R: it shows colours. X: it does not clear the
            // screen.
            pager.env("LESS", "FRX");
        }
        pager.spawn().ok().map(Self)
    }

    /// Waits until the user closes the pager.
    pub(crate) fn wait(mut self) -> io::Result<()> {
        drop(self.0.stdin.take());
        self.0.wait().map(drop)
    }
}

/// Parses a command that consists of words and quoted words. A command with other shell syntax, such as pipes or
/// variables, is run by the shell.
fn parsed(command: &str) -> Option<Command> {
    if cfg!(unix) && command.contains(|c| "$`|&;<>(){}*?[]~#=".contains(c)) {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]);
        return Some(shell);
    }
    let words = shell_words::split(command).ok()?;
    let (program, arguments) = words.split_first()?;
    let mut program = Command::new(program);
    program.args(arguments);
    Some(program)
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_pager_with_quotes_is_one_command() {
        let of = |command: &str| {
            let command = parsed(command).unwrap();
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(of("less -R  +G"), ["less", "-R", "+G"]);
        assert_eq!(of("'/opt/my pager' -P \"two words\""), ["/opt/my pager", "-P", "two words"]);
        assert_eq!(of("LESS=R less | cat"), ["sh", "-c", "LESS=R less | cat"]);
        assert!(parsed("  ").is_none() && parsed("less \"").is_none());
    }
}
