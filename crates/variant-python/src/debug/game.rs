//! [`Game`]: the game's side of one connection, for tests.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use variant_debugger::{Error, Family, Limits, List, Message, Value};
use variant_view::Options;

use super::message::Maker;
use super::{options, variants};
use crate::failure;
use crate::place::{Frame, Place};
use crate::source::Source;

/// The game's side of one connection, without a socket: for tests of programs that debug games.
///
/// ``version`` is the version of Godot 4, such as ``"4.4"``. ``limits`` has bounds on what the debugger may send.
#[pyclass(frozen, module = "variant_view.debug")]
#[derive(Debug)]
pub(crate) struct Game {
    game: Mutex<variant_debugger::Game>,
}

/// A command as bytes: its name, its thread, and its frame without the length word.
type Asked = (String, Option<i64>, Vec<u8>);

impl Game {
    /// Calls `work` with the game while other threads run. So `work` cannot use Python.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut variant_debugger::Game) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut self.game.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn take(&self, py: Python<'_>, data: &[u8]) -> Vec<Result<Asked, Error>> {
        self.with(py, |game| {
            game.handle(data, Instant::now());
            let mut asked = Vec::new();
            while let Some(request) = game.next_request() {
                asked.push(request.map(|request| {
                    let frame = request.bytes().get(4..).unwrap_or_default();
                    (request.name().to_owned(), request.thread(), frame.to_vec())
                }));
            }
            asked
        })
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (dialect = "godot4", *, version = None, main_thread = None, limits = None))]
    fn new(
        dialect: &str,
        version: Option<&str>,
        main_thread: Option<i64>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let limits = options::limits(Limits::DEBUGGER, limits)?;
        let options = options::game(dialect, version, main_thread, limits)?;
        Ok(Self { game: Mutex::new(variant_debugger::Game::new(options)) })
    }

    /// Takes bytes of the debugger, in parts of any size, and returns the commands that they complete: a ``Request``
    /// for each, or a ``Damaged``. O(bytes).
    fn handle<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let source = Source::of(data)?;
        let data = source.bytes(py);
        let asked = self.take(py, data);
        let options = self.with(py, |game| *game.options());
        let maker = Maker::new(py)?;
        let request = |asked: Result<Asked, Error>| {
            let (name, thread, bytes) = match asked {
                Ok(asked) => asked,
                Err(error) => return maker.damaged(&error),
            };
            let frame = Frame { start: 0, end: bytes.len(), number: None };
            let source = Arc::new(Source::Own(bytes));
            let place = Place::root(source, frame, Options::engine(options.dialect));
            maker.request(&name, thread, &arguments(&place.to_python(py)?, options.family)?)
        };
        asked.into_iter().map(request).collect()
    }

    /// The bytes of a message with its name on the wire and its elements, from ``thread`` or the main thread. O(bytes).
    ///
    /// Raises EncodeError for a value that the dialect cannot hold, and DebugError for one that engines refuse.
    #[pyo3(signature = (name, elements, *, thread = None))]
    fn send<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        elements: &Bound<'py, PyAny>,
        thread: Option<i64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let options = self.with(py, |game| *game.options());
        let given: Vec<_> = elements.try_iter()?.collect::<PyResult<_>>()?;
        let given = variants(given.into_iter(), options.dialect)?;
        let sent = self.with(py, |game| {
            let values: Vec<_> = given.iter().map(Value::from).collect();
            let message = Message::Custom { name: name.into(), elements: List::from(&values) };
            game.send_from(thread.unwrap_or(options.main_thread), &message)
        });
        Ok(PyBytes::new(py, &sent.map_err(|error| failure::unsent(py, &error))?))
    }
}

/// The arguments in the array of a command.
fn arguments<'py>(array: &Bound<'py, PyAny>, family: Family) -> PyResult<Bound<'py, PyTuple>> {
    let array = array.cast::<PyList>()?;
    let len = array.len();
    if !family.is_array() {
        let head = if family.has_threads() { 2 } else { 1 };
        return Ok(array.get_slice(head, len).to_tuple());
    }
    match len.checked_sub(1) {
        Some(end) => Ok(array.get_item(end)?.cast::<PyList>()?.to_tuple()),
        None => Ok(array.to_tuple()),
    }
}
