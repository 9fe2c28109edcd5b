//! The arguments of the commands for suspicious and damaged files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::files::FilesArgs;

/// The arguments of `audit`.
#[derive(Args, Debug)]
pub struct AuditArgs {
    /// The files.
    #[command(flatten)]
    pub files: FilesArgs,

    /// Print one JSON object a line, as docs/json.md says.
    #[arg(long, conflicts_with = "sarif")]
    pub json: bool,

    /// Print one SARIF 2.1.0 document, for code hosts and editors.
    #[arg(long)]
    pub sarif: bool,

    /// Least severity that makes the exit status 1.
    #[arg(long, value_enum, default_value_t, value_name = "SEVERITY")]
    pub fail_on: SeverityArg,

    /// Print at most N findings of each rule and file; the rest is counted.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum SeverityArg {
    /// Worth knowing.
    Info,
    /// Unusual, or what no engine writes.
    Warning,
    /// Damage, or code that an engine may run.
    #[default]
    Error,
}

/// The arguments of `salvage`.
#[derive(Args, Debug)]
pub struct SalvageArgs {
    /// Input file; - for standard input. Never changed.
    pub file: PathBuf,

    /// Output file; - for standard output. Without it the holes are only reported.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write without compression and encryption.
    #[arg(long, requires = "output")]
    pub plain: bool,

    /// Print the report as one JSON object a line, as docs/json.md says.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Offset in the file, inside its layers: a number, in hexadecimal after 0x.
    #[arg(value_parser = offset)]
    pub offset: usize,

    /// Print one JSON object, as docs/json.md says.
    #[arg(long)]
    pub json: bool,
}

/// An offset, with `_` and `,` between digits as people and messages write them.
fn offset(text: &str) -> Result<usize, String> {
    let digits = text.replace(['_', ','], "");
    let read = match digits.strip_prefix("0x") {
        Some(digits) => usize::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    read.map_err(|_| "expected an offset, such as 1024 or 0x400".to_owned())
}
