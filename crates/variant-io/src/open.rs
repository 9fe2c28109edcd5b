//! [`open`]: opens a file and removes compression and encryption.

mod damage;
mod error;
mod layer;
mod source;
mod wrapping;

use std::io::Read;
use std::ops::Deref;
use std::path::Path;

pub use damage::Damage;
pub use error::OpenError;
pub use layer::Layer;
use source::Source;
pub use wrapping::{RewrapError, Wrapping};

use crate::detection::Detection;
use crate::framing::Framing;
use crate::value::Values;
#[cfg(feature = "compression")]
use crate::{GCPF_MAGICS, gcpf};
#[cfg(feature = "encryption")]
use crate::{GDEC_MAGIC, Key, gdec};

/// The options of [`open`].
///
/// ```
/// use variant_io::{OpenOptions, open_bytes};
///
/// let options = OpenOptions::new().max_len(1 << 20).map(false); // at most 1 MiB of unpacked data
/// let opened = open_bytes(vec![0; 4], &options)?;
/// assert!(!opened.is_mapped());
/// # Ok::<(), variant_io::OpenError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct OpenOptions {
    #[cfg(feature = "encryption")]
    key: Option<Key>,
    max_len: u64,
    may_map: bool,
    is_lenient: bool,
}

impl OpenOptions {
    /// Defaults: no key, and at most 1 GiB of unpacked data. Files of 64 KiB and more are mapped if possible.
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "encryption")]
            key: None,
            max_len: 1 << 30,
            may_map: true,
            is_lenient: false,
        }
    }

    /// Sets the key for encrypted files.
    ///
    /// ```
    /// use variant_io::{Encryption, Key, OpenError, OpenOptions, encrypt, open_bytes};
    ///
    /// let key = Key::from_password("hunter2");
    /// let save = encrypt(b"a save", &key, Encryption::Ecb);
    /// let error = open_bytes(save.clone(), &OpenOptions::new()).unwrap_err();
    /// assert!(matches!(error, OpenError::NoKey(Encryption::Ecb)));
    /// let opened = open_bytes(save, &OpenOptions::new().key(key))?;
    /// assert_eq!(opened.bytes(), b"a save");
    /// # Ok::<(), variant_io::OpenError>(())
    /// ```
    #[cfg(feature = "encryption")]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// Sets the limit of decrypted and decompressed data, in bytes. 1 GiB by default.
    ///
    /// A file that is neither encrypted nor compressed has no limit.
    pub const fn max_len(mut self, max_len: u64) -> Self {
        self.max_len = max_len;
        self
    }

    /// The limit that [`OpenOptions::max_len`] sets.
    pub const fn limit(&self) -> u64 {
        self.max_len
    }

    /// Sets whether to map a file into memory instead of reading it. True by default.
    ///
    /// Encrypted and compressed files are unpacked into memory in any case. Without the feature `mmap`, every file is
    /// read. The program is killed (SIGBUS) if a file shrinks while it is mapped.
    pub const fn map(mut self, may_map: bool) -> Self {
        self.may_map = may_map;
        self
    }

    /// Sets whether the readable part of a damaged layer is opened. False by default: damage is an error.
    ///
    /// [`Opened::damage`] lists the missing parts. A broken block between valid blocks is filled with bytes of 255.
    pub const fn lenient(mut self, is_lenient: bool) -> Self {
        self.is_lenient = is_lenient;
        self
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// An open file: its plain bytes, and the layers that were removed; from [`open`].
///
/// ```
/// use variant_io::{OpenOptions, open_bytes};
///
/// let file = vec![8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
/// let opened = open_bytes(file, &OpenOptions::new())?;
/// assert!(opened.layers().is_empty() && opened.damage().is_empty());
/// let framing = opened.detect().best().framing();
/// assert_eq!((framing.name(), opened.values(framing).count()), ("frames", 1));
/// assert_eq!(opened.rewrap(b"other bytes")?, b"other bytes"); // the file has no layers
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Opened {
    source: Source,
    wrapping: Wrapping,
    behind: u64,
    damage: Vec<Damage>,
}

/// The maximum number of layers that are removed. A file with more layers is hostile.
const MOST_LAYERS: usize = 4;

/// Opens a file and removes all layers of encryption and compression. The remaining bytes are values or settings.
///
/// O(1) if the file is mapped, O(bytes) otherwise.
///
/// ```
/// use variant_io::{OpenOptions, open};
/// use variant_view::{Dialect, Limits, Options};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot4/containers/save3.fastlz.gcpf");
/// # #[cfg(not(feature = "compression"))]
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot4/saves/sample3.variant");
/// # let path = if std::path::Path::new(path).exists() { path } else { return Ok(()) };
/// // Passing only a dialect instead of options would set the limits for untrusted bytes.
/// let options = Options::engine(Dialect::Godot4).limits(Limits::FILE);
/// let file = open(path, &OpenOptions::new())?;
/// for layer in file.layers() {
///     println!("{layer}");                              // compressed by fastlz, ...
/// }
/// for value in file.values(file.detect().best().framing()) {
///     let value = value?;
///     value.document(options).validate()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OpenError`]: the file cannot be read, needs a key, or a layer is damaged. The values themselves are not checked.
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Opened, OpenError> {
    unwrap(Source::open(path.as_ref(), options.may_map)?, options)
}

/// Reads `from` to its end, then removes the layers as [`open`] does. O(bytes).
///
/// ```
/// use variant_io::{OpenOptions, open_reader};
///
/// let mut from: &[u8] = &[2, 0, 0, 0, 7, 0, 0, 0];
/// let opened = open_reader(&mut from, &OpenOptions::new())?;
/// assert_eq!(opened.into_bytes(), [2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), variant_io::OpenError>(())
/// ```
///
/// # Errors
/// Those of [`open`].
pub fn open_reader(from: &mut dyn Read, options: &OpenOptions) -> Result<Opened, OpenError> {
    unwrap(Source::read(from)?, options)
}

/// Removes the layers of `bytes`, as [`open`] does. O(1) without layers, O(bytes) otherwise.
///
/// # Errors
/// Those of [`open`].
pub fn open_bytes(bytes: Vec<u8>, options: &OpenOptions) -> Result<Opened, OpenError> {
    unwrap(Source::Read(bytes), options)
}

fn unwrap(mut source: Source, options: &OpenOptions) -> Result<Opened, OpenError> {
    let (mut layers, mut tails) = (Vec::new(), Vec::<Vec<u8>>::new());
    let mut all_damage = Vec::new();
    while let Some(outermost) = Outermost::of(&source) {
        if layers.len() == MOST_LAYERS {
            return Err(OpenError::TooManyLayers(MOST_LAYERS));
        }
        let Inside { layer, plain, behind, damage } = outermost.take_off(&source, options)?;
        layers.push(layer);
        all_damage.extend(damage);
        tails.push(behind);
        source = Source::Read(plain);
    }
    let behind = tails.iter().fold(0, |sum: u64, tail| sum.saturating_add(len(tail)));
    let wrapping = Wrapping::new(layers, tails, options);
    Ok(Opened { source, wrapping, behind, damage: all_damage })
}

/// A layer, its contents, and the bytes after its end.
struct Inside {
    layer: Layer,
    plain: Vec<u8>,
    behind: Vec<u8>,
    damage: Vec<Damage>,
}

fn len(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(any(feature = "compression", feature = "encryption"))]
fn behind(bytes: &[u8], end: u64) -> &[u8] {
    usize::try_from(end).ok().and_then(|end| bytes.get(end..)).unwrap_or_default()
}

/// The outermost layer, by its magic bytes.
#[derive(Clone, Copy, Debug)]
enum Outermost {
    #[cfg(feature = "encryption")]
    Encrypted,
    #[cfg(feature = "compression")]
    Compressed,
}

impl Outermost {
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
    fn take_off(self, bytes: &[u8], options: &OpenOptions) -> Result<Inside, OpenError> {
        match self {
            #[cfg(feature = "encryption")]
            Self::Encrypted => {
                let header = gdec::GdecHeader::parse(bytes)?;
                let key = options.key.as_ref().ok_or(OpenError::NoKey(header.encryption))?;
                let (plain, error) = if options.is_lenient {
                    gdec::decrypt_part(bytes, key, options.max_len)?
                } else {
                    (gdec::decrypt(bytes, key, options.max_len)?, None)
                };
                let damage = error.map(|error| Damage::of_rest(&plain, header.len, &error));
                let behind = behind(bytes, header.end()).to_vec();
                let damage = damage.into_iter().collect();
                Ok(Inside { layer: Layer::Encrypted(header), plain, behind, damage })
            }
            #[cfg(feature = "compression")]
            Self::Compressed => {
                let from = std::io::Cursor::new(bytes);
                let mut reader = gcpf::GcpfReader::new(from, options.max_len)?;
                let (header, behind) = (*reader.header(), behind(bytes, reader.end()));
                // After the last block, engines write the magic bytes again. These bytes belong to the layer, so they
                // do not count as bytes after it.
                let behind = behind.strip_prefix(&header.magic).unwrap_or(behind).to_vec();
                let (plain, broken) = if options.is_lenient {
                    reader.read_sound_blocks(len(bytes))
                } else {
                    (reader.read_blocks()?, Vec::new())
                };
                let damage = broken.iter().map(Damage::of_block).collect();
                Ok(Inside { layer: Layer::Compressed(header), plain, behind, damage })
            }
        }
    }
}

impl Opened {
    /// The plain bytes. O(1).
    pub fn bytes(&self) -> &[u8] {
        &self.source
    }

    /// The plain bytes as a vector. O(bytes) for a mapped file, which is copied; O(1) otherwise.
    pub fn into_bytes(self) -> Vec<u8> {
        self.source.into_bytes()
    }

    /// The layers that were removed, the outermost first.
    pub fn layers(&self) -> &[Layer] {
        self.wrapping.layers()
    }

    /// The layers and the key, to wrap other bytes in the same way. Clone the wrapping to keep it longer than the file.
    pub const fn wrapping(&self) -> &Wrapping {
        &self.wrapping
    }

    /// The number of bytes after the ends of the layers. Engines ignore these, and [`Opened::rewrap`] writes them
    /// again.
    pub const fn behind(&self) -> u64 {
        self.behind
    }

    /// The missing plain bytes; empty unless [`OpenOptions::lenient`] is set. Offsets of damage in an outer layer count
    /// from the start of that layer's contents.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Wraps other plain bytes in the same layers: [`Wrapping::wrap`]. O(bytes) per layer.
    ///
    /// # Errors
    /// Those of [`Wrapping::wrap`].
    pub fn rewrap(&self, plain: &[u8]) -> Result<Vec<u8>, RewrapError> {
        self.wrapping.wrap(plain)
    }

    /// Whether the file is mapped into memory.
    pub const fn is_mapped(&self) -> bool {
        self.source.is_mapped()
    }

    /// Guesses the framing and the dialects: [`Framing::detect`]. O(bytes).
    pub fn detect(&self) -> Detection {
        Framing::detect(&self.source)
    }

    /// The values in `framing`: [`Framing::values`]. O(1).
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
