//! [`Log`]: prints what a game says, as text or as JSON lines, and collects its errors.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use regex::Regex;
use serde_json::{Value as Json, json};
use variant_debugger::{Error, ErrorReport, Event, Line, LineKind, Message, Stop};

use super::finding::{Finding, Findings, Place, Rule, clipped};
use super::link::Heard;
use super::shown;
use crate::style::Palette;
use crate::terminal::Terminal;
use variant_document::count::counted;
use variant_document::escape::neutral;

/// The number of lines of output that an order `until` may match afterwards.
const RECENT: usize = 1_000;

/// The longest of these lines, in characters.
const WIDTH: usize = 1_000;

/// The number of messages that cannot be read and are printed.
const NOTED: u64 = 10;

/// The longest reason of a stop, in characters.
const REASON: usize = 4 << 10;

/// Prints messages of a game.
#[derive(Debug)]
pub(super) struct Log {
    /// Prints JSON lines instead of text.
    pub(super) is_json: bool,
    /// Whether output, errors and stops are printed. Errors are always collected.
    pub(super) is_shown: bool,
    /// Whether stops are printed.
    pub(super) shows_stops: bool,
    pub(super) findings: Findings,
    /// The last lines of output since the beginning of an order, for the order `until`.
    pub(super) recent: VecDeque<String>,
    /// The text of the last error, which Godot 4.5 and later sends before it stops at the error.
    last_error: String,
    /// The reason of the last stop.
    last_stop: String,
    /// The error of the stop that was reported last.
    told: String,
    /// The number of messages that could not be read.
    faults: u64,
}

impl Log {
    pub(super) fn new(is_json: bool, is_shown: bool, ignored: &[Regex]) -> Self {
        Self {
            is_json,
            is_shown,
            shows_stops: is_shown,
            findings: Findings::new(ignored),
            recent: VecDeque::new(),
            last_error: String::new(),
            last_stop: String::new(),
            told: String::new(),
            faults: 0,
        }
    }

