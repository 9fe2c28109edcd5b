//! Writing compressed files.

use super::block::Compressor;
use super::error::{GcpfError, GcpfErrorKind};
use super::{BLOCK_SIZE, Compression, GcpfHeader};

/// How to compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct GcpfOptions {
    compression: Compression,
    block_size: u32,
    level: Option<i32>,
    magic: [u8; 4],
}

impl GcpfOptions {
    /// As `open_compressed` does: blocks of 4,096 bytes, the default effort.
    pub const fn new(compression: Compression) -> Self {
        Self { compression, block_size: BLOCK_SIZE, level: None, magic: super::GCPF_MAGICS[0] }
    }

    /// With blocks of so many bytes; 0 is taken for 1. Larger ones compress better and are decompressed as a
    /// whole.
    pub const fn block_size(mut self, block_size: u32) -> Self {
        self.block_size = if block_size == 0 { 1 } else { block_size };
        self
    }

    /// With this much effort: 0 to 9 for deflate and gzip, -7 to 22 for zstd.
    pub const fn level(mut self, level: i32) -> Self {
        self.level = Some(level);
        self
    }

    /// With another of the [`GCPF_MAGICS`](super::GCPF_MAGICS) in front.
    pub const fn magic(mut self, magic: [u8; 4]) -> Self {
        self.magic = magic;
        self
    }
}

/// A compressed file of these bytes, which the engine opens with `open_compressed`. O(bytes).
///
/// # Errors
/// [`GcpfErrorKind::ReadOnly`] for brotli, and [`GcpfErrorKind::TooLong`] above 4 GiB.
pub fn compress(plain: &[u8], options: &GcpfOptions) -> Result<Vec<u8>, GcpfError> {
    let error = |kind| GcpfError::new(kind, 0);
    let io = |source| error(GcpfErrorKind::Io(source));
    let compressor = Compressor::new(options.compression, options.level).map_err(io)?;
    let mut compressor =
        compressor.ok_or_else(|| error(GcpfErrorKind::ReadOnly(options.compression)))?;
    let too_long = || error(GcpfErrorKind::TooLong { len: plain.len() });
    let len = u32::try_from(plain.len()).map_err(|_| too_long())?;
    let GcpfOptions { compression, block_size, magic, .. } = *options;
    let header = GcpfHeader { magic, compression, block_size, len };

    let size = usize::try_from(block_size).unwrap_or(usize::MAX);
    let (mut table, mut blocks) = (Vec::new(), Vec::new());
    let mut rest = plain;
    for _ in 0..header.blocks() {
        let (block, behind) = rest.split_at_checked(size).unwrap_or((rest, &[]));
        rest = behind;
        let compressed = compressor.run(block).map_err(io)?;
        let size = u32::try_from(compressed.len()).map_err(|_| too_long())?;
        table.extend(size.to_le_bytes());
        blocks.extend(compressed);
    }
    Ok([&header.to_bytes()[..], &table, &blocks, &magic].concat())
}
