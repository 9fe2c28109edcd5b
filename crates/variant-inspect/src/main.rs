//! The program: standard streams, colours and the exit status.

mod pager;
mod stdout;

use std::env::args_os;
use std::io::{self, BufWriter, IsTerminal as _, LineWriter, Write, stderr, stdout};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::error::ErrorKind;
use variant_inspect::{
    Cli, ColorArg, GONE, Progress, ReadError, Terminal, Verb, neutral_lines, run, suggestion,
};

use crate::pager::Pager;
use crate::stdout::{Closed, was_closed};

fn main() -> ExitCode {
    let suggestion = || suggestion(args_os().skip(1));
    let mut name = String::new();
    let parsed = match Cli::read(args_os().collect()) {
        Ok(cli) => {
            name.clone_from(&cli.name);
            cli.into_parts()
        }
        Err(ReadError::File(message)) => Err(message),
        Err(ReadError::Arguments(error)) if !error.use_stderr() => return show(&error),
        Err(ReadError::Arguments(error)) => Err(match error.kind() {
            ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => suggestion(),
            _ => None,
        }
        .unwrap_or_else(|| error.render().to_string())),
    };
    let (verb, common) = match parsed {
        Ok(parts) => parts,
        Err(message) => {
            // If standard error fails, only the exit status reports the failure. The arguments may come from an
            // untrusted source, so control characters are escaped.
            let _ = writeln!(stderr(), "{}", neutral_lines(message.trim_end()));
            return ExitCode::from(2);
        }
    };
    let is_coloured = |auto| match common.color {
        ColorArg::Auto => auto != ColorChoice::Never,
        given => given == ColorArg::Always,
    };
    let is_out_coloured = is_coloured(AutoStream::choice(&stdout()));
    let is_err_coloured = is_coloured(AutoStream::choice(&stderr()));
    let is_out_terminal = stdout().is_terminal();
    let is_paged = is_out_terminal && verb.is_paged() && !common.no_pager;
    let mut pager = if is_paged { Pager::start() } else { None };
    // A line of progress would disturb the screen of a pager or an editor.
    let is_alone = common.quiet
        || pager.is_some()
        || matches!(verb, Verb::Browse(_) | Verb::Debug(_) | Verb::Edit(_) | Verb::Mcp(_));
    let progress = (!is_alone).then(|| Progress::start(name));
    let progress = progress.as_ref();
    let status = {
        let out: &mut dyn Write = match &mut pager {
            _ if was_closed() => &mut Closed,
            Some(pager) => pager,
            None => &mut stdout().lock(),
        };
        // Writes whole lines, because the line of progress would clear an incomplete line of the output.
        let out = LineWriter::new(Aside { inner: stream(out, is_out_coloured), progress });
        let mut out = BufWriter::with_capacity(1 << 16, out);
        // Standard error is not locked: another thread draws the line of progress on it.
        let err = Aside { inner: stream(stderr(), is_err_coloured), progress };
        let mut err = LineWriter::new(err);
        let mut terminal = Terminal {
            progress,
            is_out_terminal,
            is_out_coloured,
            is_err_coloured,
            ..Terminal::of(&mut out, &mut err)
        };
        run(&verb, &common, &mut terminal)
    };
    let Some(pager) = pager else { return ExitCode::from(status) };
    // Quitting the pager early is not a failure.
    let status = if status == GONE { 0 } else { status };
    match pager.wait() {
        Ok(()) => ExitCode::from(status),
        Err(_) => ExitCode::from(3),
    }
}

/// A stream that prints above the line of progress.
struct Aside<'p, W> {
    inner: W,
    progress: Option<&'p Progress>,
}

impl<W: Write> Write for Aside<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.progress {
            Some(progress) => progress.suspend(|| self.inner.write(bytes)),
            None => self.inner.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Prints help or version.
fn show(text: &clap::Error) -> ExitCode {
    match text.print() {
        Ok(()) if !was_closed() => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(GONE),
        _ => ExitCode::from(3),
    }
}

/// A stream that passes colours through. Commands write colours only if `is_coloured` is set.
fn stream<S: anstream::stream::RawStream>(raw: S, is_coloured: bool) -> AutoStream<S> {
    let choice = if is_coloured { ColorChoice::Always } else { ColorChoice::AlwaysAnsi };
    AutoStream::new(raw, choice)
}
