//! Output streams: no control characters, no passwords, no reports among results, no silent loss.

#![cfg(unix)]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{corpus, inspect, text};

const PROGRAM: &str = env!("CARGO_BIN_EXE_variant-inspect");

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn sh(line: &str) -> Output {
    Command::new("sh").args(["-c", line, PROGRAM]).arg(corpus(SAVE)).output().unwrap()
}

const SAVE: &str = "godot4/saves/rpc.variant";

/// Control characters, marks of text direction, and invisible characters.
const HOSTILE: &str =
    "\x1b[31m\x1b]0;title\x07\u{9b}2J\u{202e}\u{2066}\u{200b}\u{200f}\u{2028}\u{2029}\r";

#[track_caller]
fn assert_harmless(printed: &[u8]) {
    let printed = text(printed);
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
        &["validate", "--jobs", HOSTILE],
        &["tree", "--at", HOSTILE, "-", "--dialect", "godot4"],
        &[HOSTILE],
        &["tree", HOSTILE],
        &["detect", HOSTILE],
        &["convert", "--to", "godot4", HOSTILE, "-o", HOSTILE],
        &["from-text", HOSTILE, "-o", "/nonexistent/x", "--like", HOSTILE],
        &["validate", HOSTILE, HOSTILE],
        &["--password-env", HOSTILE, "file"],
        &["--password-file", HOSTILE, "file"],
        &["--key-hex", HOSTILE, "file"],
    ] {
        let output = inspect(arguments, &[]);
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
        assert_harmless(&output.stderr);
        assert_harmless(&output.stdout);
    }
    // Not UTF-8.
    let name = OsStr::from_bytes(b"\x1b[31m\xff");
    let output = Command::new(PROGRAM).args(["tree".as_ref(), name]).output().unwrap();
    assert_harmless(&output.stderr);
}

/// `{HOSTILE: <damage>}`, and a class and a property with this name, in files with such a name.
#[test]
fn what_files_hold_is_shown_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let name = HOSTILE.replace('/', "");
    let path = folder.path().join(&name);
    let mut key = words(&[u32::try_from(name.len()).unwrap()]);
    key.extend(name.as_bytes());
    key.resize(key.len().next_multiple_of(4), 0);
    let string = [words(&[4]), key.clone()].concat();
    let damaged = [words(&[27, 1]), string.clone(), words(&[0xee])].concat();
    let whole = [words(&[27, 1]), string.clone(), string.clone()].concat();
    let object = [words(&[24]), key.clone(), words(&[1]), key.clone(), words(&[0])].concat();
    let dirty = [words(&[27, 1]), string, words(&[4, 1, 0x0161])].concat();
    for bytes in [&damaged, &whole, &object, &dirty] {
        fs::write(&path, bytes).unwrap();
        for arguments in [
            &["tree", "--dialect", "godot4", "--framing", "bare"][..],
            &["tree", "--at", "x", "--dialect", "godot4", "--framing", "bare"],
            &["validate", "--dialect", "godot4"],
            &["validate", "--dialect", "godot4", "--profile", "canonical"],
            &["validate", "--dialect", "godot4", "--limits", "server"],
            &["reencode", "--dialect", "godot4"],
            &["convert", "--to", "godot3", "--dialect", "godot4", "-o", "/dev/null"],
            &["detect"],
            &["scan"],
            &["json", "--form", "exact", "--dialect", "godot4", "--framing", "bare"],
            &["text", "--dialect", "godot4", "--framing", "bare"],
        ] {
            let output = inspect(arguments, &[&path]);
            assert_harmless(&output.stderr);
            assert_harmless(&output.stdout);
        }
    }
}

