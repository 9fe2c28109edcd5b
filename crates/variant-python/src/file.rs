//! [`File`]: the values of a file.

mod contents;

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PySlice, PyTuple};
use variant_document::merge::{Merged, Side, merge};
use variant_document::names::one_of;
use variant_document::query::Address;
use variant_io::Key;

use self::contents::whole_path;
use crate::convert::{self, Layers, Salvaged};
use crate::diff;
use crate::document::{self, Summary};
use crate::edit::Edit;
use crate::failure;
use crate::frames::Frames;
use crate::how::How;
use crate::html;
use crate::open::{self, Candidate};
use crate::options;
use crate::place::{Place, detached};
use crate::schema;
use crate::source::Source;

/// The values of a file, as a sequence of documents: frames, settings, or one bare value.
///
/// A file is a context manager. Values that were read from a file remain usable after it is closed: its bytes are freed when
/// the last of these values is freed.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct File {
    /// The source of the bytes; `None` after the file is closed.
    source: Mutex<Option<Arc<Source>>>,
    frames: PyOnceLock<Frames>,
    how: Arc<How>,
}

#[pymethods]
impl File {
    /// The name of the dialect in which the values are read.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.how.plain.options.dialect.name()
    }

    /// How the file separates its values: ``"bare"``, ``"frames"``, ``"frames-be"``, ``"settings"`` or ``"sequence"``.
    #[getter]
    fn framing(&self) -> &'static str {
        self.how.plain.framing.name()
    }

    /// The rule for the width of reals: ``"by-flag"`` or ``"always64"``.
    #[getter]
    fn reals(&self) -> &'static str {
        self.how.plain.options.reals.name()
    }

    /// Whether the bytes or the caller determine dialect and framing. If not, ``detect`` returns the alternatives.
    #[getter]
    fn is_certain(&self) -> bool {
        self.how.is_certain
    }

    /// Whether the file is mapped into memory.
    #[getter]
    fn is_mapped(&self) -> bool {
        self.how.is_mapped
    }

    /// The layers around the values, the outermost first: ``"compressed with zstd ..."``.
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.how.wrapping.layers().iter().map(ToString::to_string).collect::<Vec<_>>(),
        )
    }

    /// The bytes after the last value, which belong to no value: a checksum, or the end of an older, longer file. O(bytes).
    #[getter]
    fn tail<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let source = self.source()?;
        let bytes = source.bytes(py);
        let tail = detached(py, bytes.len(), || self.how.plain.with_bytes(bytes).after());
        Ok(PyBytes::new(py, tail))
    }

    /// Notes, a line each: missing parts of damaged layers, bytes after the end of a layer, bytes after the last frame.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.how.notes)
    }

    /// The number of plain bytes: decompressed and decrypted. Offsets count in the plain bytes.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.source()?.bytes(py).len())
    }

    /// Whether ``close`` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.source().is_err()
    }

    /// The plain bytes. O(bytes).
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.source()?.bytes(py)))
    }

    /// The candidates for framing and dialect, the likeliest first. O(bytes); other threads run meanwhile.
    fn detect(&self, py: Python<'_>) -> PyResult<Vec<Candidate>> {
        let source = self.source()?;
        let body = source.bytes(py).get(self.how.plain.skipped..).unwrap_or_default();
        Ok(detached(py, body.len(), || open::candidates(body)))
    }

    /// Reads every byte of every value, and raises DecodeError for the first error. O(bytes); other threads run meanwhile.
    fn validate(&self, py: Python<'_>) -> PyResult<Summary> {
        self.summary(py)
    }

    /// The values that a path selects in the frames of the file: pairs of path and value, in the order of the bytes. O(bytes).
    ///
    /// The paths in the result name the frame, such as ``"frame 2: player.hp"``, and ``Edit.set`` accepts them. In a file of
    /// settings, these paths and ``query`` begin with the name of the setting. ``Document.select`` describes the steps.
    ///
    /// Raises PathError for an invalid path, and DecodeError for damage on the way.
    fn select<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Bound<'py, PyList>> {
        let address = Address::parse(query).map_err(|what| failure::path(py, &what, query))?;
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        let mut all = Vec::new();
        for (frame, name) in &frames.all {
            let place = Place::root(Arc::clone(&source), *frame, self.how.plain.options);
            let piece = self.piece(py, &place, name.as_deref());
            let Some(part) = address.part(&piece) else { continue };
            let found = document::matches(py, &place, &part.query)?;
            all.extend(found.into_iter().map(|(path, value)| (whole_path(&piece, path), value)));
        }
        self.broken(py, frames)?;
        PyList::new(py, all)
    }

    /// The bytes of the file in another dialect, such as ``"godot3"``, with its frames, compression and encryption. O(bytes).
    ///
    /// With ``lossy``, values that the other dialect lacks are replaced by the nearest values that it has.
    ///
    /// Raises EncodeError if a value would lose something and ``lossy`` is not set. Raises EditError for damage in values, and
    /// OpenError for damaged layers (``lenient``).
    #[pyo3(signature = (to, *, lossy = false))]
    fn convert<'py>(
        &self,
        py: Python<'py>,
        to: &str,
        lossy: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let source = self.source()?;
        self.how.check_whole(py)?;
        let converted = convert::converted(py, self.plain(py, &source), to, lossy)?;
        self.wrapped(py, &converted)
    }

    /// The differences from this file to another file, at most ``most``. O(bytes of both files) expected.
    ///
    /// The files may differ in dialect, compression and encryption. Frames are compared by number, settings by name. The
    /// ``total`` of the list counts all differences.
    ///
    /// Raises DecodeError for damage in one of the files.
    #[pyo3(signature = (other, *, most = 1_000))]
    fn diff<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'_, Self>,
        most: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (source, of_other) = (self.source()?, other.get().source()?);
        diff::differences(py, self.plain(py, &source), other.get().plain(py, &of_other), most)
    }

    /// The bytes of this file with the values of ``other``: they are added, and replace the values at the same paths. With
    /// ``base``, a three-way merge: only the changes that lead from ``base`` to ``other``. O(bytes of the files) expected.
    ///
    /// Dictionaries are merged key by key, and with ``base`` also arrays of one length element by element; any other value
    /// is merged as a whole. Values that do not change keep their bytes. The other files may have other dialects; with
    /// ``lossy``, values that the dialect of this file lacks are replaced by the nearest values that it has.
    ///
    /// If both files changed a value of ``base`` in different ways, ``prefer`` is ``"ours"`` for the value of this file or
    /// ``"theirs"`` for that of ``other``. Without it, MergeError is raised, whose ``conflicts`` lists these values.
    ///
    /// Raises EncodeError if a value of ``other`` would lose something and ``lossy`` is not set, and ValueError for ``prefer``
    /// without ``base``. Raises EditError for damage in values, and for a frame or setting that only one of the files has.
    /// Raises OpenError for damaged layers (``lenient``) of any of the files.
    #[pyo3(signature = (other, *, base = None, prefer = None, lossy = false))]
    fn merge<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'_, Self>,
        base: Option<&Bound<'_, Self>>,
        prefer: Option<&str>,
        lossy: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let side = side(prefer, base.is_some())?;
        let of_other = other.get().whole_source(py, "this is the other file")?;
        let of_base =
            base.map(|base| base.get().whole_source(py, "this is the base")).transpose()?;
        let theirs = other.get().plain(py, &of_other);
        let base = base.zip(of_base.as_ref()).map(|(base, source)| base.get().plain(py, source));
        let mut merged = Merged::default();
        let bytes = self.changed_plain(py, |draft| {
            merged = merge(draft, theirs, base, side.unwrap_or(Side::Ours))?;
            Ok(())
        })?;
        let bytes = bytes.map_err(|error| failure::edit(py, &error, None))?;
        if merged.conflicts.count > 0 && side.is_none() {
            return Err(failure::conflicts(py, merged.conflicts));
        }
        convert::check_losses(py, self.how.plain.options.dialect, &merged.losses, lossy)?;
        self.wrapped(py, &bytes)
    }

    /// The undamaged values of a damaged file, and the holes. O(bytes), with a large constant if much is damaged.
    ///
    /// Open the file with ``lenient`` if its compression or encryption is damaged too.
    fn salvage(&self, py: Python<'_>) -> PyResult<Salvaged> {
        let source = self.source()?;
        convert::salvaged(py, self.plain(py, &source), &self.how)
    }

    /// The text of a JSON Schema that accepts all values of the file. With ``ranges``, the schema refuses numbers that are less
    /// or greater than those of the file. O(bytes).
    ///
    /// Raises DecodeError for damage.
    #[pyo3(signature = (*, ranges = false))]
    fn schema(&self, py: Python<'_>, ranges: bool) -> PyResult<String> {
        let source = self.source()?;
        schema::written(py, self.plain(py, &source), ranges)
    }

    /// The values that break a JSON Schema, at most ``most``. ``schema`` is the text of the schema, such as the method ``schema``
    /// returns. O(bytes × schemas that apply to a value).
    ///
    /// The ``total`` of the list counts all these values. The check of a frame ends early if its breaches take too much memory;
    /// then ``total`` is a lower bound, and ``is_cut`` is true.
    ///
    /// The keyword ``x-godot-type`` names the kinds that a value may have: ``"int"``, ``["Vector2", "Nil"]``.
    ///
    /// Raises ValueError for a text that is not a schema, and DecodeError for damage.
    #[pyo3(signature = (schema, *, most = 1_000))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        schema: &str,
        most: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let source = self.source()?;
        schema::breaches(py, self.plain(py, &source), schema, most)
    }

    /// The plain bytes, without compression and encryption, like ``tobytes``. O(bytes).
    fn unwrap<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.tobytes(py)
    }

    /// Compresses and encrypts plain bytes, by default those of this file. O(bytes).
    ///
    /// Other plain bytes, such as those from ``encode``, must be the contents of the whole file:
    /// ``file.wrap(changed + file.tail)`` keeps the bytes after the values.
    ///
    /// ``compression`` is ``"none"``, ``"fastlz"``, ``"deflate"``, ``"zstd"`` or ``"gzip"``, and ``encryption`` is ``"none"``,
    /// ``"ecb"`` (Godot 3) or ``"cfb"`` (Godot 4). The defaults are those of the file. ``password`` is a text, and ``key`` has
    /// 32 bytes; the default is the key of the file.
    ///
    /// Raises OpenError for the bytes of a file with damaged layers (``lenient``), and ValueError for names and keys that do not
    /// fit.
    #[pyo3(signature = (
        plain = None, *, compression = None, encryption = None, password = None, key = None
    ))]
    fn wrap<'py>(
        &self,
        py: Python<'py>,
        plain: Option<&[u8]>,
        compression: Option<&str>,
        encryption: Option<&str>,
        password: Option<&str>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let key = Key::given(password, key).map_err(PyValueError::new_err)?;
        let layers = Layers { compression, encryption, key };
        let bytes = if let Some(plain) = plain {
            layers.wrap(py, plain, &self.how)?
        } else {
            let source = self.source()?;
            self.how.check_whole(py)?;
            layers.wrap(py, source.bytes(py), &self.how)?
        };
        Ok(PyBytes::new(py, &bytes))
    }

    /// Changes of the file, to be written together. O(bytes).
    ///
    /// With ``backup`` the old file is kept under its name with ``~`` at the end, as the command keeps it. This ``File``
    /// keeps the old values: open the file again to read the changed values.
    ///
    /// Raises OpenError for a file of damaged layers (``lenient``): the missing bytes would be lost.
    #[pyo3(signature = (*, backup = true))]
    fn edit(&self, py: Python<'_>, backup: bool) -> PyResult<Edit> {
        let source = self.source()?;
        Edit::new(py, source.bytes(py), Arc::clone(&self.how), None, backup)
    }

    /// Closes the file. Its bytes are freed if no value uses them.
    fn close(&self) {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(source);
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// The number of values. The first call is O(values), later calls are O(1). Raises DecodeError if the file ends within a value.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        self.broken(py, frames)?;
        Ok(frames.all.len())
    }

    /// A document, or a list of the documents of a slice.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let source = self.source()?;
        let frames = self.frames(py, &source)?;
        if let Ok(slice) = index.cast::<PySlice>() {
            self.broken(py, frames)?;
            let all = crate::container::positions(slice, frames.all.len())?;
            let documents = all.filter_map(|at| frames.all.get(at));
            let documents = documents.map(|frame| Bound::new(py, self.document(&source, frame)));
            return Ok(PyList::new(py, documents.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let index: isize = index.extract()?;
        // If the file is cut within a value, its number of values is unknown. Negative indexes, and indexes past the
        // last whole value, are then errors.
        let is_there = usize::try_from(index).is_ok_and(|index| index < frames.all.len());
        if !is_there {
            self.broken(py, frames)?;
        }
        let at = crate::container::position(index, frames.all.len())?;
        let frame = frames.all.get(at).ok_or_else(|| PyValueError::new_err("no such value"))?;
        Ok(Bound::new(py, self.document(&source, frame))?.into_any())
    }

    /// The position of a document of this file. O(values).
    fn index(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let documents = slf.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(slf.py(), documents)?.call_method1("index", (value,))?.unbind())
    }

    /// The number of documents that are equal to ``value``: 1 for a document of this file, otherwise 0. O(values).
    fn count(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let documents = slf.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(slf.py(), documents)?.call_method1("count", (value,))?.unbind())
    }

    /// A table of the first values, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.source() {
            Ok(source) => html::of_file(py, &self.__repr__(), self.plain(py, &source)),
            Err(_) => html::of_closed(py, &self.__repr__()),
        }
    }

    fn __repr__(&self) -> String {
        let state = if self.closed() { "closed File" } else { "File" };
        format!("<{state}, {}, {}>", self.framing(), self.dialect())
    }
}

/// The side whose values are kept in conflicts. Only a three-way merge has conflicts.
fn side(prefer: Option<&str>, has_base: bool) -> PyResult<Option<Side>> {
    let sides = [("ours", Side::Ours), ("theirs", Side::Theirs)];
    let side = prefer.map(|name| one_of("prefer", name, &sides)).transpose();
    let side = side.map_err(options::unknown)?;
    if side.is_some() && !has_base {
        let why = "prefer: without base there are no conflicts, and the values of the other file are taken";
        return Err(PyValueError::new_err(why));
    }
    Ok(side)
}
