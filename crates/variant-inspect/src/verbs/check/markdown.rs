//! [`Board`]: a table in Markdown for a comment on a change, with the worst findings first.

use std::fmt::Write as _;
use std::io;

use super::Checked;
use super::finding::{Finding, Findings};
use super::junit::damage;
use crate::cli::SeverityArg;
use crate::failure::Status;
use crate::report::or_root;
use crate::terminal::Terminal;
use variant_document::count::counted;

/// The greatest length of the table, in characters: hosts refuse a comment of more than 65,536 characters, and the user
/// may add a line.
const LONGEST: usize = 65_000;

/// The length that is kept for the lines around the table.
const AROUND: usize = 1_000;

/// The longest text of a cell, in characters before they are escaped.
const CELL: usize = 300;

#[derive(Debug, Default)]
pub(super) struct Board {
    files: usize,
    failed: usize,
    /// The rows of each severity, from error to info.
    errors: Rows,
    warnings: Rows,
    infos: Rows,
}

/// The first rows, up to a total length. Further rows are only counted.
#[derive(Debug, Default)]
struct Rows {
    count: usize,
    kept: Vec<String>,
    len: usize,
}

impl Rows {
    fn add(&mut self, row: impl FnOnce() -> String) {
        self.count = self.count.saturating_add(1);
        if self.len < LONGEST {
            let row = row();
            self.len = self.len.saturating_add(row.chars().count());
            self.kept.push(row);
        }
    }
}

impl Board {
    pub(super) fn file(&mut self, checked: &Checked) {
        self.files = self.files.saturating_add(usize::from(!checked.is_lock));
        let is_failed = !checked.is_lock && checked.status != Status::Fine;
        self.failed = self.failed.saturating_add(usize::from(is_failed));
        let name = &checked.name;
        if let Some(message) = &checked.unread {
            self.errors.add(|| row(name, "", "unread", message));
        }
        if let Some(message) = damage(checked) {
            self.errors.add(|| row(name, "", "damaged", &message));
        }
        for finding in checked.kept() {
            let rows = match finding.rule.severity() {
                SeverityArg::Error => &mut self.errors,
                SeverityArg::Warning => &mut self.warnings,
                SeverityArg::Info => &mut self.infos,
            };
            rows.add(|| of_finding(name, finding));
        }
        for (rule, left) in checked.findings.iter().flat_map(Findings::hidden) {
            let rows = match rule.severity() {
                SeverityArg::Error => &mut self.errors,
                SeverityArg::Warning => &mut self.warnings,
                SeverityArg::Info => &mut self.infos,
            };
            rows.count = rows.count.saturating_add(left);
        }
    }

    pub(super) fn print(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let all = [&self.errors, &self.warnings, &self.infos];
        let [errors, warnings, infos] = all.map(|rows| rows.count);
        let (files, failed) = (counted(self.files, "file"), self.failed);
        writeln!(terminal.out, "**variant-inspect check**: {files}, {failed} failed\n")?;
        let counts = [(errors, "error"), (warnings, "warning"), (infos, "note")];
        let counts = counts.map(|(count, noun)| counted(count, noun));
        writeln!(terminal.out, "{}.", counts.join(", "))?;
        let mut left = LONGEST.saturating_sub(AROUND);
        let rows = all.into_iter().flat_map(|rows| &rows.kept);
        let rows: Vec<_> = rows
            .map_while(|row| {
                left = left.checked_sub(row.chars().count())?;
                Some(row.as_str())
            })
            .collect();
        if !rows.is_empty() {
            let head = "\n| file | place | rule | finding |\n|---|---|---|---|";
            writeln!(terminal.out, "{head}\n{}", rows.join("\n"))?;
        }
        let found = errors.saturating_add(warnings).saturating_add(infos);
        let hidden = found.saturating_sub(rows.len());
        if hidden > 0 {
            writeln!(terminal.out, "\n{} not shown.", counted(hidden, "finding"))?;
        }
        Ok(())
    }
}

fn of_finding(name: &str, finding: &Finding) -> String {
    let Finding { rule, at, path, message, .. } = finding;
    let place = format!("{}{}, {at}", finding.value(), or_root(path));
    row(name, &place, rule.id(), message)
}

fn row(name: &str, place: &str, rule: &str, message: &str) -> String {
    let [name, place, message] = [name, place, message].map(cell);
    format!("| {name} | {place} | {rule} | {message} |")
}

/// The text of a cell, as code, because hosts link names such as `@user` in other text. Characters that Markdown or HTML
/// may read as more than text are written as numbers.
fn cell(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut out = "<code>".to_owned();
    for c in text.chars().take(CELL) {
        if c.is_alphanumeric() || " .,:;/()'-\"=".contains(c) {
            out.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "&#{};", u32::from(c));
        }
    }
    if text.chars().nth(CELL).is_some() {
        out.push_str("...");
    }
    out + "</code>"
}
