//! `validate --jobs`: the output does not depend on the number of threads.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "the helpers of tests are tests"
)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{corpus, inspect, text};
use tempfile::TempDir;

/// The outputs and the status of `validate` with one thread, and with several.
fn assert_alike(arguments: &[&str], files: &[&Path]) -> Output {
    let validate = |jobs| inspect(&[&["validate", "--jobs", jobs], arguments].concat(), files);
    let one = validate("1");
    for jobs in ["0", "4"] {
        let several = validate(jobs);
        assert_eq!(text(&several.stdout), text(&one.stdout), "{jobs} jobs");
        assert_eq!(text(&several.stderr), text(&one.stderr), "{jobs} jobs");
        assert_eq!(several.status.code(), one.status.code(), "{jobs} jobs");
    }
    one
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// The output for several files is that of each file, in order.
#[test]
fn every_file_of_the_corpus() {
    let mut files = Vec::new();
    files_below(&corpus(""), &mut files);
    files.insert(files.len() / 2, "/nonexistent/save.bin".into());
    let files: Vec<_> = files.iter().map(PathBuf::as_path).collect();
    assert!(files.len() > 100);

    assert_eq!(assert_alike(&[], &files).status.code(), Some(3), "the worst of them");
    let arguments = ["--dialect", "godot4", "--limits", "server", "--no-mmap"];
    let all = assert_alike(&arguments, &files);
    let alone = |file: &&Path| inspect(&[&["validate"], &arguments[..]].concat(), &[*file]);
    let alone: Vec<_> = files.iter().map(alone).collect();
    let out: Vec<_> = alone.iter().flat_map(|run| run.stdout.clone()).collect();
    let err: Vec<_> = alone.iter().flat_map(|run| run.stderr.clone()).collect();
    assert_eq!(text(&all.stdout), text(&out));
    assert_eq!(text(&all.stderr), text(&err));
}

/// `{"hp": 7}` as Godot 4 writes it, after a length prefix.
const FRAME: &[u8] =
    b"\x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
/// More frames than one batch, and more batches than threads.
const FRAMES: usize = 20_000;
/// The offset of the number's header in a frame.
const NUMBER: usize = 24;

fn save(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// [`FRAMES`] frames, with these damaged.
fn frames(damaged: &[usize]) -> Vec<u8> {
    let mut bytes = FRAME.repeat(FRAMES);
    for frame in damaged {
        bytes[frame * FRAME.len() + NUMBER] = 0xee;
    }
    bytes
}

#[test]
fn many_frames() {
    let folder = tempfile::tempdir().unwrap();
    let file = save(&folder, "frames.bin", &frames(&[]));
    let run = assert_alike(&[], &[&file]);
    assert_eq!(run.status.code(), Some(0));
    let totals =
        ": ok: godot4, 20,000 frames, 60,000 values, depth 1, 560,000 bytes, none trailing\n";
    assert!(text(&run.stdout).ends_with(totals), "{}", text(&run.stdout));
}

#[test]
fn the_first_damaged_frame_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for damaged in [&[0, 19_999][..], &[511, 512], &[512, 9_000], &[12_345, 12_346], &[19_999]] {
        let file = save(&folder, "damaged.bin", &frames(damaged));
        let run = assert_alike(&[], &[&file]);
        assert_eq!(run.status.code(), Some(1));
        let at = damaged[0] * FRAME.len() + NUMBER;
        let first = format!("names no type of this dialect at byte {at} in frame ");
        assert!(text(&run.stdout).contains(&first), "{}", text(&run.stdout));
        assert_eq!(text(&run.stdout).matches("invalid").count(), 1);
    }
}

#[test]
fn a_cut_frame_is_told_if_all_before_it_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    for (damaged, words) in
        [(&[][..], "frame 20001: byte 640000: the length prefix"), (&[19_998], "names no type")]
    {
        let bytes = [&frames(damaged)[..], &FRAME[..16]].concat();
        let file = save(&folder, "cut.bin", &bytes);
        let run = assert_alike(&["--dialect", "godot4"], &[&file]);
        assert_eq!(run.status.code(), Some(1));
        assert!(text(&run.stdout).contains(words), "{}", text(&run.stdout));
    }
}

#[test]
fn bytes_behind_values_are_told_from_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = frames(&[]);
    // A number that ends the frame too early.
    for frame in [700, 15_000] {
        bytes[frame * FRAME.len() + 4] = 2;
    }
    let file = save(&folder, "trailing.bin", &bytes);
    let run = assert_alike(&["--dialect", "godot4", "--framing", "frames"], &[&file]);
    let trailing = format!(", 40 bytes trailing from byte {}\n", grouped(700 * FRAME.len() + 12));
    assert!(text(&run.stdout).ends_with(&trailing), "{}", text(&run.stdout));
}

fn grouped(n: usize) -> String {
    format!("{},{:03}", n / 1000, n % 1000)
}

/// Files of many frames, some of them damaged, between small ones.
#[test]
fn many_files_of_many_frames() {
    let folder = tempfile::tempdir().unwrap();
    let whole = save(&folder, "whole.bin", &frames(&[]));
    let damaged = save(&folder, "damaged.bin", &frames(&[3_000, 4_000]));
    let (small, broken) =
        (corpus("godot4/saves/rpc.variant"), corpus("damaged/unknown_type.variant"));
    let some: [&Path; 5] = [&whole, &small, &damaged, &broken, &whole];
    let run = assert_alike(&[], &some.repeat(4));
    assert_eq!(run.status.code(), Some(1));
    let verdicts = text(&run.stdout).lines().filter(|line| line.contains("valid: ")).count();
    assert_eq!(verdicts, 8);
    assert_eq!(text(&run.stdout).matches(": ok: ").count(), 12);
}

/// The output of `validate` for `input` and files.
fn with_input(jobs: &str, files: &[&Path], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
        .args(["validate", "-j", jobs])
        .args(files)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn standard_input_has_its_turn() {
    let (small, input) = (corpus("godot4/saves/rpc.variant"), Path::new("-"));
    for files in [&[&*small, input, &small][..], &[input, &small, input, input]] {
        let (one, several) =
            (with_input("1", files, &frames(&[])), with_input("4", files, &frames(&[])));
        assert_eq!(text(&several.stdout), text(&one.stdout));
        assert_eq!(text(&several.stderr), text(&one.stderr));
        assert_eq!(several.status.code(), one.status.code());
        assert!(text(&one.stdout).contains("standard input: ok: godot4, 20,000 frames"));
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let file = corpus("damaged/unknown_type.variant");
    let mut child = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
        .args(["validate", "--jobs", "4", "--dialect", "godot4", "--framing", "bare"])
        .args(vec![file; 2000])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(141), ""));
}

#[test]
fn jobs_are_a_number() {
    for jobs in ["-1", "many", "100000"] {
        let run = inspect(&["validate", "--jobs", jobs], &[&corpus("godot4/saves/rpc.variant")]);
        assert_eq!(run.status.code(), Some(2), "{jobs}");
    }
}
