//! `set` and similar commands write files: nothing is lost, and the bytes around a value are unchanged.

mod engines;

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crate::common::{BARE, Folder, Run, corpus, good, name, refused, run, words};
use fs4::fs_std::FileExt as _;

const SAVE: &str = "godot4/saves/sample3.variant";
fn save() -> Vec<u8> {
    fs::read(corpus(SAVE)).unwrap()
}

/// Runs `set` on a file. Returns the exit status and the messages.
fn set(arguments: &[&str], file: &Path) -> (Option<i32>, String) {
    let run = run(&[&["set", name(file)], arguments, &BARE].concat(), &[]);
    (run.code, run.err + &run.out)
}

fn get(path: &str, file: &Path) -> String {
    run(&[&["get", name(file), path], &BARE[..]].concat(), &[]).out.trim_end().to_owned()
}

fn count(folder: &Folder) -> usize {
    fs::read_dir(folder.path("")).unwrap().count()
}

#[test]
fn the_old_file_is_kept() {
    let (folder, old) = (Folder::new(), save());
    let (file, kept) = (folder.file("save", &old), folder.path("save~"));
    let (status, said) = set(&["version", "77"], &file);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!((get("version", &file).as_str(), fs::read(&kept).unwrap()), ("77", old.clone()));
    let once = fs::read(&file).unwrap();
    assert_eq!(set(&["version", "78"], &file).0, Some(0));
    assert_eq!(fs::read(&kept).unwrap(), once);
    fs::remove_file(&kept).unwrap();
    assert_eq!(set(&["version", "79", "--no-backup"], &file).0, Some(0));
    assert!(!kept.exists());
}

#[test]
fn what_is_refused_changes_nothing() {
    let (folder, old) = (Folder::new(), save());
    let file = folder.file("save", &old);
    for (arguments, status, why) in [
        (&["nothing", "5"][..], 1, "no key \"nothing\""),
        (&["version", "bare words"], 2, "--string"),
        (&["version", "5", "name"], 2, "needs a LITERAL"),
        (&["a[", "5"], 1, "column"),
        (&["entities[*].zz", "5"], 1, "nothing is at the path"),
        (&["entities[?!..zz]", "5"], 1, "column"),
        (&["name", "\"another length\"", "--in-place"], 2, "without --in-place"),
        (&["version", "5", "-o", name(&file)], 2, "the output is the input"),
        (&["{0:key}", "5"], 1, "rename-key"),
    ] {
        let (found, said) = set(arguments, &file);
        assert_eq!(found, Some(status), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert_eq!(fs::read(&file).unwrap(), old, "{arguments:?}");
        assert_eq!(count(&folder), 1, "{arguments:?}");
    }
    let (status, said) = set(&["version", "5", "--dry-run"], &file);
    assert_eq!((status, fs::read(&file).unwrap()), (Some(0), old), "{said}");
    assert!(said.contains("- version: 4\n+ version: 5\n"), "{said}");
}

#[test]
fn in_place_only_the_value_is_written() {
    let (folder, old) = (Folder::new(), save());
    let file = folder.file("save", &old);
    let mut before = fs::File::open(&file).unwrap();
    assert_eq!(set(&["version", "5", "--in-place", "--no-backup"], &file).0, Some(0));
    assert_eq!(get("version", &file), "5");
    // The file that was opened before the change has the new bytes, so the file was not replaced.
    let mut seen = Vec::new();
    before.read_to_end(&mut seen).unwrap();
    assert_eq!(seen, fs::read(&file).unwrap());
    assert_eq!(old.iter().zip(&seen).filter(|(old, new)| old != new).count(), 1);
}

#[test]
fn two_changes_are_kept_apart() {
    let folder = Folder::new();
    let file = folder.file("save", &save());
    let other = fs::File::open(&file).unwrap();
    other.lock_exclusive().unwrap();
    let (status, said) = set(&["version", "5"], &file);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("another program is changing this file"), "{said}");
    assert_eq!(get("version", &file), "4");
    // The file is unlocked instead of closed, because a process that another test starts may hold it open for a moment.
    other.unlock().unwrap();
    assert_eq!(set(&["version", "5"], &file).0, Some(0));
}

