//! Compressed files: files of engines, files of this crate, and damaged files.

#![cfg(feature = "compression")]

use std::fs;
use std::io::{self, BufRead as _, Cursor, Read as _, Seek as _, SeekFrom};

use md5::{Digest as _, Md5};
use variant_io::{
    ByteOrder, Compression, GCPF_MAGICS, GcpfError, GcpfErrorKind, GcpfOptions, GcpfReader,
    OpenOptions, Opened, compress, decompress, frames, open_bytes,
};
use variant_testkit::corpus;

const ROOMY: u64 = 1 << 24;

/// The compressed files of engines.
fn engine_made() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for folder in ["godot3/containers", "godot4/containers"] {
        for entry in fs::read_dir(corpus::root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            if bytes.starts_with(b"GCPF") {
                all.push((path.file_name().unwrap().to_str().unwrap().to_owned(), bytes));
            }
        }
    }
    assert!(all.len() > 50, "{}", all.len());
    all
}

#[test]
fn files_that_engines_compressed() {
    let mut modes = Vec::new();
    for (name, file) in engine_made() {
        let plain = decompress(&file, ROOMY).unwrap_or_else(|error| panic!("{name}: {error}"));
        let reader = GcpfReader::new(Cursor::new(&file), ROOMY).unwrap();
        assert_eq!(plain.len(), reader.header().len as usize, "{name}");
        modes.push(reader.header().compression);
        // The corpus also has the bare value of each compressed file of Godot 4.
        if let Some(number) = name.strip_prefix("save").and_then(|name| name.split('.').next()) {
            let bare =
                fs::read(corpus::root().join(format!("godot4/saves/sample{number}.variant")))
                    .unwrap();
            let mut all = frames(&plain, ByteOrder::Little);
            assert_eq!(all.next().unwrap().unwrap().bytes(), bare, "{name}");
            assert!(all.next().is_none(), "{name}");
        }
    }
    for mode in &Compression::ALL[..4] {
        assert!(modes.contains(mode), "{mode}");
    }
}

