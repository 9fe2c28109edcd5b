//! `json`, `from-json`, `text` and `from-text`.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;

use crate::common::{corpus, inspect, text};

/// Writing by `verb` and reading by its counterpart gives the same bytes.
fn assert_comes_back(file: &str, dialect: &str, verb: &[&str], back: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let (middle, out) = (folder.path().join("middle"), folder.path().join("out.bin"));
    let file = corpus(file);
    let output = inspect(verb, &[&file]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    fs::write(&middle, &output.stdout).unwrap();
    let arguments = [back, &["--dialect", dialect, "-o"]].concat();
    let output = inspect(&arguments, &[&out, &middle]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::read(&out).unwrap(), fs::read(&file).unwrap(), "{}", file.display());
}

#[test]
fn text_that_comes_back_byte_for_byte() {
    assert_comes_back("godot4/saves/sample20.variant", "godot4", &["text"], &["from-text"]);
    assert_comes_back("godot4/saves/rpc.variant", "godot4", &["text"], &["from-text"]);
    let framed = ["from-text", "--to-framing", "frames"];
    assert_comes_back("godot3/saves/rpg_save.bin", "godot3", &["text"], &framed);
}

#[test]
fn json_for_the_engine_and_for_everything_else() {
    let file = corpus("godot4/saves/rpc.variant");
    let native = text(&inspect(&["json"], &[&file]).stdout);
    assert!(native.contains(r#""s:method""#) && native.contains(r#""s:move_to""#), "{native}");
    let plain = text(&inspect(&["json", "--form", "plain"], &[&file]).stdout);
    assert!(plain.starts_with(r#"{"method":"move_to","id":77,"pos":{"x":12.5"#), "{plain}");
}

#[test]
fn bad_input_is_told_with_its_place_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (bad, out) = (folder.path().join("bad"), folder.path().join("out.bin"));
    fs::write(&out, "precious").unwrap();
    for (verb, input, place) in [
        ("from-json", "[1,\n 2,,]", "line 2 column"),
        ("from-text", "[1,\n 2,,]", "line 2"),
        ("from-text", "Vector2i(1, 2)", "there is no Vector2i"),
    ] {
        fs::write(&bad, input).unwrap();
        let arguments = [verb, "--dialect", "godot3", "-o"];
        let output = inspect(&arguments, &[&out, &bad]);
        assert_eq!(output.status.code(), Some(1), "{verb}: {output:?}");
        assert!(text(&output.stderr).contains(place), "{verb}: {output:?}");
        assert_eq!(fs::read(&out).unwrap(), b"precious");
    }
    fs::write(&bad, "[1]").unwrap();
    let output = inspect(&["from-json", "--form", "plain", "-o"], &[&out, &bad]);
    assert_eq!(output.status.code(), Some(2), "which dialect is not told");
    let output = inspect(&["json", "--dialect", "godot4"], &[&corpus("damaged/bad_utf8.variant")]);
    assert_eq!(output.status.code(), Some(0), "text that is not UTF-8 is no damage to a view");
}
