//! Commands keep the envelope of a file: framing, compression, encryption, settings, leading bytes.

mod settings;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{
    Folder, Run, corpus, good, inspect, inspect_with, name, refused, run, text, words,
};

const KEY: [&str; 2] =
    ["--key-hex", "01080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3da"];

impl Folder {
    /// A file with the layers of `how`.
    fn wrapped(&self, plain: &[u8], how: &[&str]) -> PathBuf {
        let plain = self.file("plain", plain);
        let wrapped = self.path("wrapped");
        if how.is_empty() {
            return plain;
        }
        good(&[&["wrap", "-o", name(&wrapped)], how, &KEY].concat(), &[&plain]);
        wrapped
    }
}

#[track_caller]
fn told(arguments: &[&[&str]], file: &Path) -> String {
    good(&[&arguments.concat()[..], &KEY].concat(), &[file]).err
}

/// The plain bytes of a file, and one line for each layer.
fn inside(file: &Path) -> (Vec<u8>, Vec<String>) {
    let output = inspect(&[&["unwrap"], &KEY[..]].concat(), &[file]);
    let layers = text(&output.stderr);
    assert!(output.status.success(), "{layers}");
    // A note has the form `note: FILE: LAYER, ...`. Keeps the part from LAYER on.
    let layers = layers.lines().filter_map(|line| line.split(": ").nth(2));
    // The block size stays the same, but the size of the file may change.
    let layers = layers.map(|line| line.split(", ").next().unwrap().to_owned());
    (output.stdout, layers.collect())
}

/// `{"hp": 7}` in a frame, as Godot 4 and Godot 3 write it.
fn save(dialect: &str) -> Vec<u8> {
    let kind = if dialect == "godot4" { 27 } else { 18 };
    let hp = u32::from_le_bytes(*b"hp\0\0");
    words(&[28, kind, 1, 4, 2, hp, 2, 7])
}

const LAYERS: [&[&str]; 8] = [
    &[],
    &["--compress", "fastlz"],
    &["--compress", "deflate", "--level", "9"],
    &["--compress", "zstd", "--block-size", "512", "--level", "-3"],
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
        let kept = told(&[&convert], &old);
        let (bytes, layers) = inside(&new);
        assert_eq!(bytes, save("godot4"), "{how:?}");
        assert_eq!(inside(&old), (save("godot3"), layers), "{how:?}");
        assert!(kept.contains("note: kept: frames"), "{kept}");
        assert_eq!(kept.contains("zstd in blocks of"), how.contains(&"zstd"), "{kept}");
        let is_encrypted = how.contains(&"--encrypt");
        assert_eq!(kept.contains("encrypted with the same key"), is_encrypted, "{kept}");

        let dropped = told(&[&convert, &["--plain"]], &old);
        assert_eq!(fs::read(&new).unwrap(), save("godot4"));
        assert_eq!(dropped.contains("note: dropped: "), !how.is_empty(), "{dropped}");
        // A plain output needs no key, and a note reports the dropped encryption.
        assert_eq!(dropped.contains("dropped: encryption ("), is_encrypted, "{dropped}");
        assert!(!dropped.contains("same key"), "{dropped}");
    }
}

#[test]
fn another_framing_is_told() {
    let folder = Folder::new();
    let old = folder.wrapped(&save("godot3"), &["--compress", "zstd"]);
    let new = folder.path("new");
    let to = ["convert", "--to", "godot4", "--to-framing", "bare", "-o", name(&new)];
    let told = good(&to, &[&old]).err;
    assert_eq!(inside(&new).0, save("godot4")[4..]);
    assert!(told.contains("note: changed: frames to one bare value"), "{told}");
    assert!(told.contains("note: kept: zstd in blocks of 4,096 bytes"), "{told}");
}

/// A file with one block of brotli, which has a window of 22 bits and contains the 32 bytes of `plain` uncompressed.
fn in_brotli(plain: &[u8]) -> Vec<u8> {
    assert_eq!(plain.len(), 32);
    let block = [&[0x8b, 0x0f, 0x80][..], plain, &[3]].concat();
    let block_len = u32::try_from(block.len()).unwrap();
    [b"GCPF", &words(&[4, 4_096, 32, block_len])[..], &block, b"GCPF"].concat()
}

