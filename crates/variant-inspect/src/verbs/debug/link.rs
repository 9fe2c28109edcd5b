//! [`Link`]: the connection to a game: a listener, a socket, a session, and the game if the command started it.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use variant_debugger::{Command, Event, Family, Session, SessionOptions};

use super::child::{Child, Engine, hint};
use super::home::Home;
use super::recording::Way;
use crate::cli::AttachArgs;
use crate::failure::{Failure, Status};
use crate::stop::Stop;
use crate::terminal::Terminal;

/// The port that the engines' editors listen on.
const PORT: u16 = 6007;

/// The time in which a started game must connect.
const CONNECT: Duration = Duration::from_secs(30);

/// The longest time without a look at the clock and at signals.
const TICK: Duration = Duration::from_millis(50);

/// The time after which a game that reads nothing is given up.
const WRITE: Duration = Duration::from_secs(10);

/// The size of a read, in bytes.
const READ: usize = 64 << 10;

/// The most reads after the game has ended.
const LAST: usize = 64;

/// The time that a game gets to end after it has closed the connection, if no other time bounds the wait.
const ENDING: Duration = Duration::from_secs(5);

/// Why nothing can be sent.
const ENDED: &str = "the game has ended";

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended<R> {
    /// With what was waited for.
    With(R),
    /// The time of the wait is over.
    Time,
    /// The time of `--timeout` is over.
    Late,
    /// The game has closed the connection.
    Closed,
    /// The user or the system asks to end.
    Asked,
}

/// A message, or why one cannot be read.
pub(super) type Heard<'e, 'm> = Result<&'e Event<'m>, &'e variant_debugger::Error>;

/// Takes all bytes of a connection.
pub(super) type Tap<'l> = Box<dyn FnMut(Way, Duration, &[u8], &Session) -> io::Result<()> + 'l>;

/// The connection to a game.
pub(super) struct Link<'l> {
    stream: TcpStream,
    pub(super) session: Session,
    child: Option<Child>,
    stop: Stop,
    /// The time of the connection.
    pub(super) start: Instant,
    end: Option<Instant>,
    tap: Option<Tap<'l>>,
    buffer: Vec<u8>,
    is_closed: bool,
    /// Whether a message has arrived.
    has_heard: bool,
    /// Whether the command is about to end. Then neither signals nor `--timeout` end a wait.
    pub(super) is_leaving: bool,
}

/// A game that has connected, before any byte of it is read.
pub(super) struct Caller {
    pub(super) stream: TcpStream,
    pub(super) child: Option<Child>,
    pub(super) stop: Stop,
    pub(super) end: Option<Instant>,
    pub(super) options: SessionOptions,
}

/// How the game of a command is started.
#[derive(Debug)]
pub(super) struct Launch<'h> {
    pub(super) stop: Stop,
    pub(super) engine: Option<Engine>,
    /// Where the game runs; `None` where this process runs.
    pub(super) home: Option<&'h Home>,
}

/// Starts the game, if there is a command, and waits until a game connects.
pub(super) fn wait_for_game(
    args: &AttachArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Caller, Failure> {
    let stop = Stop::of_process()?;
    let engine = Engine::of(&args.command, terminal.common.dialect(), &stop)?;
    wait(args, Launch { stop, engine, home: None }, terminal)
}

/// Works as [`wait_for_game`], with what the caller knows of the game.
pub(super) fn wait(
    args: &AttachArgs,
    Launch { stop, engine, home }: Launch<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Caller, Failure> {
    let has_command = !args.command.is_empty();
    let port = args.port.unwrap_or(if has_command { 0 } else { PORT });
    let wanted = SocketAddr::new(args.address, port);
    let listener = TcpListener::bind(wanted).map_err(|error| not_bound(wanted, &error))?;
    let address = listener.local_addr().map_err(|error| not_bound(wanted, &error))?;
    let mut child = match engine {
        Some(engine) => {
            let (command, groups) = (&args.command, &stop.groups);
            Some(Child::start(command, address, engine, home, args.leave, groups)?)
        }
        None => None,
    };
    if !has_command {
        terminal.note(&format!("waits on {address} for a game, which needs {}", hint(address)))?;
    }
    let options = options(args, terminal.common.dialect(), engine);
    let end = args.timeout.and_then(|time| Instant::now().checked_add(time));
    let patience = has_command.then(|| Instant::now().checked_add(CONNECT)).flatten();
    let patience = end.or(patience);
    listener.set_nonblocking(true).map_err(|error| not_bound(wanted, &error))?;
    loop {
        // Asked first: a short game may connect and end between two looks.
        let ended = child.as_mut().and_then(Child::ended);
        match listener.accept() {
            Ok((stream, _)) => {
                let stream = prepared(stream).map_err(|error| lost(&error))?;
                return Ok(Caller { stream, child, stop, end, options });
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::ConnectionAborted | ErrorKind::Interrupted => {}
                _ => return Err(not_bound(wanted, &error)),
            },
        }
        if stop.is_asked() {
            return Err(Failure::Told(Status::Invalid));
        }
        if let (Some(child), Some(status)) = (&mut child, ended) {
            let what = format!("the game ended ({status}) before it connected");
            return Err(not_connected(&what, child, terminal));
        }
        if patience.is_some_and(|patience| patience <= Instant::now()) {
            let what = "the game did not connect in time";
            return Err(match &mut child {
                Some(child) => not_connected(what, child, terminal),
                None => Failure::invalid(what),
            });
        }
        thread::sleep(TICK);
    }
}

fn options(
    args: &AttachArgs,
    dialect: Option<variant_view::Dialect>,
    engine: Option<Engine>,
) -> SessionOptions {
    let mut options = SessionOptions::default();
    if let Some(dialect) = dialect {
        options = options.dialect(dialect);
    }
    match args.engine_version.or(engine.and_then(|engine| engine.version)) {
        Some(version) => options.versions(version),
        None => options,
    }
}

fn prepared(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE))?;
    Ok(stream)
}

