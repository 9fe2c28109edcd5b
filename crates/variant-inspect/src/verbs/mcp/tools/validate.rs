//! `validate`: whether files are undamaged.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::check::checked;
use crate::cli::{LimitsArg, ProfileArg};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::reading::Named;
use crate::verbs::mcp::tool::{Call, Reply};

/// Decodes files, and returns an object for each: its size, or the first damage with offset, path, and what was expected.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Validate {
    /// Files, folders, or patterns such as `saves/*.dat`.
    files: Vec<String>,
    /// Whether all bytes are accepted that the engine reads, or only bytes that it writes. Without it, `engine`.
    profile: Option<Named<ProfileArg>>,
    /// The limits for depth, size and number of values. Without it, `file`.
    limits: Option<Named<LimitsArg>>,
}

impl Call for Validate {
    const NAME: &'static str = "validate";

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        checked(&self.files, host, terminal, |args| {
            args.profile = self.profile.map(|profile| profile.0).unwrap_or_default();
            args.limits = self.limits.map(|limits| limits.0).unwrap_or_default();
        })
    }
}