/// Results before a damaged value are still printed.
#[test]
fn reports_are_not_among_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    // 7, then an invalid value.
    fs::write(&path, words(&[8, 2, 7, 4, 99])).unwrap();
    for (verb, results) in [("text", "7\n"), ("json", "\"i:7\"\n"), ("tree", "--- frame 1")] {
        let output = inspect(&[verb, "--dialect", "godot4", "--framing", "frames"], &[&path]);
        assert_eq!(output.status.code(), Some(1), "{verb}");
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(out.starts_with(results), "{verb}: {out}");
        assert!(!out.contains("invalid"), "{verb}: {out}");
        assert!(err.contains("invalid: header 0x00000063") && err.contains("frame 2"), "{err}");
    }
    for arguments in [&["convert", "--to", "godot3", "-o", "-"][..], &["reencode"]] {
        let arguments = [arguments, &["--dialect", "godot4", "--framing", "frames"]].concat();
        let output = inspect(&arguments, &[&path]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
        assert!(text(&output.stderr).contains("invalid: header 0x00000063"));
    }
}

/// An encrypted file: a key is not asked for unless a file needs one.
fn encrypted(folder: &Path) -> PathBuf {
    let path = folder.join("encrypted");
    fs::write(&path, [&b"GDEC"[..], &[1, 0, 0, 0], &[0; 72]].concat()).unwrap();
    path
}

#[test]
fn a_password_given_by_mistake_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let encrypted = encrypted(folder.path());
    for arguments in
        [["--password-env", "hunter2"], ["--password-file", "hunter2"], ["--key-hex", "hunter2"]]
    {
        for more in [&[][..], &["--bogus"], &["--jobs", "x"]] {
            let arguments = [&["validate"][..], &arguments, more].concat();
            let output = inspect(&arguments, &[&encrypted]);
            assert!([Some(2), Some(3)].contains(&output.status.code()), "{arguments:?}");
            let (out, err) = (text(&output.stdout), text(&output.stderr));
            assert!(!out.contains("hunter2") && !err.contains("hunter2"), "{arguments:?}: {err}");
            assert!(err.contains("error"), "{arguments:?}: {err}");
        }
    }
}

#[test]
fn a_closed_output_is_an_error() {
    for line in [
        "$0 tree $1 >&-",
        "$0 validate $1 >&-",
        "$0 unwrap $1 >&-",
        "$0 convert --to godot3 -o - $1 >&-",
        "$0 tree $1 >&- <&-",
        "$0 tree $1 > /dev/full",
        "$0 unwrap $1 > /dev/full",
    ] {
        let output = sh(line);
        assert_eq!(output.status.code(), Some(3), "{line}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("cannot write"), "{line}: {}", text(&output.stderr));
    }
    for line in ["$0 --help >&-", "$0 --version >&-"] {
        assert_eq!(sh(line).status.code(), Some(3), "{line}");
    }
    // Commands that do not write to standard output succeed.
    let folder = tempfile::tempdir().unwrap();
    let line = format!("$0 unwrap -o {}/out $1 >&-", folder.path().display());
    assert_eq!(sh(&line).status.code(), Some(0));
    // An open output is not mistaken for a closed one.
    for line in ["$0 tree $1 > /dev/null", "$0 tree $1 <> /dev/null >&0"] {
        assert_eq!(sh(line).status.code(), Some(0), "{line}");
    }
}

#[test]
fn a_reader_that_goes_away_is_told_by_the_status() {
    let save = corpus("godot4/saves/save_10k.variant");
    for arguments in [
        &["tree"][..],
        &["text"],
        &["json"],
        &["unwrap"],
        &["convert", "--to", "godot3", "-o", "-"],
    ] {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).arg(&save).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(141), "{arguments:?}");
        assert!(!text(&output.stderr).contains("error"), "{}", text(&output.stderr));
    }
}

