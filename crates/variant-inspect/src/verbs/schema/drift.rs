//! What changes from the shape of one file to that of the next.

use std::collections::{BTreeMap, HashSet};
use std::io;

use super::text::places;
use crate::terminal::Terminal;
use variant_document::escape::neutral;
use variant_document::shape::Type;

/// Prints the changes. Returns whether there are any.
pub(super) fn print(
    old_name: &str,
    old: &Type,
    new_name: &str,
    new: &Type,
    terminal: &mut Terminal<'_>,
) -> io::Result<bool> {
    let settled = |of: &Type| {
        let mut of = of.clone();
        of.settle();
        places(&of)
    };
    let (old, new) = (settled(old), settled(new));
    let was: BTreeMap<_, _> = old.iter().cloned().collect();
    let is: HashSet<_> = new.iter().map(|(path, _)| path).collect();
    let mut lines = Vec::new();
    for (path, kinds) in old.iter().filter(|(path, _)| !is.contains(path)) {
        lines.push(('-', format!("{path}: {kinds}")));
    }
    for (path, kinds) in &new {
        match was.get(path) {
            None => lines.push(('+', format!("{path}: {kinds}"))),
            Some(before) if before != kinds => {
                lines.push(('~', format!("{path}: {before} -> {kinds}")));
            }
            Some(_) => {}
        }
    }
    let palette = terminal.palette();
    let verdict = if lines.is_empty() { "same shape" } else { "changes" };
    writeln!(terminal.out, "{old_name} -> {new_name}: {verdict}")?;
    for (mark, line) in &lines {
        let style = match mark {
            '-' => palette.error,
            '+' => palette.good,
            _ => palette.key,
        };
        writeln!(terminal.out, "{style}{mark} {}{style:#}", neutral(line))?;
    }
    Ok(!lines.is_empty())
}
