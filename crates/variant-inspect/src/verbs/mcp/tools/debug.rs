//! `debug_*`: a running game, which connects to the server.

use std::time::Duration;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Value, json};
use variant_debugger::Command;
use variant_document::edit;

use crate::cli::SourceLine;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::verbs::mcp::debugger::facts::Answer;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// The longest time that a tool waits, in seconds.
const LONGEST: u64 = 60;

/// Prints a row for each element.
fn rows(all: Option<&Value>, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
    for row in all.and_then(Value::as_array).into_iter().flatten() {
        terminal.json(row)?;
    }
    Ok(Output::Values.with(Status::Fine))
}

fn patience(seconds: Option<u64>, default: u64) -> Duration {
    Duration::from_secs(seconds.unwrap_or(default).min(LONGEST))
}

/// Listens for a game on this machine, and waits until one is connected. The user starts the game with
/// `--remote-debug tcp://ADDRESS` (Godot 4) or `--remote-debug ADDRESS` (Godot 3), with the address of the answer. No tool
/// starts a game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Listen {
    /// The port. Without it, 6007, the editor's; 0 takes a free port.
    port: Option<u16>,
    /// The seconds to wait for a game, at most 60. Without it, 10. The server listens on after the wait.
    wait: Option<u64>,
}

impl Call for Listen {
    const NAME: &'static str = "debug_listen";
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let address = host.debugger.listen(self.port.unwrap_or(6007))?;
        let connected = host.debugger.wait(patience(self.wait, 10), |state| {
            // A connection without a message may be of another program.
            let has_spoken = state.is_connected && !state.game.is_null();
            has_spoken.then(|| state.game.clone())
        });
        let is_connected = connected.is_some();
        let game = connected.unwrap_or_default();
        let line =
            json!({ "address": address.to_string(), "is_connected": is_connected, "game": game });
        terminal.json(&line)?;
        Ok(Output::Values.with(Status::Fine))
    }
}

/// Lists what a game has said: its output, errors and warnings with their stacks, its stops and its messages. The entries
/// are numbered; the last 2,000 are kept. `since` with `summary.next_since` lists the next entries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Log {
    /// The number of the first entry. Without it, the first that is kept.
    since: Option<u64>,
    /// The seconds to wait for an entry, at most 60. Without it, 0.
    wait: Option<u64>,
}

impl Call for Log {
    const NAME: &'static str = "debug_log";
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let since = self.since.unwrap_or(0);
        let is_new = |entry: &&Value| entry.get("number").and_then(Value::as_u64) >= Some(since);
        let mut next = since;
        let found = host.debugger.wait(patience(self.wait, 0), |state| {
            next = state.entries;
            let found: Vec<_> = state.log.iter().filter(is_new).cloned().collect();
            (!found.is_empty()).then_some(found)
        });
        let summary = Some(json!({ "next_since": next }));
        let rows = rows(Some(&found.unwrap_or_default().into()), terminal)?;
        Ok(Reply { summary, output: Output::Numbered, ..rows })
    }
}

/// Lists the nodes of the running scene, depth first: `id`, `parent`, `level`, `name`, `class` and `scene`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Tree {}

impl Call for Tree {
    const NAME: &'static str = "debug_tree";
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let all =
            host.debugger.ask(Answer::Tree, |_| true, |game| game.send(&Command::SceneTree))?;
        rows(Some(&all), terminal)
    }
}

/// Lists the properties of a node or another object: `name`, `kind`, and `value` as a short literal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Inspect {
    /// The id, as in `debug_tree`.
    id: i64,
}

impl Call for Inspect {
    const NAME: &'static str = "debug_inspect";
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let id = self.id;
        // A late answer to the call before may be of another object.
        let is_wanted =
            |found: &Value| found.is_null() || found.get("id").and_then(Value::as_i64) == Some(id);
        let found = host.debugger.ask(Answer::Object, is_wanted, move |game| {
            game.send(&Command::InspectObject { id })
        })?;
        if found.is_null() {
            return Err(Failure::invalid(format!(
                "no object has the id {id}; debug_tree lists nodes"
            )));
        }
        let summary = json!({ "id": found.get("id"), "class": found.get("class") });
        Ok(Reply { summary: Some(summary), ..rows(found.get("properties"), terminal)? })
    }
}

/// Sets a property of a node or another object. The game does not answer: `debug_inspect` shows the value. A setter of a
/// script runs. Needs the option --allow-debug of the server.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Set {
    /// The id, as in `debug_tree`.
    id: i64,
    /// The name of the property, as in `debug_inspect`.
    property: String,
    /// The value, as scripts write it: `38`, `"text"` with its quotes, `Vector2(1, 2)`.
    literal: String,
}

