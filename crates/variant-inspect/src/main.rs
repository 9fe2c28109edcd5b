//! The program: standard streams, colours and the exit status.

use std::io::{BufWriter, stderr, stdout};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use variant_inspect::{Cli, ColorArg, Terminal, run};

fn main() -> ExitCode {
    let Some((verb, common)) = Cli::parse().into_parts() else {
        Cli::command()
            .error(ErrorKind::ArgumentConflict, "give one verb, and files behind it")
            .exit()
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
    let mut out = BufWriter::with_capacity(1 << 16, stream(stdout().lock(), is_out_coloured));
    let mut err = stream(stderr().lock(), is_err_coloured);
    let mut terminal = Terminal { out: &mut out, err: &mut err, is_out_coloured, is_err_coloured };
    ExitCode::from(run(&verb, &common, &mut terminal))
}

/// Nothing is coloured but what should be, so that nothing need be taken out again.
fn stream<S: anstream::stream::RawStream>(raw: S, is_coloured: bool) -> AutoStream<S> {
    let choice = if is_coloured { ColorChoice::Always } else { ColorChoice::AlwaysAnsi };
    AutoStream::new(raw, choice)
}
