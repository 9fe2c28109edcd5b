//! [`Findings`]: the findings of an audit in one file.

use std::collections::BTreeMap;

use variant_view::{Document, Event, Role, short_path};

use super::check::check;
use super::rule::Rule;
use crate::cli::SeverityArg;
use crate::trail::Trail;
use variant_document::Piece;
use variant_document::escape::neutral;
use variant_document::query::path_to;

/// One finding.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) rule: Rule,
    /// The offset in the file, inside its layers.
    pub(super) offset: usize,
    /// The frame or setting, if the file has such.
    pub(super) value: Option<String>,
    pub(super) path: String,
    pub(super) message: String,
}

/// The findings of one file. Counts all, and keeps the first ones of each rule.
#[derive(Debug)]
pub(super) struct Findings {
    limit: usize,
    pub(super) counts: BTreeMap<Rule, usize>,
    /// The findings to print, in the order of the file.
    pub(super) kept: Vec<Finding>,
}

impl Findings {
    pub(super) const fn new(limit: usize) -> Self {
        Self { limit, counts: BTreeMap::new(), kept: Vec::new() }
    }

    /// Adds what is found in one value. O(bytes).
    pub(super) fn add_piece(&mut self, piece: &Piece<'_>, document: &Document<'_>) {
        let mut fresh = Vec::new();
        check(document, &mut |rule, offset, message| {
            if self.count(rule) {
                fresh.push((rule, offset, neutral(&message())));
            }
        });
        fresh.sort_by_key(|(rule, offset, _)| (*offset, *rule));
        let value = piece.called();
        let mut paths = Paths::new(document);
        for (rule, offset, message) in fresh {
            // A walk ends before a damaged value.
            let damaged = (rule == Rule::Damaged).then(|| path_to(document, offset).ok()).flatten();
            let path = damaged.unwrap_or_else(|| paths.at(offset).to_owned());
            let path = neutral(&short_path(&path));
            let offset = piece.absolute(offset);
            self.kept.push(Finding { rule, offset, value: value.clone(), path, message });
        }
    }

    /// Adds a finding outside of values.
    pub(super) fn add(&mut self, rule: Rule, offset: usize, message: &str) {
        if self.count(rule) {
            let (path, message) = (String::new(), neutral(message));
            self.kept.push(Finding { rule, offset, value: None, path, message });
        }
    }

    /// Counts a finding. Returns whether to print it.
    fn count(&mut self, rule: Rule) -> bool {
        let count = self.counts.entry(rule).or_default();
        *count = count.saturating_add(1);
        *count <= self.limit
    }

    /// The number of findings of a severity.
    pub(super) fn of(&self, severity: SeverityArg) -> usize {
        let counts = self.counts.iter().filter(|(rule, _)| rule.severity() == severity);
        counts.fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// The rules with findings that are not printed, and the number of these.
    pub(super) fn hidden(&self) -> impl Iterator<Item = (Rule, usize)> {
        let left = |(rule, count): (&Rule, &usize)| (*rule, count.saturating_sub(self.limit));
        self.counts.iter().map(left).filter(|(_, left)| *left > 0)
    }

    pub(super) fn worst(&self) -> Option<SeverityArg> {
        self.counts.keys().map(|rule| rule.severity()).max()
    }
}

/// The paths of ascending offsets, in one walk.
struct Paths<'a> {
    walker: variant_view::Walker<'a>,
    trail: Trail<'a>,
    /// The event after the trail, which is not followed yet, and its first byte.
    next: Option<(Event<'a>, usize)>,
    text: Option<String>,
}

impl<'a> Paths<'a> {
    fn new(document: &Document<'a>) -> Self {
        let mut walker = document.walk();
        let next = next(&mut walker);
        Self { walker, trail: Trail::new(document.options().dialect), next, text: None }
    }

    /// The path of the value that holds the byte. Makes the text once for all bytes of a value.
    fn at(&mut self, offset: usize) -> &str {
        while let Some((event, start)) = self.next
            && start <= offset
        {
            self.trail.follow(&event);
            self.text = None;
            self.next = next(&mut self.walker);
        }
        self.text.get_or_insert_with(|| self.trail.text())
    }
}

/// The next event, and the first byte that belongs to it. The name of a property belongs to its value.
fn next<'a>(walker: &mut variant_view::Walker<'a>) -> Option<(Event<'a>, usize)> {
    let event = walker.next()?.ok()?;
    let start = match event {
        Event::Exit { end, .. } => end,
        Event::Enter(node) | Event::Leaf(node) => match node.role() {
            Role::Property(_, name) => name.offset().saturating_sub(4),
            _ => node.view.offset(),
        },
    };
    Some((event, start))
}
