//! Opens files and packets: removes their layers, chooses their framing and dialect.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use variant_document::count::{counted, grouped};
use variant_document::{Plain, magic};
use variant_io::{
    Damage, Fit, Framing, GCPF_MAGICS, GDEC_MAGIC, GcpfHeader, Guess, Key, Layer, OpenOptions,
    Opened, Verdict, Wrapping,
};
use variant_view::{Dialect, Reals};

use crate::document::{Document, Summary};
use crate::failure;
use crate::file::{File, How};
use crate::options::{self, Reading};
use crate::place::{Frame, detached};
use crate::source::Source;

/// Opens a file of values, and removes its compression and encryption. O(bytes); other threads run meanwhile.
///
/// ``dialect`` and ``framing`` are guessed from the bytes if they are not given (``File.is_certain``, ``detect``).
/// ``password`` is a text, ``key`` 32 bytes. ``skip`` is the number of bytes before the values, ``max_len`` the maximum
/// that is decrypted and decompressed. ``lenient`` opens damaged layers as far as they can be read. ``depth`` is the
/// most levels of a value, 1,024 at most.
///
/// The file is read into memory. With ``mmap`` it is mapped instead, which is O(1) for a file without layers, but the
/// system ends the process (SIGBUS) if another one truncates the file meanwhile.
///
/// Raises OSError for a file that cannot be read, OpenError for a layer that cannot be removed and for a file of another format.
#[pyfunction]
#[pyo3(signature = (
    path, *, password = None, key = None, dialect = None, framing = None, reals = None, skip = 0, max_len = 1_073_741_824, mmap = false,
    lenient = false, depth = 1_024
))]
#[expect(
    clippy::too_many_arguments,
    clippy::needless_pass_by_value,
    reason = "as Python gives them"
)]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    password: Option<&str>,
    key: Option<&[u8]>,
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    skip: usize,
    max_len: u64,
    mmap: bool,
    lenient: bool,
    depth: u32,
) -> PyResult<File> {
    let given = Given::new(dialect, framing, reals)?;
    let reading = Reading::new("accept", "engine", depth)?;
    let layers = layers(password, key, max_len, lenient)?.map(mmap);
    Unwrapped::of_path(py, &path, &layers)?.file(py, given, reading, skip)
}

/// As ``open``, for a file whose bytes are in memory. ``bytes`` without compression and encryption are not copied.
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
    skip: usize,
    max_len: u64,
    lenient: bool,
    depth: u32,
) -> PyResult<File> {
    let given = Given::new(dialect, framing, reals)?;
    let reading = Reading::new("accept", "engine", depth)?;
    let layers = layers(password, key, max_len, lenient)?;
    Unwrapped::of_bytes(py, data, &layers)?.file(py, given, reading, skip)
}

