//! [`Findings`]: the findings in one file.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use variant_view::{Document, Event, short_path};

use super::rule::Rule;
use super::value::check;
use crate::cli::SeverityArg;
use crate::trail::{Trail, start_of};
use variant_document::Piece;
use variant_document::count::grouped;
use variant_document::escape::neutral;
use variant_document::query::path_to;
use variant_document::schema::Breaches;
use variant_document::shape::Difference;

/// The place of a finding in its file.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// The offset in the decompressed and decrypted file.
    Byte(usize),
    /// The line of a text file, from 1.
    Line(u64),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(offset) => write!(f, "byte {}", grouped(*offset)),
            Self::Line(line) => write!(f, "line {line}"),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) rule: Rule,
    pub(super) at: At,
    /// The frame or setting, if the framing has frames or settings.
    pub(super) value: Option<String>,
    pub(super) path: String,
    pub(super) message: String,
    /// Facts that only findings of this rule have, as additional fields of the JSON and SARIF outputs.
    pub(super) details: Vec<(&'static str, Value)>,
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
    /// Whether the check of a value ended early, so that the counts are too low.
    pub(super) is_cut: bool,
}

impl Findings {
    pub(super) const fn new(limit: usize) -> Self {
        Self { limit, counts: BTreeMap::new(), kept: Vec::new(), is_cut: false }
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
            let (at, details) = (At::Byte(piece.absolute(offset)), Vec::new());
            self.kept.push(Finding { rule, at, value: value.clone(), path, message, details });
        }
    }

    /// Adds the values that break a schema.
    pub(super) fn add_breaches(&mut self, piece: &Piece<'_>, breaches: Breaches) {
        let rule = Rule::Schema;
        let listed = breaches.list.len();
        for breach in breaches.list {
            if self.count(rule) {
                let message = format!("{} ({})", breach.message, breach.schema_path);
                self.kept.push(Finding {
                    rule,
                    at: At::Byte(piece.absolute(breach.offset)),
                    value: piece.called(),
                    path: neutral(&short_path(&breach.path)),
                    message: neutral(&message),
                    details: vec![
                        ("keyword", breach.keyword.into()),
                        ("schema", breach.schema_path.into()),
                    ],
                });
            }
        }
        let count = self.counts.entry(rule).or_default();
        *count = count.saturating_add(breaches.count.saturating_sub(listed));
        self.is_cut |= breaches.is_cut;
        if *count == 0 {
            self.counts.remove(&rule);
        }
    }

    /// Adds a path whose values differ from those in a lock file.
    pub(super) fn add_difference(&mut self, difference: Difference) {
        let rule = Rule::of_change(difference.change);
        if self.count(rule) {
            let message = neutral(&difference.to_string());
            self.kept.push(Finding {
                rule,
                at: At::Line(difference.line.unwrap_or(1)),
                value: None,
                path: short_path(&difference.path).into_owned(),
                message,
                details: vec![
                    ("line", difference.line.into()),
                    ("before", difference.before.into()),
                    ("after", difference.after.into()),
                ],
            });
        }
    }

    /// Adds a finding about bytes outside of the values.
    pub(super) fn add(&mut self, rule: Rule, offset: usize, message: &str) {
        if self.count(rule) {
            let (path, message, at) = (String::new(), neutral(message), At::Byte(offset));
            self.kept.push(Finding { rule, at, value: None, path, message, details: Vec::new() });
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
    /// The next event, and the offset of its first byte. The path in `trail` does not include this event yet.
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
