//! Writes values.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use variant_document::names;
use variant_io::Framing;
use variant_owned::{EncodeOptions, Variant, Writer};
use variant_view::{FeedError, Limits, Options};

use crate::document::Document;
use crate::failure;
use crate::given::Given;
use crate::options;
use crate::text;

/// Writes a value. O(size of the value); returns ``bytes``.
///
/// Values from ``to_python`` are written as they were read. Plain values are written as the engine's writer does: an
/// ``int`` or a ``float`` with 32 bits if 32 bits hold it, a ``dict`` as a Dictionary, a ``list`` or ``tuple`` as an
/// Array, ``bytes`` as a PackedByteArray, and a buffer of numbers, such as an array of numpy, as the packed array of
/// its format and shape.
///
/// ``framing="frames"`` writes the length before the value, as ``store_var`` does. To make a file of several values,
/// join the results. ``framing="settings"`` writes a mapping of names and values as a ``project.binary``. ``precision``
/// is ``"as-is"``, ``"single"`` or ``"double"`` for the reals of mathematical values; ``reals="always64"`` writes all
/// these reals with 64 bits and no flag. ``widths="canonical"`` writes integers and floats in the shortest form.
/// ``depth`` is the maximum number of levels, at most 1,024.
///
/// ``like`` is a document, such as the document from which the value was read. If the document has a float at the path
/// of an ``int``, the ``int`` is written as a float. Texts become StringNames in the same way, and so on. A value that
/// would lose information is not converted.
///
/// Raises EncodeError, with the path, for values that the dialect cannot hold or that are not Variants.
#[pyfunction]
#[pyo3(signature = (
    value, dialect, *, framing = "bare", precision = "as-is", reals = "by-flag", widths = "as-is", depth = 1_024, like = None
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
    like: Option<&Bound<'py, Document>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = options::writing(dialect, precision, reals, widths, depth)?;
    let framing = names::framing(framing).map_err(options::unknown)?;
    if let Some(like) = like {
        if framing == Framing::Settings {
            return Err(PyValueError::new_err("like: a document is one value, not settings"));
        }
        let bytes = alike(py, &bare(value, options)?, like.get(), options)?;
        return framed(py, framing, &bytes);
    }
    if framing != Framing::Settings {
        return framed(py, framing, &bare(value, options)?);
    }
    let mut writer = framing.writer();
    let refused = |error: variant_io::AppendError| failure::encode_at(py, &error.to_string(), "");
    let is_mapping = value.hasattr("items")?;
    if !is_mapping {
        let what = value.get_type().name()?;
        let what = format!("settings are a mapping of names and values, not {what}");
        return Err(PyTypeError::new_err(what));
    }
    for pair in value.call_method0("items")?.try_iter()? {
        let (name, value): (Bound<'py, PyString>, Bound<'py, PyAny>) = pair?.extract()?;
        let name = text::written(&name)?;
        writer.bytes(Some(&name), &bare(&value, options)?).map_err(refused)?;
    }
    Ok(PyBytes::new(py, &writer.finish()))
}

/// Adds a framing to the bytes of one value.
fn framed<'py>(py: Python<'py>, framing: Framing, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    if framing == Framing::Bare {
        return Ok(PyBytes::new(py, bytes));
    }
    let mut writer = framing.writer();
    let refused = |error: variant_io::AppendError| failure::encode_at(py, &error.to_string(), "");
    writer.bytes(None, bytes).map_err(refused)?;
    Ok(PyBytes::new(py, &writer.finish()))
}

/// Converts the value in `bytes`: its parts get the types that the document has at the same paths.
fn alike(
    py: Python<'_>,
    bytes: &[u8],
    document: &Document,
    options: EncodeOptions,
) -> PyResult<Vec<u8>> {
    let place = document.place();
    let old = Variant::from_document(&place.document(py));
    let old = old.map_err(|error| place.failure(py, error))?;
    let value = owned(py, bytes, options)?;
    let value = variant_document::edit::like(value, &old, options.dialect);
    variant_owned::encode(&value, options).map_err(|error| failure::encode(py, &error, ""))
}

/// The value in bytes that [`bare`] wrote.
pub(crate) fn owned(py: Python<'_>, bytes: &[u8], options: EncodeOptions) -> PyResult<Variant> {
    let reading = Options::engine(options.dialect).reals(options.reals).limits(Limits::FILE);
    let value = Variant::from_document(&variant_view::Document::new(bytes, reading));
    value.map_err(|error| failure::encode_at(py, &error.to_string(), ""))
}

/// The bytes of one value.
pub(crate) fn bare(value: &Bound<'_, PyAny>, options: EncodeOptions) -> PyResult<Vec<u8>> {
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

/// Adds the path of a value to an error of Python.
fn at(py: Python<'_>, error: PyErr, path: &str) -> PyErr {
    let is_about_the_value = error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
        || error.is_instance_of::<PyValueError>(py);
    // An error of this module already has its path.
    let has_path = error.value(py).hasattr("path").unwrap_or(false);
    if !is_about_the_value || has_path {
        return error;
    }
    let told = failure::encode_at(py, &error.value(py).to_string(), path);
    told.set_cause(py, Some(error));
    told
}
