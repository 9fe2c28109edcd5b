//! Runs the bodies of the fuzz targets `functions` and `table` over files of the corpus, and over damaged copies.

use std::fs;
use std::path::{Path, PathBuf};

use variant_sql::fuzz::{check_functions, check_table};

/// The files of the corpus that are saves, values or damaged, up to 8 KiB.
fn files() -> Vec<Vec<u8>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folders =
        ["godot3/saves", "godot4/saves", "godot3/containers", "godot4/containers", "damaged"];
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(corpus.join(folder)).unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    }
    paths.sort();
    let files: Vec<_> = paths
        .iter()
        .map(|path| fs::read(path).unwrap())
        .filter(|file| file.len() <= 8 << 10)
        .collect();
    assert!(files.len() > 20, "{} files", files.len());
    files
}

/// The file, cut, and with a changed byte, after bytes that pick the options.
fn inputs<const N: usize>(file: &[u8], number: u8) -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for round in 0..8_u8 {
        let choice = number.wrapping_mul(31).wrapping_add(round.wrapping_mul(37));
        let other = number.wrapping_mul(113).wrapping_add(round.wrapping_mul(59));
        let mut input = [choice, other, round][..N].to_vec();
        input.extend_from_slice(file);
        let at = N + usize::from(choice) * file.len() / 256;
        match round % 4 {
            1 => input.truncate(at),
            2 => flip(&mut input, at, 1 << (round % 8)),
            3 => flip(&mut input, at, choice),
            _ => {}
        }
        inputs.push(input);
    }
    inputs
}

fn flip(input: &mut [u8], at: usize, mask: u8) {
    if let Some(byte) = input.get_mut(at) {
        *byte ^= mask;
    }
}

#[test]
fn functions() {
    let mut valid = 0;
    for (file, number) in files().iter().zip((0..=u8::MAX).cycle()) {
        // Saves in frames begin with a length.
        for value in [file.as_slice(), file.get(4..).unwrap_or_default()] {
            for input in inputs::<3>(value, number) {
                check_functions(&input);
            }
            // In every dialect.
            for dialect in 0..6_u8 {
                let input = [&[dialect << 3, number, dialect], value].concat();
                valid += usize::from(check_functions(&input));
            }
        }
    }
    assert!(valid >= 10, "{valid} valid values");
}

#[test]
fn table() {
    let mut compared = 0;
    for (file, number) in files().iter().zip((0..=u8::MAX).cycle()) {
        for input in inputs::<2>(file, number) {
            compared += usize::from(check_table(&input));
        }
    }
    assert!(compared > 20, "{compared} files with rows");
}
