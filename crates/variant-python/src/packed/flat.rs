//! [`Flat`]: numbers of Python values as bytes of the wire.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PySequence, PyString, PyTuple};
use variant_view::{Kind, NumberType, Numbers, Shape, Width};

use super::kind;
use crate::builder::single_bits;

/// The numbers of a mathematical value or a packed array.
#[derive(Debug)]
pub(crate) struct Flat {
    kind: Kind,
    width: Width,
    bytes: Vec<u8>,
}

impl Flat {
    /// The numbers; `None` if the kind does not take this many numbers.
    pub(crate) fn numbers(&self) -> Option<Numbers<'_>> {
        Numbers::from_wire(self.kind, self.width, &self.bytes)
    }

    pub(super) fn into_bytes(self) -> (Vec<u8>, Width) {
        (self.bytes, self.width)
    }

    pub(super) fn empty(kind: Kind, width: Option<Width>) -> PyResult<Self> {
        packed_shape(kind)?;
        Ok(Self { kind, width: width.unwrap_or(Width::W32), bytes: Vec::new() })
    }

    /// The numbers of a value of a class like `Vector2`.
    pub(crate) fn of_math(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let kind = kind(&value.getattr("kind")?.extract::<String>()?)?;
        let width =
            if value.getattr("width")?.extract::<u32>()? == 64 { Width::W64 } else { Width::W32 };
        let Some(shape) = kind.shape().filter(|shape| !shape.is_packed) else {
            return Err(misshapen(value));
        };
        let number = shape.number.with_reals(width);
        // A value without reals has only one width.
        let width = if shape.number == NumberType::Real { width } else { Width::W32 };
        let mut flat = Self { kind, width, bytes: Vec::new() };
        for part in value.cast::<PyTuple>()?.iter() {
            flat.append(number, &part)?;
        }
        Ok(flat)
    }

    /// Adds a number, or the numbers of a vector.
    fn append(&mut self, number: NumberType, part: &Bound<'_, PyAny>) -> PyResult<()> {
        match part.cast::<PyTuple>() {
            Ok(parts) => parts.iter().try_for_each(|part| self.number(number, &part)),
            Err(_) => self.number(number, part),
        }
    }

    fn number(&mut self, number: NumberType, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match number {
            NumberType::Byte => self.bytes.push(fitting(value, "8 bits without a sign")?),
            NumberType::Int32 => self.bytes.extend(fitting::<i32>(value, "32 bits")?.to_le_bytes()),
            NumberType::Int64 => self.bytes.extend(fitting::<i64>(value, "64 bits")?.to_le_bytes()),
            NumberType::Float64 => self.bytes.extend(value.extract::<f64>()?.to_le_bytes()),
            NumberType::Float32 | NumberType::Real => {
                let real: f64 = value.extract()?;
                let bits = single_bits(real);
                if real.is_finite() && !f32::from_bits(bits).is_finite() {
                    let what = format!("{real} is beyond a float of 32 bits");
                    return Err(PyOverflowError::new_err(what));
                }
                self.bytes.extend(bits.to_le_bytes());
            }
        }
        Ok(())
    }

    /// Makes a packed array of a buffer of numbers. The format and the shape of the buffer select the kind.
    pub(crate) fn of_buffer(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(view) = PyMemoryView::from(value) else {
            let class = value.get_type().fully_qualified_name()?;
            return Err(PyTypeError::new_err(format!("a {class} is not a Variant")));
        };
        let buffer = Buffer::of(&view)?;
        let (kind, columns) = match (buffer.number, buffer.shape.as_slice()) {
            (NumberType::Byte, [_]) => (Kind::PackedByteArray, 1),
            (NumberType::Int32, [_]) => (Kind::PackedInt32Array, 1),
            (NumberType::Int64, [_]) => (Kind::PackedInt64Array, 1),
            (NumberType::Float32, [_]) => (Kind::PackedFloat32Array, 1),
            (NumberType::Float64, [_]) => (Kind::PackedFloat64Array, 1),
            (NumberType::Int32, [_, 2]) => (Kind::PackedVector2iArray, 2),
            (NumberType::Int32, [_, 3]) => (Kind::PackedVector3iArray, 3),
            (NumberType::Int32, [_, 4]) => (Kind::PackedVector4iArray, 4),
            (NumberType::Float32 | NumberType::Float64, [_, 2]) => (Kind::PackedVector2Array, 2),
            (NumberType::Float32 | NumberType::Float64, [_, 3]) => (Kind::PackedVector3Array, 3),
            (_, shape) => {
                return Err(PyTypeError::new_err(format!(
                    "a buffer of format {:?} and shape {shape:?} may be several types: PackedArray(kind, buffer) names the type",
                    buffer.format
                )));
            }
        };
        let is_wide = columns > 1 && buffer.number == NumberType::Float64;
        let width = if is_wide { Width::W64 } else { Width::W32 };
        Ok(Self { kind, width, bytes: buffer.bytes }.sized())
    }

    /// The packed array of a kind, from a buffer or elements.
    pub(super) fn of_elements(
        kind: Kind,
        width: Option<Width>,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let shape = packed_shape(kind)?;
        if let Ok(view) = PyMemoryView::from(data) {
            return Self::of_shaped(kind, shape, width, Buffer::of(&view)?);
        }
        if data.is_instance_of::<PyString>() {
            return Err(misshapen(data));
        }
        let number = shape.number.with_reals(width.unwrap_or(Width::W32));
        let mut flat = Self { kind, width: width.unwrap_or(Width::W32), bytes: Vec::new() }.sized();
        for element in data.try_iter()? {
            let element = element?;
            if shape.count == 1 {
                flat.number(number, &element)?;
                continue;
            }
            let parts = element.cast::<PySequence>().map_err(|_| misshapen(data))?;
            if parts.len()? != usize::from(shape.count) {
                return Err(misshapen(data));
            }
            for part in parts.try_iter()? {
                flat.number(number, &part?)?;
            }
        }
        Ok(flat)
    }

    /// The packed array of a kind, from a buffer whose numbers have the type of the kind.
    fn of_shaped(kind: Kind, shape: Shape, width: Option<Width>, buffer: Buffer) -> PyResult<Self> {
        let found = match buffer.number {
            NumberType::Float64 => Width::W64,
            _ => Width::W32,
        };
        let is_shaped = match buffer.shape.as_slice() {
            [_] => shape.count == 1,
            [_, columns] => *columns == usize::from(shape.count) && shape.count > 1,
            _ => false,
        };
        let fits = shape.number.with_reals(found) == buffer.number
            && (shape.number != NumberType::Real || width.is_none_or(|width| width == found));
        if !is_shaped || !fits {
            let wanted =
                if shape.count == 1 { "(n,)".to_owned() } else { format!("(n, {})", shape.count) };
            return Err(PyTypeError::new_err(format!(
                "a {kind} needs a buffer of {:?} and shape {wanted}, found format {:?} and shape {:?}",
                shape.number, buffer.format, buffer.shape
            )));
        }
        Ok(Self { kind, width: found, bytes: buffer.bytes }.sized())
    }

    /// Returns itself. If the kind has no reals, the width is first set to the only width that such a kind has.
    fn sized(mut self) -> Self {
        if self.kind.shape().is_none_or(|shape| shape.number != NumberType::Real) {
            self.width = Width::W32;
        }
        self
    }
}

