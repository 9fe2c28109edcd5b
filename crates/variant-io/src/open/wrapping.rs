//! [`Wrapping`]: applies the layers of one file to other bytes.

use std::fmt;

use super::{Layer, OpenOptions};
#[cfg(feature = "encryption")]
use crate::{Encryption, GdecError, GdecHeader, Key, encrypt};
#[cfg(feature = "compression")]
use crate::{GcpfError, GcpfHeader, GcpfOptions, compress};

/// The layers of a file and the key of its encrypted layers; from [`Opened::wrapping`](crate::Opened::wrapping). The
/// default has no layers.
///
/// ```
/// # #[cfg(all(feature = "compression", feature = "encryption"))] {
/// use variant_io::{Compression, Encryption, GcpfOptions, Key, OpenOptions, compress, encrypt, open_bytes};
///
/// let key = Key::from_password("hunter2");
/// let save = compress(b"a save", &GcpfOptions::new(Compression::FastLz).block_size(512))?;
/// let save = encrypt(&save, &key, Encryption::Ecb);
///
/// let options = OpenOptions::new().key(key);
/// let opened = open_bytes(save, &options)?;
/// let changed = opened.rewrap(b"another save")?;
///
/// let again = open_bytes(changed, &options)?;
/// assert_eq!(again.bytes(), b"another save");
/// assert_eq!(again.layers().len(), 2);            // ECB around FastLZ, in blocks of 512 bytes
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Wrapping {
    layers: Vec<Layer>,
    /// The bytes after the end of each layer.
    tails: Vec<Vec<u8>>,
    /// Whether [`Wrapping::wrap`] leaves these bytes out.
    drops_tails: bool,
    #[cfg(feature = "encryption")]
    key: Option<Key>,
    #[cfg(feature = "encryption")]
    keeps_iv: bool,
}

impl Wrapping {
    #[cfg_attr(not(feature = "encryption"), expect(unused_variables))]
    pub(super) fn new(layers: Vec<Layer>, tails: Vec<Vec<u8>>, options: &OpenOptions) -> Self {
        Self {
            tails,
            drops_tails: false,
            #[cfg(feature = "encryption")]
            key: options.key.clone().filter(|_| layers.iter().any(Layer::is_encrypted)),
            #[cfg(feature = "encryption")]
            keeps_iv: false,
            layers,
        }
    }

