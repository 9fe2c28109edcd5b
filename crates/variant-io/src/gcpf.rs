//! GCPF: files compressed block by block, as `open_compressed` makes them (docs/format.md, section 4.2).

mod block;
mod error;
mod read;
mod write;

use std::fmt;

pub use error::{GcpfError, GcpfErrorKind};
pub use read::{GcpfReader, decompress};
pub use write::{GcpfOptions, compress};

/// How the blocks of a file are compressed. The engines know each by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// 0. Every engine.
    FastLz,
    /// 1, with a zlib header. Every engine.
    Deflate,
    /// 2. All but Godot 2.
    Zstd,
    /// 3. All but Godot 2.
    Gzip,
    /// 4. Godot 4 alone, which only reads it; so does this.
    Brotli,
}

impl Compression {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::FastLz, Self::Deflate, Self::Zstd, Self::Gzip, Self::Brotli];

    /// A short name: `"zstd"`. O(1).
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

/// What such a file starts with: `open_compressed`'s own, the default of the engine's class, and that of
/// compressed resources.
pub const GCPF_MAGICS: [[u8; 4]; 3] = [*b"GCPF", *b"GCMP", *b"RSCC"];

/// The bytes of a block as `open_compressed` writes them.
const BLOCK_SIZE: u32 = 4096;

/// The words in front of the table of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GcpfHeader {
    /// One of [`GCPF_MAGICS`].
    pub magic: [u8; 4],
    /// How the blocks are compressed.
    pub compression: Compression,
    /// The bytes of a block, uncompressed; the last one may have fewer.
    pub block_size: u32,
    /// The bytes of all blocks, uncompressed.
    pub len: u32,
}

impl GcpfHeader {
    /// The bytes of a header.
    const BYTES: usize = 16;

    /// How many blocks there are: one more than are full, and so with nothing in it where all are.
    pub fn blocks(&self) -> u64 {
        self.len.checked_div(self.block_size).map_or(0, |full| u64::from(full).saturating_add(1))
    }

    /// The byte of the file at which the first block starts, behind the table of their lengths.
    pub fn start(&self) -> u64 {
        self.blocks().saturating_mul(4).saturating_add(16)
    }

    /// The bytes of a block, uncompressed.
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
