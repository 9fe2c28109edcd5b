//! Every command ends with its own message for hostile files, within 400 MB of address space and a limit of processor
//! time.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The limit of processor time of a run, in seconds, for a build without optimisation.
const SECONDS: u64 = 20;

/// The limit of wall-clock time of a run, in seconds. It is long because machines may be busy.
const SECONDS_TO_HANG: u64 = 600;

/// The limit of output is the sum of two numbers: `PRINTED` bytes for each byte of the file, and `PRINTED_ANYHOW`
/// bytes.
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

fn string(bytes: &[u8]) -> Vec<u8> {
    [u(4), s(bytes)].concat()
}

const EVERY: &[&str] = &[
    "tree --nested --dialect godot4 FILE",
    "tree --at [0][0] --dialect godot4 FILE",
    "check --profile canonical -j 65535 --dialect godot4 FILE",
    "json --form native --dialect godot4 FILE",
    "json --form plain --dialect godot4 FILE",
    "json --form exact --dialect godot4 FILE",
    "text --dialect godot4 FILE",
    "convert --to godot3 -o TARGET --dialect godot4 FILE",
    "convert --to godot3 --strict -o TARGET --dialect godot4 FILE",
    "scan --dialect godot4 FILE",
    "detect FILE",
    "check FILE",
    "unwrap -o TARGET FILE",
];

/// The commands that find values and print their paths.
const SEARCHES: &[&str] = &[
    "grep --dialect godot4 x FILE",
    "grep --json --dialect godot4 x FILE",
    // `get ..[*]` prints a nested value again for each container around it. So only one level is printed.
    "get --depth 0 --dialect godot4 FILE ..[*]",
    "hex --dialect godot4 FILE",
];

type Made = (&'static str, Vec<u8>);

/// Many keys of one kind, which all collide if a hash covers only the kinds of the values in a key.
#[test]
fn floods_of_keys() {
    let count: u32 = 12_000;
    let head = [u(27), u(count)].concat();
    let class = |i: u32| [u(0x0002_001c), s(format!("{i:x}").as_bytes()), u(0), u(0)].concat();
    let arrays = (0..count).flat_map(class);
    let dictionary = |i: u32| [u(27), u(1), u(2), u(i), u(0), u(0)].concat();
    let dictionaries = (0..count).flat_map(dictionary);
    let made = vec![
        ("hash-typed-arrays", head.iter().copied().chain(arrays).collect()),
        ("hash-dictionaries", head.iter().copied().chain(dictionaries).collect()),
    ];
    assert_bounded(EVERY, made);
}

/// Many losses or changes in a value whose path has a long key.
#[test]
fn reports_of_long_keys() {
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
    let made = vec![
        ("losses", under(&[b'k'; 400_000], nans(1_000))),
        ("losses-many", under(&[b'k'; 200_000], nans(25_000))),
        ("changes", under(&[b'k'; 80_000], names(6_600))),
        ("changes-odd", twice(b"\x1b]\"'\xe2\x80\xae", names(10_000))),
        ("key-of-bytes", under(&[0xff; 400_000], nans(1_000))),
    ];
    assert_bounded(EVERY, made);
}

/// Containers in containers, as elements and as keys.
#[test]
fn no_more_levels_than_allowed() {
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
    let made = vec![
        ("levels", levels_deep),
        ("levels-wide-floats", floats),
        ("levels-keys", [keys.clone(), nulls(25_000), key_ends].concat()),
        ("levels-names", typed),
        ("too-deep", [u(28), u(1)].concat().repeat(100_000)),
    ];
    assert_bounded(EVERY, made);
}

/// Long keys at fewer levels than the limit, with a short value at each level and many values at the last level.
#[test]
fn paths_of_long_keys_at_many_levels() {
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
    assert_bounded(
        SEARCHES,
        vec![("ways", way(190)), ("ways-longer", way(500)), ("way-of-one-key", of_one_key)],
    );
}

/// Each file claims more data than it has.
#[test]
fn claimed_counts_take_no_memory() {
    // zstd: a window of 1 GiB without data, in one block of a compressed file.
    let zstd = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 0x01, 0x00, 0x00][..]].concat();
    let zstd =
        |len: u32| [&b"GCPF"[..], &u(2), &u(u32::MAX), &u(len), &u(9), &zstd, b"GCPF"].concat();
    let made = vec![
        ("zstd-window", zstd(1 << 30)),
        ("zstd-window-small", zstd(16)),
        ("gcpf-blocks", [&b"GCPF"[..], &u(2), &u(1), &u(u32::MAX)].concat()),
        ("gdec", [&b"GDEC"[..], &u(1), &[0; 16], &u64::MAX.to_le_bytes(), &[0; 32]].concat()),
        ("ecfg", [&b"ECFG"[..], &u(u32::MAX), &u(u32::MAX)].concat()),
        ("array", [u(28), u(0x7fff_ffff)].concat()),
        ("frames", [u(4), u(0)].concat().repeat(50_000)),
    ];
    assert_bounded(EVERY, made);
}

