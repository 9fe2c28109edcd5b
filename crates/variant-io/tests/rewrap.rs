//! Wrapping new contents in the compression and encryption of an existing file.

#![cfg(all(feature = "compression", feature = "encryption"))]

use std::collections::HashMap;
use std::fs;

use variant_io::{
    Compression, Encryption, Framing, GCPF_MAGICS, GcpfErrorKind, GcpfOptions, Key, Layer,
    OpenOptions, Opened, RewrapError, compress, encrypt, open, open_bytes, open_reader,
};
use variant_testkit::corpus;

/// The passwords of Godot 3's files, by file name.
fn passwords() -> HashMap<String, String> {
    let manifest = fs::read_to_string(corpus::root().join("godot3/saves/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let pair = |entry: &serde_json::Value| {
        Some((entry["file"].as_str()?.to_owned(), entry["password"].as_str()?.to_owned()))
    };
    manifest.as_array().unwrap().iter().filter_map(pair).collect()
}

/// Every compressed or encrypted file of the corpus, and its key.
fn containers() -> Vec<(String, Vec<u8>, Option<Key>)> {
    let passwords = passwords();
    let raw: [u8; 32] = std::array::from_fn(|i| u8::try_from((7 * i + 1) % 256).unwrap());
    let key = |name: &str| match name {
        name if name.starts_with("pass_") => Some(Key::from_password("hunter2")),
        name if name.starts_with("key_7i1") => Some(Key::from_bytes(raw)),
        name => passwords.get(name).map(|password| Key::from_password(password)),
    };
    let mut all = Vec::new();
    for folder in ["godot3/containers", "godot4/containers"] {
        for entry in fs::read_dir(corpus::root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let key = key(&name);
            all.push((name, fs::read(&path).unwrap(), key));
        }
    }
    assert!(all.len() >= 65, "{}", all.len());
    all
}

fn options(key: Option<&Key>) -> OpenOptions {
    key.into_iter().fold(OpenOptions::new(), |options, key| options.key(key.clone()))
}

/// The properties of a layer that do not depend on its contents.
fn shape(layer: &Layer) -> String {
    match *layer {
        Layer::Encrypted(header) => header.encryption.name().to_owned(),
        Layer::Compressed(header) => {
            format!("{:?} {} {}", header.magic, header.compression, header.block_size)
        }
        ref other => panic!("{other}"),
    }
}

fn shapes(opened: &Opened) -> Vec<String> {
    opened.layers().iter().map(shape).collect()
}

fn assert_rewraps(name: &str, file: &[u8], key: Option<&Key>) {
    let options = options(key);
    let opened = open_bytes(file.to_vec(), &options).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(!opened.wrapping().is_empty(), "{name}");
    for plain in [opened.bytes(), b"", b"another", &[7; 9_000]] {
        let wrapped = opened.rewrap(plain).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = open_bytes(wrapped, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(again.bytes(), plain, "{name}");
        assert_eq!(shapes(&again), shapes(&opened), "{name}");
    }
    let same = opened.wrapping().clone().keep_iv(true).wrap(opened.bytes()).unwrap();
    if opened.layers().iter().all(|layer| matches!(layer, Layer::Encrypted(_))) {
        assert_eq!(same, file, "{name}: with the same vector it is the same file");
    }
}

#[test]
fn every_container_of_the_corpus_is_rewrapped() {
    for (name, file, key) in containers() {
        assert_rewraps(&name, &file, key.as_ref());
    }
}

#[test]
fn every_mode_block_size_and_nesting_is_kept() {
    let key = Key::from_password("hunter2");
    let forms = [Encryption::Ecb, Encryption::Cfb([7; 16])];
    for compression in Compression::ALL.into_iter().filter(|&mode| mode != Compression::Brotli) {
        for (magic, block_size) in GCPF_MAGICS.into_iter().zip([100_u32, 512, 1 << 21]) {
            let how = GcpfOptions::new(compression).block_size(block_size).magic(magic);
            let packed = compress(&b"save".repeat(100), &how).unwrap();
            let name = format!("{compression} in {block_size}");
            assert_rewraps(&name, &packed, None);
            for form in forms {
                let locked = encrypt(&packed, &key, form);
                assert_rewraps(&format!("{name}, {form} outside"), &locked, Some(&key));
                let twice = compress(&locked, &GcpfOptions::new(Compression::Zstd)).unwrap();
                assert_rewraps(&format!("{name}, {form} within zstd"), &twice, Some(&key));
            }
        }
    }
}

#[test]
fn a_vector_is_new_unless_it_is_to_be_kept() {
    let key = Key::from_password("hunter2");
    let iv = [7; 16];
    let file = encrypt(b"a save", &key, Encryption::Cfb(iv));
    let opened = open_bytes(file, &options(Some(&key))).unwrap();
    let iv_of = |file: Vec<u8>| file[28..44].to_vec();
    let [one, other] = [(); 2].map(|()| iv_of(opened.rewrap(b"a save").unwrap()));
    assert!(one != iv && other != iv && one != other);
    assert_eq!(iv_of(opened.wrapping().clone().keep_iv(true).wrap(b"other").unwrap()), iv);
}

#[test]
fn bare_files_stay_bare_and_brotli_is_not_written() {
    let opened = open_bytes(vec![0; 4], &OpenOptions::new()).unwrap();
    assert!(opened.wrapping().is_empty());
    assert_eq!(opened.rewrap(&[1, 2]).unwrap(), [1, 2]);

    // The only block is empty, in the form of brotli's shortest stream.
    let file = b"GCPF\x04\0\0\0\0\x10\0\0\0\0\0\0\x01\0\0\0\x06GCPF".to_vec();
    let opened = open_bytes(file, &OpenOptions::new()).unwrap();
    let error = opened.rewrap(b"a").unwrap_err();
    let RewrapError::Compressed(inner) = &error else { panic!("{error}") };
    assert!(matches!(inner.kind(), GcpfErrorKind::ReadOnly(Compression::Brotli)), "{error}");
    assert!(error.to_string().contains("brotli is read-only"), "{error}");
}

#[test]
fn the_key_is_not_shown() {
    let key = Key::from_bytes(*b"0123456789abcdef0123456789abcdef");
    let file = encrypt(b"a save", &key, Encryption::Ecb);
    let opened = open_bytes(file, &options(Some(&key))).unwrap();
    let shown = format!("{opened:?} {:?}", opened.wrapping());
    assert!(shown.contains("Key(..)") && !shown.contains("48, 49, 50"), "{shown}");
}

/// Files of engines have no bytes after a layer; bytes after any layer are counted and kept.
#[test]
fn bytes_after_layers_are_kept() {
    for (name, file, key) in containers() {
        let opened = open_bytes(file, &options(key.as_ref())).unwrap();
        assert_eq!(opened.behind(), 0, "{name}");
    }
    let key = Key::from_password("hunter2");
    let options = options(Some(&key));
    let inner = compress(b"a save", &GcpfOptions::new(Compression::FastLz)).unwrap();
    for encryption in [Encryption::Ecb, Encryption::cfb().unwrap()] {
        let outer = encrypt(&[&inner[..], b"two"].concat(), &key, encryption);
        assert_eq!(open_bytes(outer.clone(), &options).unwrap().behind(), 3);
        let opened = open_bytes([&outer[..], b"GCPF"].concat(), &options).unwrap();
        assert_eq!((opened.behind(), opened.bytes()), (7, &b"a save"[..]));
        let again = opened.rewrap(b"another").unwrap();
        assert!(again.ends_with(b"GCPF"));
        let again = open_bytes(again, &options).unwrap();
        assert_eq!((again.behind(), again.bytes()), (7, &b"another"[..]));
        let bare = opened.wrapping().clone().keep_tails(false).wrap(b"another").unwrap();
        assert_eq!(open_bytes(bare, &options).unwrap().behind(), 0);
    }
}

/// The contents, in each way of access.
#[test]
fn an_opened_file_has_its_contents() {
    for (name, file, key) in containers() {
        let options = options(key.as_ref());
        let opened = open_bytes(file.clone(), &options).unwrap();
        let plain = opened.bytes().to_vec();
        assert_eq!(&opened[..], plain, "{name}");
        assert!(opened.damage().is_empty() && !opened.is_mapped(), "{name}");
        assert_eq!(opened.into_bytes(), plain, "{name}");
        let read = open_reader(&mut &file[..], &options).unwrap();
        assert_eq!(read.bytes(), plain, "{name}");
        let lenient = open_bytes(file, &options.lenient(true)).unwrap();
        assert_eq!((lenient.bytes(), lenient.damage().len()), (&plain[..], 0), "{name}");
        let framing = lenient.detect().best().framing();
        assert_eq!(framing, Framing::detect(&plain).best().framing(), "{name}");
        assert_eq!(lenient.values(framing).count(), framing.values(&plain).count(), "{name}");
    }
}

/// A wrapping has the key of its file, and only if the file is encrypted.
#[test]
fn a_wrapping_has_the_forms_of_its_file() {
    let key = Key::from_password("hunter2");
    let options = OpenOptions::new().key(key.clone());
    let inner = GcpfOptions::new(Compression::Zstd).block_size(512).magic(GCPF_MAGICS[1]);
    let packed = compress(b"a save", &inner).unwrap();
    let (one, other) = (Encryption::Cfb([7; 16]), Encryption::Ecb);
    let twice = encrypt(&encrypt(&packed, &key, other), &key, one);
    let outer = GcpfOptions::new(Compression::FastLz);
    for (file, compression, encryption, layers) in [
        (b"a save".to_vec(), None, None, 0),
        (packed.clone(), Some(inner), None, 1),
        (encrypt(b"a save", &key, other), None, Some(other), 1),
        (encrypt(&packed, &key, one), Some(inner), Some(one), 2),
        (twice.clone(), Some(inner), Some(one), 3),
        (compress(&twice, &outer).unwrap(), Some(inner), Some(one), 4),
    ] {
        let opened = open_bytes(file, &options).unwrap();
        let wrapping = opened.wrapping();
        assert_eq!((opened.bytes(), wrapping.layers().len()), (&b"a save"[..], layers));
        assert_eq!(wrapping.is_empty(), layers == 0);
        assert_eq!(wrapping.compression(), compression);
        assert_eq!(wrapping.encryption(), encryption);
        assert_eq!(wrapping.key(), encryption.map(|_| &key));
    }
    // A fifth layer is refused.
    let five = compress(&compress(&twice, &outer).unwrap(), &outer).unwrap();
    let error = open_bytes(five, &options).unwrap_err();
    assert_eq!(error.to_string(), "more than 4 layers of compression and encryption");
}

/// The limit applies to each layer, and not to a file without layers.
#[test]
fn the_limit_is_that_of_unpacked_bytes() {
    assert_eq!(OpenOptions::new().limit(), 1 << 30);
    let key = Key::from_password("hunter2");
    let options = |len: u64| {
        let options = OpenOptions::default().key(Key::from_password("hunter2")).max_len(len);
        assert_eq!(options.limit(), len);
        options
    };
    let packed = compress(&[7; 100], &GcpfOptions::new(Compression::Gzip)).unwrap();
    for file in [packed.clone(), encrypt(&[7; 100], &key, Encryption::Ecb)] {
        assert!(open_bytes(file.clone(), &options(100)).is_ok());
        let error = open_bytes(file, &options(99)).unwrap_err();
        assert!(error.to_string().ends_with("exceed the limit of 99"), "{error}");
    }
    assert!(open_bytes(vec![7; 100], &options(0)).is_ok());
}

#[test]
fn a_key_is_needed() {
    let key = Key::from_password("hunter2");
    for form in [Encryption::Ecb, Encryption::Cfb([7; 16])] {
        let error = open_bytes(encrypt(b"", &key, form), &OpenOptions::new()).unwrap_err();
        let text = format!("encrypted with {form}; a key or a password is needed");
        assert_eq!(error.to_string(), text);
    }
}

/// Files of at least 64 KiB are mapped, if the options allow it.
#[test]
fn long_files_are_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    for (len, is_long) in [((1 << 16) - 1, false), (1 << 16, true)] {
        let bytes: Vec<u8> = (0..=255).cycle().take(len).collect();
        fs::write(&path, &bytes).unwrap();
        for may_map in [true, false] {
            let opened = open(&path, &OpenOptions::new().map(may_map)).unwrap();
            assert_eq!(opened.is_mapped(), cfg!(feature = "mmap") && is_long && may_map);
            assert_eq!(opened.bytes(), bytes);
            let how = if opened.is_mapped() { "Mapped" } else { "Read" };
            let shown = format!("{opened:?}");
            assert!(shown.contains(&format!("{how}({len} bytes)")), "{shown}");
            assert_eq!(opened.into_bytes(), bytes);
        }
    }
}

/// A pipe has no length, so it is read.
#[cfg(target_os = "linux")]
#[test]
fn pipes_are_not_mapped() {
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;

    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"a save").unwrap();
    drop(writer);
    let path = format!("/dev/fd/{}", reader.as_raw_fd());
    let opened = open(path, &OpenOptions::new().map(true)).unwrap();
    assert_eq!((opened.bytes(), opened.is_mapped()), (&b"a save"[..], false));
}
