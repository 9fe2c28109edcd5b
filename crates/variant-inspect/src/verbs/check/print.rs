//! [`Printer`]: verdicts and findings as text, JSON or a report.

use std::io;

use serde_json::{Map, Value, json};

use super::Checked;
use super::finding::{At, Finding, Findings};
use super::junit;
use super::markdown::Board;
use super::sarif;
use crate::cli::{CheckArgs, SeverityArg};
use crate::failure::{Failure, Status};
use crate::junit::Junit;
use crate::report::or_root;
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};

pub(super) struct Printer {
    form: Form,
    /// The least severity of a finding that makes a file invalid.
    fail_on: SeverityArg,
}

enum Form {
    Text,
    Json,
    /// The results of the files. They become one document at the end.
    Sarif(Vec<Value>),
    Junit(Junit),
    Markdown(Board),
}

impl Printer {
    pub(super) fn new(args: &CheckArgs) -> Self {
        let form = match args {
            CheckArgs { sarif: true, .. } => Form::Sarif(Vec::new()),
            CheckArgs { json: true, .. } => Form::Json,
            CheckArgs { junit: true, .. } => Form::Junit(Junit::new("check")),
            CheckArgs { markdown: true, .. } => Form::Markdown(Board::default()),
            _ => Form::Text,
        };
        Self { form, fail_on: args.fail_on.unwrap_or(SeverityArg::Error) }
    }

    /// Prints the verdict of a file, if it is not printed yet, and its findings. Returns the status of both.
    pub(super) fn file(
        &mut self,
        mut checked: Checked,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let worst = checked.findings.as_ref().and_then(Findings::worst);
        if worst.is_some_and(|worst| worst >= self.fail_on) {
            checked.status = checked.status.max(Status::Invalid);
        }
        let status = checked.status;
        match &mut self.form {
            Form::Text => text(&checked, terminal)?,
            Form::Json => object_lines(checked, terminal)?,
            Form::Sarif(results) => {
                let kept = checked.kept().iter();
                results.extend(kept.map(|finding| sarif::result(&checked.name, finding)));
            }
            Form::Junit(document) => {
                document.test(&junit::test(&checked, self.fail_on), terminal.out)?;
            }
            Form::Markdown(board) => board.file(&checked),
        }
        Ok(status)
    }

    pub(super) fn end(self, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        match self.form {
            Form::Text | Form::Json => {}
            Form::Sarif(results) => {
                writeln!(terminal.out, "{:#}", sarif::document(&results))?;
            }
            Form::Junit(junit) => junit.end(terminal.out)?,
            Form::Markdown(board) => board.print(terminal)?,
        }
        Ok(())
    }
}

fn text(checked: &Checked, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let Some(findings) = &checked.findings else { return Ok(()) };
    for finding in &findings.kept {
        line(&checked.name, finding, terminal)?;
    }
    sum_up(&checked.name, findings, terminal)?;
    Ok(())
}

fn object_lines(checked: Checked, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    for finding in checked.kept() {
        terminal.json(&object(&checked.name, finding))?;
    }
    let Some(mut line) = checked.verdict else { return Ok(()) };
    if let (Some(fields), Some(findings)) = (line.as_object_mut(), &checked.findings) {
        fields.extend(counts(findings));
    }
    terminal.json(&line)?;
    Ok(())
}

/// `save.dat: byte 1,234: warning dirty-padding: player.name: padding is not zero: 41 "A"`
fn line(name: &str, finding: &Finding, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let severity = finding.rule.severity();
    let style = terminal.palette().of(severity);
    let (value, path, message) = (finding.value(), or_root(&finding.path), &finding.message);
    let (at, severity, id) = (finding.at, severity.name(), finding.rule.id());
    writeln!(
        terminal.out,
        "{name}: {at}: {style}{severity}{style:#} {id}: {value}{path}: {message}"
    )
}

/// `save.dat: 1 error, 2 warnings, 3 notes; not shown: 1,900 wide-int`
fn sum_up(name: &str, findings: &Findings, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let count = |severity, noun| counted(findings.of(severity), noun);
    let errors = count(SeverityArg::Error, "error");
    let warnings = count(SeverityArg::Warning, "warning");
    let infos = count(SeverityArg::Info, "note");
    let hidden: Vec<_> =
        findings.hidden().map(|(rule, left)| format!("{} {}", grouped(left), rule.id())).collect();
    let what = if hidden.is_empty() { "" } else { "; not shown: " };
    let hidden = hidden.join(", ");
    let cut = if findings.is_cut { "; too many to count all" } else { "" };
    writeln!(terminal.out, "{name}: {errors}, {warnings}, {infos}{what}{hidden}{cut}")
}

fn object(name: &str, finding: &Finding) -> Value {
    let mut object = json!({
        "file": name,
        "severity": finding.rule.severity().name(),
        "rule": finding.rule.id(),
        "value": finding.value,
        "path": finding.path,
        "message": finding.message,
    });
    if let Some(fields) = object.as_object_mut() {
        if let At::Byte(offset) = finding.at {
            fields.insert("offset".to_owned(), json!(offset));
        }
        let details = finding.details.iter();
        fields.extend(details.map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    object
}

/// The number of findings of each severity, and for each rule the number of findings that are not printed.
fn counts(findings: &Findings) -> Map<String, Value> {
    let hidden = findings.hidden().map(|(rule, left)| (rule.id().to_owned(), json!(left)));
    let counts = [
        ("errors", json!(findings.of(SeverityArg::Error))),
        ("warnings", json!(findings.of(SeverityArg::Warning))),
        ("infos", json!(findings.of(SeverityArg::Info))),
        ("not_shown", Value::Object(hidden.collect())),
    ];
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}
