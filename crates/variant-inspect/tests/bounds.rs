//! Hostile files: every command ends with its own message, within 400 MB of address space and a limit of processor
//! time.

#![cfg(target_os = "linux")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the helpers of tests are tests"
)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The limit of processor time of a run in seconds, in a build without optimisation.
const SECONDS: u64 = 20;

/// The limit of wall-clock time in seconds, for runs that hang. Generous for busy machines.
const SECONDS_TO_HANG: u64 = 600;

/// The limits of output: bytes per byte of the file, and a constant.
const PRINTED: u64 = 60;
const PRINTED_ANYHOW: u64 = 1 << 16;

fn u(word: u32) -> Vec<u8> {
    word.to_le_bytes().to_vec()
}

fn len(bytes: &[u8]) -> Vec<u8> {
    u(u32::try_from(bytes.len()).unwrap())
}

/// A text: length, bytes and padding.
fn s(bytes: &[u8]) -> Vec<u8> {
    let padding = vec![0; bytes.len().next_multiple_of(4) - bytes.len()];
    [len(bytes), bytes.to_vec(), padding].concat()
}

/// A String.
fn string(bytes: &[u8]) -> Vec<u8> {
    [u(4), s(bytes)].concat()
}

/// The name and bytes of a file.
type Made = (&'static str, Vec<u8>);

/// Dictionary keys that a hash of kinds alone cannot distinguish.
fn hash_floods() -> Vec<Made> {
    let count: u32 = 12_000;
    let head = [u(27), u(count)].concat();
    let class = |i: u32| [u(0x0002_001c), s(format!("{i:x}").as_bytes()), u(0), u(0)].concat();
    let arrays = (0..count).flat_map(class);
    let dictionary = |i: u32| [u(27), u(1), u(2), u(i), u(0), u(0)].concat();
    let dictionaries = (0..count).flat_map(dictionary);
    vec![
        ("hash-typed-arrays", head.iter().copied().chain(arrays).collect()),
        ("hash-dictionaries", head.iter().copied().chain(dictionaries).collect()),
    ]
}

/// Long keys above many losses or changes.
fn long_keys() -> Vec<Made> {
    let nans = |count: u32| {
        let nan = [u(3), u(f32::NAN.to_bits())].concat();
        [u(28), u(count), nan.repeat(usize::try_from(count).unwrap())].concat()
    };
    let names = |count: u32| {
        let name = [u(21), s(b"n")].concat();
        [u(28), u(count), name.repeat(usize::try_from(count).unwrap())].concat()
    };
    let under = |key: &[u8], value: Vec<u8>| [u(27), u(1), string(key), value].concat();
    let twice = |key: &[u8], value: Vec<u8>| under(key, under(key, value));
    vec![
        ("losses", under(&[b'k'; 400_000], nans(1_000))),
        ("losses-many", under(&[b'k'; 200_000], nans(25_000))),
        ("changes", under(&[b'k'; 80_000], names(6_600))),
        ("changes-odd", twice(b"\x1b]\"'\xe2\x80\xae", names(10_000))),
        ("key-of-bytes", under(&[0xff; 400_000], nans(1_000))),
    ]
}

/// Containers in containers, as elements and as keys.
fn deep() -> Vec<Made> {
    let levels = 1_000;
    let nulls =
        |count: u32| [u(28), u(count), vec![0; usize::try_from(count).unwrap() * 4]].concat();
    let arrays = [u(28), u(1)].concat().repeat(levels);
    let (mut keys, mut typed) = (Vec::new(), nulls(4));
    for _ in 0..levels {
        keys.extend([u(27), u(1)].concat());
        typed = [u(27), u(1), string(b"key"), typed].concat();
    }
    let (key_ends, levels_deep) = (vec![0; levels * 4], [arrays.clone(), nulls(25_000)].concat());
    let floats = [u(0x0001_0003), u(0), u(0x3ff0_0000)].concat();
    let floats = [arrays.clone(), u(28), u(8_000), floats.repeat(8_000)].concat();
    vec![
        ("levels", levels_deep),
        ("levels-wide-floats", floats),
        ("levels-keys", [keys.clone(), nulls(25_000), key_ends].concat()),
        ("levels-names", typed),
        ("too-deep", [u(28), u(1)].concat().repeat(100_000)),
    ]
}

/// Long keys at many levels, below the limit, with values at each level and many at the last.
fn long_ways() -> Vec<Made> {
    let (levels, values) = (900_usize, 8_000_usize);
    let list = [u(28), u(u32::try_from(values).unwrap()), string(b"x").repeat(values)].concat();
    let way = |len: usize| {
        let level = |level| {
            let key = format!("{level:0len$}");
            [u(27), u(2), string(b"n"), string(b"x"), string(key.as_bytes())].concat()
        };
        (0..levels).flat_map(level).chain(list.iter().copied()).collect()
    };
    let of_one_key = [u(27), u(1), string(&b"k".repeat(100_000)), list.clone()].concat();
    vec![("ways", way(190)), ("ways-longer", way(500)), ("way-of-one-key", of_one_key)]
}

/// Claims of more data than present.
fn claims() -> Vec<Made> {
    // zstd: a window of 1 GiB without data, in one block of a compressed file.
    let zstd = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 0x01, 0x00, 0x00][..]].concat();
    let zstd =
        |len: u32| [&b"GCPF"[..], &u(2), &u(u32::MAX), &u(len), &u(9), &zstd, b"GCPF"].concat();
    vec![
        ("zstd-window", zstd(1 << 30)),
        ("zstd-window-small", zstd(16)),
        ("gcpf-blocks", [&b"GCPF"[..], &u(2), &u(1), &u(u32::MAX)].concat()),
        ("gdec", [&b"GDEC"[..], &u(1), &[0; 16], &u64::MAX.to_le_bytes(), &[0; 32]].concat()),
        ("ecfg", [&b"ECFG"[..], &u(u32::MAX), &u(u32::MAX)].concat()),
        ("array", [u(28), u(0x7fff_ffff)].concat()),
        ("frames", [u(4), u(0)].concat().repeat(50_000)),
    ]
}

