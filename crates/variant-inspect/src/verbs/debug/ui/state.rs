//! [`State`]: the content of the screen, and the effect of keys and messages on it. This module uses neither a terminal
//! nor a socket.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use crossterm::event::{Event as Typed, KeyCode, KeyEvent, KeyEventKind};
use variant_debugger::{ErrorReport, LineKind, Message, Stopped};
use variant_document::edit::literal;
use variant_owned::Variant;
use variant_view::Dialect;

use super::super::finding::{Place, clipped};
use super::super::log::reason;
use super::super::orders::nodes::{Node, Nodes};
use super::super::orders::object::{Object, one_line};
use super::super::orders::stops::{Gathered, heading};
use super::super::shown;
use super::keys::{Command, KEYS, command};
use crate::cli::SourceLine;
use crate::verbs::browse::line::Line;

/// The most lines of the log.
const LINES: usize = 10_000;

/// The row of properties before a node is chosen.
const HINT: &str = "enter shows the properties of a node";

/// The longest line of the log, in characters.
const WIDTH: usize = 1_000;

/// The time after which properties are read again.
const FOLLOW: Duration = Duration::from_secs(1);

/// What the game is asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    Tree,
    Object(i64),
    Set(i64, String, Variant),
    Breakpoint(SourceLine, bool),
    Break,
    Step,
    Next,
    Continue,
    Stack,
    Variables,
}

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    Tree,
    Properties,
    Log,
}

impl Pane {
    pub(super) const ALL: [Self; 3] = [Self::Tree, Self::Properties, Self::Log];
}

/// The role of a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Heading,
    Note,
    Error,
}

/// The part of the screen that receives keys.
#[derive(Debug)]
pub(super) enum Mode {
    Rows,
    Line(Purpose, Line),
    /// The help is shown, from this line on.
    Help(usize),
}

/// The purpose of a typed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Search,
    Breakpoint,
    /// A new value of the property of this name.
    Value(String),
}

/// The rows of a part of the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) at: usize,
    pub(super) top: usize,
}

impl Rows {
    /// Keeps the selected row on the screen.
    pub(super) fn fit(&mut self, count: usize, height: usize) {
        self.at = self.at.min(count.saturating_sub(1));
        let height = height.max(1);
        self.top = self.top.clamp(self.at.saturating_add(1).saturating_sub(height), self.at);
    }
}

