//! [`Desk`]: a connection and its log. Everything that waits for a game waits here, so that nothing the game says is
//! missed.

use std::time::{Duration, Instant};

use regex::Regex;
use variant_debugger::{Command, Line, Message, SendError, Stopped};
use variant_view::Dialect;

use super::finding::Place;
use super::link::{Ended, Link, is_past};
use super::log::Log;
use super::shown;
use crate::cli::SourceLine;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// The time in which a game must answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time in which a game must run again before the command ends.
const LEAVING: Duration = Duration::from_secs(1);

/// A connection and its log.
pub(super) struct Desk<'l> {
    pub(super) link: Link<'l>,
    pub(super) log: Log,
    /// The breakpoints that were set and not removed.
    lines: Vec<SourceLine>,
}

impl<'l> Desk<'l> {
    pub(super) const fn new(link: Link<'l>, log: Log) -> Self {
        Self { link, log, lines: Vec::new() }
    }

    /// Prints what the game says until `pick` returns something, or until the time is over.
    pub(super) fn wait<R>(
        &mut self,
        until: Option<Instant>,
        terminal: &mut Terminal<'_>,
        mut pick: impl FnMut(&Message<'_>) -> Option<R>,
    ) -> Result<Ended<R>, Failure> {
        let Self { link, log, .. } = self;
        link.run(until, terminal, |event, time, terminal| {
            let Some(event) = log.heard(event, time, terminal)? else { return Ok(None) };
            Ok(pick(&event.message()))
        })
    }

    /// Works as [`Desk::wait`], and fails if it ends without a result.
    pub(super) fn expect<R>(
        &mut self,
        what: &str,
        until: Option<Instant>,
        terminal: &mut Terminal<'_>,
        pick: impl FnMut(&Message<'_>) -> Option<R>,
    ) -> Result<R, Failure> {
        match self.wait(until, terminal, pick)? {
            Ended::With(found) => Ok(found),
            Ended::Time => Err(Failure::invalid(format!("{what} did not come in time"))),
            Ended::Late => {
                Err(Failure::invalid(format!("{what} did not come in the time of --timeout")))
            }
            Ended::Closed => Err(Failure::invalid(format!("the game ended before {what} came"))),
            Ended::Asked => Err(Failure::Told(Status::Invalid)),
        }
    }

    /// Waits until the messages show how commands are written.
    pub(super) fn known(&mut self, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        let until = soon(PATIENCE);
        while !self.link.is_known() {
            let seen = self.wait(until, terminal, |_| Some(()))?;
            match seen {
                Ended::With(()) => {}
                // The session reports what it does not know yet.
                Ended::Time => return Ok(()),
                _ => return self.expect("a message", until, terminal, |_| None),
            }
        }
        Ok(())
    }

    /// Sends a command and waits for its answer.
    pub(super) fn ask<R>(
        &mut self,
        command: &Command<'_>,
        what: &str,
        terminal: &mut Terminal<'_>,
        pick: impl FnMut(&Message<'_>) -> Option<R>,
    ) -> Result<R, Failure> {
        self.ask_thread(None, command, what, terminal, pick)
    }

    /// Works as [`Desk::ask`], for a thread.
    fn ask_thread<R>(
        &mut self,
        thread: Option<i64>,
        command: &Command<'_>,
        what: &str,
        terminal: &mut Terminal<'_>,
        pick: impl FnMut(&Message<'_>) -> Option<R>,
    ) -> Result<R, Failure> {
        self.known(terminal)?;
        self.link.send_to(thread, command)?;
        match self.wait(soon(PATIENCE), terminal, pick)? {
            Ended::Time => Err(Failure::invalid(format!(
                "the game does not answer with {what}; release builds do not, and a busy game needs more time"
            ))),
            Ended::With(found) => Ok(found),
            _ => self.expect(what, None, terminal, |_| None),
        }
    }

    /// The stack of the thread that stopped last, innermost first. Empty if the game has none.
    pub(super) fn stack(&mut self, terminal: &mut Terminal<'_>) -> Result<Vec<Place>, Failure> {
        let stop = self.link.session.stopped().last().cloned();
        self.stack_of(stop.as_ref(), terminal)
    }

    /// The stack of a stop.
    pub(super) fn stack_of(
        &mut self,
        stop: Option<&Stopped>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Vec<Place>, Failure> {
        if stop.is_some_and(|stop| stop.has_stack == Some(false)) {
            return Ok(Vec::new());
        }
        let thread = stop.and_then(|stop| stop.thread);
        let pick = |message: &Message<'_>| match message {
            Message::StackDump(frames) => {
                Some(shown::sound(frames.clone()).map(|frame| shown::place(&frame)).collect())
            }
            _ => None,
        };
        self.ask_thread(thread, &Command::StackDump, "a stack", terminal, pick)
    }

    /// Whether a breakpoint was set here and not removed.
    pub(super) fn has_breakpoint(&self, line: &SourceLine) -> bool {
        self.lines.contains(line)
    }

    /// Sets or removes a breakpoint.
    pub(super) fn breakpoint(
        &mut self,
        line: &SourceLine,
        set: bool,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        self.known(terminal)?;
        let SourceLine { file, line: number } = line;
        let (file, number) = (file.as_str().into(), i64::from(*number));
        self.link.send(&Command::Breakpoint { file, line: number, set })?;
        self.lines.retain(|other| other != line);
        if set {
            self.lines.push(line.clone());
        }
        Ok(())
    }

    /// Waits until the game is stopped.
    pub(super) fn stopped(
        &mut self,
        until: Option<Instant>,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        if self.link.is_stopped() {
            return Ok(());
        }
        let pick = |message: &Message<'_>| matches!(message, Message::DebugEnter(_)).then_some(());
        self.expect("a stop", until, terminal, pick)
    }

    /// Lets all threads run that are stopped now.
    pub(super) fn resume(&mut self, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        let stopped = self.link.session.stopped();
        let threads: Vec<_> = stopped.iter().rev().map(|stop| stop.thread).collect();
        if threads.is_empty() {
            // The session reports that nothing is stopped.
            return self.resume_thread(None, terminal);
        }
        threads.into_iter().try_for_each(|thread| self.resume_thread(thread, terminal))
    }

    /// Lets a thread run.
    pub(super) fn resume_thread(
        &mut self,
        thread: Option<i64>,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let pick = |message: &Message<'_>| matches!(message, Message::DebugExit).then_some(());
        self.ask_thread(thread, &Command::Continue, "the end of the stop", terminal, pick)
    }

    /// Removes the breakpoints, and lets the game run: a game of Godot 3 that is stopped without a debugger is stopped
    /// forever.
    pub(super) fn leave(&mut self, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
        self.link.is_leaving = true;
        self.log.rest(terminal)?;
        for line in std::mem::take(&mut self.lines) {
            if !self.link.is_closed() {
                self.breakpoint(&line, false, terminal)?;
            }
        }
        let until = soon(LEAVING);
        // A game that stops again at once leaves no wait in which the time counts.
        while self.link.is_stopped() && !self.link.is_closed() && !is_past(until) {
            self.link.send(&Command::Continue)?;
            let pick = |message: &Message<'_>| matches!(message, Message::DebugExit).then_some(());
            if !matches!(self.wait(until, terminal, pick)?, Ended::With(())) {
                break;
            }
        }
        Ok(())
    }

    /// Waits for a line of output, also among the lines since the order before.
    pub(super) fn printed(
        &mut self,
        pattern: &Regex,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        if self.log.take_printed(pattern) {
            return Ok(());
        }
        let pick = |message: &Message<'_>| prints(message, pattern).then_some(());
        self.expect(&format!("a line that matches {pattern}"), None, terminal, pick)?;
        // The message may have further lines, for the next order.
        self.log.take_printed(pattern);
        Ok(())
    }

    /// The dialect of the game.
    pub(super) fn dialect(&self) -> Result<Dialect, Failure> {
        let unknown = SendError::DialectUnknown;
        let why = || Failure::invalid(format!("{unknown}; --dialect names it"));
        self.link.session.dialect().ok_or_else(why)
    }
}

/// The time in a while from now.
pub(super) fn soon(time: Duration) -> Option<Instant> {
    Instant::now().checked_add(time)
}

/// Whether a message is output of which a line matches.
pub(super) fn prints(message: &Message<'_>, pattern: &Regex) -> bool {
    let matches = |line: &Line<'_>| shown::lines(&line.text).any(|text| pattern.is_match(text));
    match message {
        Message::Output(lines) => shown::sound(lines.clone()).any(|line| matches(&line)),
        _ => false,
    }
}