#[cfg(unix)]
#[test]
fn links_and_modes_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new();
    let (file, link) = (folder.file("save", &save()), folder.path("link"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&file, &link).unwrap();
    let (status, said) = set(&["version", "6"], &link);
    assert_eq!(status, Some(0), "{said}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(get("version", &file), "6");
    for path in [file, folder.path("save~")] {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{path:?}");
    }
    assert_eq!(set(&["version", "6"], &folder.path("")).0, Some(3));
}

#[test]
fn layers_stay() {
    let folder = Folder::new();
    for from in ["godot4/containers/save200.zstd.gcpf", "godot4/containers/save20.fastlz.gcpf"] {
        let file = folder.file("save", &fs::read(corpus(from)).unwrap());
        for more in [&[][..], &["--plain"]] {
            good(&[&["set", name(&file), "version", "123"], more].concat(), &[]);
            assert_eq!(fs::read(&file).unwrap().starts_with(b"GCPF"), more.is_empty(), "{from}");
            assert_eq!(good(&["get", name(&file), "version"], &[]).out, "123\n", "{from}");
            good(&["check"], &[&file]);
        }
    }
}

/// A text file that a console printed is read, but never overwritten.
#[test]
fn bytes_that_were_printed_are_read() {
    let (folder, save) = (Folder::new(), save());
    let out = folder.path("out");
    let numbers = save.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let hex: Vec<String> = save.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    for (printed, form) in [
        (format!("[{numbers}]\n"), "bytes"),
        (format!("{{{numbers}}}"), "bytes"),
        (format!("PackedByteArray({numbers})"), "bytes"),
        (hex.clone(), "hex"),
        (hex.to_uppercase(), "auto"),
    ] {
        let file = folder.file("printed", printed.as_bytes());
        let read = good(&["get", "--input", form, name(&file), "version"], &[]);
        assert_eq!(read.out, "4\n", "{form}: {read:?}");
        // Without `--input`, the message proposes the right form.
        let said = run(&["get", name(&file), "version"], &[]).err;
        let advice = if form == "bytes" { "--input bytes" } else { "--input hex" };
        assert!(said.contains(advice) && !said.contains("base64"), "{form}: {said}");
        let (status, said) = set(&["version", "5", "--input", form], &file);
        assert_eq!(status, Some(2), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), printed);
        let (status, said) = set(&["version", "5", "--input", form, "-o", name(&out)], &file);
        assert_eq!(status, Some(0), "{said}");
        assert_eq!(get("version", &out), "5");
    }
    refused(1, &["get", "--input", "hex", name(&out), "version"], &[]);
}

/// Commands read the files of a folder, but not the old files that `set` keeps next to them.
#[test]
fn old_files_are_left_out_of_folders() {
    let folder = Folder::new();
    for name in ["one", "two"] {
        folder.file(name, &save());
    }
    assert_eq!(set(&["version", "5"], &folder.path("one")).0, Some(0));
    assert!(folder.path("one~").exists());
    folder.file(".variant-inspect-1-abcdef.part", b"half");
    // There is no file `other`, so `other~` is the only copy of its content, and is read.
    folder.file("other~", &save());
    for verb in ["check", "schema", "stats", "audit", "detect"] {
        let Run { out: told, err: said, .. } = run(&[verb, "-r"], &[&folder.path("")]);
        assert!(said.contains("2 old files"), "{verb}: {said}");
        assert!(!told.contains("one~") && !told.contains(".part"), "{verb}: {told}");
        assert!(verb == "schema" || told.contains("other~"), "{verb}: {told}");
    }
    good(&["check"], &[&folder.path("one~")]);
    #[cfg(feature = "table")]
    {
        let table = ["table", "--columns", "_file, version", "-o", "-", "--format", "jsonl"];
        let Run { out: told, err: said, .. } = run(&table, &[&folder.path("")]);
        assert_eq!(told.lines().count(), 3, "{told}");
        assert!(said.contains("2 old files"), "{said}");
    }
}

/// Runs `set` without a backup in a shell that allows only files of 64 KiB.
#[cfg(unix)]
fn set_without_room(before: &str, file: &Path, arguments: &[&str]) -> Run {
    let line = format!("{before} ulimit -f 128; exec \"$0\" set --no-backup \"$@\"");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &line, env!("CARGO_BIN_EXE_variant-inspect"), name(file)]);
    command.args(arguments).output().unwrap().into()
}

/// The write of a megabyte is interrupted by a signal, as by Ctrl-C, or fails, as on a full disk.
#[cfg(unix)]
#[test]
fn a_change_that_is_cut_short_leaves_the_file() {
    let old = fs::read(corpus("godot3/saves/rpg_save.bin")).unwrap();
    for (before, status) in [("", None), ("trap '' XFSZ;", Some(3))] {
        let folder = Folder::new();
        let file = folder.file("large", &old);
        let set = ["version", "9", "--dialect", "godot3", "--framing", "frames"];
        let Run { code, err: said, .. } = set_without_room(before, &file, &set);
        assert_eq!(code, status, "{said}");
        assert!(fs::read(&file).unwrap() == old);
        if status.is_some() {
            assert!(said.contains("File too large") && said.contains("large"), "{said}");
            assert_eq!(count(&folder), 1);
        }
    }
}

