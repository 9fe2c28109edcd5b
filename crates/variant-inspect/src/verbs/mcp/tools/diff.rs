//! `diff`: where two files differ.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::cli::DiffArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::verbs;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::reading::dialect;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// Compares two files, value by value, also of different engines and with different compression and encryption. Each
/// result is a difference: `change`, `path`, and the values `before` and `after`. `summary` counts them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Diff {
    /// The old file.
    old: String,
    /// The new file.
    new: String,
    /// The engine that wrote the new file, if it is not that of the old file.
    new_dialect: Option<String>,
    /// The path to compare only the value there.
    at: Option<String>,
    /// The key whose value matches the dictionaries in arrays. Without it, they match by index.
    by: Option<String>,
    /// The paths of values to leave out.
    #[serde(default)]
    ignore: Vec<String>,
    /// The greatest distance of equal reals.
    #[serde(default)]
    tolerance: f64,
    /// The greatest distance of equal reals, as a part of the greater.
    #[serde(default)]
    relative: f64,
    /// Whether 0.0 and -0.0 differ, and NaNs by their bits.
    #[serde(default)]
    exact: bool,
    /// Whether int 5 and float 5.0 are equal, and `String` and `StringName` of the same text.
    #[serde(default)]
    loose: bool,
    /// Whether another order of keys is a difference.
    #[serde(default)]
    order: bool,
}

impl Diff {
    /// The rules that the command line also checks.
    fn check(&self) -> Result<(), Failure> {
        if self.tolerance < 0.0 || self.relative < 0.0 {
            return Err(Failure::usage("tolerance and relative are numbers from 0 on"));
        }
        if self.exact && (self.loose || self.tolerance > 0.0 || self.relative > 0.0) {
            return Err(Failure::usage("exact excludes tolerance, relative and loose"));
        }
        Ok(())
    }
}

impl Call for Diff {
    const NAME: &'static str = "diff";

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        self.check()?;
        let args = DiffArgs {
            old: host.folders.file(&self.old)?,
            new: host.folders.file(&self.new)?,
            new_dialect: self.new_dialect.as_deref().map(dialect).transpose()?,
            tolerance: self.tolerance,
            relative: self.relative,
            exact: self.exact,
            loose: self.loose,
            order: self.order,
            by: self.by,
            ignore: self.ignore,
            at: self.at,
            limit: None,
            json: true,
        };
        Ok(Output::ValuesAndSummary.with(verbs::diff::run(&args, terminal)?))
    }
}
