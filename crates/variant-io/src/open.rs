//! [`open`]: files as they are found, with whatever is around their values taken off.

mod error;
mod layer;
mod source;

use std::io::Read;
use std::ops::Deref;
use std::path::Path;

pub use error::OpenError;
pub use layer::Layer;
use source::Source;

use crate::framing::{Detection, Framing};
use crate::value::Values;
#[cfg(feature = "compression")]
use crate::{GCPF_MAGICS, gcpf};
#[cfg(feature = "encryption")]
use crate::{GDEC_MAGIC, Key, gdec};

/// How to open a file.
#[derive(Clone, Debug)]
#[must_use]
pub struct OpenOptions {
    #[cfg(feature = "encryption")]
    key: Option<Key>,
    max_len: u64,
    may_map: bool,
}

impl OpenOptions {
    /// Without a key; at most 1 GiB of what has to be unpacked; mapped where that is possible.
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "encryption")]
            key: None,
            max_len: 1 << 30,
            may_map: true,
        }
    }

    /// With a key for encrypted files.
    #[cfg(feature = "encryption")]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// With at most so many bytes of what has to be decrypted or decompressed. Files that are neither may have
    /// any length.
    pub const fn max_len(mut self, max_len: u64) -> Self {
        self.max_len = max_len;
        self
    }

    /// Whether to map a file into memory instead of reading it, where it is neither encrypted nor compressed.
    /// A file that is cut short while it is mapped ends the program. Without the feature `mmap` files are read.
    pub const fn map(mut self, may_map: bool) -> Self {
        self.may_map = may_map;
        self
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// The plain bytes of a file, and what was around them.
#[derive(Debug)]
pub struct Opened {
    source: Source,
    layers: Vec<Layer>,
}

/// What a file is wrapped in at most: who wraps it more often means harm.
const MOST_LAYERS: usize = 4;

/// Opens a file: decrypts it, decompresses it, and both where one is in the other, until what is left is values or
/// settings. O(1) where it can be mapped, else O(bytes).
///
/// ```
/// use variant_io::{OpenOptions, open};
/// use variant_view::Dialect;
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot4/containers/save3.fastlz.gcpf");
/// # #[cfg(not(feature = "compression"))]
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot4/saves/sample3.variant");
/// # let path = if std::path::Path::new(path).exists() { path } else { return Ok(()) };
/// let file = open(path, &OpenOptions::new())?;
/// for layer in file.layers() {
///     println!("{layer}");                              // compressed by fastlz, ...
/// }
/// for value in file.values(file.detect().best().framing()) {
///     let value = value?;
///     value.document(Dialect::Godot4).validate()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A file that cannot be read; one that is encrypted where there is no key or a wrong one; whatever is damaged
/// in what is around the values. What the values are is not looked at.
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Opened, OpenError> {
    unwrap(Source::open(path.as_ref(), options.may_map)?, options)
}

/// As [`open`], of something that is read to its end.
///
/// # Errors
/// As [`open`].
pub fn open_reader(from: &mut dyn Read, options: &OpenOptions) -> Result<Opened, OpenError> {
    unwrap(Source::read(from)?, options)
}

/// As [`open`], of bytes.
///
/// # Errors
/// As [`open`].
pub fn open_bytes(bytes: Vec<u8>, options: &OpenOptions) -> Result<Opened, OpenError> {
    unwrap(Source::Read(bytes), options)
}

fn unwrap(mut source: Source, options: &OpenOptions) -> Result<Opened, OpenError> {
    let mut layers = Vec::new();
    while let Some(wrapping) = Wrapping::of(&source) {
        if layers.len() == MOST_LAYERS {
            return Err(OpenError::TooManyLayers(MOST_LAYERS));
        }
        let (layer, inner) = wrapping.take_off(&source, options)?;
        layers.push(layer);
        source = Source::Read(inner);
    }
    Ok(Opened { source, layers })
}

/// What the outermost layer is, by its first bytes.
#[derive(Clone, Copy, Debug)]
enum Wrapping {
    #[cfg(feature = "encryption")]
    Encrypted,
    #[cfg(feature = "compression")]
    Compressed,
}

impl Wrapping {
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.first_chunk()? {
            #[cfg(feature = "encryption")]
            &GDEC_MAGIC => Some(Self::Encrypted),
            #[cfg(feature = "compression")]
            magic if GCPF_MAGICS.contains(magic) => Some(Self::Compressed),
            [_, _, _, _] => None,
        }
    }

    #[cfg_attr(
        not(any(feature = "compression", feature = "encryption")),
        expect(unused_variables, reason = "there are no layers without features")
    )]
    fn take_off(self, bytes: &[u8], options: &OpenOptions) -> Result<(Layer, Vec<u8>), OpenError> {
        match self {
            #[cfg(feature = "encryption")]
            Self::Encrypted => {
                let header = gdec::GdecHeader::parse(bytes)?;
                let key = options.key.as_ref().ok_or(OpenError::NoKey(header.encryption))?;
                let plain = gdec::decrypt(bytes, key, options.max_len)?;
                Ok((Layer::Encrypted(header), plain))
            }
            #[cfg(feature = "compression")]
            Self::Compressed => {
                let from = std::io::Cursor::new(bytes);
                let mut reader = gcpf::GcpfReader::new(from, options.max_len)?;
                Ok((Layer::Compressed(*reader.header()), reader.read_blocks()?))
            }
        }
    }
}

impl Opened {
    /// The plain bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.source
    }

    /// The plain bytes; of a file that was mapped, copied.
    pub fn into_bytes(self) -> Vec<u8> {
        self.source.into_bytes()
    }

    /// What was around them, the outermost first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Whether the file is mapped into memory.
    pub const fn is_mapped(&self) -> bool {
        self.source.is_mapped()
    }

    /// How the values are set apart, and what dialects they may be of; as [`Framing::detect`].
    pub fn detect(&self) -> Detection {
        Framing::detect(&self.source)
    }

    /// The values, set apart in this way. O(1).
    pub fn values(&self, framing: Framing) -> Values<'_> {
        framing.values(&self.source)
    }
}

impl Deref for Opened {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.source
    }
}
