//! Reports of findings: text, JSON lines, `JUnit` and SARIF.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::game::with_save;
use super::search::Found;
use crate::cli::FuzzSaveArgs;
use crate::failure::Failure;
use crate::open::name;
use crate::output;
use crate::terminal::Terminal;
use crate::verbs::debug::{Findings, Run, project};
use variant_document::edit;
use variant_document::escape::neutral;
use variant_document::output::is_stdout;
use variant_view::Dialect;

/// Writes and prints what was found.
pub(super) struct Report<'r> {
    pub(super) args: &'r FuzzSaveArgs,
    pub(super) found: &'r [Found],
    /// The folder for the saves.
    pub(super) folder: &'r Path,
    /// The dialect that was given.
    pub(super) dialect: Option<Dialect>,
}

/// The folder for the saves of the findings.
pub(super) fn folder(args: &FuzzSaveArgs) -> PathBuf {
    args.output.clone().unwrap_or_else(|| {
        let mut name = args.save.file_name().unwrap_or("save".as_ref()).to_owned();
        name.push(".findings");
        name.into()
    })
}

impl Report<'_> {
    /// Writes the folder, prints the findings, and writes the reports of `--report`.
    pub(super) fn write(&self, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        // If the folder cannot be written, the findings are printed nevertheless.
        let written = match self.found {
            [] => Ok(()),
            _ => output::write_folder(self.folder, |folder| self.fill(folder)),
        };
        if written.is_ok() && !self.found.is_empty() {
            terminal.note(&format!("written to {}", name(self.folder)))?;
        }
        let is_shown = !self.args.report.iter().any(|report| is_stdout(&report.file));
        for (number, found) in (1..).zip(self.found).filter(|_| is_shown) {
            if self.args.json {
                terminal.json(&self.to_json(number, found))?;
            } else {
                write!(terminal.out, "{}", self.text(number, found))?;
            }
        }
        let mut findings = Findings::new(&[]);
        for (number, found) in (1..).zip(self.found) {
            findings.add(self.finding(number, found));
        }
        let words: Vec<_> = self.args.run.iter().map(|word| word.to_string_lossy()).collect();
        let name = name(&self.args.save);
        let run =
            Run { verb: "fuzz-save", name, project: project(&words), fail_on: self.args.fail_on };
        self.args.report.iter().try_for_each(|report| findings.write(report, &run, terminal))?;
        written
    }

    /// Fills the folder: a save for each finding, and the report.
    fn fill(&self, folder: &Path) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::io(format!("{}: cannot be written: {error}", name(self.folder)))
        };
        let mut report = String::new();
        for (number, found) in (1..).zip(self.found) {
            fs::write(folder.join(self.save_name(number)), &found.save.bytes).map_err(failed)?;
            report.push_str(&self.text(number, found));
        }
        fs::write(folder.join("report.txt"), report).map_err(failed)
    }

    fn save_name(&self, number: usize) -> String {
        let ending = self.args.save.extension().map(|ending| ending.to_string_lossy());
        format!("finding-{number}.{}", ending.as_deref().unwrap_or("save"))
    }

    /// A finding for people: what the game says, the changes, and how to run it again.
    fn text(&self, number: usize, found: &Found) -> String {
        let save = neutral(&self.save_name(number));
        let mut lines = vec![format!("{save}: {}", found.finding.line())];
        lines.extend(found.finding.stack.iter().map(|place| format!("  at {place}")));
        lines.extend(found.save.lines().iter().map(|line| format!("  {line}")));
        lines.extend(self.again(number).iter().map(|line| format!("  again: {}", neutral(line))));
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// The lines that say how to run the game with the save of a finding. A place that the command does not name is a line
    /// before the command.
    fn again(&self, number: usize) -> Vec<String> {
        let save = self.folder.join(self.save_name(number));
        let mut lines = Vec::new();
        if let Some(place) = &self.args.place {
            lines.push(format!("place {} as {} in the user data", name(&save), name(place)));
        }
        if let Some(folder) = &self.args.working {
            lines.push(format!("in the folder {}", name(folder)));
        }
        let mut words: Vec<_> = ["variant-inspect", "debug", "listen"].map(str::to_owned).into();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        option("--timeout", self.args.timeout.as_secs_f64().to_string());
        let until = self.args.until.as_ref().map(ToString::to_string);
        let each = self.args.each.map(|each| each.as_secs_f64().to_string());
        let version = self.args.engine_version.map(|version| version.to_string());
        let dialect = self.dialect.map(|dialect| dialect.to_string());
        for (name, value) in [
            ("--until", until),
            ("--for", each),
            ("--engine-version", version),
            ("--dialect", dialect),
        ] {
            if let Some(value) = value {
                option(name, value);
            }
        }
        words.push("--".to_owned());
        let command = with_save(&self.args.run, &save);
        words.extend(command.iter().map(|word| word.to_string_lossy().into_owned()));
        lines.push(shell_words::join(&words));
        lines
    }

    fn finding(&self, number: usize, found: &Found) -> crate::verbs::debug::Finding {
        let mut finding = found.finding.clone();
        let changes = found.save.lines().join("; ");
        finding.message = format!("{} [{}: {changes}]", finding.message, self.save_name(number));
        finding
    }

    fn to_json(&self, number: usize, found: &Found) -> Json {
        let mut object = found.finding.to_json();
        let edits = found.save.edits.iter().map(|change| {
            let edit::Change { called, path, before, after } = change;
            let called = called.as_ref().map_or_else(String::new, |called| format!("{called}: "));
            let path = format!("{called}{path}");
            json!({ "path": path, "before": before, "after": after })
        });
        let others = found.save.others.iter().map(|other| json!({ "other": other }));
        let changes: Vec<_> = edits.chain(others).collect();
        if let Some(fields) = object.as_object_mut() {
            fields.insert("save".to_owned(), self.save_name(number).into());
            fields.insert("changes".to_owned(), changes.into());
        }
        object
    }
}
