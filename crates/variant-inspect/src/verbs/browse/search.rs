//! [`Search`]: a text in keys and values, folded ones too, a slice of work at a time.

use regex::bytes::{Regex, RegexBuilder};
use variant_view::VariantView;

use super::outline::Way;
use variant_document::literal;
use variant_document::tree::{Child, text_of};
use variant_document::tree::{Children, Entry};

/// How many values are looked at before keys are read again.
const SLICE: usize = 5_000;

/// A walk over all values, folded or not.
#[derive(Debug)]
struct Walk<'a> {
    /// The open containers, and the child of each.
    levels: Vec<(Children<'a>, usize)>,
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pattern: Regex,
    walk: Walk<'a>,
    is_forward: bool,
    /// Where it began, and whether the end of the file lies between.
    origin: Way,
    is_wrapped: bool,
    /// Whether the row where it began counts.
    is_inclusive: bool,
}

/// What a slice of a search came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Found(Way),
    Nothing,
    More,
}

/// The pattern for a text; small letters stand for capital ones too.
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

    /// Whether the search has passed the end of the file.
    pub(super) const fn is_wrapped(&self) -> bool {
        self.is_wrapped
    }

    /// Searches on for a moment.
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

    /// Moves to the next value, around the end of the file once.
    fn advance(&mut self) -> bool {
        let is_moved = if self.is_forward { self.walk.next() } else { self.walk.back() };
        if !is_moved && (self.is_wrapped || !self.wrap()) {
            return false;
        }
        // Ways are in the order of the rows.
        let way = self.walk.way();
        let is_past = if self.is_forward { way > self.origin } else { way < self.origin };
        !(self.is_wrapped && is_past)
    }

    fn wrap(&mut self) -> bool {
        self.is_wrapped = true;
        self.walk.wrap(self.is_forward)
    }
}

impl<'a> Walk<'a> {
    /// At the row that a way leads to.
    fn to(top: Children<'a>, way: &[usize]) -> Self {
        let mut walk = Self { levels: vec![(top, 0)] };
        for (level, index) in way.iter().enumerate() {
            if level > 0 && !walk.enter() {
                break;
            }
            if let Some((_, at)) = walk.levels.last_mut() {
                *at = *index;
            }
        }
        walk
    }

    fn way(&self) -> Way {
        self.levels.iter().map(|(_, index)| *index).collect()
    }

    fn child(&mut self) -> Option<Child<'a>> {
        let (children, index) = self.levels.last_mut()?;
        match children.get(*index)? {
            Entry::Child(child) => Some(child),
            Entry::Damage(_) => None,
        }
    }

    fn enter(&mut self) -> bool {
        let inside = self.child().and_then(|child| Children::of(&child));
        let is_some = inside.is_some();
        self.levels.extend(inside.map(|children| (children, 0)));
        is_some
    }

    fn next(&mut self) -> bool {
        if self.enter() {
            return true;
        }
        while let Some((children, index)) = self.levels.last_mut() {
            let next = index.saturating_add(1);
            if children.get(next).is_some() {
                *index = next;
                return true;
            }
            if self.levels.len() == 1 {
                return false;
            }
            self.levels.pop();
        }
        false
    }

    fn back(&mut self) -> bool {
        let Some((_, index)) = self.levels.last_mut() else { return false };
        match index.checked_sub(1) {
            Some(before) => {
                *index = before;
                self.sink();
                true
            }
            None if self.levels.len() == 1 => false,
            None => self.levels.pop().is_some(),
        }
    }

    /// Moves to the last row below this one.
    fn sink(&mut self) {
        while self.enter() {
            if let Some((children, index)) = self.levels.last_mut()
                && let Some((last, _)) = children.last()
            {
                *index = last;
            }
        }
    }

    /// Moves to the first or the last row of all.
    fn wrap(&mut self, is_to_first: bool) -> bool {
        self.levels.truncate(1);
        let Some((children, index)) = self.levels.last_mut() else { return false };
        *index = 0;
        if !is_to_first {
            let Some((last, _)) = children.last() else { return false };
            *index = last;
            self.sink();
        }
        true
    }
}

/// Whether the name or the value has the pattern.
fn holds(child: &Child<'_>, pattern: &Regex) -> bool {
    if child.name().is_some_and(|name| pattern.is_match(name)) {
        return true;
    }
    let Ok(head) = child.spot.head() else { return false };
    if let Some(text) = text_of(&head.view) {
        return pattern.is_match(text);
    }
    if let VariantView::PackedStringArray(texts) = head.view {
        return texts.iter().any(|text| pattern.is_match(text.as_bytes()));
    }
    let mut text = String::new();
    literal::write(&mut text, &head.view);
    pattern.is_match(text.as_bytes())
}
