//! Output files: pipes and devices are written in place; regular files keep their links, owner and mode.

#![cfg(unix)]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{corpus, inspect, text};

const SAVE: &str = "godot4/saves/rpc.variant";
const PROGRAM: &str = env!("CARGO_BIN_EXE_variant-inspect");

/// Writes the plain bytes of a save to `output`.
fn write_to(output: &Path) -> Output {
    inspect(&["unwrap", "-o"], &[output, &corpus(SAVE)])
}

#[track_caller]
fn assert_written(output: &Output, path: &Path) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(fs::read(path).unwrap(), fs::read(corpus(SAVE)).unwrap());
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

/// Runs a shell line, with the program as `$0` and a save as `$1`.
fn bash(line: &str, folder: &Path) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", line, PROGRAM]).arg(corpus(SAVE)).current_dir(folder).output().unwrap()
}

#[test]
fn a_pipe_is_written_to_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = pipe.clone();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        fs::File::open(reader).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    });
    let output = write_to(&pipe);
    // If the pipe were replaced, the reader would wait forever.
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(reader.join().unwrap(), fs::read(corpus(SAVE)).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

/// The device itself is not at risk: replacing it needs write access to its folder.
#[test]
fn a_device_is_written_to_and_stays() {
    let before = fs::metadata("/dev/null").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("null");
    symlink("/dev/null", &link).unwrap();
    // Through a link, so that a fault replaces the link and not the device.
    let output = write_to(&link);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let after = fs::metadata("/dev/null").unwrap();
    assert!(after.file_type().is_char_device());
    assert_eq!((after.ino(), after.rdev()), (before.ino(), before.rdev()));
}

#[test]
fn links_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let [file, link, far] = ["file", "link", "far"].map(|name| folder.path().join(name));
    fs::create_dir(folder.path().join("below")).unwrap();
    let below = folder.path().join("below/link");
    fs::write(&file, "old").unwrap();
    symlink("file", &link).unwrap();
    symlink("../link", &below).unwrap();
    symlink(folder.path().join("below/link"), &far).unwrap();
    assert_written(&write_to(&far), &file);
    for link in [&link, &below, &far] {
        assert!(fs::symlink_metadata(link).unwrap().is_symlink(), "{}", link.display());
    }
    // A link to a missing file.
    let [new, hanging] = ["new", "hanging"].map(|name| folder.path().join(name));
    symlink("new", &hanging).unwrap();
    assert_written(&write_to(&hanging), &new);
    assert!(fs::symlink_metadata(&hanging).unwrap().is_symlink());
    // Links in a circle.
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    symlink(&one, &other).unwrap();
    symlink(&other, &one).unwrap();
    let output = write_to(&one);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("cannot be written"), "{}", text(&output.stderr));
}

#[test]
fn rights_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    for kept in [0o640, 0o600, 0o666, 0o755] {
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(kept)).unwrap();
        let owner = |file: &Path| fs::metadata(file).map(|file| (file.uid(), file.gid())).unwrap();
        let before = owner(&file);
        assert_written(&write_to(&file), &file);
        assert_eq!((mode(&file), owner(&file)), (kept, before), "{kept:o}");
    }
}

#[test]
fn a_new_file_has_the_rights_of_any_other() {
    let folder = tempfile::tempdir().unwrap();
    for (mask, expected) in [("022", 0o644), ("027", 0o640), ("077", 0o600), ("000", 0o666)] {
        let line = format!("umask {mask}; $0 unwrap -o new{mask} $1");
        let output = bash(&line, folder.path());
        let file = folder.path().join(format!("new{mask}"));
        assert_written(&output, &file);
        assert_eq!(mode(&file), expected, "{mask}");
    }
}

#[test]
fn what_the_shell_opens_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for line in [
        "$0 unwrap -o >(cat > out; touch done) $1; while [ ! -e done ]; do sleep 0.05; done",
        "$0 unwrap -o /dev/stdout $1 > out",
        "$0 unwrap -o /dev/stdout $1 | cat > out",
        "$0 unwrap -o /dev/fd/1 $1 > out",
        "$0 unwrap -o /dev/fd/3 $1 3> out",
        "$0 unwrap -o - $1 > out",
        "$0 unwrap $1 > out",
    ] {
        let output = bash(line, folder.path());
        assert!(!text(&output.stderr).contains("error"), "{line}: {}", text(&output.stderr));
        assert_written(&output, &out);
        fs::remove_file(&out).unwrap();
    }
    // Existing contents are kept.
    let output = bash("echo first > out; $0 unwrap -o /dev/fd/3 $1 3>> out", folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(fs::read(&out).unwrap().starts_with(b"first\n"));
}

