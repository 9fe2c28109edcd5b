//! [`Layer`]: what is around the values of a file.

use std::fmt;

#[cfg(feature = "compression")]
use crate::GcpfHeader;
#[cfg(feature = "encryption")]
use crate::GdecHeader;

/// Something around the values of a file, which starts with a header and goes on to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layer {
    /// GDEC.
    #[cfg(feature = "encryption")]
    Encrypted(GdecHeader),
    /// GCPF.
    #[cfg(feature = "compression")]
    Compressed(GcpfHeader),
}

impl Layer {
    /// The byte of this layer at which what is inside starts, behind its header.
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
}

impl fmt::Display for Layer {
    #[cfg_attr(not(any(feature = "compression", feature = "encryption")), expect(unused_variables))]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            #[cfg(feature = "encryption")]
            Self::Encrypted(header) => {
                let GdecHeader { encryption, len, .. } = header;
                let start = header.start();
                write!(f, "encrypted by {encryption} from byte {start} on, {len} bytes inside")
            }
            #[cfg(feature = "compression")]
            Self::Compressed(header) => {
                let GcpfHeader { compression, block_size, len, .. } = header;
                let blocks = header.blocks();
                let block = if blocks == 1 { "block" } else { "blocks" };
                write!(
                    f,
                    "compressed by {compression} from byte {} on, {blocks} {block} of {block_size} \
                     bytes, {len} bytes inside",
                    header.start()
                )
            }
        }
    }
}
