//! [`Debugger`]: the games that connect to the server, and what they say.

pub(super) mod facts;

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use variant_debugger::{Command, Connection, Listener, SessionOptions};

use self::facts::{Answer, Fact, Facts};
use crate::cli::SourceLine;
use crate::failure::Failure;

/// The maximum number of entries of the log that are kept.
const LOG: usize = 2_000;

/// The time that the thread of a game waits for bytes before it looks for commands.
const TICK: Duration = Duration::from_millis(20);

/// The time in which a game answers a command.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time in which a game must run again before the server ends.
const LEAVING: Duration = Duration::from_secs(1);

/// The time in which a connection says something. The only place is then free for a game.
const SILENCE: Duration = Duration::from_secs(10);

/// The games that connect to the server, one after another. A thread reads what a game says, and sends commands.
#[derive(Clone, Debug, Default)]
pub(super) struct Debugger(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Held by the only caller that waits for an answer: an answer does not name its command.
    asking: Mutex<()>,
}

/// The work of one command, on the thread of the game. Returns why the connection is broken after it.
type Job = Box<dyn FnOnce(&mut Connection) -> Option<String> + Send>;

/// What is known of the game that is connected, or of the last game.
#[derive(Default)]
pub(super) struct State {
    /// The address at which the server listens.
    pub(super) address: Option<SocketAddr>,
    pub(super) is_connected: bool,
    /// The engine, and the threads that are stopped.
    pub(super) game: Value,
    /// The last entries of the log.
    pub(super) log: VecDeque<Value>,
    /// The number of all entries.
    pub(super) entries: u64,
    /// The number of times that a thread of a game stopped.
    pub(super) stops: u64,
    /// The last answer of each kind, and the number of answers of the kind.
    answers: HashMap<Answer, (u64, Value)>,
    /// The breakpoints that were set in the game and not removed.
    breakpoints: Vec<SourceLine>,
    jobs: VecDeque<Job>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let result = change(&mut self.lock());
        self.changed.notify_all();
        result
    }
}

impl State {
    /// The threads of the game that are stopped, if there are any.
    pub(super) fn stopped(&self) -> Option<&Value> {
        let stopped = self.game.get("stopped").filter(|_| self.is_connected)?;
        stopped.as_array().is_some_and(|all| !all.is_empty()).then_some(stopped)
    }

    fn log(&mut self, mut entry: Value) {
        if let Some(entry) = entry.as_object_mut() {
            entry.insert("number".to_owned(), self.entries.into());
        }
        self.entries = self.entries.saturating_add(1);
        if self.log.len() >= LOG {
            self.log.pop_front();
        }
        self.log.push_back(entry);
    }

    fn count(&self, answer: Answer) -> u64 {
        self.answers.get(&answer).map_or(0, |(count, _)| *count)
    }

    fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Log(entry) => self.log(entry),
            Fact::Stop(entry) => {
                self.stops = self.stops.saturating_add(1);
                self.log(entry);
            }
            Fact::Answer(answer, value) => {
                let count = self.count(answer).saturating_add(1);
                self.answers.insert(answer, (count, value));
            }
        }
    }
}

impl Debugger {
    /// Listens on the loopback interface, if the server does not listen yet.
    pub(super) fn listen(&self, port: u16) -> Result<SocketAddr, Failure> {
        let mut state = self.0.lock();
        if let Some(address) = state.address {
            return Ok(address);
        }
        let failed = |error| Failure::io(format!("port {port}: {error}; port 0 takes a free port"));
        let listener = Listener::loopback(port).map_err(failed)?;
        let address = listener.address().map_err(failed)?;
        state.address = Some(address);
        let shared = Arc::clone(&self.0);
        thread::spawn(move || serve(&listener, &shared));
        Ok(address)
    }

