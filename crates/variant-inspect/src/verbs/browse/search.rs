//! [`Search`]: finds a text in keys and values, including folded containers. A search works in slices.

use regex::bytes::{Regex, RegexBuilder};

use super::outline::Way;
use variant_document::literal;
use variant_document::tree::{Child, Children, Walk, text_of};

/// The number of values in a slice. The keyboard is read between slices.
const SLICE: usize = 5_000;

/// A search under way.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pattern: Regex,
    walk: Walk<'a>,
    is_forward: bool,
    /// The row at which the search started.
    origin: Way,
    /// Whether the search has passed the end of the file.
    is_wrapped: bool,
    /// Whether a match in `origin` counts.
    is_inclusive: bool,
}

/// The result of a slice of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Found(Way),
    Nothing,
    More,
}

/// The pattern for a text. A text without capital letters matches both cases.
pub(super) fn pattern(text: &str) -> Option<Regex> {
    let is_any_case = !text.chars().any(char::is_uppercase);
    RegexBuilder::new(&regex::escape(text)).case_insensitive(is_any_case).build().ok()
}

impl<'a> Search<'a> {
    pub(super) fn new(
        pattern: Regex,
        top: Children<'a>,
        from: &[usize],
        is_forward: bool,
        is_inclusive: bool,
    ) -> Self {
        let walk = Walk::to(top, from);
        Self { pattern, walk, is_forward, origin: from.to_vec(), is_wrapped: false, is_inclusive }
    }

    pub(super) const fn is_wrapped(&self) -> bool {
        self.is_wrapped
    }

    /// Continues the search for one slice.
    pub(super) fn run(&mut self) -> Progress {
        for _ in 0..SLICE {
            if !std::mem::take(&mut self.is_inclusive) && !self.advance() {
                return Progress::Nothing;
            }
            if self.walk.child().is_some_and(|child| holds(&child, &self.pattern)) {
                return Progress::Found(self.walk.way());
            }
        }
        Progress::More
    }

    /// Moves to the next value. At an end of the file, continues once at the other end.
    fn advance(&mut self) -> bool {
        let is_moved = if self.is_forward { self.walk.forth() } else { self.walk.back() };
        if !is_moved && (self.is_wrapped || !self.wrap()) {
            return false;
        }
        // The order of [`Way`]s is the order of the rows.
        let way = self.walk.way();
        let is_past = if self.is_forward { way > self.origin } else { way < self.origin };
        !(self.is_wrapped && is_past)
    }

    fn wrap(&mut self) -> bool {
        self.is_wrapped = true;
        self.walk.wrap(self.is_forward)
    }
}

/// Whether the name or the value matches the pattern.
fn holds(child: &Child<'_>, pattern: &Regex) -> bool {
    if child.name().is_some_and(|name| pattern.is_match(name)) {
        return true;
    }
    let Ok(view) = child.spot.view() else { return false };
    if let Some(text) = text_of(&view) {
        return pattern.is_match(text);
    }
    // The elements of a packed array are values themselves.
    if child.spot.elements().is_some_and(|elements| !elements.is_empty()) {
        return false;
    }
    let mut text = String::new();
    literal::write(&mut text, &view);
    pattern.is_match(text.as_bytes())
}