/// Nested byte arrays, and many possible starts of values.
fn bytes_in_bytes() -> Vec<Made> {
    let mut nested = [u(28), u(20_000), vec![0; 80_000]].concat();
    for _ in 0..50 {
        nested = [u(28), u(1), u(29), len(&nested), nested].concat();
    }
    let starts = [u(28), u(0x00ff_ffff)].concat().repeat(5_000);
    vec![("nested-bytes", nested), ("starts", [starts, vec![0; 200_000]].concat())]
}

struct Limited {
    status: ExitStatus,
    printed: u64,
    told: String,
}

/// A run with limits of memory and processor time; `None` if it hangs.
fn limited(folder: &Path, arguments: &[&str]) -> Option<Limited> {
    let [out, err] = ["out", "err"].map(|name| folder.join(name));
    let mut command = Command::new("sh");
    let line = format!("ulimit -v 400000; ulimit -t {SECONDS}; exec \"$@\"");
    command.args(["-c", &line, "sh"]);
    command.arg(env!("CARGO_BIN_EXE_variant-inspect")).args(arguments).stdin(Stdio::null());
    command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
    let mut child = command.spawn().unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(SECONDS_TO_HANG) {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        sleep(Duration::from_millis(5));
    };
    let told = String::from_utf8_lossy(&fs::read(&err).unwrap()).into_owned();
    let lens = [out, err].map(|path| fs::metadata(path).unwrap().len());
    Some(Limited { status, printed: lens.into_iter().sum(), told })
}

