//! The orders about stops: `break`, `step`, `next`, `continue`, `stack`, `vars`, `eval`.

use std::time::Duration;

use serde_json::{Value as Json, json};
use variant_debugger::{Command, Message, Scope, Value, Variable as Sent};
use variant_owned::Variant;
use variant_view::Dialect;

use super::super::desk::{Desk, soon};
use super::super::finding::Place;
use super::super::log::reason;
use super::super::shown;
use super::object::{at, one_line};
use crate::cli::{BreakArgs, EvalArgs, SourceLine, StackArgs, StepArgs, VarsArgs};
use crate::failure::Failure;
use crate::style::Palette;
use crate::terminal::Terminal;
use variant_document::count::counted;
use variant_document::escape::{escaped, neutral};

/// The time in which a step must end.
const STEP: Duration = Duration::from_secs(10);

/// How far a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::verbs::debug) enum Step {
    Into,
    Over,
}

impl Step {
    const fn command(self) -> Command<'static> {
        match self {
            Self::Into => Command::Step,
            Self::Over => Command::Next,
        }
    }
}

pub(super) fn set_breaks(
    args: &BreakArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    for line in &args.lines {
        desk.breakpoint(line, !args.clear, terminal)?;
        if desk.log.is_json {
            let SourceLine { file, line } = line;
            let is_set = !args.clear;
            terminal.json(
                &json!({ "type": "breakpoint", "file": file, "line": line, "set": is_set }),
            )?;
        }
    }
    if args.lines.is_empty() && !desk.link.is_stopped() {
        desk.known(terminal)?;
        desk.link.send(&Command::Break)?;
        desk.stopped(soon(STEP), terminal)?;
    }
    Ok(())
}

/// Waits for a stop, and prints its reason, stack and variables.
pub(super) fn report(desk: &mut Desk<'_>, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    desk.stopped(None, terminal)?;
    if !desk.log.is_shown {
        let reason = desk.link.session.stopped().last().map(|stop| reason(&stop.reason).to_owned());
        let reason = reason.unwrap_or_default();
        if desk.log.is_json {
            terminal.json(&json!({ "type": "stopped", "reason": reason }))?;
        } else {
            writeln!(terminal.out, "stopped: {}", neutral(&reason))?;
        }
    }
    let places = desk.stack(terminal)?;
    print_stack(&places, desk.log.is_json, terminal)?;
    if places.is_empty() { Ok(()) } else { vars(&VarsArgs::default(), desk, terminal) }
}

/// Stops at a line, if one is given. Otherwise the game must be stopped.
fn stop_at(
    line: Option<&SourceLine>,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let Some(line) = line else {
        let how = "the game runs; break FILE:LINE and wait stop it, or --at FILE:LINE";
        return if desk.link.is_stopped() { Ok(()) } else { Err(Failure::invalid(how)) };
    };
    let was_set = desk.has_breakpoint(line);
    let was_stopped = desk.link.is_stopped();
    // Before the game runs: it may reach the line at once.
    desk.breakpoint(line, true, terminal)?;
    if was_stopped {
        desk.resume(terminal)?;
    }
    desk.stopped(None, terminal)?;
    if !was_set {
        desk.breakpoint(line, false, terminal)?;
    }
    check_place(line, desk, terminal)
}

/// Notes a stop at another place: a script may fail before the game reaches a line.
fn check_place(
    wanted: &SourceLine,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let stack = desk.stack(terminal)?;
    let is_at = |place: &Place| place.file == wanted.file && place.line == i64::from(wanted.line);
    if stack.first().is_some_and(is_at) {
        return Ok(());
    }
    let stop = desk.link.session.stopped().last();
    let why = stop.map(|stop| reason(&stop.reason).to_owned()).unwrap_or_default();
    let place = stack.first().map_or_else(|| "outside of scripts".to_owned(), Place::to_string);
    let SourceLine { file, line } = wanted;
    Ok(terminal.note(&format!("the game stopped before {file}:{line}, at {place}: {why}"))?)
}

pub(super) fn step(
    step: Step,
    args: &StepArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    stop_at(args.at.as_ref(), desk, terminal)?;
    desk.link.send(&step.command())?;
    // The game first reports that it runs, and then the next stop.
    let pick = |message: &Message<'_>| matches!(message, Message::DebugEnter(_)).then_some(());
    desk.expect("the next line of a script", soon(STEP), terminal, pick)?;
    print_place(desk, terminal)
}

