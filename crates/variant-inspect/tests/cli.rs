//! The program as a whole: its output, and its exit status.

use crate::common::{self, BARE, Folder, Run, framed, inspect_with, name, words};

fn run(args: &[&str]) -> Run {
    common::run(args, &[])
}

fn run_with(args: &[&str], input: &[u8]) -> Run {
    inspect_with(args, input).into()
}

#[track_caller]
fn assert_has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line:?} in {text}");
    }
}

const GODOT4: [&str; 2] = ["--dialect", "godot4"];
/// A file in a temporary folder.
struct Scratch {
    path: String,
    _folder: Folder,
}

fn scratch(bytes: &[u8]) -> Scratch {
    let folder = Folder::new();
    let path = name(&folder.file("save.bin", bytes)).to_owned();
    Scratch { path, _folder: folder }
}

/// `{"hp": 7, "at": [1, 2, 3]}` as Godot 4 writes it: 72 bytes.
fn dictionary() -> Vec<u8> {
    let (hp, at) = (u32::from_le_bytes(*b"hp\0\0"), u32::from_le_bytes(*b"at\0\0"));
    words(&[27, 2, 4, 2, hp, 2, 7, 4, 2, at, 28, 3, 2, 1, 2, 2, 2, 3])
}

#[test]
fn depth_and_limit_leave_things_out() {
    let file = scratch(&dictionary());
    let tree = |args: &[&str]| run(&[&[file.path.as_str()], args].concat()).out;
    assert_eq!(tree(&["--depth", "0"]), "Dictionary (2) ...\n");
    assert_eq!(tree(&["--depth", "1"]), "Dictionary (2)\n  \"hp\": 7\n  \"at\": Array (3) ...\n");
    assert_eq!(tree(&["--limit", "1"]), "Dictionary (2)\n  \"hp\": 7\n  ... 1 more\n");
    assert_eq!(tree(&["--limit", "0"]), "Dictionary (2)\n  ... 2 more\n");
    assert!(tree(&["--limit", "2"]).ends_with("    [1] 2\n    ... 1 more\n"));
}

/// Printing the start of a large file reads only the start. The rest may be damaged.
#[test]
fn what_is_behind_the_limit_is_not_read() {
    let mut bytes = dictionary();
    bytes.truncate(bytes.len() - 4);
    let file = scratch(&bytes);
    let tree = |limit| run(&[&[file.path.as_str(), "--limit", limit], &BARE[..]].concat());
    let cut = tree("1");
    assert_eq!(
        (cut.code, cut.out.as_str()),
        (Some(0), "Dictionary (2)\n  \"hp\": 7\n  ... 1 more\n")
    );
    assert_eq!(tree("3").code, Some(1));
}

#[test]
fn containers_as_keys_objects_and_escapes() {
    // {[1]: "<ESC><FF>", 2: Object A(b = null)}
    let text = u32::from_le_bytes([0x1b, 0xff, 0, 0]);
    let (a, b) = (u32::from(b'A'), u32::from(b'b'));
    let bytes = words(&[27, 2, 28, 1, 2, 1, 4, 2, text, 2, 2, 24, 1, a, 1, 1, b, 0]);
    let run = run(&[&[scratch(&bytes).path.as_str()], &BARE[..]].concat());
    let tree = "Dictionary (2)\n  key Array (1)\n    [0] 1\n  value \"\\u{1b}\\xff\"\n  2: Object A (1 property)\n    b = null\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), tree, ""));
}

#[test]
fn bytes_behind_a_value_are_noted() {
    let file = scratch(&[dictionary(), b"more bytes".to_vec()].concat());
    let path = file.path.as_str();
    for (arguments, code, words) in [
        (&["--depth", "0", path][..], 0, "from byte 72: 6d 6f 72 65 20 62 79 74 ...\n"),
        (&["--depth", "0", path], 0, "\n+ 10 bytes after the value, "),
        (&["check", path], 0, "72 bytes, 10 bytes trailing from byte 72\n"),
        (&["check", path, "--profile", "canonical"], 1, "bytes after the root value at byte 72"),
    ] {
        let run = run(&[arguments, &GODOT4].concat());
        assert_eq!(run.code, Some(code), "{}", run.out);
        assert_has(&run.out, &[words]);
    }
}