/// The manifest has the MD5 of the contents of Godot 3's files.
#[test]
fn files_are_as_in_the_manifest() {
    let manifest = fs::read_to_string(corpus::root().join("godot3/saves/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let mut count = 0;
    for entry in manifest.as_array().unwrap() {
        let (Some(name), Some(md5)) = (entry["file"].as_str(), entry["payload_md5"].as_str())
        else {
            continue;
        };
        if entry["container"] == "gcpf" {
            let file = fs::read(corpus::root().join("godot3/containers").join(name)).unwrap();
            let digest = Md5::digest(decompress(&file, ROOMY).unwrap());
            let expected = u128::from_str_radix(md5, 16).unwrap();
            assert_eq!(u128::from_be_bytes(digest.into()), expected, "{name}");
            count += 1;
        }
    }
    assert!(count >= 35, "{count}");
}

const WRITTEN: &[Compression] =
    &[Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];

/// Text of this length, whose blocks differ and can be compressed.
fn plain(len: usize) -> Vec<u8> {
    (0..).flat_map(|n: u32| n.to_string().into_bytes()).take(len).collect()
}

#[test]
fn any_length_and_any_block_size() {
    for &compression in WRITTEN {
        for len in [0, 1, 15, 16, 17, 31, 32, 33, 100, 4095, 4096, 4097, 8192, 20_000, 70_000] {
            for block_size in [1, 7, 16, 17, 4096, 65_536, 1 << 20] {
                if len / block_size > 3_000 {
                    continue;
                }
                let plain = plain(len);
                let options = GcpfOptions::new(compression).block_size(block_size as u32);
                let file = compress(&plain, &options).unwrap();
                let name = format!("{compression}, {len} bytes in blocks of {block_size}");
                assert_eq!(decompress(&file, ROOMY).unwrap(), plain, "{name}");
                assert!(file.ends_with(b"GCPF"));
            }
        }
    }
}

#[test]
fn from_any_place_on() {
    let plain = plain(20_000);
    for &compression in WRITTEN {
        let file = compress(&plain, &GcpfOptions::new(compression).block_size(1000)).unwrap();
        // The file may start at any position of the reader.
        let mut from = Cursor::new([b"in front", &file[..]].concat());
        from.set_position(8);
        let mut reader = GcpfReader::new(from, ROOMY).unwrap();
        for place in [0, 1, 999, 1000, 1001, 19_999, 20_000, 3] {
            let mut some = [0; 1500];
            assert_eq!(reader.seek(SeekFrom::Start(place as u64)).unwrap(), place as u64);
            let count = 1500.min(20_000 - place);
            reader.read_exact(&mut some[..count]).unwrap();
            assert_eq!(some[..count], plain[place..place + count]);
        }
        assert_eq!(reader.seek(SeekFrom::End(-5)).unwrap(), 19_995);
        assert_eq!(reader.seek(SeekFrom::Current(-10)).unwrap(), 19_985);
        assert_eq!(reader.read_to_end(&mut Vec::new()).unwrap(), 15);
        assert_eq!(reader.read(&mut [0; 4]).unwrap(), 0);
        assert!(reader.seek(SeekFrom::Current(-20_001)).is_err());
        assert_eq!(reader.seek(SeekFrom::Start(1 << 40)).unwrap(), 1 << 40);
        assert_eq!(reader.read(&mut [0; 4]).unwrap(), 0);
        assert_eq!(reader.read_block(20).unwrap(), b"");
        assert!(matches!(
            reader.read_block(21).unwrap_err().kind(),
            GcpfErrorKind::NoSuchBlock { block: 21, blocks: 21 }
        ));
    }
}

/// A file that is cut before the closing magic bytes is refused, and the error has an offset.
#[test]
fn cut_anywhere() {
    for &compression in WRITTEN {
        let file = compress(&plain(500), &GcpfOptions::new(compression).block_size(100)).unwrap();
        for len in 0..file.len() - 4 {
            let error = decompress(&file[..len], ROOMY).unwrap_err();
            let is_right = match error.kind() {
                GcpfErrorKind::NotCompressed => len < 4,
                GcpfErrorKind::NoHeader { found } => (4..16).contains(&len) && *found == len,
                GcpfErrorKind::NoTable { needed: 24, found } => {
                    (16..40).contains(&len) && error.offset() == 16 && *found == len as u64 - 16
                }
                GcpfErrorKind::NoBlock { needed, found, .. } => {
                    u64::from(*needed) > *found && error.offset() + found == len as u64
                }
                _ => false,
            };
            assert!(is_right, "{compression} cut to {len}: {error}");
        }
        assert!(decompress(&file[..file.len() - 4], ROOMY).is_ok());
    }
}

/// A flipped bit never causes a panic, and errors have an offset.
#[test]
fn damaged_anywhere() {
    let plain = plain(300);
    for &compression in WRITTEN {
        let mut file = compress(&plain, &GcpfOptions::new(compression).block_size(100)).unwrap();
        let mut noticed = 0;
        for bit in 0..file.len() * 8 {
            file[bit / 8] ^= 1 << (bit % 8);
            match decompress(&file, ROOMY) {
                Ok(read) => assert!(read.len() <= 1 << 20),
                Err(error) => {
                    noticed += 1;
                    assert!(error.offset() <= file.len() as u64, "{error}");
                    assert!(!error.to_string().is_empty());
                }
            }
            file[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(noticed > 200, "{compression}: {noticed}");
    }
}

#[test]
fn files_that_engines_do_not_write() {
    let file = compress(&plain(100), &GcpfOptions::new(Compression::Zstd)).unwrap();
    let with = |at: usize, word: u32| {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        decompress(&file, ROOMY).unwrap_err()
    };
    for (at, word, text) in [
        (4, 5, "byte 4: unknown compression 5; engines use 0 to 4"),
        (8, 0, "byte 8: the block size is 0"),
        // The claimed table is longer than the file.
        (8, 1, "byte 16: the block table needs 404 bytes, "),
        (12, u32::MAX, "byte 12: 4294967295 uncompressed bytes exceed the limit of 16777216"),
        (12, 101, "byte 20: block 0 is damaged: 101 uncompressed bytes expected, 100 found"),
        (12, 99, "byte 20: block 0 is damaged: 99 uncompressed bytes expected, more found"),
        (16, u32::MAX, "byte 20: block 0 needs 4294967295 bytes, "),
    ] {
        let error = with(at, word);
        assert!(error.to_string().starts_with(text), "{error}");
    }
    let error = decompress(b"RSRC, which is something else", ROOMY).unwrap_err();
    assert!(matches!(error.kind(), GcpfErrorKind::NotCompressed), "{error}");
    let error = compress(b"", &GcpfOptions::new(Compression::Brotli)).unwrap_err();
    assert!(matches!(error.kind(), GcpfErrorKind::ReadOnly(Compression::Brotli)), "{error}");
}

/// zstd blocks that repeat a byte more often than zstd's compressor would. The engine also reads such blocks.
#[test]
fn long_repetitions() {
    let repeated = |count: u32| {
        // Magic bytes, no content size, a window, one last block that repeats `A`.
        let window = 0x98;
        let [a, b, c, _] = (count << 3 | 3).to_le_bytes();
        vec![0x28, 0xb5, 0x2f, 0xfd, 0, window, a, b, c, b'A']
    };
    for (claimed, there) in [(100_000, 100_000), (100_000, 99_999), (99_999, 100_000)] {
        let block = repeated(there);
        let mut file = b"GCPF\x02\0\0\0".to_vec();
        file.extend(200_000_u32.to_le_bytes());
        file.extend(u32::to_le_bytes(claimed));
        file.extend(u32::try_from(block.len()).unwrap().to_le_bytes());
        file.extend(block);
        match decompress(&file, ROOMY) {
            Ok(plain) => assert!(claimed == there && plain == vec![b'A'; claimed as usize]),
            Err(error) => assert_ne!(claimed, there, "{error}"),
        }
    }
}

/// A short frame that claims a window of half a gigabyte does not allocate such a window.
#[test]
fn zstd_looks_back_no_further_than_allowed() {
    // Magic, no content size and a window of 1 << (10 + log), one last block of 1,000 times `A`.
    let block = |log: u8| {
        let [a, b, c, _] = (1_000_u32 << 3 | 3).to_le_bytes();
        vec![0x28, 0xb5, 0x2f, 0xfd, 0, log << 3, a, b, c, b'A']
    };
    let file = |block_size: u32, len: u32, block: &[u8]| {
        let words = [block_size, len, u32::try_from(block.len()).unwrap()].map(u32::to_le_bytes);
        [b"GCPF\x02\0\0\0", words.as_flattened(), block].concat()
    };
    let roomy = 1 << 30;
    // These windows are allowed: they exceed neither 128 MiB nor the size of the block, rounded up to a power of two.
    // The error is that the block is shorter than claimed.
    for (len, log) in [(600 << 20, 17), (5 << 20, 13)] {
        let error = decompress(&file(1 << 30, len, &block(log)), roomy).unwrap_err();
        assert!(matches!(error.kind(), GcpfErrorKind::BlockLength { found: 1_000, .. }), "{error}");
    }
    for (len, log, max) in
        [(600 << 20, 18, 128 << 20), (600 << 20, 21, 128 << 20), (5 << 20, 14, 8 << 20)]
    {
        let error = decompress(&file(1 << 30, len, &block(log)), roomy).unwrap_err();
        let GcpfErrorKind::Window { block: 0, max: found } = *error.kind() else {
            panic!("{error}")
        };
        assert_eq!(found, max, "{error}");
        assert!(error.to_string().contains(&format!("than the {max} bytes allowed")), "{error}");
    }
    // A small block is decompressed in one call, which uses the output as its window. So a larger window is allowed,
    // as in the engine.
    let widest = if cfg!(target_pointer_width = "32") { 20 } else { 21 };
    let plain = decompress(&file(4_096, 1_000, &block(widest)), roomy).unwrap();
    assert_eq!(plain, [b'A'; 1_000]);
    let error = decompress(&file(4_096, 1_000, &block(widest + 1)), roomy).unwrap_err();
    let max = 1 << (widest + 10);
    assert!(
        matches!(*error.kind(), GcpfErrorKind::Window { block: 0, max: found } if found == max),
        "{error}"
    );
}

/// Brotli streams with a large window are refused, as in engines.
#[test]
fn brotli_looks_back_no_further_than_engines() {
    let file = |block: &[u8]| {
        let words = [4_096, 0, u32::try_from(block.len()).unwrap()].map(u32::to_le_bytes);
        [b"GCPF\x04\0\0\0", words.as_flattened(), block].concat()
    };
    assert_eq!(decompress(&file(&[0x06]), ROOMY).unwrap(), b"");
    // A window of 1 << 30 and no data.
    let error = decompress(&file(&[0x11, 0xde]), ROOMY).unwrap_err();
    assert!(matches!(error.kind(), GcpfErrorKind::Window { block: 0, max: 0x100_0000 }), "{error}");
}

/// Large blocks are decompressed in steps, with the same errors as small blocks.
#[test]
fn large_blocks_of_zstd() {
    let plain: Vec<u8> = plain(3 << 20);
    let options = GcpfOptions::new(Compression::Zstd).block_size(2 << 20);
    let file = compress(&plain, &options).unwrap();
    assert_eq!(decompress(&file, ROOMY).unwrap(), plain);
    let size = u32::from_le_bytes(file[16..20].try_into().unwrap());
    let with = |size: u32| {
        let mut file = file.clone();
        file[16..20].copy_from_slice(&size.to_le_bytes());
        decompress(&file, ROOMY).unwrap_err()
    };
    let error = with(size - 1);
    assert!(matches!(error.kind(), GcpfErrorKind::Damaged { block: 0, .. }), "{error}");
    assert!(error.to_string().contains("incomplete frame"), "{error}");
    let error = with(size + 1);
    assert!(matches!(error.kind(), GcpfErrorKind::Damaged { block: 0, .. }), "{error}");
    let error = with(0);
    assert!(
        matches!(error.kind(), GcpfErrorKind::BlockLength { block: 0, found: 0, .. }),
        "{error}"
    );
}

/// Bytes of one block do not appear in the next block, which is the empty last block in this test.
#[test]
fn a_block_of_nothing_is_none() {
    let options = GcpfOptions::new(Compression::Zstd).block_size(1_000);
    let mut file = compress(&plain(2_000), &options).unwrap();
    let (sizes, _) = file[16..28].as_chunks();
    let [first, second, last] = [0, 1, 2].map(|block| u32::from_le_bytes(sizes[block]) as usize);
    let start = 28 + first + second;
    let empty = file[start..start + last].to_vec();
    file.truncate(28);
    for size in file[16..].as_chunks_mut().0 {
        *size = u32::try_from(last).unwrap().to_le_bytes();
    }
    file.extend(empty.repeat(3));
    let error = decompress(&file, ROOMY).unwrap_err();
    assert!(matches!(error.kind(), GcpfErrorKind::BlockLength { found: 0, .. }), "{error}");
}

/// A small file that contains a megabyte of zeros is decompressed only if the limit allows a megabyte.
#[test]
fn a_bomb() {
    for &compression in WRITTEN {
        let options = GcpfOptions::new(compression).block_size(2 << 20);
        let file = compress(&vec![0; 1 << 20], &options).unwrap();
        assert_eq!(decompress(&file, 1 << 20).unwrap().len(), 1 << 20);
        let error = decompress(&file, (1 << 20) - 1).unwrap_err();
        assert!(matches!(error.kind(), GcpfErrorKind::TooLarge { .. }), "{error}");
        // If a block has more bytes than the header claims, decompression ends with an error one byte after the claimed
        // bytes.
        let mut liar = file;
        liar[12..16].copy_from_slice(&1000_u32.to_le_bytes());
        let error = decompress(&liar, 1 << 20).unwrap_err();
        assert!(
            matches!(error.kind(), GcpfErrorKind::BlockLength { needed: 1000, found: 1001, .. }),
            "{compression}: {error}"
        );
    }
}

/// The table has the size of each block, and the blocks follow it.
#[test]
fn the_header_says_where_the_blocks_are() {
    for (name, file) in engine_made() {
        let reader = GcpfReader::new(Cursor::new(&file), ROOMY).unwrap();
        let header = *reader.header();
        let start = usize::try_from(header.start()).unwrap();
        let (sizes, []) = file[16..start].as_chunks::<4>() else { panic!("{name}") };
        assert_eq!(sizes.len() as u64, header.blocks(), "{name}");
        let blocks: usize = sizes.iter().map(|size| u32::from_le_bytes(*size) as usize).sum();
        assert_eq!(start + blocks + 4, file.len(), "{name}: the magic bytes follow");
        let opened = open_bytes(file, &OpenOptions::new()).unwrap();
        let [layer] = opened.layers() else { panic!("{name}") };
        assert_eq!((layer.start(), layer.is_resource()), (header.start(), false), "{name}");
    }
    for (number, compression) in Compression::ALL.into_iter().enumerate() {
        assert_eq!(format!("{compression:>8}"), format!("{:>8}", compression.name()));
        let file = [b"GCPF", &u32::to_le_bytes(number as u32)[..], &[0, 16, 0, 0], &[0; 8]];
        let reader = GcpfReader::new(Cursor::new(file.concat()), ROOMY).unwrap();
        assert_eq!(reader.header().compression, compression);
        assert_eq!((reader.header().blocks(), reader.header().start()), (1, 20));
    }
    let names = Compression::ALL.map(Compression::name);
    assert_eq!(names, ["fastlz", "deflate", "zstd", "gzip", "brotli"]);
}

#[test]
fn a_layer_is_described() {
    let describe = |len: usize, options: GcpfOptions| {
        let opened = open_bytes(compress(&plain(len), &options).unwrap(), &OpenOptions::new());
        let layer = opened.unwrap().layers()[0];
        (layer.to_string(), layer.is_resource())
    };
    let options = GcpfOptions::new(Compression::Zstd);
    let text = "compressed with zstd from byte 20, 1 block of 4096 bytes, 5 plain bytes";
    assert_eq!(describe(5, options), (text.to_owned(), false));
    let text = "compressed with gzip from byte 28, 3 blocks of 100 bytes, 250 plain bytes";
    let options = GcpfOptions::new(Compression::Gzip).block_size(100);
    assert_eq!(describe(250, options), (text.to_owned(), false));
    for (magic, is_resource) in GCPF_MAGICS.into_iter().zip([false, false, true]) {
        assert_eq!(describe(250, options.magic(magic)), (text.to_owned(), is_resource));
    }
}

/// A block that is broken, and the plain bytes that are left.
fn leniently(file: Vec<u8>) -> Opened {
    open_bytes(file, &OpenOptions::new().lenient(true)).unwrap()
}

/// The start and the size of each block of a file.
fn blocks(file: &[u8]) -> Vec<(usize, usize)> {
    let reader = GcpfReader::new(Cursor::new(file), ROOMY).unwrap();
    let mut start = usize::try_from(reader.header().start()).unwrap();
    let (sizes, _) = file[16..start].as_chunks();
    let mut places = Vec::new();
    for size in sizes {
        let size = u32::from_le_bytes(*size) as usize;
        places.push((start, size));
        start += size;
    }
    places
}

#[test]
fn broken_blocks_are_filled_or_left_out() {
    let plain = plain(450);
    for &compression in WRITTEN {
        let file = compress(&plain, &GcpfOptions::new(compression).block_size(100)).unwrap();
        let places = blocks(&file);
        assert_eq!(leniently(file.clone()).damage(), []);
        for broken in (1_usize..1 << 5).map(|bits| move |block: usize| bits & 1 << block != 0) {
            let mut file = file.clone();
            for (block, &(start, size)) in places.iter().enumerate() {
                if broken(block) {
                    file[start..start + size].fill(0xee);
                }
            }
            let opened = leniently(file);
            let end = (0..5).rev().find(|&block| !broken(block)).map_or(0, |last| last + 1);
            let mut expected = plain[..450.min(100 * end)].to_vec();
            let mut damage = Vec::new();
            for block in (0..5).filter(|&block| broken(block)) {
                let len = 100.min(450 - 100 * block);
                damage.push((100 * block as u64, len as u64));
                if let Some(place) = expected.get_mut(100 * block..100 * block + len) {
                    place.fill(0xff);
                }
            }
            assert_eq!(opened.bytes(), expected, "{compression}");
            let found: Vec<_> = opened.damage().iter().map(|one| (one.start, one.len)).collect();
            assert_eq!(found, damage, "{compression}");
            for one in opened.damage() {
                let block = format!(": block {} is damaged: ", one.start / 100);
                assert!(one.reason.contains(&block), "{}", one.reason);
            }
        }
    }
}

/// The empty last block has no bytes to fill.
#[test]
fn a_file_that_is_cut_keeps_its_first_blocks() {
    let plain = plain(500);
    for &compression in WRITTEN {
        let file = compress(&plain, &GcpfOptions::new(compression).block_size(100)).unwrap();
        let places = blocks(&file);
        for len in places[0].0..file.len() {
            let opened = leniently(file[..len].to_vec());
            let whole = places.iter().filter(|(start, size)| start + size <= len).count();
            assert_eq!(opened.bytes(), &plain[..500.min(100 * whole)], "{compression} {len}");
            let missing: u64 = opened.damage().iter().map(|one| one.len).sum();
            assert_eq!(missing, 500 - opened.bytes().len() as u64);
            assert_eq!(opened.damage().len(), 6 - whole);
            assert_eq!(opened.damage().first().map(|one| one.start), {
                (whole < 6).then_some(100 * whole as u64)
            });
        }
    }
}

/// A small file does not become a large one by the bytes that fill its broken blocks.
#[test]
fn the_filling_is_limited() {
    // A broken block of `missing` bytes, a block of 1 byte, and bytes after the file up to `len` bytes.
    let file = |missing: u32, len: usize| {
        let block = compress(b"a", &GcpfOptions::new(Compression::FastLz).block_size(7)).unwrap();
        let block = &block[20..block.len() - 4];
        let words = [missing, missing + 1, 1, block.len() as u32].map(u32::to_le_bytes);
        let mut file = [b"GCPF\0\0\0\0", words.as_flattened(), &[0xee], block, b"GCPF"].concat();
        file.resize(len.max(file.len()), 0);
        file
    };
    for (missing, len, is_filled) in [
        (1 << 20, 0, true),
        ((1 << 20) + 1, 0, false),
        ((1 << 20) + 1, 4_096, false),
        ((1 << 20) + 256, 4_097, true),
        ((1 << 20) + 257, 4_097, false),
        (2 << 20, 8_192, true),
        ((2 << 20) + 1, 8_192, false),
    ] {
        let opened = leniently(file(missing, len));
        let expected = if is_filled { missing as usize + 1 } else { 0 };
        assert_eq!(opened.bytes().len(), expected, "{missing} in {len}");
        assert!(opened.bytes().iter().rev().skip(1).all(|&byte| byte == 0xff));
        assert_eq!(opened.damage().len(), 1);
        assert_eq!((opened.damage()[0].start, opened.damage()[0].len), (0, missing.into()));
    }
}

/// A reader that fails in turn, and reads a few bytes in between.
struct Faulty<'f> {
    from: Cursor<&'f [u8]>,
    /// Reads that are left until one fails.
    left: usize,
    with: io::ErrorKind,
}

impl io::Read for Faulty<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(1) else {
            self.left = 1;
            return Err(self.with.into());
        };
        self.left = left;
        let few = buffer.len().min(7);
        self.from.read(&mut buffer[..few])
    }
}

impl io::Seek for Faulty<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.from.seek(to)
    }
}

