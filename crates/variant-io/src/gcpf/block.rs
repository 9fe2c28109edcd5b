//! [`Decompressor`] and [`Compressor`]: one block at a time.

use std::io::{self, Read, Write};

use fastlz_rs::{CompressState, CompressionLevel};
use flate2::read::{GzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

use super::Compression;
use super::zstd::Zstd;

/// The size to which engines pad the input of `FastLZ`, in bytes (docs/spec/carriers.md#gcpf).
const FASTLZ_LEAST: usize = 16;

pub(super) struct Decompressor {
    compression: Compression,
    zstd: Option<Zstd>,
}

pub(super) enum BlockError {
    /// The window of the block is larger than this limit in bytes.
    Window(u64),
    /// The message of the decompressor.
    Damaged(String),
}

impl From<io::Error> for BlockError {
    fn from(error: io::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl Decompressor {
    pub(super) fn new(compression: Compression) -> io::Result<Self> {
        let zstd = match compression {
            Compression::Zstd => Some(Zstd::new()?),
            #[cfg(not(feature = "brotli"))]
            Compression::Brotli => {
                let message = "brotli is not built in: it is a feature of variant-io";
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
            _ => None,
        };
        Ok(Self { compression, zstd })
    }

    /// Decompresses `block` into `out`. `len` is the expected size in bytes. If the block is longer, `out` has `len +
    /// 1` bytes.
    ///
    /// Memory grows with the bytes found, not with `len`.
    pub(super) fn run(
        &mut self,
        block: &[u8],
        len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), BlockError> {
        match (self.compression, &mut self.zstd) {
            (Compression::FastLz, _) => fastlz(block, len, out)?,
            (Compression::Deflate, _) => read(ZlibDecoder::new(block), len, out)?,
            (Compression::Gzip, _) => read(GzDecoder::new(block), len, out)?,
            (Compression::Zstd, Some(zstd)) => zstd.run(block, len, out)?,
            (Compression::Zstd, None) => out.clear(),
            #[cfg(not(feature = "brotli"))]
            (Compression::Brotli, _) => out.clear(),
            // The window is checked here, since the library accepts windows of up to 1 GiB and engines do not.
            #[cfg(feature = "brotli")]
            (Compression::Brotli, _) if block.starts_with(&LARGE_WINDOW) => {
                return Err(BlockError::Window(BROTLI_WINDOW));
            }
            #[cfg(feature = "brotli")]
            (Compression::Brotli, _) => {
                read(brotli_decompressor::Decompressor::new(block, BROTLI_BUFFER), len, out)?;
            }
        }
        Ok(())
    }
}

/// The size from which blocks are decompressed in steps, so that memory does not grow with the claimed size.
pub(super) const AT_ONCE: usize = 1 << 20;
/// The largest expansion of `FastLZ`: uncompressed bytes per compressed byte.
const FASTLZ_EXPANSION: usize = 256;
/// The first byte of a brotli stream with a large window, which is invalid by RFC 7932, section 9.1.
#[cfg(feature = "brotli")]
const LARGE_WINDOW: [u8; 1] = [0x11];
/// The largest window of RFC 7932, in bytes.
#[cfg(feature = "brotli")]
const BROTLI_WINDOW: u64 = 1 << 24;
/// The buffer of the brotli decompressor, in bytes.
#[cfg(feature = "brotli")]
const BROTLI_BUFFER: usize = 4096;

fn fastlz(block: &[u8], len: usize, out: &mut Vec<u8>) -> io::Result<()> {
    // The library expects at least one byte, so an empty block is handled here.
    if block.is_empty() {
        out.clear();
        return Ok(());
    }
    // The library adds up a length in a `usize`. On 32-bit machines, a longer block would overflow this sum.
    if cfg!(target_pointer_width = "32") && block.len() > 1 << 24 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a block of more than 16 MiB"));
    }
    let room = len.max(FASTLZ_LEAST).saturating_add(1);
    out.resize(room.min(block.len().saturating_mul(FASTLZ_EXPANSION)), 0);
    let written = match fastlz_rs::decompress_to_buf(block, out) {
        Err(fastlz_rs::DecompressError::OutputTooSmall) => Ok(out.len()),
        written => written.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
    };
    let written = written.inspect_err(|_| out.clear())?;
    // Removes the padding of a short block.
    let is_filled = len < FASTLZ_LEAST && written == FASTLZ_LEAST;
    out.truncate(if is_filled { len } else { written });
    Ok(())
}

fn read(from: impl Read, len: usize, out: &mut Vec<u8>) -> io::Result<()> {
    out.clear();
    let most = u64::try_from(len).unwrap_or(u64::MAX).saturating_add(1);
    from.take(most).read_to_end(out).map(drop)
}

pub(super) enum Compressor {
    FastLz(Box<CompressState>),
    Deflate(Box<ZlibEncoder<Vec<u8>>>),
    Zstd(::zstd::bulk::Compressor<'static>),
    Gzip(flate2::Compression),
}

impl Compressor {
    /// Creates a compressor; `None` if the compression is read-only.
    pub(super) fn new(compression: Compression, level: Option<i32>) -> io::Result<Option<Self>> {
        let flate = level.and_then(|level| u32::try_from(level.clamp(0, 9)).ok());
        let flate = flate.map_or_else(flate2::Compression::default, flate2::Compression::new);
        Ok(Some(match compression {
            Compression::FastLz => Self::FastLz(Box::new(CompressState::new())),
            Compression::Deflate => Self::Deflate(Box::new(ZlibEncoder::new(Vec::new(), flate))),
            Compression::Gzip => Self::Gzip(flate),
            Compression::Zstd => {
                let level = level.unwrap_or(::zstd::DEFAULT_COMPRESSION_LEVEL);
                Self::Zstd(::zstd::bulk::Compressor::new(level)?)
            }
            Compression::Brotli => return Ok(None),
        }))
    }

    pub(super) fn run(&mut self, block: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::FastLz(state) => compress_fastlz(state, block),
            Self::Deflate(encoder) => {
                encoder.write_all(block)?;
                // Ends the stream of this block and returns its bytes. The encoder is ready for the next block.
                encoder.reset(Vec::new())
            }
            Self::Gzip(level) => {
                // The encoder is replaced, since it cannot be reset.
                let mut encoder = GzEncoder::new(Vec::new(), *level);
                encoder.write_all(block)?;
                encoder.finish()
            }
            Self::Zstd(zstd) => zstd.compress(block),
        }
    }
}

fn compress_fastlz(state: &mut CompressState, block: &[u8]) -> io::Result<Vec<u8>> {
    let mut filled = [0; FASTLZ_LEAST];
    let block = match filled.get_mut(..block.len()) {
        Some(start) => {
            start.copy_from_slice(block);
            &filled
        }
        None => block,
    };
    state
        .compress_to_vec(block, CompressionLevel::Default)
        .map_err(|error| io::Error::other(format!("{error:?}")))
}
