//! Output files: pipes and devices are written in place. Regular files keep their links, owner and mode.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use crate::common::{Folder, Run, corpus, name, refused, run};

const SAVE: &str = "godot4/saves/rpc.variant";
const PROGRAM: &str = env!("CARGO_BIN_EXE_variant-inspect");

/// Writes the plain bytes of a save to `output`.
fn write_to(output: &Path) -> Run {
    run(&["unwrap", "-o"], &[output, &corpus(SAVE)])
}

#[track_caller]
fn assert_written(run: Run, path: &Path) -> String {
    let told = run.expect(0).err;
    assert_eq!(fs::read(path).unwrap(), fs::read(corpus(SAVE)).unwrap());
    told
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

/// Runs a shell line. The program is `$0`, and a save is `$1`.
fn bash(line: &str, folder: &Path) -> Run {
    let mut command = Command::new("bash");
    command.args(["-c", line, PROGRAM]).arg(corpus(SAVE)).current_dir(folder);
    command.output().unwrap().into()
}

#[test]
fn a_pipe_is_written_to_and_stays() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = pipe.clone();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        fs::File::open(reader).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    });
    let run = write_to(&pipe);
    // If the pipe were replaced, the reader would wait forever.
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    run.expect(0);
    assert_eq!(reader.join().unwrap(), fs::read(corpus(SAVE)).unwrap());
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_device_is_written_to_and_stays() {
    let before = fs::metadata("/dev/null").unwrap();
    let folder = Folder::new();
    let link = folder.path("null");
    symlink("/dev/null", &link).unwrap();
    // The device is opened through a link, so that a fault replaces only the link.
    write_to(&link).expect(0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let after = fs::metadata("/dev/null").unwrap();
    assert!(after.file_type().is_char_device());
    assert_eq!((after.ino(), after.rdev()), (before.ino(), before.rdev()));
}

#[test]
fn links_are_followed() {
    let folder = Folder::new();
    let file = folder.file("file", b"old");
    let [link, below, far] = ["link", "below/link", "far"].map(|name| folder.path(name));
    fs::create_dir(folder.path("below")).unwrap();
    symlink("file", &link).unwrap();
    symlink("../link", &below).unwrap();
    symlink(&below, &far).unwrap();
    assert_written(write_to(&far), &file);
    for link in [&link, &below, &far] {
        assert!(fs::symlink_metadata(link).unwrap().is_symlink(), "{}", link.display());
    }
    // A link to a missing file.
    let [new, hanging] = ["new", "hanging"].map(|name| folder.path(name));
    symlink("new", &hanging).unwrap();
    assert_written(write_to(&hanging), &new);
    assert!(fs::symlink_metadata(&hanging).unwrap().is_symlink());
    // Links in a circle.
    let [one, other] = ["one", "other"].map(|name| folder.path(name));
    symlink(&one, &other).unwrap();
    symlink(&other, &one).unwrap();
    let told = refused(3, &["unwrap", "-o"], &[&one, &corpus(SAVE)]);
    assert!(told.contains("cannot be written"), "{told}");
}

#[test]
fn rights_are_kept() {
    let folder = Folder::new();
    for kept in [0o640, 0o600, 0o666, 0o755] {
        let file = folder.file("file", b"old");
        fs::set_permissions(&file, Permissions::from_mode(kept)).unwrap();
        let owner = |file: &Path| fs::metadata(file).map(|file| (file.uid(), file.gid())).unwrap();
        let before = owner(&file);
        assert_written(write_to(&file), &file);
        assert_eq!((mode(&file), owner(&file)), (kept, before), "{kept:o}");
    }
}

#[test]
fn a_new_file_has_the_rights_of_any_other() {
    let folder = Folder::new();
    for (mask, expected) in [("022", 0o644), ("027", 0o640), ("077", 0o600), ("000", 0o666)] {
        let line = format!("umask {mask}; $0 unwrap -o new{mask} $1");
        let file = folder.path(&format!("new{mask}"));
        assert_written(bash(&line, &folder.path("")), &file);
        assert_eq!(mode(&file), expected, "{mask}");
    }
}

#[test]
fn what_the_shell_opens_is_written_to() {
    let folder = Folder::new();
    let (here, out) = (folder.path(""), folder.path("out"));
    for line in [
        "$0 unwrap -o >(cat > out; touch done) $1; while [ ! -e done ]; do sleep 0.05; done",
        "$0 unwrap -o /dev/stdout $1 > out",
        "$0 unwrap -o /dev/stdout $1 | cat > out",
        "$0 unwrap -o /dev/fd/1 $1 > out",
        "$0 unwrap -o /dev/fd/3 $1 3> out",
        "$0 unwrap -o - $1 > out",
        "$0 unwrap $1 > out",
    ] {
        let told = assert_written(bash(line, &here), &out);
        assert!(!told.contains("error"), "{line}: {told}");
        fs::remove_file(&out).unwrap();
    }
    // The output is appended to the contents of the file.
    bash("echo first > out; $0 unwrap -o /dev/fd/3 $1 3>> out", &here).expect(0);
    assert!(fs::read(&out).unwrap().starts_with(b"first\n"));
}

#[test]
fn the_input_is_never_touched_by_any_name() {
    let folder = Folder::new();
    let [file, soft, hard] = ["file", "soft", "hard"].map(|name| folder.path(name));
    fs::copy(corpus(SAVE), &file).unwrap();
    symlink(&file, &soft).unwrap();
    fs::hard_link(&file, &hard).unwrap();
    for output in [&file, &soft, &hard] {
        for input in [&file, &soft] {
            let told = refused(2, &["unwrap", "-o"], &[output, input]);
            assert!(told.contains("the output is the input"), "{told}");
        }
    }
    for line in [
        "$0 unwrap -o file - < file",
        "$0 unwrap -o - file >> file",
        "$0 convert --to godot3 -o file file",
        "$0 unwrap -o /dev/fd/3 file 3<> file",
    ] {
        assert_eq!(bash(line, &folder.path("")).code, Some(2), "{line}");
    }
    refused(2, &["from-text", "-", "--like", name(&file), "-o"], &[&file]);
    assert_eq!(fs::read(&file).unwrap(), fs::read(corpus(SAVE)).unwrap());
}

#[test]
fn what_cannot_be_written_is_told_and_stays() {
    let folder = Folder::new();
    for (output, why) in [
        (folder.path(""), "directory"),
        ("/dev/full".into(), "space"),
        (folder.path("missing/out"), "No such file"),
    ] {
        let told = refused(3, &["unwrap", "-o"], &[&output, &corpus(SAVE)]);
        assert!(told.contains("cannot be written") && told.contains(why), "{told}");
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_file_of_several_names_is_written_in_place() {
    let folder = Folder::new();
    let old = "old, and longer than what is written: ".repeat(1_000);
    let (file, other) = (folder.file("file", old.as_bytes()), folder.path("other"));
    fs::hard_link(&file, &other).unwrap();
    let before = fs::metadata(&file).unwrap().ino();
    let told = assert_written(write_to(&file), &file);
    assert_eq!(fs::read(&other).unwrap(), fs::read(&file).unwrap());
    assert_eq!(fs::metadata(&file).unwrap().ino(), before);
    assert!(told.contains("file: written in place, not replaced: it has hard links"), "{told}");
}

/// Runs the line, as an unprivileged user if the tests run as root. `None` if the user cannot be changed.
fn as_nobody(line: &str, folder: &Path) -> Option<Run> {
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
    command.args([&program, &save]).current_dir(folder);
    // If another test forks a process during the copy, the process keeps the copy open for writing until `exec`.
    for _ in 0..1_000 {
        let run = Run::from(command.output().ok()?);
        if !run.err.contains("Text file busy") {
            return Some(run);
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the copy of the program stays open");
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
    let Some(run) = as_nobody("$0 unwrap -o closed/file $1", folder.path()) else {
        eprintln!("not asked: there is no setpriv");
        return;
    };
    let told = assert_written(run, &closed.join("file"));
    assert!(told.contains("written in place, not replaced: its folder is not writable"), "{told}");
    let owner = |path: &Path| fs::metadata(path).map(|file| (file.uid(), file.gid())).unwrap();
    let before = owner(&open.join("file"));
    let run = as_nobody("$0 unwrap -o open/file $1", folder.path()).unwrap();
    let told = assert_written(run, &open.join("file"));
    assert_eq!((mode(&open.join("file")), owner(&open.join("file"))), (0o666, before));
    let is_own = !told.contains("in place");
    assert!(is_own || told.contains("a new file cannot keep its owner and group"), "{told}");
    fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
}
