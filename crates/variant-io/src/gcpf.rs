//! GCPF: compressed files, as `open_compressed` makes them (docs/spec/carriers.md#gcpf).

mod block;
mod error;
mod read;
mod write;
mod zstd;

use std::fmt;

pub use error::{GcpfError, GcpfErrorKind};
pub(crate) use read::Broken;
pub use read::{GcpfReader, decompress};
pub use write::{GcpfOptions, compress};

/// The compression of a file's blocks. The header of a file has the number of the compression.
///
/// ```
/// use variant_io::{Compression, GcpfErrorKind, GcpfOptions, compress};
///
/// for compression in Compression::ALL {
///     match compress(b"a save", &GcpfOptions::new(compression)) {
///         Ok(file) => assert!(file.starts_with(b"GCPF")),
///         Err(error) => assert!(matches!(error.kind(), GcpfErrorKind::ReadOnly(Compression::Brotli))),
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// Number 0. Every engine has it.
    FastLz,
    /// Number 1, with a zlib header. Every engine has it.
    Deflate,
    /// Number 2. Every engine except Godot 2 has it.
    Zstd,
    /// Number 3. Every engine except Godot 2 has it.
    Gzip,
    /// Number 4. Only Godot 4 has it. Read-only, in the engine and in this crate.
    Brotli,
}

impl Compression {
    /// Every compression, in the order of the numbers.
    pub const ALL: [Self; 5] = [Self::FastLz, Self::Deflate, Self::Zstd, Self::Gzip, Self::Brotli];

    /// The short name: `"fastlz"`, `"deflate"`, `"zstd"`, `"gzip"`, `"brotli"`. O(1).
    pub const fn name(self) -> &'static str {
        match self {
            Self::FastLz => "fastlz",
            Self::Deflate => "deflate",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Brotli => "brotli",
        }
    }

    fn number(self) -> u32 {
        (0..).zip(Self::ALL).find(|&(_, mode)| mode == self).map_or(0, |(number, _)| number)
    }

    fn of_number(number: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The magic bytes of compressed files. `open_compressed` writes `GCPF`. The engine's class `FileAccessCompressed`
/// writes `GCMP` by default. Compressed resources have `RSCC`.
pub const GCPF_MAGICS: [[u8; 4]; 3] = [*b"GCPF", *b"GCMP", *b"RSCC"];

/// The block size of `open_compressed`, in bytes.
const BLOCK_SIZE: u32 = 4096;

/// The header of a compressed file, before the block table.
///
/// ```
/// use std::io::Cursor;
/// use variant_io::{Compression, GcpfOptions, GcpfReader, compress};
///
/// let file = compress(&[7; 10_000], &GcpfOptions::new(Compression::Zstd))?;
/// let reader = GcpfReader::new(Cursor::new(&file), 1 << 20)?; // decompresses nothing yet
/// let header = reader.header();
/// assert_eq!((header.len, header.block_size, header.blocks()), (10_000, 4_096, 3));
/// # Ok::<(), variant_io::GcpfError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GcpfHeader {
    /// One of [`GCPF_MAGICS`].
    pub magic: [u8; 4],
    /// The compression of the blocks.
    pub compression: Compression,
    /// The uncompressed size of a block in bytes. The last block may be shorter.
    pub block_size: u32,
    /// The uncompressed size of the file in bytes.
    pub len: u32,
}

impl GcpfHeader {
    /// The size of the header in bytes.
    const BYTES: usize = 16;

    /// The number of blocks: one more than the number of full blocks. The last block may be empty.
    pub fn blocks(&self) -> u64 {
        self.len.checked_div(self.block_size).map_or(0, |full| u64::from(full).saturating_add(1))
    }

    /// The offset of the first block, after the table of block sizes.
    pub fn start(&self) -> u64 {
        self.blocks().saturating_mul(4).saturating_add(16)
    }

    /// The uncompressed size of a block in bytes.
    fn block_len(&self, block: u64) -> u32 {
        if block.saturating_add(1) < self.blocks() {
            self.block_size
        } else {
            self.len.checked_rem(self.block_size).unwrap_or(0)
        }
    }

    fn parse(bytes: &[u8; Self::BYTES]) -> Result<Self, GcpfErrorKind> {
        let (words, _) = bytes.as_chunks::<4>();
        let &[magic, mode, block_size, len] = words else {
            return Err(GcpfErrorKind::NotCompressed);
        };
        let [mode, block_size, len] = [mode, block_size, len].map(u32::from_le_bytes);
        if !GCPF_MAGICS.contains(&magic) {
            return Err(GcpfErrorKind::NotCompressed);
        }
        let compression =
            Compression::of_number(mode).ok_or(GcpfErrorKind::UnknownCompression(mode))?;
        if block_size == 0 {
            return Err(GcpfErrorKind::NoBlockSize);
        }
        Ok(Self { magic, compression, block_size, len })
    }

    fn to_bytes(self) -> [u8; Self::BYTES] {
        let words = [self.compression.number(), self.block_size, self.len].map(u32::to_le_bytes);
        let mut bytes = [0; Self::BYTES];
        for (place, word) in
            bytes.as_chunks_mut::<4>().0.iter_mut().zip([self.magic].iter().chain(&words))
        {
            *place = *word;
        }
        bytes
    }
}
