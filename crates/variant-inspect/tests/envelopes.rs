//! Commands keep the envelope of a file: framing, compression, encryption, settings, leading bytes.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop"
)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{corpus, inspect, text};
use tempfile::TempDir;

const KEY: [&str; 2] =
    ["--key-hex", "01080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3da"];

/// A folder for test files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    /// A file with the layers of `how`.
    fn wrapped(&self, plain: &[u8], how: &[&str]) -> PathBuf {
        let plain = self.file("plain", plain);
        let wrapped = self.path("wrapped");
        if how.is_empty() {
            return plain;
        }
        run(&[&["wrap", "-o", name(&wrapped)], how, &KEY].concat(), &plain);
        wrapped
    }
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A successful run.
#[track_caller]
fn run(arguments: &[&str], file: &Path) -> Output {
    let output = inspect(arguments, &[file]);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    output
}

fn run_with(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// The plain bytes of a file, and one line for each layer.
fn inside(file: &Path) -> (Vec<u8>, Vec<String>) {
    let output = run(&[&["unwrap"], &KEY[..]].concat(), file);
    let layers = text(&output.stderr);
    // The part after the file name.
    let layers = layers.lines().filter_map(|line| line.split(": ").nth(2));
    // The block size is kept, the size of the file may change.
    let layers = layers.map(|line| line.split(", ").next().unwrap().to_owned());
    (output.stdout, layers.collect())
}

/// `{"hp": 7}` in a frame, as Godot 4 and Godot 3 write it.
fn save(dialect: &str) -> Vec<u8> {
    let kind = if dialect == "godot4" { 27 } else { 18 };
    let hp = u32::from_le_bytes(*b"hp\0\0");
    words(&[28, kind, 1, 4, 2, hp, 2, 7])
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const LAYERS: [&[&str]; 7] = [
    &[],
    &["--compress", "fastlz"],
    &["--compress", "zstd", "--block-size", "512"],
    &["--compress", "gzip"],
    &["--encrypt", "godot3"],
    &["--encrypt", "godot4"],
    &["--compress", "zstd", "--encrypt", "godot4"],
];

#[test]
fn convert_keeps_what_is_around_the_values() {
    let folder = Folder::new();
    let new = folder.path("new");
    for how in LAYERS {
        let old = folder.wrapped(&save("godot3"), how);
        let convert = ["convert", "--to", "godot4", "-o", name(&new)];
        let output = run(&[&convert[..], &KEY].concat(), &old);
        let (bytes, layers) = inside(&new);
        assert_eq!(bytes, save("godot4"), "{how:?}");
        assert_eq!(layers, inside(&old).1, "{how:?}");
        let told = text(&output.stderr);
        assert!(told.contains("note: kept: frames"), "{told}");
        assert_eq!(told.contains("zstd in blocks of"), how.contains(&"zstd"), "{told}");
        let is_encrypted = how.contains(&"--encrypt");
        assert_eq!(told.contains("encrypted with the same key"), is_encrypted, "{told}");

        let output = run(&[&convert[..], &["--plain"], &KEY].concat(), &old);
        assert_eq!(fs::read(&new).unwrap(), save("godot4"));
        let told = text(&output.stderr);
        assert_eq!(told.contains("note: dropped: "), !how.is_empty(), "{told}");
    }
}

#[test]
fn another_framing_is_told() {
    let folder = Folder::new();
    let old = folder.wrapped(&save("godot3"), &["--compress", "zstd"]);
    let new = folder.path("new");
    let to = ["convert", "--to", "godot4", "--to-framing", "bare", "-o", name(&new)];
    let output = run(&to, &old);
    assert_eq!(inside(&new).0, save("godot4")[4..]);
    let told = text(&output.stderr);
    assert!(told.contains("note: changed: frames to one bare value"), "{told}");
    assert!(told.contains("note: kept: zstd in blocks of 4,096 bytes"), "{told}");
}

/// A file of one block of brotli: a window of 22 bits, and its 32 bytes as they are.
fn in_brotli(plain: &[u8]) -> Vec<u8> {
    assert_eq!(plain.len(), 32);
    let block = [&[0x8b, 0x0f, 0x80][..], plain, &[3]].concat();
    let block_len = u32::try_from(block.len()).unwrap();
    [b"GCPF", &words(&[4, 4_096, 32, block_len])[..], &block, b"GCPF"].concat()
}

/// Brotli can only be read.
#[test]
fn what_cannot_be_written_is_told() {
    let folder = Folder::new();
    let new = folder.path("new");
    let brotli = folder.file("brotli", &in_brotli(&save("godot4")));
    let convert = ["convert", "--to", "godot3", "--dialect", "godot4", "-o", name(&new)];
    let output = inspect(&convert, &[&brotli]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("--plain writes"), "{}", text(&output.stderr));
    assert!(!new.exists());
    run(&[&convert[..], &["--plain"]].concat(), &brotli);
    assert_eq!(fs::read(&new).unwrap(), save("godot3"));
}

/// A small value of `store_var` may also be a bare value of another engine; it is taken for a frame.
#[test]
fn a_lone_value_in_a_frame_stays_one() {
    let folder = Folder::new();
    let new = folder.path("new");
    let lone: [&[u32]; 10] = [
        &[2, 50],
        &[1, 1],
        &[1, 0],
        &[2, 0],
        &[3, 0x3fc0_0000],
        &[4, 0],
        &[28, 0],
        &[27, 0],
        &[0],
        &[29, 0],
    ];
    let convert = |bytes: &[u8], dialect: &[&str]| {
        let old = folder.file("old", bytes);
        let arguments = [&["convert", "--to", "godot4", "-o", name(&new)], dialect].concat();
        let output = run(&arguments, &old);
        assert_eq!(fs::read(&new).unwrap(), bytes, "{bytes:?}");
        assert!(text(&output.stderr).contains("kept: frames"), "{}", text(&output.stderr));
    };
    for value in lone {
        let len = u32::try_from(4 * value.len()).unwrap();
        convert(&words(&[&[len], value].concat()), &["--dialect", "godot4"]);
    }
    convert(&words(&[8, 2, 50]), &[]);
}

#[test]
fn text_comes_back_like_the_file() {
    let folder = Folder::new();
    let (middle, new) = (folder.path("middle"), folder.path("new"));
    for how in LAYERS {
        for plain in [
            save("godot4"),
            [save("godot4"), save("godot4")].concat(),
            save("godot4")[4..].to_vec(),
        ] {
            let old = folder.wrapped(&plain, how);
            let output = run(&[&["text"], &KEY[..]].concat(), &old);
            fs::write(&middle, &output.stdout).unwrap();
            let is_bare = plain.len() % 32 != 0 && how.is_empty();
            assert_eq!(text(&output.stderr).contains("from-text --like"), !is_bare, "{how:?}");
            let back = ["from-text", "--like", name(&old), "-o", name(&new)];
            run(&[&back[..], &KEY].concat(), &middle);
            assert_eq!(inside(&new), inside(&old), "{how:?}");
        }
    }
}

#[test]
fn several_values_come_back_as_frames() {
    let folder = Folder::new();
    let (middle, new) = (folder.path("middle"), folder.path("new"));
    let old = corpus("godot3/saves/store_var_seq.bin");
    let output = run(&["text"], &old);
    fs::write(&middle, &output.stdout).unwrap();
    let output = run(&["from-text", "--dialect", "godot3", "-o", name(&new)], &middle);
    assert_eq!(fs::read(&new).unwrap(), fs::read(&old).unwrap());
    assert!(text(&output.stderr).contains("note: written: frames"), "{}", text(&output.stderr));
    // One value does not imply a framing, so that a note explains the choice.
    let one = run_with(&["from-text", "--dialect", "godot4", "-", "-o", "-"], b"[7]");
    assert_eq!(one.stdout.len(), 16);
    assert!(text(&one.stderr).contains("--to-framing frames, or --like FILE"));
    let framed = ["from-text", "--dialect", "godot4", "--to-framing", "frames-be", "-", "-o", "-"];
    let one = run_with(&framed, b"[7]");
    assert_eq!(one.stdout[..4], [0, 0, 0, 16]);
    assert_eq!(text(&one.stderr), "note: written: big-endian frames\n");
    let bare = ["from-text", "--dialect", "godot4", "--to-framing", "bare", "-", "-o", "-"];
    let two = run_with(&bare, b"[7] [8]");
    assert_eq!((two.status.code(), two.stdout.len()), (Some(1), 0));
    assert!(text(&two.stderr).contains("a bare file holds one value"), "{}", text(&two.stderr));
}

/// Projects as engines compiled them.
fn projects() -> Vec<(String, PathBuf)> {
    let all = ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"];
    let all =
        all.map(|dialect| (dialect.to_owned(), corpus(&format!("{dialect}/saves/project.binary"))));
    all.into_iter().collect()
}

#[test]
fn settings_come_back_from_text() {
    let folder = Folder::new();
    let (middle, new) = (folder.path("middle"), folder.path("new"));
    for (dialect, old) in projects() {
        let output = run(&["text", "--dialect", &dialect], &old);
        fs::write(&middle, &output.stdout).unwrap();
        let back = ["from-text", "--like", name(&old), "--dialect", &dialect, "-o", name(&new)];
        run(&back, &middle);
        assert_eq!(fs::read(&new).unwrap(), fs::read(&old).unwrap(), "{dialect}");
        // Values with names are settings.
        let output = run(&["from-text", "--dialect", &dialect, "-o", name(&new)], &middle);
        let told = text(&output.stderr);
        assert!(told.contains("note: written: settings"), "{told}");
        let again = fs::read(&new).unwrap();
        assert_eq!(again[4..], fs::read(&old).unwrap()[4..], "{dialect}");
    }
}

/// Bytes after a layer, which engines ignore, are kept where the layer is.
#[test]
fn bytes_after_a_layer_are_kept_with_a_note() {
    let folder = Folder::new();
    let save = folder.file("save", b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x07\0\0\0\x02\0\0\0\x08\0\0\0");
    let new = folder.path("new");
    let [compress, encrypt] = [["--compress", "zstd"], ["--encrypt", "godot3"]];
    for how in [&compress[..], &encrypt, &[compress, encrypt].concat()] {
        let wrapped = folder.path("wrapped");
        run(&[&["wrap"], how, &KEY, &["-o", name(&wrapped)]].concat(), &save);
        let whole = fs::read(&wrapped).unwrap();
        let read = ["--dialect", "godot4", "--framing", "bare", "-o", name(&new)];
        let convert = [&["convert", "--to", "godot4"], &read[..]].concat();
        for behind in [&b""[..], b"7 bytes"] {
            fs::write(&wrapped, [&whole, behind].concat()).unwrap();
            let has_some = !behind.is_empty();
            let told = text(&run(&[&convert[..], &KEY].concat(), &wrapped).stderr);
            assert_eq!(told.contains("7 bytes behind the end"), has_some, "{told}");
            assert_eq!(told.contains("made anew"), has_some, "{told}");
            assert_eq!(fs::read(&new).unwrap().ends_with(b"7 bytes"), has_some);
            for dropping in [["--tail", "drop"].as_slice(), &["--plain"]] {
                let told = text(&run(&[&convert[..], dropping, &KEY].concat(), &wrapped).stderr);
                assert_eq!(told.contains("dropped: 7 bytes behind"), has_some, "{told}");
                assert!(!fs::read(&new).unwrap().ends_with(b"7 bytes"));
            }
            let change = ["set", name(&wrapped), "[0]", "9"];
            let output = inspect(&[&change[..], &read, &KEY].concat(), &[]);
            let told = text(&output.stderr);
            assert_eq!(
                (output.status.code(), told.contains("made anew")),
                (Some(0), has_some),
                "{told}"
            );
            assert_eq!(fs::read(&new).unwrap().ends_with(b"7 bytes"), has_some);
            let told =
                text(&run(&[&["unwrap", "-o", name(&new)], &KEY[..]].concat(), &wrapped).stderr);
            assert_eq!(told.contains("dropped: 7 bytes behind"), has_some, "{told}");
            let told = text(&run(&[&["tree"], &KEY[..]].concat(), &wrapped).stderr);
            assert_eq!(told.contains("7 bytes behind the end"), has_some, "{told}");
        }
    }
}

/// Suggested command lines are safe to copy into a shell.
#[test]
fn a_hint_names_what_a_shell_takes_for_the_file() {
    let folder = Folder::new();
    let frame = b"\x08\0\0\0\x02\0\0\0\x07\0\0\0";
    let how = ["--dialect", "godot4", "--framing", "frames"];
    for verb in ["text", "json"] {
        let told = |file: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
            command.arg(verb).args(how).args(["--", file]).current_dir(folder.0.path());
            let file = fs::File::open(folder.file("plain.bin", frame)).unwrap();
            let output = command.stdin(file).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            text(&output.stderr)
        };
        assert!(told("plain.bin").contains("--like plain.bin"), "{}", told("plain.bin"));
        assert!(told("-").contains("--like FILE"), "{}", told("-"));
        for odd in ["my save.bin", "a;b", "$(b)", "a'b", "\u{e9}\u{202e}", "-x", "*", "a\nb"] {
            folder.file(odd, frame);
            assert!(told(odd).contains("--like FILE"), "{}", told(odd));
        }
    }
}

/// Text cannot hold names that are not UTF-8, and never changes a name.
#[test]
fn a_name_that_is_no_text_is_refused() {
    let folder = Folder::new();
    let bytes = b"ECFG\x01\0\0\0\x04\0\0\0a\xff/b\x08\0\0\0\x02\0\0\0\x07\0\0\0";
    let file = folder.file("project.binary", bytes);
    let output = inspect(&["text", "--dialect", "godot4"], &[&file]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    let told = text(&output.stderr);
    assert!(told.contains("setting 1, a\\xff/b: the name \"a\\xff/b\" is not UTF-8"), "{told}");
    // The suggested exact JSON holds it.
    let [json, back] = ["json", "back"].map(|name| folder.path(name));
    let output = run(&["json", "--form", "exact", "--dialect", "godot4"], &file);
    fs::write(&json, &output.stdout).unwrap();
    run(&["from-json", "-o", name(&back)], &json);
    assert_eq!(fs::read(&back).unwrap(), bytes);
}

#[test]
fn settings_are_converted() {
    let folder = Folder::new();
    let [there, back] = ["there", "back"].map(|name| folder.path(name));
    let old = corpus("godot3/saves/project.binary");
    run(&["convert", "--to", "godot4", "-o", name(&there)], &old);
    let output = run(&["validate", "--dialect", "godot4"], &there);
    assert!(text(&output.stdout).contains("7 settings"), "{}", text(&output.stdout));
    run(&["convert", "--to", "godot3", "--dialect", "godot4", "-o", name(&back)], &there);
    assert_eq!(fs::read(&back).unwrap(), fs::read(&old).unwrap());
}

#[test]
fn settings_are_reencoded_and_named() {
    for (dialect, old) in projects() {
        let output = run(&["reencode", "--dialect", &dialect], &old);
        assert!(text(&output.stdout).contains(": identical: "), "{dialect}");
    }
    // Padding that is not zero, as Godot 2 leaves it.
    let folder = Folder::new();
    let mut dirty = fs::read(corpus("godot3/saves/project.binary")).unwrap();
    let name = b"application/config/name";
    let at = dirty.windows(name.len()).position(|window| window == name).unwrap() + name.len() + 4;
    let len = usize::from(dirty[at + 4]);
    assert!(len % 4 != 0);
    dirty[at + 8 + len] = 0x7f;
    let output = inspect(&["reencode", "--dialect", "godot3"], &[&folder.file("dirty", &dirty)]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    for line in [
        "  in        setting 1, application/config/name\n",
        "  path      (root)\n",
        "  found     7f\n  written   00\n  reason    padding is not zero\n",
        ": 1 difference in 1 of 7 settings: padding is not zero x1\n",
    ] {
        assert!(told.contains(line), "{line:?} in {told}");
    }
}

/// All differences are counted, not only the first.
#[test]
fn all_differences_are_counted() {
    let folder = Folder::new();
    let a = |dirt: u32| [4_u32, 1, 0x61 + dirt];
    let wide = [(1_u32 << 16) + 2, 7, 0];
    let array: Vec<u32> = [vec![28, 30]]
        .into_iter()
        .chain((0..15).flat_map(|_| [a(256).to_vec(), wide.to_vec()]))
        .flatten()
        .collect();
    let bytes: Vec<u8> = array.iter().flat_map(|word| word.to_le_bytes()).collect();
    let file = folder.file("dirty", &bytes);
    let how = ["reencode", "--dialect", "godot4", "--framing", "bare", "--canonical"];
    let output = inspect(&how, &[&file]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    let sum = ": 30 differences in 1 of 1 value: 64-bit integer that 32 bits hold x15, padding is not zero x15\n";
    assert!(told.ends_with(sum), "{told}");
    assert!(told.contains("  path      [0]\n"), "{told}");
    assert_eq!(told.lines().filter(|line| line.starts_with("  byte ")).count(), 9, "{told}");
    assert!(
        told.contains("  byte 34: [2]: padding is not zero\n")
            || told.contains(": [2]: padding is not zero\n"),
        "{told}"
    );
}

/// A version number before the value, which no engine's function writes.
#[test]
fn what_stands_in_front_is_stepped_over_and_kept() {
    let folder = Folder::new();
    let old = [&[3, 0, 0, 0][..], &save("godot3")].concat();
    let file = folder.file("old", &old);
    for verb in ["tree", "validate", "detect", "json", "text", "reencode"] {
        run(&[verb, "--skip", "4"], &file);
    }
    let tree = text(&run(&["tree", "--skip", "4", "--offsets"], &file).stdout);
    assert!(tree.starts_with(" 8  Dictionary (1)\n28    \"hp\": 7\n"), "{tree}");
    let new = folder.path("new");
    let output = run(&["convert", "--skip", "4", "--to", "godot4", "-o", name(&new)], &file);
    assert_eq!(fs::read(&new).unwrap(), [&[3, 0, 0, 0][..], &save("godot4")].concat());
    let told = text(&output.stderr);
    assert!(told.contains("kept: frames, 4 bytes before the values"), "{told}");
    // Offsets of errors count from the start of the file.
    let mut cut = old.clone();
    cut.truncate(30);
    let how =
        ["validate", "--explain", "--skip", "4", "--dialect", "godot3", "--framing", "frames"];
    let output = inspect(&how, &[&folder.file("cut", &cut)]);
    let told = text(&output.stdout);
    assert!(told.contains("; offsets count from byte 4 of the file\n"), "{told}");
    assert!(
        told.contains("  byte      28 (0x1c) in frame 1, whose value starts at byte 8\n"),
        "{told}"
    );
    let output = inspect(&["tree", "--skip", "37"], &[&file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr)
            .contains("--skip 37 is beyond the end of the file, which has 36 bytes")
    );
}

#[test]
fn scan_says_where_to_start() {
    let folder = Folder::new();
    let file = [b"HEAD\x03".to_vec(), save("godot4"), save("godot4"), b"tail".to_vec()].concat();
    let file = folder.file("level", &file);
    let output = run(&["scan"], &file);
    let told = text(&output.stdout);
    let expected = ": 2 values of godot4, 64 bytes of 73 bytes\n  byte        5  frames           32 bytes  Dictionary\n  byte       37  frames           32 bytes  Dictionary\n";
    assert!(told.ends_with(expected), "{told}");
    let how = "--skip 5 --framing frames --dialect godot4 FILE";
    assert!(text(&output.stderr).contains(how), "{}", text(&output.stderr));
    let output = inspect(&["scan"], &[&folder.file("none", b"nothing of the kind")]);
    assert_eq!(output.status.code(), Some(1));
    let limited = text(&run(&["scan", "--limit", "1"], &file).stdout);
    assert!(limited.ends_with("  ... 1 more value\n"), "{limited}");
}

/// A save in a byte array of a save, as `var_to_bytes` in a script makes it.
#[test]
fn bytes_in_bytes_are_opened() {
    let folder = Folder::new();
    let inner = save("godot4")[4..].to_vec();
    let (blob, len) = (u32::from_le_bytes(*b"blob"), u32::try_from(inner.len()).unwrap());
    let head: Vec<u8> =
        [27, 1, 4, 4, blob, 29, len].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let file = folder.file("outer", &[head, inner].concat());
    let how = ["tree", "--dialect", "godot4", "--framing", "bare"];
    let tree = |more: &[&str]| run(&[&how[..], more].concat(), &file);
    let output = tree(&[]);
    let shown = "Dictionary (1)\n  \"blob\": PackedByteArray[28](27, 0, 0, 0, 1, 0, 0, 0, ...) holds Dictionary\n";
    assert_eq!(text(&output.stdout), shown);
    assert!(text(&output.stderr).contains("1 byte array with values inside; --nested"));
    let nested = format!("{shown}    = Dictionary (1)\n      \"hp\": 7\n");
    assert_eq!(text(&tree(&["--nested"]).stdout), nested);
    assert_eq!(text(&tree(&["--nested", "--depth", "1"]).stdout), shown);
    assert!(text(&tree(&["--nested", "--offsets"]).stdout).ends_with("48        \"hp\": 7\n"));
    assert_eq!(text(&tree(&["--at", "blob.hp"]).stdout), "7\n");
    assert_eq!(text(&tree(&["--at", "blob", "--nested"]).stdout).lines().count(), 3);
    let output = inspect(&[&how[..], &["--at", "blob.mp"]].concat(), &[&file]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(
        told.contains("no key \"mp\" at path column 4, in the Dictionary at byte 28"),
        "{told}"
    );
}

#[test]
fn text_in_an_envelope_is_to_be_unwrapped() {
    let folder = Folder::new();
    for how in [&["--compress", "zstd"][..], &["--encrypt", "godot4"]] {
        let file = folder.wrapped(b"{\"a\": [1, 2, 3]}\n", how);
        let output = inspect(&[&["tree"], &KEY[..]].concat(), &[&file]);
        assert_eq!(output.status.code(), Some(1));
        let told = text(&output.stderr);
        assert!(told.contains("the contents are text") && told.contains("unwrap FILE"), "{told}");
        assert!(!told.contains("editor"), "{told}");
    }
    let output = inspect(&["tree"], &[&folder.file("text", b"{\"a\": [1, 2, 3]}\n")]);
    assert!(text(&output.stderr).contains("open it in a text editor"));
}

#[test]
fn limits_and_paths_are_told_sensibly() {
    let deep = |levels: usize| {
        let mut words = [28_u32, 1].repeat(levels);
        words.push(99);
        words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()
    };
    let how = ["validate", "--explain", "--dialect", "godot4", "--framing", "bare", "-"];
    let told = text(&run_with(&how, &deep(2_000)).stdout);
    assert!(told.contains("no engine reads deeper values") && !told.contains("--limits"), "{told}");
    let server = [&how[..], &["--limits", "server"]].concat();
    let told = text(&run_with(&server, &deep(2_000)).stdout);
    assert!(told.contains("--limits file accepts more"), "{told}");
    let told = text(&run_with(&how, &deep(1_000)).stdout);
    let path = told.lines().find(|line| line.starts_with("  path")).unwrap();
    assert!(path.len() < 300 && path.contains("[0] ... 2") && path.ends_with("[0]"), "{path}");
}

/// Only settings have names.
#[test]
fn names_that_are_dropped_are_told() {
    let folder = Folder::new();
    let new = folder.path("new");
    let old = corpus("godot3/saves/project.binary");
    let dropped = "note: dropped: the names of the settings\n";
    let convert = ["convert", "--dialect", "godot3", "--to", "godot4", "-o", name(&new)];
    let told = text(&run(&convert, &old).stderr);
    assert!(!told.contains("dropped"), "{told}");
    let framed = [&convert[..], &["--to-framing", "frames"]].concat();
    let told = text(&run(&framed, &old).stderr);
    assert!(told.contains(dropped) && told.contains("settings to frames"), "{told}");
    fs::write(&new, "precious").unwrap();
    let output = inspect(&[&framed[..], &["--strict"]].concat(), &[&old]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = text(&output.stderr);
    assert!(told.contains("frames cannot hold the names of the settings"), "{told}");
    assert_eq!(fs::read(&new).unwrap(), b"precious");
    // The same for text and JSON.
    let back = ["--dialect", "godot3", "--to-framing", "frames", "-", "-o", "-"];
    let named = r#"{"dialect":"godot3","framing":"settings","name":"a","value":null}"#;
    for (verb, input) in [("from-text", "a=1\nb=2\n"), ("from-json", named)] {
        let output = run_with(&[&[verb][..], &back].concat(), input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(text(&output.stderr).contains(dropped), "{output:?}");
    }
}

/// Values are settings if any of them has a name, the first or not.
#[test]
fn the_one_without_a_name_is_at_fault() {
    let text_of = ["1\nb=2\n", "a=1\n2\n"];
    let json_of = [
        r#"{"dialect":"godot3","value":null} {"dialect":"godot3","name":"b","value":null}"#,
        r#"{"dialect":"godot3","name":"a","value":null} {"dialect":"godot3","value":null}"#,
    ];
    for (verb, inputs) in [("from-text", text_of), ("from-json", json_of)] {
        for (number, input) in (1..).zip(inputs) {
            let back = [verb, "--dialect", "godot3", "-", "-o", "-"];
            let output = run_with(&back, input.as_bytes());
            assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{input}");
            let message = format!("value {number}: the setting has no name");
            assert!(text(&output.stderr).contains(&message), "{output:?}");
            // A note says that names are dropped.
            let output =
                run_with(&[&back[..], &["--to-framing", "frames"]].concat(), input.as_bytes());
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let told = text(&output.stderr);
            assert!(told.contains("dropped: the names of the settings"), "{told}");
        }
    }
}

#[test]
fn what_is_dropped_has_no_key() {
    let folder = Folder::new();
    let old = folder.wrapped(&save("godot4"), &["--encrypt", "godot4"]);
    let convert = ["convert", "--to", "godot4", "-o", "-"];
    let told = text(&run(&[&convert[..], &KEY].concat(), &old).stderr);
    assert!(told.contains("encrypted with the same key"), "{told}");
    let told = text(&run(&[&convert[..], &["--plain"], &KEY].concat(), &old).stderr);
    assert!(told.contains("note: dropped: encryption ("), "{told}");
    assert!(!told.contains("same key"), "{told}");
}

#[test]
fn text_leaves_out_what_stands_in_front() {
    let folder = Folder::new();
    let file = folder.file("old", &[b"HEAD", &save("godot4")[4..]].concat());
    let told = text(&run(&["text", "--skip", "4"], &file).stderr);
    assert!(told.contains("text holds the values alone"), "{told}");
}

/// Every header claims a long array that fails to decode.
#[test]
fn scan_says_where_it_gave_up() {
    let folder = Folder::new();
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let claims = words(&[28, 0x00ff_ffff]).repeat(1_000);
    let bytes = [vec![b'x'; 2_000], claims, vec![0; 200_000]].concat();
    let output = inspect(&["scan", "--dialect", "godot4"], &[&folder.file("odd", &bytes)]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = text(&output.stderr);
    assert!(told.contains("no values found; stopped at byte "), "{told}");
    let skip = told.split("--skip ").nth(1).unwrap().split(' ').next().unwrap();
    // The offset to copy has no thousands separators.
    let skip: usize = skip.parse().unwrap_or_else(|_| panic!("no number: {skip}"));
    assert!((2_000..10_000).contains(&skip), "{skip}");
}

/// Values that all dialects read alike are reported in the likeliest dialect.
#[test]
fn scan_names_the_likeliest() {
    let folder = Folder::new();
    let frame = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    let told = text(&run(&["scan"], &folder.file("ints", &frame.repeat(3))).stdout);
    assert!(told.contains(": 3 values of godot4, "), "{told}");
}

/// Bytes after values are not written, so that they are differences.
#[test]
fn what_stands_behind_values_differs() {
    let folder = Folder::new();
    let value = &save("godot4")[4..];
    let len = u32::try_from(value.len() + 3).unwrap().to_le_bytes();
    let framed = folder.file("framed", &[&len, value, b"abc"].concat());
    let how = ["reencode", "--dialect", "godot4", "--framing", "frames"];
    let output = inspect(&how, &[&framed]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = text(&output.stdout);
    assert!(told.contains("  written   nothing\n  reason    bytes behind the value\n"), "{told}");
    assert!(told.contains(": 1 difference in 1 of 1 frame: bytes behind the value x1\n"), "{told}");

    let project = fs::read(corpus("godot4/saves/project.binary")).unwrap();
    let settings = folder.file("settings", &[&project[..], b"abc"].concat());
    let output = inspect(&["reencode", "--dialect", "godot4"], &[&settings]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = text(&output.stdout);
    assert!(told.contains("bytes behind the last setting x1\n"), "{told}");
    assert!(!told.contains("identical"), "{told}");

    // Bytes after a bare value are not compared.
    let bare = folder.file("bare", &[value, b"abc"].concat());
    let how = ["reencode", "--dialect", "godot4", "--framing", "bare"];
    assert!(text(&run(&how, &bare).stdout).contains(": identical: "));
}