/// Byte arrays that contain byte arrays, and many bytes that look like the start of a value.
#[test]
fn bytes_in_bytes_behind_a_header() {
    let mut nested = [u(28), u(20_000), vec![0; 80_000]].concat();
    for _ in 0..50 {
        nested = [u(28), u(1), u(29), len(&nested), nested].concat();
    }
    let starts = [u(28), u(0x00ff_ffff)].concat().repeat(5_000);
    assert_bounded(
        EVERY,
        vec![("nested-bytes", nested), ("starts", [starts, vec![0; 200_000]].concat())],
    );
}

/// Waits for the end of a run. Kills a run that hangs, and returns `None` for it.
pub(crate) fn end_of(mut child: Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// A run with limits of memory and processor time: its status, the number of printed bytes, and its messages. `None` if
/// the run hangs.
fn limited(folder: &Path, arguments: &[&str]) -> Option<(ExitStatus, u64, String)> {
    let [out, err] = ["out", "err"].map(|name| folder.join(name));
    let mut command = Command::new("sh");
    let line = format!("ulimit -v 400000; ulimit -t {SECONDS}; exec \"$@\"");
    command.args(["-c", &line, "sh"]);
    command.arg(env!("CARGO_BIN_EXE_variant-inspect")).args(arguments).stdin(Stdio::null());
    command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
    let status = end_of(command.spawn().unwrap(), Duration::from_secs(SECONDS_TO_HANG))?;
    let told = String::from_utf8_lossy(&fs::read(&err).unwrap()).into_owned();
    let lens = [out, err].map(|path| fs::metadata(path).unwrap().len());
    Some((status, lens.into_iter().sum(), told))
}

/// The fault of a run on a file of `bytes` bytes: it hangs, has the wrong status, or prints too much or a panic.
fn fault(folder: &Path, name: &str, bytes: u64, arguments: &[&str]) -> Option<String> {
    let what = format!("{name}: {}", arguments.join(" "));
    let Some((status, printed, told)) = limited(folder, arguments) else {
        return Some(format!("{what}: hangs"));
    };
    let is_own = status.code().is_some_and(|code| code <= 3);
    let is_told = status.success() || printed > 0;
    let is_short = printed <= bytes * PRINTED + PRINTED_ANYHOW;
    let start: String = told.chars().take(200).collect();
    (!is_own || !is_told || !is_short || told.contains("panicked"))
        .then(|| format!("{what}: {status}, {printed} bytes printed of {bytes}: {start}"))
}

/// Runs commands on files, and reports the faults.
#[track_caller]
fn assert_bounded(runs: &[&str], made: Vec<Made>) {
    let folder = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for (name, bytes) in made {
        let [file, target] = [name, "target"].map(|name| folder.path().join(name));
        fs::write(&file, &bytes).unwrap();
        let len = u64::try_from(bytes.len()).unwrap();
        for run in runs {
            let arguments = run.split(' ').map(|argument| match argument {
                "FILE" => file.to_str().unwrap(),
                "TARGET" => target.to_str().unwrap(),
                other => other,
            });
            all.extend(fault(folder.path(), name, len, &arguments.collect::<Vec<_>>()));
        }
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
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
        run.unwrap().1
    };
    let (shallow, deep) = (printed(50), printed(1_000));
    assert!(deep < shallow + shallow / 10, "{shallow} bytes, and {deep}");
}
