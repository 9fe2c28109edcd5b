//! Opens files and packets: removes their layers, and chooses their framing and dialect.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use variant_document::{Reading, layer_notes};
use variant_io::{
    Damage, Fit, Framing, GCPF_MAGICS, GDEC_MAGIC, Guess, Key, OpenOptions, Opened, Wrapping,
};
use variant_view::{Options, Reals};

use crate::document::{Document, Summary};
use crate::failure;
use crate::file::File;
use crate::how::How;
use crate::options::{self, Accepted};
use crate::origin::Origin;
use crate::place::{Frame, Place, detached};
use crate::source::Source;

/// Opens a file of values, and removes its compression and encryption. O(bytes); other threads run meanwhile.
///
/// ``dialect`` and ``framing`` are guessed from the bytes if they are not given (``File.is_certain``, ``detect``).
/// ``password`` is a text, and ``key`` has 32 bytes. ``skip`` is the number of bytes before the values. ``max_len`` is
/// the maximum number of decrypted and decompressed bytes. ``lenient`` opens damaged layers as far as they can be read.
/// ``depth`` is the maximum number of levels of a value, at most 1,024.
///
/// The file is read into memory. With ``mmap`` it is mapped instead, which is O(1) for a file without layers, but the
/// system ends the process (SIGBUS) if another process truncates the file meanwhile.
///
/// Raises OSError for a file that cannot be read. Raises OpenError for compression or encryption that cannot be removed, and for
/// a file of another format.
#[pyfunction]
#[pyo3(signature = (
    path, *, password = None, key = None, dialect = None, framing = None, reals = None, skip = 0, max_len = 1_073_741_824, mmap = false,
    lenient = false, depth = 1_024
))]
#[expect(
    clippy::too_many_arguments,
    clippy::needless_pass_by_value,
    reason = "the arguments are those of the Python function"
)]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    password: Option<&str>,
    key: Option<&[u8]>,
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    skip: u64,
    max_len: u64,
    mmap: bool,
    lenient: bool,
    depth: u32,
) -> PyResult<File> {
    let layers = layers(password, key, max_len, lenient)?.map(mmap);
    let reading = Reading { skip, layers, ..options::reading(dialect, framing, reals, depth)? };
    let origin = Origin::of(&path);
    let unwrapped = Unwrapped::of_path(py, &path, &reading.layers)?;
    Unwrapped { origin: Some(origin), ..unwrapped }.file(py, &reading, Accepted::default())
}

/// Opens a file whose bytes are in memory, as ``open`` does. ``bytes`` without compression and encryption are not copied.
#[pyfunction]
#[pyo3(signature = (
    data, *, password = None, key = None, dialect = None, framing = None, reals = None, skip = 0, max_len = 1_073_741_824, lenient = false,
    depth = 1_024
))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn open_bytes(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    password: Option<&str>,
    key: Option<&[u8]>,
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    skip: u64,
    max_len: u64,
    lenient: bool,
    depth: u32,
) -> PyResult<File> {
    let layers = layers(password, key, max_len, lenient)?;
    let reading = Reading { skip, layers, ..options::reading(dialect, framing, reals, depth)? };
    Unwrapped::of_bytes(py, data, &reading.layers)?.file(py, &reading, Accepted::default())
}

