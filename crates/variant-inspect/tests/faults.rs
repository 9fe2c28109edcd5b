//! Nothing is lost if a system call fails, the program is killed, the disk is full, or a game writes the file at the
//! same time. `strace` injects the faults. Without `strace` these tests check nothing.
//!
//! The ignored tests inject each fault at each call, print the number of faults, and take about a minute:
//! `cargo test -p variant-inspect --all-features --test faults -- --ignored --nocapture`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::case_sensitive_file_extension_comparisons,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::struct_field_names,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[allow(dead_code, reason = "the helpers of all tests")]
mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{corpus, inspect, text};

const SAVE: &str = "godot4/saves/sample3.variant";
const SET: [&str; 6] = ["version", "77", "--dialect", "godot4", "--framing", "bare"];
/// The bytes of `save~`, the old file of an earlier change.
const OLDER: &[u8] = b"an older file";

/// How the command writes a changed file: it replaces the file by a rename, overwrites it in place as requested, or
/// overwrites it because the file has a second hard link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Replace,
    InPlace,
    Linked,
}

/// The way, and whether the old file is kept.
#[derive(Clone, Copy, Debug)]
struct How(Way, bool);

const KEPT: [How; 3] = [How(Way::Replace, true), How(Way::InPlace, true), How(Way::Linked, true)];

impl How {
    fn arguments(self) -> Vec<&'static str> {
        let keeping = if self.1 { None } else { Some("--no-backup") };
        keeping.into_iter().chain((self.0 == Way::InPlace).then_some("--in-place")).collect()
    }

    /// Whether a fault may leave a file that is neither old nor new.
    fn is_overwritten(self) -> bool {
        self.0 != Way::Replace
    }
}

