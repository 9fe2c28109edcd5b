//! `salvage`: recovers the undamaged values of a file.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::cli::SalvageArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::verbs;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// Recovers the undamaged values of a file. Each result is a hole: the range of lost bytes, the path and the reason.
/// `summary` counts the recovered and the lost bytes. With `output`, writes a new file of the recovered values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Salvage {
    /// The damaged file, which stays as it is.
    file: String,
    /// A new file for the recovered values. Its folder must be allowed for changes.
    output: Option<String>,
    /// Whether the new file is without compression and encryption.
    #[serde(default)]
    plain: bool,
}

impl Call for Salvage {
    const NAME: &'static str = "salvage";
    const CHANGES: bool = true;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let _only = self.output.as_ref().map(|_| host.writing());
        let output = self.output.as_ref().map(|path| host.folders.new_file(path)).transpose()?;
        let file = host.folders.file(&self.file)?;
        let args = SalvageArgs { file, output, plain: self.plain, json: true };
        Ok(Output::ValuesAndSummary.with(verbs::salvage::run(&args, terminal)?))
    }
}
