//! [`Findings`]: the errors and warnings of a game, and their reports.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use regex::Regex;
use serde_json::{Value, json};

use crate::cli::{FailOnArg, ReportArg, ReportForm, SeverityArg};
use crate::failure::Failure;
use crate::junit::{Fault, Junit, Test};
use crate::output;
use crate::rules::rules;
use crate::sarif;
use crate::terminal::{Terminal, json_line};
use variant_document::count::counted;
use variant_document::escape::neutral;

use SeverityArg::{Error, Info, Warning};

rules! {
    Script: Error, "script-error", "A script failed, and the engine stopped in it.";
    Engine: Error, "engine-error", "The engine or push_error reported an error.";
    Ended: Error, "exit-status", "The game ended with an exit status other than 0, or by a signal.";
    Missed: Error, "not-printed", "The game did not print the line of --until.";
    Late: Error, "timeout", "The game neither ended nor printed the line of --until in the time of --timeout.";
    Protocol: Error, "protocol", "The bytes are not those of an engine's debugger.";
    Warned: Warning, "warning", "The engine or push_warning reported a warning.";
    Lost: Warning, "messages-lost", "Messages of the game were left out, or cannot be read.";
    Printed: Info, "error-output", "The game printed a line to its error output.";
}

impl Rule {
    /// Whether a run fails on it.
    pub(crate) const fn fails(self, fail_on: FailOnArg) -> bool {
        match fail_on {
            FailOnArg::Warning => !matches!(self.severity(), Info),
            FailOnArg::Error => matches!(self.severity(), Error),
            FailOnArg::ScriptError => {
                matches!(self.severity(), Error) && !matches!(self, Self::Engine)
            }
        }
    }
}

/// A place in a script or in the engine's source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: i64,
    pub(crate) function: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [file, function] = [&self.file, &self.function].map(|text| neutral(text));
        if function.is_empty() {
            return write!(f, "{file}:{}", self.line);
        }
        write!(f, "{function} ({file}:{})", self.line)
    }
}

impl Place {
    pub(crate) fn to_json(&self) -> Value {
        json!({ "file": self.file, "line": self.line, "function": self.function })
    }
}

/// An error or a warning of a game.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) rule: Rule,
    pub(crate) time: Duration,
    pub(crate) message: String,
    /// The innermost place is the first. The engine's own place is the last.
    pub(crate) stack: Vec<Place>,
}

impl Finding {
    /// A finding without a stack. A long message is cut, since a game may send any number of them.
    pub(crate) fn new(rule: Rule, time: Duration, message: &str) -> Self {
        Self { rule, time, message: clipped(message, LONGEST), stack: Vec::new() }
    }

    /// The same finding with a stack, which is cut after some places.
    pub(crate) fn with_stack(self, mut stack: Vec<Place>) -> Self {
        stack.truncate(DEEPEST);
        Self { stack, ..self }
    }

    /// The innermost place in a script of the game, or else the first place.
    pub(crate) fn place(&self) -> Option<&Place> {
        let is_script = |place: &&Place| place.file.contains("://");
        self.stack.iter().find(is_script).or(self.stack.first())
    }

    /// The finding on a line.
    pub(crate) fn line(&self) -> String {
        let (severity, id) = (self.rule.severity().name(), self.rule.id());
        let place = self.place().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{place}{severity} {id}: {}", neutral(&self.message))
    }

    pub(crate) fn to_json(&self) -> Value {
        let stack: Vec<_> = self.stack.iter().map(Place::to_json).collect();
        let place = self.place().cloned().unwrap_or_default();
        json!({
            "type": "finding",
            "time": self.time.as_secs_f64(),
            "severity": self.rule.severity().name(),
            "rule": self.rule.id(),
            "message": self.message,
            "file": place.file,
            "line": place.line,
            "function": place.function,
            "stack": stack,
        })
    }
}

/// The longest message, in characters.
const LONGEST: usize = 4 << 10;

/// The maximum number of places of a stack.
const DEEPEST: usize = 64;

/// The maximum number of findings of a severity that are kept, so that infos do not hide errors. Further ones are
/// counted.
const KEPT: u64 = 1_000;

/// The findings of a run.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    /// The numbers of infos, warnings and errors.
    counts: [u64; 3],
    rules: BTreeSet<Rule>,
    ignored: Vec<Regex>,
}

impl Findings {
    pub(crate) fn new(ignored: &[Regex]) -> Self {
        Self { ignored: ignored.to_vec(), ..Self::default() }
    }

    /// Adds a finding, unless its text is ignored. Returns whether it counts.
    pub(crate) fn add(&mut self, finding: Finding) -> bool {
        if self.ignored.iter().any(|pattern| pattern.is_match(&finding.message)) {
            return false;
        }
        let [infos, warnings, errors] = &mut self.counts;
        let count = match finding.rule.severity() {
            Info => infos,
            Warning => warnings,
            Error => errors,
        };
        *count = count.saturating_add(1);
        self.rules.insert(finding.rule);
        if *count <= KEPT {
            self.kept.push(finding);
        }
        true
    }

    /// Makes the last finding of this text an error of a script: the engine reported it before it stopped.
    pub(crate) fn promote(&mut self, message: &str) {
        if self.ignored.iter().any(|pattern| pattern.is_match(message)) {
            return;
        }
        self.rules.insert(Rule::Script);
        let message = clipped(message, LONGEST);
        let is_same =
            |finding: &&mut Finding| finding.rule == Rule::Engine && finding.message == message;
        if let Some(finding) = self.kept.iter_mut().rev().find(is_same) {
            finding.rule = Rule::Script;
        }
    }

