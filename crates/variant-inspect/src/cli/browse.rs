//! The arguments of `browse`.

use std::path::PathBuf;

use clap::Args;

/// The arguments of `browse`.
#[derive(Args, Debug)]
pub struct BrowseArgs {
    /// Input file; - for standard input. Changed only when asked for.
    pub file: PathBuf,
}