pub(super) fn go_on(
    args: &StepArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    stop_at(args.at.as_ref(), desk, terminal)?;
    desk.resume(terminal)
}

/// Prints where the game is stopped.
pub(super) fn print_place(desk: &mut Desk<'_>, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    match desk.stack(terminal)?.first() {
        Some(place) if desk.log.is_json => terminal.json(&with_type("place", place.to_json()))?,
        Some(place) => writeln!(terminal.out, "at {place}")?,
        None => terminal.note("the game is stopped outside of scripts")?,
    }
    Ok(())
}

fn with_type(name: &str, mut object: Json) -> Json {
    if let Some(fields) = object.as_object_mut() {
        fields.insert("type".to_owned(), name.into());
    }
    object
}

pub(super) fn stack(
    args: &StackArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    stop_at(args.at.as_ref(), desk, terminal)?;
    let places = desk.stack(terminal)?;
    print_stack(&places, desk.log.is_json, terminal)
}

fn print_stack(
    places: &[Place],
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    if is_json {
        let frames: Vec<_> = places.iter().map(Place::to_json).collect();
        return Ok(terminal.json(&json!({ "type": "stack", "frames": frames }))?);
    }
    if places.is_empty() {
        return Ok(terminal.note(
            "the game has no stack: it is stopped outside of scripts, or a release build",
        )?);
    }
    let note = terminal.palette().note;
    for (number, place) in places.iter().enumerate() {
        writeln!(terminal.out, "{note}#{number}{note:#} {place}")?;
    }
    Ok(())
}

/// A variable of a stopped game.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::verbs::debug) struct Variable {
    pub(in crate::verbs::debug) name: String,
    pub(in crate::verbs::debug) scope: Scope,
    pub(in crate::verbs::debug) value: Variant,
}

/// The most variables of a frame that are kept. A game may claim any number of them.
const MOST: usize = 1 << 16;
/// The most bytes of names and values of a frame that are kept. Later variables are left out.
const MOST_BYTES: usize = 1 << 24;

/// The variables of a frame, which Godot 4 sends one by one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::verbs::debug) struct Gathered {
    pub(in crate::verbs::debug) found: Vec<Variable>,
    /// The number of variables that are left out.
    left_out: usize,
    /// The bytes of the names and values, also of those that are left out.
    bytes: usize,
    /// The number of variables that did not come yet; `None` before the first message.
    missing: Option<i64>,
}

impl Gathered {
    /// Takes a message. Returns whether all variables are there.
    pub(in crate::verbs::debug) fn add(&mut self, message: &Message<'_>) -> bool {
        match message {
            Message::StackFrameVars { count, variables } => {
                *self = Self { missing: Some(*count), ..Self::default() };
                shown::sound(variables.clone()).for_each(|sent| self.take(&sent));
            }
            Message::StackFrameVar(sent) if self.missing.is_some_and(|missing| missing > 0) => {
                self.take(sent);
            }
            _ => {}
        }
        self.missing.is_some_and(|missing| missing <= 0)
    }