#[test]
fn frames_are_told_apart() {
    let file = scratch(&framed(&[&dictionary(), &words(&[0]), &words(&[2, 9])]));
    let all = run(&[&file.path]);
    assert!(all.out.starts_with("--- frame 1: 72 bytes from byte 0\nDictionary (2)\n"));
    let rest = "--- frame 2: 4 bytes from byte 76\nnull\n--- frame 3: 8 bytes from byte 84\n9\n";
    assert!(all.out.ends_with(rest), "{}", all.out);
    assert_has(&all.err, &["3 length prefixes"]);
    let some = run(&[file.path.as_str(), "--limit", "1"]);
    assert!(some.out.ends_with("... 2 more frames\n"), "{}", some.out);
}

#[test]
fn framing_can_be_told() {
    let mut bytes = framed(&[&dictionary()]);
    let bare = run_with(&["--framing", "bare", "--dialect", "godot4", "-"], &dictionary());
    assert_eq!(bare.code, Some(0));
    bytes[..4].reverse();
    let big = run_with(&["--framing", "frames-be", "-"], &bytes);
    assert_eq!((big.code, big.out.lines().next()), (Some(0), Some("Dictionary (2)")));
    let little = run_with(&["check", "--framing", "frames", "--dialect", "godot4", "-"], &bytes);
    assert_eq!(little.code, Some(1));
    assert_has(
        &little.out,
        &["claims 1207959552 bytes, 72 are left", "the length prefix is wrong"],
    );
}

#[test]
fn validate_says_what_is_wrong_and_where() {
    let mut value = dictionary();
    value[56] = 0xee;
    let file = scratch(&framed(&[&words(&[2, 9]), &value]));
    let short = run(&["check", "--dialect", "godot4", &file.path]);
    let expected = ": invalid: header 0x000000ee names no type of this dialect at byte 72 in frame 2, path at[1]; the data \
                    may be of another dialect";
    assert!(short.out.contains(expected) && short.out.lines().count() == 1, "{}", short.out);
    let run = run(&["check", "--explain", "--dialect", "godot4", &file.path]);
    assert_eq!(run.code, Some(1));
    let lines = [
        "invalid: header 0x000000ee names no type of this dialect at byte 72\n",
        "  byte      72 (0x48) in frame 2, whose value starts at byte 16\n",
        "  path      at[1]\n",
        "  found     header word 0x000000ee, type number 238\n",
        "  expected  a type number of godot4, 0 to 38\n",
        "  hint      ",
        "\n  00000040  02 00 00 00 01 00 00 00  ee 00 00 00 02 00 00 00  ................\n                                     ^^\n",
        "\n  00000050  ",
    ];
    assert_has(&run.out, &lines);
    // An error of the root also has a path.
    let root = run_with(&[&["check", "--explain", "-"], &BARE[..]].concat(), &words(&[99]));
    assert_has(&root.out, &["  path      (root)\n"]);
}

#[test]
fn a_cut_file_is_shown_as_far_as_it_goes() {
    let bytes = framed(&[&dictionary()]);
    let file = scratch(&bytes[..64]);
    let how = ["--explain", "--dialect", "godot4", "--framing", "frames", &file.path];
    let tree = run(&how);
    assert_eq!(tree.code, Some(1));
    assert!(tree.out.ends_with("    [0] 1\n"), "{}", tree.out);
    let cut = "frame 1: byte 0: the length prefix claims 72 bytes, 60 are left, 12 are missing";
    assert_has(&tree.err, &["  path      at[1]\n", cut]);
    let valid = run(&[&["check"], &how[..]].concat());
    assert_eq!(valid.code, Some(1));
    assert_has(&valid.out, &["  byte      64 (0x40) in frame 1"]);
}

