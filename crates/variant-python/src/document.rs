//! [`Document`]: one value of a file, or of a packet.

use std::fmt::{self, Write as _};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use variant_document::query::{self, Query};
use variant_owned::json::Form;
use variant_view::PathStep;

use crate::edit::Edit;
use crate::failure;
use crate::how::How;
use crate::html;
use crate::place::Place;
use crate::text;

/// One value with everything in it: a packet, or a frame or setting of a file. It is read lazily.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct Document {
    place: Place,
    /// The name, if the value is a setting.
    name: Option<Vec<u8>>,
    /// How the file was opened; `None` for a packet.
    how: Option<Arc<How>>,
}

impl Document {
    pub(crate) const fn packet(place: Place) -> Self {
        Self { place, name: None, how: None }
    }

    pub(crate) const fn of_file(place: Place, name: Option<Vec<u8>>, how: Arc<How>) -> Self {
        Self { place, name, how: Some(how) }
    }

    pub(crate) const fn place(&self) -> &Place {
        &self.place
    }
}

#[pymethods]
impl Document {
    /// The value. A container is a view, another value is a value of Python. O(1).
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.place.read(py)
    }

    /// The name of the type of the value, such as ``"Dictionary"``. O(1).
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.place.kind(py)?.name())
    }

    /// The name of the dialect in which the value is read.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.place.options.dialect.name()
    }

    /// The name, if the value is a setting; otherwise ``None``.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.name.as_ref().map(|name| text::read(py, name)).transpose()
    }

    /// The offset of the value in the plain bytes of the file.
    #[getter]
    const fn offset(&self) -> usize {
        self.place.offset
    }

    /// The bytes of the value, without the bytes after it. O(bytes).
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        bytes(py, &self.place)
    }

    /// The value at a path such as ``player.items[3].name``. O(bytes of the containers on the path).
    ///
    /// | step | selects |
    /// |---|---|
    /// | ``name``, ``["any text"]`` | the value of a text key, or a property |
    /// | ``[&"name"]`` | the value of a ``StringName`` key, where the dialect distinguishes it from a ``String`` |
    /// | ``[3]`` | an element, or the value of the integer key 3 |
    /// | ``{3}``, ``{3:key}`` | the value, or the key, of pair 3 |
    ///
    /// Raises PathError if nothing is at the path. Raises DecodeError for damage anywhere in a dictionary or object on the path,
    /// even after the value, since the last of equal keys counts. An array is read up to the element.
    fn at<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        self.place.at(py, path)?.read(py)
    }

    /// The values that a path selects: pairs of path and value, in the order of the bytes. O(bytes). A path of more
    /// than 4,096 bytes is ``None``.
    ///
    /// In addition to the steps of ``at``, a path may have ``items[2:5]``, ``items[-1]``, ``items[*]``, ``player.*``, ``..gold``
    /// (any depth), and ``items[?hp<10]``, a filter with ``== != < <= > >=``, ``=~ "regular expression"``, ``&& || ! ( )``.
    ///
    /// Raises PathError for an invalid path, and DecodeError for damage on the way.
    fn select<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Bound<'py, PyList>> {
        select(py, &self.place, query)
    }

    /// The path of the innermost value that contains a byte. Offsets count in the plain bytes of the file. O(bytes before
    /// ``offset``).
    fn path_to(&self, py: Python<'_>, offset: usize) -> PyResult<String> {
        let document = self.place.document(py);
        let offset = offset.checked_sub(self.place.offset).unwrap_or(usize::MAX);
        let path = document.path_to(offset).map_err(|error| self.place.failure(py, error))?;
        Ok(path.to_string())
    }

    /// The whole value as values of Python. O(bytes).
    ///
    /// ``encode`` writes the same bytes again if an engine could have written them. Packed arrays are not copied: they
    /// keep the bytes of the file in memory.
    ///
    /// Raises DecodeError for damage.
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.place.to_python(py)
    }

    /// The whole value as JSON. O(bytes).
    ///
    /// By default the JSON is plain: it loses types, infinite numbers and keys that are not text. With ``exact`` nothing is
    /// lost.
    #[pyo3(signature = (*, exact = false, pretty = false))]
    fn to_json(&self, py: Python<'_>, exact: bool, pretty: bool) -> PyResult<String> {
        self.place.to_json(py, if exact { Form::Exact } else { Form::Plain }, pretty)
    }

    /// Reads every byte, and raises DecodeError for the first error. O(bytes); other threads run meanwhile.
    fn validate(&self, py: Python<'_>) -> PyResult<Summary> {
        let summary = self.place.validate(py)?;
        let size = u64::try_from(summary.consumed).unwrap_or(u64::MAX);
        Ok(Summary { documents: 1, values: summary.values, depth: summary.depth, size })
    }

    /// Changes of this value, to be written together. ``File.edit`` describes the result and ``backup``. Paths start at this
    /// value.
    #[pyo3(signature = (*, backup = true))]
    fn edit(&self, py: Python<'_>, backup: bool) -> PyResult<Edit> {
        let how = match &self.how {
            Some(how) => Arc::clone(how),
            None => Arc::new(How::packet(self.place.options)),
        };
        let frame = self.place.frame.number.map(|number| number.saturating_add(1));
        Edit::new(py, self.place.source.bytes(py), how, frame, backup)
    }

    /// Whether the other document is the same value of the same file.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let (own, other) = (&self.place, &other.get().place);
            Arc::ptr_eq(&own.source, &other.source) && own.offset == other.offset
        })
    }

    fn __hash__(&self) -> u64 {
        let place = (Arc::as_ptr(&self.place.source).addr(), self.place.offset);
        BuildHasherDefault::<DefaultHasher>::new().hash_one(place)
    }

    /// A table of the first items, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        html::of_place(py, &self.__repr__(py)?, &self.place)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (kind, dialect) = (self.place.kind(py)?, self.dialect());
        Ok(format!("<Document of {kind}, {dialect}, at byte {}>", self.place.offset))
    }
}