fn not_bound(address: SocketAddr, error: &io::Error) -> Failure {
    let how = match error.kind() {
        ErrorKind::AddrInUse => "; an editor may listen there: close it, or choose another --port",
        ErrorKind::AddrNotAvailable => "; --address takes an address of this machine",
        _ => "",
    };
    Failure::io(format!("cannot listen on {address}: {error}{how}"))
}

fn lost(error: &io::Error) -> Failure {
    Failure::io(format!("the connection to the game failed: {error}"))
}

/// The failure of a game that has not connected, after its last lines were printed.
fn not_connected(what: &str, child: &mut Child, terminal: &mut Terminal<'_>) -> Failure {
    let lines = child.last_lines();
    if !lines.is_empty() {
        // If standard error fails, the exit status still reports the failure.
        let _ = terminal.note("the last lines of the game's own output:");
        let _ = writeln!(terminal.err, "  {lines}");
    }
    Failure::invalid(what)
}

impl<'l> Link<'l> {
    /// A connection that passes all of its bytes to `tap`.
    pub(super) fn new(caller: Caller, tap: Option<Tap<'l>>) -> Self {
        let Caller { stream, child, stop, end, options } = caller;
        Self {
            stream,
            session: Session::new(options),
            child,
            stop,
            start: Instant::now(),
            end,
            tap,
            buffer: vec![0; READ],
            is_closed: false,
            has_heard: false,
            is_leaving: false,
        }
    }

    /// The time since the connection.
    pub(super) fn time(&self) -> Duration {
        self.start.elapsed()
    }

    pub(super) const fn family(&self) -> Option<Family> {
        self.session.family()
    }

    /// Whether messages have shown how commands are written.
    pub(super) const fn is_known(&self) -> bool {
        self.has_heard && self.session.family().is_some() && self.session.dialect().is_some()
    }