    /// Prints a message, if it is one that people follow. Returns it, unless it cannot be read.
    pub(super) fn heard<'e, 'm>(
        &mut self,
        heard: Heard<'e, 'm>,
        time: Duration,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<Option<&'e Event<'m>>> {
        match heard {
            Ok(event) => self.event(event, time, terminal)?,
            Err(error) => self.fault(error, time, terminal)?,
        }
        Ok(heard.ok())
    }

    /// A message that cannot be read is lost. Only the first ones are printed: a game may send any number of them.
    pub(super) fn fault(
        &mut self,
        error: &Error,
        time: Duration,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        self.faults = self.faults.saturating_add(1);
        let message = format!("{error}; {}", error.hint());
        let finding = Finding::new(Rule::Lost, time, &message);
        match self.faults {
            ..=NOTED if self.is_shown => self.find(finding, terminal),
            ..=NOTED => {
                self.findings.add(finding);
                terminal.note(&message)
            }
            _ => {
                self.findings.add(finding);
                Ok(())
            }
        }
    }

    /// Notes the number of messages that could not be read and were not printed.
    pub(super) fn rest(&mut self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let rest = self.faults.saturating_sub(NOTED);
        self.faults = 0;
        if rest == 0 {
            return Ok(());
        }
        terminal.note(&format!("{} could not be read", counted(rest, "further message")))
    }

    fn event(
        &mut self,
        event: &Event<'_>,
        time: Duration,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        match event.message() {
            Message::Output(lines) => {
                shown::sound(lines).try_for_each(|line| self.output(&line, time, terminal))
            }
            Message::Error(report) => self.error(&report, time, terminal),
            Message::Dropped { messages } => {
                let message = format!("{messages} messages were left out");
                self.find(Finding::new(Rule::Lost, time, &message), terminal)
            }
            Message::DebugEnter(stop) => {
                self.last_stop = clipped(&stop.reason, REASON);
                self.stopped(&stop, time, terminal)
            }
            Message::DebugExit => self.running(time, terminal),
            Message::Malformed { error, .. } => self.fault(&error, time, terminal),
            _ => Ok(()),
        }
    }

    fn running(&mut self, time: Duration, terminal: &mut Terminal<'_>) -> io::Result<()> {
        self.told.clear();
        if !self.shows_stops || !self.is_json {
            return Ok(());
        }
        terminal.json(&json!({ "type": "running", "time": time.as_secs_f64() }))
    }

    /// Forgets the recent lines through the first that matches. Returns whether one matches.
    pub(super) fn take_printed(&mut self, pattern: &Regex) -> bool {
        let found = self.recent.iter().position(|line| pattern.is_match(line));
        let end = found.map_or(self.recent.len(), |at| at.saturating_add(1));
        drop(self.recent.drain(..end));
        found.is_some()
    }

    fn output(
        &mut self,
        line: &Line<'_>,
        time: Duration,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        for text in shown::lines(&line.text) {
            if self.recent.len() >= RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(clipped(text, WIDTH));
            if line.kind == LineKind::Error {
                // Engines print errors also as output; those lines do not count as findings.
                let finding = Finding::new(Rule::Printed, time, text);
                self.findings.add(finding);
            }
            if !self.is_shown {
                continue;
            }
            if self.is_json {
                terminal.json(&output_json(text, line.kind, time))?;
                continue;
            }
            let Palette { error, .. } = terminal.palette();
            let style = if line.kind == LineKind::Error { error } else { anstyle::Style::new() };
            writeln!(terminal.out, "{style}{}{style:#}", neutral(text))?;
        }
        Ok(())
    }

    fn error(
        &mut self,
        report: &ErrorReport<'_>,
        time: Duration,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        let text = shown::error_text(report);
        let rule = match report.is_warning {
            _ if report.error.starts_with("TOO_MANY_") => Rule::Lost,
            true => Rule::Warned,
            false => Rule::Engine,
        };
        self.last_error = clipped(text, REASON);
        if rule == Rule::Engine && !self.told.is_empty() && self.told == self.last_error {
            // The stop at this error was reported.
            self.told.clear();
            return Ok(());
        }
        let finding = Finding::new(rule, time, text).with_stack(shown::error_stack(report));
        self.find(finding, terminal)
    }

    fn stopped(
        &self,
        stop: &Stop<'_>,
        time: Duration,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        if !self.shows_stops {
            return Ok(());
        }
        if self.is_json {
            return terminal.json(&json!({
                "type": "stopped",
                "time": time.as_secs_f64(),
                "reason": stop.reason,
                "can_continue": stop.can_continue,
                "thread": stop.thread_name,
            }));
        }
        let note = terminal.palette().note;
        writeln!(terminal.out, "{note}stopped: {}{note:#}", neutral(reason(&stop.reason)))
    }

    /// Collects and prints a stop at a script error. An error that the engine reported before becomes one of a script.
    pub(super) fn script_error(
        &mut self,
        reason: &str,
        time: Duration,
        stack: Vec<Place>,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        let last = &self.last_stop;
        // The session keeps only the start of a long reason.
        let reason = if last.starts_with(reason) { last.clone() } else { reason.to_owned() };
        if std::mem::take(&mut self.last_error) == reason {
            self.findings.promote(&reason);
            return Ok(());
        }
        let finding = Finding::new(Rule::Script, time, &reason).with_stack(stack);
        self.told = reason;
        self.find(finding, terminal)
    }

    /// Collects a finding, and prints it unless it is ignored.
    pub(super) fn find(&mut self, finding: Finding, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let shown = self.is_shown.then(|| finding.clone());
        if !self.findings.add(finding) {
            return Ok(());
        }
        match shown {
            None => Ok(()),
            Some(finding) if self.is_json => terminal.json(&finding.to_json()),
            Some(finding) => print(&finding, terminal),
        }
    }
}

/// A reason for people. A stop by `break` has none in Godot 4.
pub(super) fn reason(reason: &str) -> &str {
    if reason.is_empty() { "Break" } else { reason }
}

fn output_json(text: &str, kind: LineKind, time: Duration) -> Json {
    let kind = match kind {
        LineKind::Error => "error",
        LineKind::Rich => "rich",
        _ => "log",
    };
    json!({ "type": "output", "time": time.as_secs_f64(), "kind": kind, "text": text })
}

/// `error: an error`, and a line for each place of its stack.
fn print(finding: &Finding, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let severity = finding.rule.severity();
    let (note, style) = (terminal.palette().note, terminal.palette().of(severity));
    let severity = severity.name();
    writeln!(terminal.out, "{style}{severity}:{style:#} {}", neutral(&finding.message))?;
    for place in &finding.stack {
        writeln!(terminal.out, "{note}  at {place}{note:#}")?;
    }
    Ok(())
}