/// Values that several engines read alike need no `--dialect`.
#[test]
fn a_tie_is_read_as_the_newest() {
    // One setting, "a": an empty dictionary in Godot 4, other kinds elsewhere.
    let settings = [b"ECFG", &words(&[1, 1])[..], b"a", &words(&[8, 27, 0])].concat();
    let valid = run_with(&["check", "-"], &settings);
    assert_eq!(valid.code, Some(0), "{}{}", valid.out, valid.err);
    assert_has(&valid.err, &["read as godot4"]);
}

/// A few bytes of a header are not evidence for a dialect, so the message proposes no engine.
#[test]
fn a_head_that_is_cut_is_called_so() {
    for word in [25, 16] {
        let cut = run_with(&["-"], &words(&[word]));
        assert_eq!(cut.code, Some(2), "{word}: {}", cut.err);
        let lines = ["for example --dialect godot4", "the head of a value that is cut"];
        assert_has(&cut.err, &lines);
    }
}

#[test]
fn what_cannot_be_decided_is_listed() {
    // A single null has the same bytes in every dialect, so it is not evidence for a dialect.
    let tree = run_with(&["-"], &[0; 4]);
    assert_eq!((tree.code, tree.out.as_str(), tree.err.lines().count()), (Some(2), "", 7));
    assert_has(&tree.err, &["cannot detect the engine; name it"]);
    run_with(&["detect", "-"], &[0; 4]).expect(2);
    assert_eq!(run_with(&["--dialect", "godot3", "-"], &[0; 4]).out, "null\n");
    // A single int also has the same bytes in every dialect, so any dialect is right.
    let lone = run_with(&["detect", "-"], &words(&[2, 7]));
    assert_eq!(lone.code, Some(0), "{}", lone.err);
    assert_has(&lone.out, &["any engine: all read the same values"]);
    let int = run_with(&["-"], &words(&[2, 7]));
    assert_eq!((int.code, int.out.as_str()), (Some(0), "7\n"));
    assert_has(&int.err, &["which reads the same values as godot3, pandemonium5, "]);
    // Four bytes are not evidence; the message names their usual origin.
    let number = run_with(&["-"], &words(&[10_000]));
    assert_eq!((number.code, number.out.as_str()), (Some(2), ""));
    assert_has(&number.err, &["may also be the number 10,000, written by store_32"]);
}

#[test]
fn what_is_no_variant_is_called_by_its_name() {
    for (bytes, line) in [
        (&b""[..], "this is an empty file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is a PNG image"),
        (b"GCPF\x02\0\0\0", "the header of a compressed file needs 16 bytes, the file has 8"),
        (b"GDEC\x01\0\0\0", "the header of an encrypted file needs 32 bytes, the file has 8"),
        (
            b"\xfe\xca\0\0\xfe\xca\0\0",
            "no engine can read this, neither as a bare value nor as frames",
        ),
    ] {
        let file = scratch(bytes);
        let run = run(&[&file.path]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{line}");
        assert!(run.err.contains(line), "{}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

#[test]
fn wrong_usage_is_told() {
    run(&[]).expect(2);
    run(&["tree", "--dialect", "godot9", "f"]).expect(2);
    run(&["f", "detect", "g"]).expect(2);
    run(&["--depth", "1", "a", "detect", "b"]).expect(2);
    let help = run(&["--help"]);
    assert_eq!(help.code, Some(0));
    assert!(help.out.contains("Examples:"));
    assert!(run(&["--version"]).out.starts_with("variant-inspect "));
}

#[test]
fn colours_are_for_terminals() {
    let plain = run_with(&["-"], &dictionary());
    assert!(!plain.out.contains('\x1b') && !plain.err.contains('\x1b'));
    let coloured = run_with(&["--color", "always", "-"], &dictionary());
    assert!(coloured.out.contains("\x1b[36m\"hp\"\x1b[0m: \x1b[33m7\x1b[0m\n"), "{}", coloured.out);
    let never = run_with(&["--color", "never", "-"], &dictionary());
    assert_eq!(never.out, plain.out);
}
