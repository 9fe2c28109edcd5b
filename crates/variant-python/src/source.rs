//! [`Source`]: the plain bytes of a file or packet, kept while any value from them exists.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use variant_io::Opened;

/// The owner of the bytes.
#[derive(Debug)]
pub(crate) enum Source {
    /// The plain bytes of a file, in memory or mapped.
    File(Opened),
    /// A part of a Python object `bytes`, which never changes.
    Lent { bytes: Py<PyBytes>, start: usize, len: usize },
    /// A copy of bytes that may change.
    Own(Vec<u8>),
}

impl Source {
    /// The bytes of a bytes-like object. Borrows from `bytes` and from a contiguous view of `bytes`. Copies the bytes of other
    /// objects, since they may change while they are read.
    pub(crate) fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            let len = bytes.as_bytes().len();
            return Ok(Self::Lent { bytes: bytes.clone().unbind(), start: 0, len });
        }
        let buffer = PyBuffer::<u8>::get(data).map_err(|error| not_bytes(data, &error))?;
        if let Some(lent) = Self::lent(data, &buffer) {
            return Ok(lent);
        }
        Ok(Self::Own(buffer.to_vec(data.py())?))
    }

    /// The source for a contiguous `memoryview` of `bytes`; `None` for other objects.
    fn lent(view: &Bound<'_, PyAny>, buffer: &PyBuffer<u8>) -> Option<Self> {
        if !buffer.is_c_contiguous() || !view.is_instance_of::<pyo3::types::PyMemoryView>() {
            return None;
        }
        let owner = view.getattr("obj").ok()?;
        let bytes = owner.cast::<PyBytes>().ok()?;
        let start = buffer.buf_ptr().addr().checked_sub(bytes.as_bytes().as_ptr().addr())?;
        let len = buffer.len_bytes();
        bytes.as_bytes().get(start..)?.get(..len)?;
        Some(Self::Lent { bytes: bytes.clone().unbind(), start, len })
    }

    /// The bytes. O(1).
    pub(crate) fn bytes<'s>(&'s self, py: Python<'_>) -> &'s [u8] {
        match self {
            Self::File(opened) => opened.bytes(),
            Self::Lent { bytes, start, len } => {
                let all = bytes.as_bytes(py);
                all.get(*start..).and_then(|bytes| bytes.get(..*len)).unwrap_or_default()
            }
            Self::Own(bytes) => bytes,
        }
    }
}

fn not_bytes(data: &Bound<'_, PyAny>, error: &PyErr) -> PyErr {
    let kind = data.get_type().name().map_or_else(|_| "it".to_owned(), |name| name.to_string());
    let message = format!("a {kind} has no bytes to read: {error}");
    pyo3::exceptions::PyTypeError::new_err(message)
}
