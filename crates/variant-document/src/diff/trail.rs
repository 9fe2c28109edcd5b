//! [`Trail`]: the path of the compared items as text, built only for reports.

use std::fmt::Write as _;

use variant_view::{Dialect, Key, PathStep, VariantView, is_invisible, short_path, write_path};

use super::level::Place;
use crate::query::{KeyedStep, ROOT};

/// A path as text, and the end of each step in it. The common start of two consecutive paths is written once.
#[derive(Debug)]
pub(super) struct Trail {
    text: String,
    ends: Vec<usize>,
    /// The path of the value with which the comparison starts.
    start: String,
    /// The key that matches elements, as a step.
    by: Option<String>,
    dialect: Dialect,
}

impl Trail {
    pub(super) fn new(start: String, by: Option<&str>, dialect: Dialect) -> Self {
        let by = by.and_then(|by| {
            let mut step = String::new();
            let key = PathStep::of_key(Key::String(by.as_bytes()))?;
            write_path(&mut step, [key]).ok()?;
            Some(step)
        });
        Self { text: start.clone(), ends: Vec::new(), start, by, dialect }
    }

    /// Drops the steps from this level on. They lead to items that are no longer the current items.
    pub(super) fn cut(&mut self, level: usize) {
        if self.ends.len() > level {
            self.ends.truncate(level);
            let end = self.ends.last().copied().unwrap_or(self.start.len());
            self.text.truncate(end);
        }
    }

    /// The path through these places. O(1) plus the new steps.
    pub(super) fn path<'a>(&mut self, places: impl Iterator<Item = Place<'a>>) -> String {
        for place in places.skip(self.ends.len()) {
            self.push(&place);
            self.ends.push(self.text.len());
        }
        shown(&self.text)
    }

    fn push(&mut self, place: &Place<'_>) {
        let by = self.by.as_ref().zip(place.by.as_ref());
        if let Some((id, key)) = by.and_then(|(key, by)| Some((id_of(by)?, key))) {
            let _ = write!(self.text, "[?{key}=={id}]");
            return;
        }
        let key = place.other.filter(|_| !place.is_key);
        let step = match place {
            Place { is_key: true, position, .. } => PathStep::PositionKey(*position),
            Place { key: Some(key), position, .. } => {
                PathStep::of_key(*key).unwrap_or(PathStep::Position(*position))
            }
            Place { is_pair: true, position, .. } => PathStep::Position(*position),
            place => PathStep::Number(place.position.into()),
        };
        KeyedStep { step, key }.push_to(&mut self.text, self.dialect);
    }
}

/// The path in the form that reports print.
pub(super) fn shown(path: &str) -> String {
    if path.is_empty() { ROOT.to_owned() } else { short_path(path).into_owned() }
}

/// A value as a literal of a filter; `None` if filters cannot express it.
fn id_of(by: &VariantView<'_>) -> Option<String> {
    match by {
        VariantView::Int(int) => Some(int.value().to_string()),
        VariantView::Bool(bool) => Some(bool.value().to_string()),
        VariantView::String(text) | VariantView::StringName(text) => {
            let text = text.engine_text().ok()?;
            let is_plain = !text.chars().any(|c| is_invisible(c) || c == '"' || c == '\\');
            is_plain.then(|| format!("\"{text}\""))
        }
        _ => None,
    }
}
