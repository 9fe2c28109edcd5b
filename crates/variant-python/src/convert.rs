//! Writes files in another form: another dialect, other layers, or what is left of a damaged file.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use variant_document::convert::Losses;
use variant_document::names::{UnknownName, dialect, one_of};
use variant_document::{Plain, convert, salvage};
use variant_io::{
    Compression, Encryption, GcpfOptions, Key, RewrapError, Wrapping, compress, encrypt,
};
use variant_view::Dialect;

use crate::failure;
use crate::how::How;
use crate::options;
use crate::place::detached;

/// The plain bytes of a file in another dialect. Refuses losses unless `is_lossy`.
pub(crate) fn converted(
    py: Python<'_>,
    file: Plain<'_>,
    to: &str,
    is_lossy: bool,
) -> PyResult<Vec<u8>> {
    let to = dialect(to).map_err(options::unknown)?;
    let converted = detached(py, file.bytes.len(), || convert::convert(file, to));
    let converted = converted.map_err(|error| failure::edit(py, &error, None))?;
    check_losses(py, to, &converted.losses, is_lossy)?;
    Ok(converted.bytes)
}

/// Refuses values that lost something in the dialect `to`, unless `is_lossy`.
pub(crate) fn check_losses(
    py: Python<'_>,
    to: Dialect,
    losses: &Losses,
    is_lossy: bool,
) -> PyResult<()> {
    if is_lossy || !losses.has_lost {
        return Ok(());
    }
    Err(failure::loss(py, to, losses.first.iter().find(|loss| loss.has_lost)))
}

/// The names of new layers around a file; `None` keeps the layer of the file.
pub(crate) struct Layers<'n> {
    pub(crate) compression: Option<&'n str>,
    pub(crate) encryption: Option<&'n str>,
    pub(crate) key: Option<Key>,
}

impl Layers<'_> {
    /// Whether the layers are those of the file.
    const fn are_kept(&self) -> bool {
        self.compression.is_none() && self.encryption.is_none() && self.key.is_none()
    }

    /// Compresses and encrypts plain bytes: once each, even if the file had several layers.
    pub(crate) fn wrap(&self, py: Python<'_>, plain: &[u8], how: &How) -> PyResult<Vec<u8>> {
        let wrapping = &how.wrapping;
        let layers = (!self.are_kept()).then(|| self.chosen(wrapping)).transpose()?;
        let wrapped = detached(py, plain.len(), || match &layers {
            None => wrapping.wrap(plain),
            Some(layers) => put_on(plain, layers),
        });
        wrapped.map_err(|error| failure::rewrap(py, &error))
    }

    fn chosen(&self, wrapping: &Wrapping) -> PyResult<(Option<GcpfOptions>, Option<Sealed>)> {
        let compression = match self.compression {
            None => wrapping.compression(),
            Some(name) => compression(name).map_err(options::unknown)?.map(GcpfOptions::new),
        };
        let encryption = match self.encryption {
            None => wrapping.encryption(),
            Some(name) => encryption(name).map_err(options::unknown)?,
        };
        let Some(encryption) = encryption else {
            if self.key.is_some() {
                let why = "a password is given, and no encryption; there are ecb, cfb";
                return Err(PyValueError::new_err(why));
            }
            return Ok((compression, None));
        };
        let key = self.key.as_ref().or_else(|| wrapping.key()).cloned();
        let key = key.ok_or_else(|| PyValueError::new_err("encryption needs a password"))?;
        Ok((compression, Some((encryption, key))))
    }
}

type Sealed = (Encryption, Key);

fn put_on(
    plain: &[u8],
    (compression, sealed): &(Option<GcpfOptions>, Option<Sealed>),
) -> Result<Vec<u8>, RewrapError> {
    let compressed = compression.as_ref().map(|options| compress(plain, options)).transpose()?;
    let Some((encryption, key)) = sealed else {
        return Ok(compressed.unwrap_or_else(|| plain.to_vec()));
    };
    // A new file gets a new initialisation vector.
    let encryption = match encryption {
        Encryption::Cfb(_) => Encryption::cfb()?,
        Encryption::Ecb => Encryption::Ecb,
    };
    Ok(encrypt(compressed.as_deref().unwrap_or(plain), key, encryption))
}

