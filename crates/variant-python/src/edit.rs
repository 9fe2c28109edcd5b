//! [`Edit`]: changes of a file, with undo.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use variant_document::EditError;
use variant_document::edit::{self, Action, Draft, History, literal};
use variant_document::output::OutputError;
use variant_document::query::Address;
use variant_io::{Framing, RewrapError};
use variant_owned::{EncodeOptions, Variant};

use crate::encode::{bare, owned};
use crate::failure;
use crate::how::How;
use crate::options::DEPTH;
use crate::origin::{self, Origin};
use crate::place::detached;

/// Changes of a file. As a context manager, it writes the file at the end of the block, unless an exception ends the
/// block or nothing changed::
///
///     with vv.open("save.gdec", password="secret").edit() as save:
///         save.set("player.gold", 9999)
///
/// The new file is written completely, and then it replaces the old file, which is kept under its name with ``~`` at
/// the end. Compression, encryption, frames, the bytes around the values and all values that are not changed stay as
/// they are. A block for a file that was opened from bytes writes nothing: ``tobytes`` returns the new file. The end of the
/// block writes the opened file even if ``save(path)`` has written another file before.
///
/// A path selects values as in ``Document.select``. ``frame`` is the number of the frame, counted from 1. Its default is the
/// frame that the path names (``"frame 2: hp"``), otherwise the first. In a file of settings, a path begins with the name of
/// the setting.
///
/// A change raises EditError if it cannot be made, and EncodeError for a value that is not a Variant. Each change is
/// O(bytes of the file); other threads run meanwhile.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct Edit {
    how: Arc<How>,
    /// The number of the frame for paths that do not name a frame.
    frame: Option<u64>,
    keeps_old: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    draft: Draft<'static>,
    origin: Option<Origin>,
    history: History,
    /// The state of the history when the file was saved.
    saved: u64,
}

impl State {
    fn is_changed(&self) -> bool {
        self.history.state() != self.saved
    }
}

/// Why changes were not saved.
enum Unsaved {
    NoPath,
    Mapped,
    Layer(RewrapError),
    Output(PathBuf, OutputError),
}

impl Edit {
    pub(crate) fn new(
        py: Python<'_>,
        bytes: &[u8],
        how: Arc<How>,
        frame: Option<u64>,
        keeps_old: bool,
    ) -> PyResult<Self> {
        how.check_whole(py)?;
        let owned = detached(py, bytes.len(), || bytes.to_vec());
        let (draft, origin) = (Draft::owned(owned, how.plain), how.origin.clone());
        let state = State { draft, origin, history: History::default(), saved: 0 };
        Ok(Self { how, frame, keeps_old, state: Mutex::new(state) })
    }

