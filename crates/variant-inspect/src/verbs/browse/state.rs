//! [`State`]: the content of the screen, and the effect of each key on it. This module does not use a terminal.

mod mouse;
mod typing;

use std::collections::BTreeMap;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind};
use ratatui::layout::Rect;

use super::File;
use super::areas::Areas;
use super::changes::Changes;
use super::keys::{Command, KEYS, command};
use super::line::Line;
use super::outline::{Outline, Way};
use super::search::Search;
use variant_document::tree::{Child, Children, Label};

/// The work for the caller after an event, besides drawing the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Nothing,
    /// Puts text on the clipboard.
    Copy(String),
    Write,
    Quit,
}

/// The part of the screen that receives keys.
#[derive(Debug)]
pub(super) enum Mode {
    Rows,
    Line(Purpose, Line),
    /// The help is shown, from this line on.
    Help(usize),
    /// Waits for the letter of a bookmark, which is then set on the selected row.
    Mark,
    /// Waits for the letter of a bookmark, whose row is then selected.
    Jump,
    /// Waits for the answer to the question whether to quit without writing.
    Leave,
}

/// The purpose of a typed line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A search that starts at this row.
    Search(Way),
    Filter,
    Edit,
}

/// A line for the user.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) text: String,
    pub(super) is_error: bool,
}

/// The rows of a filter, and the row to return to.
#[derive(Debug)]
struct Filtered<'a> {
    path: String,
    outline: Outline<'a>,
    back: Way,
}

/// The content of the screen.
#[derive(Debug)]
pub(super) struct State<'a> {
    file: &'a File<'a>,
    whole: Outline<'a>,
    filtered: Option<Filtered<'a>>,
    /// The selected row; empty in a file without values.
    at: Way,
    /// The number of the first row on the screen.
    top: usize,
    pub(super) areas: Areas,
    pub(super) mode: Mode,
    pub(super) message: Option<Message>,
    pub(super) has_hex: bool,
    pub(super) changes: Changes,
    search: Option<Search<'a>>,
    wanted: String,
    marks: BTreeMap<char, Way>,
}

impl<'a> State<'a> {
    pub(super) fn new(file: &'a File<'a>) -> Self {
        let mut whole = Outline::new(Children::of_file(file.plain));
        // If the file has one value, it is unfolded.
        if whole.entry(&[1]).is_none() {
            whole.unfold(&[0]);
        }
        Self {
            file,
            whole,
            filtered: None,
            at: vec![0],
            top: 0,
            areas: Areas::default(),
            mode: Mode::Rows,
            message: None,
            has_hex: false,
            changes: Changes::default(),
            search: None,
            wanted: String::new(),
            marks: BTreeMap::new(),
        }
    }

    pub(super) const fn file(&self) -> &'a File<'a> {
        self.file
    }

    pub(super) fn filter(&self) -> Option<&str> {
        self.filtered.as_ref().map(|filtered| filtered.path.as_str())
    }

    pub(super) fn at(&self) -> &[usize] {
        &self.at
    }