/// Brotli is only supported for reading.
#[test]
fn what_cannot_be_written_is_told() {
    let folder = Folder::new();
    let new = folder.path("new");
    let brotli = folder.file("brotli", &in_brotli(&save("godot4")));
    let convert = ["convert", "--to", "godot3", "--dialect", "godot4", "-o", name(&new)];
    let told = refused(1, &convert, &[&brotli]);
    assert!(told.contains("--plain writes") && !new.exists(), "{told}");
    good(&[&convert[..], &["--plain"]].concat(), &[&brotli]);
    assert_eq!(fs::read(&new).unwrap(), save("godot3"));
}

#[test]
fn several_values_come_back_as_frames() {
    let folder = Folder::new();
    let new = folder.path("new");
    let old = corpus("godot3/saves/store_var_seq.bin");
    let middle = folder.file("middle", good(&["text"], &[&old]).out.as_bytes());
    let told = good(&["from-text", "--dialect", "godot3", "-o", name(&new)], &[&middle]).err;
    assert_eq!(fs::read(&new).unwrap(), fs::read(&old).unwrap());
    assert!(told.contains("note: written: frames"), "{told}");
    // One value does not imply a framing, so a note states which framing was chosen and how to choose another.
    let one = inspect_with(&["from-text", "--dialect", "godot4", "-", "-o", "-"], b"[7]");
    assert_eq!(one.stdout.len(), 16);
    assert!(text(&one.stderr).contains("--to-framing frames, or --like FILE"));
    let framed = ["from-text", "--dialect", "godot4", "--to-framing", "frames-be", "-", "-o", "-"];
    let one = inspect_with(&framed, b"[7]");
    assert_eq!(one.stdout[..4], [0, 0, 0, 16]);
    assert_eq!(text(&one.stderr), "note: written: big-endian frames\n");
    let bare = ["from-text", "--dialect", "godot4", "--to-framing", "bare", "-", "-o", "-"];
    let two = inspect_with(&bare, b"[7] [8]");
    assert_eq!((two.status.code(), two.stdout.len()), (Some(1), 0));
    assert!(text(&two.stderr).contains("a bare file holds one value"), "{}", text(&two.stderr));
}

