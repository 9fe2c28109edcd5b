//! The program: standard streams, colours and the exit status.

mod stdout;

use std::env::args_os;
use std::io::{BufWriter, IsTerminal as _, Write, stderr, stdout};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::Parser as _;
use clap::error::ErrorKind;
use variant_inspect::{Cli, ColorArg, GONE, Terminal, neutral_lines, run, suggestion};

use crate::stdout::{Closed, was_closed};

fn main() -> ExitCode {
    let suggestion = || suggestion(args_os().skip(1));
    let parsed = match Cli::try_parse() {
        Ok(cli) => cli.into_parts(),
        Err(error) if !error.use_stderr() => return show(&error),
        Err(error) if error.kind() == ErrorKind::UnknownArgument => {
            Err(suggestion().unwrap_or_else(|| error.render().to_string()))
        }
        Err(error) => Err(error.render().to_string()),
    };
    let (verb, common) = match parsed {
        Ok(parts) => parts,
        Err(message) => {
            // If standard error fails, only the exit status remains. The arguments may come from an untrusted source, so that
            // control characters are escaped.
            let _ = writeln!(stderr(), "{}", neutral_lines(message.trim_end()));
            return ExitCode::from(2);
        }
    };
    let colour = match common.color {
        ColorArg::Auto => ColorChoice::Auto,
        ColorArg::Always => ColorChoice::Always,
        ColorArg::Never => ColorChoice::Never,
    };
    let is_coloured = |auto| match colour {
        ColorChoice::Auto => auto != ColorChoice::Never,
        given => given != ColorChoice::Never,
    };
    let is_out_coloured = is_coloured(AutoStream::choice(&stdout()));
    let is_err_coloured = is_coloured(AutoStream::choice(&stderr()));
    let mut open = BufWriter::with_capacity(1 << 16, stream(stdout().lock(), is_out_coloured));
    let mut err = stream(stderr().lock(), is_err_coloured);
    let out: &mut dyn Write = if was_closed() { &mut Closed } else { &mut open };
    let is_out_terminal = stdout().is_terminal();
    let mut terminal =
        Terminal { out, err: &mut err, is_out_terminal, is_out_coloured, is_err_coloured };
    ExitCode::from(run(&verb, &common, &mut terminal))
}

/// Prints help or version.
fn show(text: &clap::Error) -> ExitCode {
    match text.print() {
        Ok(()) if !was_closed() => ExitCode::SUCCESS,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::from(GONE),
        _ => ExitCode::from(3),
    }
}

/// A stream that passes colours through: the commands write none unless `is_coloured` is set, so that none need be removed.
fn stream<S: anstream::stream::RawStream>(raw: S, is_coloured: bool) -> AutoStream<S> {
    let choice = if is_coloured { ColorChoice::Always } else { ColorChoice::AlwaysAnsi };
    AutoStream::new(raw, choice)
}