fn compression(name: &str) -> Result<Option<Compression>, UnknownName> {
    use Compression::{Deflate, FastLz, Gzip, Zstd};
    let all = [FastLz, Deflate, Zstd, Gzip].map(|mode| (mode.name(), Some(mode)));
    let all: Vec<_> = std::iter::once(("none", None)).chain(all).collect();
    one_of("compression", name, &all)
}

fn encryption(name: &str) -> Result<Option<Encryption>, UnknownName> {
    let all =
        [("none", None), ("ecb", Some(Encryption::Ecb)), ("cfb", Some(Encryption::Cfb([0; 16])))];
    one_of("encryption", name, &all)
}

/// The undamaged values of a damaged file.
#[pyclass(frozen, module = "variant_view")]
#[derive(Debug)]
pub(crate) struct Salvaged {
    bytes: Vec<u8>,
    /// The number of recovered values.
    #[pyo3(get)]
    values: u64,
    /// The number of bytes of the recovered values.
    #[pyo3(get)]
    size: usize,
    holes: Vec<salvage::Hole>,
    /// The number of all ranges of lost bytes.
    #[pyo3(get)]
    count: u64,
    /// The number of lost bytes.
    #[pyo3(get)]
    lost: usize,
}

/// The values of a file that can be recovered, with the layers of the file.
pub(crate) fn salvaged(py: Python<'_>, file: Plain<'_>, how: &How) -> PyResult<Salvaged> {
    let recovered = detached(py, file.bytes.len(), || {
        let file = salvage::with_lost_frames(file, 0);
        let values = file.framing.values(file.body()).writer(file.options.dialect);
        // The bytes after a bare value may belong to the value, so only the tail of frames is kept.
        let tail = file.bytes.len().saturating_sub(file.tail);
        let tail = file.bytes.get(tail..).unwrap_or_default();
        let found = salvage::salvage(file, &how.damage, values)?;
        let bytes = [file.head(), &found.values.finish(), tail].concat();
        Ok::<_, variant_io::AppendError>((bytes, found.count, found.bytes, found.holes))
    });
    let refused = |error: variant_io::AppendError| failure::encode_at(py, &error.to_string(), "");
    let (bytes, values, size, holes) = recovered.map_err(refused)?;
    let wrapped = detached(py, bytes.len(), || how.wrapping.wrap(&bytes));
    let bytes = wrapped.map_err(|error| failure::rewrap(py, &error))?;
    let salvage::Holes { kept, count, bytes: lost, .. } = holes;
    Ok(Salvaged { bytes, values, size, holes: kept, count, lost })
}

#[pymethods]
impl Salvaged {
    /// The recovered file, compressed and encrypted as the damaged file.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// The ranges of lost bytes: the first 1,000.
    #[getter]
    fn holes(&self) -> Vec<Hole> {
        self.holes.iter().cloned().map(Hole).collect()
    }

    fn __repr__(&self) -> String {
        let Self { values, count, lost, .. } = self;
        format!("<Salvaged, values={values}, holes={count}, lost={lost}>")
    }
}

/// A range of lost bytes.
#[pyclass(frozen, eq, module = "variant_view")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hole(salvage::Hole);

#[pymethods]
impl Hole {
    #[new]
    const fn new(start: usize, end: usize, path: String, reason: String) -> Self {
        Self(salvage::Hole { start, end, path, reason })
    }

    fn __getnewargs__(&self) -> (usize, usize, &str, &str) {
        (self.start(), self.end(), self.path(), self.reason())
    }

    /// The offset of the first lost byte. It equals ``end`` if no byte is lost: a count or a length was repaired.
    #[getter]
    const fn start(&self) -> usize {
        self.0.start
    }

    /// The offset after the last lost byte.
    #[getter]
    const fn end(&self) -> usize {
        self.0.end
    }

    /// The path of the container around the hole; empty for the outermost container.
    #[getter]
    fn path(&self) -> &str {
        &self.0.path
    }

    /// Why the bytes are lost.
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    fn __repr__(&self) -> String {
        let salvage::Hole { start, end, path, reason } = &self.0;
        format!("<Hole, bytes {start} to {end}, {path:?}: {reason}>")
    }
}