/// The value of a packet: bytes of one value, without a length before it. O(1); O(bytes) if the dialect is not given.
///
/// ``data`` is ``bytes`` or a view of them, which are not copied, or another bytes-like object, which is copied, since
/// it may change. ``objects="refuse"`` refuses objects with class and properties, ``profile="canonical"`` bytes that an
/// engine would not write; both apply when the value is read. ``reals="always64"`` is for double-precision builds whose
/// headers do not say so.
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
    let given = Given::new(dialect, Some(Framing::Bare.name()), reals)?;
    let reading = Reading::new(objects, profile, depth)?;
    let source = Source::of(data)?;
    let bytes = source.bytes(py);
    let (dialect, reals) = match (given.dialect, given.reals) {
        (Some(dialect), reals) => (dialect, reals.unwrap_or_default()),
        (None, reals) => {
            let guess = detached(py, bytes.len(), || Framing::Bare.examine(bytes));
            let fit = guess.dialects().best().filter(|fit| fit.is_complete());
            let unknown = || {
                failure::layer(py, "the bytes are no whole value of any dialect", "format", None)
            };
            let fit = fit.ok_or_else(unknown)?;
            (fit.dialect(), reals.unwrap_or_else(|| fit.reals()))
        }
    };
    let frame = Frame { start: 0, end: bytes.len(), number: None };
    Ok(Document::new(Arc::new(source), frame, reading.options(dialect, reals), None))
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
/// ``source`` is a path, or a bytes-like object. Raises DecodeError for the first byte that is wrong, and the errors of
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
    skip: usize,
    max_len: u64,
    objects: &str,
    profile: &str,
    depth: u32,
) -> PyResult<Summary> {
    let given = Given::new(dialect, framing, reals)?;
    let reading = Reading::new(objects, profile, depth)?;
    let layers = layers(password, key, max_len, false)?.map(false);
    Unwrapped::of(py, source, &layers)?.file(py, given, reading, skip)?.summary(py)
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
    /// The rule of the width of reals.
    #[pyo3(get)]
    reals: &'static str,
    /// Whether the whole file can be read so.
    #[pyo3(get)]
    is_whole: bool,
    /// Why this is likely or not.
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

/// The candidates for bytes, the likeliest first.
pub(crate) fn candidates(bytes: &[u8]) -> Vec<Candidate> {
    let detection = Framing::detect(bytes);
    let of_guess = |guess: &Guess| {
        let of_framing = guess.reason().to_string();
        let candidate = |fit: &Fit| {
            let why = fit.candidate().reasons().next().map(|why| format!("; {why}"));
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

/// The caller's options of how bytes are read.
#[derive(Clone, Copy, Debug)]
struct Given {
    dialect: Option<Dialect>,
    framing: Option<Framing>,
    reals: Option<Reals>,
}

/// How bytes are read.
struct Choice {
    framing: Framing,
    dialect: Dialect,
    reals: Reals,
    is_certain: bool,
}

impl Given {
    fn new(dialect: Option<&str>, framing: Option<&str>, reals: Option<&str>) -> PyResult<Self> {
        Ok(Self {
            dialect: dialect.map(options::dialect).transpose()?,
            framing: framing.map(options::framing).transpose()?,
            reals: reals.map(options::reals).transpose()?,
        })
    }

    /// The name of another format of the bytes, unless the caller gives options of how they are read.
    fn other_format(self, body: &[u8], wrapping: &Wrapping) -> Option<&'static str> {
        let is_resource = |layer: &Layer| {
            matches!(layer, Layer::Compressed(GcpfHeader { magic: [b'R', ..], .. }))
        };
        if wrapping.layers().iter().any(is_resource) {
            return Some("a compressed resource of Godot (.res, .scn), which is another format");
        }
        let is_told = self.dialect.is_some() && self.framing.is_some();
        if is_told { None } else { magic::recognise(body) }
    }

    fn choose(self, body: &[u8]) -> Choice {
        if let (Some(dialect), Some(framing)) = (self.dialect, self.framing) {
            let reals = self.reals.unwrap_or_default();
            return Choice { framing, dialect, reals, is_certain: true };
        }
        let detection = Framing::detect(body);
        let guess = detection.best_of(self.framing, self.dialect);
        let framing = self.framing.unwrap_or(guess.framing());
        let of_dialect = |dialect| guess.dialects().get(dialect).map_or(Reals::ByFlag, Fit::reals);
        if let Some(dialect) = self.dialect {
            let reals = self.reals.unwrap_or_else(|| of_dialect(dialect));
            return Choice { framing, dialect, reals, is_certain: true };
        }
        let verdict = guess.verdict();
        let fit = verdict.fit().or_else(|| guess.dialects().best());
        let (dialect, reals) =
            fit.map_or((Dialect::Godot4, Reals::ByFlag), |fit| (fit.dialect(), fit.reals()));
        let is_certain =
            matches!(verdict, Verdict::Clear(_)) && framing.name() == guess.framing().name();
        Choice { framing, dialect, reals: self.reals.unwrap_or(reals), is_certain }
    }
}

/// Plain bytes, and the layers around them.
struct Unwrapped {
    source: Source,
    wrapping: Wrapping,
    is_mapped: bool,
    notes: Vec<String>,
}

impl Unwrapped {
    /// Unwraps a path, or a bytes-like object.
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
        let given = if has_layers { bytes.to_vec() } else { Vec::new() };
        let opened = py.detach(|| variant_io::open_bytes(given, layers));
        let opened = opened.map_err(|error| failure::open(py, &error, None))?;
        let unwrapped = Self::of_opened(opened);
        // Bytes without layers are not copied.
        Ok(if has_layers { unwrapped } else { Self { source, ..unwrapped } })
    }

    fn of_opened(opened: Opened) -> Self {
        let lost = |damage: &Damage| {
            format!("layer: {} bytes from {} on: {}", damage.len, damage.start, damage.reason)
        };
        let behind = opened.behind();
        let behind = (behind > 0)
            .then(|| format!("{behind} bytes behind the end of a layer, which engines ignore"));
        Self {
            wrapping: opened.wrapping().clone(),
            is_mapped: opened.is_mapped(),
            notes: opened.damage().iter().map(lost).chain(behind).collect(),
            source: Source::File(opened),
        }
    }

    /// The file of the bytes.
    fn file(
        self,
        py: Python<'_>,
        given: Given,
        reading: Reading,
        skipped: usize,
    ) -> PyResult<File> {
        let Self { source, wrapping, is_mapped, mut notes } = self;
        let bytes = source.bytes(py);
        let Some(body) = bytes.get(skipped..) else {
            let what =
                format!("the file has {} bytes, and {skipped} are to be skipped", bytes.len());
            return Err(PyValueError::new_err(what));
        };
        if let Some(what) = given.other_format(body, &wrapping) {
            return Err(failure::layer(py, &format!("this is {what}"), "format", None));
        }
        let (plain, options, is_certain) = detached(py, body.len(), || {
            let Choice { framing, dialect, reals, is_certain } = given.choose(body);
            let options = reading.options(dialect, reals);
            (Plain::new(bytes, framing, options).skip(skipped).find_tail(), options, is_certain)
        });
        let Plain { framing, tail, .. } = plain;
        if tail > 0 {
            let (len, from) = (counted(tail, "byte"), grouped(bytes.len().saturating_sub(tail)));
            notes.push(format!("{len} from byte {from} on belong to no value, and are not read"));
        }
        let how = How { framing, options, skipped, tail, is_certain, is_mapped, wrapping, notes };
        Ok(File::new(source, how))
    }
}

fn layers(
    password: Option<&str>,
    key: Option<&[u8]>,
    max_len: u64,
    is_lenient: bool,
) -> PyResult<OpenOptions> {
    let options = OpenOptions::new().max_len(max_len).lenient(is_lenient);
    Ok(match self::key(password, key)? {
        Some(key) => options.key(key),
        None => options,
    })
}

/// The key of a password, or of its bytes.
pub(crate) fn key(password: Option<&str>, key: Option<&[u8]>) -> PyResult<Option<Key>> {
    match (password, key) {
        (Some(_), Some(_)) => Err(PyTypeError::new_err("a password or a key, and not both")),
        (Some(password), None) => Ok(Some(Key::from_password(password))),
        (None, None) => Ok(None),
        (None, Some(key)) => {
            let wrong = || format!("a key has 32 bytes, and this one {}", key.len());
            let key = key.try_into().map_err(|_| PyValueError::new_err(wrong()))?;
            Ok(Some(Key::from_bytes(key)))
        }
    }
}
