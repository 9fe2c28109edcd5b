//! [`Breach`]: a value that breaks a JSON Schema.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use variant_document::shape::Shapes;
use variant_document::{Piece, Plain, schema};
use variant_io::ValueError;
use variant_view::Error;

use crate::classes::classes;
use crate::failure;
use crate::place::detached;

/// A value that breaks a JSON Schema.
#[pyclass(frozen, eq, get_all, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// The frame or setting, such as ``"frame 2"``, if the file has several values.
    called: Option<String>,
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

/// The arguments that make a breach.
type BreachParts<'b> = (Option<&'b str>, u64, &'b str, usize, &'b str, &'b str, &'b str);

#[pymethods]
impl Breach {
    #[new]
    const fn new(
        called: Option<String>,
        frame: u64,
        path: String,
        offset: usize,
        keyword: String,
        schema_path: String,
        message: String,
    ) -> Self {
        Self { called, frame, path, offset, keyword, schema_path, message }
    }

    fn __getnewargs__(&self) -> BreachParts<'_> {
        let Self { called, frame, path, offset, keyword, schema_path, message } = self;
        (called.as_deref(), *frame, path, *offset, keyword, schema_path, message)
    }

    fn __repr__(&self) -> String {
        let Self { called, path, message, .. } = self;
        format!("<Breach, {}: {message}>", failure::placed(called.as_deref(), path))
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

/// The values of a file that break a schema, at most `most`, as a `Found`.
pub(crate) fn breaches<'py>(
    py: Python<'py>,
    file: Plain<'_>,
    text: &str,
    most: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let compiled = detached(py, text.len(), || schema::Schema::compile(text));
    let compiled =
        compiled.map_err(|error| PyValueError::new_err(format!("the schema: {error}")))?;
    let found = detached(py, file.bytes.len(), || {
        let (mut found, mut total, mut is_cut) = (Vec::new(), 0_usize, false);
        each(file, |piece| {
            let left = most.saturating_sub(found.len());
            let breaches = compiled.check(file.document(piece.bytes), left)?;
            total = total.saturating_add(breaches.count);
            is_cut |= breaches.is_cut;
            found.extend(breaches.list.into_iter().map(|breach| of(&piece, breach)));
            Ok(())
        })?;
        Ok((found, total, is_cut))
    });
    let (found, total, is_cut) = found.map_err(|fault: Fault<'_>| fault.raise(py, file))?;
    let is_cut = is_cut || total > found.len();
    classes(py)?.found.bind(py).call1((found, total, is_cut))
}

fn of(piece: &Piece<'_>, breach: schema::Breach) -> Breach {
    let schema::Breach { path, offset, keyword, schema_path, message } = breach;
    let path = if path == variant_document::query::ROOT { String::new() } else { path };
    let (frame, offset) = (piece.number, piece.absolute(offset));
    Breach { called: piece.called(), frame, path, offset, keyword, schema_path, message }
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