/// A folder with the file `save` and the older file `save~`.
struct Folder {
    folder: tempfile::TempDir,
    how: How,
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Folder {
    fn new(how: How) -> Self {
        let old = fs::read(corpus(SAVE)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("made");
        fs::write(&made, &old).unwrap();
        let set = [&["set", made.to_str().unwrap(), "--no-backup"], &SET[..]].concat();
        assert!(inspect(&set, &[]).status.success());
        let new = fs::read(&made).unwrap();
        assert_eq!((new.len(), new == old), (old.len(), false));
        fs::remove_file(&made).unwrap();
        Self { folder, how, old, new }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("save")
    }

    /// Writes the files before a change.
    fn lay_out(&self) {
        for entry in fs::read_dir(self.folder.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        fs::write(self.file(), &self.old).unwrap();
        fs::write(self.folder.path().join("save~"), OLDER).unwrap();
        if self.how.0 == Way::Linked {
            fs::hard_link(self.file(), self.folder.path().join("link")).unwrap();
        }
    }

    /// All files by their names.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let named = |path: PathBuf| (path.file_name().unwrap().to_str().unwrap().to_owned(), path);
        entries.map(named).map(|(name, path)| (name, fs::read(path).unwrap())).collect()
    }

    /// Runs the change as an argument of another command.
    fn run_after(&self, mut command: Command) -> Output {
        command.arg("set").arg(self.file()).args(SET).args(self.how.arguments());
        command.output().unwrap()
    }

    /// Runs the change with a fault. Returns `None` if the fault did not occur.
    fn run(&self, calls: &str, fault: &str) -> Option<Output> {
        self.lay_out();
        let log = tempfile::NamedTempFile::new().unwrap();
        let output = self.traced(calls, fault, log.path());
        let log = fs::read_to_string(log.path()).unwrap();
        (log.contains("(INJECTED)") || log.contains("killed by SIGKILL")).then_some(output)
    }

    fn traced(&self, calls: &str, fault: &str, log: &Path) -> Output {
        let mut command = Command::new("strace");
        command.arg("-f").arg("-o").arg(log);
        command.args(["-e", &format!("trace={calls}"), "-e", &format!("inject={calls}:{fault}")]);
        command.arg(env!("CARGO_BIN_EXE_variant-inspect"));
        // With this variable, the program would look for each library in every folder of cargo.
        command.env_remove("LD_LIBRARY_PATH");
        self.run_after(command)
    }

    /// After a failure, nothing has changed, or the message names the file with the old bytes.
    fn check_failure(&self, output: &Output, what: &str) {
        let (files, said) = (self.files(), text(&output.stderr));
        let is_named = |name: &&String| said.contains(name.as_str());
        let is_old_named = files
            .iter()
            .any(|(name, bytes)| *bytes == self.old && name != "save" && is_named(&name));
        let what = format!("{what}: {:?}: {said}\n{:?}", output.status, files.keys());
        let kept = if self.how.1 { &self.old[..] } else { OLDER };
        // `is_done` is also true if only the last message could not be printed.
        let is_done = files["save"] == self.new && files["save~"] == kept;
        if output.status.success() {
            assert!(is_done, "{what}");
        } else if files["save"] == self.old {
            assert_eq!(files["save~"], OLDER, "{what}");
        } else {
            assert!(is_old_named || is_done, "{what}");
        }
        // Files that end in `.part` are harmless, because the next run removes them.
        let is_other = |name: &&String| {
            !["save", "save~", "link"].contains(&name.as_str()) && !name.ends_with(".part")
        };
        for name in files.keys().filter(is_other) {
            assert!(is_named(&name), "{what}: {name} is left");
        }
    }

    /// After every fault, some file has the old bytes, unless the change is complete and keeps no backup. A file that
    /// is replaced, and not overwritten, is never incomplete.
    fn check_kill(&self, what: &str) {
        let files = self.files();
        let what = format!("{what}: {:?}", files.keys());
        let is_whole = [&self.old, &self.new].contains(&&files["save"]);
        assert!(is_whole || self.how.is_overwritten(), "{what}");
        assert!([&self.old[..], OLDER].contains(&&files["save~"][..]), "{what}");
        let has_old =
            |(name, bytes): (&String, &Vec<u8>)| !name.ends_with(".part") && *bytes == self.old;
        let is_written = files["save"] == self.new && !self.how.1;
        assert!(files.iter().any(has_old) || is_written, "{what}");
    }

    /// The next run removes the files that a killed run left. It prints the names of files that it does not remove.
    fn check_next(&self, what: &str) {
        fs::write(self.file(), &self.old).unwrap();
        let output = self.run_after(Command::new(env!("CARGO_BIN_EXE_variant-inspect")));
        let said = text(&output.stderr);
        assert!(output.status.success(), "{what}: {said}");
        for name in self.files().keys().filter(|name| name.starts_with('.')) {
            assert!(
                !name.ends_with(".part") && said.contains(name.as_str()),
                "{what}: {name}: {said}"
            );
        }
    }
}

fn has_strace() -> bool {
    let mut command = Command::new("strace");
    let can = command.args(["-o", "/dev/null", "true"]).output();
    let can = can.is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("not asked: there is no strace");
    }
    can
}

/// Calls that change files.
const WRITES: [&str; 6] = [
    "write",
    "fsync,fdatasync",
    "rename,renameat,renameat2",
    "copy_file_range,sendfile",
    "fchmod,fchown",
    "unlink,unlinkat,ftruncate",
];

/// Calls that find and read files, also those of the program itself.
const READS: [&str; 4] = ["openat", "read,pread64", "statx,newfstatat,fstat", "mmap"];

/// The maximum number of system calls of one kind in a run.
const MOST: usize = 30;

/// For each way to change a file, injects a fault at each of these system calls.
fn each_call(all: &[&str], fault: &str, check: impl Fn(&Folder, &Output, &str)) {
    if !has_strace() {
        return;
    }
    let mut injected = 0;
    for how in KEPT.into_iter().flat_map(|how| [how, How(how.0, false)]) {
        let (folder, mut faults) = (Folder::new(how), 0);
        for calls in all {
            for n in 1..=MOST {
                let fault = fault.replace("when=N", &format!("when={n}"));
                let Some(output) = folder.run(calls, &fault) else { break };
                assert!(n < MOST, "{calls}");
                check(&folder, &output, &format!("{how:?}, {calls}, {fault}"));
                faults += 1;
            }
        }
        assert!(faults > 5, "{how:?}");
        injected += faults;
    }
    println!("{fault}: {injected} faults");
}

#[test]
fn a_rename_that_fails_changes_nothing() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new(KEPT[0]);
    for n in 1..=MOST {
        let fault = format!("error=EIO:when={n}");
        let Some(output) = folder.run(WRITES[2], &fault) else {
            assert!(n > 2, "{n}");
            return;
        };
        folder.check_failure(&output, &fault);
    }
}

#[test]
#[ignore = "takes half a minute"]
fn a_call_that_fails_changes_nothing() {
    for error in ["error=EIO:when=N", "error=ENOSPC:when=N"] {
        each_call(&WRITES, error, Folder::check_failure);
    }
}

/// The file, its folder, or the program itself cannot be read, or has vanished.
#[test]
#[ignore = "takes a minute"]
fn a_read_that_fails_changes_nothing() {
    for error in ["error=EIO:when=N", "error=ENOENT:when=N"] {
        each_call(&READS, error, Folder::check_failure);
    }
}

