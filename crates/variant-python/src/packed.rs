//! [`PackedArray`]: the numbers of a packed array, to which Python has access through the buffer protocol.

mod buffer;
mod flat;

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyTuple};
use variant_view::{Kind, NumberType, Numbers, Shape, Width};

pub(crate) use self::flat::{Flat, misshapen};
use crate::builder;
use crate::classes::classes;
use crate::source::Source;

/// A packed array of numbers, vectors or colors: immutable, and a buffer.
///
/// ``numpy.asarray(array)`` is an array of shape ``(n,)``; for vectors and colors ``(n, 2)``, ``(n, 3)`` or ``(n, 4)``.
/// The call is O(1), without a copy. The array keeps the bytes of the file in memory. The result of ``copy`` does not
/// keep them.
///
/// ``PackedArray("PackedVector3Array", data)`` makes a packed array from a buffer, or from an iterable of numbers or vectors.
/// O(numbers).
#[pyclass(frozen, module = "variant_view")]
#[derive(Debug)]
pub(crate) struct PackedArray {
    source: Arc<Source>,
    /// The offset in the source. `len` is the number of bytes.
    start: usize,
    len: usize,
    kind: Kind,
    shape: Shape,
    width: Width,
    layout: buffer::Layout,
}

impl PackedArray {
    /// The array of `numbers`. Numbers that are part of the source are borrowed, others are copied.
    pub(crate) fn of(py: Python<'_>, source: &Arc<Source>, numbers: &Numbers<'_>) -> Self {
        let bytes = numbers.as_wire_bytes().unwrap_or_default();
        let all = source.bytes(py);
        let start = bytes.as_ptr().addr().checked_sub(all.as_ptr().addr());
        let place =
            start.filter(|start| all.get(*start..).is_some_and(|rest| rest.len() >= bytes.len()));
        match place {
            Some(start) => {
                let source = Arc::clone(source);
                Self::at(source, start, bytes.len(), numbers.kind(), numbers.width())
            }
            None => Self::own(bytes.to_vec(), numbers.kind(), numbers.width()),
        }
    }

    fn own(bytes: Vec<u8>, kind: Kind, width: Width) -> Self {
        let len = bytes.len();
        Self::at(Arc::new(Source::Own(bytes)), 0, len, kind, width)
    }

    fn at(source: Arc<Source>, start: usize, len: usize, kind: Kind, width: Width) -> Self {
        const BYTES: Shape =
            Shape { number: NumberType::Byte, count: 1, is_packed: true, parts: &[] };
        // All kinds of this type have a shape, so the fallback is not used.
        let shape = kind.shape().unwrap_or(BYTES);
        let number = shape.number.with_reals(width);
        let layout = buffer::Layout::new(number, shape.count, len);
        Self { source, start, len, kind, shape, width, layout }
    }

    fn bytes(&self, py: Python<'_>) -> &[u8] {
        let bytes = self.source.bytes(py).get(self.start..).and_then(|bytes| bytes.get(..self.len));
        bytes.unwrap_or_default()
    }

    /// The numbers. O(1).
    pub(crate) fn numbers(&self, py: Python<'_>) -> Option<Numbers<'_>> {
        Numbers::from_wire(self.kind, self.width, self.bytes(py))
    }

    fn element_bytes(&self) -> usize {
        self.shape.number.bytes(self.width).saturating_mul(self.shape.count.into())
    }

    /// The bytes of `count` elements, from element `first` on.
    fn part(&self, py: Python<'_>, first: usize, count: usize) -> &[u8] {
        let size = self.element_bytes();
        let part = self.bytes(py).get(first.saturating_mul(size)..);
        part.and_then(|part| part.get(..count.saturating_mul(size))).unwrap_or_default()
    }

    fn element<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let bytes = self.part(py, index, 1);
        if let Some(kind) = element(self.kind) {
            return match Numbers::from_wire(kind, self.width, bytes) {
                Some(numbers) => builder::math(py, classes(py)?, &numbers),
                None => Err(past_the_end()),
            };
        }
        match Numbers::from_wire(self.kind, self.width, bytes).and_then(|numbers| numbers.get(0)) {
            Some(number) => Ok(builder::number(py, number)),
            None => Err(past_the_end()),
        }
    }
}

#[pymethods]
impl PackedArray {
    #[new]
    #[pyo3(signature = (kind, data = None, *, width = None))]
    fn new(kind: &str, data: Option<&Bound<'_, PyAny>>, width: Option<u32>) -> PyResult<Self> {
        let kind = self::kind(kind)?;
        let width = match width {
            None => None,
            Some(32) => Some(Width::W32),
            Some(64) => Some(Width::W64),
            Some(width) => {
                return Err(PyValueError::new_err(format!(
                    "width: {width}; reals have 32 or 64 bits"
                )));
            }
        };
        let flat = match data {
            Some(data) => Flat::of_elements(kind, width, data)?,
            None => Flat::empty(kind, width)?,
        };
        let (bytes, width) = flat.into_bytes();
        Ok(Self::own(bytes, kind, width))
    }

    /// The name of the array's type, such as ``"PackedVector3Array"``.
    #[getter]
    const fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// The width of the reals in bits: 64 for vectors that a double-precision build has written, otherwise 32.
    #[getter]
    const fn width(&self) -> u32 {
        match self.width {
            Width::W32 => 32,
            Width::W64 => 64,
        }
    }

