//! [`Tool`]: a tool, its arguments and their schema.

use rmcp::model::{JsonObject, ToolAnnotations};
use rmcp::schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::host::Host;
use super::reading::ReadingArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// The arguments of a tool, and its work. The documentation of the type is the description of the tool, and that of each
/// field the description of the argument.
pub(super) trait Call: DeserializeOwned + JsonSchema {
    const NAME: &'static str;
    /// Whether the tool may change files or a running game.
    const CHANGES: bool = false;
    /// Whether the tool also takes the arguments of [`ReadingArgs`].
    const READS: bool = true;

    /// Writes the results to the output of `terminal`, and notes to the other stream.
    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure>;
}

/// What a tool has done, and what its output is.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: Status,
    pub(super) output: Output,
    /// The summary of the results, if the tool makes it without the output.
    pub(super) summary: Option<Value>,
}

/// The lines of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// JSON values.
    Values,
    /// JSON values. The last is a summary of all.
    ValuesAndSummary,
    /// JSON values that are numbered. The summary says where the next page starts.
    Numbered,
    /// Text.
    Text,
}

impl Output {
    pub(super) const fn with(self, status: Status) -> Reply {
        Reply { status, output: self, summary: None }
    }
}

/// A tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    changes: bool,
    schema: fn() -> JsonObject,
    run: fn(JsonObject, &Host, &mut Terminal<'_>) -> Result<Reply, Failure>,
}

impl Tool {
    pub(super) const fn of<C: Call>() -> Self {
        Self { name: C::NAME, changes: C::CHANGES, schema: schema::<C>, run: run::<C> }
    }

    /// Calls the tool with arguments of a client.
    pub(super) fn call(
        self,
        arguments: JsonObject,
        host: &Host,
        terminal: &mut Terminal<'_>,
    ) -> Result<Reply, Failure> {
        (self.run)(arguments, host, terminal)
    }

    /// The tool for the list of tools. `others` has the schemas of arguments that all tools take.
    pub(super) fn listed(self, others: &JsonObject, output: JsonObject) -> rmcp::model::Tool {
        let mut schema = (self.schema)();
        let description = schema.remove("description");
        let description = description.as_ref().and_then(Value::as_str).unwrap_or_default();
        add_properties(&mut schema, others);
        let annotations = ToolAnnotations::new().read_only(!self.changes).destructive(self.changes);
        rmcp::model::Tool::new(self.name, description.to_owned(), schema)
            .with_raw_output_schema(output.into())
            .with_annotations(annotations.open_world(false))
    }
}

fn run<C: Call>(
    mut arguments: JsonObject,
    host: &Host,
    terminal: &mut Terminal<'_>,
) -> Result<Reply, Failure> {
    let reading: ReadingArgs =
        if C::READS { take(&mut arguments)? } else { ReadingArgs::default() };
    let common = reading.over(&host.common)?;
    let call: C = parse(arguments)?;
    call.call(host, &mut terminal.with(&common))
}

fn schema<C: Call>() -> JsonObject {
    let mut schema = schema_of::<C>();
    if C::READS {
        add_properties(&mut schema, &schema_of::<ReadingArgs>());
    }
    schema
}

/// The schema of a type, without references.
pub(super) fn schema_of<T: JsonSchema>() -> JsonObject {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.ensure_object().clone();
    schema.remove("title");
    schema
}

fn add_properties(schema: &mut JsonObject, others: &JsonObject) {
    let Some(Value::Object(others)) = others.get("properties") else { return };
    let all = schema.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    if let Value::Object(all) = all {
        all.extend(others.iter().map(|(name, schema)| (name.clone(), schema.clone())));
    }
}

/// Takes the arguments of a type out of the arguments of a call.
pub(super) fn take<T: DeserializeOwned + JsonSchema>(
    arguments: &mut JsonObject,
) -> Result<T, Failure> {
    let schema = schema_of::<T>();
    let names = schema.get("properties").and_then(Value::as_object);
    let names = names.into_iter().flat_map(JsonObject::keys);
    parse(names.filter_map(|name| arguments.remove_entry(name)).collect())
}

fn parse<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Failure> {
    let parsed = serde_json::from_value(Value::Object(arguments));
    parsed.map_err(|error| Failure::usage(format!("the arguments: {error}")))
}
