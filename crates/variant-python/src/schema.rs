//! [`Breach`]: a value that breaks a JSON Schema.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use variant_document::shape::Shapes;
use variant_document::{Piece, Plain, schema};
use variant_io::ValueError;
use variant_view::Error;

use crate::failure;
use crate::place::detached;

/// A value that breaks a JSON Schema.
#[pyclass(frozen, eq, get_all, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// The number of the frame or setting, counted from 1.
    frame: u64,
    /// The path of the value in its frame, or of the key that is missing.
    path: String,
    /// The offset of the value, or of the dictionary that lacks a key.
    offset: usize,
    /// The keyword of the schema, such as ``"required"``.
    keyword: String,
    /// The place of the keyword in the schema: a JSON pointer.
    schema_path: String,
    /// What was found, and what the schema expects.
    message: String,
}

#[pymethods]
impl Breach {
    fn __repr__(&self) -> String {
        let Self { frame, path, message, .. } = self;
        format!("<Breach, frame {frame}: {path}: {message}>")
    }
}

/// The text of a JSON Schema that the values of a file keep.
pub(crate) fn written(py: Python<'_>, file: Plain<'_>, has_ranges: bool) -> PyResult<String> {
    let shape = detached(py, file.bytes.len(), || {
        let mut shapes = Shapes::new();
        each(file, |piece| shapes.add(file.document(piece.bytes)))?;
        let mut shape = shapes.into_type();
        shape.settle();
        Ok(shape.to_json_schema(has_ranges))
    });
    shape.map_err(|fault: Fault<'_>| fault.raise(py, file))
}

/// The values of a file that break a schema, at most `most`.
pub(crate) fn breaches(
    py: Python<'_>,
    file: Plain<'_>,
    text: &str,
    most: usize,
) -> PyResult<Vec<Breach>> {
    let compiled = schema::Schema::compile(text);
    let compiled =
        compiled.map_err(|error| PyValueError::new_err(format!("the schema: {error}")))?;
    let found = detached(py, file.bytes.len(), || {
        let mut found = Vec::new();
        each(file, |piece| {
            let left = most.saturating_sub(found.len());
            let breaches = compiled.check(file.document(piece.bytes), left)?;
            found.extend(breaches.list.into_iter().map(|breach| of(&piece, breach)));
            Ok(())
        })?;
        Ok(found)
    });
    found.map_err(|fault: Fault<'_>| fault.raise(py, file))
}

fn of(piece: &Piece<'_>, breach: schema::Breach) -> Breach {
    let schema::Breach { path, offset, keyword, schema_path, message } = breach;
    let path = if path == variant_document::query::ROOT { String::new() } else { path };
    let (frame, offset) = (piece.number, piece.absolute(offset));
    Breach { frame, path, offset, keyword, schema_path, message }
}

/// Why a file is not read to its end.
enum Fault<'f> {
    /// A value is damaged.
    Data(Piece<'f>, Error),
    /// The file ends within a value.
    Cut(ValueError),
}

impl Fault<'_> {
    fn raise(&self, py: Python<'_>, file: Plain<'_>) -> PyErr {
        match self {
            Self::Data(piece, error) => failure::piece(py, file, piece, error),
            Self::Cut(error) => failure::cut(py, file, error, None),
        }
    }
}

/// Calls `work` with each value of a file.
fn each<'f>(
    file: Plain<'f>,
    mut work: impl FnMut(Piece<'f>) -> Result<(), Error>,
) -> Result<(), Fault<'f>> {
    for piece in file.pieces() {
        let piece = piece.map_err(Fault::Cut)?;
        work(piece).map_err(|error| Fault::Data(piece, error))?;
    }
    Ok(())
}