    fn take(&mut self, sent: &Sent<'_>) {
        self.missing = self.missing.map(|missing| missing.saturating_sub(1));
        let value = sent.value.view().and_then(|view| view.raw_bytes().ok());
        let bytes = sent.name.len().saturating_add(value.map_or(0, <[u8]>::len));
        self.bytes = self.bytes.saturating_add(bytes);
        if self.found.len() >= MOST || self.bytes > MOST_BYTES {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        let value = sent.value.to_variant().unwrap_or_default();
        self.found.push(Variable { name: sent.name.to_string(), scope: sent.scope, value });
    }

    /// A message about the variables that are left out, if there are any.
    pub(in crate::verbs::debug) fn note(&self) -> Option<String> {
        let left_out = counted(self.left_out, "variable");
        (self.left_out > 0).then(|| format!("{left_out} left out: the frame has more than is kept"))
    }
}

/// Asks for the variables of a frame.
fn variables(
    frame: u32,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Vec<Variable>, Failure> {
    let mut gathered = Gathered::default();
    let command = Command::StackFrameVars { level: frame.into() };
    let pick = |message: &Message<'_>| gathered.add(message).then_some(());
    desk.ask(&command, "its variables", terminal, pick)?;
    if let Some(note) = gathered.note() {
        terminal.note(&note)?;
    }
    Ok(gathered.found)
}

pub(super) fn vars(
    args: &VarsArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    stop_at(args.at.as_ref(), desk, terminal)?;
    let variables = variables(args.frame, desk, terminal)?;
    let dialect = desk.dialect()?;
    if args.names.is_empty() {
        return print_all(&variables, dialect, desk.log.is_json, terminal);
    }
    for path in &args.names {
        let end = path.find(['.', '[', '{']).unwrap_or(path.len());
        let (name, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        let variable = variables.iter().find(|variable| variable.name == name);
        let none =
            || Failure::invalid(format!("frame {} has no variable {}", args.frame, escaped(name)));
        let value = at(&variable.ok_or_else(none)?.value, rest, dialect)?;
        print_value(path, &value, dialect, desk.log.is_json, terminal)?;
    }
    Ok(())
}

fn print_value(
    name: &str,
    value: &Variant,
    dialect: Dialect,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let value = Value::from(value);
    if is_json {
        let value = shown::json(&value);
        return Ok(terminal.json(&json!({ "type": "value", "name": name, "value": value }))?);
    }
    let key = terminal.palette().key;
    let whole = shown::whole(&value, dialect);
    Ok(writeln!(terminal.out, "{key}{}{key:#} = {whole}", neutral(name))?)
}

/// The heading of the variables of a scope.
pub(in crate::verbs::debug) const fn heading(scope: Scope) -> &'static str {
    match scope {
        Scope::Local => "Locals",
        Scope::Member => "Members",
        Scope::Global => "Globals",
        Scope::Evaluation | Scope::Other(_) => "Others",
    }
}

fn print_all(
    variables: &[Variable],
    dialect: Dialect,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let Palette { key, value, container, .. } = terminal.palette();
    let mut last = None;
    for variable in variables {
        let scope = heading(variable.scope);
        if is_json {
            terminal.json(&json!({
                "type": "variable",
                "scope": scope.trim_end_matches('s').to_lowercase(),
                "name": variable.name,
                "value": shown::json(&Value::from(&variable.value)),
            }))?;
            continue;
        }
        if last.replace(scope) != Some(scope) {
            writeln!(terminal.out, "{container}{scope}{container:#}")?;
        }
        let (name, text) = (neutral(&variable.name), one_line(&variable.value, dialect));
        writeln!(terminal.out, "  {key}{name}{key:#}: {value}{text}{value:#}")?;
    }
    Ok(())
}

pub(super) fn eval(
    args: &EvalArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    stop_at(args.at.as_ref(), desk, terminal)?;
    let expression = args.expression.as_str().into();
    let command = Command::Evaluate { expression, level: args.frame.into() };
    let value = desk.ask(&command, "the value", terminal, |message| match message {
        // An expression before may have had its answer late.
        Message::EvaluationReturn(value) if value.name == args.expression => {
            Some(value.value.to_variant().unwrap_or_default())
        }
        _ => None,
    })?;
    let dialect = desk.dialect()?;
    print_value(&args.expression, &value, dialect, desk.log.is_json, terminal)
}

#[cfg(test)]
mod tests {
    use variant_debugger::{List, Value, Variable};
    use variant_owned::{Variant, encode};
    use variant_view::{Dialect, Document};

    use super::*;

    /// A game may send any number of large values.
    #[test]
    fn variables_are_kept_up_to_a_number_of_bytes() {
        let bytes = encode(&Variant::PackedByteArray(vec![7; 1 << 20]), Dialect::Godot4).unwrap();
        let document = Document::new(&bytes, Dialect::Godot4);
        let value = Value::View(document.root().unwrap());
        let variable = Variable { name: "a".into(), scope: Scope::Local, type_id: None, value };
        let mut gathered = Gathered::default();
        let variables = List::from(&[]);
        assert!(!gathered.add(&Message::StackFrameVars { count: 20, variables }));
        for number in 1..=20 {
            assert_eq!(gathered.add(&Message::StackFrameVar(variable.clone())), number == 20);
        }
        assert_eq!(gathered.found.len(), 15);
        assert_eq!(
            gathered.note().unwrap(),
            "5 variables left out: the frame has more than is kept"
        );
    }
}
