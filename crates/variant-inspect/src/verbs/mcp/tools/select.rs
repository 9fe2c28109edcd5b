//! `select`: all values that a path selects.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::json;
use variant_document::literal;
use variant_document::query::select_elements;

use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use crate::verbs::get::address;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// Lists all values that a path selects: `frame`, `path`, `offset`, `kind`, and `value` as a short literal. `get` returns
/// a whole value.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Select {
    /// The file.
    file: String,
    /// The path: `*` all keys, `[*]` all elements, `[2:5]` some, `[?hp<10 && name=="orc"]` those that match, `..gold` at
    /// any depth.
    path: String,
    /// The number of a frame or setting, from 1.
    frame: Option<u64>,
}

impl Call for Select {
    const NAME: &'static str = "select";

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let address = address(&self.path, self.frame)?;
        let file = Values::open(&host.folders.file(&self.file)?, terminal)?;
        let mut count = 0_u64;
        let status = file.each(terminal, |value, terminal| {
            let Some(part) = address.part(value.piece) else { return Ok(Status::Fine) };
            select_elements(&value.document, &part.query, |found| {
                count = count.saturating_add(1);
                print(value, &found, terminal)
            })?;
            Ok(Status::Fine)
        })?;
        if count == 0 && status == Status::Fine {
            let how = "`open` shows the upper part of the file";
            return Err(Failure::invalid(format!("{}: nothing is at the path; {how}", self.file)));
        }
        Ok(Output::Values.with(status))
    }
}

fn print(
    value: &Value<'_>,
    found: &variant_document::query::Match<'_, '_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let mut shown = String::new();
    literal::write(&mut shown, &found.value);
    Ok(terminal.json(&json!({
        "frame": value.piece.called().map(|_| value.piece.number),
        "path": found.text(),
        "offset": value.piece.absolute(found.start),
        "kind": found.value.kind().name(),
        "value": shown,
    }))?)
}
