//! [`Difference`]: a difference between two files. [`Conflict`]: two changes that exclude each other.

use std::convert::Infallible;

use pyo3::prelude::*;
use variant_document::Plain;
use variant_document::diff::{self, Change, Rule, Side, Sink, Stop, Value, files};
use variant_document::merge;
use variant_document::query::ROOT;

use crate::failure;
use crate::place::detached;

/// A difference between two files.
#[pyclass(frozen, eq, get_all, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// ``"changed"``, ``"added"`` or ``"removed"``.
    change: &'static str,
    /// The frame or setting, such as ``"frame 2"``, if the files have several values.
    called: Option<String>,
    /// The number of the frame or setting, counted from 1.
    frame: u64,
    /// The path of the value in its frame.
    path: String,
    /// The path in the other file, if it differs from ``path``.
    path_after: Option<String>,
    /// The value in this file as a short literal; ``None`` if it was added.
    before: Option<String>,
    /// The value in the other file as a short literal; ``None`` if it was removed.
    after: Option<String>,
    /// The offset of the value in this file.
    offset_before: Option<usize>,
    /// The offset of the value in the other file.
    offset_after: Option<usize>,
}

#[pymethods]
impl Difference {
    fn __repr__(&self) -> String {
        let Self { change, called, path, before, after, .. } = self;
        let called = called.as_ref().map(|called| format!("{called}: ")).unwrap_or_default();
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        format!("<Difference, {change} {called}{path}: {} to {}>", value(before), value(after))
    }
}

/// The differences of two files, at most `most`.
pub(crate) fn differences(
    py: Python<'_>,
    old: Plain<'_>,
    new: Plain<'_>,
    most: u64,
) -> PyResult<Vec<Difference>> {
    let rule = Rule { limit: Some(most), ..Rule::default() };
    let mut found = Found::default();
    let bytes = old.bytes.len().saturating_add(new.bytes.len());
    let outcome = detached(py, bytes, || files(old, new, &rule, &mut found).map(drop));
    outcome.map_err(|stop| refused(py, (old, new), &stop))?;
    Ok(found.0)
}

#[derive(Default)]
struct Found(Vec<Difference>);

impl<'a> Sink<'a> for Found {
    type Error = Infallible;

    fn difference(&mut self, difference: diff::Difference<'a>) -> Result<(), Infallible> {
        self.0.push(of(&difference));
        Ok(())
    }
}

fn of(difference: &diff::Difference<'_>) -> Difference {
    let piece = &difference.piece;
    let made = |change, old: Option<&Value<'_>>, new: Option<&Value<'_>>| {
        let path = old.or(new).map_or("", |value| within(&value.path));
        let moved = new.map(|value| within(&value.path)).filter(|new| *new != path);
        Difference {
            change,
            called: piece.called(),
            frame: piece.number,
            path: path.to_owned(),
            path_after: moved.map(ToOwned::to_owned),
            before: old.map(Value::literal),
            after: new.map(Value::literal),
            offset_before: old.map(|value| value.offset),
            offset_after: new.map(|value| value.offset),
        }
    };
    match &difference.change {
        Change::Changed { old, new } => made("changed", Some(old), Some(new)),
        Change::Removed(old) => made("removed", Some(old), None),
        Change::Added(new) => made("added", None, Some(new)),
        Change::Others { path, elements, ranges } => Difference {
            path: within(path).to_owned(),
            after: Some(format!("{elements} more elements in {ranges} ranges")),
            ..made("changed", None, None)
        },
        // Only a rule that compares the order reports it.
        Change::Reordered { path } => {
            Difference { path: within(path).to_owned(), ..made("changed", None, None) }
        }
    }
}

/// A path of a comparison, in which the root has a name, as a path of ``Document.at``.
fn within(path: &str) -> &str {
    if path == ROOT { "" } else { path }
}

fn refused(
    py: Python<'_>,
    (old, new): (Plain<'_>, Plain<'_>),
    stop: &Stop<'_, Infallible>,
) -> PyErr {
    let of = |side: Side| match side {
        Side::Old => (old, "this is in the first file"),
        Side::New => (new, "this is in the other file"),
    };
    let (error, note) = match stop {
        Stop::Data { side, piece, error } => {
            let (file, note) = of(*side);
            (failure::piece(py, file, piece, error), note)
        }
        Stop::Cut { side, error } => {
            let (file, note) = of(*side);
            (failure::cut(py, file, error, None), note)
        }
        Stop::Caller(never) => match *never {},
    };
    match error.value(py).call_method1("add_note", (note,)) {
        Ok(_) => error,
        Err(other) => other,
    }
}

/// A value that both files changed, in different ways.
#[pyclass(frozen, eq, get_all, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The number of the frame or setting, counted from 1.
    frame: u64,
    /// The path of the value in its frame.
    path: String,
    /// The value before both changes as a short literal; ``None`` if there was none.
    base: Option<String>,
    /// The value of this file; ``None`` if this file removed it.
    ours: Option<String>,
    /// The value of the other file; ``None`` if that file removed it.
    theirs: Option<String>,
}

impl From<merge::Conflict> for Conflict {
    fn from(conflict: merge::Conflict) -> Self {
        let merge::Conflict { frame, path, base, ours, theirs } = conflict;
        Self { frame, path, base, ours, theirs }
    }
}

#[pymethods]
impl Conflict {
    fn __repr__(&self) -> String {
        let Self { frame, path, ours, theirs, .. } = self;
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        format!("<Conflict, frame {frame}: {path}: {} or {}>", value(ours), value(theirs))
    }
}
