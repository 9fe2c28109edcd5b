//! [`Changes`]: differences, printed and counted.

use std::ops::Range;

use anstyle::Style;
use serde_json::{Map, json};
use variant_view::VariantView;

use super::regions::{Region, Regions};
use crate::cli::DiffArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;
use variant_document::literal;

/// A value that is told: its path, its offset in the file and itself.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) path: String,
    pub(super) offset: usize,
    pub(super) view: VariantView<'a>,
}

/// The differences so far.
#[derive(Debug)]
pub(super) struct Changes<'c> {
    args: &'c DiffArgs,
    changed: u64,
    added: u64,
    removed: u64,
    /// The containers in which only the order differs.
    reordered: u64,
    /// The frame or setting.
    pub(super) frame: Option<(String, u64)>,
}

/// One line.
struct Line<'l, 'a> {
    old: Option<&'l Told<'a>>,
    new: Option<&'l Told<'a>>,
    /// Elements of packed arrays.
    region: Option<&'l Region>,
}

impl<'c> Changes<'c> {
    pub(super) const fn new(args: &'c DiffArgs) -> Self {
        Self { args, changed: 0, added: 0, removed: 0, reordered: 0, frame: None }
    }

    const fn total(&self) -> u64 {
        let total = self.changed.saturating_add(self.added).saturating_add(self.removed);
        if self.args.order { total.saturating_add(self.reordered) } else { total }
    }

    pub(super) const fn status(&self) -> Status {
        if self.total() == 0 { Status::Fine } else { Status::Invalid }
    }

    /// Whether the next difference is only counted.
    pub(super) fn is_full(&self) -> bool {
        self.args.limit.is_some_and(|limit| self.total() >= limit)
    }

    /// Counts a difference: whether it is to be printed.
    pub(super) fn count(&mut self, has_old: bool, has_new: bool) -> Result<bool, Failure> {
        if self.args.quiet {
            return Err(Failure::Told(Status::Invalid));
        }
        let is_printed = !self.is_full();
        let count = match (has_old, has_new) {
            (true, true) => &mut self.changed,
            (true, false) => &mut self.removed,
            _ => &mut self.added,
        };
        *count = count.saturating_add(1);
        Ok(is_printed)
    }

