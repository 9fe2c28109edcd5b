//! `unflatten`, `merge` and `edit`: a file gets new content, but unchanged parts keep their bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{BARE, Folder, Run, corpus, inspect, name, text, words};

/// The files of the corpus that engines wrote, with the arguments to read them.
fn saves() -> Vec<(PathBuf, [&'static str; 2])> {
    let mut saves = Vec::new();
    for dialect in ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"] {
        for below in ["saves", "containers"] {
            let Ok(entries) = fs::read_dir(corpus(dialect).join(below)) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                let options = ["--dialect", dialect];
                // Only files that `check` accepts are used: others are encrypted, intentionally damaged, or not files
                // of values.
                if inspect(&[&["check"], &options[..]].concat(), &[&path]).status.success() {
                    saves.push((path, options));
                }
            }
        }
    }
    assert!(saves.len() > 30, "{}", saves.len());
    saves
}

#[track_caller]
fn good(arguments: &[&str], files: &[&Path]) -> String {
    crate::common::good(arguments, files).out
}

const SAVE: &str = "godot3/saves/rpg_save.bin";
const GODOT3: [&str; 2] = ["--dialect", "godot3"];

#[test]
fn a_line_that_cannot_be_read_is_named() {
    let folder = Folder::new();
    let out = folder.path("out");
    for (lines, why) in [
        (
            "frame 1: (root) = 1\nframe 2: (root) = 2\n",
            "there is a value 2; --like needs a file with as many values",
        ),
        ("frame 2: (root) = 2\n", "value 1 has no lines"),
        ("#1hp = 2\n", "line 1: the path #1hp: a frame is written as in frame 1: hp"),
    ] {
        let (flat, like) = (folder.file("flat", lines.as_bytes()), corpus(SAVE));
        let like = ["--like", name(&like), "-o", name(&out), "--dialect", "godot3"];
        let said = crate::common::refused(1, &[&["unflatten"], &like[..]].concat(), &[&flat]);
        assert!(said.contains(why) && !out.exists(), "{said}");
    }
}

/// A save of Godot 4 that is not canonical: the padding of the first key is not zero.
fn dirty() -> Vec<u8> {
    words(&[27, 2, 4, 1, 0x6161, 2, 7, 4, 1, 0x62, 28, 0])
}

fn value(path: &Path) -> String {
    good(&[&["text"], &BARE[..]].concat(), &[path]).replace('\n', " ").trim_end().to_owned()
}

/// Two files of literals.
fn two(folder: &Folder, one: &str, other: &str) -> [PathBuf; 2] {
    [("one", one), ("other", other)].map(|(name, text)| folder.literal(name, text, "godot4"))
}

