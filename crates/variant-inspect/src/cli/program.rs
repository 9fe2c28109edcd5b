//! The arguments of the commands that are about the program itself.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Command to print the page of [default: the program].
    pub command: Option<String>,

    /// Write all pages into this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}
