//! [`Migration`]: steps that bring old saves to the newest version of a game.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use variant_document::migration::{self, Version};
use variant_view::{Limits, Options};

use crate::encode::{bare, owned};
use crate::failure;
use crate::file::File;
use crate::options::{self, DEPTH};
use crate::place::{Frame, Place, detached};
use crate::source::Source;

/// The steps from each version of a save to the next, from a file of steps (docs/migrate.md).
///
/// ``text`` is the text of the file, and ``name`` its name in messages: ``Migration(path.read_text(), path.name)``.
///
/// Raises MigrationError, with the line and the column, for the first fault of the text.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct Migration {
    steps: migration::Migration,
}

#[pymethods]
impl Migration {
    #[new]
    #[pyo3(signature = (text, name = "steps"))]
    fn new(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let steps = migration::Migration::parse(text, name);
        Ok(Self { steps: steps.map_err(|error| failure::migration(py, &error))? })
    }

    /// The version that all migrations lead to, an ``int`` or a ``str``.
    #[getter]
    fn newest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        version(py, self.steps.newest())
    }

    /// The versions that can be migrated, and the newest.
    #[getter]
    fn versions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let versions = self.steps.versions().map(|one| version(py, one));
        PyTuple::new(py, versions.collect::<PyResult<Vec<_>>>()?)
    }

    /// The value in the newest version, with the types of ``Document.to_python``. ``value`` stays as it is. O(steps ×
    /// size of the value); other threads run meanwhile.
    ///
    /// ``value`` is a value as ``encode`` takes it. Paths select as in a file of ``dialect``.
    ///
    /// Raises MigrationError for a value without a version, of an unknown version, or that a step cannot change.
    /// Raises EncodeError for a value that the dialect cannot hold.
    #[pyo3(signature = (value, dialect = "godot4"))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        value: &Bound<'py, PyAny>,
        dialect: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options::writing(dialect, "as-is", "by-flag", "as-is", DEPTH)?;
        let bytes = bare(value, options)?;
        let mut value = owned(py, &bytes, options)?;
        let applied = detached(py, bytes.len(), || self.steps.apply(&mut value, options.dialect));
        applied.map_err(|error| failure::migration(py, &error))?;
        let bytes = variant_owned::encode(&value, options);
        let bytes = bytes.map_err(|error| failure::encode(py, &error, ""))?;
        let frame = Frame { start: 0, end: bytes.len(), number: None };
        let reading = Options::engine(options.dialect).limits(Limits::FILE);
        Place::root(Arc::new(Source::Own(bytes)), frame, reading).to_python(py)
    }

    /// The bytes of a file whose values are in the newest version: ``migrate(open_bytes(data))``. O(steps × bytes);
    /// other threads run meanwhile.
    ///
    /// The result has the frames, the compression, the encryption and the other bytes of the file. Values that no step
    /// changes keep their bytes.
    ///
    /// Raises MigrationError for the reasons of ``apply``, for damage, for a file of several values if the steps do not
    /// name a frame, and for a file of an uncertain dialect if the dialects write the new values in different bytes.
    fn migrate<'py>(
        &self,
        py: Python<'py>,
        file: &Bound<'py, File>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        file.get().changed(py, |draft| self.steps.migrate(draft).map(drop))
    }

    fn __repr__(&self) -> String {
        let versions: Vec<_> = self.steps.versions().map(ToString::to_string).collect();
        format!("<Migration of versions {}>", versions.join(", "))
    }
}

fn version<'py>(py: Python<'py>, version: &Version) -> PyResult<Bound<'py, PyAny>> {
    Ok(match version {
        Version::Number(number) => number.into_pyobject(py)?.into_any(),
        Version::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}