/// From the N-th call on, all calls fail, including calls that write messages.
#[test]
#[ignore = "takes half a minute"]
fn a_full_disk_loses_nothing() {
    each_call(&WRITES, "error=ENOSPC:when=N+", |folder, _, what| folder.check_kill(what));
}

#[test]
#[ignore = "takes half a minute"]
fn a_kill_loses_nothing_and_the_next_run_cleans_up() {
    each_call(&WRITES, "signal=KILL:when=N", |folder, _, what| {
        folder.check_kill(what);
        folder.check_next(what);
    });
}

/// The clock of a console or of an archive was wrong.
#[test]
fn a_file_of_any_time_is_changed() {
    let year = std::time::Duration::from_secs(31_556_952);
    let epoch = std::time::SystemTime::UNIX_EPOCH;
    for time in [epoch - 60 * year, epoch, epoch + 400 * year] {
        for how in KEPT {
            let folder = Folder::new(how);
            folder.lay_out();
            let save = fs::File::options().write(true).open(folder.file()).unwrap();
            save.set_modified(time).unwrap();
            let output = folder.run_after(Command::new(env!("CARGO_BIN_EXE_variant-inspect")));
            let what = format!("{time:?} {how:?}: {}", text(&output.stderr));
            assert!(output.status.success(), "{what}");
            let files = folder.files();
            assert_eq!((&files["save"], &files["save~"]), (&folder.new, &folder.old), "{what}");
        }
    }
}

/// The way in which a game writes its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Game {
    Truncates,
    Renames,
    /// Overwrites the file, and keeps its length and its modification time.
    Resets,
    Removes,
}

impl Game {
    fn write(self, path: &Path, bytes: &[u8]) {
        match self {
            Self::Truncates => fs::write(path, bytes).unwrap(),
            Self::Renames => {
                let other = path.with_file_name("game");
                fs::write(&other, bytes).unwrap();
                fs::rename(other, path).unwrap();
            }
            Self::Removes => fs::remove_file(path).unwrap(),
            Self::Resets => {
                let modified = fs::metadata(path).unwrap().modified().unwrap();
                fs::write(path, bytes).unwrap();
                fs::File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
            }
        }
    }
}

/// The game writes while a call waits: before the sync of the new file, and between the last check and the rename.
#[test]
fn what_a_game_writes_meanwhile_is_not_lost() {
    if !has_strace() {
        return;
    }
    for (how, call, n, game) in [
        (KEPT[0], "fsync", 1, Game::Truncates),
        (KEPT[0], "fsync", 1, Game::Renames),
        (How(Way::Replace, false), "fsync", 1, Game::Resets),
        (KEPT[0], "renameat2", 2, Game::Truncates),
        (How(Way::Replace, false), "renameat2", 2, Game::Renames),
        (KEPT[1], "fsync", 1, Game::Truncates),
        (KEPT[2], "fsync", 1, Game::Truncates),
        (KEPT[0], "fsync", 1, Game::Removes),
        (How(Way::Replace, false), "renameat2", 2, Game::Removes),
        (KEPT[1], "fsync", 1, Game::Removes),
    ] {
        let folder = Folder::new(how);
        folder.lay_out();
        let of_game = folder.old.iter().map(|byte| byte ^ 0xff).collect::<Vec<_>>();
        let log = tempfile::NamedTempFile::new().unwrap();
        let fault = format!("delay_enter=700000:when={n}");
        let output = std::thread::scope(|scope| {
            let run = scope.spawn(|| folder.traced(call, &fault, log.path()));
            // `strace` writes the call to its log when the call begins to wait.
            let has_begun = || fs::read_to_string(log.path()).unwrap().matches(call).count() >= n;
            while !has_begun() && !run.is_finished() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            game.write(&folder.file(), &of_game);
            run.join().unwrap()
        });
        let (files, said) = (folder.files(), text(&output.stderr));
        let what = format!("{how:?} {call} {game:?}: {said}");
        assert_eq!(output.status.code(), Some(3), "{what}");
        assert!(said.contains("changed meanwhile"), "{what}");
        let left = (game != Game::Removes).then_some(&of_game);
        assert_eq!(files.get("save"), left, "{what}");
        assert_eq!(files["save~"], OLDER, "{what}");
        if !how.is_overwritten() {
            assert_eq!(files["save.new"], folder.new, "{what}");
            assert!(said.contains("save.new"), "{what}");
        }
    }
}
