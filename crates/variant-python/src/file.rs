//! [`File`]: the values of a file.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PySlice, PyTuple};
use variant_document::edit::{Draft, Rivals};
use variant_document::{EditError, Piece, Plain};
use variant_io::{ValueError, Wrapping};

use crate::document::{Document, Summary};
use crate::failure::{self, Facts};
use crate::open::{self, Candidate};
use crate::place::{Frame, Place, detached};
use crate::source::Source;

/// The values of a file, as a sequence of documents: frames, settings, or one bare value.
///
/// A file is a context manager. Values that were read from a file remain usable after it is closed: its bytes are freed when
/// the last of these values is freed.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct File {
    /// The source of the bytes; `None` after the file is closed.
    source: Mutex<Option<Arc<Source>>>,
    frames: PyOnceLock<Frames>,
    how: How,
}

/// The framing and options to read the bytes of a file, and the layers around the bytes.
#[derive(Debug)]
pub(crate) struct How {
    /// The framing and options, without the bytes.
    pub(crate) plain: Plain<'static>,
    pub(crate) is_certain: bool,
    /// The other engines that may have written the file.
    pub(crate) rivals: Rivals,
    pub(crate) is_mapped: bool,
    pub(crate) wrapping: Wrapping,
    pub(crate) notes: Vec<String>,
}

/// The offsets and names of the values of a file.
#[derive(Debug, Default)]
struct Frames {
    all: Vec<(Frame, Option<Vec<u8>>)>,
    /// The error after the last whole value.
    broken: Option<ValueError>,
}

impl Frames {
    fn of(plain: Plain<'_>) -> Self {
        let mut frames = Self::default();
        for piece in plain.pieces() {
            match piece {
                Ok(Piece { number, start, bytes, name, .. }) => {
                    let end = start.saturating_add(bytes.len());
                    let frame = Frame { start, end, number: number.checked_sub(1) };
                    frames.all.push((frame, name.map(Vec::from)));
                }
                Err(error) => frames.broken = Some(error),
            }
        }
        frames
    }
}

impl File {
    pub(crate) fn new(source: Source, how: How) -> Self {
        Self { source: Mutex::new(Some(Arc::new(source))), frames: PyOnceLock::new(), how }
    }

    fn source(&self) -> PyResult<Arc<Source>> {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        source.clone().ok_or_else(|| PyValueError::new_err("the file is closed"))
    }

    fn frames(&self, py: Python<'_>, source: &Source) -> PyResult<&Frames> {
        self.frames.get_or_try_init(py, || {
            let plain = self.how.plain.with_bytes(source.bytes(py));
            Ok(detached(py, plain.bytes.len(), || Frames::of(plain)))
        })
    }

    /// An error if the file ends within a value.
    fn broken(&self, py: Python<'_>, frames: &Frames) -> PyResult<()> {
        let Some(error) = &frames.broken else { return Ok(()) };
        let at = self.how.plain.absolute(error.offset());
        let facts = Facts {
            offset: u64::try_from(at).ok(),
            path: Some(String::new()),
            frame: u64::try_from(frames.all.len()).ok(),
            found: Some(error.to_string()),
            expected: Some("the file was cut short, or has another framing".to_owned()),
            category: Some("truncated"),
        };
        Err(failure::decode(py, &error.to_string(), facts))
    }

    fn document(&self, source: &Arc<Source>, frame: &(Frame, Option<Vec<u8>>)) -> Document {
        Document::new(Arc::clone(source), frame.0, self.how.plain.options, frame.1.clone())
    }

    /// The file after a change, compressed and encrypted as before.
    pub(crate) fn changed<'py>(
        &self,
        py: Python<'py>,
        change: impl FnOnce(&mut Draft<'_>) -> Result<(), EditError> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let source = self.source()?;
        let How { plain, rivals, .. } = &self.how;
        let before = plain.with_bytes(source.bytes(py));
        let changed = detached(py, before.bytes.len(), || {
            let mut draft = Draft::new(before);
            change(&mut draft)?;
            rivals.check_changed(before, draft.plain())?;
            Ok(draft.into_bytes())
        });
        self.wrap(py, &changed.map_err(|error| failure::unmigrated(py, &error))?)
    }

    /// Reads every byte, and returns the counts.
    pub(crate) fn summary(&self, py: Python<'_>) -> PyResult<Summary> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        let mut all = Summary::default();
        for (frame, _) in &frames.all {
            let place = Place::root(Arc::clone(&source), *frame, self.how.plain.options);
            all = all.and(place.validate(py)?);
        }
        self.broken(py, frames)?;
        Ok(all)
    }
}

