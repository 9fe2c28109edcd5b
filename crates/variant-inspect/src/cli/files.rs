//! The arguments of commands that read several files.

use std::path::PathBuf;

use clap::Args;

/// The files that a command reads.
#[derive(Args, Clone, Debug, Default)]
pub struct FilesArgs {
    /// Input files, or patterns such as 'saves/*.dat'; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Also read the files of folders.
    #[arg(short, long)]
    pub recursive: bool,

    /// Number of threads, at most 4 per core; 0 for one per core. The output does not depend on it.
    #[arg(short, long, value_name = "N", default_value_t)]
    pub jobs: u16,
}
