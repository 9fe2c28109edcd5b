//! `debug listen`: prints what a game says, until it ends or prints a line.

use std::process::ExitStatus;
use std::time::Duration;

use variant_debugger::Message;

use super::desk::{Desk, prints, soon};
use super::finding::{Finding, Rule, Run};
use super::link::{Ended, Link, wait_for_game};
use super::log::Log;
use crate::cli::{FailOnArg, ListenArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// The time that a game gets to end after it has closed the connection.
const ENDING: Duration = Duration::from_secs(5);

pub(super) fn run(args: &ListenArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let caller = wait_for_game(&args.attach, terminal)?;
    let mut log = Log::new(args.attach.json, true, &args.ignore);
    // A stop at an error is reported with its stack, and the game runs on.
    log.shows_stops = false;
    let mut desk = Desk::new(Link::new(caller, None), log);
    if args.attach.leave {
        desk.link.leave();
    }
    let ended = follow(&mut desk, args, terminal);
    let status = judge(&mut desk, ended, args, terminal)?;
    report(&desk, args, terminal)?;
    Ok(status)
}

/// What makes the loop of [`follow`] act.
enum Step {
    Printed,
    Stopped(String),
}

/// Follows the game. A stopped game runs on after its stack was printed.
fn follow(
    desk: &mut Desk<'_>,
    args: &ListenArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Ended<()>, Failure> {
    let until = args.time.and_then(soon);
    loop {
        let ended = desk.wait(until, terminal, |message| match message {
            Message::DebugEnter(stop) => Some(Step::Stopped(stop.reason.to_string())),
            message => {
                let pattern = args.until.as_ref()?;
                prints(message, pattern).then_some(Step::Printed)
            }
        })?;
        match ended {
            Ended::With(Step::Printed) => return Ok(Ended::With(())),
            Ended::With(Step::Stopped(reason)) => stopped(desk, &reason, terminal)?,
            Ended::Time => return Ok(Ended::Time),
            Ended::Late => return Ok(Ended::Late),
            Ended::Closed => return Ok(Ended::Closed),
            Ended::Asked => return Ok(Ended::Asked),
        }
    }
}

/// Reports why a game has stopped, and lets it run.
fn stopped(desk: &mut Desk<'_>, reason: &str, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let stack = desk.stack(terminal)?;
    let time = desk.link.time();
    if super::log::is_break(reason) {
        let place = stack.first().map(|place| format!(" at {place}")).unwrap_or_default();
        terminal.note(&format!("the game stopped{place}, and runs on"))?;
    } else if let Some(finding) = desk.log.script_error(reason, time, stack) {
        desk.log.find(finding, terminal)?;
    }
    if desk.link.is_closed() { Ok(()) } else { desk.resume(terminal) }
}

/// The status of the run. Adds the findings of its end.
fn judge(
    desk: &mut Desk<'_>,
    ended: Result<Ended<()>, Failure>,
    args: &ListenArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let mut is_missed = false;
    let mut find = |desk: &mut Desk<'_>, rule, message: String| {
        let finding = Finding::new(rule, desk.link.time(), &message);
        desk.log.find(finding, terminal)
    };
    match ended {
        Ok(Ended::With(()) | Ended::Time | Ended::Asked) => {}
        Ok(Ended::Closed) => {
            if let Some(status) = desk.link.exit_status(ENDING).filter(|status| !status.success()) {
                find(desk, Rule::Ended, ended_by(status))?;
            }
            if let Some(pattern) = &args.until {
                is_missed = true;
                let message = format!("the game ended, and no line matched {pattern}");
                find(desk, Rule::Missed, message)?;
            }
        }
        Ok(Ended::Late) => {
            is_missed = true;
            let message = match &args.until {
                Some(pattern) => format!("no line matched {pattern} in the time of --timeout"),
                None => "the game did not end in the time of --timeout".to_owned(),
            };
            find(desk, Rule::Late, message)?;
        }
        Err(Failure::File { message, .. }) => {
            is_missed = true;
            find(desk, Rule::Protocol, message)?;
        }
        Err(failure) => return Err(failure),
    }
    // The reports are written also if the game is gone.
    if let Err(Failure::File { message, .. }) = desk.leave(terminal) {
        terminal.note(&message)?;
    }
    let is_failed = args.fail_on.is_some_and(|fail_on| desk.log.findings.fail(fail_on));
    Ok(if is_missed || is_failed { Status::Invalid } else { Status::Fine })
}

fn ended_by(status: ExitStatus) -> String {
    format!("the game ended with {status}")
}

/// Prints the numbers of findings, and writes the reports.
fn report(desk: &Desk<'_>, args: &ListenArgs, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let findings = &desk.log.findings;
    if args.attach.json {
        terminal.json(&findings.counts_json())?;
    } else if args.fail_on.is_some() {
        terminal.note(&findings.summary())?;
    }
    let command = args.attach.command.iter().map(|word| word.to_string_lossy());
    let command: Vec<_> = command.collect();
    let run = Run {
        name: if command.is_empty() { "game".to_owned() } else { command.join(" ") },
        project: project(&command),
        fail_on: args.fail_on.unwrap_or(FailOnArg::Error),
    };
    args.report.iter().try_for_each(|report| findings.write(report, &run, terminal))
}

/// The folder of the project, which the engine's option `--path` names. Reports name files from there.
fn project<'c>(command: &'c [std::borrow::Cow<'_, str>]) -> &'c str {
    let mut words = command.iter().skip_while(|word| *word != "--path");
    words.nth(1).map_or("", |folder| folder.as_ref())
}
