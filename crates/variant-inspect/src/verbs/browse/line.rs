//! [`Line`]: a line of text being typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

use variant_document::escape::neutral;

/// The longest line, in bytes.
const MOST: usize = 64 << 10;

/// A line of text being typed. It has a cursor.
#[derive(Clone, Debug, Default)]
pub(in crate::verbs) struct Line(Input);

impl Line {
    /// A line with this text, and the cursor at its end.
    pub(in crate::verbs) fn new(text: String) -> Self {
        Self(Input::new(text))
    }

    pub(in crate::verbs) fn text(&self) -> &str {
        self.0.value()
    }

    /// The text before the cursor, and the text after it.
    fn sides(&self) -> (&str, &str) {
        let text = self.text();
        let at = text.char_indices().nth(self.0.cursor()).map_or(text.len(), |(at, _)| at);
        text.split_at_checked(at).unwrap_or_default()
    }

    /// Both sides of the cursor, without control characters.
    pub(in crate::verbs) fn shown(&self) -> [String; 2] {
        let (before, after) = self.sides();
        [neutral(before), neutral(after)]
    }

    pub(in crate::verbs) fn insert(&mut self, text: &str) {
        if self.text().len().saturating_add(text.len()) <= MOST {
            let cursor = self.0.cursor().saturating_add(text.chars().count());
            let (before, after) = self.sides();
            self.0 = Input::new([before, text, after].concat()).with_cursor(cursor);
        }
    }

    /// Applies a key to the line. Returns whether the text was changed.
    pub(in crate::verbs) fn press(&mut self, key: KeyEvent) -> bool {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let request = match key.code {
            KeyCode::Char('a') if is_control => InputRequest::GoToStart,
            KeyCode::Char('e') if is_control => InputRequest::GoToEnd,
            KeyCode::Char('u') if is_control => InputRequest::DeleteFromStart,
            KeyCode::Char('w') if is_control => InputRequest::DeletePrevWord,
            KeyCode::Char(c) if !is_control => {
                self.insert(c.encode_utf8(&mut [0; 4]));
                return true;
            }
            KeyCode::Backspace => InputRequest::DeletePrevChar,
            KeyCode::Delete => InputRequest::DeleteNextChar,
            KeyCode::Left => InputRequest::GoToPrevChar,
            KeyCode::Right => InputRequest::GoToNextChar,
            KeyCode::Home => InputRequest::GoToStart,
            KeyCode::End => InputRequest::GoToEnd,
            _ => return false,
        };
        self.0.handle(request).is_some_and(|changed| changed.value)
    }
}