    pub(super) fn is_stopped(&self) -> bool {
        !self.session.stopped().is_empty()
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Whether the next wait ends at once: the game, the time of `--timeout` or the user has ended it.
    pub(super) fn is_over(&self) -> bool {
        self.is_closed || self.stop.is_asked() || is_past(self.end)
    }

    /// Sends a command.
    ///
    /// # Errors
    /// The game would not understand it or not survive it, or the connection is lost.
    pub(super) fn send(&mut self, command: &Command<'_>) -> Result<(), Failure> {
        self.send_to(None, command)
    }

    /// Works as [`Link::send`], for a thread.
    pub(super) fn send_to(
        &mut self,
        thread: Option<i64>,
        command: &Command<'_>,
    ) -> Result<(), Failure> {
        if self.is_closed {
            return Err(Failure::invalid(ENDED));
        }
        let bytes = match thread {
            Some(thread) => self.session.send_to(thread, command),
            None => self.session.send(command),
        };
        let bytes =
            bytes.map_err(|error| Failure::invalid(format!("{error}; {}", error.hint())))?;
        if let Err(error) = self.stream.write_all(&bytes) {
            return Err(self.broken(&error));
        }
        let time = self.start.elapsed();
        if let Some(tap) = &mut self.tap {
            tap(Way::ToGame, time, &bytes, &self.session)?;
        }
        Ok(())
    }

    /// Closes a connection that takes no bytes, after a read of the last bytes that the game sent.
    fn broken(&mut self, error: &io::Error) -> Failure {
        let has_ended = matches!(
            error.kind(),
            ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted
        );
        if has_ended {
            let mut left = 0..LAST;
            while !self.is_closed && left.next().is_some() && self.read(TICK).is_ok() {}
        }
        // A part of a command puts the stream out of step.
        let _ = self.stream.shutdown(Shutdown::Both);
        self.is_closed = true;
        if has_ended { Failure::invalid(ENDED) } else { lost(error) }
    }

    /// Calls `each` with the messages of the game and the damaged ones, until it returns something, until `until`, or
    /// until the connection ends. Messages that have arrived are read before the clock and signals count.
    ///
    /// # Errors
    /// Failures of `each`; bytes that are not those of a game; a lost connection.
    pub(super) fn run<R>(
        &mut self,
        until: Option<Instant>,
        terminal: &mut Terminal<'_>,
        mut each: impl FnMut(Heard<'_, '_>, Duration, &mut Terminal<'_>) -> Result<Option<R>, Failure>,
    ) -> Result<Ended<R>, Failure> {
        loop {
            let time = self.start.elapsed();
            while let Some(event) = self.session.next_event() {
                if let Err(error) = &event
                    && error.is_fatal()
                {
                    return Err(Failure::invalid(format!("{error}; {}", error.hint())));
                }
                self.has_heard |= event.is_ok();
                if let Some(found) = each(event.as_ref(), time, terminal)? {
                    return Ok(Ended::With(found));
                }
            }
            terminal.out.flush()?;
            if self.is_closed {
                return Ok(Ended::Closed);
            }
            if let Some(over) = self.over(until) {
                return Ok(over);
            }
            let left = [until, self.end].into_iter().flatten();
            let left = left.map(|end| end.saturating_duration_since(Instant::now())).min();
            self.read(left.unwrap_or(TICK).min(TICK))?;
        }
    }

    /// Why a wait ends now, if it does.
    fn over<R>(&self, until: Option<Instant>) -> Option<Ended<R>> {
        if self.stop.is_asked() && !self.is_leaving {
            Some(Ended::Asked)
        } else if is_past(until) {
            Some(Ended::Time)
        } else if is_past(self.end) && !self.is_leaving {
            Some(Ended::Late)
        } else {
            None
        }
    }

    /// Waits for the process of a game that has closed the connection: a game may hang after that. `Ended::Closed` if the
    /// process has ended, if the command did not start it, or, without a bound of the wait, after [`ENDING`].
    pub(super) fn wait_for_exit(&mut self, until: Option<Instant>) -> Ended<()> {
        let is_bounded = until.or(self.end).is_some();
        let patience = Instant::now().checked_add(ENDING).filter(|_| !is_bounded);
        while patience.is_none_or(|patience| Instant::now() < patience) {
            let Some(child) = &mut self.child else { break };
            if child.ended_within(TICK).is_some() {
                break;
            }
            if let Some(over) = self.over(until) {
                return over;
            }
        }
        Ended::Closed
    }

    /// Reads once.
    fn read(&mut self, time: Duration) -> Result<(), Failure> {
        // A time of 0 would mean none.
        let time = time.max(Duration::from_millis(1));
        self.stream.set_read_timeout(Some(time)).map_err(|error| lost(&error))?;
        let read = match self.stream.read(&mut self.buffer) {
            Ok(read) => read,
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                    return Ok(());
                }
                // A game that ends may reset the connection.
                ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => 0,
                _ => return Err(lost(&error)),
            },
        };
        self.is_closed = read == 0;
        let bytes = self.buffer.get(..read).unwrap_or_default();
        self.session.handle(bytes, Instant::now());
        if let Some(tap) = &mut self.tap {
            tap(Way::FromGame, self.start.elapsed(), bytes, &self.session)?;
        }
        Ok(())
    }

    /// The exit status of the game, if the command started it, and if it has ended.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.as_mut()?.ended()
    }

    /// Leaves the game running at the end, if the command started it.
    pub(super) fn leave(&mut self) {
        if let Some(child) = &mut self.child {
            child.leave();
        }
    }
}

/// Whether a time is over.
pub(super) fn is_past(end: Option<Instant>) -> bool {
    end.is_some_and(|end| end <= Instant::now())
}
