//! [`Drift`]: changes of the shape from one file to the next, if all later files keep the new shape.

use std::collections::HashMap;
use std::io;

use serde_json::json;

use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;
use variant_document::shape::Type;

#[derive(Debug, Default)]
pub(super) struct Drift {
    files: Vec<String>,
    /// Each path, in the order of appearance, and its kinds in each file. `None` for a file without the path.
    places: Vec<(String, Vec<Option<String>>)>,
    numbers: HashMap<String, usize>,
}

struct Change<'d> {
    path: &'d str,
    before: Option<&'d str>,
    after: Option<&'d str>,
}

impl Drift {
    pub(super) fn add(&mut self, name: String, mut shape: Type) {
        shape.settle();
        let before = self.files.len();
        self.files.push(name);
        for place in shape.places() {
            let (kinds, path) = (place.to_kinds(), place.path);
            let number = *self.numbers.entry(path.clone()).or_insert_with(|| {
                self.places.push((path, vec![None; before]));
                self.places.len().saturating_sub(1)
            });
            if let Some((_, found)) = self.places.get_mut(number) {
                found.push(Some(kinds));
            }
        }
        for (_, found) in &mut self.places {
            found.resize(self.files.len(), None);
        }
    }

    /// Prints the changes. Returns whether there are changes.
    pub(super) fn print(&self, is_json: bool, terminal: &mut Terminal<'_>) -> io::Result<bool> {
        let mut has_changes = false;
        for (step, files) in self.files.windows(2).enumerate() {
            let [old, new] = files else { continue };
            let mut changes: Vec<_> = self.changes(step.saturating_add(1)).collect();
            // Removed paths come first.
            changes.sort_by_key(|change| change.after.is_some());
            has_changes |= !changes.is_empty();
            if is_json {
                let changes: Vec<_> = changes.iter().map(Change::json).collect();
                terminal.json(&json!({ "file": new, "before": old, "changes": changes }))?;
            } else {
                let verdict = if changes.is_empty() { "same shape" } else { "changes" };
                writeln!(terminal.out, "{old} -> {new}: {verdict}")?;
                changes.iter().try_for_each(|change| change.print(terminal))?;
            }
        }
        if !is_json {
            self.print_optional(terminal)?;
        }
        Ok(has_changes)
    }

    /// The paths whose kinds change at file number `at`. All earlier files have the same kinds. This file and all later
    /// files have different kinds.
    fn changes(&self, at: usize) -> impl Iterator<Item = Change<'_>> {
        self.places.iter().filter_map(move |(path, found)| {
            let (before, after) = found.split_at_checked(at)?;
            let (before, after) = (same(before)?, same(after)?);
            (before != after).then_some(Change { path, before, after })
        })
    }

    /// Prints the optional paths: those that appear and disappear more than once.
    fn print_optional(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        for (path, found) in &self.places {
            let has: Vec<_> = found.iter().map(Option::is_some).collect();
            let turns = has.windows(2).filter(|pair| matches!(pair, [a, b] if a != b)).count();
            if turns > 1 {
                let some = grouped(has.iter().filter(|has| **has).count());
                let all = counted(has.len(), "file");
                writeln!(terminal.out, "? {}: optional, in {some} of {all}", neutral(path))?;
            }
        }
        Ok(())
    }
}

/// The kinds of the values at a path, if they are the same in all these files. The inner option is `None` if all files
/// lack the path.
#[expect(clippy::option_option, reason = "outer: the same in all files; inner: present in them")]
fn same(found: &[Option<String>]) -> Option<Option<&str>> {
    let (first, rest) = found.split_first()?;
    rest.iter().all(|other| other == first).then_some(first.as_deref())
}

impl Change<'_> {
    fn json(&self) -> serde_json::Value {
        json!({ "path": self.path, "before": self.before, "after": self.after })
    }

    fn print(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let palette = terminal.palette();
        let Self { path, before, after } = self;
        let (mark, style, kinds) = match (before, after) {
            (Some(before), None) => ('-', palette.error, (*before).to_owned()),
            (None, Some(after)) => ('+', palette.good, (*after).to_owned()),
            (before, after) => {
                let [before, after] = [before, after].map(|kinds| kinds.unwrap_or_default());
                ('~', palette.key, format!("{before} -> {after}"))
            }
        };
        let line = neutral(&format!("{path}: {kinds}"));
        writeln!(terminal.out, "{style}{mark} {line}{style:#}")
    }
}
