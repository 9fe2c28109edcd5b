//! [`Printer`]: differences as lines, of text or of JSON.

use anstyle::Style;
use serde_json::{Map, json};
use variant_document::Piece;
use variant_document::count::{counted, grouped};
use variant_document::diff::{Change, Difference, Side, Sink, Summary, Value};
use variant_document::escape::neutral;

use crate::cli::DiffArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

#[derive(Debug)]
pub(super) struct Printer<'p, 't> {
    args: &'p DiffArgs,
    /// The names of the old file and of the new file.
    names: (&'p str, &'p str),
    terminal: &'p mut Terminal<'t>,
}

impl<'a> Sink<'a> for Printer<'_, '_> {
    type Error = Failure;

    fn difference(&mut self, difference: Difference<'a>) -> Result<(), Failure> {
        if self.is_silent() {
            return Err(Failure::Told(Status::Invalid));
        }
        let Difference { piece, change } = difference;
        if self.args.json { self.json(&piece, &change) } else { self.text(&piece, &change) }
    }

    fn rest(&mut self, side: Side, _: Piece<'a>, bytes: usize) -> Result<(), Failure> {
        let name = if side == Side::Old { self.names.0 } else { self.names.1 };
        let rest = counted(bytes, "byte");
        self.terminal.note(&format!("{name}: {rest} after the value, which are not compared"))?;
        Ok(())
    }
}

impl<'p, 't> Printer<'p, 't> {
    pub(super) const fn new(
        args: &'p DiffArgs,
        names: (&'p str, &'p str),
        terminal: &'p mut Terminal<'t>,
    ) -> Self {
        Self { args, names, terminal }
    }

    /// Whether only the exit status reports the result.
    const fn is_silent(&self) -> bool {
        self.terminal.common.quiet && !self.args.json && self.args.limit.is_none()
    }

    fn text(&mut self, piece: &Piece<'_>, change: &Change<'_>) -> Result<(), Failure> {
        let palette = self.terminal.palette();
        let (red, green) = (palette.error, palette.good);
        match change {
            Change::Changed { old, new } => {
                self.start('~', palette.value, piece, &old.path)?;
                let [old, new] = [old, new].map(Value::literal);
                writeln!(self.terminal.out, ": {red}{old}{red:#} -> {green}{new}{green:#}")?;
            }
            Change::Removed(old) => {
                self.start('-', red, piece, &old.path)?;
                writeln!(self.terminal.out, " = {red}{}{red:#}", old.literal())?;
            }
            Change::Added(new) => {
                self.start('+', green, piece, &new.path)?;
                writeln!(self.terminal.out, " = {green}{}{green:#}", new.literal())?;
            }
            Change::Others { path, elements, ranges } => {
                self.start('~', palette.value, piece, path)?;
                let (elements, ranges) = (counted(*elements, "element"), counted(*ranges, "range"));
                writeln!(self.terminal.out, ": {elements} in {ranges} differ, too")?;
            }
            Change::Reordered { path } => {
                self.start('~', palette.value, piece, path)?;
                writeln!(self.terminal.out, ": in another order")?;
            }
        }
        Ok(())
    }

    /// Prints the sign of the change (`+`, `-` or `~`), the frame and the path.
    fn start(
        &mut self,
        mark: char,
        style: Style,
        piece: &Piece<'_>,
        path: &str,
    ) -> Result<(), Failure> {
        let (key, note) = (self.terminal.palette().key, self.terminal.palette().note);
        let out = &mut self.terminal.out;
        write!(out, "{style}{mark}{style:#} ")?;
        if let Some(called) = piece.called() {
            write!(out, "{note}{}:{note:#} ", neutral(&called))?;
        }
        write!(out, "{key}{}{key:#}", neutral(path))?;
        Ok(())
    }

    fn json(&mut self, piece: &Piece<'_>, change: &Change<'_>) -> Result<(), Failure> {
        let frame = piece.called().map(|_| piece.number);
        let line = match change {
            Change::Changed { old, new } => values("changed", frame, Some(old), Some(new)),
            Change::Removed(old) => values("removed", frame, Some(old), None),
            Change::Added(new) => values("added", frame, None, Some(new)),
            Change::Others { path, elements, ranges } => json!({
                "change": "changed",
                "frame": frame,
                "path": path,
                "elements": elements,
                "ranges": ranges,
            }),
            Change::Reordered { path } => json!({"change": "order", "frame": frame, "path": path}),
        };
        self.terminal.json(&line)?;
        Ok(())
    }

    /// Prints the last line: the number of differences of each kind.
    pub(super) fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        let Summary { changed, added, removed, reordered, .. } = *summary;
        if self.args.json {
            let line = json!({
                "changed": changed, "added": added, "removed": removed, "reordered": reordered,
            });
            self.terminal.json(&line)?;
            return Ok(());
        }
        let parts = [(changed, "changed"), (added, "added"), (removed, "removed")];
        let mut parts: Vec<_> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", grouped(count)))
            .collect();
        if reordered > 0 && !self.is_silent() {
            parts.push(format!("{} in another order", counted(reordered, "container")));
        }
        if parts.is_empty() {
            return Ok(());
        }
        let total = summary.total(self.args.order);
        let left_out = self.args.limit.and_then(|limit| total.checked_sub(limit));
        let left_out = left_out.filter(|left_out| *left_out > 0);
        let left_out = left_out.map(|n| format!("; {} not printed", grouped(n)));
        let note = self.terminal.palette().note;
        let parts = parts.join(", ");
        let left_out = left_out.unwrap_or_default();
        writeln!(self.terminal.out, "{note}{parts}{left_out}{note:#}")?;
        Ok(())
    }
}

/// The fields of a JSON object for the old value, the new value, or both.
fn values(
    change: &str,
    frame: Option<u64>,
    old: Option<&Value<'_>>,
    new: Option<&Value<'_>>,
) -> serde_json::Value {
    let mut line = Map::new();
    line.insert("change".to_owned(), change.into());
    if let Some(frame) = frame {
        line.insert("frame".to_owned(), frame.into());
    }
    let path = old.or(new).map(|value| value.path.as_str());
    let moved = new.map(|new| new.path.as_str()).filter(|new| path != Some(*new));
    line.insert("path".to_owned(), path.into());
    if let Some(moved) = moved {
        line.insert("path_after".to_owned(), moved.into());
    }
    for (value, when) in [(old, "before"), (new, "after")] {
        let Some(value) = value else { continue };
        line.insert(when.to_owned(), value.literal().into());
        line.insert(format!("kind_{when}"), value.view.kind().name().into());
        line.insert(format!("offset_{when}"), value.offset.into());
    }
    line.into()
}
