//! Output streams: control characters and passwords are not printed, reports are not among results, and losses are
//! reported.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Folder, Run, commands, corpus, good, name, refused, run, words};

const PROGRAM: &str = env!("CARGO_BIN_EXE_variant-inspect");

fn sh(line: &str) -> Run {
    Command::new("sh").args(["-c", line, PROGRAM]).arg(corpus(SAVE)).output().unwrap().into()
}

const SAVE: &str = "godot4/saves/rpc.variant";

/// Control characters, marks of text direction, and invisible characters.
const HOSTILE: &str =
    "\x1b[31m\x1b]0;title\x07\u{9b}2J\u{202e}\u{2066}\u{200b}\u{200f}\u{2028}\u{2029}\r";

#[track_caller]
fn assert_harmless(run: &Run) {
    let printed = run.said();
    let hidden = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    assert_eq!(printed.chars().find(hidden), None, "{printed:?}");
}

#[test]
fn arguments_are_shown_harmless() {
    let dialect = format!("--dialect={HOSTILE}");
    let unknown = format!("--{HOSTILE}");
    for arguments in [
        &["tree", &dialect, "file"][..],
        &["tree", &unknown, "file"],
        &["tree", "one", HOSTILE],
        &["check", "--jobs", HOSTILE],
        &["tree", "--at", HOSTILE, "-", "--dialect", "godot4"],
        &[HOSTILE],
        &["tree", HOSTILE],
        &["detect", HOSTILE],
        &["convert", "--to", "godot4", HOSTILE, "-o", HOSTILE],
        &["from-text", HOSTILE, "-o", "/nonexistent/x", "--like", HOSTILE],
        &["check", HOSTILE, HOSTILE],
        &["--password-env", HOSTILE, "file"],
        &["--password-file", HOSTILE, "file"],
        &["--key-hex", HOSTILE, "file"],
    ] {
        let run = run(arguments, &[]);
        assert_ne!(run.code, Some(0), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
        assert_harmless(&run);
    }
    // A file name that is not UTF-8.
    let name = OsStr::from_bytes(b"\x1b[31m\xff");
    assert_harmless(&Command::new(PROGRAM).args(["tree".as_ref(), name]).output().unwrap().into());
}

/// The files contain `{HOSTILE: <damage>}`, or an object whose class and property have this name. The names of the
/// files are also hostile.
#[test]
fn what_files_hold_is_shown_harmless() {
    let folder = Folder::new();
    let name = HOSTILE.replace('/', "");
    let mut key = words(&[u32::try_from(name.len()).unwrap()]);
    key.extend(name.as_bytes());
    key.resize(key.len().next_multiple_of(4), 0);
    let string = [words(&[4]), key.clone()].concat();
    let damaged = [words(&[27, 1]), string.clone(), words(&[0xee])].concat();
    let whole = [words(&[27, 1]), string.clone(), string.clone()].concat();
    let object = [words(&[24]), key.clone(), words(&[1]), key.clone(), words(&[0])].concat();
    let dirty = [words(&[27, 1]), string, words(&[4, 1, 0x0161])].concat();
    for bytes in [&damaged, &whole, &object, &dirty] {
        let path = folder.file(&name, bytes);
        for arguments in [
            &["tree", "--dialect", "godot4", "--framing", "bare"][..],
            &["tree", "--at", "x", "--dialect", "godot4", "--framing", "bare"],
            &["check", "--dialect", "godot4"],
            &["check", "--dialect", "godot4", "--profile", "canonical"],
            &["check", "--dialect", "godot4", "--limits", "server"],
            &["convert", "--to", "godot3", "--dialect", "godot4", "-o", "/dev/null"],
            &["detect"],
            &["scan"],
            &["json", "--form", "exact", "--dialect", "godot4", "--framing", "bare"],
            &["text", "--dialect", "godot4", "--framing", "bare"],
        ] {
            assert_harmless(&run(arguments, &[&path]));
        }
    }
}

/// Results before a damaged value are still printed.
#[test]
fn reports_are_not_among_results() {
    let folder = Folder::new();
    // 7, then an invalid value.
    let path = folder.file("save", &words(&[8, 2, 7, 4, 99]));
    for (verb, results) in [("text", "7\n"), ("json", "\"i:7\"\n"), ("tree", "--- frame 1")] {
        let how = [verb, "--dialect", "godot4", "--framing", "frames"];
        let Run { out, err, .. } = run(&how, &[&path]).expect(1);
        assert!(out.starts_with(results), "{verb}: {out}");
        assert!(!out.contains("invalid"), "{verb}: {out}");
        assert!(err.contains("invalid: header 0x00000063") && err.contains("frame 2"), "{err}");
    }
    let convert =
        ["convert", "--to", "godot3", "-o", "-", "--dialect", "godot4", "--framing", "frames"];
    let run = run(&convert, &[&path]).expect(1);
    assert!(run.out.is_empty() && run.err.contains("invalid: header 0x00000063"), "{run:?}");
}

/// A file that begins like an encrypted file. Commands read a key only for such files.
fn encrypted(folder: &Folder) -> PathBuf {
    folder.file("encrypted", &[&b"GDEC"[..], &[1, 0, 0, 0], &[0; 72]].concat())
}

#[test]
fn a_password_given_by_mistake_is_not_shown() {
    let folder = Folder::new();
    let encrypted = encrypted(&folder);
    for arguments in
        [["--password-env", "hunter2"], ["--password-file", "hunter2"], ["--key-hex", "hunter2"]]
    {
        for more in [&[][..], &["--bogus"], &["--jobs", "x"]] {
            let arguments = [&["check"][..], &arguments, more].concat();
            let run = run(&arguments, &[&encrypted]);
            assert!([Some(2), Some(3)].contains(&run.code), "{run:?}");
            assert!(!run.said().contains("hunter2"), "{arguments:?}: {run:?}");
            assert!(run.err.contains("error"), "{arguments:?}: {run:?}");
        }
    }
}

#[test]
fn a_closed_output_is_an_error() {
    for line in [
        "$0 tree $1 >&-",
        "$0 check $1 >&-",
        "$0 unwrap $1 >&-",
        "$0 convert --to godot3 -o - $1 >&-",
        "$0 tree $1 >&- <&-",
        "$0 tree $1 > /dev/full",
        "$0 unwrap $1 > /dev/full",
    ] {
        let told = sh(line).expect(3).err;
        assert!(told.contains("cannot write"), "{line}: {told}");
    }
    for line in ["$0 --help >&-", "$0 --version >&-"] {
        assert_eq!(sh(line).code, Some(3), "{line}");
    }
    // Commands that do not write to standard output succeed, although it is closed.
    let folder = Folder::new();
    sh(&format!("$0 unwrap -o {} $1 >&-", folder.path("out").display())).expect(0);
    // An open output is not taken for a closed output.
    for line in ["$0 tree $1 > /dev/null", "$0 tree $1 <> /dev/null >&0"] {
        assert_eq!(sh(line).code, Some(0), "{line}");
    }
}

#[test]
fn a_reader_that_goes_away_is_told_by_the_status() {
    let save = corpus("godot4/saves/save_10k.variant");
    let damaged = corpus("damaged/unknown_type.variant");
    for (arguments, files) in [
        ("tree", vec![&save]),
        ("text", vec![&save]),
        ("json", vec![&save]),
        ("unwrap", vec![&save]),
        ("convert --to godot3 -o -", vec![&save]),
        ("check --jobs 4 --dialect godot4 --framing bare", vec![&damaged; 2_000]),
    ] {
        let mut command = Command::new(PROGRAM);
        command.args(arguments.split(' ')).arg("-q").args(files);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.err.as_str()), (Some(141), ""), "{arguments}");
    }
}

