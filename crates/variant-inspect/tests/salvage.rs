//! `salvage` on every file of `corpus/damaged/salvage`, which this test makes from files of engines.
//!
//! The expected results are next to each file: the report, and the tree of the recovered file. With `WRITE_DAMAGED=1`
//! in the environment, the test writes the files and the results. Read the changes before you keep them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Folder, corpus, refused, run};
use variant_document::salvage::salvage;
use variant_document::{Plain, layer_notes};
use variant_io::{ByteOrder, Framing, OpenOptions, open_bytes};
use variant_testkit::corpus::from_hex;
use variant_testkit::made::nested;
use variant_testkit::mutate::mutate;
use variant_testkit::random::Random;
use variant_view::{Dialect, Document, Limits, Objects, Options};

/// A damaged file: its name, the undamaged file, the options to read it, and the damage.
type Damaged = (&'static str, &'static str, &'static [&'static str], fn(&mut Vec<u8>));

const SAMPLE: &str = "godot4/saves/sample3.variant";
const FRAMES: &str = "godot3/saves/store_var_seq.bin";
const BARE: &[&str] = &["--dialect", "godot4", "--framing", "bare"];
const FRAMED: &[&str] = &["--dialect", "godot3", "--framing", "frames"];
const GODOT4: &[&str] = &["--dialect", "godot4", "--framing", "frames"];
const PANDEMONIUM4: &[&str] = &["--dialect", "pandemonium4", "--framing", "bare"];

const ALL: &[Damaged] = &[
    ("text_cut.variant", SAMPLE, BARE, |file| file.truncate(362)),
    ("packed_cut.variant", SAMPLE, BARE, |file| file.truncate(396)),
    // The header of entities[1].
    ("type_flipped.variant", SAMPLE, BARE, |file| put(file, 288, &[0x7b, 0, 0, 0])),
    ("count_too_large.variant", SAMPLE, BARE, |file| put(file, 4, &[99, 0, 0, 0])),
    ("count_too_small.variant", SAMPLE, BARE, |file| put(file, 4, &[1, 0, 0, 0])),
    ("overwritten.variant", SAMPLE, BARE, |file| put(file, 360, &noise(64))),
    ("text_huge.variant", SAMPLE, BARE, |file| put(file, 356, &[0xff, 0xff, 0xff, 0x7f])),
    ("frame_length.bin", FRAMES, FRAMED, |file| put(file, 104, &[0xe8, 3, 0, 0])),
    ("frame_zeroed.bin", FRAMES, FRAMED, |file| put(file, 104, &[0; 28])),
    ("garbage_before.bin", FRAMES, &[], |file| drop(file.splice(0..0, noise(40)))),
    // The second of 9 blocks.
    ("block_broken.gcpf", "godot4/containers/save200.zstd.gcpf", GODOT4, |file| {
        let first = u32::from_le_bytes(file[16..20].try_into().unwrap());
        put(file, 52 + usize::try_from(first).unwrap(), &noise(64));
    }),
    ("cut.gcpf", "godot4/containers/save200.deflate.gcpf", GODOT4, |file| file.truncate(3_000)),
    ("cut.gdec", "godot4/containers/pass_hunter2_3.gdec", GODOT4, |file| file.truncate(500)),
    // Keeps 410 bytes of `deep`, the last value of the file.
    ("nested_cut.variant", "pandemonium4/saves/nested_18k.variant", PANDEMONIUM4, |file| {
        file.drain(..316_300);
        file.truncate(410);
    }),
];

fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    file[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Bytes without a pattern, equal in each run.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

fn made((_, from, _, damage): &Damaged) -> Vec<u8> {
    let mut file = fs::read(corpus(from)).unwrap();
    damage(&mut file);
    file
}

fn path(name: &str) -> PathBuf {
    corpus("damaged/salvage").join(name)
}

/// The report, and the tree of the recovered file.
fn salvaged((name, _, options, _): &Damaged) -> String {
    let folder = Folder::new();
    let (file, new) = (path(name), folder.path("new"));
    let key = folder.file("key", b"hunter2");
    let options = [options, &["--password-file", key.to_str().unwrap()][..]].concat();
    let run = |verb, status, files: &[&Path]| {
        run(&[&[verb], &options[..]].concat(), files).expect(status).out
    };
    let report = run("salvage", 1, &[&file]);
    let written = run("salvage", 1, &[Path::new("-o"), &new, &file]);
    assert_eq!(written, report, "{name}");
    run("check", 0, &[&new]);
    format!("{}\n{}", report.replace(file.to_str().unwrap(), name), run("tree", 0, &[&new]))
}

#[test]
fn all_that_is_left_comes_back() {
    let is_written = std::env::var_os("WRITE_DAMAGED").is_some();
    for damaged in ALL {
        let name = damaged.0;
        let (file, expected) = (path(name), path(&format!("{name}.txt")));
        if is_written {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, made(damaged)).unwrap();
            fs::write(&expected, salvaged(damaged)).unwrap();
        }
        assert_eq!(fs::read(&file).unwrap(), made(damaged), "{name}");
        assert_eq!(salvaged(damaged), fs::read_to_string(&expected).unwrap(), "{name}");
    }
}

