//! `--as-documented` in every command.

use std::fs;

use crate::common::{Folder, corpus, good, refused, run, words};

/// `{"a": [7, "b"]}` in the layout of each page of the official documentation.
fn documents() -> [(&'static str, Vec<u8>); 4] {
    let (a, b) = (u32::from(b'a'), u32::from(b'b'));
    let document = |dictionary, array, int: &[u32]| {
        words(&[&[dictionary, 1, 4, 1, a, array, 2], int, &[4, 1, b]].concat())
    };
    [
        ("godot-3.0", document(18, 19, &[2, 7, 0])),
        ("godot-3.1", document(18, 19, &[2, 7])),
        ("pandemonium-27", document(18, 19, &[2, 7])),
        ("pandemonium-38", document(25, 26, &[2, 7])),
    ]
}

#[test]
fn every_page_is_read_and_written() {
    let folder = Folder::new();
    let back = folder.path("back");
    for (page, bytes) in documents() {
        let (file, to) = (folder.file("file", &bytes), format!("documented-{page}"));
        let told = good(&["check", "--as-documented", page], &[&file]).out;
        assert!(told.contains(&to), "{told}");
        let tree = run(&["--as-documented", page], &[&file]).out;
        assert!(tree.contains('7'), "{page}: {tree}");

        for (there, again) in [("json", "from-json"), ("text", "from-text")] {
            let form = good(&[there, "--as-documented", page], &[&file]).out;
            let form = folder.file("form", form.as_bytes());
            good(&[again, "--as-documented", page, "-o"], &[&back, &form]);
            assert_eq!(fs::read(&back).unwrap(), bytes, "{page}, {again}");
        }

        // The file is converted to an engine's dialect and back.
        let form = folder.path("form");
        good(&["convert", "--as-documented", page, "--to", "godot4", "-o"], &[&form, &file]);
        good(&["convert", "--dialect", "godot4", "--to", &to, "-o"], &[&back, &form]);
        assert_eq!(fs::read(&back).unwrap(), bytes, "{page}");
    }
}

#[test]
fn what_is_unsupported_says_so() {
    let folder = Folder::new();
    let file = folder.file("file", &words(&[19, 1, 17]));
    let how = ["check", "--framing", "bare", "--as-documented", "godot-3.1"];
    let told = run(&how, &[&file]).expect(1).out;
    assert!(told.contains("Object is unsupported by this page of the documentation"), "{told}");
    assert!(told.contains("try the dialect of the engine"), "{told}");
}

/// An engine's save without objects and string arrays can be read in the layout of the documentation page of Godot 3.1.
/// The layout of the page of Godot 3.0 does not fit the save.
#[test]
fn an_engine_s_save_is_read_by_a_page() {
    let save = corpus("godot3/saves/rpg_save.bin");
    good(&["check", "--as-documented", "godot-3.1"], &[&save]);
    refused(1, &["check", "--as-documented", "godot-3.0"], &[&save]);
}

#[test]
fn what_no_engine_reads_is_guessed_to_be_a_page_s() {
    let folder = Folder::new();
    // {"a": 7} with an integer of 8 bytes and no flag. Engines read 7 in 4 bytes, and the other 4 bytes as a nil.
    let document = words(&[18, 1, 4, 1, u32::from(b'a'), 2, 7, 0]);
    let told = run(&["detect"], &[&folder.file("file", &document)]).out;
    assert!(told.contains("read as documented-godot-3.0"), "{told}");
    // If an engine reads the file, detection proposes the engine and not a page of the documentation.
    for (page, bytes) in documents().iter().skip(1) {
        let told = run(&["detect"], &[&folder.file("file", bytes)]).out;
        assert!(!told.contains("documented"), "{page}: {told}");
    }
}

#[test]
fn a_page_and_a_dialect_are_one_too_many() {
    refused(2, &["--as-documented", "godot-3.0", "--dialect", "godot3", "f"], &[]);
    let told = refused(2, &["--as-documented", "godot-4", "f"], &[]);
    assert!(told.contains("pandemonium-38"), "{told}");
}
