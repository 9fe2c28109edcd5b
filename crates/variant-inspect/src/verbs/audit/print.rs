//! [`Printer`]: findings as text, JSON or SARIF.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value, json};

use super::finding::{Finding, Findings};
use super::rule::Rule;
use crate::cli::{AuditArgs, SeverityArg};
use crate::failure::Failure;
use crate::style::Palette;
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};

/// Prints file after file.
pub(super) struct Printer {
    form: Form,
}

enum Form {
    Text,
    Json,
    /// The results so far, which become one document in the end.
    Sarif(Vec<Value>),
}

impl Printer {
    pub(super) const fn new(args: &AuditArgs) -> Self {
        let form = match args {
            AuditArgs { sarif: true, .. } => Form::Sarif(Vec::new()),
            AuditArgs { json: true, .. } => Form::Json,
            _ => Form::Text,
        };
        Self { form }
    }

    /// Prints the findings of a file.
    pub(super) fn file(
        &mut self,
        name: &str,
        findings: &Findings,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
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
                terminal.json(&counts(name, findings))?;
            }
            Form::Sarif(results) => {
                results.extend(findings.kept.iter().map(|finding| result(name, finding)));
            }
        }
        Ok(())
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
    let value = finding.value.as_ref().map(|value| format!("{value}: ")).unwrap_or_default();
    let path = if finding.path.is_empty() { "(root)" } else { &finding.path };
    let (at, severity, id) = (grouped(finding.offset), name_of(severity), finding.rule.id());
    let message = &finding.message;
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
    let hidden = if hidden.is_empty() {
        String::new()
    } else {
        format!("; not shown: {}", hidden.join(", "))
    };
    writeln!(terminal.out, "{name}: {errors}, {warnings}, {infos}{hidden}")
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

/// The last line of a file: the number of findings of each severity, and of the findings of each rule that are not printed.
fn counts(name: &str, findings: &Findings) -> Value {
    let hidden = findings.hidden().map(|(rule, left)| (rule.id().to_owned(), json!(left)));
    json!({
        "file": name,
        "errors": findings.of(SeverityArg::Error),
        "warnings": findings.of(SeverityArg::Warning),
        "infos": findings.of(SeverityArg::Info),
        "not_shown": Value::Object(hidden.collect()),
    })
}

const fn level(severity: SeverityArg) -> &'static str {
    match severity {
        SeverityArg::Info => "note",
        SeverityArg::Warning => "warning",
        SeverityArg::Error => "error",
    }
}

fn result(name: &str, finding: &Finding) -> Value {
    let path = if finding.path.is_empty() { "(root)" } else { &finding.path };
    let place = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(name) },
            "region": { "byteOffset": finding.offset, "byteLength": 0 },
        },
        "logicalLocations": [{ "fullyQualifiedName": path }],
    });
    let value = finding.value.as_ref().map(|value| format!("{value}: ")).unwrap_or_default();
    json!({
        "ruleId": finding.rule.id(),
        "level": level(finding.rule.severity()),
        "message": { "text": format!("{value}{}", finding.message) },
        "locations": [place],
    })
}

/// A file name as the relative reference that SARIF wants.
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