impl Call for Set {
    const NAME: &'static str = "debug_set";
    const CHANGES: bool = true;
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        if !host.may_debug {
            let how = "the user allows it with --allow-debug where the server starts";
            return Err(Failure::usage(format!("a running game may not be changed; {how}")));
        }
        let line = json!({ "id": self.id, "property": self.property, "value": self.literal });
        host.debugger.send(move |game| {
            let unknown =
                || std::io::Error::other("the engine is not known yet; call debug_tree first");
            let dialect = game.session().dialect().ok_or_else(unknown)?;
            let value = edit::literal(&self.literal, dialect);
            let value = value.map_err(std::io::Error::other)?;
            let name = self.property.as_str().into();
            game.send(&Command::SetProperty { id: self.id, name, value: (&value).into() })
        })?;
        terminal.json(&line)?;
        Ok(Output::Values.with(Status::Fine))
    }
}

/// Sets or removes a breakpoint. The game does not answer: `debug_log` shows a stop.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Break {
    /// The script, such as `res://player.gd` or `player.gd`.
    file: String,
    /// The line, from 1.
    line: u32,
    /// Whether the breakpoint is removed.
    #[serde(default)]
    remove: bool,
}

impl Call for Break {
    const NAME: &'static str = "debug_break";
    const CHANGES: bool = true;
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let place: SourceLine = format!("{}:{}", self.file, self.line)
            .parse()
            .map_err(|expected| Failure::usage(format!("the breakpoint: {expected}")))?;
        let line = json!({ "file": place.file, "line": place.line, "set": !self.remove });
        host.debugger.breakpoint(place, !self.remove)?;
        terminal.json(&line)?;
        Ok(Output::Values.with(Status::Fine))
    }
}

/// Continues a game that is stopped, by a step or until the next breakpoint; or stops a game that runs. Returns the state
/// after at most `wait` seconds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Run {
    /// What the game does.
    action: Action,
    /// The seconds to wait for a stop, at most 60. Without it, 2, and `continue` waits only until the game runs.
    wait: Option<u64>,
}

/// What a game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// It runs on.
    Continue,
    /// It runs to the next line, into calls.
    Step,
    /// It runs to the next line of the function.
    Next,
    /// It stops, without a stack; a stop at a breakpoint has one.
    Stop,
}

impl Call for Run {
    const NAME: &'static str = "debug_run";
    const CHANGES: bool = true;
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let action = self.action;
        if action == Action::Stop {
            // A game that is stopped does not stop again.
            let stopped = host.debugger.wait(Duration::ZERO, |state| state.stopped().cloned());
            if stopped.is_some() {
                return state(stopped.as_ref(), terminal);
            }
        }
        let stops = host.debugger.stops();
        host.debugger.send(move |game| {
            game.send(&match action {
                Action::Continue => Command::Continue,
                Action::Step => Command::Step,
                Action::Next => Command::Next,
                Action::Stop => Command::Break,
            })
        })?;
        // Without `wait`, `continue` only waits until the game runs: a `stop` after it must not find the old stop.
        let is_short = action == Action::Continue && self.wait.is_none();
        let stopped = host.debugger.wait(patience(self.wait, 2), |state| {
            let is_over = state.stops > stops || (is_short && state.stopped().is_none());
            is_over.then(|| state.stopped().cloned())
        });
        state(stopped.flatten().as_ref(), terminal)
    }
}

/// Prints whether a game is stopped.
fn state(stopped: Option<&Value>, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
    terminal.json(&json!({ "is_stopped": stopped.is_some(), "stopped": stopped }))?;
    Ok(Output::Values.with(Status::Fine))
}

/// Lists the stack of a game that is stopped, innermost first: `level`, `file`, `line`, `function`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Stack {}

impl Call for Stack {
    const NAME: &'static str = "debug_stack";
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let all =
            host.debugger.ask(Answer::Stack, |_| true, |game| game.send(&Command::StackDump))?;
        rows(Some(&all), terminal)
    }
}

/// Lists the variables of a function of a game that is stopped: `name`, `scope`, `kind`, and `value` as a short literal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Vars {
    /// The level of the function, as in `debug_stack`; 0 is the innermost.
    #[serde(default)]
    level: u32,
}

impl Call for Vars {
    const NAME: &'static str = "debug_vars";
    const READS: bool = false;

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let command = Command::StackFrameVars { level: self.level.into() };
        let all =
            host.debugger.ask(Answer::Variables, |_| true, move |game| game.send(&command))?;
        rows(Some(&all), terminal)
    }
}