    /// Waits until `find` returns something. Returns `None` after `patience`.
    pub(super) fn wait<T>(
        &self,
        patience: Duration,
        mut find: impl FnMut(&mut State) -> Option<T>,
    ) -> Option<T> {
        let end = Instant::now().checked_add(patience)?;
        let mut state = self.0.lock();
        loop {
            if let Some(found) = find(&mut state) {
                return Some(found);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let woken = self.0.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The number of times that a thread of a game stopped.
    pub(super) fn stops(&self) -> u64 {
        self.0.lock().stops
    }

    /// Sends a command: `work` runs on the thread of the game. A command that the thread does not take in time is
    /// cancelled.
    pub(super) fn send(
        &self,
        work: impl FnOnce(&mut Connection) -> io::Result<()> + Send + 'static,
    ) -> Result<(), Failure> {
        let (tell, told) = sync_channel(1);
        let taken = Arc::new(AtomicBool::new(false));
        let is_taken = Arc::clone(&taken);
        let job: Job = Box::new(move |connection| {
            if is_taken.swap(true, Ordering::SeqCst) {
                return None;
            }
            let sent = work(connection);
            let why = sent.as_ref().err().filter(|error| is_broken(error)).map(ToString::to_string);
            // The caller may have given up.
            let _ = tell.send(sent);
            why
        });
        self.0.change(|state| {
            if !state.is_connected {
                return Err(Failure::usage("no game is connected; debug_listen waits for one"));
            }
            state.jobs.push_back(job);
            Ok(())
        })?;
        let mut sent = told.recv_timeout(PATIENCE);
        if matches!(sent, Err(RecvTimeoutError::Timeout)) && taken.swap(true, Ordering::SeqCst) {
            // The command is on its way.
            sent = told.recv_timeout(PATIENCE);
        }
        match sent {
            Ok(sent) => sent.map_err(|error| Failure::invalid(format!("not sent: {error}"))),
            Err(_) => Err(Failure::io("the game left, or takes no commands; see debug_log")),
        }
    }

    /// Sets or removes a breakpoint.
    pub(super) fn breakpoint(&self, line: SourceLine, set: bool) -> Result<(), Failure> {
        let SourceLine { file, line: number } = line.clone();
        self.send(move |game| {
            game.send(&Command::Breakpoint { file: file.into(), line: number.into(), set })
        })?;
        self.0.change(|state| {
            state.breakpoints.retain(|other| *other != line);
            if set {
                state.breakpoints.push(line);
            }
        });
        Ok(())
    }

    /// Removes the breakpoints, and lets the game run: a game of Godot 3 that is stopped without a debugger is stopped
    /// forever. A game that has left needs neither.
    pub(super) fn leave(&self) {
        let lines = std::mem::take(&mut self.0.lock().breakpoints);
        if lines.into_iter().any(|line| self.breakpoint(line, false).is_err()) {
            return;
        }
        let end = Instant::now().checked_add(LEAVING);
        let stopped = || self.0.lock().stopped().cloned();
        // One thread of the game after another.
        while let Some(stopped) = stopped().filter(|_| end.is_some_and(|end| Instant::now() < end))
        {
            if self.send(|game| game.send(&Command::Continue)).is_err() {
                return;
            }
            let is_other = |state: &mut State| (state.stopped() != Some(&stopped)).then_some(());
            let _ = self.wait(LEAVING, is_other);
        }
    }

    /// Sends a command, and waits for an answer of the game that `is_wanted`.
    pub(super) fn ask(
        &self,
        answer: Answer,
        is_wanted: impl Fn(&Value) -> bool,
        work: impl FnOnce(&mut Connection) -> io::Result<()> + Send + 'static,
    ) -> Result<Value, Failure> {
        let _only = self.0.asking.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.0.lock().count(answer);
        self.send(work)?;
        let new = |state: &mut State| {
            state
                .answers
                .get(&answer)
                .filter(|(count, value)| *count > before && is_wanted(value))
                .map(|(_, value)| value.clone())
        };
        self.wait(PATIENCE, new).ok_or_else(|| {
            let how = answer.hint();
            Failure::io(format!("the game does not answer within {} s; {how}", PATIENCE.as_secs()))
        })
    }
}

/// Whether a part of a command may be sent. An error of the session or of the command comes before its first byte.
fn is_broken(error: &io::Error) -> bool {
    !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Other)
}

/// Serves one game after another.
fn serve(listener: &Listener, shared: &Shared) {
    loop {
        let Ok(mut connection) = listener.accept(SessionOptions::default()) else {
            // A connection that ended before it was accepted, or too many open files.
            thread::sleep(TICK);
            continue;
        };
        shared.change(|state| {
            state.is_connected = true;
            state.game = Value::Null;
            state.answers.clear();
            state.breakpoints.clear();
            state.log(json!({ "kind": "connected" }));
        });
        let why = follow(&mut connection, shared);
        shared.change(|state| {
            state.is_connected = false;
            state.jobs.clear();
            state.log(json!({ "kind": "disconnected", "text": why }));
        });
    }
}

/// Reads what a game says, and sends commands, until the game leaves. Returns why it left.
fn follow(connection: &mut Connection, shared: &Shared) -> Option<String> {
    let stream = connection.stream();
    let timed = stream.set_read_timeout(Some(TICK));
    if let Err(error) = timed.and_then(|()| stream.set_write_timeout(Some(PATIENCE))) {
        return Some(error.to_string());
    }
    let (mut facts, start, mut has_spoken) = (Facts::default(), Instant::now(), false);
    loop {
        let heard =
            connection.next_event().map(|event| event.map(|event| facts.of(&event.message())));
        let session = connection.session();
        match heard {
            Ok(Some(heard)) => {
                has_spoken = true;
                let game = facts::game(session);
                shared.change(|state| {
                    state.game = game;
                    for fact in heard {
                        state.add(fact);
                    }
                });
            }
            Ok(None) => return None,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) if error.kind() == ErrorKind::InvalidData && !session.has_failed() => {
                let entry = json!({ "kind": "malformed", "text": error.to_string() });
                shared.change(|state| state.log(entry));
            }
            Err(error) => return Some(error.to_string()),
        }
        if !has_spoken && start.elapsed() > SILENCE {
            return Some(format!("it said nothing for {} s", SILENCE.as_secs()));
        }
        let jobs = std::mem::take(&mut shared.lock().jobs);
        for job in jobs {
            if let Some(why) = job(connection) {
                return Some(why);
            }
        }
    }
}