/// The value of a packet, which has the bytes of one value, without a length before it. O(1); O(bytes) if the dialect is not
/// given.
///
/// ``data`` is a bytes-like object. ``bytes``, and views of ``bytes``, are not copied. Other objects are copied, since
/// they may change. ``objects="refuse"`` refuses objects with class and properties. ``profile="canonical"`` refuses
/// bytes that an engine would not write. Both options apply when the value is read. ``reals="always64"`` is for
/// double-precision builds that do not set the flag of 64-bit reals.
///
/// Raises OpenError for bytes whose dialect cannot be determined.
#[pyfunction]
#[pyo3(signature = (
    data, dialect = None, *, reals = None, objects = "accept", profile = "engine", depth = 1_024
))]
pub(crate) fn loads(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    dialect: Option<&str>,
    reals: Option<&str>,
    objects: &str,
    profile: &str,
    depth: u32,
) -> PyResult<Document> {
    let reading = options::reading(dialect, None, reals, depth)?;
    let accepted = Accepted::new(objects, profile)?;
    let source = Source::of(data)?;
    let bytes = source.bytes(py);
    let (dialect, reals) = if let Some(dialect) = reading.dialect {
        (dialect, Reals::ByFlag)
    } else {
        let guess = detached(py, bytes.len(), || Framing::Bare.examine(bytes));
        let fit = guess.dialects().best().filter(|fit| fit.is_complete());
        let unknown = || {
            failure::layer(py, "the bytes are not one whole value in any dialect", "format", None)
        };
        let fit = fit.ok_or_else(unknown)?;
        (fit.dialect(), fit.reals())
    };
    let options = Options::engine(dialect).reals(reading.reals.unwrap_or(reals));
    let options = accepted.of(options.limits(reading.limits));
    let frame = Frame { start: 0, end: bytes.len(), number: None };
    Ok(Document::packet(Place::root(Arc::new(source), frame, options)))
}

/// The candidates for framing and dialect of a file, or of bytes, the likeliest first. O(bytes); other threads run
/// meanwhile.
///
/// ``source`` is a path, or a bytes-like object. Layers are removed as by ``open``, with the same errors.
#[pyfunction]
#[pyo3(signature = (source, *, password = None, key = None, max_len = 1_073_741_824))]
pub(crate) fn detect(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    password: Option<&str>,
    key: Option<&[u8]>,
    max_len: u64,
) -> PyResult<Vec<Candidate>> {
    let layers = layers(password, key, max_len, false)?.map(false);
    let source = Unwrapped::of(py, source, &layers)?.source;
    let bytes = source.bytes(py);
    Ok(detached(py, bytes.len(), || candidates(bytes)))
}

/// Reads every byte of a file, or of bytes, and returns the counts. O(bytes); other threads run meanwhile.
///
/// ``source`` is a path, or a bytes-like object. Raises DecodeError for the first error in the values, and the errors of
/// ``open``.
#[pyfunction]
#[pyo3(signature = (
    source, *, dialect = None, framing = None, reals = None, password = None, key = None, skip = 0, max_len = 1_073_741_824,
    objects = "accept", profile = "engine", depth = 1_024
))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn validate(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    password: Option<&str>,
    key: Option<&[u8]>,
    skip: u64,
    max_len: u64,
    objects: &str,
    profile: &str,
    depth: u32,
) -> PyResult<Summary> {
    let layers = layers(password, key, max_len, false)?.map(false);
    let reading = Reading { skip, layers, ..options::reading(dialect, framing, reals, depth)? };
    let accepted = Accepted::new(objects, profile)?;
    Unwrapped::of(py, source, &reading.layers)?.file(py, &reading, accepted)?.summary(py)
}

/// A candidate for the framing and dialect of a file.
#[pyclass(frozen, eq, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The name of the framing.
    #[pyo3(get)]
    framing: &'static str,
    /// The name of the dialect.
    #[pyo3(get)]
    dialect: &'static str,
    /// The rule for the width of reals.
    #[pyo3(get)]
    reals: &'static str,
    /// Whether the whole file can be read with this framing and dialect.
    #[pyo3(get)]
    is_whole: bool,
    /// The reasons why this candidate is likely or unlikely.
    #[pyo3(get)]
    reason: String,
}

#[pymethods]
impl Candidate {
    fn __repr__(&self) -> String {
        let Self { framing, dialect, reason, is_whole, .. } = self;
        let whole = if *is_whole { "whole" } else { "in part" };
        format!("<Candidate {framing} of {dialect}, {whole}: {reason}>")
    }
}