    /// The findings that are kept.
    pub(crate) fn into_kept(self) -> Vec<Finding> {
        self.kept
    }

    /// Whether the run fails.
    pub(crate) fn fail(&self, fail_on: FailOnArg) -> bool {
        self.rules.iter().any(|rule| rule.fails(fail_on))
    }

    /// The numbers of findings, such as `1 error, 2 warnings`.
    pub(crate) fn summary(&self) -> String {
        let [_, warnings, errors] = self.counts;
        format!("{}, {}", counted(errors, "error"), counted(warnings, "warning"))
    }

    pub(crate) fn counts_json(&self) -> Value {
        let [infos, warnings, errors] = self.counts;
        json!({ "type": "summary", "errors": errors, "warnings": warnings, "infos": infos })
    }

    /// Writes a report.
    pub(crate) fn write(
        &self,
        report: &ReportArg,
        run: &Run<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        output::write_with(&report.file, terminal, |out| {
            match report.form {
                ReportForm::Junit => {
                    let mut junit = Junit::new(run.verb);
                    junit.test(&self.test(run), out)?;
                    junit.end(out)?;
                }
                ReportForm::Sarif => writeln!(out, "{:#}", self.sarif(run))?,
                ReportForm::Json => {
                    for finding in &self.kept {
                        json_line(&finding.to_json(), out)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// The run as one test.
    fn test(&self, run: &Run<'_>) -> Test {
        let is_fault = |finding: &&Finding| finding.rule.fails(run.fail_on);
        let (faults, others): (Vec<_>, Vec<_>) = self.kept.iter().partition(is_fault);
        let kind = faults.first().map_or("", |finding| finding.rule.id());
        let failed: Vec<_> = faults.into_iter().flat_map(lines).collect();
        let fault = (!failed.is_empty()).then_some(Fault::Failure { kind, lines: failed });
        Test { name: run.name.clone(), fault, notes: others.into_iter().flat_map(lines).collect() }
    }

    fn sarif(&self, run: &Run<'_>) -> Value {
        let rules = Rule::ALL.iter();
        let rules = rules.map(|rule| sarif::rule(rule.id(), rule.help(), rule.severity()));
        let results: Vec<_> = self.kept.iter().map(|finding| result(finding, run)).collect();
        sarif::document(&rules.collect::<Vec<_>>(), &results)
    }
}

/// What reports say about a run.
#[derive(Debug)]
pub(crate) struct Run<'r> {
    /// The command that makes the report.
    pub(crate) verb: &'static str,
    pub(crate) name: String,
    /// The folder of the project, which replaces `res://` in file names; empty if not known.
    pub(crate) project: &'r str,
    pub(crate) fail_on: FailOnArg,
}

/// The start of a text, at most this number of characters.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// A finding and its stack.
fn lines(finding: &Finding) -> Vec<String> {
    let stack = finding.stack.iter().map(|place| format!("  at {place}"));
    std::iter::once(finding.line()).chain(stack).collect()
}

fn result(finding: &Finding, run: &Run<'_>) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "level": sarif::level(finding.rule.severity()),
        "message": { "text": neutral(&finding.message) },
    });
    let place = finding.place().filter(|place| place.file.starts_with("res://"));
    if let (Some(place), Some(fields)) = (place, result.as_object_mut()) {
        let inner = place.file.trim_start_matches("res://");
        let file = match run.project.trim_end_matches('/') {
            "" => inner.to_owned(),
            project => format!("{project}/{inner}"),
        };
        let region = json!({ "startLine": place.line.max(1) });
        let locations = json!([sarif::place(&file, &region, &neutral(&place.function))]);
        fields.insert("locations".to_owned(), locations);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(all: &[(Rule, &str)], ignored: &[Regex]) -> Findings {
        let mut findings = Findings::new(ignored);
        for (rule, message) in all {
            findings.add(Finding::new(*rule, Duration::ZERO, message));
        }
        findings
    }

    #[test]
    fn infos_do_not_hide_an_error() {
        let mut all = vec![(Rule::Printed, "a line"); 1_001];
        all.push((Rule::Engine, "the door is locked"));
        let findings = found(&all, &[]);
        let run =
            Run { verb: "debug", name: "game".to_owned(), project: "", fail_on: FailOnArg::Error };
        assert!(findings.test(&run).fault.is_some());
        assert_eq!(findings.kept.len(), 1_001);
    }

    #[test]
    fn a_promoted_error_fails_as_one_of_a_script_unless_it_is_ignored() {
        let all = [(Rule::Engine, "no open"), (Rule::Engine, "other")];
        let mut findings = found(&all, &[]);
        assert!(!findings.fail(FailOnArg::ScriptError));
        findings.promote("no open");
        assert!(findings.fail(FailOnArg::ScriptError));
        let rules: Vec<_> = findings.kept.iter().map(|finding| finding.rule).collect();
        assert_eq!(rules, [Rule::Script, Rule::Engine]);
        let mut ignored = found(&all, &[Regex::new("open").unwrap()]);
        ignored.promote("no open");
        assert!(!ignored.fail(FailOnArg::ScriptError));
    }
}
