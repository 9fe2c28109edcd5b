//! [`compress`]: writes compressed files.

use super::block::Compressor;
use super::error::{GcpfError, GcpfErrorKind};
use super::{BLOCK_SIZE, Compression, GcpfHeader};

/// The options of [`compress`].
///
/// ```
/// use variant_io::{Compression, GCPF_MAGICS, GcpfOptions, compress};
///
/// let options = GcpfOptions::new(Compression::Deflate).block_size(1 << 16).level(9);
/// let file = compress(&[7; 10_000], &options.magic(GCPF_MAGICS[2]))?;
/// assert!(file.starts_with(b"RSCC"));
/// # Ok::<(), variant_io::GcpfError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct GcpfOptions {
    compression: Compression,
    block_size: u32,
    level: Option<i32>,
    magic: [u8; 4],
}

impl GcpfOptions {
    /// The settings of `open_compressed`: blocks of 4,096 bytes and the default level.
    pub const fn new(compression: Compression) -> Self {
        Self { compression, block_size: BLOCK_SIZE, level: None, magic: super::GCPF_MAGICS[0] }
    }

    /// Sets the uncompressed size of a block in bytes; 0 counts as 1. Larger blocks compress better, but readers
    /// decompress whole blocks.
    pub const fn block_size(mut self, block_size: u32) -> Self {
        self.block_size = if block_size == 0 { 1 } else { block_size };
        self
    }

    /// Sets the compression level: 0 to 9 for deflate and gzip, -7 to 22 for zstd. Ignored for `FastLZ`.
    pub const fn level(mut self, level: i32) -> Self {
        self.level = Some(level);
        self
    }

    /// Sets the magic bytes, one of [`GCPF_MAGICS`](super::GCPF_MAGICS).
    pub const fn magic(mut self, magic: [u8; 4]) -> Self {
        self.magic = magic;
        self
    }
}

/// Compresses bytes as a file that the engine opens with `open_compressed`. O(bytes).
///
/// ```
/// use variant_io::{Compression, GcpfOptions, compress, decompress};
///
/// let file = compress(&[7; 10_000], &GcpfOptions::new(Compression::Zstd).block_size(1 << 16))?;
/// assert!(file.starts_with(b"GCPF") && file.len() < 200);
/// assert_eq!(decompress(&file, 1 << 20)?, [7; 10_000]); // at most 1 MiB
/// # Ok::<(), variant_io::GcpfError>(())
/// ```
///
/// # Errors
/// [`GcpfErrorKind::ReadOnly`] for brotli, and [`GcpfErrorKind::TooLong`] above 4,294,967,295 bytes.
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
