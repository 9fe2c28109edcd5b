//! The arguments of the commands that check files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use variant_document::shape::Change;

use super::files::FilesArgs;
use super::values::{LimitsArg, ProfileArg};

/// The arguments of `check`.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
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

    /// Check the values against a JSON Schema, such as `schema --json-schema` prints.
    #[arg(long, value_name = "SCHEMA")]
    pub schema: Option<PathBuf>,

    /// Compare the shape of all files with a lock file, which `schema --lock` prints.
    #[arg(long, value_name = "LOCK")]
    pub lock: Option<PathBuf>,

    /// Accept these differences from the lock file, such as added,narrowed.
    #[arg(long, value_enum, value_name = "CHANGES", value_delimiter = ',', requires = "lock")]
    pub allow: Vec<ChangeArg>,

    /// Print one JSON object on each line (docs/json.md).
    #[arg(long, group = "report")]
    pub json: bool,

    /// Print the findings as one SARIF 2.1.0 document, for code hosts and editors. Implies --all.
    #[arg(long, group = "report")]
    pub sarif: bool,

    /// Print an XML report for pipelines, in the form of test results: one test for each file.
    #[arg(long, group = "report")]
    pub junit: bool,

    /// Print a table in Markdown, for a comment on a change: at most 65,536 characters, the worst findings first.
    #[arg(long, group = "report")]
    pub markdown: bool,
}

impl CheckArgs {
    /// Whether findings are listed.
    pub const fn lists_findings(&self) -> bool {
        self.all || self.sarif || self.fail_on.is_some()
    }

    /// Whether the verdict of a file is kept for a report, instead of printed.
    pub const fn keeps_verdicts(&self) -> bool {
        self.json || self.junit || self.markdown
    }

    /// Whether the report also lists files that cannot be read.
    pub const fn lists_unread(&self) -> bool {
        self.junit || self.markdown
    }
}

/// How the shape of files differs from a lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ChangeArg {
    /// A path that the lock file lacks.
    Added,
    /// A path that the files lack.
    Removed,
    /// Values of another kind, or a path that became optional.
    Retyped,
    /// Fewer kinds, other texts than the listed ones, or a path that became required.
    Narrowed,
}

impl From<ChangeArg> for Change {
    fn from(change: ChangeArg) -> Self {
        match change {
            ChangeArg::Added => Self::Added,
            ChangeArg::Removed => Self::Removed,
            ChangeArg::Retyped => Self::Retyped,
            ChangeArg::Narrowed => Self::Narrowed,
        }
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

impl SeverityArg {
    /// The name of the severity in all outputs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
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