#[test]
fn what_is_read_has_an_end() {
    let zeros = "head -c 2000000 /dev/zero";
    for line in [
        "$0 --max-input 1000000 -",
        "$0 validate --max-input 1000000 -",
        "$0 from-text --dialect godot4 --max-input 1000000 - -o /dev/null",
        "$0 from-json --dialect godot4 --max-input 1000000 - -o /dev/null",
        "$0 wrap --compress zstd --max-input 1000000 - -o /dev/null",
        "$0 unwrap --max-input 1000000 /dev/stdin",
    ] {
        let output = sh(&format!("{zeros} | {line}"));
        assert_eq!(output.status.code(), Some(1), "{line}: {}", text(&output.stderr));
        let told = text(&output.stderr);
        assert!(told.contains("longer than 1,000,000 bytes; --max-input"), "{line}: {told}");
    }
    let output = inspect(&["validate", "--max-input", "100", "--no-mmap"], &[&corpus(SAVE)]);
    assert_eq!(output.status.code(), Some(1));
    let folder = tempfile::tempdir().unwrap();
    let encrypted = encrypted(folder.path());
    for (file, what) in [("/dev/zero", "at most 4,096 bytes"), ("/nonexistent", "no such file")] {
        let output = inspect(&["validate", "--password-file", file], &[&encrypted]);
        assert!([Some(2), Some(3)].contains(&output.status.code()));
        assert!(text(&output.stderr).contains(what), "{}", text(&output.stderr));
    }
}

#[test]
fn jobs_have_an_end() {
    let output = inspect(&["validate", "-j", "65535"], &[&corpus(SAVE), &corpus(SAVE)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("--jobs 65535: "), "{}", text(&output.stderr));
    let output = inspect(&["validate", "-j", "2"], &[&corpus(SAVE)]);
    assert!(!text(&output.stderr).contains("--jobs"));
}

#[test]
fn what_was_meant() {
    let save = corpus(SAVE);
    for (word, verb) in
        [("tre", "tree"), ("validat", "validate"), ("fromjson", "from-json"), ("convrt", "convert")]
    {
        for files in [&[][..], &[Path::new(&save)], &[Path::new("save.dat")]] {
            let output = inspect(&[word], files);
            assert_eq!(output.status.code(), Some(2), "{word}");
            let expected =
                format!("`{word}` is neither a command nor a file; did you mean `{verb}`?");
            assert!(text(&output.stderr).contains(&expected), "{}", text(&output.stderr));
        }
    }
    // An option is not a command.
    let output = inspect(&["get", "--json"], &[Path::new(&save)]);
    let told = text(&output.stderr);
    assert!(told.contains("unexpected argument '--json'"), "{told}");
    // A file may have such a name.
    let folder = tempfile::tempdir().unwrap();
    fs::copy(&save, folder.path().join("tre")).unwrap();
    let output = Command::new(PROGRAM).arg("tre").current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let output = inspect(&["/nonexistent/save.dat"], &[]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn help_has_examples_and_statuses() {
    let help = text(&inspect(&["--help"], &[]).stdout);
    let verbs = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let verbs =
        verbs.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let verbs: Vec<_> = verbs.filter(|verb| *verb != "help").collect();
    assert!(verbs.len() >= 12, "{verbs:?}");
    for verb in verbs {
        let help = inspect(&[verb, "--help"], &[]);
        assert_eq!(help.status.code(), Some(0), "{verb}");
        let help = text(&help.stdout);
        assert!(help.contains(&format!("  variant-inspect {verb} ")), "{verb}: {help}");
        assert!(help.contains("Exit status: 0 "), "{verb}: {help}");
    }
}

/// `save.dat` of the examples is `rpg_save.bin` of the corpus, but for these paths.
const NOT_IN_THE_SAVE: [(&str, &str, &str); 1] =
    [("get", "thumbnail", "the save has no byte array, which --as raw is for")];

#[test]
fn paths_of_examples_are_in_the_save() {
    let save = corpus("godot3/saves/rpg_save.bin");
    let how = ["--dialect", "godot3", "--framing", "frames"];
    let mut missing = Vec::new();
    for verb in ["get", "hex", "set"] {
        let help = text(&inspect(&[verb, "--help"], &[]).stdout);
        let start = format!("  variant-inspect {verb} save.");
        let mut count = 0;
        for line in help.lines().filter_map(|line| line.strip_prefix(&start)) {
            let words: Vec<_> = line.split_whitespace().skip(1).collect();
            let words = match words.as_slice() {
                ["--offset", ..] => continue,
                ["--password-file", _, rest @ ..] | rest => rest,
            };
            let path = words.first().unwrap().trim_matches('\'');
            let found = inspect(&[&["get", save.to_str().unwrap(), path], &how[..]].concat(), &[]);
            if found.status.code() != Some(0) {
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