#[test]
fn merging_puts_pairs_over_pairs() {
    let folder = Folder::new();
    let one = r#"{"a": 1, "d": {"x": 1, "y": [1, 2]}, "e": 5}"#;
    let other = r#"{"new": &"n", "d": {"y": [3], "z": 1}, "a": 1}"#;
    let [one, other] = two(&folder, one, other);
    let merged = folder.path("merged");
    good(&[&["merge", name(&one), name(&other), "-o", name(&merged)], &BARE[..]].concat(), &[]);
    let expected = r#"{ "a": 1, "d": { "x": 1, "y": [3], "z": 1 }, "e": 5, "new": &"n" }"#;
    assert_eq!(value(&merged), expected);
    let dry = good(&[&["merge", name(&one), name(&other), "-n"], &BARE[..]].concat(), &[]);
    assert_eq!(dry, "- d.y[0]: 1\n+ d.y[0]: 3\n- d.y[1]: 2\n+ d.z: 1\n+ new: &\"n\"\n");
    // Without a new value, the file keeps its bytes, including dirty padding.
    fs::write(&one, dirty()).unwrap();
    let same = folder.literal("same", r#"{"a": 7}"#, "godot4");
    good(&[&["merge", name(&one), name(&same)], &BARE[..]].concat(), &[]);
    assert_eq!(fs::read(&one).unwrap(), dirty());
    assert!(!folder.path("one~").exists());
}

#[test]
fn merging_a_file_with_itself_changes_nothing() {
    let folder = Folder::new();
    let out = folder.path("out");
    for bytes in [
        // Floats with a width that the engine would not write: 1.5 in 64 bits, and a NaN with a payload in 32.
        words(&[27, 2, 4, 1, 0x61, 0x0001_0003, 0, 0x3ff8_0000, 4, 1, 0x62, 3, 0x7fc0_1234]),
        // An integer in 64 bits that fits into 32 bits.
        words(&[27, 1, 4, 1, 0x61, 0x0001_0002, 7, 0]),
        // A duplicate key, and an object that is only an id.
        words(&[27, 2, 4, 1, 0x61, 2, 7, 4, 1, 0x61, 0x0001_0018, 0x5566_7788, 0x1122_3344]),
        dirty(),
    ] {
        let one = folder.file("one", &bytes);
        good(&[&["merge", name(&one), name(&one), "-o", name(&out)], &BARE[..]].concat(), &[]);
        assert_eq!(fs::read(&out).unwrap(), bytes);
    }
    for (path, options) in saves().iter().filter(|(path, _)| fs::read(path).unwrap().len() < 50_000)
    {
        let merged = good(&[&["merge", name(path), name(path), "-n"], &options[..]].concat(), &[]);
        assert_eq!(merged, "", "{path:?}");
    }
}

#[test]
fn with_a_base_only_the_changes_of_the_other_file_are_merged() {
    let folder = Folder::new();
    let base = folder.literal("base", r#"{"a": 1, "b": 1, "c": 1}"#, "godot4");
    let [one, other] = two(&folder, r#"{"a": 2, "b": 1, "c": 2}"#, r#"{"a": 1, "b": 3, "c": 3}"#);
    let merge = ["merge", name(&one), name(&other), "--base", name(&base)];
    let said = refused(&merge, 1);
    assert!(said.contains("both files changed 1 value; choose a side with --prefer"), "{said}");
    assert!(said.contains("  c: it was 1, FILE has 2, OTHER has 3"), "{said}");
    assert_eq!(value(&one), r#"{ "a": 2, "b": 1, "c": 2 }"#);
    for (side, kept) in [("ours", 2), ("theirs", 3)] {
        let out = folder.path(side);
        let options = ["--prefer", side, "-o", name(&out)];
        good(&[&merge[..], &options, &BARE].concat(), &[]);
        assert_eq!(value(&out), format!(r#"{{ "a": 2, "b": 3, "c": {kept} }}"#));
    }
    let said = refused(&[&merge[..], &["-o", name(&base)]].concat(), 2);
    assert!(said.contains("the output is the input"), "{said}");
}

#[test]
fn what_is_merged_is_not_overwritten() {
    let folder = Folder::new();
    let [one, other] = two(&folder, r#"{"a": 1}"#, r#"{"a": 2}"#);
    let said = refused(&["merge", name(&one), name(&other), "-o", name(&other)], 2);
    assert!(said.contains("the output is the input"), "{said}");
    assert_eq!([value(&one), value(&other)], [r#"{ "a": 1 }"#, r#"{ "a": 2 }"#]);
}

#[test]
fn merging_across_dialects_and_frames() {
    let folder = Folder::new();
    let save = corpus(SAVE);
    let (copy, out) = (folder.path("copy"), folder.path("out"));
    good(&["convert", "--to", "godot4", "-o", name(&copy), "--dialect", "godot3"], &[&save]);
    // The dialect of each file is guessed. Options for one file do not apply to the other.
    for options in [
        &[][..],
        &GODOT3,
        &["--other-dialect", "godot4"],
        &["--dialect", "godot3", "--other-dialect", "godot4"],
    ] {
        good(&[&["merge", name(&save), name(&copy), "-o", name(&out)], options].concat(), &[]);
        assert_eq!(fs::read(&out).unwrap(), fs::read(&save).unwrap(), "{options:?}");
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn typed_dictionaries_of_other_types_are_not_merged() {
    let folder = Folder::new();
    let one = r#"{"d": Dictionary[String, int]({"a": 1})}"#;
    let [one, other] = two(&folder, one, r#"{"d": {"b": "text"}}"#);
    let said = refused(&["merge", name(&one), name(&other)], 1);
    assert!(said.contains("d: the two dictionaries declare other types"), "{said}");
}

#[track_caller]
fn refused(arguments: &[&str], status: i32) -> String {
    crate::common::refused(status, &[arguments, &BARE].concat(), &[])
}

#[test]
fn a_dictionary_with_a_key_twice_is_not_merged() {
    let folder = Folder::new();
    // {"a": 1, "a": 1, "b": 3}
    let pair = |key: u32, value: u32| [4, 1, key, 2, value];
    let bytes = words(&[&[27, 3][..], &pair(0x61, 1), &pair(0x61, 1), &pair(0x62, 3)].concat());
    let one = folder.file("one", &bytes);
    let other = folder.literal("other", r#"{"c": 4}"#, "godot4");
    let said = refused(&["merge", name(&one), name(&other)], 1);
    assert!(said.contains("has a key twice"), "{said}");
    assert_eq!(fs::read(&one).unwrap(), bytes);
}

/// In Godot 4 a `StringName` and a `String` are one key.
#[test]
fn keys_are_merged_as_the_engine_compares_them() {
    let folder = Folder::new();
    let one = r#"{&"stats": {"a": 1, "b": 2}}"#;
    let [one, other] = two(&folder, one, r#"{"stats": {"a": 5}}"#);
    good(&[&["merge", name(&one), name(&other)], &BARE[..]].concat(), &[]);
    assert_eq!(value(&one), r#"{ &"stats": { "a": 5, "b": 2 } }"#);
}

#[test]
fn a_key_is_not_renamed_to_one_that_is_there() {
    let folder = Folder::new();
    for (text, path, key) in [
        (r#"{5: "a", 6: "b"}"#, "[5]", "6"),
        (r#"{"y": {"x": 1, "y": 2}}"#, "..x", "y"),
        (r#"{"x": {"x": 1, "y": 2}}"#, "..x", "y"),
        (r#"{"x": 1, &"y": 2}"#, "x", "y"),
        ("{Vector2(1, 2): 1, Vector2(3, 4): 2}", "{0}", "Vector2(3, 4)"),
        (r#"Object(Node, "a": 1, "b": 2)"#, "a", "b"),
    ] {
        let path_of = folder.literal("save", text, "godot4");
        let old = fs::read(&path_of).unwrap();
        let said = refused(&["rename-key", name(&path_of), path, key], 1);
        assert!(said.contains("already"), "{text}: {said}");
        assert_eq!(fs::read(&path_of).unwrap(), old);
    }
}

#[test]
fn values_in_values_are_renamed_and_inserted_too() {
    let folder = Folder::new();
    let save = folder.literal("save", r#"{"x": {"x": 1}, "z": 2}"#, "godot4");
    good(&[&["rename-key", name(&save), "..x", "y"], &BARE[..]].concat(), &[]);
    assert_eq!(value(&save), r#"{ "y": { "y": 1 }, "z": 2 }"#);
    let save = folder.literal("save", r#"{"n": {"a": 1, "n": {"b": 2}}}"#, "godot4");
    good(&[&["insert", name(&save), "..n.new", "7"], &BARE[..]].concat(), &[]);
    assert_eq!(value(&save), r#"{ "n": { "a": 1, "n": { "b": 2, "new": 7 }, "new": 7 } }"#);
}

/// One line sets a container to a large literal, and many later lines set values inside it. Each line takes time
/// proportional to its own length.
#[test]
fn many_lines_behind_a_large_literal() {
    let folder = Folder::new();
    let pairs: Vec<_> = (0..30_000).map(|n| format!("\"k{n}\": {n}")).collect();
    let lines: Vec<_> = (0..30_000).map(|n| format!("x{n} = 1")).collect();
    let lines = format!("(root) = {{{}}}\n{}\n", pairs.join(", "), lines.join("\n"));
    let (flat, out) = (folder.file("flat", lines.as_bytes()), folder.path("out"));
    good(&["unflatten", name(&flat), "--dialect", "godot4", "-o", name(&out)], &[]);
    assert!(good(&[&["check"], &BARE[..]].concat(), &[&out]).contains("120,001 values"));
}

/// The flattened lines of a deeply nested file are together thousands of times as long as the file. Even then, `--like`
/// takes memory and time proportional to the file.
#[cfg(unix)]
#[test]
fn a_deep_file_to_be_like_costs_what_it_is_long() {
    let folder = Folder::new();
    let level = [words(&[27, 1, 4, 100]), vec![b'k'; 100]].concat();
    let numbers: Vec<u8> = (0..20_000).flat_map(|number| words(&[2, number])).collect();
    let deep = [level.repeat(500), words(&[28, 20_000]), numbers].concat();
    let (like, flat) = (folder.file("like", &deep), folder.file("flat", b"n = 2\n"));
    let out = folder.path("out");
    let limited = "ulimit -v 400000; ulimit -t 20; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_variant-inspect"), "unflatten"]);
    command.args([name(&flat), "--like", name(&like), "-o", name(&out)]).args(BARE);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{:?}: {}", output.status, text(&output.stderr));
    assert_eq!(value(&out), "{ \"n\": 2 }");
}

#[cfg(unix)]
mod editors {
    use super::*;

    /// Runs `edit` on a dirty save. The editor is a shell command. It gets the file as the last argument and as
    /// `$SAVE`. Also returns the number of remaining temporary files.
    fn edit(editor: &str, folder: &Folder, arguments: &[&str]) -> (Run, usize) {
        let file = folder.file("save", &dirty());
        let temporary = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
        command.arg("edit").arg(&file).args(arguments).args(BARE).env("SAVE", &file);
        command.env_remove("VISUAL").env("EDITOR", editor).env("TMPDIR", temporary.path());
        let run = command.output().unwrap().into();
        (run, fs::read_dir(temporary.path()).unwrap().count())
    }

    /// The save of `dirty`, with `number` instead of its number.
    fn with_number(number: u8) -> Vec<u8> {
        let mut bytes = dirty();
        bytes[24] = number;
        bytes
    }

    #[test]
    fn what_is_edited_is_written_and_the_rest_stays() {
        let folder = Folder::new();
        for arguments in [&[][..], &["--json"]] {
            let (run, left) = edit("sed -i s/7/8/", &folder, arguments);
            assert_eq!((run.code, left), (Some(0), 0), "{run:?}");
            let [new, old] = ["save", "save~"].map(|name| fs::read(folder.path(name)).unwrap());
            assert_eq!((new, old), (with_number(8), dirty()), "{arguments:?}");
        }
    }

    #[test]
    fn an_editor_that_fails_loses_nothing() {
        let folder = Folder::new();
        for (editor, status, why, kept) in [
            ("true", 0, "nothing changed", 0),
            ("false", 1, "nothing is written", 0),
            ("/no/such/editor", 1, "nothing is written", 0),
            ("sed -i '$d'", 1, "the text was given up; nothing is written; the text is kept in", 1),
            (
                "sh -c 'echo nonsense >> \"$0\"; exit 3'",
                1,
                "exit status: 3; nothing is written; the text is kept in",
                1,
            ),
            ("sh -c 'printf \"\\\\377\" > \"$0\"'", 1, "UTF-8; the text is kept in", 1),
            ("sh -c 'echo 5 >> \"$0\"'", 1, "edit changes values only", 1),
        ] {
            let (run, left) = edit(editor, &folder, &[]);
            assert_eq!((run.code, left), (Some(status), kept), "{editor}: {run:?}");
            assert!(run.err.contains(why), "{editor}: {run:?}");
            assert_eq!(fs::read(folder.path("save")).unwrap(), dirty(), "{editor}");
        }
    }

    #[test]
    fn what_was_edited_outlives_a_write_that_fails() {
        for (editor, arguments, why) in [
            ("sed -i s/7/[7]/", &["--in-place"][..], "without --in-place"),
            (
                "sh -c 'sed -i s/7/8/ \"$0\"; echo >> \"$SAVE\"'",
                &[],
                "the file was changed meanwhile",
            ),
        ] {
            let (Run { code, err: said, .. }, left) = edit(editor, &Folder::new(), arguments);
            assert!(code != Some(0) && left == 1, "{said}");
            assert!(said.contains(why) && said.contains("the text is kept in"), "{said}");
        }
    }

    #[test]
    fn the_editor_opens_again_with_the_error() {
        let folder = Folder::new();
        // The editor first writes a fault. After the message about the fault, the editor writes a value.
        let editor = "sh -c 'if grep -q ^#!.*expected \"$0\"; then sed -i s/nonsense/9/ \"$0\"; else sed -i s/7/nonsense/ \"$0\"; fi'";
        let (run, _) = edit(editor, &folder, &[]);
        assert!(run.code == Some(0) && run.err.contains("the editor opens again"), "{run:?}");
        assert_eq!(fs::read(folder.path("save")).unwrap(), with_number(9));
    }
}
