//! `debug listen`: prints what a game says, until it ends or prints a line.

use std::process::ExitStatus;
use std::time::Instant;

use variant_debugger::Message;

use super::desk::{Desk, prints, soon};
use super::finding::{Finding, Rule, Run};
use super::link::{Ended, Link, is_past, wait_for_game};
use super::log::Log;
use crate::cli::{FailOnArg, ListenArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use variant_document::output::is_stdout;

pub(super) fn run(args: &ListenArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let printed = args.report.iter().filter(|report| is_stdout(&report.file)).count();
    if printed > 1 {
        return Err(Failure::usage("only one report can be -, standard output"));
    }
    let caller = wait_for_game(&args.attach, terminal)?;
    // The log would be inside a report on standard output.
    let mut log = Log::new(args.attach.json, printed == 0, &args.ignore);
    // A stop at an error is reported with its stack, and the game runs on.
    log.shows_stops = false;
    let mut desk = Desk::new(Link::new(caller, None), log);
    if args.attach.leave {
        desk.link.leave();
    }
    let status = listen(&mut desk, args, terminal);
    report(&desk, args, terminal)?;
    status
}

/// Follows the game until the run ends. Returns the status of the run.
pub(super) fn listen(
    desk: &mut Desk<'_>,
    args: &ListenArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let ended = follow(desk, args, terminal);
    judge(desk, ended, args, terminal)
}

/// What makes the loop of [`follow`] act.
enum Step {
    Printed,
    Stopped,
}

/// Follows the game. A stopped game runs on after its stack was printed.
fn follow(
    desk: &mut Desk<'_>,
    args: &ListenArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Ended<()>, Failure> {
    let end = args.time.and_then(soon);
    loop {
        let ended = desk.wait(end, terminal, |message| match message {
            Message::DebugEnter(_) => Some(Step::Stopped),
            message => {
                let pattern = args.until.as_ref()?;
                prints(message, pattern).then_some(Step::Printed)
            }
        })?;
        match ended {
            Ended::With(Step::Printed) => return Ok(Ended::With(())),
            Ended::With(Step::Stopped) => {
                stopped(desk, end, terminal)?;
                // The game also prints while it is stopped.
                let until = args.until.as_ref();
                if until.is_some_and(|pattern| desk.log.take_printed(pattern)) {
                    return Ok(Ended::With(()));
                }
                // A game that stops again at once leaves no wait in which the time counts.
                if is_past(end) {
                    return Ok(Ended::Time);
                }
            }
            Ended::Time => return Ok(Ended::Time),
            Ended::Late => return Ok(Ended::Late),
            Ended::Closed => return Ok(desk.link.wait_for_exit(end)),
            Ended::Asked => return Ok(Ended::Asked),
        }
    }
}

/// Reports why threads have stopped, and lets them run. Further threads may stop meanwhile, until `end`.
fn stopped(
    desk: &mut Desk<'_>,
    end: Option<Instant>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    while let Some(stop) = desk.link.session.stopped().last().cloned() {
        let stack = desk.stack_of(Some(&stop), terminal);
        let stack = answered(desk, stack, terminal)?.unwrap_or_default();
        let time = desk.link.time();
        // A game cannot continue after an error. The reason of another stop is any text, such as `Breakpoint Statement`.
        if stop.can_continue {
            let place = stack.first().map(|place| format!(" at {place}")).unwrap_or_default();
            terminal.note(&format!("the game stopped{place}, and runs on"))?;
        } else {
            desk.log.script_error(&stop.reason, time, stack, terminal)?;
        }
        if desk.link.is_over() {
            break;
        }
        let resumed = desk.resume_thread(stop.thread, terminal);
        if answered(desk, resumed, terminal)?.is_none() || is_past(end) {
            break;
        }
    }
    Ok(())
}

/// What a stopped game has answered. If it does not answer, that is noted, and the run continues. If the connection or
/// the time is over, the next wait finds that.
fn answered<R>(
    desk: &Desk<'_>,
    result: Result<R, Failure>,
    terminal: &mut Terminal<'_>,
) -> Result<Option<R>, Failure> {
    match result {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::File { .. } | Failure::Told(_)) if desk.link.is_over() => Ok(None),
        Err(Failure::File { message, .. }) if !desk.link.session.has_failed() => {
            terminal.note(&message)?;
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// The status of the run. Adds the findings of its end.
fn judge(
    desk: &mut Desk<'_>,
    ended: Result<Ended<()>, Failure>,
    args: &ListenArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let mut is_missed = false;
    let mut failed = None;
    let mut find = |desk: &mut Desk<'_>, rule, message: String| {
        let finding = Finding::new(rule, desk.link.time(), &message);
        desk.log.find(finding, terminal)
    };
    match ended {
        Ok(Ended::With(()) | Ended::Time) => {}
        Ok(Ended::Asked) => is_missed = args.until.is_some(),
        Ok(Ended::Closed) => {
            if let Some(status) = desk.link.exit_status().filter(|status| !status.success()) {
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
        Err(Failure::File { message, .. }) if desk.link.session.has_failed() => {
            is_missed = true;
            find(desk, Rule::Protocol, message)?;
        }
        Err(failure) => failed = Some(failure),
    }
    // The reports are written also if the game is gone.
    if let Err(Failure::File { message, .. }) = desk.leave(terminal) {
        terminal.note(&message)?;
    }
    let is_failed = args.fail_on.is_some_and(|fail_on| desk.log.findings.fail(fail_on));
    let status = if is_missed || is_failed { Status::Invalid } else { Status::Fine };
    failed.map_or(Ok(status), Err)
}

fn ended_by(status: ExitStatus) -> String {
    format!("the game ended with {status}")
}

/// Prints the numbers of findings, and writes the reports.
fn report(desk: &Desk<'_>, args: &ListenArgs, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let findings = &desk.log.findings;
    if args.attach.json && desk.log.is_shown {
        terminal.json(&findings.counts_json())?;
    } else if args.fail_on.is_some() {
        terminal.note(&findings.summary())?;
    }
    let command = args.attach.command.iter().map(|word| word.to_string_lossy());
    let command: Vec<_> = command.collect();
    let run = Run {
        verb: "debug",
        name: if command.is_empty() { "game".to_owned() } else { command.join(" ") },
        project: project(&command),
        fail_on: args.fail_on.unwrap_or(FailOnArg::Error),
    };
    args.report.iter().try_for_each(|report| findings.write(report, &run, terminal))
}

/// The folder of the project, which the engine's option `--path` names. Reports name files from there.
pub(crate) fn project<'c>(command: &'c [std::borrow::Cow<'_, str>]) -> &'c str {
    let mut words = command.iter().skip_while(|word| *word != "--path");
    words.nth(1).map_or("", |folder| folder.as_ref())
}
