//! `schema`: the shape of the values of files.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::check::selected;
use crate::cli::SchemaArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::verbs;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// Returns the shape that the values of files have in common: paths, kinds, and optional keys; or types for a program.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Schema {
    /// Files, folders, or patterns such as `saves/*.dat`.
    files: Vec<String>,
    /// The form of the shape. Without it, `paths`.
    #[serde(default)]
    form: Form,
    /// Whether a JSON Schema allows numbers only from the least to the greatest of these files.
    #[serde(default)]
    ranges: bool,
}

/// A form of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Form {
    /// An object for each path.
    #[default]
    Paths,
    /// A tree.
    Tree,
    /// A JSON Schema of the plain JSON of a file, for `check`.
    JsonSchema,
    /// A line for each path, for `check`.
    Lock,
    /// Rust types.
    Rust,
    /// GDScript classes.
    Gdscript,
    /// TypeScript types.
    Typescript,
    /// Python types.
    Python,
}

impl Call for Schema {
    const NAME: &'static str = "schema";

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let is = |form| self.form == form;
        let args = SchemaArgs {
            files: selected(&self.files, host, terminal)?,
            json_schema: is(Form::JsonSchema),
            ranges: self.ranges && is(Form::JsonSchema),
            rust: is(Form::Rust),
            gdscript: is(Form::Gdscript),
            typescript: is(Form::Typescript),
            python: is(Form::Python),
            lock: is(Form::Lock),
            drift: false,
            json: is(Form::Paths),
        };
        let output = if is(Form::Paths) { Output::Values } else { Output::Text };
        Ok(output.with(verbs::schema::run(&args, terminal)?))
    }
}
