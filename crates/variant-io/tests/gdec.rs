//! Encrypted files: files of engines, files of this crate, and damaged files.

#![cfg(feature = "encryption")]

use std::fs;

use variant_io::{ByteOrder, Encryption, GdecErrorKind, Key, KeyVerdict, decrypt, encrypt, frames};
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
        let header = variant_io::GdecHeader::parse(&file).unwrap();
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