    pub(super) const fn rows(&mut self) -> &mut Outline<'a> {
        match &mut self.filtered {
            Some(filtered) => &mut filtered.outline,
            None => &mut self.whole,
        }
    }

    /// The selected value; `None` if the row reports damage.
    pub(super) fn selected(&mut self) -> Option<Child<'a>> {
        let at = self.at.clone();
        self.rows().child(&at)
    }

    /// The frame and the path of the selected value.
    pub(super) fn path(&mut self) -> (u64, String) {
        let at = self.at.clone();
        let (mut piece, mut path) = (1, String::new());
        for child in self.rows().chain(&at) {
            match &child.label {
                Label::Piece(of) => piece = of.number,
                Label::Match { piece: of, path: head } => {
                    piece = (*of).max(1);
                    path.push_str(head);
                }
                _ => child.extend_path(&mut path),
            }
        }
        (piece, path)
    }

    pub(super) fn fit(&mut self, screen: Rect) {
        self.areas = Areas::of(screen, self.has_hex);
        let at = self.at.clone();
        let row = self.rows().row_of(&at);
        let height = usize::from(self.areas.rows.height).max(1);
        self.top = self.top.clamp(row.saturating_add(1).saturating_sub(height), row);
    }

    /// The rows on the screen.
    pub(super) fn visible(&mut self) -> Vec<Way> {
        let (top, height) = (self.top, self.areas.rows.height.into());
        self.rows().window(top, height)
    }

    pub(super) fn tell(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_error: false });
    }

    pub(super) fn fail(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_error: true });
    }

    /// Whether a search is not finished.
    pub(super) const fn is_busy(&self) -> bool {
        self.search.is_some()
    }

    /// Applies an event of the terminal.
    pub(super) fn handle(&mut self, event: &Event) -> Action {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            Event::Mouse(mouse) => {
                self.point(*mouse);
                Action::Nothing
            }
            Event::Paste(text) => {
                if let Mode::Line(_, line) = &mut self.mode {
                    line.insert(text);
                }
                Action::Nothing
            }
            _ => Action::Nothing,
        }
    }

    fn press(&mut self, key: KeyEvent) -> Action {
        match std::mem::replace(&mut self.mode, Mode::Rows) {
            Mode::Rows => {
                self.message = None;
                return command(key).map_or(Action::Nothing, |command| self.follow(command));
            }
            Mode::Line(purpose, line) => self.type_in(purpose, line, key),
            Mode::Help(line) => self.mode = helped(line, key),
            Mode::Mark => self.mark(key),
            Mode::Jump => self.jump(key),
            Mode::Leave => return left(key),
        }
        Action::Nothing
    }

    fn follow(&mut self, command: Command) -> Action {
        let page = isize::try_from(self.areas.rows.height).unwrap_or(1).max(2);
        match command {
            Command::Down => self.step(1),
            Command::Up => self.step(-1),
            Command::HalfDown => self.step(page / 2),
            Command::HalfUp => self.step((page / 2).saturating_neg()),
            Command::PageDown => self.step(page),
            Command::PageUp => self.step(page.saturating_neg()),
            Command::First => self.go_to_row(0),
            Command::Last => self.go_to_row(usize::MAX),
            Command::In => self.go_in(),
            Command::Out => self.go_out(),
            Command::Toggle => {
                self.toggle();
            }
            Command::Enter => {
                if !self.toggle() {
                    self.edit();
                }
            }
            Command::UnfoldAll => self.unfold_all(),
            Command::Fold => self.fold(),
            Command::Search => {
                let from = self.at.clone();
                self.mode = Mode::Line(Purpose::Search(from), Line::default());
            }
            Command::Again => self.search_on(true),
            Command::Back => self.search_on(false),
            Command::Filter => {
                let line = Line::new(self.filter().unwrap_or_default().to_owned());
                self.mode = Mode::Line(Purpose::Filter, line);
            }
            Command::Cancel => self.cancel(),
            Command::Hex => self.has_hex = !self.has_hex,
            Command::Edit => self.edit(),
            Command::Undo => match self.changes.undo() {
                Some(path) => self.tell(format!("taken back: {path}")),
                None => self.fail("nothing was changed"),
            },
            Command::CopyPath => return self.copy_path(),
            Command::CopyValue => return self.copy_value(),
            Command::Mark => self.mode = Mode::Mark,
            Command::Jump => self.mode = Mode::Jump,
            Command::Help => self.mode = Mode::Help(0),
            Command::Write if self.changes.all.is_empty() => self.fail("nothing was changed"),
            Command::Write => return Action::Write,
            Command::Quit if self.changes.all.is_empty() => return Action::Quit,
            Command::Quit => self.mode = Mode::Leave,
        }
        Action::Nothing
    }

    /// Moves by a number of rows.
    fn step(&mut self, by: isize) {
        let at = self.at.clone();
        let row = self.rows().row_of(&at);
        self.go_to_row(row.saturating_add_signed(by));
    }

    fn go_to_row(&mut self, row: usize) {
        if let Some(way) = self.rows().nearest(row) {
            self.at = way;
        }
    }

    fn go_in(&mut self) {
        let at = self.at.clone();
        if self.rows().is_open(&at) {
            return self.step(1);
        }
        self.rows().unfold(&at);
    }

    fn go_out(&mut self) {
        let at = self.at.clone();
        if self.rows().is_open(&at) {
            self.rows().fold(&at);
        } else if at.len() > 1 {
            self.at.pop();
        }
    }

    /// Folds or unfolds the selected row. Returns whether it has children.
    fn toggle(&mut self) -> bool {
        let at = self.at.clone();
        let is_open = self.rows().is_open(&at);
        if is_open {
            self.rows().fold(&at);
        }
        is_open || self.rows().unfold(&at)
    }

    fn unfold_all(&mut self) {
        let at = self.at.clone();
        if !self.rows().unfold_all(&at) {
            self.tell("too many to unfold; only the first ones are unfolded");
        }
    }

    fn fold(&mut self) {
        let at = self.at.clone();
        self.rows().fold(&at);
    }

    fn cancel(&mut self) {
        if self.search.take().is_some() {
            return;
        }
        if let Some(Filtered { back, .. }) = self.filtered.take() {
            self.at = back;
        }
    }

    fn mark(&mut self, key: KeyEvent) {
        let KeyCode::Char(letter) = key.code else { return };
        if self.filtered.is_some() {
            return self.fail("press esc first: marks need the rows of all values");
        }
        self.marks.insert(letter, self.at.clone());
        self.tell(format!("mark {}", letter.escape_debug()));
    }

    fn jump(&mut self, key: KeyEvent) {
        let KeyCode::Char(letter) = key.code else { return };
        match self.marks.get(&letter).cloned() {
            None => self.fail(format!("no mark {}", letter.escape_debug())),
            Some(way) => {
                self.cancel();
                self.reveal(way);
            }
        }
    }

    /// Selects a row and unfolds the containers around it.
    fn reveal(&mut self, way: Way) {
        if self.rows().reveal(&way) {
            self.at = way;
        }
    }
}

/// The action for the answer to the question whether to quit.
const fn left(key: KeyEvent) -> Action {
    match key.code {
        KeyCode::Char('y' | 'Y' | 'q') => Action::Quit,
        KeyCode::Char('w') => Action::Write,
        _ => Action::Nothing,
    }
}

/// Scrolls or closes the help.
fn helped(line: usize, key: KeyEvent) -> Mode {
    let by = match command(key) {
        Some(Command::Down) => 1,
        Some(Command::Up) => -1,
        Some(Command::PageDown | Command::HalfDown) => 5,
        Some(Command::PageUp | Command::HalfUp) => -5,
        _ => return Mode::Rows,
    };
    Mode::Help(line.saturating_add_signed(by).min(KEYS.len().saturating_sub(1)))
}
