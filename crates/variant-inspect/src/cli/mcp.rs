//! The arguments of `mcp`.

use std::path::PathBuf;

use clap::Args;

/// The arguments of `mcp`.
#[derive(Args, Debug, Default)]
pub struct McpArgs {
    /// Folder whose files the tools may read [default: the working folder]. Several may be given.
    #[arg(long, value_name = "FOLDER")]
    pub allow: Vec<PathBuf>,

    /// Folder whose files the tools may read and change. Several may be given.
    #[arg(long, value_name = "FOLDER")]
    pub allow_write: Vec<PathBuf>,

    /// Let the tools set properties in a running game. Setters of its scripts run.
    #[arg(long)]
    pub allow_debug: bool,
}