/// The content of the screen.
#[derive(Debug)]
pub(super) struct State {
    pub(super) log: VecDeque<(Role, String)>,
    pub(super) nodes: Nodes,
    /// The ids of folded nodes.
    folded: BTreeSet<i64>,
    pub(super) object: Option<Object>,
    stack: Vec<Place>,
    variables: Gathered,
    /// The rows of [`Pane::Properties`].
    pub(super) details: Vec<(Role, String)>,
    /// Whether a message has changed what `details` shows.
    is_stale: bool,
    breakpoints: Vec<SourceLine>,
    pub(super) pane: Pane,
    /// The rows of each part, in the order of [`Pane::ALL`].
    pub(super) rows: [Rows; 3],
    pub(super) mode: Mode,
    pub(super) message: Option<(Role, String)>,
    /// Why the game is stopped.
    pub(super) stopped: Option<String>,
    pub(super) has_ended: bool,
    pub(super) dialect: Dialect,
    wanted: String,
    follow: Option<Instant>,
    /// What the game must be asked next.
    pub(super) asks: Vec<Ask>,
    /// The height of a page, in rows.
    pub(super) page: usize,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            log: VecDeque::new(),
            nodes: Nodes::default(),
            folded: BTreeSet::new(),
            object: None,
            stack: Vec::new(),
            variables: Gathered::default(),
            details: vec![(Role::Note, HINT.to_owned())],
            is_stale: false,
            breakpoints: Vec::new(),
            pane: Pane::Tree,
            rows: Default::default(),
            mode: Mode::Rows,
            message: None,
            stopped: None,
            has_ended: false,
            dialect: Dialect::Godot4,
            wanted: String::new(),
            follow: None,
            asks: vec![Ask::Tree],
            page: 10,
        }
    }

    /// Takes a message of the game.
    pub(super) fn message(&mut self, message: &Message<'_>) {
        match message {
            Message::Output(lines) => {
                for line in shown::sound(lines.clone()) {
                    let role = if line.kind == LineKind::Error { Role::Error } else { Role::Plain };
                    shown::lines(&line.text).for_each(|text| self.say(role, text));
                }
                return;
            }
            Message::Error(report) => return self.report(report),
            Message::DebugEnter(stop) => {
                let reason = reason(&stop.reason).to_owned();
                self.say(Role::Note, &format!("stopped: {reason}"));
                self.stopped = Some(reason);
                if stop.has_stack != Some(false) {
                    self.ask(Ask::Stack);
                }
            }
            Message::DebugExit => {
                self.stopped = None;
                self.stack.clear();
                self.variables = Gathered::default();
            }
            Message::StackDump(frames) => {
                self.stack =
                    shown::sound(frames.clone()).map(|frame| shown::place(&frame)).collect();
                if !self.stack.is_empty() {
                    self.ask(Ask::Variables);
                }
            }
            Message::SceneTree(nodes) => self.nodes = Nodes::read(nodes.clone()),
            Message::InspectObject(Some(object)) => self.object = Some(Object::read(object)),
            Message::InspectObjects(objects) => {
                let first = shown::sound(objects.clone()).next();
                self.object = first.map(|object| Object::read(&object)).or(self.object.take());
            }
            variables @ (Message::StackFrameVars { .. } | Message::StackFrameVar(_)) => {
                if !self.variables.add(variables) {
                    return;
                }
            }
            _ => return,
        }
        self.is_stale = true;
    }

    /// Makes the rows of the part that shows a stop or an object, if a message has changed them. Not for each message
    /// and each drawing: a value may be long.
    pub(super) fn refresh(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            self.details = self.detail_rows();
        }
    }

    /// Takes the stop of another thread after a thread runs again.
    pub(super) fn is_still_stopped(&mut self, stop: Option<&Stopped>) {
        let Some(stop) = stop.filter(|_| self.stopped.is_none()) else { return };
        self.stopped = Some(reason(&stop.reason).to_owned());
        if stop.has_stack != Some(false) {
            self.ask(Ask::Stack);
        }
        self.is_stale = true;
    }

    /// Asks the game, unless that is asked already: a game may send any number of messages before it is asked.
    fn ask(&mut self, ask: Ask) {
        if !self.asks.contains(&ask) {
            self.asks.push(ask);
        }
    }

    fn report(&mut self, report: &ErrorReport<'_>) {
        let (role, name) =
            if report.is_warning { (Role::Note, "warning") } else { (Role::Error, "error") };
        self.say(role, &format!("{name}: {}", shown::error_text(report)));
        for place in shown::error_stack(report) {
            self.say(Role::Note, &format!("  at {place}"));
        }
    }

    /// Adds a line to the log. The selected row stays, or follows the end.
    pub(super) fn say(&mut self, role: Role, text: &str) {
        let count = self.log.len();
        let [.., rows] = &mut self.rows;
        let is_at_end = rows.at.saturating_add(1) >= count;
        if count >= LINES {
            self.log.pop_front();
            rows.at = rows.at.saturating_sub(1);
        }
        self.log.push_back((role, clipped(text, WIDTH)));
        if is_at_end {
            rows.at = self.log.len().saturating_sub(1);
        }
    }

    pub(super) fn fail(&mut self, text: impl Into<String>) {
        self.message = Some((Role::Error, text.into()));
    }

    /// Asks for the shown object again, once a second.
    pub(super) fn follow(&mut self, now: Instant) {
        let Some(object) = &self.object else { return };
        if self.follow.is_none_or(|next| next <= now) && !self.has_ended {
            self.follow = now.checked_add(FOLLOW);
            let id = object.id;
            self.ask(Ask::Object(id));
        }
    }

    /// The nodes that are not inside a folded node.
    pub(super) fn tree(&self) -> Vec<&Node> {
        let mut rows = Vec::new();
        let mut folded = None;
        for node in &self.nodes.all {
            if folded.is_some_and(|depth| node.depth > depth) {
                continue;
            }
            folded = self.folded.contains(&node.id).then_some(node.depth);
            rows.push(node);
        }
        rows
    }

    pub(super) fn is_folded(&self, node: &Node) -> bool {
        self.folded.contains(&node.id)
    }

    /// Makes the rows of the part that shows a stop, if the game is stopped, or else an object.
    fn detail_rows(&self) -> Vec<(Role, String)> {
        if self.stopped.is_some() {
            return self.stop_rows();
        }
        let Some(object) = &self.object else {
            return vec![(Role::Note, HINT.to_owned())];
        };
        let rows = object.properties.iter().map(|property| {
            if property.is_heading(self.dialect) {
                return (Role::Heading, property.name.clone());
            }
            let value = one_line(&property.value, self.dialect);
            (Role::Plain, format!("{}: {value}", property.shown_name()))
        });
        rows.collect()
    }

    fn stop_rows(&self) -> Vec<(Role, String)> {
        let places = self.stack.iter().map(|place| (Role::Note, place.to_string()));
        let mut rows: Vec<_> = places.collect();
        let mut last = None;
        for variable in &self.variables.found {
            let scope = heading(variable.scope);
            if last.replace(scope) != Some(scope) {
                rows.push((Role::Heading, scope.to_owned()));
            }
            let value = one_line(&variable.value, self.dialect);
            rows.push((Role::Plain, format!("{}: {value}", variable.name)));
        }
        rows.extend(self.variables.note().map(|note| (Role::Note, note)));
        rows
    }

    /// The number of rows of a part.
    pub(super) fn count(&self, pane: Pane) -> usize {
        match pane {
            Pane::Tree => self.tree().len(),
            Pane::Properties => self.details.len(),
            Pane::Log => self.log.len(),
        }
    }

    pub(super) const fn rows(&self, pane: Pane) -> &Rows {
        let [tree, properties, log] = &self.rows;
        match pane {
            Pane::Tree => tree,
            Pane::Properties => properties,
            Pane::Log => log,
        }
    }

    pub(super) const fn rows_mut(&mut self, pane: Pane) -> &mut Rows {
        let [tree, properties, log] = &mut self.rows;
        match pane {
            Pane::Tree => tree,
            Pane::Properties => properties,
            Pane::Log => log,
        }
    }

    /// Applies an event of the terminal. Returns whether to quit.
    pub(super) fn handle(&mut self, event: &Typed) -> bool {
        match event {
            Typed::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            Typed::Paste(text) => {
                if let Mode::Line(_, line) = &mut self.mode {
                    line.insert(text);
                }
                false
            }
            _ => false,
        }
    }

    fn press(&mut self, key: KeyEvent) -> bool {
        match std::mem::replace(&mut self.mode, Mode::Rows) {
            Mode::Rows => {
                self.message = None;
                return command(key).is_some_and(|command| self.obey(command));
            }
            Mode::Line(purpose, line) => self.type_in(purpose, line, key),
            Mode::Help(from) => {
                let by = match command(key) {
                    Some(Command::Down) => 1,
                    Some(Command::Up) => -1,
                    _ => return false,
                };
                let last = KEYS.len().saturating_sub(1);
                self.mode = Mode::Help(from.saturating_add_signed(by).min(last));
            }
        }
        false
    }

    fn obey(&mut self, command: Command) -> bool {
        let page = isize::try_from(self.page).unwrap_or(1);
        match command {
            Command::Pane => self.next_pane(),
            Command::Down => self.move_by(1),
            Command::Up => self.move_by(-1),
            Command::PageDown => self.move_by(page),
            Command::PageUp => self.move_by(page.saturating_neg()),
            Command::First => self.rows_mut(self.pane).at = 0,
            Command::Last => self.move_by(isize::MAX),
            Command::Fold => self.fold(true),
            Command::Unfold => self.fold(false),
            Command::Enter => self.enter(),
            Command::Search => self.mode = Mode::Line(Purpose::Search, Line::default()),
            Command::Again => self.search(),
            Command::Tree => self.asks.push(Ask::Tree),
            Command::Breakpoint => self.mode = Mode::Line(Purpose::Breakpoint, Line::default()),
            Command::Pause if self.stopped.is_none() => self.asks.push(Ask::Break),
            Command::Step => self.when_stopped(Ask::Step),
            Command::Over => self.when_stopped(Ask::Next),
            Command::Continue => self.when_stopped(Ask::Continue),
            Command::Help => self.mode = Mode::Help(0),
            Command::Pause | Command::Cancel => {}
            Command::Quit => return true,
        }
        false
    }

    fn next_pane(&mut self) {
        let mut panes = Pane::ALL.into_iter().cycle().skip_while(|pane| *pane != self.pane);
        self.pane = panes.nth(1).unwrap_or(Pane::Tree);
    }

    fn move_by(&mut self, by: isize) {
        let last = self.count(self.pane).saturating_sub(1);
        let rows = self.rows_mut(self.pane);
        rows.at = rows.at.saturating_add_signed(by).min(last);
    }

    fn selected(&self) -> Option<&Node> {
        self.tree().get(self.rows(Pane::Tree).at).copied()
    }

    fn fold(&mut self, is_folded: bool) {
        let Some(id) = self.selected().map(|node| node.id) else { return };
        if is_folded {
            self.folded.insert(id);
        } else {
            self.folded.remove(&id);
        }
    }

    fn when_stopped(&mut self, ask: Ask) {
        if self.stopped.is_some() {
            self.asks.push(ask);
        } else {
            self.fail("the game runs; p stops it, b sets a breakpoint");
        }
    }

    /// Shows the selected node, or changes the selected property.
    fn enter(&mut self) {
        match self.pane {
            Pane::Tree => {
                if let Some(id) = self.selected().map(|node| node.id) {
                    self.asks.push(Ask::Object(id));
                }
            }
            Pane::Properties if self.stopped.is_none() => self.edit(),
            Pane::Properties | Pane::Log => {}
        }
    }

    fn edit(&mut self) {
        let at = self.rows(Pane::Properties).at;
        let property = self.object.as_ref().and_then(|object| object.properties.get(at));
        let Some(property) = property.filter(|property| !property.is_heading(self.dialect)) else {
            return;
        };
        let text = shown::whole(&(&property.value).into(), self.dialect);
        self.mode = Mode::Line(Purpose::Value(property.name.clone()), Line::new(text));
    }

    fn type_in(&mut self, purpose: Purpose, mut line: Line, key: KeyEvent) {
        match key.code {
            KeyCode::Esc => {}
            KeyCode::Enter => self.typed(purpose, line.text()),
            _ => {
                line.press(key);
                self.mode = Mode::Line(purpose, line);
            }
        }
    }

    fn typed(&mut self, purpose: Purpose, text: &str) {
        match purpose {
            Purpose::Search => {
                self.wanted = text.to_lowercase();
                self.search();
            }
            Purpose::Breakpoint => match text.parse::<SourceLine>() {
                Ok(line) => self.breakpoint(line),
                Err(why) => self.fail(why),
            },
            Purpose::Value(name) => match (literal(text, self.dialect), &self.object) {
                (Ok(value), Some(object)) => {
                    let id = object.id;
                    self.asks.extend([Ask::Set(id, name, value), Ask::Object(id)]);
                }
                (Err(why), _) => self.fail(why),
                (Ok(_), None) => {}
            },
        }
    }

    /// Sets a breakpoint, or removes it.
    fn breakpoint(&mut self, line: SourceLine) {
        let is_set = self.breakpoints.contains(&line);
        let SourceLine { file, line: number } = &line;
        let what = if is_set { "removed" } else { "set" };
        self.message = Some((Role::Note, format!("breakpoint {file}:{number} {what}")));
        self.breakpoints.retain(|other| *other != line);
        if !is_set {
            self.breakpoints.push(line.clone());
        }
        self.asks.push(Ask::Breakpoint(line, !is_set));
    }

    /// Selects the next row with the searched text.
    fn search(&mut self) {
        let texts: Vec<String> = match self.pane {
            Pane::Tree => {
                self.tree().iter().map(|node| format!("{} {}", node.name, node.class)).collect()
            }
            Pane::Properties => self.details.iter().map(|(_, text)| text.clone()).collect(),
            Pane::Log => self.log.iter().map(|(_, text)| text.clone()).collect(),
        };
        let from = self.rows(self.pane).at.saturating_add(1);
        let order = (from..texts.len()).chain(0..from.min(texts.len()));
        let is_found = |row: &usize| {
            texts.get(*row).is_some_and(|text| text.to_lowercase().contains(&self.wanted))
        };
        match order.into_iter().find(is_found) {
            Some(row) => self.rows_mut(self.pane).at = row,
            None => self.fail(format!("not found: {}", self.wanted)),
        }
    }
}
