//! `set`: changes values, or shows what would change.

use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use variant_document::edit::{self, Action, Edit};

use crate::cli::ChangeArgs;
use crate::draft::Draft;
use crate::failure::{Failure, Status};
use crate::open::name;
use crate::report::or_root;
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use crate::values::Values;
use crate::verbs::change::value;
use crate::verbs::mcp::folders::at_most;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// The maximum number of changes in a request.
const CHANGES: usize = 1_000;

/// Changes values: sets, inserts and deletes values, and renames keys. All changes are made, or none. Without `write`,
/// only lists the changes: `path`, `before` and `after`. With `write`, replaces the file, and keeps the old file as
/// FILE~. All other bytes, compression and encryption stay as they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Set {
    /// The file.
    file: String,
    /// The changes, made one after another.
    changes: Vec<Change>,
    /// Whether the file is written. Its folder must be allowed for changes.
    #[serde(default)]
    write: bool,
    /// A new file to write instead; the input stays as it is.
    output: Option<String>,
    /// The number of a frame or setting, from 1. Without it, the only one that has the path.
    frame: Option<u64>,
    /// Whether each frame that has the path is changed.
    #[serde(default)]
    all_frames: bool,
}

/// A change of the values at a path.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Change {
    /// The path of the values, such as `player.hp` or `items[*].count`. For `insert`: a path with a new key, the index to
    /// insert before, or `[+]` after the last element.
    path: String,
    /// What happens to the values. Without it, `set`.
    #[serde(default)]
    action: Verb,
    /// The new value, as scripts write it: `38`, `true`, `"text"` with its quotes, `Vector2(1, 2)`, `[1, 2]`. A dictionary
    /// of several keys is a text: `{"b": 1, "a": 2}`.
    #[serde(default, deserialize_with = "some")]
    #[schemars(schema_with = "any")]
    literal: Option<Value>,
    /// The new value as text, without quotes.
    string: Option<String>,
    /// The new key, for `rename-key`.
    key: Option<String>,
}

/// What happens to values.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Verb {
    #[default]
    Set,
    Insert,
    Delete,
    RenameKey,
}

/// Reads a value that is present. A null is also a value.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Whether an object of several keys is in the value. The parser limits the levels of a request.
fn has_order(value: &Value) -> bool {
    match value {
        Value::Array(all) => all.iter().any(has_order),
        Value::Object(all) => all.len() > 1 || all.values().any(has_order),
        _ => false,
    }
}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": ["string", "number", "boolean", "null", "array", "object"],
    })
}

impl Call for Set {
    const NAME: &'static str = "set";
    const CHANGES: bool = true;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        at_most(CHANGES, self.changes.len(), "changes")?;
        let _only = self.write.then(|| host.writing());
        let output = self.output.as_ref().map(|path| host.folders.new_file(path)).transpose()?;
        if !self.write {
            let file = Values::open(&host.folders.file(&self.file)?, terminal)?;
            let mut draft = Draft::new(&file, terminal.common);
            self.change(&mut draft, terminal)?;
            return Ok(Output::ValuesAndSummary.with(Status::Fine));
        }
        let file = match &output {
            Some(_) => host.folders.file(&self.file)?,
            None => host.folders.changed_file(&self.file)?,
        };
        let args = ChangeArgs { output, ..ChangeArgs::default() };
        let status =
            rewrite(&file, &args, terminal, |draft, terminal| self.change(draft, terminal))?;
        Ok(Output::ValuesAndSummary.with(status))
    }
}

impl Set {
    /// Makes the changes, and prints them.
    fn change(&self, draft: &mut Draft<'_>, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        draft.of_each_frame(self.all_frames);
        for change in &self.changes {
            let action = change.action(draft)?;
            draft.make(&Edit { frame: self.frame, path: change.path.clone(), action })?;
        }
        let changes = &draft.changes;
        for edit::Change { called, path, before, after } in &changes.first {
            let path = or_root(path);
            let line = json!({"frame": called, "path": path, "before": before, "after": after});
            terminal.json(&line)?;
        }
        let new_kind = changes.new_kind.as_ref().map(
            |(path, was, is)| json!({"path": or_root(path), "was": was.name(), "is": is.name()}),
        );
        Ok(terminal.json(&json!({
            "file": name(&draft.file.input.path),
            "change_count": changes.count,
            "written": self.write && (changes.count > 0 || self.output.is_some()),
            "new_kind": new_kind,
        }))?)
    }
}

impl Change {
    fn action(&self, draft: &Draft<'_>) -> Result<Action, Failure> {
        match (self.action, &self.literal, &self.string, &self.key) {
            (Verb::Set, ..) => Ok(Action::Set(self.value(draft)?)),
            (Verb::Insert, ..) => Ok(Action::Insert(self.value(draft)?)),
            (Verb::Delete, None, None, None) => Ok(Action::Delete),
            (Verb::RenameKey, None, None, Some(key)) => Ok(Action::RenameKey(key.clone())),
            (Verb::Delete, ..) => Err(self.wrong("delete takes only a path")),
            (Verb::RenameKey, ..) => Err(self.wrong("rename-key takes a path and a key")),
        }
    }

    fn value(&self, draft: &Draft<'_>) -> Result<variant_owned::Variant, Failure> {
        match (&self.literal, &self.string, &self.key) {
            (None, Some(text), None) => value(text, true, draft),
            (Some(Value::String(text)), None, None) => value(text, false, draft),
            (Some(json), None, None) if has_order(json) => Err(self.wrong(
                "a JSON object does not keep the order of its keys; write the dictionary as a literal text, whose keys keep \
                 their order",
            )),
            // JSON is also a literal of a script.
            (Some(json), None, None) => value(&json.to_string(), false, draft),
            _ => Err(self.wrong("a value is either `literal` or `string`")),
        }
    }

    fn wrong(&self, why: &str) -> Failure {
        Failure::usage(format!("the change at {}: {why}", or_root(&self.path)))
    }
}