/// A file with a second hard link is overwritten in place. A signal ends the program while it writes, and a copy keeps
/// the old bytes.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_replaced_has_a_way_back() {
    let (folder, old) = (Folder::new(), save());
    let (file, link) = (folder.file("save", &old), folder.path("link"));
    fs::hard_link(&file, &link).unwrap();
    // The value is longer than the 64 KiB that the shell allows for a file, so a signal ends the program while it
    // writes.
    let text_of = "x".repeat(100_000);
    let arguments = [&["name", &text_of, "--string"], &BARE[..]].concat();
    let Run { code, err: said, .. } = set_without_room("", &file, &arguments);
    assert_eq!(code, None, "{said}");
    assert_ne!(fs::read(&file).unwrap(), old, "it was not in the middle of it");
    let copy = said.split("its old bytes are in ").nth(1).and_then(|rest| rest.lines().next());
    assert_eq!(fs::read(copy.unwrap()).unwrap(), old, "{said}");
    // A complete run leaves no copy.
    fs::remove_file(copy.unwrap()).unwrap();
    fs::write(&file, &old).unwrap();
    assert_eq!(set(&["version", "9", "--no-backup"], &file).0, Some(0));
    assert_eq!(get("version", &link), "9");
    assert_eq!(count(&folder), 2);
}

/// Three frames of two gigabytes, sparse: they take some kilobytes of the disk.
#[cfg(unix)]
#[test]
fn files_of_more_than_four_gigabytes() {
    use std::os::unix::fs::FileExt as _;
    const LEN: u32 = 0x7fff_ff00;
    let folder = Folder::new();
    let path = folder.path("huge");
    let file = fs::File::create(&path).unwrap();
    let mut at = 0;
    for _ in 0..3 {
        let head = [LEN + 8, 29, LEN].map(u32::to_le_bytes).concat();
        file.write_all_at(&head, at).unwrap();
        at += u64::from(LEN) + 12;
    }
    let last = [8_u32, 2, 7].map(u32::to_le_bytes).concat();
    file.write_all_at(&last, at).unwrap();
    let how = ["--dialect", "godot4", "--framing", "frames"];
    let told = run(&[&["check"], &how[..]].concat(), &[&path]).out;
    assert!(told.contains("4 frames, 4 values, depth 0, 6,442,450,208 bytes"), "{told}");
    let told = run(&[&["tree", "--offsets"], &how[..]].concat(), &[&path]).out;
    assert!(told.contains("frame 4") && told.trim_end().ends_with('7'), "{told}");
}

/// If several frames have a value at the path, `set` needs the number of one frame, or `--all-frames`.
#[test]
fn frames_are_changed_only_if_named() {
    let folder = Folder::new();
    let old = words(&[8, 2, 100, 8, 1, 1]);
    let file = folder.file("save", &old);
    let run = |arguments: &[&str]| {
        let run = run(&[arguments, &["--dialect", "godot4", "--framing", "frames"]].concat(), &[]);
        (run.code, run.said())
    };
    for path in ["", "(root)"] {
        let (status, said) = run(&["set", name(&file), path, "5"]);
        assert!(status == Some(1) && said.contains("--all-frames"), "{said}");
        assert_eq!(fs::read(&file).unwrap(), old);
    }
    let (_, said) = run(&["get", name(&file), ""]);
    assert_eq!(said, "frame 1: (root): 100\nframe 2: (root): true\n");
    assert_eq!(run(&["get", name(&file), "", "--frame", "2"]), (Some(0), "true\n".to_owned()));
    assert_eq!(run(&["get", name(&file), "frame 1: (root)"]), (Some(0), "100\n".to_owned()));
    let shown = "- frame 1: (root): 100\n+ frame 1: (root): 5\n".to_owned();
    assert_eq!(run(&["set", name(&file), "frame 1: (root)", "5", "-n"]), (Some(0), shown));
    assert_eq!(run(&["set", name(&file), "", "5", "--all-frames", "--no-backup"]).0, Some(0));
    assert_eq!(fs::read(&file).unwrap(), words(&[8, 2, 5, 8, 2, 5]));
}

#[test]
fn settings_are_addressed_by_name() {
    let project = corpus("godot4/saves/project.binary");
    let run = |verb: &str, more: &[&str]| good(&[&[verb, name(&project)], more].concat(), &[]).out;
    let keys = run("keys", &[]);
    assert!(keys.lines().any(|line| line == "application/config/name"), "{keys}");
    for setting in keys.lines() {
        let value = run("get", &[setting]);
        assert!(!value.is_empty(), "{setting}");
        run("hex", &[setting]);
        assert!(run("flatten", &["--at", setting]).starts_with(setting), "{setting}");
        run("tree", &["--at", setting]);
        let said = run("set", &[setting, "\"another\"", "-n"]);
        assert!(
            said.contains(&format!(": {setting}: ")) || said.contains(&format!(" {setting}: ")),
            "{said}"
        );
    }
    let found = good(&["grep", ".", name(&project)], &[]).out;
    assert!(found.lines().count() > 1 && !found.contains("setting "), "{found}");
}

/// A dry run reports a change of type as a real run does.
#[test]
fn a_dry_run_says_that_a_type_changes() {
    let folder = Folder::new();
    let file = folder.file("save", &save());
    let wanted = "version changes its type: it was int, and is String now";
    for more in [&["-n"][..], &["--no-backup"]] {
        let (status, said) = set(&[&["version", "\"text\""], more].concat(), &file);
        assert!(status == Some(0) && said.contains(wanted), "{said}");
    }
}
