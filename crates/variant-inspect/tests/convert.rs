//! `convert` and `reencode`.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;

use crate::common::{corpus, inspect, text};

#[test]
fn a_save_goes_from_godot_3_to_godot_4_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let (there, back) = (folder.path().join("there.bin"), folder.path().join("back.bin"));
    let save = corpus("godot3/saves/rpg_save.bin");
    let output = inspect(&["convert", "--to", "godot4", "-o"], &[&there, &save]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stderr).contains("converted to godot4, 0 changes"));
    let output = inspect(&["validate", "--profile", "canonical", "--dialect", "godot4"], &[&there]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = inspect(&["convert", "--to", "godot3", "-o"], &[&back, &there]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::read(&back).unwrap(), fs::read(&save).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn losses_are_told_and_refused_when_strict() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.bin");
    let save = corpus("godot4/saves/sample3.variant");
    let output = inspect(&["convert", "--to", "godot3", "-o"], &[&old, &save]);
    assert_eq!(output.status.code(), Some(0));
    let told = text(&output.stderr);
    assert!(told.contains("entities[*].tag x3: StringName became String"), "{told}");
    assert!(told.contains("typed: Array, the declared element type was lost"), "{told}");
    let output = inspect(&["validate", "--profile", "canonical", "--dialect", "godot3"], &[&old]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");

    fs::write(&old, "precious").unwrap();
    let output = inspect(&["convert", "--strict", "--to", "godot3", "-o"], &[&old, &save]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no exact twin in godot3"));
    assert_eq!(fs::read(&old).unwrap(), b"precious");
}

/// Many changes below a long key are reported once.
#[test]
fn what_is_told_does_not_grow_with_what_changed() {
    let word = |word: usize| u32::try_from(word).unwrap().to_le_bytes();
    let (key, names) = (80_000, 8_000);
    let mut bytes = [27, 1, 4, key].map(word).concat();
    bytes.extend(vec![b'k'; key]);
    bytes.extend([28, names].map(word).concat());
    for _ in 0..names {
        bytes.extend([word(21), word(1), *b"n\0\0\0"].concat());
    }
    let folder = tempfile::tempdir().unwrap();
    let (save, out) = (folder.path().join("save.bin"), folder.path().join("out.bin"));
    fs::write(&save, bytes).unwrap();
    let output =
        inspect(&["convert", "--dialect", "godot4", "--to", "godot3", "-o"], &[&out, &save]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = text(&output.stderr);
    assert!(told.contains("{*}[*] x8000: StringName became String"), "{told}");
    assert!(told.contains("8000 changes") || told.contains("8,000 changes"), "{told}");
    assert!(told.len() < 1_000, "{}", told.len());
}

/// `Vector2(0.1, 0.2)` in double precision without a flag, as the documentation describes.
#[test]
fn reals_stay_as_wide_as_they_were() {
    let vector = |header: u32| {
        [&header.to_le_bytes()[..], &0.1_f64.to_le_bytes(), &0.2_f64.to_le_bytes()].concat()
    };
    let narrow =
        [&5_u32.to_le_bytes()[..], &0.1_f32.to_le_bytes(), &0.2_f32.to_le_bytes()].concat();
    let wide = vector(5);
    let folder = tempfile::tempdir().unwrap();
    let [save, out] = ["a.bin", "b.bin"].map(|name| folder.path().join(name));
    fs::write(&save, &wide).unwrap();
    let convert = |from: &str, to: &str, more: &[&str]| {
        let arguments = ["convert", "--reals", "always64", "--framing", "bare", "--dialect", from];
        let output =
            inspect(&[&arguments[..], &["--to", to], more, &["-o"]].concat(), &[&out, &save]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (fs::read(&out).unwrap(), text(&output.stderr))
    };
    for (from, to) in
        [("godot3", "godot3"), ("godot4", "godot4"), ("godot3", "documented-godot-3.0")]
    {
        let (written, told) = convert(from, to, &["--strict"]);
        assert_eq!(written, wide, "{from} {to}");
        assert!(told.contains("kept: reals always64") && told.contains("0 changes"), "{told}");
    }
    let (written, told) = convert("godot4", "godot3", &[]);
    assert_eq!(written, narrow);
    assert!(told.contains("changed: reals always64 to by-flag"), "{told}");
    assert!(told.contains("digits were lost") && told.contains("1 change"), "{told}");
    let (written, told) = convert("godot3", "godot4", &[]);
    assert_eq!(written, vector(0x0001_0005));
    assert!(told.contains("0 changes"), "{told}");
    let (written, _) = convert("godot4", "godot3", &["--strict", "--to-reals", "always64"]);
    assert_eq!(written, wide);
    let (written, told) = convert("godot3", "godot3", &["--to-reals", "by-flag"]);
    assert_eq!(written, narrow);
    assert!(told.contains("changed: reals always64 to by-flag"), "{told}");
}

/// The path of a fault, a thousand levels deep.
#[test]
fn the_path_in_an_error_loses_its_middle() {
    let levels = 900;
    let folder = tempfile::tempdir().unwrap();
    let [literal, save, out] = ["a.txt", "a.bin", "b.bin"].map(|name| folder.path().join(name));
    fs::write(&literal, "[".repeat(levels) + "&\"name\"" + &"]".repeat(levels)).unwrap();
    let output = inspect(&["from-text", "--dialect", "godot4", "-o"], &[&save, &literal]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let strict = ["convert", "--strict", "--dialect", "godot4", "--to", "godot3", "-o"];
    let from_text = ["from-text", "--dialect", "godot3", "-o"];
    for (arguments, file) in [(&strict[..], &save), (&from_text, &literal)] {
        let output = inspect(arguments, &[&out, file]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let told = text(&output.stderr);
        assert!(told.contains("[0][0] ... 2502 bytes ... [0][0]"), "{told}");
        assert!(told.contains("StringName") && told.len() < 600, "{told}");
    }
}

#[test]
fn lines_that_are_not_told_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let [save, out] = ["a.bin", "b.bin"].map(|name| folder.path().join(name));
    let frame = b"\x0c\0\0\0\x15\0\0\0\x01\0\0\0a\0\0\0";
    for (frames, more) in [(100, ""), (101, "and 1 more line of"), (103, "and 3 more lines of")] {
        fs::write(&save, frame.repeat(frames)).unwrap();
        let arguments = ["convert", "--dialect", "godot4", "--to", "godot3", "-o"];
        let output = inspect(&arguments, &[&out, &save]);
        let told = text(&output.stderr);
        assert!(told.contains(more), "{told}");
        assert_eq!(told.contains(" of changes"), !more.is_empty(), "{told}");
    }
}

#[test]
fn the_input_is_never_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("save.bin");
    fs::copy(corpus("godot4/saves/rpc.variant"), &save).unwrap();
    let output = inspect(&["convert", "--to", "godot3", "-o"], &[&save, &save]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(&save).unwrap(), fs::read(corpus("godot4/saves/rpc.variant")).unwrap());
    let nowhere = folder.path().join("missing/out.bin");
    let output = inspect(&["convert", "--to", "godot3", "-o"], &[&nowhere, &save]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn frames_stay_frames_unless_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.bin");
    let save = corpus("godot3/saves/store_var_seq.bin");
    inspect(&["convert", "--to", "godot4", "-o"], &[&out, &save]);
    let output = inspect(&["validate", "--dialect", "godot4"], &[&out]);
    assert!(text(&output.stdout).contains("18 frames"), "{output:?}");
    inspect(&["convert", "--to", "godot4", "--to-framing", "frames-be", "-o"], &[&out, &save]);
    let output = inspect(&["validate", "--dialect", "godot4", "--framing", "frames-be"], &[&out]);
    assert!(text(&output.stdout).contains("18 frames"), "{output:?}");
}

#[test]
fn saves_are_written_back_byte_for_byte() {
    for file in [
        "godot3/saves/rpg_save.bin",
        "godot3/saves/store_var_seq.bin",
        "godot3/saves/objects_full.bin",
        "godot4/saves/save_10k.variant",
        "godot4/saves/nested_18k.variant",
        "pandemonium4/saves/nested_18k.variant",
    ] {
        let output = inspect(&["reencode"], &[&corpus(file)]);
        assert_eq!(output.status.code(), Some(0), "{file}: {output:?}");
        assert!(text(&output.stdout).contains("identical"), "{file}");
    }
}

#[test]
fn the_first_difference_is_shown_with_its_path() {
    let output = inspect(&["reencode"], &[&corpus("damaged/dirty_padding.variant")]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    assert!(told.contains("differs at byte 134"), "{told}");
    assert!(told.contains("  path      entities[0]{0:key}"), "{told}");
    assert!(told.contains("  found     7f") && told.contains("  written   00"), "{told}");
}
