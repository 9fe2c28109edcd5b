//! `salvage` on every file of `corpus/damaged/salvage`, which this test makes from files of engines.
//!
//! Beside each file stands what must come back: the report, and the tree of the recovered file. With `WRITE_DAMAGED=1` in the
//! environment the test writes both; what changed is then to be read before it is kept.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test may stop"
)]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{corpus, inspect, text};

/// A damaged file: its name, the file it is made from, the damage, and the options to read it with.
struct Damaged {
    name: &'static str,
    from: &'static str,
    damage: fn(&mut Vec<u8>),
    options: &'static [&'static str],
}

const SAMPLE: &str = "godot4/saves/sample3.variant";
const FRAMES: &str = "godot3/saves/store_var_seq.bin";
const BARE: &[&str] = &["--dialect", "godot4", "--framing", "bare"];
const FRAMED: &[&str] = &["--dialect", "godot3", "--framing", "frames"];
const GODOT4: &[&str] = &["--dialect", "godot4", "--framing", "frames"];

const ALL: &[Damaged] = &[
    Damaged {
        name: "text_cut.variant",
        from: SAMPLE,
        damage: |file| file.truncate(362),
        options: BARE,
    },
    Damaged {
        name: "packed_cut.variant",
        from: SAMPLE,
        damage: |file| file.truncate(396),
        options: BARE,
    },
    Damaged {
        name: "type_flipped.variant",
        from: SAMPLE,
        // The header of entities[1].
        damage: |file| put(file, 288, &[0x7b, 0, 0, 0]),
        options: BARE,
    },
    Damaged {
        name: "count_too_large.variant",
        from: SAMPLE,
        damage: |file| put(file, 4, &[99, 0, 0, 0]),
        options: BARE,
    },
    Damaged {
        name: "count_too_small.variant",
        from: SAMPLE,
        damage: |file| put(file, 4, &[1, 0, 0, 0]),
        options: BARE,
    },
    Damaged {
        name: "overwritten.variant",
        from: SAMPLE,
        damage: |file| put(file, 360, &noise(64)),
        options: BARE,
    },
    Damaged {
        name: "text_huge.variant",
        from: SAMPLE,
        damage: |file| put(file, 356, &[0xff, 0xff, 0xff, 0x7f]),
        options: BARE,
    },
    Damaged {
        name: "frame_length.bin",
        from: FRAMES,
        damage: |file| put(file, 104, &[0xe8, 3, 0, 0]),
        options: FRAMED,
    },
    Damaged {
        name: "frame_zeroed.bin",
        from: FRAMES,
        damage: |file| put(file, 104, &[0; 28]),
        options: FRAMED,
    },
    Damaged {
        name: "garbage_before.bin",
        from: FRAMES,
        damage: |file| drop(file.splice(0..0, noise(40))),
        options: &[],
    },
    Damaged {
        name: "block_broken.gcpf",
        from: "godot4/containers/save200.zstd.gcpf",
        // The second of 9 blocks.
        damage: |file| {
            let first = u32::from_le_bytes(file[16..20].try_into().unwrap());
            put(file, 52 + usize::try_from(first).unwrap(), &noise(64));
        },
        options: GODOT4,
    },
    Damaged {
        name: "cut.gcpf",
        from: "godot4/containers/save200.deflate.gcpf",
        damage: |file| file.truncate(3_000),
        options: GODOT4,
    },
    Damaged {
        name: "cut.gdec",
        from: "godot4/containers/pass_hunter2_3.gdec",
        damage: |file| file.truncate(500),
        options: GODOT4,
    },
    Damaged {
        name: "nested_cut.variant",
        from: "pandemonium4/saves/nested_18k.variant",
        // Within `deep`, the last value of the file.
        damage: |file| {
            file.drain(..316_300);
            file.truncate(410);
        },
        options: &["--dialect", "pandemonium4", "--framing", "bare"],
    },
];

fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    file[at..at + bytes.len()].copy_from_slice(bytes);
}

/// The same bytes each time.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

fn made(damaged: &Damaged) -> Vec<u8> {
    let mut file = fs::read(corpus(damaged.from)).unwrap();
    (damaged.damage)(&mut file);
    file
}

fn path(name: &str) -> PathBuf {
    corpus("damaged/salvage").join(name)
}

/// The report, and the tree of the recovered file.
fn salvaged(damaged: &Damaged) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (file, new) = (path(damaged.name), folder.path().join("new"));
    let key = folder.path().join("key");
    fs::write(&key, "hunter2").unwrap();
    let key = ["--password-file", key.to_str().unwrap()];
    let arguments = [&["salvage"], damaged.options, &key].concat();
    let report = inspect(&arguments, &[&file]);
    assert_eq!(report.status.code(), Some(1), "{}: {report:?}", damaged.name);
    let written = inspect(&[&arguments[..], &["-o"]].concat(), &[&new, &file]);
    assert_eq!(written.stdout, report.stdout, "{}", damaged.name);
    let sound = inspect(&[&["validate"], damaged.options, &key].concat(), &[&new]);
    assert_eq!(sound.status.code(), Some(0), "{}: {sound:?}", damaged.name);
    let tree = inspect(&[&["tree"], damaged.options, &key].concat(), &[&new]);
    let report = text(&report.stdout).replace(file.to_str().unwrap(), damaged.name);
    format!("{report}\n{}", text(&tree.stdout))
}

#[test]
fn all_that_is_left_comes_back() {
    let is_written = std::env::var_os("WRITE_DAMAGED").is_some();
    for damaged in ALL {
        let (file, expected) = (path(damaged.name), path(&format!("{}.txt", damaged.name)));
        if is_written {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, made(damaged)).unwrap();
            fs::write(&expected, salvaged(damaged)).unwrap();
        }
        assert_eq!(fs::read(&file).unwrap(), made(damaged), "{}", damaged.name);
        assert_eq!(salvaged(damaged), fs::read_to_string(&expected).unwrap(), "{}", damaged.name);
    }
}

/// What is sound is written as it is.
#[test]
fn a_sound_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new");
    for (name, options) in
        [(SAMPLE, BARE), (FRAMES, FRAMED), ("godot4/containers/save200.zstd.gcpf", GODOT4)]
    {
        let arguments = [&["salvage"], options, &["-o"]].concat();
        let output = inspect(&arguments, &[&new, &corpus(name)]);
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
        let plain = |path: PathBuf| inspect(&["unwrap"], &[&path]).stdout;
        assert_eq!(plain(new.clone()), plain(corpus(name)), "{name}");
    }
}
