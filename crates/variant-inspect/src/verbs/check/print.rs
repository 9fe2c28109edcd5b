//! [`Printer`]: findings as text, JSON or SARIF.

use std::fmt::Write as _;
use std::io;

use serde_json::{Map, Value, json};

use super::Verdict;
use super::finding::{Finding, Findings};
use super::rule::Rule;
use crate::cli::{CheckArgs, SeverityArg};
use crate::failure::{Failure, Status};
use crate::report::or_root;
use crate::style::Palette;
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
}

impl Printer {
    pub(super) fn new(args: &CheckArgs) -> Self {
        let form = match args {
            CheckArgs { sarif: true, .. } => Form::Sarif(Vec::new()),
            CheckArgs { json: true, .. } => Form::Json,
            _ => Form::Text,
        };
        Self { form, fail_on: args.fail_on.unwrap_or(SeverityArg::Error) }
    }

    /// Prints the verdict of a file, if it is not printed yet, and its findings. Returns the status of both.
    pub(super) fn file(
        &mut self,
        name: &str,
        (status, verdict): Verdict,
        findings: Option<&Findings>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let Some(findings) = findings else {
            if let Some(line) = verdict {
                terminal.json(&line)?;
            }
            return Ok(status);
        };
        match &mut self.form {
            Form::Text => {
                for finding in &findings.kept {
                    line(name, finding, terminal)?;
                }
                sum_up(name, findings, terminal)?;
            }
            Form::Json => {
                for finding in &findings.kept {
                    terminal.json(&object(name, finding))?;
                }
                let mut line = verdict.unwrap_or_default();
                if let Some(fields) = line.as_object_mut() {
                    fields.extend(counts(findings));
                }
                terminal.json(&line)?;
            }
            Form::Sarif(results) => {
                results.extend(findings.kept.iter().map(|finding| result(name, finding)));
            }
        }
        let is_failed = findings.worst().is_some_and(|worst| worst >= self.fail_on);
        Ok(if is_failed { Status::Invalid } else { status })
    }

    pub(super) fn end(self, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        if let Form::Sarif(results) = self.form {
            writeln!(terminal.out, "{:#}", sarif(&results))?;
        }
        Ok(())
    }
}

const fn name_of(severity: SeverityArg) -> &'static str {
    match severity {
        SeverityArg::Info => "info",
        SeverityArg::Warning => "warning",
        SeverityArg::Error => "error",
    }
}

/// `save.dat: byte 1,234: warning dirty-padding: player.name: padding is not zero: 41 "A"`
fn line(name: &str, finding: &Finding, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Palette { note, error, key, .. } = terminal.palette();
    let severity = finding.rule.severity();
    let style = match severity {
        SeverityArg::Info => note,
        SeverityArg::Warning => key,
        SeverityArg::Error => error,
    };
    let (value, path, message) = (finding.value(), or_root(&finding.path), &finding.message);
    let (at, severity, id) = (grouped(finding.offset), name_of(severity), finding.rule.id());
    writeln!(
        terminal.out,
        "{name}: byte {at}: {style}{severity}{style:#} {id}: {value}{path}: {message}"
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
    writeln!(terminal.out, "{name}: {errors}, {warnings}, {infos}{what}{hidden}")
}

fn object(name: &str, finding: &Finding) -> Value {
    json!({
        "file": name,
        "severity": name_of(finding.rule.severity()),
        "rule": finding.rule.id(),
        "value": finding.value,
        "path": finding.path,
        "offset": finding.offset,
        "message": finding.message,
    })
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

const fn level(severity: SeverityArg) -> &'static str {
    match severity {
        SeverityArg::Info => "note",
        other => name_of(other),
    }
}

fn result(name: &str, finding: &Finding) -> Value {
    let place = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(name) },
            "region": { "byteOffset": finding.offset, "byteLength": 0 },
        },
        "logicalLocations": [{ "fullyQualifiedName": or_root(&finding.path) }],
    });
    json!({
        "ruleId": finding.rule.id(),
        "level": level(finding.rule.severity()),
        "message": { "text": finding.value() + &finding.message },
        "locations": [place],
    })
}

/// Converts a file name to a relative URI reference, which SARIF requires.
fn uri(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

fn sarif(results: &[Value]) -> Value {
    let rule = |rule: &Rule| {
        json!({
            "id": rule.id(),
            "shortDescription": { "text": rule.help() },
            "defaultConfiguration": { "level": level(rule.severity()) },
        })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "variant-inspect",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": Rule::ALL.iter().map(rule).collect::<Vec<_>>(),
                },
            },
            "results": results,
        }],
    })
}