#[test]
fn what_is_read_has_an_end() {
    let zeros = "head -c 2000000 /dev/zero";
    for line in [
        "$0 --max-input 1000000 -",
        "$0 check --max-input 1000000 -",
        "$0 from-text --dialect godot4 --max-input 1000000 - -o /dev/null",
        "$0 from-json --dialect godot4 --max-input 1000000 - -o /dev/null",
        "$0 wrap --compress zstd --max-input 1000000 - -o /dev/null",
        "$0 unwrap --max-input 1000000 /dev/stdin",
    ] {
        let told = sh(&format!("{zeros} | {line}")).expect(1).err;
        assert!(told.contains("longer than 1,000,000 bytes; --max-input"), "{line}: {told}");
    }
    refused(1, &["check", "--max-input", "100", "--no-mmap"], &[&corpus(SAVE)]);
    let folder = Folder::new();
    let encrypted = encrypted(&folder);
    for (code, file, what) in
        [(2, "/dev/zero", "at most 4,096 bytes"), (3, "/nonexistent", "no such file")]
    {
        let told = refused(code, &["check", "--password-file", file], &[&encrypted]);
        assert!(told.contains(what), "{told}");
    }
}

#[test]
fn what_was_meant() {
    let save = corpus(SAVE);
    for (word, verb) in
        [("tre", "tree"), ("chek", "check"), ("renamekey", "rename-key"), ("convrt", "convert")]
    {
        for files in [&[][..], &[Path::new(&save)], &[Path::new("save.dat")]] {
            let told = refused(2, &[word], files);
            let expected =
                format!("`{word}` is neither a command nor a file; did you mean `{verb}`?");
            assert!(told.contains(&expected), "{told}");
        }
    }
    // An option is not a command.
    let told = run(&["get", "--json"], &[&save]).err;
    assert!(told.contains("unexpected argument '--json'"), "{told}");
    // A file may have the name of a mistyped command.
    let folder = Folder::new();
    fs::copy(&save, folder.path("tre")).unwrap();
    let output = Command::new(PROGRAM).arg("tre").current_dir(folder.path("")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    refused(3, &["/nonexistent/save.dat"], &[]);
}

#[test]
fn help_has_examples_and_statuses() {
    for verb in commands() {
        let help = good(&[&verb, "--help"], &[]).out;
        for part in [&format!("  variant-inspect {verb} "), "Exit status: 0 ", "--max-unpacked"] {
            assert!(help.contains(part), "{verb}: {part}: {help}");
        }
        let short = run(&[&verb, "-h"], &[]).out;
        assert!(!short.contains("--max-unpacked"), "{verb}: {short}");
    }
    let help = run(&["get", "--help"], &[]).out;
    assert!(help.contains(variant_document::query::GRAMMAR), "{help}");
    assert!(help.contains("[env: VARIANT_INSPECT_DIALECT]"), "{help}");
}

/// The save in the examples is `rpg_save.bin` of the corpus. It lacks these paths.
const NOT_IN_THE_SAVE: [(&str, &str, &str); 1] =
    [("get", "thumbnail", "the save has no byte array, which --as raw is for")];

#[test]
fn paths_of_examples_are_in_the_save() {
    let save = corpus("godot3/saves/rpg_save.bin");
    let how = ["--dialect", "godot3", "--framing", "frames"];
    let mut missing = Vec::new();
    for verb in ["get", "hex", "set"] {
        let help = run(&[verb, "--help"], &[]).out;
        let start = format!("  variant-inspect {verb} save.");
        let mut count = 0;
        for line in help.lines().filter_map(|line| line.strip_prefix(&start)) {
            let words: Vec<_> = line.split_whitespace().skip(1).collect();
            let words = match words.as_slice() {
                ["--offset", ..] => continue,
                ["--password-file", _, rest @ ..] | rest => rest,
            };
            let path = words.first().unwrap().trim_matches('\'');
            let found = run(&[&["get", name(&save), path], &how[..]].concat(), &[]);
            if found.code != Some(0) {
                missing.push((verb, path.to_owned()));
            }
            count += 1;
        }
        assert!(count > 0, "{verb}: {help}");
    }
    let expected: Vec<_> =
        NOT_IN_THE_SAVE.iter().map(|(verb, path, _)| (*verb, (*path).to_owned())).collect();
    assert_eq!(missing, expected);
}
