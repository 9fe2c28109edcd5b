//! [`Difference`]: a difference between two files. [`Conflict`]: two changes that exclude each other.

use std::convert::Infallible;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use variant_document::Plain;
use variant_document::diff::{self, Change, Rule, Side, Sink, Stop, Value, files};
use variant_document::merge;
use variant_document::names::one_of;
use variant_document::query::ROOT;

use crate::classes::classes;
use crate::failure;
use crate::options;
use crate::place::detached;

/// A difference between two files.
#[pyclass(frozen, eq, get_all, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// ``"changed"``, ``"added"``, ``"removed"`` or ``"others"``. If a packed array differs in many ranges, each of the first
    /// ranges is a difference, and ``"others"`` is one difference for all other ranges. Its ``path`` is that of the elements
    /// from the first to the last of them, and its ``after`` says how many elements and ranges these are.
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

/// The values of `Difference.change`.
const CHANGES: [(&str, &str); 4] =
    [("changed", "changed"), ("added", "added"), ("removed", "removed"), ("others", "others")];

#[pymethods]
impl Difference {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the arguments are the fields")]
    fn new(
        change: &str,
        called: Option<String>,
        frame: u64,
        path: String,
        path_after: Option<String>,
        before: Option<String>,
        after: Option<String>,
        offset_before: Option<usize>,
        offset_after: Option<usize>,
    ) -> PyResult<Self> {
        let change = one_of("change", change, &CHANGES).map_err(options::unknown)?;
        Ok(Self {
            change,
            called,
            frame,
            path,
            path_after,
            before,
            after,
            offset_before,
            offset_after,
        })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let place = (self.change, &self.called, self.frame, &self.path, &self.path_after);
        let values = (&self.before, &self.after, self.offset_before, self.offset_after);
        let [place, values] = [place.into_pyobject(py)?, values.into_pyobject(py)?];
        place.as_sequence().concat(values.as_sequence())?.to_tuple()
    }

    fn __repr__(&self) -> String {
        let Self { change, called, path, before, after, .. } = self;
        let place = failure::placed(called.as_deref(), path);
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        format!("<Difference, {change} {place}: {} to {}>", value(before), value(after))
    }
}

/// The differences of two files, at most `most`, as a `Found`.
pub(crate) fn differences<'py>(
    py: Python<'py>,
    old: Plain<'_>,
    new: Plain<'_>,
    most: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let rule = Rule { limit: Some(most), ..Rule::default() };
    let mut found = Found::default();
    let bytes = old.bytes.len().saturating_add(new.bytes.len());
    let outcome = detached(py, bytes, || files(old, new, &rule, &mut found));
    let summary = outcome.map_err(|stop| refused(py, (old, new), &stop))?;
    let total = summary.total(rule.is_ordered);
    classes(py)?.found.bind(py).call1((found.list, total, total > found.count))
}

#[derive(Default)]
struct Found {
    list: Vec<Difference>,
    /// The number of differences in the list. `Change::Others` counts as the number of its ranges, as in `Summary`.
    count: u64,
}

impl<'a> Sink<'a> for Found {
    type Error = Infallible;

    fn difference(&mut self, difference: diff::Difference<'a>) -> Result<(), Infallible> {
        let count = match difference.change {
            Change::Others { ranges, .. } => ranges,
            _ => 1,
        };
        self.count = self.count.saturating_add(count);
        self.list.push(of(&difference));
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
            ..made("others", None, None)
        },
        // `Rule::default` ignores the order, so this does not occur.
        Change::Reordered { path } => {
            Difference { path: within(path).to_owned(), ..made("changed", None, None) }
        }
    }
}

/// Converts a path of a comparison to a path of ``Document.at``. Only a comparison has a name for the root.
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
    failure::noted(py, error, note)
}

/// A value that both files changed, in different ways.
#[pyclass(frozen, eq, get_all, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The frame or setting, such as ``"frame 2"``, if the files have several values.
    called: Option<String>,
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
        let merge::Conflict { frame, called, path, base, ours, theirs } = conflict;
        Self { called, frame, path, base, ours, theirs }
    }
}

/// The arguments that make a conflict.
type ConflictParts<'c> =
    (Option<&'c str>, u64, &'c str, Option<&'c str>, Option<&'c str>, Option<&'c str>);

#[pymethods]
impl Conflict {
    #[new]
    const fn new(
        called: Option<String>,
        frame: u64,
        path: String,
        base: Option<String>,
        ours: Option<String>,
        theirs: Option<String>,
    ) -> Self {
        Self { called, frame, path, base, ours, theirs }
    }

    fn __getnewargs__(&self) -> ConflictParts<'_> {
        let Self { called, frame, path, base, ours, theirs } = self;
        (called.as_deref(), *frame, path, base.as_deref(), ours.as_deref(), theirs.as_deref())
    }

    fn __repr__(&self) -> String {
        let Self { called, path, ours, theirs, .. } = self;
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        let place = failure::placed(called.as_deref(), path);
        format!("<Conflict, {place}: {} or {}>", value(ours), value(theirs))
    }
}