#[pymethods]
impl File {
    /// The name of the dialect in which the values are read.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.how.plain.options.dialect.name()
    }

    /// How the file separates its values: ``"bare"``, ``"frames"``, ``"frames-be"``, ``"settings"`` or ``"sequence"``.
    #[getter]
    const fn framing(&self) -> &'static str {
        self.how.plain.framing.name()
    }

    /// The rule for the width of reals: ``"by-flag"`` or ``"always64"``.
    #[getter]
    const fn reals(&self) -> &'static str {
        self.how.plain.options.reals.name()
    }

    /// Whether the bytes or the caller determine dialect and framing. If not, ``detect`` returns the alternatives.
    #[getter]
    const fn is_certain(&self) -> bool {
        self.how.is_certain
    }

    /// Whether the file is mapped into memory.
    #[getter]
    const fn is_mapped(&self) -> bool {
        self.how.is_mapped
    }

    /// The layers around the values, the outermost first: ``"compressed with zstd ..."``.
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.how.wrapping.layers().iter().map(ToString::to_string).collect::<Vec<_>>(),
        )
    }

    /// The bytes after the last value, which belong to no value: a checksum, or the end of an older, longer file. O(bytes).
    #[getter]
    fn tail<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let source = self.source()?;
        let bytes = source.bytes(py);
        let tail = detached(py, bytes.len(), || self.how.plain.with_bytes(bytes).after());
        Ok(PyBytes::new(py, tail))
    }

    /// Notes, a line each: missing parts of damaged layers, bytes after the end of a layer, bytes after the last frame.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.how.notes)
    }

    /// The number of plain bytes: decompressed and decrypted. Offsets count in the plain bytes.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.source()?.bytes(py).len())
    }

    /// Whether ``close`` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.source().is_err()
    }

    /// The plain bytes. O(bytes).
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.source()?.bytes(py)))
    }

    /// The candidates for framing and dialect, the likeliest first. O(bytes); other threads run meanwhile.
    fn detect(&self, py: Python<'_>) -> PyResult<Vec<Candidate>> {
        let source = self.source()?;
        let body = source.bytes(py).get(self.how.plain.skipped..).unwrap_or_default();
        Ok(detached(py, body.len(), || open::candidates(body)))
    }

    /// Reads every byte of every value, and raises DecodeError for the first error. O(bytes); other threads run meanwhile.
    fn validate(&self, py: Python<'_>) -> PyResult<Summary> {
        self.summary(py)
    }

    /// Compresses and encrypts other plain bytes, such as those from ``encode``, in the same way as this file.
    /// O(bytes). ``plain`` must be the contents of the whole file: ``file.wrap(changed + file.tail)`` keeps the bytes
    /// after the values.
    fn wrap<'py>(&self, py: Python<'py>, plain: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let wrapping = &self.how.wrapping;
        let wrapped = detached(py, plain.len(), || wrapping.wrap(plain));
        let wrapped =
            wrapped.map_err(|error| failure::layer(py, &error.to_string(), "layer", None))?;
        Ok(PyBytes::new(py, &wrapped))
    }

    /// Closes the file. Its bytes are freed if no value uses them.
    fn close(&self) {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(source);
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// The number of values. The first call is O(values), later calls are O(1). Raises DecodeError if the file ends within a value.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        self.broken(py, frames)?;
        Ok(frames.all.len())
    }

    /// A document, or a list of the documents of a slice.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        if let Ok(slice) = index.cast::<PySlice>() {
            self.broken(py, frames)?;
            let all = crate::container::positions(slice, frames.all.len())?;
            let documents = all.filter_map(|at| frames.all.get(at));
            let documents = documents.map(|frame| Bound::new(py, self.document(&source, frame)));
            return Ok(PyList::new(py, documents.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let index: isize = index.extract()?;
        // If the file is cut within a value, its number of values is unknown. Negative indexes, and indexes past the
        // last whole value, are then errors.
        let is_there = usize::try_from(index).is_ok_and(|index| index < frames.all.len());
        if !is_there {
            self.broken(py, frames)?;
        }
        let at = crate::container::position(index, frames.all.len())?;
        let frame = frames.all.get(at).ok_or_else(|| PyValueError::new_err("no such value"))?;
        Ok(Bound::new(py, self.document(&source, frame))?.into_any())
    }

    /// The position of a document of this file. O(values).
    fn index(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let documents = slf.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(slf.py(), documents)?.call_method1("index", (value,))?.unbind())
    }

    /// The number of documents that are equal to ``value``: 1 for a document of this file, otherwise 0. O(values).
    fn count(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let documents = slf.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(slf.py(), documents)?.call_method1("count", (value,))?.unbind())
    }

    fn __repr__(&self) -> String {
        let state = if self.closed() { "closed File" } else { "File" };
        format!("<{state}, {}, {}>", self.framing(), self.dialect())
    }
}
