//! The arguments of the command that compares files.

use std::path::PathBuf;

use clap::Args;
use variant_view::Dialect;

use super::values::dialects;

/// The arguments of `diff`.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// The old file; - for standard input.
    pub old: PathBuf,

    /// The new file; - for standard input.
    pub new: PathBuf,

    /// Engine that wrote NEW, if it differs from --dialect [default: guessed].
    #[arg(long, value_parser = dialects())]
    pub new_dialect: Option<Dialect>,

    /// Treat reals as equal if they differ by at most X, also in vectors and packed arrays.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = distance)]
    pub tolerance: f64,

    /// Treat reals as equal if they differ by at most X times the greater.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = distance)]
    pub relative: f64,

    /// Distinguish 0.0 from -0.0, NaNs by their bits, and texts also after their first NUL.
    #[arg(long, conflicts_with_all = ["tolerance", "relative", "loose"])]
    pub exact: bool,

    /// Treat int 5 and float 5.0 as equal, and String and `StringName` of the same text.
    #[arg(long)]
    pub loose: bool,

    /// Treat another order of keys, or of elements that --by matches, as a difference.
    #[arg(long)]
    pub order: bool,

    /// Match the dictionaries in arrays by the value of this key, not by their index.
    #[arg(long, value_name = "KEY")]
    pub by: Option<String>,

    /// Leave out the values at these paths.
    #[arg(long, value_name = "PATH")]
    pub ignore: Vec<String>,

    /// Compare only the value that this path selects, one of each file.
    #[arg(long, value_name = "PATH")]
    pub at: Option<String>,

    /// Print at most N differences; all are counted.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,

    /// Print one JSON object for each difference, and one with their number.
    #[arg(long)]
    pub json: bool,
}

/// Parses a distance: a number that is zero or greater.
fn distance(text: &str) -> Result<f64, String> {
    let distance = text.parse().map_err(|_| "expected a number".to_owned())?;
    if distance >= 0.0 { Ok(distance) } else { Err("expected a number from 0 on".to_owned()) }
}
