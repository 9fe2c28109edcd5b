//! [`Session`] and [`Game`]: the two sides of a connection between a debugger and a game, without sockets.
//!
//! The lock of a session is never held while Python runs: messages leave it as bytes, and become values of Python
//! afterwards.

mod command;
mod game;
mod message;
mod options;

pub(crate) use command::names as commands;
pub(crate) use game::Game;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use variant_debugger::{Error, Event, Message, SessionOptions, Versions};
use variant_owned::{EncodeOptions, Variant};
use variant_view::Dialect;

use self::message::Maker;
use crate::encode::{bare, owned};
use crate::failure;
use crate::options::DEPTH;
use crate::source::Source;

/// The debugger's side of one connection, without a socket.
///
/// ``handle`` takes the bytes of a game, and returns their messages; ``command`` returns the bytes of a command to the
/// game. What is not known in advance, the session learns from messages: ``family``, ``dialect`` and ``versions``.
/// ``limits`` has bounds on what the game may send: ``frame``, ``message``, ``frames``, ``depth``, ``values`` and
/// ``messages`` (docs/debugger.md#15-limits-and-floods). Threads may share a session.
#[pyclass(frozen, module = "variant_view.debug")]
#[derive(Debug)]
pub(crate) struct Session {
    limits: variant_debugger::Limits,
    session: Mutex<variant_debugger::Session>,
}

/// What a session found in the bytes of a game.
enum Arrived {
    /// The bytes of a message.
    Message(Vec<u8>),
    Damaged(Error),
    Dropped(u64),
}

impl Session {
    fn lock(&self) -> MutexGuard<'_, variant_debugger::Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the session while other threads run. So `work` cannot use Python.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut variant_debugger::Session) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut self.lock()))
    }

    /// Takes bytes. Returns what they complete, and what is known after them.
    fn take(&self, py: Python<'_>, data: &[u8]) -> (Vec<Arrived>, SessionOptions) {
        self.with(py, |session| {
            session.handle(data, Instant::now());
            let mut arrived = Vec::new();
            while let Some(event) = session.next_event() {
                arrived.push(event.map_or_else(Arrived::Damaged, |event| Arrived::of(&event)));
            }
            (arrived, options::known(session, self.limits))
        })
    }
}

