//! Values are written.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use variant_io::Framing;
use variant_owned::{EncodeOptions, Writer};
use variant_view::FeedError;

use crate::failure;
use crate::given::Given;
use crate::options;
use crate::text;

/// Writes a value. O(size of the value); returns ``bytes``.
///
/// What ``to_python`` returns is written as it was read. Plain values are written as the engine's writer does: an ``int`` and a
/// ``float`` with 32 bits where those hold it, a ``dict`` as a Dictionary, a ``list`` or ``tuple`` as an Array, ``bytes`` as a
/// PackedByteArray, and a buffer of numbers, such as an array of numpy, as the packed array of its format and shape.
///
/// ``framing="frames"`` puts the length in front, as ``store_var`` does: such values one behind the other are a file.
/// ``framing="settings"`` writes a mapping of names and values as a ``project.binary``. ``precision`` is ``"as-is"``, ``"single"`` or
/// ``"double"`` for the reals of mathematical values; ``reals="always64"`` writes them all with 64 bits and no flag.
/// ``widths="canonical"`` makes integers and floats as short as they can be. ``depth`` is the most levels, 1,024 at most.
///
/// Raises EncodeError, with the path, for what the dialect cannot hold and for what is no Variant.
#[pyfunction]
#[pyo3(signature = (
    value, dialect, *, framing = "bare", precision = "as-is", reals = "by-flag", widths = "as-is", depth = 1_024
))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
    dialect: &str,
    framing: &str,
    precision: &str,
    reals: &str,
    widths: &str,
    depth: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = options::writing(dialect, precision, reals, widths, depth)?;
    let framing = options::framing(framing)?;
    if framing == Framing::Bare {
        return Ok(PyBytes::new(py, &bare(value, options)?));
    }
    let mut writer = framing.writer();
    let refused = |error: variant_io::AppendError| failure::encode_at(py, &error.to_string(), "");
    if framing == Framing::Settings {
        for pair in value.call_method0("items")?.try_iter()? {
            let (name, value): (Bound<'py, PyString>, Bound<'py, PyAny>) = pair?.extract()?;
            let name = text::written(&name)?;
            writer.bytes(Some(&name), &bare(&value, options)?).map_err(refused)?;
        }
    } else {
        writer.bytes(None, &bare(value, options)?).map_err(refused)?;
    }
    Ok(PyBytes::new(py, &writer.finish()))
}

/// The bytes of one value.
fn bare(value: &Bound<'_, PyAny>, options: EncodeOptions) -> PyResult<Vec<u8>> {
    let py = value.py();
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, options);
    let mut given = Given::new(value, options.depth);
    match given.tell(&mut writer) {
        Ok(()) => writer.finish().map_err(|error| failure::encode(py, &error, ""))?,
        Err(FeedError::Consumer(error)) => return Err(failure::encode(py, &error, &given.path())),
        Err(FeedError::Producer(error)) => return Err(at(py, error, &given.path())),
    };
    Ok(bytes)
}

/// What Python says of a value, with its path.
fn at(py: Python<'_>, error: PyErr, path: &str) -> PyErr {
    let is_about_the_value = error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
        || error.is_instance_of::<PyValueError>(py);
    // An error of this module has its path.
    let has_path = error.value(py).hasattr("path").unwrap_or(false);
    if !is_about_the_value || has_path {
        return error;
    }
    let told = failure::encode_at(py, &error.value(py).to_string(), path);
    told.set_cause(py, Some(error));
    told
}