    fn __len__(&self) -> usize {
        self.len.checked_div(self.element_bytes()).unwrap_or(0)
    }

    /// The element at an index, or an array for a slice. If the step of the slice is 1, the array is not a copy.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let len = self.__len__();
        let Ok(slice) = index.cast::<PySlice>() else {
            return self.element(py, crate::container::position(index.extract()?, len)?);
        };
        let indices = slice.indices(isize::try_from(len)?)?;
        let (first, count) = (usize::try_from(indices.start).unwrap_or(0), indices.slicelength);
        let size = self.element_bytes();
        let array = if indices.step == 1 {
            let start = self.start.saturating_add(first.saturating_mul(size));
            Self::at(
                Arc::clone(&self.source),
                start,
                count.saturating_mul(size),
                self.kind,
                self.width,
            )
        } else {
            let parts = crate::container::positions(slice, len)?.map(|at| self.part(py, at, 1));
            Self::own(parts.collect::<Vec<_>>().concat(), self.kind, self.width)
        };
        Ok(Bound::new(py, array)?.into_any())
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        // Makes a list of all elements, and iterates over the list.
        let elements = slf.get().tolist(slf.py())?;
        Ok(elements.try_iter()?.into_any().unbind())
    }

    /// The elements as a list: numbers, or values of a class such as ``Vector3``. O(elements).
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
        let elements = (0..self.__len__()).map(|index| self.element(py, index));
        pyo3::types::PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)
    }

    /// The numbers as little-endian bytes. O(bytes).
    fn tobytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.bytes(py))
    }

    /// A copy of the array with its own memory, so that the memory of the file can be freed. O(bytes).
    fn copy(&self, py: Python<'_>) -> Self {
        Self::own(self.bytes(py).to_vec(), self.kind, self.width)
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.tolist(py)?.as_any().contains(value)
    }

    /// The position of the first element that is equal to ``value``. O(elements).
    fn index(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Ok(self.tolist(py)?.call_method1("index", (value,))?.unbind())
    }

    /// The number of elements that are equal to ``value``. O(elements).
    fn count(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Ok(self.tolist(py)?.call_method1("count", (value,))?.unbind())
    }

    fn __reversed__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.tolist(py)?.call_method0("__reversed__")?.unbind())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            (self.kind, self.width, self.bytes(py)) == (other.kind, other.width, other.bytes(py))
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.kind.name(), PyBytes::new(py, self.bytes(py))).into_pyobject(py)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        const MOST: usize = 6;
        let len = self.__len__();
        let shown =
            (0..len.min(MOST)).map(|index| Ok(self.element(py, index)?.repr()?.to_string()));
        let mut shown = shown.collect::<PyResult<Vec<_>>>()?;
        if len > MOST {
            shown.push(format!("... {len} in all"));
        }
        Ok(format!("PackedArray({:?}, [{}])", self.kind.name(), shown.join(", ")))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let make = py.get_type::<Self>().getattr("_of_bytes")?;
        let parts = (this.kind(), this.width(), this.tobytes(py));
        Ok((make, parts.into_pyobject(py)?))
    }

    #[staticmethod]
    fn _of_bytes(kind: &str, width: u32, bytes: &[u8]) -> PyResult<Self> {
        let kind = self::kind(kind)?;
        let width = if width == 64 { Width::W64 } else { Width::W32 };
        let fits = kind.shape().is_some_and(|shape| shape.is_packed)
            && Numbers::from_wire(kind, width, bytes).is_some();
        if !fits {
            return Err(PyValueError::new_err(format!("{} bytes are not a {kind}", bytes.len())));
        }
        Ok(Self::own(bytes.to_vec(), kind, width))
    }

    #[expect(
        unsafe_code,
        reason = "the signature of the buffer protocol; buffer.rs explains why it is sound"
    )]
    unsafe fn __getbuffer__(
        slf: &Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: std::ffi::c_int,
    ) -> PyResult<()> {
        let this = slf.get();
        // SAFETY: Python calls this with a view that this function may fill.
        unsafe { buffer::fill(slf.as_any(), this.bytes(slf.py()), &this.layout, view, flags) }
    }
}

pub(crate) fn kind(name: &str) -> PyResult<Kind> {
    let kind = Kind::ALL.iter().find(|kind| kind.name() == name).copied();
    kind.ok_or_else(|| PyValueError::new_err(format!("kind: there is no {name:?}; KINDS has all")))
}

/// The kind of the elements of a packed array of vectors or colors; `None` for single numbers.
pub(crate) const fn element(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::PackedVector2Array => Some(Kind::Vector2),
        Kind::PackedVector2iArray => Some(Kind::Vector2i),
        Kind::PackedVector3Array => Some(Kind::Vector3),
        Kind::PackedVector3iArray => Some(Kind::Vector3i),
        Kind::PackedVector4Array => Some(Kind::Vector4),
        Kind::PackedVector4iArray => Some(Kind::Vector4i),
        Kind::PackedColorArray => Some(Kind::Color),
        _ => None,
    }
}

fn past_the_end() -> PyErr {
    PyIndexError::new_err("index out of range")
}
