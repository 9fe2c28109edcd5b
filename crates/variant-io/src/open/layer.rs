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

impl fmt::Display for Layer {
    #[cfg_attr(not(any(feature = "compression", feature = "encryption")), expect(unused_variables))]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            #[cfg(feature = "encryption")]
            Self::Encrypted(GdecHeader { encryption, len, .. }) => {
                write!(f, "encrypted by {encryption}, {len} bytes inside")
            }
            #[cfg(feature = "compression")]
            Self::Compressed(header) => {
                let GcpfHeader { compression, block_size, len, .. } = header;
                let blocks = header.blocks();
                let block = if blocks == 1 { "block" } else { "blocks" };
                write!(
                    f,
                    "compressed by {compression}, {blocks} {block} of {block_size} bytes, {len} bytes inside"
                )
            }
        }
    }
}
