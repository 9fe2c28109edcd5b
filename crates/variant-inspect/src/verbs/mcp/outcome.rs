//! [`Outcome`]: the result of a tool, as a client receives it.

use rmcp::model::CallToolResult;
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use variant_document::count::counted;

use super::page::{Line, Page};
use super::tool::{Output, Reply};
use crate::failure::{Failure, Status};

/// The part of the output that a tool returns.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct PageArgs {
    /// The maximum number of results, at most 1,000. Without it, 100.
    limit: Option<u16>,
    /// The number of results to leave out; `next_offset` of the last answer continues there.
    offset: Option<u64>,
}

impl PageArgs {
    pub(super) fn page(&self) -> Page {
        Page::new(self.offset.unwrap_or(0), self.limit.unwrap_or(100).min(1_000).into())
    }
}

/// The maximum number of notes.
pub(super) const NOTES: usize = 50;

/// The maximum number of characters that are shown of a message, and of a result that does not fit into a page.
const SHOWN: usize = 2_000;

/// The result of a tool.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Outcome {
    status: Answer,
    /// The results, if they are values. docs/json.md describes their fields. Keys are in alphabetical order.
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<Value>>,
    /// The results, if they are text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// A summary of all results, also of those that are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Value>,
    /// The number of results after these.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<u64>,
    /// The `offset` of the next results.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
    /// Errors, and facts such as the guessed engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    notes: Vec<String>,
}

/// The outcome of a tool in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Answer {
    /// Done, found, valid, or the same.
    Ok,
    /// There is damage, a difference, a hole, or a finding.
    Finding,
    /// The tool failed; `notes` has the reason, and what to try.
    Error,
}

impl Outcome {
    /// The outcome of a call, and of the output that it wrote.
    pub(super) fn new(called: Result<Reply, Failure>, mut page: Page, mut notes: Page) -> Self {
        page.finish();
        notes.finish();
        let mut notes: Vec<_> = notes.lines.iter().map(note).collect();
        let reply = match called {
            Ok(reply) => reply,
            Err(failure) => {
                // Results before a failure may be wrong, such as a change that was not written.
                page = Page::default();
                notes.extend(message(failure));
                Output::Values.with(Status::Io)
            }
        };
        let made = next_since(reply.output, &page).or(reply.summary);
        let summary = made.or_else(|| summary(reply.output, &mut page));
        let more = page.count.checked_sub(page.end()).filter(|more| *more > 0);
        if let Some(line) = page.lines.iter().find(|line| line.is_cut()) {
            let how = "ask for a path inside it, such as path[0:100] or path.key";
            notes.push(format!("a result has {} and is cut; {how}", counted(line.len, "byte")));
        }
        let is_deep = |line: &Line| !line.is_cut() && parsed(line).is_none();
        if reply.output != Output::Text && page.lines.iter().any(is_deep) {
            notes.push("a result is too deep; ask for a path inside it".to_owned());
        }
        let (next_offset, status) = (more.map(|_| page.end()), answer(reply.status, &page));
        let (results, text) = match reply.output {
            Output::Text => (None, Some(text(&page))),
            Output::Values | Output::ValuesAndSummary | Output::Numbered => {
                (Some(page.lines.iter().map(value).collect()), None)
            }
        };
        Self { status, results, text, summary, more, next_offset, notes }
    }

    pub(super) fn into_result(self) -> CallToolResult {
        let is_error = self.status == Answer::Error;
        let value = serde_json::to_value(self).unwrap_or_default();
        if is_error {
            CallToolResult::structured_error(value)
        } else {
            CallToolResult::structured(value)
        }
    }
}

/// The message of a failure, unless it is printed already.
fn message(failure: Failure) -> Option<String> {
    match failure {
        Failure::File { message, .. } => Some(format!("error: {}", shortened(&message))),
        Failure::Output(error) => Some(format!("error: {}", shortened(&error.to_string()))),
        Failure::Told(_) => None,
    }
}

/// A text that may repeat a long argument, without its middle. The end says what to try.
pub(super) fn shortened(text: &str) -> String {
    let (count, half) = (text.chars().count(), SHOWN / 2);
    if count <= SHOWN {
        return text.to_owned();
    }
    let start = text.chars().take(half);
    let end = text.chars().skip(count.saturating_sub(half));
    start.chain(" ... ".chars()).chain(end).collect()
}

/// Nothing found is an error, because the notes have the reason. Damage with results is an answer.
fn answer(status: Status, page: &Page) -> Answer {
    match status {
        Status::Fine => Answer::Ok,
        Status::Invalid if page.count > 0 => Answer::Finding,
        Status::Invalid | Status::Usage | Status::Io | Status::NoAnswer => Answer::Error,
    }
}

/// The number after the last entry of the page.
fn next_since(output: Output, page: &Page) -> Option<Value> {
    let last = page.lines.last().filter(|_| output == Output::Numbered)?;
    let next = value(last).get("number")?.as_u64()?.saturating_add(1);
    Some(json!({ "next_since": next }))
}

/// Takes the summary out of the page.
fn summary(output: Output, page: &mut Page) -> Option<Value> {
    if output != Output::ValuesAndSummary || page.count == 0 {
        return None;
    }
    let summary = value(&page.last);
    if page.end() == page.count {
        page.lines.pop();
    }
    page.count = page.count.saturating_sub(1);
    Some(summary)
}

fn value(line: &Line) -> Value {
    let cut = || json!({ "cut": true, "bytes": line.len, "start": start(line) });
    parsed(line).unwrap_or_else(cut)
}

/// The value of a line, unless the line is cut, or has more levels than the parser reads.
fn parsed(line: &Line) -> Option<Value> {
    serde_json::from_slice(&line.bytes).ok().filter(|_| !line.is_cut())
}

fn text(page: &Page) -> String {
    let lines = page.lines.iter().map(|line| {
        if line.is_cut() { format!("{} ... {} bytes", start(line), line.len) } else { line.text() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn start(line: &Line) -> String {
    line.text().chars().take(SHOWN).collect()
}

fn note(line: &Line) -> String {
    let text = start(line);
    text.strip_prefix("note: ").map_or_else(|| text.clone(), str::to_owned)
}
