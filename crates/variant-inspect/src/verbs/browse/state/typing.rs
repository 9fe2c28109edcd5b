//! Typed lines: searches, filters and changes.

use crossterm::event::{KeyCode, KeyEvent};
use variant_document::count::counted;
use variant_document::query::Query;
use variant_document::tree::{Child, Children, Label, Matches, matches};

use super::{Action, Filtered, Mode, Purpose, State};
use crate::verbs::browse::line::Line;
use crate::verbs::browse::outline::Outline;
use crate::verbs::browse::search::{Progress, Search, pattern};
use crate::verbs::browse::text;

/// The maximum number of values that a filter lists.
const MOST_MATCHES: usize = 100_000;

impl State<'_> {
    pub(super) fn type_in(&mut self, purpose: Purpose, mut line: Line, key: KeyEvent) {
        match key.code {
            KeyCode::Esc => {
                self.message = None;
                self.search = None;
                if let Purpose::Search(from) = purpose {
                    self.at = from;
                }
                return;
            }
            KeyCode::Enter => return self.finish(purpose, line),
            _ => {}
        }
        if line.press(key) {
            self.message = None;
            if let Purpose::Search(from) = &purpose {
                self.at.clone_from(from);
                line.text().clone_into(&mut self.wanted);
                self.seek(true, true);
            }
        }
        self.mode = Mode::Line(purpose, line);
    }

    /// Carries out a line that the user has finished.
    fn finish(&mut self, purpose: Purpose, line: Line) {
        self.message = None;
        let result = match purpose {
            Purpose::Search(_) => Ok(()),
            Purpose::Filter if line.text().is_empty() => {
                self.cancel();
                Ok(())
            }
            Purpose::Filter => self.filter_by(line.text()),
            Purpose::Edit => self.change(line.text()),
        };
        if let Err(why) = result {
            self.fail(why);
            self.mode = Mode::Line(purpose, line);
        }
    }

    /// Shows only the values that a path selects. O(bytes of the file).
    fn filter_by(&mut self, path: &str) -> Result<(), String> {
        let Matches { found, remark } =
            matches(self.file.plain, &Query::parse(path)?, MOST_MATCHES);
        if found.is_empty() {
            return Err(remark.unwrap_or_else(|| "nothing is selected".to_owned()));
        }
        let back = match self.filtered.take() {
            Some(filtered) => filtered.back,
            None => std::mem::take(&mut self.at),
        };
        let remark = remark.map(|remark| format!("; {remark}")).unwrap_or_default();
        self.tell(format!("{}{remark}", counted(found.len(), "value")));
        let outline = Outline::new(Children::known(found));
        self.filtered = Some(Filtered { path: path.to_owned(), outline, back });
        self.at = vec![0];
        Ok(())
    }

    /// Opens a line for typing, with the literal of the selected value.
    pub(super) fn edit(&mut self) {
        match self.editable() {
            Ok(text) => self.mode = Mode::Line(Purpose::Edit, Line::new(text)),
            Err(why) => self.fail(why),
        }
    }

    fn editable(&mut self) -> Result<String, String> {
        let child = self.selected().ok_or("this value is damaged")?;
        if child.spot.nesting > 0 {
            return Err("a value inside a byte array cannot be changed here".to_owned());
        }
        if matches!(child.label, Label::Key(_)) {
            return Err("a key cannot be changed here".to_owned());
        }
        let (_, items) = child.spot.head().map_err(|error| error.to_string())?;
        if items.is_some_and(|items| items > 0) {
            return Err("change the values inside".to_owned());
        }
        self.literal(&child, text::LINE)
    }

    /// The literal of a row's value: the changed value if there is one, otherwise the value in the file.
    fn literal(&self, child: &Child<'_>, most: usize) -> Result<String, String> {
        match self.changes.literal_at(child.spot.start) {
            Some(literal) => Ok(literal.to_owned()),
            None => text::of(&child.spot, most),
        }
    }

    fn change(&mut self, text: &str) -> Result<(), String> {
        let child = self.selected().ok_or("this value is damaged")?;
        let place = self.path();
        let kind = self.changes.push(place, child.spot.start, text, child.spot.options)?;
        let before = child.spot.view().map_or(kind, |view| view.kind());
        if before != kind {
            self.tell(format!("now {kind}, before {before}; the game may expect {before}"));
        }
        Ok(())
    }

    pub(super) fn copy_path(&mut self) -> Action {
        let (_, path) = self.path();
        self.tell("path copied");
        Action::Copy(path)
    }

    pub(super) fn copy_value(&mut self) -> Action {
        let Some(child) = self.selected() else { return Action::Nothing };
        match self.literal(&child, text::CLIPBOARD) {
            Ok(text) => {
                self.tell("value copied");
                Action::Copy(text)
            }
            Err(why) => {
                self.fail(why);
                Action::Nothing
            }
        }
    }

    pub(super) fn search_on(&mut self, is_forward: bool) {
        if self.wanted.is_empty() {
            return self.fail("nothing is searched; / starts a search");
        }
        self.seek(is_forward, false);
    }

    fn seek(&mut self, is_forward: bool, is_inclusive: bool) {
        let top = self.rows().top();
        let search = pattern(&self.wanted)
            .filter(|_| !self.wanted.is_empty())
            .map(|pattern| Search::new(pattern, top, &self.at, is_forward, is_inclusive));
        self.search = search;
    }

    /// Continues a search for one slice.
    pub(in crate::verbs::browse) fn work(&mut self) {
        let Some(search) = &mut self.search else { return };
        match search.run() {
            Progress::More => {}
            Progress::Found(way) => {
                if search.is_wrapped() {
                    self.tell("found around the end of the file");
                }
                self.search = None;
                self.reveal(way);
            }
            Progress::Nothing => {
                self.search = None;
                self.fail(format!("nothing has {}", self.wanted));
            }
        }
    }
}
