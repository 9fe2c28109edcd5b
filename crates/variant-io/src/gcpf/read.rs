//! [`GcpfReader`]: the plain bytes of a compressed file, from any place on.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

use super::GcpfHeader;
use super::block::Decompressor;
use super::error::{GcpfError, GcpfErrorKind};

/// The plain bytes of a compressed file, a block at a time: read from the front, or from any place on.
///
/// Takes 8 bytes of memory for each block there is, and one block.
///
/// ```
/// use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
///
/// use variant_io::{Compression, GcpfOptions, GcpfReader, compress};
///
/// let file = compress(&[7; 10_000], &GcpfOptions::new(Compression::Zstd))?;
/// let mut reader = GcpfReader::new(Cursor::new(&file), 1 << 20)?;
/// reader.seek(SeekFrom::Start(9_998))?;   // its block is decompressed, and no other
/// let mut rest = Vec::new();
/// assert_eq!(reader.read_to_end(&mut rest)?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Errors of [`Read`] and [`Seek`] have a [`GcpfError`] inside them.
pub struct GcpfReader<R> {
    from: R,
    header: GcpfHeader,
    /// Where each block ends.
    ends: Vec<u64>,
    /// Where the first one starts.
    start: u64,
    /// Where the file starts in what is read.
    begin: u64,
    decompressor: Decompressor,
    /// The bytes of a block as they are in the file.
    compressed: Vec<u8>,
    /// Those of [`GcpfReader::block`].
    plain: Vec<u8>,
    block: Option<u64>,
    position: u64,
}

impl<R: Read + Seek> GcpfReader<R> {
    /// Reads header and table of a file that starts where `from` is. O(blocks).
    ///
    /// # Errors
    /// What is no compressed file, is cut within its table, or has more than `max_len` bytes uncompressed.
    pub fn new(mut from: R, max_len: u64) -> Result<Self, GcpfError> {
        let begin = from.stream_position().map_err(at(0))?;
        let header = read_header(&mut from)?;
        if u64::from(header.len) > max_len {
            let len = header.len.into();
            return Err(GcpfError::new(GcpfErrorKind::TooLarge { len, max_len }, 12));
        }
        let table = read_table(&mut from, header)?;
        let start = HEADER.saturating_add(u64::try_from(table.len()).unwrap_or(u64::MAX));
        let mut end = start;
        let (sizes, _) = table.as_chunks();
        let ends = sizes.iter().map(|size| {
            end = end.saturating_add(u32::from_le_bytes(*size).into());
            end
        });
        let ends = ends.collect();
        let decompressor = Decompressor::new(header.compression).map_err(at(start))?;
        let (compressed, plain) = (Vec::new(), Vec::new());
        Ok(Self {
            from,
            header,
            ends,
            start,
            begin,
            decompressor,
            compressed,
            plain,
            block: None,
            position: 0,
        })
    }

    /// The header.
    pub const fn header(&self) -> &GcpfHeader {
        &self.header
    }

    /// The plain bytes of a block, from 0 on. O(bytes of the block).
    ///
    /// # Errors
    /// A file that is cut, or a block that is damaged.
    pub fn read_block(&mut self, block: u64) -> Result<&[u8], GcpfError> {
        if self.block != Some(block) {
            self.block = None;
            self.load(block)?;
            self.block = Some(block);
        }
        Ok(&self.plain)
    }

    /// The plain bytes of all blocks; the last one, which may be of nothing, is looked at, too.
    pub(crate) fn read_blocks(&mut self) -> Result<Vec<u8>, GcpfError> {
        let mut plain = Vec::new();
        for block in 0..self.header.blocks() {
            plain.extend_from_slice(self.read_block(block)?);
        }
        Ok(plain)
    }

    fn load(&mut self, block: u64) -> Result<(), GcpfError> {
        let (start, end) = self.place(block)?;
        let place = self.begin.saturating_add(start);
        self.from.seek(SeekFrom::Start(place)).map_err(at(start))?;
        let size = end.saturating_sub(start);
        read_up_to(&mut self.from, size, &mut self.compressed).map_err(at(start))?;
        let found = u64::try_from(self.compressed.len()).unwrap_or(u64::MAX);
        if found < size {
            let needed = u32::try_from(size).unwrap_or(u32::MAX);
            return Err(GcpfError::new(GcpfErrorKind::NoBlock { block, needed, found }, start));
        }
        let needed = self.header.block_len(block);
        let len = usize::try_from(needed).unwrap_or(usize::MAX);
        self.decompressor.run(&self.compressed, len, &mut self.plain).map_err(|error| {
            let compression = self.header.compression;
            let reason = error.to_string();
            GcpfError::new(GcpfErrorKind::Damaged { block, compression, reason }, start)
        })?;
        let found = self.plain.len();
        if found != len {
            return Err(GcpfError::new(GcpfErrorKind::BlockLength { block, needed, found }, start));
        }
        Ok(())
    }

