//! [`Layer`]: compression or encryption around the values of a file.

use std::fmt;

#[cfg(feature = "compression")]
use crate::GcpfHeader;
#[cfg(feature = "encryption")]
use crate::GdecHeader;

/// One layer of compression or encryption around the values of a file.
///
/// Bytes may follow the end of a layer; they are not part of a value. [`Opened`](crate::Opened) counts them.
///
/// ```
/// # #[cfg(feature = "compression")] {
/// use variant_io::{Compression, GcpfOptions, Layer, OpenOptions, compress, open_bytes};
///
/// let file = compress(b"a save", &GcpfOptions::new(Compression::Zstd))?;
/// let opened = open_bytes(file, &OpenOptions::new())?;
/// let [Layer::Compressed(header)] = opened.layers() else { panic!("one layer") };
/// assert_eq!((header.compression, header.len), (Compression::Zstd, 6));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layer {
    /// An encrypted file (GDEC).
    #[cfg(feature = "encryption")]
    Encrypted(GdecHeader),
    /// A compressed file (GCPF).
    #[cfg(feature = "compression")]
    Compressed(GcpfHeader),
}

impl Layer {
    /// The offset in this layer of the first encrypted or compressed byte, after the header.
    #[cfg_attr(
        not(any(feature = "compression", feature = "encryption")),
        expect(clippy::missing_const_for_fn, reason = "there are no layers without features")
    )]
    pub fn start(&self) -> u64 {
        match *self {
            #[cfg(feature = "encryption")]
            Self::Encrypted(header) => header.start(),
            #[cfg(feature = "compression")]
            Self::Compressed(header) => header.start(),
        }
    }

    /// Whether this is a compressed resource of Godot (`.res`, `.scn`). Such a resource does not have values of this
    /// format. O(1).
    #[cfg_attr(
        not(feature = "compression"),
        allow(clippy::unused_self, reason = "the signature is the same with the feature")
    )]
    pub const fn is_resource(&self) -> bool {
        #[cfg(feature = "compression")]
        return matches!(self, Self::Compressed(GcpfHeader { magic: [b'R', ..], .. }));
        #[cfg(not(feature = "compression"))]
        return false;
    }
}

#[cfg(feature = "encryption")]
impl Layer {
    pub(super) const fn is_encrypted(&self) -> bool {
        matches!(self, Self::Encrypted(_))
    }
}

impl fmt::Display for Layer {
    #[cfg_attr(not(any(feature = "compression", feature = "encryption")), expect(unused_variables))]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            #[cfg(feature = "encryption")]
            Self::Encrypted(header) => {
                let GdecHeader { encryption, len, .. } = header;
                let start = header.start();
                write!(f, "encrypted with {encryption} from byte {start}, {len} plain bytes")
            }
            #[cfg(feature = "compression")]
            Self::Compressed(header) => {
                let GcpfHeader { compression, block_size, len, .. } = header;
                let blocks = header.blocks();
                let block = if blocks == 1 { "block" } else { "blocks" };
                write!(
                    f,
                    "compressed with {compression} from byte {}, {blocks} {block} of {block_size} \
                     bytes, {len} plain bytes",
                    header.start()
                )
            }
        }
    }
}