    /// Calls `work` with the state while other threads run. So `work` cannot use Python.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut State) -> T + Send) -> T {
        py.detach(|| work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn make(
        &self,
        py: Python<'_>,
        path: &str,
        frame: Option<u64>,
        action: Action,
    ) -> PyResult<Vec<Change>> {
        let names_frame =
            Address::split(path).0.is_some() || self.how.plain.framing == Framing::Settings;
        let frame = frame.or(self.frame).or_else(|| (!names_frame).then_some(1));
        let change = edit::Edit { frame, path: path.to_owned(), action };
        let made = self.with(py, |state| {
            let State { draft, history, .. } = state;
            history.make(draft, &self.how.rivals, &[change]).map(<[_]>::to_vec)
        });
        Ok(told(made.map_err(|error| failure::edit(py, &error, Some(path)))?))
    }

    /// Reads a value, which is given as a value of Python or as the text of a literal.
    fn value(&self, value: &Bound<'_, PyAny>, is_literal: bool, path: &str) -> PyResult<Variant> {
        let (py, options) = (value.py(), self.how.plain.options);
        if is_literal {
            let text: &str = value.extract()?;
            return literal(text, options.dialect)
                .map_err(|why| failure::literal(py, &format!("{text}: {why}"), path));
        }
        let encoding = EncodeOptions::new(options.dialect).reals(options.reals).depth(DEPTH);
        owned(py, &bare(value, encoding)?, encoding)
    }

    fn save_to(&self, state: &mut State, path: Option<PathBuf>) -> Result<Vec<String>, Unsaved> {
        let mut notes = Vec::new();
        let own = state
            .origin
            .as_ref()
            .filter(|origin| path.as_ref().is_none_or(|path| origin.is_at(path)));
        let (own, path) = match (own, path) {
            (Some(origin), _) => (true, origin.path().to_owned()),
            (None, Some(path)) => (false, path),
            (None, None) => return Err(Unsaved::NoPath),
        };
        if own && !state.is_changed() {
            return Ok(notes);
        }
        if own && self.how.is_mapped {
            return Err(Unsaved::Mapped);
        }
        let bytes = self.how.wrapping.wrap(state.draft.bytes()).map_err(Unsaved::Layer)?;
        let written = match &mut state.origin {
            Some(origin) if own => origin.replace(&bytes, self.keeps_old, &mut notes),
            _ => origin::write(&path, &bytes, &mut notes),
        };
        written.map_err(|error| Unsaved::Output(path, error))?;
        if own {
            state.saved = state.history.state();
        }
        Ok(notes)
    }
}

#[pymethods]
impl Edit {
    /// Replaces the values at a path. Returns the changes.
    ///
    /// ``value`` is a value as ``encode`` takes it. With ``literal``, it is a text as scripts write it:
    /// ``set("at", "Vector2(1, 2)", literal=True)``. The value gets the type of the old value if it loses nothing by that: an
    /// ``int`` that replaces a float becomes a float.
    #[pyo3(signature = (path, value, *, frame = None, literal = false))]
    fn set(
        &self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
        frame: Option<u64>,
        literal: bool,
    ) -> PyResult<Vec<Change>> {
        let action = Action::Set(self.value(value, literal, path)?);
        self.make(py, path, frame, action)
    }

    /// Adds a value, given as in ``set``. Returns the changes. The last step of the path is the new key, the index of the new
    /// element, or ``[+]`` for the end of an array.
    #[pyo3(signature = (path, value, *, frame = None, literal = false))]
    fn insert(
        &self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
        frame: Option<u64>,
        literal: bool,
    ) -> PyResult<Vec<Change>> {
        let action = Action::Insert(self.value(value, literal, path)?);
        self.make(py, path, frame, action)
    }

    /// Removes the values at a path from their containers. Returns the changes.
    #[pyo3(signature = (path, *, frame = None))]
    fn delete(&self, py: Python<'_>, path: &str, frame: Option<u64>) -> PyResult<Vec<Change>> {
        self.make(py, path, frame, Action::Delete)
    }

    /// Replaces the keys of the values at a path by ``key``. Returns the changes. The values stay at their positions.
    #[pyo3(signature = (path, key, *, frame = None))]
    fn rename_key(
        &self,
        py: Python<'_>,
        path: &str,
        key: String,
        frame: Option<u64>,
    ) -> PyResult<Vec<Change>> {
        self.make(py, path, frame, Action::RenameKey(key))
    }

    /// Undoes the last change. Returns the changes that are undone, an empty list if there are none.
    fn undo(&self, py: Python<'_>) -> PyResult<Vec<Change>> {
        let undone = self.with(py, |State { draft, history, .. }| steps(history.undo(draft)));
        Ok(told(undone.map_err(|error| failure::edit(py, &error, None))?))
    }

    /// Makes the last undone change again. Returns the changes, an empty list if nothing was undone.
    fn redo(&self, py: Python<'_>) -> PyResult<Vec<Change>> {
        let redone = self.with(py, |State { draft, history, .. }| steps(history.redo(draft)));
        Ok(told(redone.map_err(|error| failure::edit(py, &error, None))?))
    }

