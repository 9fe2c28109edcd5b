//! [`Path`]: the way to a value, kept while walking.

use crate::key::engine_bytes;
use crate::text::Text;
use crate::tree::Place;
use crate::variant::Variant;

/// The way to the current value.
#[derive(Default)]
pub(crate) struct Path {
    text: String,
    /// Where the steps start in the text.
    steps: Vec<usize>,
    /// The last key of each open dictionary, in the form of a step.
    key: Option<String>,
}

impl Path {
    /// In the form that [`Document::at`](variant_view::Document::at) reads.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn enter(&mut self, place: Place<'_>, value: &Variant) {
        self.steps.push(self.text.len());
        let step = match place {
            Place::Root => return,
            Place::Element(index) => format!("[{index}]"),
            Place::Property(index, name) => {
                step_of_text(name).unwrap_or_else(|| format!("{{{index}}}"))
            }
            Place::Key(pair) => {
                self.key = step_of_key(value);
                format!("{{{pair}:key}}")
            }
            Place::Value(pair) => self.key.take().unwrap_or_else(|| format!("{{{pair}}}")),
        };
        let step = if self.text.is_empty() { step.trim_start_matches('.') } else { &step };
        self.text.push_str(step);
    }

    pub(crate) fn leave(&mut self) {
        self.text.truncate(self.steps.pop().unwrap_or(0));
    }
}

fn step_of_key(key: &Variant) -> Option<String> {
    match key {
        Variant::String(text) | Variant::StringName(text) => step_of_text(text),
        Variant::Int(number) => Some(format!("[{}]", number.value())),
        _ => None,
    }
}

/// What the engine reads of the text, if it can be shown; its position is the step otherwise.
fn step_of_text(text: &Text) -> Option<String> {
    let text = std::str::from_utf8(engine_bytes(text.as_bytes())).ok()?;
    if !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Some(format!(".{text}"));
    }
    let quote = if text.contains('"') { '\'' } else { '"' };
    let is_writable = !text.chars().any(|c| c == quote || is_invisible(c));
    is_writable.then(|| format!("[{quote}{text}{quote}]"))
}

/// Control characters, and those that change the order or the shape of others.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_cannot_be_shown_have_none() {
        let step = |text: &str| step_of_text(&text.into());
        assert_eq!(step("name").as_deref(), Some(".name"));
        assert_eq!(step("name\0rest").as_deref(), Some(".name"));
        assert_eq!(step("").as_deref(), Some("[\"\"]"));
        assert_eq!(step("a b").as_deref(), Some("[\"a b\"]"));
        assert_eq!(step("\"]").as_deref(), Some("['\"]']"));
        assert_eq!(step("\"'"), None);
        assert_eq!(step("\u{80}\0"), None);
        assert_eq!(step_of_text(&Text::from_bytes(b"\xff")), None);
    }
}