    /// A value that is in one file only, or differs.
    pub(super) fn tell(
        &mut self,
        old: Option<&Told<'_>>,
        new: Option<&Told<'_>>,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        if self.count(old.is_some(), new.is_some())? {
            self.print(&Line { old, new, region: None }, terminal)?;
        }
        Ok(())
    }

    /// Elements of packed arrays that differ.
    pub(super) fn tell_regions(
        &mut self,
        old: &Told<'_>,
        new: &Told<'_>,
        regions: &Regions,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        for region in &regions.first {
            if self.count(!region.old.is_empty(), !region.new.is_empty())? {
                self.print(
                    &Line { old: Some(old), new: Some(new), region: Some(region) },
                    terminal,
                )?;
            }
        }
        if regions.others > 0 {
            let is_printed = !self.is_full();
            self.changed = self.changed.saturating_add(regions.others);
            if is_printed {
                self.print_others(old, regions, terminal)?;
            }
        }
        Ok(())
    }

    /// A container in which the order differs.
    pub(super) fn reordered(
        &mut self,
        told: impl FnOnce() -> String,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        if !self.args.order {
            self.reordered = self.reordered.saturating_add(1);
            return Ok(());
        }
        if self.args.quiet {
            return Err(Failure::Told(Status::Invalid));
        }
        let is_printed = !self.is_full();
        self.reordered = self.reordered.saturating_add(1);
        if is_printed {
            let path = told();
            if self.args.json {
                let line = json!({"change": "order", "frame": self.number(), "path": path});
                terminal.json(&line)?;
            } else {
                self.start('~', terminal.palette().value, &path, terminal)?;
                writeln!(terminal.out, ": in another order")?;
            }
        }
        Ok(())
    }

    fn number(&self) -> Option<u64> {
        self.frame.as_ref().map(|frame| frame.1)
    }

    /// The mark, the frame and the path.
    fn start(
        &self,
        mark: char,
        style: Style,
        path: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let (key, note) = (terminal.palette().key, terminal.palette().note);
        write!(terminal.out, "{style}{mark}{style:#} ")?;
        if let Some((called, _)) = &self.frame {
            write!(terminal.out, "{note}{}:{note:#} ", neutral(called))?;
        }
        write!(terminal.out, "{key}{}{key:#}", neutral(path))?;
        Ok(())
    }

    fn print(&self, line: &Line<'_, '_>, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        let [old, new] = [line.old, line.new];
        let old = old.map(|told| Shown::of(told, line.region.map(|region| &region.old)));
        let new = new.map(|told| Shown::of(told, line.region.map(|region| &region.new)));
        let is_there = |shown: &Shown<'_, '_>| shown.range.is_none_or(|range| !range.is_empty());
        let [old, new] = [old, new].map(|shown| shown.filter(is_there));
        if self.args.json {
            return self.print_json(old.as_ref(), new.as_ref(), terminal);
        }
        let palette = terminal.palette();
        match (&old, &new) {
            (Some(old), Some(new)) => {
                self.start('~', palette.value, &old.path(), terminal)?;
                let (red, green) = (palette.error, palette.good);
                let [old, new] = [old, new].map(|shown| shown.literal.as_str());
                writeln!(terminal.out, ": {red}{old}{red:#} -> {green}{new}{green:#}")?;
            }
            (Some(old), None) => {
                self.start('-', palette.error, &old.path(), terminal)?;
                let red = palette.error;
                writeln!(terminal.out, " = {red}{}{red:#}", old.literal)?;
            }
            (None, Some(new)) => {
                self.start('+', palette.good, &new.path(), terminal)?;
                let green = palette.good;
                writeln!(terminal.out, " = {green}{}{green:#}", new.literal)?;
            }
            (None, None) => {}
        }
        Ok(())
    }

    fn print_json(
        &self,
        old: Option<&Shown<'_, '_>>,
        new: Option<&Shown<'_, '_>>,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let change = match (old, new) {
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
            _ => "added",
        };
        let mut line = Map::new();
        line.insert("change".to_owned(), change.into());
        if let Some(number) = self.number() {
            line.insert("frame".to_owned(), number.into());
        }
        let path = old.or(new).map(Shown::path);
        let moved = new.map(Shown::path).filter(|new| path.as_ref() != Some(new));
        line.insert("path".to_owned(), path.into());
        if let Some(moved) = moved {
            line.insert("path_after".to_owned(), moved.into());
        }
        for (shown, when) in [(old, "before"), (new, "after")] {
            let Some(shown) = shown else { continue };
            line.insert(when.to_owned(), shown.literal.as_str().into());
            line.insert(format!("kind_{when}"), shown.told.view.kind().name().into());
            line.insert(format!("offset_{when}"), shown.told.offset.into());
        }
        terminal.json(&serde_json::Value::Object(line))?;
        Ok(())
    }

    /// The rest of the regions of an array, in one line.
    fn print_others(
        &self,
        old: &Told<'_>,
        regions: &Regions,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let path = path_of(&old.path, &regions.within);
        if self.args.json {
            let line = json!({
                "change": "changed",
                "frame": self.number(),
                "path": path,
                "elements": regions.elements,
                "ranges": regions.others,
            });
            terminal.json(&line)?;
            return Ok(());
        }
        self.start('~', terminal.palette().value, &path, terminal)?;
        let elements = counted(regions.elements, "element");
        let ranges = counted(regions.others, "range");
        writeln!(terminal.out, ": {elements} in {ranges} differ, too")?;
        Ok(())
    }

    /// The last line: how many there are of each.
    pub(super) fn finish(&self, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        let Self { changed, added, removed, reordered, .. } = *self;
        if self.args.json {
            let line = json!({
                "changed": changed, "added": added, "removed": removed, "reordered": reordered,
            });
            terminal.json(&line)?;
            return Ok(());
        }
        let parts = [(changed, "changed"), (added, "added"), (removed, "removed")];
        let mut parts: Vec<_> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", grouped(count)))
            .collect();
        if reordered > 0 && !self.args.quiet {
            parts.push(format!("{} in another order", counted(reordered, "container")));
        }
        if parts.is_empty() {
            return Ok(());
        }
        let left_out = self.args.limit.and_then(|limit| self.total().checked_sub(limit));
        let left_out = left_out.filter(|left_out| *left_out > 0);
        let left_out = left_out.map(|n| format!("; {} not printed", grouped(n)));
        let note = terminal.palette().note;
        let parts = parts.join(", ");
        writeln!(terminal.out, "{note}{parts}{}{note:#}", left_out.unwrap_or_default())?;
        Ok(())
    }
}

/// A value or its elements as a literal.
struct Shown<'s, 'a> {
    told: &'s Told<'a>,
    range: Option<&'s Range<usize>>,
    literal: String,
}

impl<'s, 'a> Shown<'s, 'a> {
    fn of(told: &'s Told<'a>, range: Option<&'s Range<usize>>) -> Self {
        let mut literal = String::new();
        match range {
            Some(range) => literal::write_elements(&mut literal, &told.view, range.clone()),
            None => literal::write(&mut literal, &told.view),
        }
        Self { told, range, literal }
    }

    fn path(&self) -> String {
        self.range.map_or_else(|| self.told.path.clone(), |range| path_of(&self.told.path, range))
    }
}

/// The path of elements of a packed array, as paths write slices.
fn path_of(array: &str, range: &Range<usize>) -> String {
    let array = if array == "(root)" { "" } else { array };
    match range.len() {
        1 => format!("{array}[{}]", range.start),
        _ => format!("{array}[{}:{}]", range.start, range.end),
    }
}
