//! [`Findings`]: the findings in one file.

use std::collections::BTreeMap;

use variant_view::{Document, Event, short_path};

use super::rule::Rule;
use super::value::check;
use crate::cli::SeverityArg;
use crate::trail::{Trail, start_of};
use variant_document::Piece;
use variant_document::escape::neutral;
use variant_document::query::path_to;

#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) rule: Rule,
    /// The offset in the decompressed and decrypted file.
    pub(super) offset: usize,
    /// The frame or setting, if the framing has frames or settings.
    pub(super) value: Option<String>,
    pub(super) path: String,
    pub(super) message: String,
}

impl Finding {
    /// The frame or setting as the start of a line; empty if there is none.
    pub(super) fn value(&self) -> String {
        self.value.as_ref().map(|value| format!("{value}: ")).unwrap_or_default()
    }
}

/// The findings of one file. All findings are counted. The first findings of each rule are kept.
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

    /// Adds the findings of one value. O(bytes).
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
            // A walk ends before a damaged value, so the path of damage is searched separately.
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

    /// The rules with findings that are not printed, and the numbers of these findings.
    pub(super) fn hidden(&self) -> impl Iterator<Item = (Rule, usize)> {
        let left = |(rule, count): (&Rule, &usize)| (*rule, count.saturating_sub(self.limit));
        self.counts.iter().map(left).filter(|(_, left)| *left > 0)
    }

    pub(super) fn worst(&self) -> Option<SeverityArg> {
        self.counts.keys().map(|rule| rule.severity()).max()
    }
}

/// Finds the paths of values at ascending offsets, in one walk over the document.
struct Paths<'a> {
    walker: variant_view::Walker<'a>,
    trail: Trail<'a>,
    /// The next event, and the offset of its first byte. The trail has not followed this event yet.
    next: Option<(Event<'a>, usize)>,
    text: Option<String>,
}

impl<'a> Paths<'a> {
    fn new(document: &Document<'a>) -> Self {
        let mut walker = document.walk();
        let next = next(&mut walker);
        Self { walker, trail: Trail::new(document.options().dialect), next, text: None }
    }

    /// The path of the value that contains the byte. The text is made once for each value.
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

/// The next event, and the offset of its first byte.
fn next<'a>(walker: &mut variant_view::Walker<'a>) -> Option<(Event<'a>, usize)> {
    let event = walker.next()?.ok()?;
    Some((event, start_of(&event)))
}