/// The contents of a buffer: its numbers row by row, as little-endian bytes.
struct Buffer {
    format: String,
    number: NumberType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Buffer {
    /// Copies a buffer with any strides.
    fn of(view: &Bound<'_, PyMemoryView>) -> PyResult<Self> {
        let format: String = view.getattr("format")?.extract()?;
        let item_bytes: usize = view.getattr("itemsize")?.extract()?;
        let shape: Vec<usize> = view.getattr("shape")?.extract()?;
        let (order, letter) =
            format.split_at_checked(format.len().saturating_sub(1)).unwrap_or(("", ""));
        let number = match (letter, item_bytes) {
            ("B", 1) => NumberType::Byte,
            ("i" | "l" | "q" | "n", 4) => NumberType::Int32,
            ("i" | "l" | "q" | "n", 8) => NumberType::Int64,
            ("f", 4) => NumberType::Float32,
            ("d", 8) => NumberType::Float64,
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "a buffer of format {format:?} is not a packed array; expected unsigned bytes, or integers or floats of 32 or 64 bits"
                )));
            }
        };
        let is_native = matches!(order, "" | "@" | "=");
        let is_little = order == "<" || (is_native && cfg!(target_endian = "little"));
        let copied = view.call_method0("tobytes")?;
        let mut bytes = copied.cast::<PyBytes>()?.as_bytes().to_vec();
        if !is_little && item_bytes > 1 {
            bytes.chunks_exact_mut(item_bytes).for_each(<[u8]>::reverse);
        }
        Ok(Self { format, number, shape, bytes })
    }
}

fn packed_shape(kind: Kind) -> PyResult<Shape> {
    let shape = kind.shape().filter(|shape| shape.is_packed);
    shape.ok_or_else(|| PyValueError::new_err(format!("{kind} is not a packed array of numbers")))
}

fn fitting<'py, T>(value: &Bound<'py, PyAny>, room: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            return PyOverflowError::new_err(format!("{value} has more than {room}"));
        }
        error
    })
}

/// The error for a value whose numbers do not fit its kind.
pub(crate) fn misshapen(value: &Bound<'_, PyAny>) -> PyErr {
    let class = value
        .get_type()
        .fully_qualified_name()
        .map_or_else(|_| "value".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("a {class} without the numbers that it is made of"))
}