/// Engines ignore bytes after a layer. Commands keep these bytes with the layer.
#[test]
fn bytes_after_a_layer_are_kept_with_a_note() {
    let folder = Folder::new();
    let save = folder.file("save", b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x07\0\0\0\x02\0\0\0\x08\0\0\0");
    let new = folder.path("new");
    let [compress, encrypt] = [["--compress", "zstd"], ["--encrypt", "godot3"]];
    for how in [&compress[..], &encrypt, &[compress, encrypt].concat()] {
        let wrapped = folder.path("wrapped");
        told(&[&["wrap", "-o", name(&wrapped)], how], &save);
        let whole = fs::read(&wrapped).unwrap();
        let read = ["--dialect", "godot4", "--framing", "bare", "-o", name(&new)];
        let convert = [&["convert", "--to", "godot4"], &read[..]].concat();
        for behind in [&b""[..], b"7 bytes"] {
            fs::write(&wrapped, [&whole, behind].concat()).unwrap();
            let has_some = !behind.is_empty();
            let file = name(&wrapped);
            for (arguments, words, is_kept) in [
                (
                    [&convert[..], &[file]].concat(),
                    &["7 bytes after the end", "computed again"][..],
                    true,
                ),
                ([&["set", file, "[0]", "9"], &read[..]].concat(), &["computed again"], true),
                ([&convert[..], &["--tail", "drop", file]].concat(), &["dropped: 7 bytes"], false),
                ([&convert[..], &["--plain", file]].concat(), &["dropped: 7 bytes after"], false),
                (vec!["unwrap", "-o", name(&new), file], &["dropped: 7 bytes after"], false),
                (vec!["tree", file], &["7 bytes after the end"], false),
            ] {
                let said = good(&[&arguments[..], &KEY].concat(), &[]).err;
                for words in words {
                    assert_eq!(said.contains(words), has_some, "{words}: {said}");
                }
                let is_there = fs::read(&new).unwrap().ends_with(b"7 bytes");
                assert_eq!(is_there, is_kept && has_some, "{said}");
            }
        }
    }
}

/// Suggested command lines can safely be copied into a shell.
#[test]
fn a_hint_names_what_a_shell_takes_for_the_file() {
    let folder = Folder::new();
    let frame = b"\x08\0\0\0\x02\0\0\0\x07\0\0\0";
    let how = ["--dialect", "godot4", "--framing", "frames"];
    for verb in ["text", "json"] {
        let told = |file: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
            command.arg(verb).args(how).args(["--", file]).current_dir(folder.path(""));
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

/// The file has a version number before the value. Functions of engines never write such a number.
#[test]
fn what_stands_in_front_is_stepped_over_and_kept() {
    let folder = Folder::new();
    let old = [&[3, 0, 0, 0][..], &save("godot3")].concat();
    let file = folder.file("old", &old);
    for verb in ["tree", "check", "detect", "json", "text"] {
        good(&[verb, "--skip", "4"], &[&file]);
    }
    // `text` does not print the bytes before a bare value. A note says so.
    let bare = folder.file("bare", &[b"HEAD", &save("godot4")[4..]].concat());
    let told = good(&["text", "--skip", "4"], &[&bare]).err;
    assert!(told.contains("text holds the values alone"), "{told}");
    let tree = good(&["tree", "--skip", "4", "--offsets"], &[&file]).out;
    assert!(tree.starts_with(" 8  Dictionary (1)\n28    \"hp\": 7\n"), "{tree}");
    let new = folder.path("new");
    let convert = ["convert", "--skip", "4", "--to", "godot4", "-o", name(&new)];
    let told = good(&convert, &[&file]).err;
    assert_eq!(fs::read(&new).unwrap(), [&[3, 0, 0, 0][..], &save("godot4")].concat());
    assert!(told.contains("kept: frames, 4 bytes before the values"), "{told}");
    // Offsets of errors count from the start of the file.
    let how = ["check", "--explain", "--skip", "4", "--dialect", "godot3", "--framing", "frames"];
    let told = run(&how, &[&folder.file("cut", &old[..30])]).out;
    assert!(told.contains("; offsets count from byte 4 of the file\n"), "{told}");
    let place = "  byte      28 (0x1c) in frame 1, whose value starts at byte 8\n";
    assert!(told.contains(place), "{told}");
    let told = refused(2, &["tree", "--skip", "37"], &[&file]);
    assert!(told.contains("--skip 37 is beyond the end of the file, which has 36 bytes"), "{told}");
}

#[test]
fn scan_says_where_to_start() {
    let folder = Folder::new();
    let file = [b"HEAD\x03".to_vec(), save("godot4"), save("godot4"), b"tail".to_vec()].concat();
    let file = folder.file("level", &file);
    let Run { out: told, err, .. } = good(&["scan"], &[&file]);
    let expected = ": 2 values of godot4, 64 bytes of 73 bytes\n  byte        5  frames           32 bytes  Dictionary\n  byte       37  frames           32 bytes  Dictionary\n";
    assert!(told.ends_with(expected), "{told}");
    let how = "--skip 5 --framing frames --dialect godot4 FILE";
    assert!(err.contains(how), "{err}");
    refused(1, &["scan"], &[&folder.file("none", b"nothing of the kind")]);
    let limited = good(&["scan", "--limit", "1"], &[&file]).out;
    assert!(limited.ends_with("  ... 1 more value\n"), "{limited}");
}

/// A save in a byte array of another save. A script makes the inner save with `var_to_bytes`.
#[test]
fn bytes_in_bytes_are_opened() {
    let folder = Folder::new();
    let inner = save("godot4")[4..].to_vec();
    let (blob, len) = (u32::from_le_bytes(*b"blob"), u32::try_from(inner.len()).unwrap());
    let head = words(&[27, 1, 4, 4, blob, 29, len]);
    let file = folder.file("outer", &[head, inner].concat());
    let how = ["tree", "--dialect", "godot4", "--framing", "bare"];
    let tree = |more: &[&str]| good(&[&how[..], more].concat(), &[&file]).out;
    let output = good(&how, &[&file]);
    let shown = "Dictionary (1)\n  \"blob\": PackedByteArray[28](27, 0, 0, 0, 1, 0, 0, 0, ...) holds Dictionary\n";
    assert_eq!(output.out, shown);
    assert!(output.err.contains("1 byte array with values inside; --nested"));
    let nested = format!("{shown}    = Dictionary (1)\n      \"hp\": 7\n");
    assert_eq!(tree(&["--nested"]), nested);
    assert_eq!(tree(&["--nested", "--depth", "1"]), shown);
    assert!(tree(&["--nested", "--offsets"]).ends_with("48        \"hp\": 7\n"));
    assert_eq!(tree(&["--at", "blob.hp"]), "7\n");
    assert_eq!(tree(&["--at", "blob", "--nested"]).lines().count(), 3);
    let told = refused(1, &[&how[..], &["--at", "blob.mp"]].concat(), &[&file]);
    let why = "no key \"mp\" at path column 4, in the Dictionary at byte 28";
    assert!(told.contains(why), "{told}");
}

#[test]
fn text_in_an_envelope_is_to_be_unwrapped() {
    let folder = Folder::new();
    for how in [&["--compress", "zstd"][..], &["--encrypt", "godot4"]] {
        let file = folder.wrapped(b"{\"a\": [1, 2, 3]}\n", how);
        let told = refused(1, &[&["tree"], &KEY[..]].concat(), &[&file]);
        assert!(told.contains("the contents are text") && told.contains("unwrap FILE"), "{told}");
        assert!(!told.contains("editor"), "{told}");
    }
    let told = run(&["tree"], &[&folder.file("text", b"{\"a\": [1, 2, 3]}\n")]).err;
    assert!(told.contains("open it in a text editor"), "{told}");
}

#[test]
fn limits_and_paths_are_told_sensibly() {
    let deep = |levels: usize| words(&[&[28, 1].repeat(levels)[..], &[99]].concat());
    let how = ["check", "--explain", "--dialect", "godot4", "--framing", "bare", "-"];
    let told = text(&inspect_with(&how, &deep(2_000)).stdout);
    assert!(told.contains("no engine reads deeper values") && !told.contains("--limits"), "{told}");
    let server = [&how[..], &["--limits", "server"]].concat();
    let told = text(&inspect_with(&server, &deep(2_000)).stdout);
    assert!(told.contains("--limits file accepts more"), "{told}");
    let told = text(&inspect_with(&how, &deep(1_000)).stdout);
    let path = told.lines().find(|line| line.starts_with("  path")).unwrap();
    assert!(path.len() < 300 && path.contains("[0] ... 2") && path.ends_with("[0]"), "{path}");
}

/// Every header claims a long array that fails to decode.
#[test]
fn scan_says_where_it_gave_up() {
    let folder = Folder::new();
    let claims = words(&[28, 0x00ff_ffff]).repeat(1_000);
    let bytes = [vec![b'x'; 2_000], claims, vec![0; 200_000]].concat();
    let told = refused(1, &["scan", "--dialect", "godot4"], &[&folder.file("odd", &bytes)]);
    assert!(told.contains("no values found; stopped at byte "), "{told}");
    let skip = told.split("--skip ").nth(1).unwrap().split(' ').next().unwrap();
    // The suggested offset has no thousands separators, so that it can be copied.
    let skip: usize = skip.parse().unwrap_or_else(|_| panic!("no number: {skip}"));
    assert!((2_000..10_000).contains(&skip), "{skip}");
}

/// Values that all dialects read alike are reported in the likeliest dialect.
#[test]
fn scan_names_the_likeliest() {
    let folder = Folder::new();
    let ints = folder.file("ints", &words(&[8, 2, 7]).repeat(3));
    let told = good(&["scan"], &[&ints]).out;
    assert!(told.contains(": 3 values of godot4, "), "{told}");
}
