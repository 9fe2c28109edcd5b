//! The parts of [`File`] that its methods share: its bytes, its frames, and its bytes after a change.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use variant_document::edit::Draft;
use variant_document::query::{ROOT, address_text};
use variant_document::{EditError, Piece, Plain};
use variant_io::Framing;

use super::File;
use crate::convert::Layers;
use crate::document::{Document, Summary};
use crate::failure;
use crate::frames::Frames;
use crate::how::How;
use crate::place::{Frame, Place, detached};
use crate::source::Source;

impl File {
    pub(crate) fn new(source: Source, how: How) -> Self {
        Self {
            source: Mutex::new(Some(Arc::new(source))),
            frames: PyOnceLock::new(),
            how: Arc::new(how),
        }
    }

    pub(super) fn source(&self) -> PyResult<Arc<Source>> {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        source.clone().ok_or_else(|| PyValueError::new_err("the file is closed"))
    }

    /// The bytes for another file. If layers are damaged, `note` says which file this is.
    pub(super) fn whole_source(&self, py: Python<'_>, note: &str) -> PyResult<Arc<Source>> {
        let source = self.source()?;
        self.how.check_whole(py).map_err(|error| failure::noted(py, error, note))?;
        Ok(source)
    }

    pub(super) fn frames(&self, py: Python<'_>, source: &Source) -> PyResult<&Frames> {
        self.frames.get_or_try_init(py, || {
            let plain = self.how.plain.with_bytes(source.bytes(py));
            Ok(detached(py, plain.bytes.len(), || Frames::of(plain)))
        })
    }

    /// An error if the file ends within a value.
    pub(super) fn broken(&self, py: Python<'_>, frames: &Frames) -> PyResult<()> {
        let Some(error) = &frames.broken else { return Ok(()) };
        Err(failure::cut(py, self.how.plain, error, u64::try_from(frames.all.len()).ok()))
    }

    pub(super) fn document(
        &self,
        source: &Arc<Source>,
        frame: &(Frame, Option<Vec<u8>>),
    ) -> Document {
        let place = Place::root(Arc::clone(source), frame.0, self.how.plain.options);
        Document::of_file(place, frame.1.clone(), Arc::clone(&self.how))
    }

    /// The file after a change, compressed and encrypted as before.
    pub(crate) fn changed<'py>(
        &self,
        py: Python<'py>,
        change: impl FnOnce(&mut Draft<'_>) -> Result<(), EditError> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let changed = self.changed_plain(py, change)?;
        self.wrapped(py, &changed.map_err(|error| failure::unmigrated(py, &error))?)
    }

    /// The plain bytes after a change.
    pub(super) fn changed_plain(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Draft<'_>) -> Result<(), EditError> + Send,
    ) -> PyResult<Result<Vec<u8>, EditError>> {
        let source = self.source()?;
        self.how.check_whole(py)?;
        let before = self.plain(py, &source);
        Ok(detached(py, before.bytes.len(), || {
            let mut draft = Draft::new(before);
            change(&mut draft)?;
            self.how.rivals.check_changed(before, draft.plain())?;
            Ok(draft.into_bytes())
        }))
    }

    pub(super) fn plain<'s>(&self, py: Python<'_>, source: &'s Source) -> Plain<'s> {
        self.how.plain.with_bytes(source.bytes(py))
    }

    pub(super) fn piece<'p>(
        &self,
        py: Python<'p>,
        place: &'p Place,
        name: Option<&'p [u8]>,
    ) -> Piece<'p> {
        let number = place.frame.number.unwrap_or(0).saturating_add(1);
        let framing = self.how.plain.framing;
        Piece { number, start: place.offset, bytes: place.bytes(py), name, framing }
    }

    /// Plain bytes with the layers of the file.
    pub(super) fn wrapped<'py>(
        &self,
        py: Python<'py>,
        plain: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let layers = Layers { compression: None, encryption: None, key: None };
        Ok(PyBytes::new(py, &layers.wrap(py, plain, &self.how)?))
    }

    /// Reads every byte, and returns the counts.
    pub(crate) fn summary(&self, py: Python<'_>) -> PyResult<Summary> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        let mut all = Summary::default();
        for (frame, _) in &frames.all {
            let place = Place::root(Arc::clone(&source), *frame, self.how.plain.options);
            all = all.and(place.validate(py)?);
        }
        self.broken(py, frames)?;
        Ok(all)
    }
}

/// A path with the number of its frame, or with the name of its setting.
pub(super) fn whole_path(piece: &Piece<'_>, path: Option<String>) -> Option<String> {
    let path = path?;
    let is_root = path.is_empty() && piece.framing != Framing::Bare;
    Some(address_text(piece, if is_root { ROOT } else { &path }))
}
