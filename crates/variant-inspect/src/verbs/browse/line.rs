//! [`Line`]: a line of text being typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use variant_document::escape::neutral;

/// The longest line, in bytes.
const MOST: usize = 64 << 10;

/// A line of text being typed: the text before the cursor, and the text after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    before: String,
    after: String,
}

impl Line {
    /// With the cursor at the end.
    pub(super) const fn new(text: String) -> Self {
        Self { before: text, after: String::new() }
    }

    pub(super) fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// Both sides of the cursor, without control characters.
    pub(super) fn shown(&self) -> [String; 2] {
        [neutral(&self.before), neutral(&self.after)]
    }

    pub(super) fn insert(&mut self, text: &str) {
        if self.before.len().saturating_add(text.len()) <= MOST {
            self.before.push_str(text);
        }
    }

    /// Follows a key. Returns whether the text was changed.
    pub(super) fn press(&mut self, key: KeyEvent) -> bool {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('a') if is_control => self.home(),
            KeyCode::Char('e') if is_control => self.end(),
            KeyCode::Char('u') if is_control => {
                self.before.clear();
                return true;
            }
            KeyCode::Char('w') if is_control => {
                let kept = self.before.trim_end().trim_end_matches(|c: char| c.is_alphanumeric());
                let kept = kept.len().min(self.before.len().saturating_sub(1));
                while self.before.len() > kept && self.before.pop().is_some() {}
                return true;
            }
            KeyCode::Char(c) if !is_control => {
                self.insert(c.encode_utf8(&mut [0; 4]));
                return true;
            }
            KeyCode::Backspace => return self.before.pop().is_some(),
            KeyCode::Delete => {
                let mut rest = self.after.chars();
                let is_some = rest.next().is_some();
                self.after = rest.as_str().to_owned();
                return is_some;
            }
            KeyCode::Left => {
                if let Some(c) = self.before.pop() {
                    self.after.insert(0, c);
                }
            }
            KeyCode::Right => {
                let mut rest = self.after.chars();
                self.before.extend(rest.next());
                self.after = rest.as_str().to_owned();
            }
            KeyCode::Home => self.home(),
            KeyCode::End => self.end(),
            _ => {}
        }
        false
    }

    fn home(&mut self) {
        self.after.insert_str(0, &self.before);
        self.before.clear();
    }

    fn end(&mut self) {
        self.before.push_str(&self.after);
        self.after.clear();
    }
}
