//! [`Trial`]: a game that is started many times. A run prints nothing; its findings are the result.

use std::ffi::OsString;
use std::io;
use std::time::{Duration, Instant};

use super::child::Engine;
use super::desk::Desk;
use super::finding::{Finding, Rule};
use super::home::Home;
use super::link::{Launch, Link, wait};
use super::listen::listen;
use super::log::Log;
use crate::cli::ListenArgs;
use crate::failure::{Failure, Status};
use crate::stop::Stop;
use crate::terminal::Terminal;

/// The runs of a game.
#[derive(Debug)]
pub(crate) struct Trial {
    args: ListenArgs,
    engine: Option<Engine>,
    stop: Stop,
}

/// What a run has shown.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) findings: Vec<Finding>,
    /// Why the game did not connect, with the last lines that it printed.
    pub(crate) not_connected: Option<String>,
}

impl Trial {
    /// Asks the program of the command for its version, unless the dialect is given.
    pub(crate) fn new(args: ListenArgs, terminal: &Terminal<'_>) -> Result<Self, Failure> {
        let stop = Stop::of_process()?;
        let engine = Engine::of(&args.attach.command, terminal.common.dialect(), &stop)?;
        Ok(Self { args, engine, stop })
    }

    /// Whether the user or the system asks to end.
    pub(crate) fn is_asked(&self) -> bool {
        self.stop.is_asked()
    }

    /// Starts the game with this command, and follows it until the run ends.
    ///
    /// # Errors
    /// The program cannot be started; the system fails.
    pub(crate) fn run(
        &mut self,
        command: Vec<OsString>,
        home: &Home,
        terminal: &Terminal<'_>,
    ) -> Result<Outcome, Failure> {
        let (mut out, mut said) = (io::sink(), Vec::new());
        let mut silent = Terminal::of(&mut out, &mut said);
        silent.common = terminal.common;
        self.args.attach.command = command;
        let start = Instant::now();
        let launch = Launch { stop: self.stop.clone(), engine: self.engine, home: Some(home) };
        let caller = match wait(&self.args.attach, launch, &mut silent) {
            Ok(caller) => caller,
            Err(Failure::File { status: Status::Invalid, message }) => {
                let said = String::from_utf8_lossy(&said).trim_end().to_owned();
                return Ok(self.not_connected(message, &said, start.elapsed()));
            }
            Err(Failure::Told(_)) if self.is_asked() => return Ok(Outcome::default()),
            Err(failure) => return Err(failure),
        };
        let log = Log::new(false, false, &self.args.ignore);
        let mut desk = Desk::new(Link::new(caller, None), log);
        match listen(&mut desk, &self.args, &mut silent) {
            // A game that breaks the connection is not a failure of the command: what was heard until then counts.
            Ok(_) | Err(Failure::File { .. }) => {}
            Err(failure) => return Err(failure),
        }
        Ok(Outcome { findings: desk.log.findings.into_kept(), not_connected: None })
    }

    fn not_connected(&self, message: String, said: &str, time: Duration) -> Outcome {
        let is_late = self.args.attach.timeout.is_some_and(|timeout| timeout <= time);
        let rule = if is_late { Rule::Late } else { Rule::Ended };
        let is_ignored = self.args.ignore.iter().any(|pattern| pattern.is_match(&message));
        let finding = Finding::new(rule, time, &message);
        let findings = if is_ignored { Vec::new() } else { vec![finding] };
        let why = if said.is_empty() { message } else { format!("{message}; {said}") };
        Outcome { findings, not_connected: Some(why) }
    }
}