#[test]
fn the_input_is_never_touched_by_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let [file, soft, hard] = ["file", "soft", "hard"].map(|name| folder.path().join(name));
    fs::copy(corpus(SAVE), &file).unwrap();
    symlink(&file, &soft).unwrap();
    fs::hard_link(&file, &hard).unwrap();
    for output in [&file, &soft, &hard] {
        for input in [&file, &soft] {
            let run = inspect(&["unwrap", "-o"], &[output, input]);
            assert_eq!(run.status.code(), Some(2), "{}", output.display());
            assert!(text(&run.stderr).contains("the output is the input"));
        }
    }
    for line in [
        "$0 unwrap -o file - < file",
        "$0 unwrap -o - file >> file",
        "$0 unwrap -o /dev/fd/3 file 3<> file",
    ] {
        assert_eq!(bash(line, folder.path()).status.code(), Some(2), "{line}");
    }
    let like = ["from-text", "-", "--like", file.to_str().unwrap(), "-o"];
    assert_eq!(inspect(&like, &[&file]).status.code(), Some(2));
    assert_eq!(fs::read(&file).unwrap(), fs::read(corpus(SAVE)).unwrap());
}

#[test]
fn what_cannot_be_written_is_told_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    for (output, why) in [(folder.path().to_owned(), "directory"), ("/dev/full".into(), "space")] {
        let run = write_to(&output);
        assert_eq!(run.status.code(), Some(3), "{}", output.display());
        let told = text(&run.stderr);
        assert!(told.contains("cannot be written") && told.contains(why), "{told}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_file_of_several_names_is_written_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let [file, other] = ["file", "other"].map(|name| folder.path().join(name));
    fs::write(&file, "old, and longer than what is written: ".repeat(1_000)).unwrap();
    fs::hard_link(&file, &other).unwrap();
    let before = fs::metadata(&file).unwrap().ino();
    let output = write_to(&file);
    assert_written(&output, &file);
    assert_written(&output, &other);
    assert_eq!(fs::metadata(&file).unwrap().ino(), before);
    let told = text(&output.stderr);
    assert!(told.contains("file: written in place, not replaced: it has hard links"), "{told}");
}

/// Runs the line as an unprivileged user, if the tests run as root.
fn as_nobody(line: &str, folder: &Path) -> Option<Output> {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if !is_root {
        return Some(bash(line, folder));
    }
    let program = folder.join("program");
    let save = folder.join("save");
    fs::copy(PROGRAM, &program).unwrap();
    fs::copy(corpus(SAVE), &save).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "bash", "-c", line]);
    command.args([&program, &save]).current_dir(folder).output().ok()
}

#[test]
fn a_file_in_a_folder_that_is_not_to_be_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let [closed, open] = ["closed", "open"].map(|name| folder.path().join(name));
    for (path, mode) in [(&closed, 0o755), (&open, 0o777)] {
        fs::create_dir(path).unwrap();
        fs::write(path.join("file"), "old").unwrap();
        fs::set_permissions(path.join("file"), Permissions::from_mode(0o666)).unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
    let Some(output) = as_nobody("$0 unwrap -o closed/file $1", folder.path()) else {
        eprintln!("not asked: there is no setpriv");
        return;
    };
    assert_written(&output, &closed.join("file"));
    let told = text(&output.stderr);
    assert!(told.contains("written in place, not replaced: its folder is not writable"), "{told}");
    let owner = |path: &Path| fs::metadata(path).map(|file| (file.uid(), file.gid())).unwrap();
    let before = owner(&open.join("file"));
    let output = as_nobody("$0 unwrap -o open/file $1", folder.path()).unwrap();
    assert_written(&output, &open.join("file"));
    assert_eq!((mode(&open.join("file")), owner(&open.join("file"))), (0o666, before));
    let told = text(&output.stderr);
    let is_own = !told.contains("in place");
    assert!(is_own || told.contains("a new file cannot keep its owner and group"), "{told}");
    fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
}
