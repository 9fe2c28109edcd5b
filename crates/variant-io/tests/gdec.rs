//! Encrypted files: files of engines, files of this crate, and damaged files.

#![cfg(feature = "encryption")]

use std::fs;

use variant_io::{
    ByteOrder, Encryption, GdecErrorKind, GdecHeader, Key, KeyVerdict, Layer, OpenError,
    OpenOptions, decrypt, encrypt, frames, open_bytes,
};
use variant_testkit::corpus;
use variant_view::{Dialect, Document};

const ROOMY: u64 = 1 << 24;

fn assert_frames(plain: &[u8], dialect: Dialect, name: &str) -> usize {
    let all = frames(plain, ByteOrder::Little).map(|frame| {
        let frame = frame.unwrap();
        Document::new(frame.bytes(), dialect)
            .validate()
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    all.count()
}

/// The files of Godot 3, with their passwords from the manifest.
#[test]
fn files_that_godot_3_encrypted() {
    let manifest = fs::read_to_string(corpus::root().join("godot3/saves/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let mut count = 0;
    for entry in manifest.as_array().unwrap() {
        let (Some(name), Some(password)) = (entry["file"].as_str(), entry["password"].as_str())
        else {
            continue;
        };
        let file = fs::read(corpus::root().join("godot3/containers").join(name)).unwrap();
        let key = Key::from_password(password);
        let plain = decrypt(&file, &key, ROOMY).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Some(size) = entry["size"].as_u64() {
            assert_eq!(plain.len() as u64, size, "{name}");
        }
        if let Some(calls) = entry["calls"].as_array() {
            assert_eq!(assert_frames(&plain, Dialect::Godot3, name), calls.len(), "{name}");
        }
        assert_eq!(encrypt(&plain, &key, Encryption::Ecb), file, "{name} again");
        count += 1;
    }
    assert!(count >= 8, "{count}");
}

#[test]
fn files_that_godot_4_encrypted() {
    let raw: [u8; 32] = std::array::from_fn(|i| u8::try_from((7 * i + 1) % 256).unwrap());
    let counted: [u8; 16] = std::array::from_fn(|i| u8::try_from(i).unwrap());
    for (name, key) in [
        ("pass_hunter2_0.gdec", Key::from_password("hunter2")),
        ("pass_hunter2_3.gdec", Key::from_password("hunter2")),
        ("key_7i1.gdec", Key::from_bytes(raw)),
        ("key_7i1_iv.gdec", Key::from_bytes(raw)),
    ] {
        let file = fs::read(corpus::root().join("godot4/containers").join(name)).unwrap();
        let plain = decrypt(&file, &key, ROOMY).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(assert_frames(&plain, Dialect::Godot4, name) > 0, "{name}");
        let header = GdecHeader::parse(&file).unwrap();
        assert_eq!(encrypt(&plain, &key, header.encryption), file, "{name} again");
        if name.contains("iv") {
            assert_eq!(header.encryption, Encryption::Cfb(counted));
        }
    }
}

/// Both ciphers, with a fixed initialisation vector. With a random vector, a wrong key would look right in one of 256
/// runs: it decrypts the only byte of padding to zero, as the right key does.
fn forms() -> [Encryption; 2] {
    [Encryption::Ecb, Encryption::Cfb([7; 16])]
}

#[test]
fn each_file_has_its_own_initialisation_vector() {
    let [one, other] = [Encryption::cfb().unwrap(), Encryption::cfb().unwrap()];
    assert_ne!(one, other);
    let key = Key::from_password("a password");
    for encryption in [one, other] {
        assert_eq!(decrypt(&encrypt(b"a save", &key, encryption), &key, ROOMY).unwrap(), b"a save");
    }
}

#[test]
fn any_length() {
    let key = Key::from_password("a password");
    for encryption in forms() {
        for len in [0, 1, 15, 16, 17, 31, 32, 33, 4095, 4096, 4097, 8192] {
            let plain: Vec<u8> = (1..=255).cycle().take(len).collect();
            let file = encrypt(&plain, &key, encryption);
            assert_eq!(decrypt(&file, &key, ROOMY).unwrap(), plain, "{encryption}, {len}");
            assert_eq!(decrypt(&file, &key, len as u64).unwrap(), plain);
            if let Some(less) = len.checked_sub(1) {
                let error = decrypt(&file, &key, less as u64).unwrap_err();
                assert!(matches!(error.kind(), GdecErrorKind::TooLarge { .. }), "{error}");
                assert_eq!(error.offset(), if encryption == Encryption::Ecb { 24 } else { 20 });
            }
            // Bytes after the last block are ignored.
            assert_eq!(decrypt(&[&file[..], b"more"].concat(), &key, ROOMY).unwrap(), plain);
        }
    }
}

#[test]
fn a_wrong_key_and_damage_are_distinguished() {
    let (key, other) = (Key::from_password("right"), Key::from_password("wrong"));
    for encryption in forms() {
        for len in [1, 13, 14, 15, 16, 100] {
            let plain = vec![b'x'; len];
            let mut file = encrypt(&plain, &key, encryption);
            let filling = len.next_multiple_of(16) - len;
            let verdict = |file: &[u8], key| match decrypt(file, key, ROOMY).unwrap_err().kind() {
                GdecErrorKind::Mismatch { key } => *key,
                other => panic!("{other:?}"),
            };
            let expected = if filling > 0 { KeyVerdict::Wrong } else { KeyVerdict::Unknown };
            assert_eq!(verdict(&file, &other), expected, "{encryption}, {len}");
            if filling >= 3 && len > 32 {
                let first = file.len() - len.next_multiple_of(16);
                file[first] ^= 1;
                assert_eq!(verdict(&file, &key), KeyVerdict::Right, "{encryption}, {len}");
            }
        }
    }
}

#[test]
fn cut_anywhere() {
    let key = Key::from_password("");
    for encryption in forms() {
        let file = encrypt(&[7; 100], &key, encryption);
        for len in 0..file.len() {
            let error = decrypt(&file[..len], &key, ROOMY).unwrap_err();
            let is_right = match error.kind() {
                GdecErrorKind::NotEncrypted => len < 4,
                GdecErrorKind::NoHeader { found, .. } => len < 44 && *found == len,
                GdecErrorKind::Cut { needed: 112, found } => error.offset() + found == len,
                _ => false,
            };
            assert!(is_right, "{encryption} cut to {len}: {error}");
        }
    }
}

#[test]
fn damaged_anywhere() {
    let key = Key::from_password("");
    for encryption in forms() {
        let plain = [7; 40];
        let mut file = encrypt(&plain, &key, encryption);
        for bit in 0..file.len() * 8 {
            file[bit / 8] ^= 1 << (bit % 8);
            // A flipped bit of the padding is not an error: if the MD5 is right, the padding is not checked.
            if let Ok(read) = decrypt(&file, &key, ROOMY) {
                assert_eq!(read, plain);
                assert!(bit / 8 >= file.len() - 8 || bit / 8 < 8, "{encryption}: bit {bit}");
            }
            file[bit / 8] ^= 1 << (bit % 8);
        }
        let mut file = file.clone();
        let len = if encryption == Encryption::Ecb { 24 } else { 20 };
        file[len..len + 8].fill(0xff);
        let error = decrypt(&file, &key, u64::MAX).unwrap_err();
        assert!(matches!(error.kind(), GdecErrorKind::Cut { .. }), "{error}");
    }
}

/// The encrypted files of engines.
fn engine_made() -> Vec<(Encryption, Vec<u8>)> {
    let mut all = Vec::new();
    for folder in ["godot3/containers", "godot4/containers"] {
        for entry in fs::read_dir(corpus::root().join(folder)).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            if bytes.starts_with(b"GDEC") {
                let header = GdecHeader::parse(&bytes).unwrap();
                all.push((header.encryption, bytes));
            }
        }
    }
    let is_cfb = |one: &&(Encryption, Vec<u8>)| matches!(one.0, Encryption::Cfb(_));
    assert_eq!((all.len(), all.iter().filter(is_cfb).count()), (12, 4));
    all
}

#[test]
fn the_header_says_where_the_blocks_are() {
    for (encryption, file) in engine_made() {
        let header = GdecHeader::parse(&file).unwrap();
        let (name, start) = match encryption {
            Encryption::Ecb => ("aes256-ecb", 32),
            Encryption::Cfb(_) => ("aes256-cfb", 44),
        };
        assert_eq!((encryption.name(), header.start()), (name, start));
        assert_eq!(format!("{encryption:>12}"), format!("{name:>12}"));
        let encrypted = file.len() as u64 - start;
        assert_eq!(encrypted, header.len.next_multiple_of(16));
        let layer = Layer::Encrypted(header);
        assert_eq!((layer.start(), layer.is_resource()), (start, false));
        let len = header.len;
        let text = format!("encrypted with {name} from byte {start}, {len} plain bytes");
        assert_eq!(layer.to_string(), text);
    }
}

/// An MD5 may begin with the bytes of the mode. The length of the file decides then.
#[test]
fn a_header_is_that_of_its_file() {
    let key = Key::from_password("");
    for mode in [[0_u8; 4], [1, 0, 0, 0]] {
        for len in [0, 1, 16, 100] {
            let mut file = encrypt(&vec![7; len], &key, Encryption::Cfb([9; 16]));
            file[4..8].copy_from_slice(&mode);
            let header = GdecHeader::parse(&file).unwrap();
            assert_eq!((header.encryption, header.len), (Encryption::Cfb([9; 16]), len as u64));
            // With bytes after the file, the mode decides.
            file.push(0);
            assert_eq!(GdecHeader::parse(&file).unwrap().encryption, Encryption::Ecb);
            let mut file = encrypt(&vec![7; len], &key, Encryption::Ecb);
            file[4..8].copy_from_slice(&mode);
            file.push(0);
            let header = GdecHeader::parse(&file).unwrap();
            assert_eq!((header.encryption, header.len), (Encryption::Ecb, len as u64));
        }
    }
    // Engines know no mode beyond 1.
    let mut file = encrypt(&[7; 100], &key, Encryption::Ecb);
    file[4] = 2;
    assert!(matches!(GdecHeader::parse(&file).unwrap().encryption, Encryption::Cfb(_)));
}

#[test]
fn an_incomplete_header_is_reported() {
    let key = Key::from_password("");
    for (encryption, needed) in [(Encryption::Ecb, 32), (Encryption::Cfb([9; 16]), 44)] {
        let file = encrypt(b"a save", &key, encryption);
        for len in 8..needed {
            let error = GdecHeader::parse(&file[..len]).unwrap_err();
            assert_eq!(error.kind(), &GdecErrorKind::NoHeader { needed, found: len });
            assert_eq!(error.offset(), len);
            assert_eq!(
                error.to_string(),
                format!("the header of an encrypted file needs {needed} bytes, the file has {len}")
            );
        }
        assert!(GdecHeader::parse(&file[..needed]).is_ok());
    }
    let error = GdecHeader::parse(b"GCPF, which is compressed").unwrap_err();
    assert_eq!(error.to_string(), "not an encrypted file: it does not start with GDEC");
}

#[test]
fn errors_say_what_is_wrong() {
    let (key, other) = (Key::from_password("right"), Key::from_password("wrong"));
    let file = encrypt(&[7; 100], &key, Encryption::Ecb);
    let full = encrypt(&[7; 96], &key, Encryption::Ecb);
    let mut damaged = file.clone();
    damaged[40] ^= 1;
    let text = |file: &[u8], key| decrypt(file, key, 100).unwrap_err().to_string();
    assert_eq!(
        text(&file[..140], &key),
        "byte 32: 112 encrypted bytes expected, 108 found: the file was cut short"
    );
    assert_eq!(text(&damaged, &key), "byte 32: the key is right, the encrypted data is damaged");
    assert_eq!(text(&file, &other), "byte 32: the key is wrong, or the end of the file is damaged");
    assert_eq!(text(&full, &other), "byte 32: the key is wrong, or the file is damaged");
    let error = decrypt(&file, &key, 99).unwrap_err();
    assert_eq!(error.to_string(), "byte 24: 100 plain bytes exceed the limit of 99");
}

/// Three bytes of padding are evidence of a right key, two are not.
#[test]
fn the_padding_decides_about_the_key() {
    let key = Key::from_password("right");
    for encryption in forms() {
        for filling in 0..16 {
            let mut file = encrypt(&vec![7; 64 - filling], &key, encryption);
            let first = file.len() - 64;
            file[first] ^= 1;
            let expected = if filling < 3 { KeyVerdict::Unknown } else { KeyVerdict::Right };
            let error = decrypt(&file, &key, ROOMY).unwrap_err();
            assert_eq!(error.kind(), &GdecErrorKind::Mismatch { key: expected }, "{filling}");
        }
    }
}

/// The start, the length and the reason of a damage.
type Lost = (u64, u64, String);

/// The plain bytes that are left, and the damages.
fn leniently(file: &[u8], key: &Key) -> Result<(Vec<u8>, Vec<Lost>), OpenError> {
    let options = OpenOptions::new().key(key.clone()).lenient(true);
    let opened = open_bytes(file.to_vec(), &options)?;
    let damage = opened.damage().iter().map(|one| (one.start, one.len, one.reason.clone()));
    Ok((opened.bytes().to_vec(), damage.collect()))
}

#[test]
fn a_file_that_is_cut_keeps_its_first_blocks() {
    let key = Key::from_password("right");
    for encryption in forms() {
        for len in [0_usize, 1, 15, 16, 17, 100] {
            let plain: Vec<u8> = (0..).take(len).collect();
            let file = encrypt(&plain, &key, encryption);
            let start = file.len() - len.next_multiple_of(16);
            assert_eq!(leniently(&file, &key).unwrap(), (plain.clone(), Vec::new()));
            for cut in start..file.len() {
                let (found, damage) = leniently(&file[..cut], &key).unwrap();
                let left = (cut - start) / 16 * 16;
                assert_eq!(found, plain[..left], "{encryption} {len} {cut}");
                let [(first, missing, reason)] = &damage[..] else { panic!("{damage:?}") };
                assert_eq!((*first, *missing), (left as u64, (len - left) as u64));
                assert!(reason.ends_with("the file was cut short"), "{reason}");
            }
        }
    }
}

/// A damaged file is opened, unless the key is wrong.
#[test]
fn a_damaged_file_keeps_its_bytes() {
    let (key, other) = (Key::from_password("right"), Key::from_password("wrong"));
    for encryption in forms() {
        for (len, verdict) in [(100, "the key is right, "), (96, "the key is wrong, or ")] {
            let plain = vec![7; len];
            let mut file = encrypt(&plain, &key, encryption);
            let first = file.len() - len.next_multiple_of(16);
            file[first] ^= 1;
            let (found, damage) = leniently(&file, &key).unwrap();
            assert_eq!(found[32..], plain[32..], "{encryption}");
            assert_ne!(found[..32], plain[..32]);
            let [(start, missing, reason)] = &damage[..] else { panic!("{damage:?}") };
            assert_eq!((*start, *missing), (len as u64, 0));
            assert!(reason.contains(verdict), "{reason}");
        }
        let file = encrypt(&[7; 100], &key, encryption);
        let error = leniently(&file, &other).unwrap_err();
        let OpenError::Encrypted(error) = error else { panic!("{error}") };
        assert_eq!(error.kind(), &GdecErrorKind::Mismatch { key: KeyVerdict::Wrong });
        // Neither is a header left out.
        assert!(leniently(&file[..20], &key).is_err());
        let options = OpenOptions::new().key(key.clone()).lenient(true).max_len(99);
        let error = open_bytes(file, &options).unwrap_err();
        assert!(error.to_string().contains("exceed the limit of 99"), "{error}");
    }
}

#[test]
fn a_key_is_given_as_a_password_or_in_bytes() {
    let raw = *b"0123456789abcdef0123456789abcdef";
    assert_eq!(Key::given(None, None), Ok(None));
    assert_eq!(Key::given(Some(""), None), Ok(Some(Key::from_password(""))));
    assert_eq!(Key::given(None, Some(&raw)), Ok(Some(Key::from_bytes(raw))));
    assert_ne!(Key::from_password("a"), Key::from_password("b"));
    for len in [0, 31, 33] {
        let key = [&raw[..], b"x"].concat();
        assert_eq!(Key::given(None, Some(&key[..len])), Err("a key has 32 bytes"));
    }
    assert_eq!(Key::given(Some("a"), Some(&raw)), Err("a password or a key, and not both"));
}
