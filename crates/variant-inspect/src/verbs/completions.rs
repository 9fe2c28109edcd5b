//! `completions`: prints the script with which a shell completes commands and options.

use clap::CommandFactory as _;

use crate::cli::{Cli, CompletionsArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

pub(crate) fn run(args: &CompletionsArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    // The generator panics if writing fails, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "variant-inspect", &mut script);
    terminal.out.write_all(&script)?;
    Ok(Status::Fine)
}
