//! [`GcpfError`]: what keeps a compressed file from being read, and where.

use std::fmt;
use std::io;

use super::Compression;

/// What keeps a compressed file from being read, and the byte of it at which that shows.
#[derive(Debug)]
pub struct GcpfError {
    kind: GcpfErrorKind,
    offset: u64,
}

/// What is wrong with a compressed file.
#[derive(Debug)]
#[non_exhaustive]
pub enum GcpfErrorKind {
    /// It starts with something else.
    NotCompressed,
    /// It ends within the header.
    NoHeader {
        /// The bytes that are there.
        found: usize,
    },
    /// No engine has a compression of this number.
    UnknownCompression(u32),
    /// Blocks of no bytes.
    NoBlockSize,
    /// It is larger than allowed, uncompressed.
    TooLarge {
        /// What it claims.
        len: u64,
        /// What is allowed.
        max_len: u64,
    },
    /// The table of blocks is longer than the file.
    NoTable {
        /// The bytes that it takes.
        needed: u64,
        /// The bytes that are there.
        found: u64,
    },
    /// A block ends behind the end of the file.
    NoBlock {
        /// Which, from 0.
        block: u64,
        /// The bytes that it takes.
        needed: u32,
        /// The bytes that are there.
        found: u64,
    },
    /// There is no block of this number.
    NoSuchBlock {
        /// Which, from 0.
        block: u64,
        /// How many there are.
        blocks: u64,
    },
    /// A block cannot be decompressed.
    Damaged {
        /// Which, from 0.
        block: u64,
        /// How it was compressed.
        compression: Compression,
        /// What the decompressor said.
        reason: String,
    },
    /// A block has more or fewer bytes than it should, uncompressed.
    BlockLength {
        /// Which, from 0.
        block: u64,
        /// The bytes that it should have.
        needed: u32,
        /// The bytes that it has; one too many stands for any number.
        found: usize,
    },
    /// There is no writer for this compression.
    ReadOnly(Compression),
    /// What is to be compressed is too long.
    TooLong {
        /// Its bytes.
        len: usize,
    },
    /// Reading failed.
    Io(io::Error),
}

impl GcpfError {
    pub(super) const fn new(kind: GcpfErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// What is wrong.
    pub const fn kind(&self) -> &GcpfErrorKind {
        &self.kind
    }

    /// Where in the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for GcpfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match &self.kind {
            GcpfErrorKind::NotCompressed => {
                write!(f, "no compressed file: it does not start with GCPF")
            }
            GcpfErrorKind::NoHeader { found } => {
                write!(f, "a compressed file has a header of 16 bytes; this one ends after {found}")
            }
            GcpfErrorKind::UnknownCompression(number) => write!(
                f,
                "byte {offset}: no engine has a compression of number {number}; 0 to 4 are known"
            ),
            GcpfErrorKind::NoBlockSize => write!(f, "byte {offset}: blocks of no bytes"),
            GcpfErrorKind::TooLarge { len, max_len } => write!(
                f,
                "byte {offset}: {len} bytes uncompressed, more than the {max_len} allowed"
            ),
            GcpfErrorKind::NoTable { needed, found } => write!(
                f,
                "byte {offset}: the table of blocks takes {needed} bytes, {found} are left"
            ),
            GcpfErrorKind::NoBlock { block, needed, found } => write!(
                f,
                "byte {offset}: block {block} takes {needed} bytes, {found} are left: the file was \
                 cut short"
            ),
            GcpfErrorKind::NoSuchBlock { block, blocks } => {
                write!(f, "there is no block {block}, only {blocks}")
            }
            GcpfErrorKind::Damaged { block, compression, reason } => {
                write!(f, "byte {offset}: block {block} is damaged: {compression}: {reason}")
            }
            GcpfErrorKind::BlockLength { block, needed, found } => {
                let what = if *found > usize::try_from(*needed).unwrap_or(usize::MAX) {
                    "more".to_owned()
                } else {
                    found.to_string()
                };
                write!(
                    f,
                    "byte {offset}: block {block} is damaged: it should have {needed} bytes \
                     uncompressed and has {what}"
                )
            }
            GcpfErrorKind::ReadOnly(compression) => {
                write!(f, "{compression} can only be read; choose another compression")
            }
            GcpfErrorKind::TooLong { len } => {
                write!(f, "{len} bytes are too many to compress, a file holds 4 GiB at most")
            }
            GcpfErrorKind::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GcpfError {
    // Display has said what the error inside says.
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
