//! Every verb prints paths that every verb reads, and `--at` is a query.

use std::process::Command;

use variant_owned::{encode, from_text};
use variant_view::Dialect;

use crate::common::{Folder, Run, framed, name, run};

const GODOT4: [&str; 2] = ["--dialect", "godot4"];

fn bytes_of(literal: &str) -> Vec<u8> {
    encode(&from_text(literal).unwrap(), Dialect::Godot4).unwrap()
}

/// The paths in a printed text that begin with `start`.
fn paths_in<'t>(printed: &'t str, start: &'t str) -> impl Iterator<Item = &'t str> {
    printed.match_indices(start).map(move |(at, _)| {
        let rest = printed.get(at..).unwrap();
        let tail = rest.get(start.len()..).unwrap();
        let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '.' | '[' | ']');
        let end = tail.find(|c| !is_of_path(c)).unwrap_or(tail.len());
        rest.get(..start.len() + end).unwrap().trim_end_matches('.')
    })
}

/// A pair is never printed by its position if the literal of its key is short. `get` reads the printed paths.
#[test]
fn every_verb_prints_keys_as_queries_read_them() {
    let folder = Folder::new();
    let literal = r#"{"map": {Vector2i(1, 0): {"on": true, "tag": "res://a.gd", "hp": 5}}}"#;
    let whole = bytes_of(literal);
    let end = whole.len();
    let changed = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] = value;
        bytes
    };
    let on = whole.windows(8).position(|word| word == [1, 0, 0, 0, 1, 0, 0, 0]).unwrap();
    let save = folder.file("save", &whole);
    let new = folder.file("new", &changed(end - 4, 6));
    // The header of the last value has an unknown type.
    let damaged = folder.file("damaged", &changed(end - 8, 99));
    // A bool with a byte other than 0 and 1.
    let odd = folder.file("odd", &changed(on + 4, 2));
    let output = folder.path("output");
    let (save, new, damaged, odd) = (name(&save), name(&new), name(&damaged), name(&odd));
    let at = (end - 4).to_string();
    let map = "map[Vector2i(1, 0)]";
    for arguments in [
        &["audit", odd][..],
        &["audit", "--json", odd],
        &["audit", damaged],
        &["explain", save, &at],
        &["explain", damaged, &at],
        &["stats", save],
        &["check", damaged],
        &["check", "--explain", damaged],
        &["check", "--json", damaged],
        &["check", "--profile", "canonical", odd],
        &["get", save, "map[*].hp", "--as", "tree"],
        &["tree", save, "--at", "map[*]"],
        &["tree", damaged],
        &["hex", save, "--offset", &at],
        &["flatten", save],
        &["grep", "res", save],
        &["diff", save, new],
        &["set", save, "map..hp", "6", "--dry-run"],
        &["insert", save, "map[*].new", "6", "--dry-run"],
        &["delete", save, "map..hp", "--dry-run"],
        &["rename-key", save, "map..hp", "hits", "--dry-run"],
        &["merge", save, new, "--dry-run", "-o", name(&output)],
        &["salvage", damaged],
        &["text", damaged],
        &["json", damaged],
    ] {
        let printed = run(&[arguments, &GODOT4[..]].concat(), &[]).said();
        let positions = (0..9).any(|at| printed.contains(&format!("{{{at}}}")));
        assert!(!positions && printed.contains(map), "{arguments:?}: {printed}");
        for path in paths_in(&printed, map) {
            // The file does not have the inserted or renamed key, so the path gets the name of an old key.
            let path = path.trim_end_matches(".new").replace(".hits", ".hp");
            let read = run(&["get", save, &path, GODOT4[0], GODOT4[1]], &[]);
            assert_eq!(read.code, Some(0), "{arguments:?}: {path}: {read:?}");
        }
    }
    // An editor that changes the value.
    let mut edit = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    let edit = edit.args(["edit", save, "--dry-run"]).args(GODOT4);
    let printed = Run::from(edit.env("VISUAL", "sed -i 's/5/6/'").output().unwrap()).said();
    assert!(printed.contains("map[Vector2i(1, 0)].hp") && !printed.contains("{0}"), "{printed}");
}

/// `--at` takes a query: an index from the end, a key as a literal, or a frame. `diff` compares one value of each file.
#[test]
fn at_is_a_query() {
    let folder = Folder::new();
    let file = |name: &str, one: &str, two: &str| {
        folder.file(name, &framed(&[&bytes_of(one), &bytes_of(two)]))
    };
    let old = file("old", r#"{"a": [1, 2], Vector2i(1, 0): 3}"#, r#"{"x": 4}"#);
    let new = file("new", r#"{"a": [1, 12], Vector2i(1, 0): 13}"#, r#"{"x": 14}"#);
    let (old, new) = (name(&old), name(&new));
    let how = ["--dialect", "godot4", "--framing", "frames"];
    let run = |arguments: &[&str]| {
        let run = run(&[arguments, &how[..]].concat(), &[]);
        (run.code, run.said())
    };
    for (at, path, value) in [
        ("a[-1]", "a[1]", "2"),
        ("[Vector2i(1, 0)]", "[Vector2i(1, 0)]", "3"),
        ("frame 2: x", "x", "4"),
        ("a[?@>1]", "a[1]", "2"),
    ] {
        let (code, printed) = run(&["tree", old, "--at", at]);
        assert!(code == Some(0) && printed.contains(value), "{at}: {printed}");
        let (code, printed) = run(&["flatten", old, "--at", at]);
        let line = format!(": {path} = {value}\n");
        assert!(code == Some(0) && printed.contains(&line), "{at}: {printed}");
        let (code, printed) = run(&["diff", old, new, "--at", at]);
        let change = format!("{path}: {value} -> 1{value}\n");
        assert!(code == Some(1) && printed.contains(&change), "{at}: {printed}");
        assert_eq!(printed.matches("->").count(), 1, "{at}: {printed}");
    }
    assert_eq!(run(&["tree", old, "--at", "a[*]"]).0, Some(0));
    let (_, lines) = run(&["flatten", old, "--at", "a[*]"]);
    assert!(lines.contains(": a[0] = 1\n") && lines.contains(": a[1] = 2\n"), "{lines}");
    let (code, printed) = run(&["diff", old, new, "--at", "a[*]"]);
    let why = "--at a[*] selects several values, such as frame 1: a[0] and frame 1: a[1]";
    assert!(code == Some(2) && printed.contains(why), "{printed}");
    let (code, printed) = run(&["diff", old, new, "--at", "a[5:]"]);
    assert!(code == Some(2) && printed.contains("nothing is at the path a[5:]"), "{printed}");
    // The value is only in one of the files.
    let (code, printed) = run(&["diff", old, new, "--at", "a[?@==2]"]);
    assert!(code == Some(1) && printed.contains("- frame 1: a[1] = 2\n"), "{printed}");
}