pub(crate) fn candidates(bytes: &[u8]) -> Vec<Candidate> {
    let detection = Framing::detect(bytes);
    let of_guess = |guess: &Guess| {
        let of_framing = guess.reason().to_string();
        let candidate = |fit: &Fit| {
            let why = fit.reasons().next().map(|why| format!("; {why}"));
            Candidate {
                framing: guess.framing().name(),
                dialect: fit.dialect().name(),
                reals: fit.reals().name(),
                is_whole: fit.is_complete(),
                reason: format!("{of_framing}{}", why.unwrap_or_default()),
            }
        };
        guess.dialects().iter().map(candidate).collect::<Vec<_>>()
    };
    detection.ranked().into_iter().flat_map(of_guess).collect()
}

/// Plain bytes, and the layers around them.
struct Unwrapped {
    source: Source,
    wrapping: Wrapping,
    is_mapped: bool,
    damage: Vec<Damage>,
    notes: Vec<String>,
    origin: Option<Origin>,
}

impl Unwrapped {
    /// Removes the layers of a file, given by its path, or of a bytes-like object.
    fn of(py: Python<'_>, source: &Bound<'_, PyAny>, layers: &OpenOptions) -> PyResult<Self> {
        let is_path = source.is_instance_of::<PyString>() || source.hasattr("__fspath__")?;
        if is_path {
            return Self::of_path(py, &source.extract::<PathBuf>()?, layers);
        }
        Self::of_bytes(py, source, layers)
    }

    fn of_path(py: Python<'_>, path: &Path, layers: &OpenOptions) -> PyResult<Self> {
        let opened = py.detach(|| variant_io::open(path, layers));
        let opened = opened.map_err(|error| failure::open(py, &error, Some(path)))?;
        Ok(Self::of_opened(opened))
    }

    fn of_bytes(py: Python<'_>, data: &Bound<'_, PyAny>, layers: &OpenOptions) -> PyResult<Self> {
        let source = Source::of(data)?;
        let bytes = source.bytes(py);
        let magic = bytes.first_chunk();
        let has_layers =
            magic.is_some_and(|magic| *magic == GDEC_MAGIC || GCPF_MAGICS.contains(magic));
        let opened = py.detach(|| {
            let given = if has_layers { bytes.to_vec() } else { Vec::new() };
            variant_io::open_bytes(given, layers)
        });
        let opened = opened.map_err(|error| failure::open(py, &error, None))?;
        let unwrapped = Self::of_opened(opened);
        // Bytes without layers are not copied.
        Ok(if has_layers { unwrapped } else { Self { source, ..unwrapped } })
    }

    fn of_opened(opened: Opened) -> Self {
        Self {
            wrapping: opened.wrapping().clone(),
            is_mapped: opened.is_mapped(),
            damage: opened.damage().to_vec(),
            notes: layer_notes(&opened),
            origin: None,
            source: Source::File(opened),
        }
    }

    fn file(self, py: Python<'_>, reading: &Reading, accepted: Accepted) -> PyResult<File> {
        let Self { source, wrapping, is_mapped, damage, mut notes, origin } = self;
        let bytes = source.bytes(py);
        let ends = reading.ends(bytes.len());
        let (skipped, _) = ends.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let body = bytes.get(skipped..).unwrap_or_default();
        if let Some(what) = reading.other_format(wrapping.layers(), body) {
            return Err(failure::layer(py, &format!("this is {what}"), "format", None));
        }
        let chosen = detached(py, body.len(), || reading.choose(bytes));
        let chosen = chosen.map_err(|error| PyValueError::new_err(error.to_string()))?;
        notes.extend(chosen.tail_note());
        let (is_certain, rivals) = (chosen.is_certain(), chosen.rivals());
        let mut plain = chosen.plain.with_bytes(&[]);
        plain.options = accepted.of(plain.options);
        let how = How { plain, is_certain, rivals, is_mapped, wrapping, damage, notes, origin };
        Ok(File::new(source, how))
    }
}

pub(crate) fn layers(
    password: Option<&str>,
    key: Option<&[u8]>,
    max_len: u64,
    is_lenient: bool,
) -> PyResult<OpenOptions> {
    let options = OpenOptions::new().max_len(max_len).lenient(is_lenient);
    Ok(match Key::given(password, key).map_err(PyValueError::new_err)? {
        Some(key) => options.key(key),
        None => options,
    })
}