    /// The changes that were not undone, in order. The list has at most the first 100 changes of each call.
    #[getter]
    fn changes(&self, py: Python<'_>) -> Vec<Change> {
        let all = |state: &mut State| state.history.changes().cloned().collect();
        told(self.with(py, all))
    }

    /// Whether there are changes that were not saved.
    #[getter]
    fn is_changed(&self, py: Python<'_>) -> bool {
        self.with(py, |state| state.is_changed())
    }

    /// The bytes of the file with the changes, compressed and encrypted as before. O(bytes).
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let wrapped = self.with(py, |state| self.how.wrapping.wrap(state.draft.bytes()));
        Ok(PyBytes::new(py, &wrapped.map_err(|error| failure::rewrap(py, &error))?))
    }

    /// Writes the file with the changes: to ``path``, or by default to the file that was opened, if there are changes.
    ///
    /// The file is written beside the old file and renamed. If it cannot be renamed, for example because it has hard links,
    /// it is written in place while a copy keeps the old bytes; a warning says so.
    ///
    /// Raises OSError if the file cannot be written, or was changed by another program since it was opened. Raises
    /// ValueError for a file that was opened from bytes, or with ``mmap``, unless another path is named.
    #[pyo3(signature = (path = None))]
    fn save(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<()> {
        let notes = self.with(py, |state| self.save_to(state, path));
        let notes = notes.map_err(|unsaved| match unsaved {
            Unsaved::NoPath => PyValueError::new_err("the file has no path; name one: save(path)"),
            Unsaved::Mapped => {
                PyValueError::new_err("a mapped file is not replaced; open it without mmap")
            }
            Unsaved::Layer(error) => failure::rewrap(py, &error),
            Unsaved::Output(path, error) => failure::output(&error, &path),
        })?;
        notes.iter().try_for_each(|note| {
            let note = std::ffi::CString::new(note.replace('\0', "\\0"))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &note, 1)
        })
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&self, py: Python<'_>, exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        let has_failed = exception.get_item(0).is_ok_and(|class| !class.is_none());
        let has_path = self.how.origin.is_some();
        if has_failed || !has_path { Ok(()) } else { self.save(py, None) }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let count = self.with(py, |state| state.history.len());
        format!("<Edit, {}>", variant_document::count::counted(count, "step"))
    }
}

/// A change of a file: a path, and the old and the new value as texts.
#[pyclass(frozen, eq, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change(edit::Change);

/// The changes of a step that was undone or redone.
fn steps(step: Result<Option<&[edit::Change]>, EditError>) -> Result<Vec<edit::Change>, EditError> {
    Ok(step?.unwrap_or_default().to_vec())
}

fn told(changes: Vec<edit::Change>) -> Vec<Change> {
    changes.into_iter().map(Change).collect()
}

#[pymethods]
impl Change {
    #[new]
    const fn new(
        called: Option<String>,
        path: String,
        before: Option<String>,
        after: Option<String>,
    ) -> Self {
        Self(edit::Change { called, path, before, after })
    }

    fn __getnewargs__(&self) -> (Option<&str>, &str, Option<&str>, Option<&str>) {
        (self.called(), self.path(), self.before(), self.after())
    }

    /// The frame, such as ``"frame 2"``, if the file has several values.
    #[getter]
    fn called(&self) -> Option<&str> {
        self.0.called.as_deref()
    }

    /// The path of the value. In a file of settings, it begins with the name of the setting.
    #[getter]
    fn path(&self) -> &str {
        &self.0.path
    }

    /// The old value as a short literal; ``None`` if the value was inserted.
    #[getter]
    fn before(&self) -> Option<&str> {
        self.0.before.as_deref()
    }

    /// The new value as a short literal; ``None`` if the value was deleted.
    #[getter]
    fn after(&self) -> Option<&str> {
        self.0.after.as_deref()
    }

    fn __repr__(&self) -> String {
        let edit::Change { called, path, before, after } = &self.0;
        let place = failure::placed(called.as_deref(), path);
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        format!("<Change {place}: {} to {}>", value(before), value(after))
    }
}
