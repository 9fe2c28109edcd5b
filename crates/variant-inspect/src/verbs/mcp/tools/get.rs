//! `get`: the value at a path.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::cli::{AsArg, FormArg, GetArgs, OnlyFrameArgs};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::verbs;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// Returns the whole value at a path. In a file of several frames, returns the value of each frame that has the path. A
/// long value is cut: `tree` with `depth` shows its upper part. JSON lists the keys of a dictionary in alphabetical order;
/// `literal` and `tree` keep their order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Get {
    /// The file.
    file: String,
    /// The path, such as `player.inventory[3].count`. Without it, the whole value.
    #[serde(default)]
    path: String,
    /// The form of the value. Without it, `plain`.
    #[serde(default)]
    form: Form,
    /// The number of a frame or setting, from 1.
    frame: Option<u64>,
    /// The number of levels, for `tree`.
    depth: Option<u32>,
    /// The maximum number of values of each container, for `tree`.
    children: Option<u32>,
}

/// A form of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Form {
    /// Natural JSON. `notes` has what it cannot hold.
    #[default]
    Plain,
    /// The JSON of the engine's `JSON.from_native`.
    Native,
    /// JSON with every byte.
    Exact,
    /// The literal that scripts write.
    Literal,
    /// A tree.
    Tree,
}

impl Form {
    const fn parts(self) -> (AsArg, FormArg, Output) {
        match self {
            Self::Plain => (AsArg::Json, FormArg::Plain, Output::Values),
            Self::Native => (AsArg::Json, FormArg::Native, Output::Values),
            Self::Exact => (AsArg::Json, FormArg::Exact, Output::Values),
            Self::Literal => (AsArg::Text, FormArg::Plain, Output::Text),
            Self::Tree => (AsArg::Tree, FormArg::Plain, Output::Text),
        }
    }
}

impl Call for Get {
    const NAME: &'static str = "get";

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let (form, json_form, output) = self.form.parts();
        let args = GetArgs {
            file: host.folders.file(&self.file)?,
            paths: vec![self.path],
            form,
            json_form,
            depth: self.depth,
            limit: self.children,
            frame: OnlyFrameArgs { frame: self.frame },
        };
        Ok(output.with(verbs::get::run(&args, terminal)?))
    }
}