/// The counts of a validation.
#[pyclass(frozen, eq, module = "variant_view")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The number of frames or settings; 1 for a bare value.
    #[pyo3(get)]
    pub(crate) documents: u64,
    /// The number of values in the frames or settings, including keys and containers.
    #[pyo3(get)]
    pub(crate) values: u64,
    /// The depth of the deepest value.
    #[pyo3(get)]
    pub(crate) depth: u32,
    /// The number of bytes of all values.
    #[pyo3(get)]
    pub(crate) size: u64,
}

impl Summary {
    /// The counts of both summaries together.
    pub(crate) fn and(self, other: variant_view::Summary) -> Self {
        Self {
            documents: self.documents.saturating_add(1),
            values: self.values.saturating_add(other.values),
            depth: self.depth.max(other.depth),
            size: self.size.saturating_add(u64::try_from(other.consumed).unwrap_or(u64::MAX)),
        }
    }
}

#[pymethods]
impl Summary {
    fn __repr__(&self) -> String {
        let Self { documents, values, depth, size } = self;
        format!("Summary(documents={documents}, values={values}, depth={depth}, size={size})")
    }
}

pub(crate) fn bytes<'py>(py: Python<'py>, place: &Place) -> PyResult<Bound<'py, PyBytes>> {
    let len = place.len(py)?;
    Ok(PyBytes::new(py, place.bytes(py).get(..len).unwrap_or_default()))
}

/// The values that a path selects, with their paths.
pub(crate) fn select<'py>(
    py: Python<'py>,
    place: &Place,
    query: &str,
) -> PyResult<Bound<'py, PyList>> {
    let parsed = Query::parse(query).map_err(|what| failure::path(py, &what, query))?;
    PyList::new(py, matches(py, place, &parsed)?)
}

/// The path and the value of each match. A path of more than [`LONGEST_PATH`] bytes is `None`.
pub(crate) fn matches<'py>(
    py: Python<'py>,
    place: &Place,
    query: &Query,
) -> PyResult<Vec<(Option<String>, Bound<'py, PyAny>)>> {
    let document = place.document(py);
    let found = crate::place::detached(py, document.bytes().len(), || {
        let mut found = Vec::new();
        let outcome = query::select(&document, query, |matched| {
            found.push((path_of(matched.path), matched.start));
            Ok::<_, std::convert::Infallible>(())
        });
        match outcome {
            Ok(()) => Ok(found),
            Err(query::Stop::Data(error)) => Err(error),
            Err(query::Stop::Caller(never)) => match never {},
        }
    });
    let found = found.map_err(|error| place.failure(py, error))?;
    // The depth of a value does not matter, as in `Place::of`.
    let pairs = found.into_iter().map(|(path, start)| Ok((path, place.inner(start, 0).read(py)?)));
    pairs.collect()
}

/// The longest path that is returned, in bytes. A key may be nearly as long as the file, and be a step in the path of
/// each value below it.
const LONGEST_PATH: usize = 4_096;

/// Steps as a path; `None` if it has more than [`LONGEST_PATH`] bytes.
fn path_of(steps: &[PathStep<'_>]) -> Option<String> {
    let is_long = |step: &PathStep<'_>| match step {
        PathStep::Name(name) | PathStep::StringName(name) => name.len() > LONGEST_PATH,
        _ => false,
    };
    // A long name is not written again for each value below it: only its length is checked.
    if steps.iter().any(is_long) {
        return None;
    }
    let mut path = Short(String::new());
    steps.iter().try_for_each(|step| write!(path, "{step}")).ok()?;
    let Short(path) = path;
    Some(path.strip_prefix('.').map_or_else(|| path.clone(), ToOwned::to_owned))
}

/// A text of bounded length.
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len().saturating_add(text.len()) > LONGEST_PATH {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}
