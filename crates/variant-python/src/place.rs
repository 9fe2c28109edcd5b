//! [`Place`]: the source, the frame and the offset of a value.

use std::sync::Arc;

use pyo3::prelude::*;
use variant_owned::json;
use variant_view::{
    Document, Error, FeedError, Kind, Options, Producer as _, Reader, Summary, VariantView,
};

use crate::builder::Builder;
use crate::container;
use crate::failure;
use crate::source::Source;

/// The bytes of one value in a source: a frame, a setting, or all bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The position of the frame in the file; `None` for a value without a file.
    pub(crate) number: Option<u64>,
}

/// A value in a frame.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) source: Arc<Source>,
    pub(crate) frame: Frame,
    /// The offset of the value in the source.
    pub(crate) offset: usize,
    /// The options to read the value with. Their limit on depth counts from this value.
    pub(crate) options: Options,
}

/// Work on at least this many bytes lets other threads run meanwhile. Work on fewer bytes takes less time than to
/// release and take the lock of the interpreter.
const LONG: usize = 1 << 16;

/// Does long work while other threads run.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    if bytes < LONG { work() } else { py.detach(work) }
}

impl Place {
    pub(crate) fn root(source: Arc<Source>, frame: Frame, options: Options) -> Self {
        Self { source, frame, offset: frame.start, options }
    }

    /// The place of the value that starts `offset` bytes after the start of this value and is `levels` deeper.
    pub(crate) fn inner(&self, offset: usize, levels: u32) -> Self {
        let limits = self.options.limits;
        let limits = limits.depth(limits.depth.saturating_sub(levels));
        let offset = self.offset.saturating_add(offset);
        Self {
            source: Arc::clone(&self.source),
            offset,
            options: self.options.limits(limits),
            ..*self
        }
    }

    /// The bytes from the value to the end of its frame. O(1).
    pub(crate) fn bytes(&self, py: Python<'_>) -> &[u8] {
        let bytes = self.source.bytes(py);
        bytes.get(self.offset..self.frame.end).unwrap_or_default()
    }

    /// The value as a document. O(1).
    pub(crate) fn document(&self, py: Python<'_>) -> Document<'_> {
        Document::new(self.bytes(py), self.options)
    }

    /// Converts an error in the value to an error of Python. The offset of `error` counts from the start of the value.
    pub(crate) fn failure(&self, py: Python<'_>, error: Error) -> PyErr {
        let Frame { start, end, number } = self.frame;
        let bytes = self.source.bytes(py).get(start..end).unwrap_or_default();
        let document = Document::new(bytes, self.options.limits(variant_view::Limits::FILE));
        let error = error.in_buffer(self.offset.saturating_sub(start));
        failure::read(py, &document, &error, start, number)
    }

    /// The kind of the value. O(1).
    pub(crate) fn kind(&self, py: Python<'_>) -> PyResult<Kind> {
        let kind = Reader::new(self.bytes(py), self.options).kind();
        kind.map_err(|error| self.failure(py, error))
    }

    /// Reads the value. A container becomes a view, another value becomes a value of Python. O(1) for a view.
    pub(crate) fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let next = Reader::new(self.bytes(py), self.options).next_value();
        let (view, items) = next.map_err(|error| self.failure(py, error))?;
        if items.is_some() {
            return container::view(py, view.kind(), self.clone());
        }
        self.built(py, view)
    }

    /// The whole value as values of Python. O(bytes of the value).
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.built(py, self.document(py))
    }

    /// The value as a key of a `dict`.
    pub(crate) fn to_key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut builder = Builder::of_key(py, &self.source)?;
        self.document(py).feed(&mut builder).map_err(|error| self.stopped(py, error))?;
        Ok(builder.finish())
    }

    fn built<'py, P>(&self, py: Python<'py>, value: P) -> PyResult<Bound<'py, PyAny>>
    where
        P: variant_view::Producer<Error = Error>,
    {
        let mut builder = Builder::new(py, &self.source)?;
        value.feed(&mut builder).map_err(|error| self.stopped(py, error))?;
        Ok(builder.finish())
    }

    pub(crate) fn stopped(&self, py: Python<'_>, error: FeedError<Error, PyErr>) -> PyErr {
        error.either(|error| self.failure(py, error), |error| error)
    }

    /// The place of the value at a path that starts at this value. O(bytes of the containers on the path).
    pub(crate) fn at(&self, py: Python<'_>, path: &str) -> PyResult<Self> {
        let value = self.document(py).at(path).map_err(|error| self.failure(py, error))?;
        Ok(self.of(&value))
    }

    /// The place of a value that was found in the document of this value.
    pub(crate) fn of(&self, value: &VariantView<'_>) -> Self {
        // The number of levels between the two values is unknown and does not matter: the whole depth is allowed below
        // each value that is found by a path.
        self.inner(value.offset(), 0)
    }

    /// The number of bytes of the value. O(1); for a container O(bytes of the container).
    pub(crate) fn len(&self, py: Python<'_>) -> PyResult<usize> {
        let bytes = self.bytes(py);
        let options = self.options;
        let len = detached(py, bytes.len(), || Reader::new(bytes, options).skip().map(<[u8]>::len));
        len.map_err(|error| self.failure(py, error))
    }

    /// Validates the whole value. O(bytes of the value).
    pub(crate) fn validate(&self, py: Python<'_>) -> PyResult<Summary> {
        let document = self.document(py);
        let outcome = detached(py, document.bytes().len(), || document.validate());
        outcome.map_err(|error| self.failure(py, error))
    }

    /// The value as JSON. O(bytes of the text).
    pub(crate) fn to_json(
        &self,
        py: Python<'_>,
        form: json::Form,
        is_pretty: bool,
    ) -> PyResult<String> {
        let document = self.document(py);
        let write = || {
            let mut text = Vec::new();
            json::write(document, form, &mut text, is_pretty).map(|_| text)
        };
        let text = detached(py, document.bytes().len(), write).map_err(|error| match error {
            FeedError::Producer(error) => self.failure(py, error),
            FeedError::Consumer(error) => PyErr::from(error),
        })?;
        Ok(String::from_utf8(text)?)
    }
}
