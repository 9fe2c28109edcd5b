//! `convert` and `reencode`.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

mod common;

use std::fs;

use common::{corpus, inspect, text};

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
    assert!(told.contains("entities[0].tag: StringName became String"), "{told}");
    assert!(told.contains("typed: Array, the declared element type was lost"), "{told}");
    let output = inspect(&["validate", "--profile", "canonical", "--dialect", "godot3"], &[&old]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");

    fs::write(&old, "precious").unwrap();
    let output = inspect(&["convert", "--strict", "--to", "godot3", "-o"], &[&old, &save]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no exact twin in godot3"));
    assert_eq!(fs::read(&old).unwrap(), b"precious");
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