#[test]
fn a_read_that_is_interrupted_is_repeated() {
    let plain = plain(1_000);
    let file = compress(&plain, &GcpfOptions::new(Compression::FastLz).block_size(300)).unwrap();
    let faulty = |left, with| Faulty { from: Cursor::new(&file), left, with };
    let mut all = Vec::new();
    let mut reader = GcpfReader::new(faulty(1, io::ErrorKind::Interrupted), ROOMY).unwrap();
    assert_eq!(reader.read_to_end(&mut all).unwrap(), 1_000);
    assert_eq!(all, plain);
    // Other errors are those of the reader, wherever they occur.
    let mut failures = 0;
    for left in 0..40 {
        let reader = GcpfReader::new(faulty(left, io::ErrorKind::TimedOut), ROOMY);
        let read = reader.map_err(io::Error::from);
        let Err(error) = read.and_then(|mut reader| reader.read_to_end(&mut Vec::new())) else {
            continue;
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{left}");
        failures += 1;
    }
    assert_eq!(failures, 40);
}

/// The error of a damaged block is a `GcpfError` in an `io::Error`.
#[test]
fn errors_of_reads_have_the_fault() {
    let mut file = compress(&plain(250), &GcpfOptions::new(Compression::Gzip).block_size(100));
    let file = file.as_mut().unwrap();
    let (start, size) = blocks(file)[1];
    file[start..start + size].fill(0);
    let mut reader = GcpfReader::new(Cursor::new(&file[..]), ROOMY).unwrap();
    let error = reader.read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    let error = error.into_inner().unwrap().downcast::<GcpfError>().unwrap();
    assert!(matches!(error.kind(), GcpfErrorKind::Damaged { block: 1, .. }), "{error}");
    assert_eq!(error.offset(), start as u64);
    // The other blocks can be read.
    assert_eq!(reader.read_block(0).unwrap(), &plain(100));
    assert!(reader.read_block(1).is_err());
    assert_eq!(reader.read_block(2).unwrap(), &plain(250)[200..]);
    assert_eq!(reader.read_block(2).unwrap(), &plain(250)[200..]);
}

/// `BufRead` yields what is left of a block.
#[test]
fn a_buffer_ends_with_its_block() {
    let plain = plain(250);
    let file = compress(&plain, &GcpfOptions::new(Compression::Zstd).block_size(100)).unwrap();
    let mut reader = GcpfReader::new(Cursor::new(&file), ROOMY).unwrap();
    let mut read = Vec::new();
    let mut lengths = Vec::new();
    loop {
        let buffer = reader.fill_buf().unwrap();
        let count = buffer.len().min(60);
        lengths.push(buffer.len());
        read.extend_from_slice(&buffer[..count]);
        if count == 0 {
            break;
        }
        reader.consume(count);
        assert_eq!(reader.stream_position().unwrap(), read.len() as u64);
    }
    assert_eq!(read, plain);
    assert_eq!(lengths, [100, 40, 100, 40, 50, 0]);
    let shown = format!("{reader:?}");
    assert!(shown.contains("position: 250") && shown.contains("block_size: 100"), "{shown}");
}

/// Positions before byte 0 are refused, and the position stays.
#[test]
fn a_position_is_not_negative() {
    let file = compress(&plain(250), &GcpfOptions::new(Compression::FastLz)).unwrap();
    let mut reader = GcpfReader::new(Cursor::new(&file), ROOMY).unwrap();
    assert_eq!(reader.seek(SeekFrom::End(-250)).unwrap(), 0);
    assert_eq!(reader.seek(SeekFrom::Current(7)).unwrap(), 7);
    for to in [SeekFrom::End(-251), SeekFrom::Current(-8)] {
        assert_eq!(reader.seek(to).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(reader.stream_position().unwrap(), 7);
    }
}

/// A zstd block may have several frames, also empty ones. Both ways of decompression read them.
#[test]
fn a_block_of_several_zstd_frames() {
    let frame = |bytes: &[u8]| {
        let options = GcpfOptions::new(Compression::Zstd).block_size(u32::MAX);
        let file = compress(bytes, &options).unwrap();
        file[20..file.len() - 4].to_vec()
    };
    let file = |block_size: u32, len: u32, block: &[u8]| {
        let words = [block_size, len, u32::try_from(block.len()).unwrap()].map(u32::to_le_bytes);
        [b"GCPF\x02\0\0\0", words.as_flattened(), block].concat()
    };
    for len in [1_000, (1 << 20) + 1, (2 << 20) + 2] {
        let all = plain(len);
        let (start, end) = all.split_at(len / 2);
        let block = [frame(b""), frame(start), frame(b""), frame(end), frame(b"")].concat();
        let claimed = u32::try_from(len).unwrap();
        assert_eq!(decompress(&file(8 << 20, claimed, &block), ROOMY).unwrap(), all);
        // The claim is exact.
        for (claimed, found) in [(claimed - 7, len - 6), (claimed - 1, len), (claimed + 1, len)] {
            let error = decompress(&file(8 << 20, claimed, &block), ROOMY).unwrap_err();
            assert!(
                matches!(error.kind(), GcpfErrorKind::BlockLength { found: one, .. } if *one == found),
                "{error}"
            );
        }
    }
}

/// The whole input is read before the output of the steps has its room.
#[test]
fn large_blocks_of_zeros() {
    for &compression in WRITTEN {
        let options = GcpfOptions::new(compression).block_size(4 << 20);
        let file = compress(&vec![0; 3 << 20], &options).unwrap();
        assert!(decompress(&file, ROOMY).unwrap() == vec![0; 3 << 20], "{compression}");
    }
}

/// Engines read a block of any size. On 32-bit machines, 16 MiB are the limit of the library.
#[test]
fn a_fastlz_block_of_more_than_16_mib() {
    // Runs of 32 bytes that are not compressed, each after a byte with its length.
    let count = (1 << 24) / 33 + 1;
    let block = [&[31][..], &[b'a'; 32]].concat().repeat(count);
    let len = u32::try_from(32 * count).unwrap();
    let words = [1 << 25, len, u32::try_from(block.len()).unwrap()].map(u32::to_le_bytes);
    let file = [b"GCPF\0\0\0\0", words.as_flattened(), &block].concat();
    let read = decompress(&file, 1 << 25);
    if cfg!(target_pointer_width = "32") {
        assert!(read.unwrap_err().to_string().ends_with("a block of more than 16 MiB"));
    } else {
        assert!(read.unwrap() == vec![b'a'; 32 * count]);
    }
}

/// Options that engines do not use: levels, and a block size of 0.
#[test]
fn levels_compress_more_or_less() {
    let plain = plain(60_000);
    for (compression, levels) in [
        (Compression::Deflate, [0, 1, 9]),
        (Compression::Gzip, [0, 1, 9]),
        (Compression::Zstd, [-7, 1, 19]),
    ] {
        let sizes = levels.map(|level| {
            let options = GcpfOptions::new(compression).block_size(1 << 16).level(level);
            let file = compress(&plain, &options).unwrap();
            assert_eq!(decompress(&file, ROOMY).unwrap(), plain);
            file.len()
        });
        let [least, some, most] = sizes;
        assert!(least > some.max(most) && some != most, "{compression}: {sizes:?}");
        // Levels of deflate beyond 0 to 9 are the nearest of these.
        if compression != Compression::Zstd {
            for (level, same) in [(-1, sizes[0]), (10, sizes[2])] {
                let options = GcpfOptions::new(compression).block_size(1 << 16).level(level);
                assert_eq!(compress(&plain, &options).unwrap().len(), same, "{level}");
            }
        }
    }
    let file = compress(b"abc", &GcpfOptions::new(Compression::FastLz).block_size(0)).unwrap();
    assert_eq!(GcpfReader::new(Cursor::new(&file), 3).unwrap().header().block_size, 1);
    assert_eq!(decompress(&file, 3).unwrap(), b"abc");
}

/// Faults of the header, of a call, or of the bytes to be compressed have no offset in the message.
#[test]
fn errors_without_an_offset_say_what_is_wrong() {
    let options = GcpfOptions::new(Compression::FastLz).block_size(100);
    let file = compress(&plain(250), &options).unwrap();
    let mut reader = GcpfReader::new(Cursor::new(&file), ROOMY).unwrap();
    for (error, text) in [
        (
            decompress(&file[..15], ROOMY).unwrap_err(),
            "the header of a compressed file needs 16 bytes, the file has 15",
        ),
        (
            reader.read_block(3).unwrap_err(),
            "block 3 does not exist; the file has 3 blocks, from 0",
        ),
        (
            compress(b"", &GcpfOptions::new(Compression::Brotli)).unwrap_err(),
            "brotli is read-only; choose another compression",
        ),
    ] {
        assert_eq!((error.to_string(), error.offset()), (text.to_owned(), 0));
    }
}

/// The file is mapped, and has no bytes on the disk. The error comes before a byte is read.
#[cfg(all(feature = "mmap", target_pointer_width = "64"))]
#[test]
fn more_than_4_gib_are_not_compressed() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(1 << 32).unwrap();
    let opened = variant_io::open(file.path(), &OpenOptions::new()).unwrap();
    assert!(opened.is_mapped());
    let error = compress(opened.bytes(), &GcpfOptions::new(Compression::FastLz)).unwrap_err();
    assert!(matches!(*error.kind(), GcpfErrorKind::TooLong { len } if len == 1 << 32), "{error}");
    let text = "4294967296 bytes exceed the limit of a compressed file, 4294967295 bytes";
    assert_eq!(error.to_string(), text);
}

/// A compressed block of no bytes has no plain bytes. Compressors write some bytes even for an empty block.
#[test]
fn a_block_without_bytes_is_empty() {
    for head in [b"GCPF\0\0\0\0", b"GCPF\x02\0\0\0"] {
        let file = |len: u32| {
            let words = [4_096, len, 0].map(u32::to_le_bytes);
            [&head[..], words.as_flattened()].concat()
        };
        assert_eq!(decompress(&file(0), ROOMY).unwrap(), b"");
        let error = decompress(&file(5), ROOMY).unwrap_err();
        let text = "byte 20: block 0 is damaged: 5 uncompressed bytes expected, 0 found";
        assert_eq!(error.to_string(), text);
    }
}

/// `FastLZ` writes short blocks with padding up to 16 bytes. Only this padding is removed.
#[test]
fn a_short_fastlz_block_has_its_length() {
    let read = |claimed: u32, there: u8| {
        // A run of bytes that are not compressed.
        let block = [&[there - 1][..], &vec![b'a'; there.into()]].concat();
        let words = [4_096, claimed, u32::try_from(block.len()).unwrap()].map(u32::to_le_bytes);
        decompress(&[b"GCPF\0\0\0\0", words.as_flattened(), &block].concat(), ROOMY)
    };
    for claimed in 1..=20 {
        for there in 1..=20 {
            let found = match u32::from(there) {
                16 if claimed < 16 => claimed,
                there => there,
            };
            let read = read(claimed, there);
            assert_eq!(read.is_ok(), found == claimed, "{claimed} of {there}: {read:?}");
        }
    }
}

/// Large blocks are decompressed in steps. At the end of the first step, the whole frame is read, and plain bytes are left.
#[test]
fn a_zstd_frame_may_end_inside_a_step() {
    // A run of 100,000 times `A`. The 11th run begins before the first MiB, and ends after it.
    let run = |is_last: bool| {
        let [a, b, c, _] = (100_000_u32 << 3 | 2 | u32::from(is_last)).to_le_bytes();
        [a, b, c, b'A']
    };
    let read = |is_whole: bool, claimed: u32| {
        let mut runs = [run(false); 11];
        runs[10] = run(is_whole);
        // Magic, no content size, and a window of 2 MiB.
        let block = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 11 << 3][..], runs.as_flattened()].concat();
        let words = [2 << 20, claimed, block.len() as u32].map(u32::to_le_bytes);
        let file = [b"GCPF\x02\0\0\0", words.as_flattened(), &block].concat();
        decompress(&file, ROOMY)
    };
    assert!(read(true, 1_100_000).unwrap() == vec![b'A'; 1_100_000]);
    for (claimed, text) in [
        (1_100_000, "zstd: incomplete frame"),
        // The bytes of the part of the frame are already too many.
        (1_090_000, "1090000 uncompressed bytes expected, more found"),
    ] {
        let error = read(false, claimed).unwrap_err();
        assert_eq!(error.to_string(), format!("byte 20: block 0 is damaged: {text}"));
    }
}
