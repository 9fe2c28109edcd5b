//! [`Facts`]: what messages of a game add to what is known of it.

use serde_json::{Value, json};
use variant_debugger::{
    ErrorReport, Line, LineKind, Message, Node, Object, Property, Scope, Session, StackFrame,
    Variable,
};
use variant_document::literal;

use super::State;

/// The maximum number of characters of a text.
const TEXT: usize = 4_000;

/// The maximum number of frames of a stack in an entry of the log, and of elements of a message.
const ITEMS: usize = 20;

/// What a game answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::verbs::mcp) enum Answer {
    Tree,
    Object,
    Stack,
    Variables,
}

impl Answer {
    /// What to try if the answer does not come.
    pub(super) const fn hint(self) -> &'static str {
        match self {
            Self::Tree => "a game that is stopped has no tree; debug_run continues it",
            Self::Object => "the id may be unknown; debug_tree lists the ids of nodes",
            Self::Stack | Self::Variables => {
                "only a game that is stopped has a stack; debug_run stops it"
            }
        }
    }
}

/// What messages of a game add to what is known of it.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The variables that have arrived, and the number that was announced.
    variables: (Vec<Value>, i64),
}

impl Facts {
    pub(super) fn add(&mut self, message: &Message<'_>, state: &mut State) {
        match message {
            Message::Output(lines) => {
                lines.clone().flatten().for_each(|line| state.log(output(&line)))
            }
            Message::Error(report) => state.log(error(report)),
            Message::DebugEnter(stop) => {
                state.stops = state.stops.saturating_add(1);
                state.log(json!({
                    "kind": "stopped", "text": cut(&stop.reason), "can_continue": stop.can_continue,
                }));
            }
            Message::DebugExit => state.log(json!({ "kind": "running" })),
            Message::SceneTree(nodes) => {
                state.answer(Answer::Tree, tree(nodes.clone().flatten()));
            }
            Message::InspectObject(Some(found)) => state.answer(Answer::Object, object(found)),
            Message::InspectObject(None) => state.answer(Answer::Object, Value::Null),
            Message::InspectObjects(all) => {
                let first = all.clone().flatten().next();
                state.answer(Answer::Object, first.map_or(Value::Null, |found| object(&found)));
            }
            Message::StackDump(frames) => {
                state.answer(Answer::Stack, stack(frames.clone().flatten()))
            }
            Message::StackFrameVars { count, variables } => {
                self.variables =
                    (variables.clone().flatten().map(|one| variable(&one)).collect(), *count);
                self.end_variables(state);
            }
            Message::StackFrameVar(one) => {
                self.variables.0.push(variable(one));
                self.end_variables(state);
            }
            Message::Dropped { messages } => {
                state.log(json!({ "kind": "dropped", "messages": messages }));
            }
            Message::Custom { name, elements } => {
                let elements =
                    elements.clone().flatten().take(ITEMS).map(|element| shown(&element));
                let elements: Vec<_> = elements.collect();
                state.log(json!({ "kind": "message", "text": cut(name), "elements": elements }));
            }
            _ => {}
        }
    }

    /// Answers with the variables after the last has arrived. A game of Godot 4 sends each in a message.
    fn end_variables(&mut self, state: &mut State) {
        let (found, count) = &mut self.variables;
        if i64::try_from(found.len()).is_ok_and(|found| found >= *count) {
            state.answer(Answer::Variables, std::mem::take(found).into());
        }
    }
}

/// The engine, and the threads that are stopped.
pub(super) fn game(session: &Session) -> Value {
    let stopped = session.stopped().iter().map(|stop| {
        json!({ "thread": stop.thread, "reason": stop.reason, "can_continue": stop.can_continue })
    });
    json!({
        "engine": session.banner(),
        "family": session.family().map(|family| format!("{family:?}")),
        "dialect": session.dialect().map(|dialect| dialect.name()),
        "stopped": stopped.collect::<Vec<_>>(),
    })
}

fn output(line: &Line<'_>) -> Value {
    let kind = if line.kind == LineKind::Error { "printerr" } else { "output" };
    json!({ "kind": kind, "text": cut(&line.text) })
}

fn error(report: &ErrorReport<'_>) -> Value {
    let kind = if report.is_warning { "warning" } else { "error" };
    json!({
        "kind": kind,
        "text": cut(&report.error),
        "description": cut(&report.description),
        "file": cut(&report.file),
        "line": report.line,
        "function": cut(&report.function),
        "stack": stack(report.stack.clone().flatten().take(ITEMS)),
    })
}

/// A row for each node. A row has the parent and not the path, because the paths of a deep tree would be long.
fn tree<'a>(nodes: impl Iterator<Item = Node<'a>>) -> Value {
    // The ids of the nodes above, and the number of their children that are still to come.
    let mut above: Vec<(i64, i64)> = Vec::new();
    let rows = nodes.map(|node| {
        while above.last().is_some_and(|(_, left)| *left <= 0) {
            above.pop();
        }
        let level = above.len();
        let parent = above.last_mut().map(|(id, left)| {
            *left = left.saturating_sub(1);
            *id
        });
        above.push((node.id, node.children));
        json!({
            "id": node.id, "parent": parent, "level": level, "name": cut(&node.name),
            "class": cut(&node.class), "scene": node.scene.as_deref().map(cut),
        })
    });
    rows.collect()
}

fn object(found: &Object<'_>) -> Value {
    let properties = found.properties.clone().flatten();
    let properties = properties.map(|Property { name, value, .. }| {
        json!({ "name": cut(&name), "kind": value.kind().name(), "value": shown(&value) })
    });
    json!({ "id": found.id, "class": cut(&found.class), "properties": properties.collect::<Vec<_>>() })
}

fn stack<'a>(frames: impl Iterator<Item = StackFrame<'a>>) -> Value {
    let frames = frames.enumerate().map(|(level, frame)| {
        json!({
            "level": level, "file": cut(&frame.file), "line": frame.line,
            "function": cut(&frame.function),
        })
    });
    frames.collect()
}

fn variable(found: &Variable<'_>) -> Value {
    let scope = match found.scope {
        Scope::Local => "local",
        Scope::Member => "member",
        Scope::Global => "global",
        _ => "other",
    };
    let kind = found.value.kind().name();
    json!({ "name": cut(&found.name), "scope": scope, "kind": kind, "value": shown(&found.value) })
}

/// A value as a short literal.
fn shown(value: &variant_debugger::Value<'_>) -> String {
    let mut text = String::new();
    if let Some(view) = value.view() {
        literal::write(&mut text, &view);
    }
    text
}

fn cut(text: &str) -> String {
    text.chars().take(TEXT).collect()
}
