//! The arguments of the commands that check files.

use clap::{Args, ValueEnum};

use super::files::FilesArgs;
use super::values::{LimitsArg, ProfileArg};

/// The arguments of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The files.
    #[command(flatten)]
    pub files: FilesArgs,

    /// Accept all bytes that the engine reads, or only bytes that it would write.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileArg,

    /// Limits for depth, size and number of values.
    #[arg(long, value_enum, default_value_t)]
    pub limits: LimitsArg,

    /// Also list findings: objects, scripts, leaked memory, and bytes that no engine would write.
    #[arg(long)]
    pub all: bool,

    /// Least severity of a finding that makes the exit status 1 [default: error]. Implies --all.
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<SeverityArg>,

    /// Print at most N findings of each rule and file; all are counted.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,

    /// Print one JSON object on each line (docs/json.md).
    #[arg(long, conflicts_with = "sarif")]
    pub json: bool,

    /// Print the findings as one SARIF 2.1.0 document, for code hosts and editors. Implies --all.
    #[arg(long)]
    pub sarif: bool,
}

impl CheckArgs {
    /// Whether findings are listed.
    pub const fn lists_findings(&self) -> bool {
        self.all || self.sarif || self.fail_on.is_some()
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum SeverityArg {
    /// Worth knowing.
    Info,
    /// Unusual values, and bytes that no engine writes.
    Warning,
    /// Damage, or code that an engine may run.
    Error,
}

/// The arguments of `detect`.
#[derive(Args, Debug)]
pub struct DetectArgs {
    /// The files.
    #[command(flatten)]
    pub files: FilesArgs,

    /// Find values among other data instead, starting at any byte.
    #[arg(long)]
    pub scan: bool,

    /// Print at most N values that --scan finds.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,

    /// Print one JSON object on each line (docs/json.md).
    #[arg(long)]
    pub json: bool,
}