impl Arrived {
    fn of(event: &Event<'_>) -> Self {
        if !event.bytes().is_empty() {
            return Self::Message(event.bytes().to_vec());
        }
        // Only the count of messages beyond the limit has no bytes.
        match event.message() {
            Message::Dropped { messages } => Self::Dropped(messages),
            _ => Self::Dropped(0),
        }
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (*, family = None, dialect = None, version = None, limits = None))]
    fn new(
        family: Option<&str>,
        dialect: Option<&str>,
        version: Option<&str>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let limits = options::limits(variant_debugger::Limits::GAME, limits)?;
        let options = options::session(family, dialect, version)?.limits(limits);
        Ok(Self { limits, session: Mutex::new(variant_debugger::Session::new(options)) })
    }

    /// Takes bytes of the game, in parts of any size, and returns the messages that they complete
    /// (``variant_view.debug.messages``). O(bytes).
    ///
    /// A damaged message is a ``Damaged``. After one whose ``is_fatal`` is true, the session has ended: close the
    /// connection.
    fn handle<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let source = Source::of(data)?;
        let data = source.bytes(py);
        let (arrived, known) = self.take(py, data);
        let maker = Maker::new(py)?;
        // The messages are read again, since the session may take other bytes meanwhile.
        let mut again = variant_debugger::Session::new(known);
        let mut made = Vec::new();
        for one in arrived {
            match one {
                Arrived::Damaged(error) => made.push(maker.damaged(&error)?),
                Arrived::Dropped(messages) => made.push(maker.dropped(messages)?),
                Arrived::Message(bytes) => {
                    again.handle(&bytes, Instant::now());
                    while let Some(event) = again.next_event() {
                        made.push(match event {
                            Ok(event) => maker.message(&event)?,
                            Err(error) => maker.damaged(&error)?,
                        });
                    }
                }
            }
        }
        Ok(made)
    }

    /// The bytes of a command (``COMMANDS`` has the names). O(bytes). ``signature`` describes its arguments.
    ///
    /// The command is for ``thread``; without it, for the thread that stopped last, or else for the main thread.
    ///
    /// Raises DebugError for a command that the game would not understand, or not survive.
    #[pyo3(signature = (name, *arguments, thread = None))]
    fn command<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        arguments: &Bound<'py, PyTuple>,
        thread: Option<i64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let dialect = self.with(py, |session| session.dialect());
        let given = variants(arguments.iter(), dialect.unwrap_or(Dialect::Godot4))?;
        let sent = py.detach(|| {
            command::with(name, &given, |command| match thread {
                Some(thread) => self.lock().send_to(thread, command),
                None => self.lock().send(command),
            })
        });
        match sent {
            Ok(Ok(bytes)) => Ok(PyBytes::new(py, &bytes)),
            Ok(Err(error)) => Err(failure::unsent(py, &error)),
            Err(misused) => Err(misused.into_error()),
        }
    }

    /// The name and the arguments of a command: ``"set_property(id, name, value)"``.
    #[staticmethod]
    fn signature(name: &str) -> PyResult<String> {
        command::signature(name).map_err(command::Misused::into_error)
    }

    /// The family: ``"frames"``, ``"frames-threads"``, ``"array"`` or ``"array-threads"``; ``None`` before a message shows it.
    #[getter]
    fn family(&self, py: Python<'_>) -> Option<&'static str> {
        self.with(py, |session| session.family()).map(variant_debugger::Family::name)
    }

    /// The dialect; ``None`` before a message shows it.
    #[getter]
    fn dialect(&self, py: Python<'_>) -> Option<&'static str> {
        self.with(py, |session| session.dialect()).map(Dialect::name)
    }

    /// The least and the greatest version of Godot 4 that the game may have, such as ``("4.2", None)``.
    #[getter]
    fn versions(&self, py: Python<'_>) -> (Option<String>, Option<String>) {
        let Versions { least, most } = self.with(py, |session| session.versions());
        (least.map(|version| version.to_string()), most.map(|version| version.to_string()))
    }

    /// The first line of output: the name and the version of the engine.
    #[getter]
    fn banner(&self, py: Python<'_>) -> Option<String> {
        self.with(py, |session| session.banner().map(ToOwned::to_owned))
    }

    /// The process id that the game claims. Never signal it: a script can claim any id.
    #[getter]
    fn pid(&self, py: Python<'_>) -> Option<i64> {
        self.with(py, |session| session.pid())
    }

    /// The main thread; ``None`` in families without threads.
    #[getter]
    fn main_thread(&self, py: Python<'_>) -> Option<i64> {
        self.with(py, |session| session.main_thread())
    }

    /// The stopped threads, in the order in which they stopped: a ``Stopped`` for each.
    #[getter]
    fn stopped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let stopped = self.with(py, |session| session.stopped().to_vec());
        Maker::new(py)?.stopped(stopped)
    }

    /// Whether a fatal fault in the bytes has ended the session.
    #[getter]
    fn has_failed(&self, py: Python<'_>) -> bool {
        self.with(py, |session| session.has_failed())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (family, dialect) = (self.family(py), self.dialect(py));
        format!("<Session, {}, {}>", family.unwrap_or("unknown"), dialect.unwrap_or("unknown"))
    }
}

/// Values of Python as values to send.
fn variants<'py>(
    given: impl Iterator<Item = Bound<'py, PyAny>>,
    dialect: Dialect,
) -> PyResult<Vec<Variant>> {
    let options = EncodeOptions::new(dialect).depth(DEPTH);
    given.map(|value| owned(value.py(), &bare(&value, options)?, options)).collect()
}
