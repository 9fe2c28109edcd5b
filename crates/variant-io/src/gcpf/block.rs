//! One block at a time, by whoever knows its compression.

use std::io::{self, Read, Write};

use fastlz_rs::{CompressState, CompressionLevel};
use flate2::read::{GzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

use super::Compression;

/// What `FastLZ` fills its input up to (docs/format.md, section 4.2).
const FASTLZ_LEAST: usize = 16;

/// Decompresses blocks of one file.
pub(super) struct Decompressor {
    compression: Compression,
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Decompressor {
    pub(super) fn new(compression: Compression) -> io::Result<Self> {
        let zstd = match compression {
            Compression::Zstd => Some(zstd::bulk::Decompressor::new()?),
            _ => None,
        };
        Ok(Self { compression, zstd })
    }

    /// Puts into `out` what the block holds, which should be `len` bytes; one more stands for any number.
    ///
    /// Memory is taken by what is there, never by `len`.
    pub(super) fn run(&mut self, block: &[u8], len: usize, out: &mut Vec<u8>) -> io::Result<()> {
        match self.compression {
            Compression::FastLz => fastlz(block, len, out),
            Compression::Deflate => read(ZlibDecoder::new(block), len, out),
            Compression::Gzip => read(GzDecoder::new(block), len, out),
            Compression::Zstd => self.zstd(block, len, out),
            Compression::Brotli => {
                read(brotli_decompressor::Decompressor::new(block, BROTLI_BUFFER), len, out)
            }
        }
    }

    fn zstd(&mut self, block: &[u8], len: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(zstd) = &mut self.zstd else {
            out.clear();
            return Ok(());
        };
        if len > AT_ONCE {
            let mut stream = zstd::stream::read::Decoder::with_buffer(block)?;
            // A frame of so many bytes looks no further back.
            stream
                .window_log_max(len.checked_ilog2().unwrap_or(0).saturating_add(1).clamp(10, 31))?;
            return read(stream, len, out);
        }
        // What is left of the block before need not be cleared: it is written over or cut off.
        let room = len.saturating_add(1);
        out.resize(room, 0);
        let written = zstd.decompress_to_buffer(block, out.as_mut_slice());
        // Where there is no room for all of it, there is more than there should be.
        let written = match written {
            Err(error) if error.to_string().contains("too small") => Ok(room),
            written => written,
        };
        out.truncate(written.as_ref().copied().unwrap_or(0));
        written.map(drop)
    }
}

/// Blocks of more bytes are unpacked piece by piece, so that what is claimed is not made room for.
const AT_ONCE: usize = 1 << 20;
/// A byte of `FastLZ`'s becomes no more.
const FASTLZ_EXPANSION: usize = 256;
/// What is read at a time.
const BROTLI_BUFFER: usize = 4096;

fn fastlz(block: &[u8], len: usize, out: &mut Vec<u8>) -> io::Result<()> {
    // The first byte is taken to be there.
    if block.is_empty() {
        out.clear();
        return Ok(());
    }
    // The library counts lengths in a `usize`, which so many bytes of a length fill on 32-bit machines.
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
    // What it was filled up with is not part of it.
    let is_filled = len < FASTLZ_LEAST && written == FASTLZ_LEAST;
    out.truncate(if is_filled { len } else { written });
    Ok(())
}

fn read(from: impl Read, len: usize, out: &mut Vec<u8>) -> io::Result<()> {
    out.clear();
    let most = u64::try_from(len).unwrap_or(u64::MAX).saturating_add(1);
    from.take(most).read_to_end(out).map(drop)
}

/// Compresses blocks of one file.
pub(super) enum Compressor {
    FastLz(Box<CompressState>),
    Deflate(Box<ZlibEncoder<Vec<u8>>>),
    Zstd(zstd::bulk::Compressor<'static>),
    Gzip(flate2::Compression),
}

impl Compressor {
    /// None if there is none.
    pub(super) fn new(compression: Compression, level: Option<i32>) -> io::Result<Option<Self>> {
        let flate = level.and_then(|level| u32::try_from(level.clamp(0, 9)).ok());
        let flate = flate.map_or_else(flate2::Compression::default, flate2::Compression::new);
        Ok(Some(match compression {
            Compression::FastLz => Self::FastLz(Box::new(CompressState::new())),
            Compression::Deflate => Self::Deflate(Box::new(ZlibEncoder::new(Vec::new(), flate))),
            Compression::Gzip => Self::Gzip(flate),
            Compression::Zstd => {
                let level = level.unwrap_or(zstd::DEFAULT_COMPRESSION_LEVEL);
                Self::Zstd(zstd::bulk::Compressor::new(level)?)
            }
            Compression::Brotli => return Ok(None),
        }))
    }

    pub(super) fn run(&mut self, block: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::FastLz(state) => compress_fastlz(state, block),
            Self::Deflate(encoder) => {
                encoder.write_all(block)?;
                // Ends the stream of this block and gives its bytes; the encoder starts anew for the next.
                encoder.reset(Vec::new())
            }
            Self::Gzip(level) => {
                // It cannot be reset.
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
