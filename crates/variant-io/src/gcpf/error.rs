//! [`GcpfError`]: the reason why a file was not compressed or decompressed.

use std::fmt;
use std::io;

use super::Compression;

/// The reason why a file was not compressed or decompressed, and the offset of the fault.
#[derive(Debug)]
pub struct GcpfError {
    kind: GcpfErrorKind,
    offset: u64,
}

/// The fault of a compressed file. Blocks count from 0.
///
/// ```
/// use variant_io::{Compression, GcpfErrorKind, GcpfOptions, compress, decompress};
///
/// let file = compress(&[7; 10_000], &GcpfOptions::new(Compression::Zstd))?;
/// let refused = decompress(&file, 1_000).unwrap_err();
/// assert!(matches!(refused.kind(), GcpfErrorKind::TooLarge { len: 10_000, max_len: 1_000 }));
/// let cut = decompress(&file[..20], 1 << 20).unwrap_err();
/// assert!(matches!(cut.kind(), GcpfErrorKind::NoTable { needed: 12, found: 4 }));
/// # Ok::<(), variant_io::GcpfError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum GcpfErrorKind {
    /// The file does not start with the magic bytes.
    NotCompressed,
    /// The file ends inside the header.
    NoHeader {
        /// The size of the file in bytes.
        found: usize,
    },
    /// A compression number that engines do not use.
    UnknownCompression(u32),
    /// The block size is 0.
    NoBlockSize,
    /// The uncompressed size exceeds the limit.
    TooLarge {
        /// The uncompressed size in bytes, from the header.
        len: u64,
        /// The limit in bytes.
        max_len: u64,
    },
    /// The file ends inside the block table.
    NoTable {
        /// The size of the table in bytes.
        needed: u64,
        /// The number of bytes found.
        found: u64,
    },
    /// The file ends inside a block.
    NoBlock {
        /// The block.
        block: u64,
        /// The compressed size of the block in bytes.
        needed: u32,
        /// The number of bytes found.
        found: u64,
    },
    /// The requested block does not exist.
    NoSuchBlock {
        /// The requested block.
        block: u64,
        /// The number of blocks.
        blocks: u64,
    },
    /// A block cannot be decompressed.
    Damaged {
        /// The block.
        block: u64,
        /// The compression of the file.
        compression: Compression,
        /// The message of the decompressor.
        reason: String,
    },
    /// A zstd or brotli block has a larger window than allowed. The decompressor would need that much memory.
    Window {
        /// The block.
        block: u64,
        /// The limit of the window in bytes.
        max: u64,
    },
    /// A block decompresses to more or fewer bytes than expected.
    BlockLength {
        /// The block.
        block: u64,
        /// The expected uncompressed size in bytes.
        needed: u32,
        /// The uncompressed size in bytes. `needed + 1` means any larger size.
        found: usize,
    },
    /// This crate cannot write this compression.
    ReadOnly(Compression),
    /// The data to be compressed has more than 4,294,967,295 bytes.
    TooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// Reading failed.
    Io(io::Error),
}

impl GcpfError {
    pub(super) const fn new(kind: GcpfErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// The fault.
    pub const fn kind(&self) -> &GcpfErrorKind {
        &self.kind
    }

    /// The offset of the fault in the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for GcpfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match &self.kind {
            GcpfErrorKind::NotCompressed => {
                write!(f, "not a compressed file: it does not start with GCPF")
            }
            GcpfErrorKind::NoHeader { found } => {
                write!(f, "the header of a compressed file needs 16 bytes, the file has {found}")
            }
            GcpfErrorKind::UnknownCompression(number) => {
                write!(f, "byte {offset}: unknown compression {number}; engines use 0 to 4")
            }
            GcpfErrorKind::NoBlockSize => write!(f, "byte {offset}: the block size is 0"),
            GcpfErrorKind::TooLarge { len, max_len } => {
                write!(f, "byte {offset}: {len} uncompressed bytes exceed the limit of {max_len}")
            }
            GcpfErrorKind::NoTable { needed, found } => {
                write!(f, "byte {offset}: the block table needs {needed} bytes, {found} are left")
            }
            GcpfErrorKind::NoBlock { block, needed, found } => write!(
                f,
                "byte {offset}: block {block} needs {needed} bytes, {found} are left: the file was \
                 cut short"
            ),
            GcpfErrorKind::NoSuchBlock { block, blocks } => {
                write!(f, "block {block} does not exist; the file has {blocks} blocks, from 0")
            }
            GcpfErrorKind::Damaged { block, compression, reason } => {
                write!(f, "byte {offset}: block {block} is damaged: {compression}: {reason}")
            }
            GcpfErrorKind::Window { block, max } => write!(
                f,
                "byte {offset}: block {block} has a window of more than the {max} bytes allowed; no engine \
                 writes such a block"
            ),
            GcpfErrorKind::BlockLength { block, needed, found } => {
                let what = if *found > usize::try_from(*needed).unwrap_or(usize::MAX) {
                    "more".to_owned()
                } else {
                    found.to_string()
                };
                write!(
                    f,
                    "byte {offset}: block {block} is damaged: {needed} uncompressed bytes expected, \
                     {what} found"
                )
            }
            GcpfErrorKind::ReadOnly(compression) => {
                write!(f, "{compression} is read-only; choose another compression")
            }
            GcpfErrorKind::TooLong { len } => {
                write!(f, "{len} bytes exceed the limit of a compressed file, 4294967295 bytes")
            }
            GcpfErrorKind::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GcpfError {
    // `Display` includes the message of the inner error, so `source` skips the inner error and returns the cause of the
    // inner error.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            GcpfErrorKind::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<GcpfError> for io::Error {
    fn from(error: GcpfError) -> Self {
        match error.kind {
            GcpfErrorKind::Io(error) => error,
            _ => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}
