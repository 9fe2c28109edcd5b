//! [`Facts`]: what the messages of a game say, as JSON.

use std::collections::VecDeque;

use serde_json::{Value, json};
use variant_debugger::{
    ErrorReport, Line, LineKind, Message, Node, Object, Property, Scope, Session, StackFrame,
    Variable,
};
use variant_document::literal;
use variant_view::Dialect;

use super::LOG;

/// The maximum number of characters of a text.
const TEXT: usize = 2_000;

/// The maximum number of characters of a name.
const NAME: usize = 200;

/// The maximum number of variables that are kept.
const VARIABLES: usize = 10_000;

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

/// What a message adds to what is known of a game.
#[derive(Debug)]
pub(super) enum Fact {
    /// An entry of the log.
    Log(Value),
    /// A thread has stopped: an entry of the log.
    Stop(Value),
    Answer(Answer, Value),
}

/// Takes facts from messages.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The variables that have arrived, and the number that was announced.
    variables: (Vec<Value>, i64),
}

impl Facts {
    /// The facts of a message.
    pub(super) fn of(&mut self, message: &Message<'_>) -> Vec<Fact> {
        match message {
            Message::Output(lines) => outputs(lines.clone().flatten()),
            other => self.one(other).into_iter().collect(),
        }
    }

    fn one(&mut self, message: &Message<'_>) -> Option<Fact> {
        Some(match message {
            Message::Error(report) => Fact::Log(error(report)),
            Message::DebugEnter(stop) => Fact::Stop(json!({
                "kind": "stopped", "text": cut(&stop.reason), "can_continue": stop.can_continue,
            })),
            Message::DebugExit => Fact::Log(json!({ "kind": "running" })),
            Message::Dropped { messages } => {
                Fact::Log(json!({ "kind": "dropped", "messages": messages }))
            }
            Message::Custom { name, elements } => {
                let elements = elements.clone().flatten().take(ITEMS).map(|one| shown(&one));
                let elements: Vec<_> = elements.collect();
                Fact::Log(json!({ "kind": "message", "text": brief(name), "elements": elements }))
            }
            Message::SceneTree(nodes) => Fact::Answer(Answer::Tree, tree(nodes.clone().flatten())),
            Message::InspectObject(found) => {
                Fact::Answer(Answer::Object, found.as_ref().map_or(Value::Null, object))
            }
            Message::InspectObjects(all) => {
                let first = all.clone().flatten().next();
                Fact::Answer(Answer::Object, first.as_ref().map_or(Value::Null, object))
            }
            Message::StackDump(frames) => {
                Fact::Answer(Answer::Stack, stack(frames.clone().flatten()))
            }
            Message::StackFrameVars { count, variables } => {
                let found = variables.clone().flatten().take(VARIABLES);
                let found = found.map(|one| variable(&one));
                self.variables = (found.collect(), *count);
                self.all_variables()?
            }
            Message::StackFrameVar(one) => {
                if self.variables.0.len() < VARIABLES {
                    self.variables.0.push(variable(one));
                }
                self.all_variables()?
            }
            _ => return None,
        })
    }

    /// The variables, after the last has arrived. A game of Godot 4 sends each in a message.
    fn all_variables(&mut self) -> Option<Fact> {
        let (found, count) = &mut self.variables;
        let is_all = usize::try_from(*count).is_ok_and(|count| found.len() >= count.min(VARIABLES));
        is_all.then(|| Fact::Answer(Answer::Variables, std::mem::take(found).into()))
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
        "dialect": session.dialect().map(Dialect::name),
        "stopped": stopped.collect::<Vec<_>>(),
    })
}

/// The last lines of an output, as many as the log keeps, after the number of the others.
fn outputs<'a>(lines: impl Iterator<Item = Line<'a>>) -> Vec<Fact> {
    let (mut last, mut dropped) = (VecDeque::new(), 0_u64);
    for line in lines {
        // A place in the log is left for the number.
        if last.len() >= LOG.saturating_sub(1) {
            last.pop_front();
            dropped = dropped.saturating_add(1);
        }
        last.push_back(Fact::Log(output(&line)));
    }
    let dropped = (dropped > 0).then(|| Fact::Log(json!({ "kind": "dropped", "lines": dropped })));
    dropped.into_iter().chain(last).collect()
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
        "file": brief(&report.file),
        "line": report.line,
        "function": brief(&report.function),
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
            "id": node.id, "parent": parent, "level": level, "name": brief(&node.name),
            "class": brief(&node.class), "scene": node.scene.as_deref().map(brief),
        })
    });
    rows.collect()
}

fn object(found: &Object<'_>) -> Value {
    let properties = found.properties.clone().flatten();
    let properties = properties.map(|Property { name, value, .. }| {
        json!({ "name": brief(&name), "kind": value.kind().name(), "value": shown(&value) })
    });
    json!({ "id": found.id, "class": brief(&found.class), "properties": properties.collect::<Vec<_>>() })
}

fn stack<'a>(frames: impl Iterator<Item = StackFrame<'a>>) -> Value {
    let frames = frames.enumerate().map(|(level, frame)| {
        json!({
            "level": level, "file": brief(&frame.file), "line": frame.line,
            "function": brief(&frame.function),
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
    json!({ "name": brief(&found.name), "scope": scope, "kind": kind, "value": shown(&found.value) })
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

fn brief(name: &str) -> String {
    name.chars().take(NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_output_is_its_last_lines() {
        let text = |number: usize| number.to_string().into();
        let line = |number| Line { text: text(number), kind: LineKind::Log, thread: None };
        let facts = outputs((0..2_500).map(line));
        assert_eq!(facts.len(), LOG);
        let logged = |fact: Option<&Fact>| match fact {
            Some(Fact::Log(entry)) => entry.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(logged(facts.first()), json!({ "kind": "dropped", "lines": 501 }));
        assert_eq!(logged(facts.last())["text"], "2499");
        assert_eq!(outputs((0..3).map(line)).len(), 3);
    }
}