    /// The layers, the outermost first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Whether the file has no layers.
    pub const fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The compression of the innermost compressed layer; `None` if the file is not compressed.
    #[cfg(feature = "compression")]
    #[cfg_attr(
        not(feature = "encryption"),
        expect(
            clippy::unnecessary_find_map,
            reason = "without encryption, every layer is compressed"
        )
    )]
    pub fn compression(&self) -> Option<GcpfOptions> {
        self.layers.iter().rev().find_map(|layer| match *layer {
            Layer::Compressed(GcpfHeader { magic, compression, block_size, .. }) => {
                Some(GcpfOptions::new(compression).block_size(block_size).magic(magic))
            }
            #[cfg(feature = "encryption")]
            Layer::Encrypted(_) => None,
        })
    }

    /// The encryption of the outermost encrypted layer, with the initialisation vector of the file; `None` if the file is
    /// not encrypted.
    #[cfg(feature = "encryption")]
    #[cfg_attr(
        not(feature = "compression"),
        expect(
            clippy::unnecessary_find_map,
            reason = "without compression, every layer is encrypted"
        )
    )]
    pub fn encryption(&self) -> Option<Encryption> {
        self.layers.iter().find_map(|layer| match *layer {
            Layer::Encrypted(GdecHeader { encryption, .. }) => Some(encryption),
            #[cfg(feature = "compression")]
            Layer::Compressed(_) => None,
        })
    }

    /// The key of the encrypted layers; `None` if the file is not encrypted.
    #[cfg(feature = "encryption")]
    pub const fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Sets whether Godot 4 layers reuse the initialisation vector of the file. False by default: each file gets a
    /// random vector, as from the engine.
    ///
    /// Two files with the same vector and key reveal the length of the beginning that they share.
    ///
    /// ```
    /// use variant_io::{Encryption, Key, OpenOptions, encrypt, open_bytes};
    ///
    /// let key = Key::from_password("hunter2");
    /// let save = encrypt(b"a save", &key, Encryption::Cfb([1; 16]));
    /// let opened = open_bytes(save.clone(), &OpenOptions::new().key(key))?;
    /// assert_ne!(opened.rewrap(b"a save")?, save);
    /// assert_eq!(opened.wrapping().clone().keep_iv(true).wrap(b"a save")?, save);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "encryption")]
    #[must_use]
    pub const fn keep_iv(mut self, keeps_iv: bool) -> Self {
        self.keeps_iv = keeps_iv;
        self
    }

    /// Sets whether the bytes after the end of each layer are written again. True by default.
    ///
    /// Engines ignore them. A program may keep a checksum or a picture there.
    ///
    #[cfg_attr(not(feature = "compression"), doc = "```ignore")]
    #[cfg_attr(feature = "compression", doc = "```")]
    /// use variant_io::{Compression, GcpfOptions, OpenOptions, compress, open_bytes};
    ///
    /// let mut save = compress(b"a save", &GcpfOptions::new(Compression::FastLz))?;
    /// let len = save.len();
    /// save.extend(b"a hash");
    /// let opened = open_bytes(save, &OpenOptions::new())?;
    /// assert!(opened.rewrap(b"a save")?.ends_with(b"a hash"));
    /// assert_eq!(opened.wrapping().clone().keep_tails(false).wrap(b"a save")?.len(), len);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn keep_tails(mut self, keeps_tails: bool) -> Self {
        self.drops_tails = !keeps_tails;
        self
    }

    /// Wraps `plain` in the same layers. O(bytes) per layer.
    ///
    /// The result keeps the magic bytes, compression and block size of compressed layers. It keeps the cipher and key
    /// of encrypted layers, and the bytes after the end of each layer. A file does not record the compression level, so
    /// the result may be longer than the original.
    ///
    /// # Errors
    /// * [`RewrapError::NoKey`] without a key for an encrypted layer.
    /// * [`GcpfErrorKind::ReadOnly`](crate::GcpfErrorKind::ReadOnly) for brotli.
    /// * [`GcpfErrorKind::TooLong`](crate::GcpfErrorKind::TooLong) above 4 GiB.
    /// * [`GdecErrorKind::NoRandom`](crate::GdecErrorKind::NoRandom) without random numbers for a new vector.
    pub fn wrap(&self, plain: &[u8]) -> Result<Vec<u8>, RewrapError> {
        let mut layers = self.layers.iter().zip(&self.tails).rev();
        let Some(innermost) = layers.next() else { return Ok(plain.to_vec()) };
        let put_on = |plain: &[u8], (layer, tail): (&Layer, &Vec<u8>)| {
            let mut wrapped = self.put_on(*layer, plain)?;
            if !self.drops_tails {
                wrapped.extend_from_slice(tail);
            }
            Ok(wrapped)
        };
        let wrapped = put_on(plain, innermost)?;
        layers.try_fold(wrapped, |wrapped, layer| put_on(&wrapped, layer))
    }

    #[cfg_attr(
        not(feature = "encryption"),
        expect(clippy::unused_self, reason = "only encrypted layers use the key")
    )]
    #[cfg_attr(
        not(any(feature = "compression", feature = "encryption")),
        expect(unused_variables, reason = "there are no layers without features")
    )]
    fn put_on(&self, layer: Layer, plain: &[u8]) -> Result<Vec<u8>, RewrapError> {
        match layer {
            #[cfg(feature = "encryption")]
            Layer::Encrypted(GdecHeader { encryption, .. }) => {
                let key = self.key.as_ref().ok_or(RewrapError::NoKey(encryption))?;
                let encryption = match encryption {
                    Encryption::Cfb(_) if !self.keeps_iv => Encryption::cfb()?,
                    same => same,
                };
                Ok(encrypt(plain, key, encryption))
            }
            #[cfg(feature = "compression")]
            Layer::Compressed(GcpfHeader { magic, compression, block_size, .. }) => {
                let options = GcpfOptions::new(compression).block_size(block_size).magic(magic);
                Ok(compress(plain, &options)?)
            }
        }
    }
}

/// The reason why bytes were not wrapped; from [`Wrapping::wrap`].
#[derive(Debug)]
#[non_exhaustive]
pub enum RewrapError {
    /// The file was encrypted and no key is known.
    #[cfg(feature = "encryption")]
    NoKey(Encryption),
    /// Encryption failed.
    #[cfg(feature = "encryption")]
    Encrypted(GdecError),
    /// Compression failed.
    #[cfg(feature = "compression")]
    Compressed(GcpfError),
}

#[cfg(feature = "encryption")]
impl From<GdecError> for RewrapError {
    fn from(error: GdecError) -> Self {
        Self::Encrypted(error)
    }
}

#[cfg(feature = "compression")]
impl From<GcpfError> for RewrapError {
    fn from(error: GcpfError) -> Self {
        Self::Compressed(error)
    }
}

impl fmt::Display for RewrapError {
    #[cfg_attr(not(any(feature = "compression", feature = "encryption")), expect(unused_variables))]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            #[cfg(feature = "encryption")]
            Self::NoKey(encryption) => {
                write!(f, "encrypted with {encryption}; a key or a password is needed")
            }
            #[cfg(feature = "encryption")]
            Self::Encrypted(ref error) => error.fmt(f),
            #[cfg(feature = "compression")]
            Self::Compressed(ref error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RewrapError {
    // `Display` includes the message of the inner error, so `source` skips the inner error and returns the cause of the
    // inner error.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match *self {
            #[cfg(feature = "encryption")]
            Self::NoKey(_) => None,
            #[cfg(feature = "encryption")]
            Self::Encrypted(ref error) => error.source(),
            #[cfg(feature = "compression")]
            Self::Compressed(ref error) => error.source(),
        }
    }
}
