//! [`File`]: the values of a file.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PySlice, PyTuple};
use variant_document::Plain;
use variant_io::{Framing, ValueError, Wrapping};
use variant_view::Options;

use crate::document::{Document, Summary};
use crate::failure::{self, Facts};
use crate::open::{self, Candidate};
use crate::place::{Frame, Place, detached};
use crate::source::Source;

/// The values of a file, as a sequence of documents: frames, settings, or one bare value.
///
/// A context manager. Values read from a closed file remain usable: the bytes are freed with the last of them.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct File {
    /// `None` when it is closed.
    source: Mutex<Option<Arc<Source>>>,
    frames: PyOnceLock<Frames>,
    how: How,
}

/// How the bytes of a file are read, and the layers around them.
#[derive(Debug)]
pub(crate) struct How {
    pub(crate) framing: Framing,
    pub(crate) options: Options,
    /// The number of bytes before the values.
    pub(crate) skipped: usize,
    /// The number of bytes after the frames.
    pub(crate) tail: usize,
    pub(crate) is_certain: bool,
    pub(crate) is_mapped: bool,
    pub(crate) wrapping: Wrapping,
    pub(crate) notes: Vec<String>,
}

impl How {
    const fn plain<'f>(&self, bytes: &'f [u8]) -> Plain<'f> {
        Plain::new(bytes, self.framing, self.options).skip(self.skipped).without_tail(self.tail)
    }
}

/// The places of the values of a file.
#[derive(Debug, Default)]
struct Frames {
    all: Vec<(Frame, Option<Vec<u8>>)>,
    /// The error after them.
    broken: Option<ValueError>,
}

impl Frames {
    fn of(bytes: &[u8], how: &How) -> Self {
        let mut frames = Self::default();
        for value in how.framing.values(how.plain(bytes).body()) {
            match value {
                Ok(value) => {
                    let start = how.skipped.saturating_add(value.start);
                    let end = start.saturating_add(value.bytes.len());
                    let number = value.number.checked_sub(1);
                    frames.all.push((Frame { start, end, number }, value.name.map(Vec::from)));
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
            let (bytes, how) = (source.bytes(py), &self.how);
            Ok(detached(py, bytes.len(), || Frames::of(bytes, how)))
        })
    }

    /// An error if the file ends within a value.
    fn broken(&self, py: Python<'_>, frames: &Frames) -> PyResult<()> {
        let Some(error) = &frames.broken else { return Ok(()) };
        let at = self.how.skipped.saturating_add(error.offset());
        let facts = Facts {
            offset: u64::try_from(at).ok(),
            path: Some(String::new()),
            frame: u64::try_from(frames.all.len()).ok(),
            found: Some(error.to_string()),
            expected: Some("the file was cut short, or is framed otherwise".to_owned()),
            category: Some("truncated"),
        };
        Err(failure::decode(py, &error.to_string(), facts))
    }

    fn document(&self, source: &Arc<Source>, frame: &(Frame, Option<Vec<u8>>)) -> Document {
        Document::new(Arc::clone(source), frame.0, self.how.options, frame.1.clone())
    }

    /// Reads every byte.
    pub(crate) fn summary(&self, py: Python<'_>) -> PyResult<Summary> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        let mut all = Summary::default();
        for (frame, _) in &frames.all {
            let place = Place::root(Arc::clone(&source), *frame, self.how.options);
            all = all.and(place.validate(py)?);
        }
        self.broken(py, frames)?;
        Ok(all)
    }
}

#[pymethods]
impl File {
    /// The name of the dialect that its values are read as.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.how.options.dialect.name()
    }

    /// How its values follow one another: ``"bare"``, ``"frames"``, ``"frames-be"``, ``"settings"`` or ``"sequence"``.
    #[getter]
    const fn framing(&self) -> &'static str {
        self.how.framing.name()
    }

    /// The rule of the width of reals: ``"by-flag"`` or ``"always64"``.
    #[getter]
    const fn reals(&self) -> &'static str {
        self.how.options.reals.name()
    }

    /// Whether the bytes, or the caller, determine how they are read; if not, ``detect`` returns the alternatives.
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

    /// The bytes after the values, which belong to none of them: a checksum, or the end of an older, longer file. O(bytes).
    #[getter]
    fn tail<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let source = self.source()?;
        let bytes = source.bytes(py);
        let tail = detached(py, bytes.len(), || self.how.plain(bytes).after());
        Ok(PyBytes::new(py, tail))
    }

    /// The missing parts of damaged layers, and bytes after the end of layers or after the frames: a line each.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.how.notes)
    }

    /// The number of plain bytes, in which offsets count.
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
        let body = source.bytes(py).get(self.how.skipped..).unwrap_or_default();
        Ok(detached(py, body.len(), || open::candidates(body)))
    }

    /// Reads every byte of every value, and raises DecodeError for the first that is wrong. O(bytes); other threads run meanwhile.
    fn validate(&self, py: Python<'_>) -> PyResult<Summary> {
        self.summary(py)
    }

    /// Other plain bytes, such as those from ``encode``, compressed and encrypted as this file was. O(bytes). They are the
    /// whole file: ``file.wrap(changed + file.tail)`` keeps the bytes after the values.
    fn wrap<'py>(&self, py: Python<'py>, plain: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let wrapping = &self.how.wrapping;
        let wrapped = detached(py, plain.len(), || wrapping.wrap(plain));
        let wrapped =
            wrapped.map_err(|error| failure::layer(py, &error.to_string(), "layer", None))?;
        Ok(PyBytes::new(py, &wrapped))
    }

    /// Releases the bytes.
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

    /// The number of its values. O(values) at first, then O(1). Raises DecodeError if the file ends within one.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        self.broken(py, frames)?;
        Ok(frames.all.len())
    }

    /// A document, or a list of those of a slice.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        if let Ok(slice) = index.cast::<PySlice>() {
            self.broken(py, frames)?;
            let indices = slice.indices(isize::try_from(frames.all.len())?)?;
            let documents = (0..indices.slicelength).map(|step| {
                let step = isize::try_from(step)?.saturating_mul(indices.step);
                let at = crate::container::position(
                    indices.start.saturating_add(step),
                    frames.all.len(),
                )?;
                let frame =
                    frames.all.get(at).ok_or_else(|| PyValueError::new_err("no such value"))?;
                Bound::new(py, self.document(&source, frame))
            });
            return Ok(PyList::new(py, documents.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let index: isize = index.extract()?;
        // In a file that ends within a value, indexes from the end and past the end are errors.
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

    /// 1 for a document of this file, else 0. O(values).
    fn count(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let documents = slf.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(slf.py(), documents)?.call_method1("count", (value,))?.unbind())
    }

    fn __repr__(&self) -> String {
        let state = if self.closed() { "closed File" } else { "File" };
        format!("<{state}, {}, {}>", self.framing(), self.dialect())
    }
}
