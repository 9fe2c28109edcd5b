//! `check --jobs`: the output does not depend on the number of threads.

use std::path::{Path, PathBuf};

use crate::common::{Folder, Run, corpus, inspect_with, run};
use variant_testkit::corpus::files;

/// Checks that `check` has the same output and status with one thread and with several. Returns the run.
fn assert_alike(arguments: &[&str], files: &[&Path]) -> Run {
    let validate = |jobs| run(&[&["check", "--jobs", jobs], arguments].concat(), files);
    let one = validate("1");
    for jobs in ["0", "4"] {
        assert_eq!(validate(jobs), one, "{jobs} jobs");
    }
    one
}

/// The output for several files is the output for each file, in order.
#[test]
fn every_file_of_the_corpus() {
    let mut files = files().unwrap();
    files.insert(files.len() / 2, "/nonexistent/save.bin".into());
    let files: Vec<_> = files.iter().map(PathBuf::as_path).collect();
    assert!(files.len() > 100);

    assert_eq!(assert_alike(&[], &files).code, Some(3), "the worst of them");
    let arguments = ["--dialect", "godot4", "--limits", "server", "--no-mmap"];
    let all = run(&[&["check", "--jobs", "4"], &arguments[..]].concat(), &files);
    let alone = |file: &&Path| run(&[&["check"], &arguments[..]].concat(), &[*file]);
    let (out, err): (Vec<_>, Vec<_>) =
        files.iter().map(alone).map(|run| (run.out, run.err)).unzip();
    assert_eq!((all.out, all.err), (out.concat(), err.concat()));
}

/// `{"hp": 7}` as Godot 4 writes it, after a length prefix.
const FRAME: &[u8] =
    b"\x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
/// More frames than fit into one batch, and more batches than threads.
const FRAMES: usize = 20_000;
/// The offset of the number's header in a frame.
const NUMBER: usize = 24;

/// [`FRAMES`] frames. The frames in `damaged` are damaged.
fn frames(damaged: &[usize]) -> Vec<u8> {
    let mut bytes = FRAME.repeat(FRAMES);
    for frame in damaged {
        bytes[frame * FRAME.len() + NUMBER] = 0xee;
    }
    bytes
}

#[test]
fn many_frames() {
    let folder = Folder::new();
    let told = assert_alike(&[], &[&folder.file("frames.bin", &frames(&[]))]).expect(0).out;
    let totals =
        ": ok: godot4, 20,000 frames, 60,000 values, depth 1, 560,000 bytes, none trailing\n";
    assert!(told.ends_with(totals), "{told}");
}

#[test]
fn the_first_damaged_frame_is_told() {
    let folder = Folder::new();
    for damaged in [&[0, 19_999][..], &[511, 512], &[512, 9_000], &[12_345, 12_346], &[19_999]] {
        let file = folder.file("damaged.bin", &frames(damaged));
        let told = assert_alike(&[], &[&file]).expect(1).out;
        let at = damaged[0] * FRAME.len() + NUMBER;
        let first = format!("names no type of this dialect at byte {at} in frame ");
        assert!(told.contains(&first), "{told}");
        assert_eq!(told.matches("invalid").count(), 1);
    }
}

#[test]
fn a_cut_frame_is_told_if_all_before_it_are_whole() {
    let folder = Folder::new();
    for (damaged, words) in
        [(&[][..], "frame 20001: byte 640000: the length prefix"), (&[19_998], "names no type")]
    {
        let bytes = [&frames(damaged)[..], &FRAME[..16]].concat();
        let file = folder.file("cut.bin", &bytes);
        let told = assert_alike(&["--dialect", "godot4"], &[&file]).expect(1).out;
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn bytes_behind_values_are_told_from_the_first() {
    let folder = Folder::new();
    let mut bytes = frames(&[]);
    // The header of the frame's value becomes that of an int, so the value ends before the end of the frame.
    for frame in [700, 15_000] {
        bytes[frame * FRAME.len() + 4] = 2;
    }
    let file = folder.file("trailing.bin", &bytes);
    let told = assert_alike(&["--dialect", "godot4", "--framing", "frames"], &[&file]).out;
    // 22,412 is the length of 700 frames of 32 bytes, of the next length prefix, and of the int.
    assert!(told.ends_with(", 40 bytes trailing from byte 22,412\n"), "{told}");
}

/// Files of many frames, some damaged, between small files.
#[test]
fn many_files_of_many_frames() {
    let folder = Folder::new();
    let whole = folder.file("whole.bin", &frames(&[]));
    let damaged = folder.file("damaged.bin", &frames(&[3_000, 4_000]));
    let (small, broken) =
        (corpus("godot4/saves/rpc.variant"), corpus("damaged/unknown_type.variant"));
    let some: [&Path; 5] = [&whole, &small, &damaged, &broken, &whole];
    let told = assert_alike(&[], &some.repeat(4)).expect(1).out;
    let verdicts = told.lines().filter(|line| line.contains("valid: ")).count();
    assert_eq!((verdicts, told.matches(": ok: ").count()), (8, 12));
}

#[test]
fn standard_input_has_its_turn() {
    let (small, input) = (corpus("godot4/saves/rpc.variant"), Path::new("-"));
    for files in [&[&*small, input, &small][..], &[input, &small, input, input]] {
        let [one, several] = ["1", "4"].map(|jobs| {
            let files = files.iter().map(|file| file.to_str().unwrap());
            let arguments: Vec<_> = ["check", "-j", jobs].into_iter().chain(files).collect();
            Run::from(inspect_with(&arguments, &frames(&[])))
        });
        assert_eq!(several, one);
        assert!(one.out.contains("standard input: ok: godot4, 20,000 frames"), "{}", one.out);
    }
}

#[test]
fn jobs_are_a_number_and_have_an_end() {
    let save = corpus("godot4/saves/rpc.variant");
    for (jobs, status, is_noted) in [
        ("-1", 2, false),
        ("many", 2, false),
        ("100000", 2, false),
        ("65535", 0, true),
        ("2", 0, false),
    ] {
        let told = run(&["check", "-j", jobs], &[&save, &save]).expect(status).err;
        assert_eq!(told.contains(&format!("note: --jobs {jobs}: ")), is_noted, "{jobs}");
    }
}
