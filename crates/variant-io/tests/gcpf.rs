//! Compressed files: files of engines, files of this crate, and damaged files.

#![cfg(feature = "compression")]

use std::fs;
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};

use md5::{Digest as _, Md5};
use variant_io::{
    ByteOrder, Compression, GcpfErrorKind, GcpfOptions, GcpfReader, compress, decompress, frames,
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
