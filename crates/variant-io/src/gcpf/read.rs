//! [`GcpfReader`]: random access to the plain bytes of a compressed file.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

use super::GcpfHeader;
use super::block::{BlockError, Decompressor};
use super::error::{GcpfError, GcpfErrorKind};

/// Reads the plain bytes of a compressed file, from any position, one block at a time.
///
/// Holds one block in memory, and 8 bytes for each block of the file.
///
/// ```
/// use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
///
/// use variant_io::{Compression, GcpfOptions, GcpfReader, compress};
///
/// let file = compress(&[7; 10_000], &GcpfOptions::new(Compression::Zstd))?;
/// let mut reader = GcpfReader::new(Cursor::new(&file), 1 << 20)?;
/// reader.seek(SeekFrom::Start(9_998))?;   // decompresses one block only
/// let mut rest = Vec::new();
/// assert_eq!(reader.read_to_end(&mut rest)?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The [`io::Error`]s of [`Read`] and [`Seek`] wrap a [`GcpfError`].
pub struct GcpfReader<R> {
    from: R,
    header: GcpfHeader,
    /// The end offset of each block.
    ends: Vec<u64>,
    /// The offset of the first block.
    start: u64,
    /// The position in `from` at which the file starts.
    begin: u64,
    decompressor: Decompressor,
    /// The compressed bytes of a block.
    compressed: Vec<u8>,
    /// The plain bytes of block `block`.
    plain: Vec<u8>,
    block: Option<u64>,
    position: u64,
}

impl<R: Read + Seek> GcpfReader<R> {
    /// Reads the header and block table of a file that starts at the current position of `from`. O(blocks).
    ///
    /// # Errors
    /// A file of another kind, an incomplete table, or [`GcpfErrorKind::TooLarge`] for more than `max_len` plain bytes.
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

    pub(crate) fn end(&self) -> u64 {
        self.ends.last().copied().unwrap_or(self.start)
    }

    /// The plain bytes of a block; blocks count from 0. O(bytes of the block), O(1) for the last block that was read.
    ///
    /// # Errors
    /// [`GcpfErrorKind::NoSuchBlock`], an incomplete file, or a damaged block.
    pub fn read_block(&mut self, block: u64) -> Result<&[u8], GcpfError> {
        if self.block != Some(block) {
            self.block = None;
            self.load(block)?;
            self.block = Some(block);
        }
        Ok(&self.plain)
    }

    /// The plain bytes of all blocks. The last block is checked even if it is empty.
    pub(crate) fn read_blocks(&mut self) -> Result<Vec<u8>, GcpfError> {
        let mut plain = Vec::new();
        for block in 0..self.header.blocks() {
            plain.extend_from_slice(self.read_block(block)?);
        }
        Ok(plain)
    }

    /// The plain bytes of the valid blocks. Bytes of 255 replace a broken block before a valid block, so that later
    /// bytes keep their offsets. Values do not begin with a byte of 255. Broken blocks at the end are left out.
    /// `file_len`, the size of the file, limits the number of bytes of 255. Blocks beyond this limit are left out.
    pub(crate) fn read_sound_blocks(&mut self, file_len: u64) -> (Vec<u8>, Vec<Broken>) {
        let (mut plain, mut broken) = (Vec::new(), Vec::<Broken>::new());
        let mut missing = 0_u64;
        let mut left = file_len.saturating_mul(MOST_FILLING).max(LEAST_FILLING);
        for block in 0..self.header.blocks() {
            let start = u64::try_from(plain.len()).unwrap_or(u64::MAX).saturating_add(missing);
            let read = match self.read_block(block) {
                Ok(read) => read,
                Err(error) => {
                    let len = self.header.block_len(block).into();
                    missing = missing.saturating_add(len);
                    broken.push(Broken { start, len, error });
                    continue;
                }
            };
            if !read.is_empty() {
                let Some(rest) = left.checked_sub(missing) else { break };
                left = rest;
                let filling = usize::try_from(missing).unwrap_or(usize::MAX);
                plain.resize(plain.len().saturating_add(filling), FILLING);
                missing = 0;
            }
            plain.extend_from_slice(read);
        }
        (plain, broken)
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
            let kind = match error {
                BlockError::Window(max) => GcpfErrorKind::Window { block, max },
                BlockError::Damaged(reason) => {
                    GcpfErrorKind::Damaged { block, compression, reason }
                }
            };
            GcpfError::new(kind, start)
        })?;
        let found = self.plain.len();
        if found != len {
            return Err(GcpfError::new(GcpfErrorKind::BlockLength { block, needed, found }, start));
        }
        Ok(())
    }

    /// The start and end offset of a block in the file.
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

    /// The rest of the block at the position; empty at the end of the file.
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

/// A block that cannot be read.
#[derive(Debug)]
pub(crate) struct Broken {
    /// The offset of the block's first plain byte. `len` is the number of its plain bytes.
    pub(crate) start: u64,
    pub(crate) len: u64,
    pub(crate) error: GcpfError,
}

/// The byte that replaces each byte of a broken block. Zeroes would read as nulls.
const FILLING: u8 = 0xff;
/// The maximum number of `FILLING` bytes per byte of the file. For a small file, the maximum is `LEAST_FILLING` in all.
const MOST_FILLING: u64 = 256;
const LEAST_FILLING: u64 = 1 << 20;

const HEADER: u64 = 16;
/// The maximum number of bytes that are reserved before they are read.
const READ_AHEAD: u64 = 1 << 16;

/// Fills `buffer` with `size` bytes, or fewer at the end of `from`.
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

/// Reads the block table. Memory grows with the bytes found, not with the claim of the header.
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
            || io::Error::new(io::ErrorKind::InvalidInput, "seek to a position before byte 0");
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

/// Decompresses a file. O(bytes).
///
/// Memory grows with the bytes found, not with the sizes that the file claims. The exceptions are bounded:
///
/// * the output of one block, up to 1 MiB;
/// * the window of brotli, 16 MiB;
/// * the window of zstd for blocks above 1 MiB: the block size, at most 128 MiB.
///
/// The last block is checked even if it is empty.
///
/// # Errors
/// Those of [`GcpfReader::new`] and [`GcpfReader::read_block`].
pub fn decompress(file: &[u8], max_len: u64) -> Result<Vec<u8>, GcpfError> {
    GcpfReader::new(Cursor::new(file), max_len)?.read_blocks()
}