/// The bytes that salvage recovers, and the number of holes.
fn left(bytes: &[u8], framing: Framing, options: Options) -> (Vec<u8>, u64) {
    let file = Plain::new(bytes, framing, options);
    let salvaged = salvage(file, &[], framing.writer()).unwrap();
    (salvaged.values.finish(), salvaged.holes.count)
}

/// Damaged values of every dialect, bare and as frames.
#[test]
fn what_is_salvaged_is_valid_and_salvaging_it_again_changes_nothing() {
    let mut random = Random::new(0x5a1f_a9e5);
    for round in 0..3_000 {
        let dialect = random.pick(Dialect::ALL);
        let options = Options::engine(dialect).objects(Objects::Accept).limits(Limits::FILE);
        let framing = random.pick(&[Framing::Bare, Framing::Frames(ByteOrder::Little)]);
        let mut bytes = Vec::new();
        let frames = if framing == Framing::Bare { 1 } else { 1 + random.below(3) };
        for _ in 0..frames {
            let value = nested(&mut random, dialect, 4);
            if framing != Framing::Bare {
                bytes.extend(u32::try_from(value.len()).unwrap().to_le_bytes());
            }
            bytes.extend(value);
        }
        for _ in 0..random.below(4) {
            mutate(&mut random, &mut bytes);
        }
        let (once, _) = left(&bytes, framing, options);
        for value in framing.values(&once).filter(|_| !once.is_empty()) {
            let value = value.unwrap().bytes;
            let read = Document::new(value, options).validate();
            let read = read.map(|summary| summary.consumed);
            assert_eq!(
                read.ok(),
                Some(value.len()),
                "{round} {dialect}: {bytes:02x?}: {once:02x?}"
            );
        }
        assert_eq!(left(&once, framing, options).0, once, "{round} {dialect}: {bytes:02x?}");
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    from_hex(&hex.split_whitespace().collect::<String>()).unwrap()
}

#[test]
fn names_and_keys_that_are_no_text_are_not_written() {
    let options = Options::engine(Dialect::Godot4).objects(Objects::Accept);
    for damaged in [
        // A damaged key in a dictionary of one pair.
        "1b000000 01000000 04000000 03000000 fffefd00 02000000 05000000",
        // The names of a class and of a property.
        "18000000 08000000 1a65a36f7572636500000000",
        "18000000 04000000 4e6f6465 01000000 04000000 ff6f6465 02000000 05000000",
        // A packed array instead of a key. The array is cut.
        "1b000000 02000000 02000000 01000000 02000000 07000000 1d000000 40000000 01020304",
    ] {
        let (once, holes) = left(&bytes(damaged), Framing::Bare, options);
        assert!(holes > 0, "{damaged}");
        if !once.is_empty() {
            Document::new(&once, options).validate().unwrap();
        }
    }
    let pair = bytes("1b000000 01000000 02000000 01000000 02000000 07000000");
    let cut =
        bytes("1b000000 02000000 02000000 01000000 02000000 07000000 1d000000 40000000 01020304");
    assert_eq!(left(&cut, Framing::Bare, options).0, pair);
}

/// The report of `salvage` on a file, and the file that it writes.
fn written(file: &[u8], more: &[&str]) -> (Option<i32>, String, Option<Vec<u8>>) {
    let folder = Folder::new();
    let (old, new) = (folder.file("old", file), folder.path("new"));
    let run = run(&[&["salvage"], more, &["-o"]].concat(), &[&new, &old]);
    (run.code, run.said(), fs::read(&new).ok())
}

const HP: &str = "1b000000 01000000 04000000 02000000 68700000 02000000 4d000000";

/// The file is `store_var({"hp": 77, "gold": 5})`. A crash set all bytes after some position to zero.
#[test]
fn a_length_prefix_that_fits_the_file_is_kept() {
    let save = "1b000000 02000000 04000000 02000000 68700000 02000000 4d000000 04000000 04000000 676f6c64 02000000 05000000";
    for order in ["30000000", "00000030"] {
        let whole = [bytes(order), bytes(save)].concat();
        for from in 8..whole.len() {
            let mut damaged = whole.clone();
            damaged[from..].fill(0);
            let (_, said, new) = written(&damaged, &[]);
            let Some(new) = new else { continue };
            let word: [u8; 4] = new[..4].try_into().unwrap();
            let len = if order == "30000000" {
                u32::from_le_bytes(word)
            } else {
                u32::from_be_bytes(word)
            };
            assert_eq!(usize::try_from(len).unwrap(), new.len() - 4, "{from}: {said}{new:02x?}");
            if from == 32 {
                assert_eq!(new[4..], bytes(HP), "{said}");
            }
        }
    }
}

#[test]
fn holes_are_noted_if_the_bytes_go_to_standard_output() {
    let folder = Folder::new();
    let file = folder.file("empty", b"");
    let run = run(&[&["salvage"], BARE, &["-o", "-"]].concat(), &[&file]);
    assert_eq!(run.code, Some(1));
    assert!(run.said().contains("1 hole, 0 bytes lost"), "{}", run.said());
}

#[test]
fn zeros_are_no_frame() {
    let frame = [bytes("1c000000"), bytes(HP)].concat();
    for zeros in [4, 8, 12, 40, 400] {
        let (status, said, new) =
            written(&[&frame[..], &vec![0; zeros]].concat(), &["--tail", "drop"]);
        assert_eq!((status, new.as_deref()), (Some(0), Some(&frame[..])), "{zeros}: {said}");
        let (status, said, new) = written(&vec![0; zeros + 8], &[]);
        assert_eq!((status, new), (Some(1), None), "{zeros}: {said}");
        assert!(said.contains("zeros only"), "{zeros}: {said}");
    }
}

/// A save that a text editor has saved. The report names the cause, and the recoverable part is written.
#[test]
fn a_save_that_a_text_editor_saved_again_is_mended() {
    let save = "60000000 1b000000 04000000 04000000 04000000 676f6c64 02000000 88000000 04000000 02000000 68700000 \
        03000100 9a9999999999b93f 04000000 03000000 74656e00 02000000 0a000000 04000000 04000000 6e616d65 04000000 \
        04000000 c3857361";
    let save = bytes(save);
    let latin1: String = save.iter().map(|byte| char::from(*byte)).collect();
    let (status, said, new) = written(latin1.as_bytes(), &[]);
    assert_eq!((status, new.as_deref()), (Some(0), Some(&save[..])), "{said}");
    assert!(said.contains("as UTF-8"), "{said}");
    let said = refused(1, &["tree"], &[&Folder::new().file("old", latin1.as_bytes())]);
    assert!(said.contains("as UTF-8") && said.contains("salvage"), "{said}");
    let replaced = String::from_utf8_lossy(&save).into_owned();
    let (status, said, new) = written(replaced.as_bytes(), &[]);
    assert_eq!((status, new.map(|new| new.len())), (Some(1), Some(save.len())), "{said}");
    assert!(said.contains("U+FFFD") && said.contains("bytes lost"), "{said}");
}

#[test]
fn faults_of_layers_are_reported() {
    let whole = fs::read(corpus("godot4/containers/save200.zstd.gcpf")).unwrap();
    let notes = |file: &[u8]| {
        let options = OpenOptions::new().lenient(true);
        layer_notes(&open_bytes(file.to_vec(), &options).unwrap())
    };
    assert_eq!(notes(&whole), Vec::<String>::new());
    let after = "5 bytes after the end of a layer, which engines ignore";
    assert_eq!(notes(&[&whole[..], b"three"].concat()), [after]);
    let cut = notes(&whole[..whole.len() / 2]);
    let is_note = |line: &String| line.starts_with("layer: ") && line.contains(" bytes from ");
    assert!(!cut.is_empty() && cut.iter().all(is_note), "{cut:?}");
}
