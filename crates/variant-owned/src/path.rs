//! [`Path`]: the way to a value, kept while walking.

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
            Place::Property(name) => step_of_text(&name.to_str_lossy()),
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
        Variant::String(text) | Variant::StringName(text) => text.as_str().map(step_of_text),
        Variant::Int(number) => Some(format!("[{}]", number.value())),
        _ => None,
    }
}

fn step_of_text(text: &str) -> String {
    let is_bare = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_bare { format!(".{text}") } else { format!("[\"{text}\"]") }
}
