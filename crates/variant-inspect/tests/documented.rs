//! `--as-documented` in every command.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;

use crate::common::{corpus, inspect, text};

/// `{"a": [7, "b"]}` in the layout of each page.
fn documents() -> [(&'static str, Vec<u8>); 4] {
    let key = [4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0];
    let text = [4, 0, 0, 0, 1, 0, 0, 0, b'b', 0, 0, 0];
    let narrow = [2, 0, 0, 0, 7, 0, 0, 0];
    let wide = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    let document = |dictionary, array, int: &[u8]| {
        let head = [dictionary, 0, 0, 0, 1, 0, 0, 0];
        [&head[..], &key, &[array, 0, 0, 0, 2, 0, 0, 0], int, &text].concat()
    };
    [
        ("godot-3.0", document(18, 19, &wide)),
        ("godot-3.1", document(18, 19, &narrow)),
        ("pandemonium-27", document(18, 19, &narrow)),
        ("pandemonium-38", document(25, 26, &narrow)),
    ]
}

#[test]
fn every_page_is_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let (file, form, back) =
        (folder.path().join("file"), folder.path().join("form"), folder.path().join("back"));
    for (page, bytes) in documents() {
        fs::write(&file, &bytes).unwrap();
        let output = inspect(&["validate", "--as-documented", page], &[&file]);
        assert_eq!(output.status.code(), Some(0), "{page}: {output:?}");
        assert!(text(&output.stdout).contains(&format!("documented-{page}")), "{output:?}");
        let output = inspect(&["--as-documented", page], &[&file]);
        assert!(text(&output.stdout).contains('7'), "{page}: {output:?}");

        for (there, again) in [("json", "from-json"), ("text", "from-text")] {
            let output = inspect(&[there, "--as-documented", page], &[&file]);
            assert_eq!(output.status.code(), Some(0), "{page}: {output:?}");
            fs::write(&form, &output.stdout).unwrap();
            let output = inspect(&[again, "--as-documented", page, "-o"], &[&back, &form]);
            assert_eq!(output.status.code(), Some(0), "{page}: {output:?}");
            assert_eq!(fs::read(&back).unwrap(), bytes, "{page}, {again}");
        }
        let output = inspect(&["reencode", "--as-documented", page], &[&file]);
        assert_eq!(output.status.code(), Some(0), "{page}: {output:?}");

        // To an engine and back.
        let output =
            inspect(&["convert", "--as-documented", page, "--to", "godot4", "-o"], &[&form, &file]);
        assert_eq!(output.status.code(), Some(0), "{page}: {output:?}");
        let to = format!("documented-{page}");
        let output =
            inspect(&["convert", "--dialect", "godot4", "--to", &to, "-o"], &[&back, &form]);
        assert_eq!(output.status.code(), Some(0), "{page}: {output:?}");
        assert_eq!(fs::read(&back).unwrap(), bytes, "{page}");
    }
}

#[test]
fn what_is_unsupported_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, [19, 0, 0, 0, 1, 0, 0, 0, 17, 0, 0, 0]).unwrap();
    let output =
        inspect(&["validate", "--framing", "bare", "--as-documented", "godot-3.1"], &[&file]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    assert!(told.contains("Object is unsupported by this page of the documentation"), "{told}");
    assert!(told.contains("try the dialect of the engine"), "{told}");
}

/// Without objects and long strings of arrays, the page of 3.1 equals the engine; the page of 3.0 never does.
#[test]
fn an_engine_s_save_is_read_by_a_page() {
    let save = corpus("godot3/saves/rpg_save.bin");
    let output = inspect(&["validate", "--as-documented", "godot-3.1"], &[&save]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = inspect(&["validate", "--as-documented", "godot-3.0"], &[&save]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn what_no_engine_reads_is_guessed_to_be_a_page_s() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    // {"a": 7} with a wide integer; engines read 7 and a nil.
    let [(_, document), ..] = documents();
    let int = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    fs::write(&file, [&document[..20], &int].concat()).unwrap();
    let told = text(&inspect(&["detect"], &[&file]).stdout);
    assert!(told.contains("read as documented-godot-3.0"), "{told}");
    // An engine that reads the file wins.
    for (page, bytes) in documents().iter().skip(1) {
        fs::write(&file, bytes).unwrap();
        let told = text(&inspect(&["detect"], &[&file]).stdout);
        assert!(!told.contains("documented"), "{page}: {told}");
    }
}

#[test]
fn a_page_and_a_dialect_are_one_too_many() {
    let output = inspect(&["--as-documented", "godot-3.0", "--dialect", "godot3", "f"], &[]);
    assert_eq!(output.status.code(), Some(2));
    let output = inspect(&["--as-documented", "godot-4", "f"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("pandemonium-38"));
}
