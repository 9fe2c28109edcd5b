use std::fs;

use crate::common::{Folder, corpus, good, inspect, refused, run, words};

#[test]
fn a_save_goes_from_godot_3_to_godot_4_and_back() {
    let folder = Folder::new();
    let (there, back) = (folder.path("there.bin"), folder.path("back.bin"));
    let save = corpus("godot3/saves/rpg_save.bin");
    let told = good(&["convert", "--to", "godot4", "-o"], &[&there, &save]).err;
    assert!(told.contains("converted to godot4, 0 changes"), "{told}");
    good(&["check", "--profile", "canonical", "--dialect", "godot4"], &[&there]);
    good(&["convert", "--to", "godot3", "-o"], &[&back, &there]);
    assert_eq!(fs::read(&back).unwrap(), fs::read(&save).unwrap());
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn losses_are_told_and_refused_when_strict() {
    let folder = Folder::new();
    let old = folder.path("old.bin");
    let save = corpus("godot4/saves/sample3.variant");
    let told = good(&["convert", "--to", "godot3", "-o"], &[&old, &save]).err;
    assert!(told.contains("entities[*].tag x3: StringName became String"), "{told}");
    assert!(told.contains("typed: Array, the declared element type was lost"), "{told}");
    good(&["check", "--profile", "canonical", "--dialect", "godot3"], &[&old]);

    fs::write(&old, "precious").unwrap();
    let told = refused(1, &["convert", "--strict", "--to", "godot3", "-o"], &[&old, &save]);
    assert!(told.contains("no exact twin in godot3"), "{told}");
    assert_eq!(fs::read(&old).unwrap(), b"precious");
}

/// Many changes below a long key are reported once.
#[test]
fn what_is_told_does_not_grow_with_what_changed() {
    let names = words(&[21, 1, u32::from(b'n')]).repeat(8_000);
    let key = [words(&[27, 1, 4, 80_000]), vec![b'k'; 80_000]].concat();
    let folder = Folder::new();
    let save = folder.file("save.bin", &[key, words(&[28, 8_000]), names].concat());
    let how = ["convert", "--dialect", "godot4", "--to", "godot3", "-o"];
    let told = good(&how, &[&folder.path("out.bin"), &save]).err;
    assert!(told.contains("{*}[*] x8000: StringName became String"), "{told}");
    assert!(told.contains("8000 changes") || told.contains("8,000 changes"), "{told}");
    assert!(told.len() < 1_000, "{}", told.len());
}

/// `Vector2(0.1, 0.2)` with reals of 64 bits and no flag: the layout in the official documentation.
#[test]
fn reals_stay_as_wide_as_they_were() {
    let vector = |header: u32| {
        [&header.to_le_bytes()[..], &0.1_f64.to_le_bytes(), &0.2_f64.to_le_bytes()].concat()
    };
    let narrow =
        [&5_u32.to_le_bytes()[..], &0.1_f32.to_le_bytes(), &0.2_f32.to_le_bytes()].concat();
    let wide = vector(5);
    let folder = Folder::new();
    let (save, out) = (folder.file("a.bin", &wide), folder.path("b.bin"));
    let convert = |from: &str, to: &str, more: &[&str]| {
        let arguments = ["convert", "--reals", "always64", "--framing", "bare", "--dialect", from];
        let arguments = [&arguments[..], &["--to", to], more, &["-o"]].concat();
        let told = good(&arguments, &[&out, &save]).err;
        (fs::read(&out).unwrap(), told)
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

/// The fault is 900 levels deep, so the message leaves out the middle of its path.
#[test]
fn the_path_in_an_error_loses_its_middle() {
    let literal = "[".repeat(900) + "&\"name\"" + &"]".repeat(900);
    let folder = Folder::new();
    let save = folder.literal("a.bin", &literal, "godot4");
    let literal = folder.file("a.txt", literal.as_bytes());
    let strict = ["convert", "--strict", "--dialect", "godot4", "--to", "godot3", "-o"];
    let from_text = ["from-text", "--dialect", "godot3", "-o"];
    for (arguments, file) in [(&strict[..], &save), (&from_text, &literal)] {
        let told = refused(1, arguments, &[&folder.path("b.bin"), file]);
        assert!(told.contains("[0][0] ... 2502 bytes ... [0][0]"), "{told}");
        assert!(told.contains("StringName") && told.len() < 600, "{told}");
    }
}

#[test]
fn lines_that_are_not_told_are_counted() {
    let folder = Folder::new();
    let frame = words(&[12, 21, 1, u32::from(b'a')]);
    for (frames, more) in [(100, ""), (101, "and 1 more line of"), (103, "and 3 more lines of")] {
        let save = folder.file("a.bin", &frame.repeat(frames));
        let arguments = ["convert", "--dialect", "godot4", "--to", "godot3", "-o"];
        let told = run(&arguments, &[&folder.path("b.bin"), &save]).err;
        assert!(told.contains(more), "{told}");
        assert_eq!(told.contains(" of changes"), !more.is_empty(), "{told}");
    }
}

#[test]
fn frames_stay_frames_unless_told_otherwise() {
    let folder = Folder::new();
    let out = folder.path("out.bin");
    let save = corpus("godot3/saves/store_var_seq.bin");
    for (to, how) in
        [(&[][..], &[][..]), (&["--to-framing", "frames-be"], &["--framing", "frames-be"])]
    {
        inspect(&[&["convert", "--to", "godot4"], to, &["-o"]].concat(), &[&out, &save]);
        let told = good(&[&["check", "--dialect", "godot4"], how].concat(), &[&out]).out;
        assert!(told.contains("18 frames"), "{told}");
    }
}