/// Runs every command on a file. Returns the faults in how they end.
fn faults(folder: &Path, name: &str, file: &Path) -> Vec<String> {
    let (path, bytes) = (file.to_str().unwrap(), fs::metadata(file).unwrap().len());
    let target = folder.join("target");
    let target = target.to_str().unwrap();
    let godot4 = ["--dialect", "godot4"];
    let runs: [&[&str]; 11] = [
        &["tree", "--nested"],
        &["tree", "--at", "[0][0]"],
        &["validate", "--profile", "canonical", "-j", "65535"],
        &["json", "--form", "native"],
        &["json", "--form", "plain"],
        &["json", "--form", "exact"],
        &["text"],
        &["reencode", "--canonical"],
        &["convert", "--to", "godot3", "-o", target],
        &["convert", "--to", "godot3", "--strict", "-o", target],
        &["scan"],
    ];
    let others: [&[&str]; 3] = [&["detect"], &["validate"], &["unwrap", "-o", target]];
    let runs = runs.iter().map(|run| [run, &godot4[..], &[path]].concat());
    let others = others.iter().map(|run| [run, &[path][..]].concat());
    runs.chain(others).filter_map(|arguments| fault(folder, name, bytes, &arguments)).collect()
}

/// Runs the commands that print the paths of what they find. Returns the faults in how they end.
fn faults_of_searches(folder: &Path, name: &str, file: &Path) -> Vec<String> {
    let (path, bytes) = (file.to_str().unwrap(), fs::metadata(file).unwrap().len());
    let runs: [&[&str]; 4] = [
        &["grep", "x", path],
        &["grep", "--json", "x", path],
        // Values inside each other are each printed whole, so these down to no level.
        &["get", path, "..[*]", "--depth", "0"],
        &["hex", path],
    ];
    let runs = runs.iter().map(|run| [run, &["--dialect", "godot4"][..]].concat());
    runs.filter_map(|arguments| fault(folder, name, bytes, &arguments)).collect()
}

/// The fault in how a run ends, on a file of this many bytes.
fn fault(folder: &Path, name: &str, bytes: u64, arguments: &[&str]) -> Option<String> {
    let what = format!("{name}: {}", arguments.join(" "));
    let Some(run) = limited(folder, arguments) else { return Some(format!("{what}: hangs")) };
    let is_own = run.status.code().is_some_and(|code| code <= 3);
    let is_told = run.status.success() || run.printed > 0;
    let is_short = run.printed <= bytes * PRINTED + PRINTED_ANYHOW;
    let told: String = run.told.chars().take(200).collect();
    let (status, printed) = (run.status, run.printed);
    (!is_own || !is_told || !is_short || run.told.contains("panicked"))
        .then(|| format!("{what}: {status}, {printed} bytes printed of {bytes}: {told}"))
}

#[track_caller]
fn assert_bounded(made: Vec<Made>) {
    assert_none(made, faults);
}

#[track_caller]
fn assert_none(made: Vec<Made>, faults: fn(&Path, &str, &Path) -> Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<_> = made
        .into_iter()
        .flat_map(|(name, bytes)| {
            let file: PathBuf = folder.path().join(name);
            fs::write(&file, bytes).unwrap();
            faults(folder.path(), name, &file)
        })
        .collect();
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

#[test]
fn floods_of_keys() {
    assert_bounded(hash_floods());
}

#[test]
fn reports_of_long_keys() {
    assert_bounded(long_keys());
}

#[test]
fn paths_of_long_keys_at_many_levels() {
    assert_none(long_ways(), faults_of_searches);
}

#[test]
fn no_more_levels_than_allowed() {
    assert_bounded(deep());
}

#[test]
fn claimed_counts_take_no_memory() {
    assert_bounded(claims());
}

#[test]
fn bytes_in_bytes_behind_a_header() {
    assert_bounded(bytes_in_bytes());
}

/// The output grows with the size of a file, not with its depth.
#[test]
fn a_tree_is_as_long_as_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("levels");
    let levels = |levels| {
        let nulls = [u(28), u(25_000), vec![0; 100_000]].concat();
        [[u(28), u(1)].concat().repeat(levels), nulls].concat()
    };
    let printed = |depth| {
        let bytes = levels(depth);
        fs::write(&file, &bytes).unwrap();
        let run = limited(folder.path(), &["tree", "--dialect", "godot4", file.to_str().unwrap()]);
        run.map(|run| run.printed).unwrap()
    };
    let (shallow, deep) = (printed(50), printed(1_000));
    assert!(deep < shallow + shallow / 10, "{shallow} bytes, and {deep}");
}