    /// Where a block is in the file.
    fn place(&self, block: u64) -> Result<(u64, u64), GcpfError> {
        let end_of = |block| self.ends.get(usize::try_from(block).ok()?).copied();
        let start = match block.checked_sub(1) {
            None => Some(self.start),
            Some(before) => end_of(before),
        };
        start.zip(end_of(block)).ok_or_else(|| {
            let blocks = self.header.blocks();
            GcpfError::new(GcpfErrorKind::NoSuchBlock { block, blocks }, 0)
        })
    }

    /// What is left of the block at the position; nothing at the end.
    fn rest(&mut self) -> Result<&[u8], GcpfError> {
        let size = u64::from(self.header.block_size);
        if self.position >= self.header.len.into() {
            return Ok(&[]);
        }
        let block = self.position.checked_div(size).unwrap_or(0);
        let within = self.position.checked_rem(size).unwrap_or(0);
        let plain = self.read_block(block)?;
        Ok(plain.get(usize::try_from(within).unwrap_or(usize::MAX)..).unwrap_or_default())
    }
}

const HEADER: u64 = 16;
/// So much is made room for ahead of its arrival.
const READ_AHEAD: u64 = 1 << 16;

/// Fills a buffer with as many bytes, if they are there.
fn read_up_to(from: &mut impl Read, size: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    let ahead = usize::try_from(size.min(READ_AHEAD)).unwrap_or(0);
    buffer.resize(ahead, 0);
    let mut filled = 0_usize;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match from.read(room) {
            Ok(0) => break,
            Ok(count) => filled = filled.saturating_add(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer.truncate(filled);
    if filled == ahead {
        let ahead = u64::try_from(ahead).unwrap_or(u64::MAX);
        from.take(size.saturating_sub(ahead)).read_to_end(buffer)?;
    }
    Ok(())
}

fn at(offset: u64) -> impl Fn(io::Error) -> GcpfError {
    move |error| GcpfError::new(GcpfErrorKind::Io(error), offset)
}

fn read_header(from: &mut impl Read) -> Result<GcpfHeader, GcpfError> {
    let mut bytes = Vec::new();
    from.take(HEADER).read_to_end(&mut bytes).map_err(at(0))?;
    let Some(header) = bytes.first_chunk() else {
        let is_other = !super::GCPF_MAGICS.iter().any(|magic| bytes.starts_with(magic));
        let found = bytes.len();
        let kind =
            if is_other { GcpfErrorKind::NotCompressed } else { GcpfErrorKind::NoHeader { found } };
        return Err(GcpfError::new(kind, 0));
    };
    GcpfHeader::parse(header).map_err(|kind| {
        let offset = match kind {
            GcpfErrorKind::UnknownCompression(_) => 4,
            GcpfErrorKind::NoBlockSize => 8,
            _ => 0,
        };
        GcpfError::new(kind, offset)
    })
}

/// As much is read as is there, whatever the header claims.
fn read_table(from: &mut impl Read, header: GcpfHeader) -> Result<Vec<u8>, GcpfError> {
    let needed = header.blocks().saturating_mul(4);
    let mut table = Vec::new();
    from.take(needed).read_to_end(&mut table).map_err(at(HEADER))?;
    let found = u64::try_from(table.len()).unwrap_or(u64::MAX);
    if found < needed {
        return Err(GcpfError::new(GcpfErrorKind::NoTable { needed, found }, HEADER));
    }
    Ok(table)
}

impl<R: Read + Seek> Read for GcpfReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.rest()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read + Seek> BufRead for GcpfReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.rest()?)
    }

    fn consume(&mut self, count: usize) {
        self.position = self.position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }
}

impl<R: Read + Seek> Seek for GcpfReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(by) => u64::from(self.header.len).checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        let before =
            || io::Error::new(io::ErrorKind::InvalidInput, "a place before the first byte");
        self.position = position.ok_or_else(before)?;
        Ok(self.position)
    }
}

impl<R> fmt::Debug for GcpfReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GcpfReader")
            .field("header", &self.header)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

/// The plain bytes of a compressed file. O(bytes); memory grows with what is there, not by what is claimed, but for
/// 1 MiB of a block at most, and what its compression keeps to look back at: up to the block's length for zstd, 16 MiB for
/// brotli.
///
/// The last block, which may be of nothing, is looked at, too.
///
/// # Errors
/// As [`GcpfReader::new`] and [`GcpfReader::read_block`].
pub fn decompress(file: &[u8], max_len: u64) -> Result<Vec<u8>, GcpfError> {
    GcpfReader::new(Cursor::new(file), max_len)?.read_blocks()
}
