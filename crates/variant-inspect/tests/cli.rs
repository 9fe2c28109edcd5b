//! The program as a whole: its output, and its exit status.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "the helpers of tests are tests"
)]

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The result of a run.
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
}

fn run<S: AsRef<OsStr>>(args: &[S]) -> Run {
    run_with(args, b"")
}

fn run_with<S: AsRef<OsStr>>(args: &[S], input: &[u8]) -> Run {
    let mut child = command()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn corpus(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name);
    path.to_str().unwrap().to_owned()
}

/// A directory with one file in it.
struct Scratch {
    _dir: TempDir,
    path: String,
}

fn scratch(bytes: &[u8]) -> Scratch {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("save.bin");
    std::fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap().to_owned();
    Scratch { _dir: dir, path }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// `{"hp": 7, "at": [1, 2, 3]}` as Godot 4 writes it: 72 bytes.
fn dictionary() -> Vec<u8> {
    let (hp, at) = (u32::from_le_bytes(*b"hp\0\0"), u32::from_le_bytes(*b"at\0\0"));
    words(&[27, 2, 4, 2, hp, 2, 7, 4, 2, at, 28, 3, 2, 1, 2, 2, 2, 3])
}

/// Values after length prefixes.
fn framed(values: &[&[u8]]) -> Vec<u8> {
    let frame = |value: &&[u8]| {
        let len = u32::try_from(value.len()).unwrap();
        [&len.to_le_bytes()[..], value].concat()
    };
    values.iter().flat_map(frame).collect()
}

#[test]
fn a_tree_of_a_bare_value() {
    let file = scratch(&dictionary());
    for args in [&[file.path.as_str()][..], &["tree", &file.path], &["--no-mmap", &file.path]] {
        let run = run(args);
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(
            run.out,
            "Dictionary (2)\n  \"hp\": 7\n  \"at\": Array (3)\n    [0] 1\n    [1] 2\n    [2] 3\n"
        );
        assert!(run.err.contains("read as godot4 (Godot 4.0 and later)"), "{}", run.err);
    }
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

/// Printing the start of a large file reads no further: the rest may be damaged.
#[test]
fn what_is_behind_the_limit_is_not_read() {
    let mut bytes = dictionary();
    bytes.truncate(bytes.len() - 4);
    let file = scratch(&bytes);
    let tree =
        |limit| run(&[&file.path, "--dialect", "godot4", "--framing", "bare", "--limit", limit]);
    let cut = tree("1");
    assert_eq!((cut.code, cut.out.as_str()), (0, "Dictionary (2)\n  \"hp\": 7\n  ... 1 more\n"));
    let whole = tree("3");
    assert_eq!(whole.code, 1, "{}", whole.err);
}

#[test]
fn offsets_count_from_the_start_of_the_file() {
    let file = scratch(&framed(&[&dictionary()]));
    let run = run(&[file.path.as_str(), "--offsets"]);
    assert_eq!(
        run.out,
        " 4  Dictionary (2)\n24    \"hp\": 7\n44    \"at\": Array (3)\n52      [0] 1\n60      [1] 2\n68      [2] 3\n"
    );
}

#[test]
fn containers_as_keys_objects_and_escapes() {
    // {[1]: "<ESC><FF>", 2: Object A(b = null)}
    let text = u32::from_le_bytes([0x1b, 0xff, 0, 0]);
    let (a, b) = (u32::from(b'A'), u32::from(b'b'));
    let bytes = words(&[27, 2, 28, 1, 2, 1, 4, 2, text, 2, 2, 24, 1, a, 1, 1, b, 0]);
    let file = scratch(&bytes);
    let run = run(&[file.path.as_str(), "--dialect", "godot4", "--framing", "bare"]);
    assert_eq!(
        run.out,
        "Dictionary (2)\n  key Array (1)\n    [0] 1\n  value \"\\u{1b}\\xff\"\n  2: Object A (1 property)\n    b = null\n"
    );
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn bytes_behind_a_value_are_noted() {
    let file = scratch(&[dictionary(), b"more bytes".to_vec()].concat());
    let args = [file.path.as_str(), "--dialect", "godot4", "--depth", "0"];
    let tree = run(&args);
    assert_eq!(tree.code, 0);
    assert!(
        tree.out
            .ends_with("+ 10 bytes behind the value, from byte 72: 6d 6f 72 65 20 62 79 74 ...\n"),
        "{}",
        tree.out
    );
    let valid = run(&["validate", file.path.as_str(), "--dialect", "godot4"]);
    assert!(valid.out.ends_with("72 bytes, 10 bytes trailing from byte 72\n"), "{}", valid.out);
    let strict = run(&["validate", &file.path, "--dialect", "godot4", "--profile", "canonical"]);
    assert_eq!(strict.code, 1);
    assert!(strict.out.contains("bytes behind the root value at byte 72"), "{}", strict.out);
}

#[test]
fn frames_are_told_apart() {
    let file = scratch(&framed(&[&dictionary(), &words(&[0]), &words(&[2, 9])]));
    let all = run(&[&file.path]);
    assert!(all.out.starts_with("--- frame 1: 72 bytes from byte 0\nDictionary (2)\n"));
    assert!(all.out.ends_with(
        "--- frame 2: 4 bytes from byte 76\nnull\n--- frame 3: 8 bytes from byte 84\n9\n"
    ));
    assert!(all.err.contains("3 length prefixes"), "{}", all.err);
    let some = run(&[file.path.as_str(), "--limit", "1"]);
    assert!(some.out.ends_with("... 2 more frames\n"), "{}", some.out);
}

#[test]
fn framing_can_be_told() {
    let mut bytes = framed(&[&dictionary()]);
    let bare = run_with(&["--framing", "bare", "--dialect", "godot4", "-"], &dictionary());
    assert_eq!(bare.code, 0);
    bytes[..4].reverse();
    let big = run_with(&["--framing", "frames-be", "-"], &bytes);
    assert_eq!((big.code, big.out.lines().next()), (0, Some("Dictionary (2)")));
    let little = run_with(&["validate", "--framing", "frames", "--dialect", "godot4", "-"], &bytes);
    assert_eq!(little.code, 1);
    assert!(little.out.contains("claims 1207959552 bytes, 72 are left"), "{}", little.out);
    assert!(little.out.contains("the length prefix is wrong"), "{}", little.out);
}

#[test]
fn validate_sums_up() {
    let file = scratch(&framed(&[&dictionary(), &words(&[2, 9])]));
    let run = run(&["validate", &file.path]);
    assert_eq!(run.code, 0, "{}", run.err);
    let expected = "ok: godot4, 2 frames, 9 values, depth 2, 80 bytes, none trailing\n";
    assert!(run.out.ends_with(expected), "{}", run.out);
}

#[test]
fn validate_says_what_is_wrong_and_where() {
    let mut value = dictionary();
    value[56] = 0xee;
    let file = scratch(&framed(&[&words(&[2, 9]), &value]));
    let short = run(&["validate", "--dialect", "godot4", &file.path]);
    let expected = ": invalid: header 0x000000ee names no type of this dialect at byte 72 in frame 2, path at[1]; the data \
                    may be of another dialect";
    assert!(short.out.contains(expected) && short.out.lines().count() == 1, "{}", short.out);
    let run = run(&["validate", "--explain", "--dialect", "godot4", &file.path]);
    assert_eq!(run.code, 1);
    for line in [
        "invalid: header 0x000000ee names no type of this dialect at byte 72\n",
        "  byte      72 (0x48) in frame 2, whose value starts at byte 16\n",
        "  path      at[1]\n",
        "  found     header word 0x000000ee, type number 238\n",
        "  expected  a type number of godot4, 0 to 38\n",
        "  hint      ",
        "\n  00000040  02 00 00 00 01 00 00 00  ee 00 00 00 02 00 00 00  ................\n                                     ^^\n",
        "\n  00000050  ",
    ] {
        assert!(run.out.contains(line), "{line:?} in {}", run.out);
    }
}

#[test]
fn an_error_of_the_root_has_a_path_too() {
    let run = run_with(
        &["validate", "--explain", "--dialect", "godot4", "--framing", "bare", "-"],
        &words(&[99]),
    );
    assert!(run.out.contains("  path      (root)\n"), "{}", run.out);
}

#[test]
fn a_cut_file_is_shown_as_far_as_it_goes() {
    let bytes = framed(&[&dictionary()]);
    let file = scratch(&bytes[..64]);
    let tree = run(&["--explain", "--dialect", "godot4", "--framing", "frames", &file.path]);
    assert_eq!(tree.code, 1);
    assert!(tree.out.ends_with("    [0] 1\n"), "{}", tree.out);
    assert!(tree.err.contains("  path      at[1]\n"), "{}", tree.err);
    assert!(tree.err.contains(
        "frame 1: byte 0: the length prefix claims 72 bytes, 60 are left, 12 are missing"
    ));
    let valid =
        run(&["validate", "--explain", "--dialect", "godot4", "--framing", "frames", &file.path]);
    assert_eq!(valid.code, 1);
    assert!(valid.out.contains("  byte      64 (0x40) in frame 1"), "{}", valid.out);
}

#[test]
fn limits_and_profiles_can_be_chosen() {
    let mut deep = words(&[28, 1]).repeat(200);
    deep.extend(words(&[0]));
    let args = |limits| ["validate", "--explain", "--dialect", "godot4", "--limits", limits, "-"];
    assert_eq!(run_with(&args("file"), &deep).code, 0);
    let server = run_with(&args("server"), &deep);
    assert_eq!(server.code, 1);
    assert!(server.out.contains("  expected  at most 128 levels\n"), "{}", server.out);
}

#[test]
fn several_files_are_all_checked() {
    let good = scratch(&dictionary());
    let run = run(&["validate", "/nonexistent/save.bin", &good.path]);
    assert_eq!(run.code, 3);
    assert!(run.out.contains(": ok: godot4"), "{}", run.out);
    assert!(run.err.contains("no such file"), "{}", run.err);
}

#[test]
fn detect_lists_and_decides() {
    let file = scratch(&framed(&[&dictionary()]));
    let run = run(&["detect", &file.path]);
    assert_eq!(run.code, 0);
    for line in [
        "> 100  frames        a length prefix of 72 followed by exactly that many bytes that Godot 4 reads as a Dictionary\n",
        "  100  godot4        all 72 bytes are one value",
        "read as godot4 (Godot 4.0 and later)\n",
    ] {
        assert!(run.out.contains(line), "{line:?} in {}", run.out);
    }
}

/// Values that several engines read alike are decided without --dialect.
#[test]
fn a_tie_is_read_as_the_newest() {
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap().to_le_bytes();
    // One setting, "a": an empty dictionary in Godot 4, other kinds elsewhere.
    let value = words(&[27, 0]);
    let settings = [b"ECFG", &words(&[1, 1])[..], b"a", &length(&value), &value].concat();
    let valid = run_with(&["validate", "-"], &settings);
    assert_eq!(valid.code, 0, "{}{}", valid.out, valid.err);
    assert!(valid.err.contains("read as godot4"), "{}", valid.err);
}

/// A few bytes of a header are not evidence: no engine is proposed because of them.
#[test]
fn a_head_that_is_cut_is_called_so() {
    for word in [25, 16] {
        let cut = run_with(&["-"], &words(&[word]));
        assert_eq!(cut.code, 2, "{word}: {}", cut.err);
        assert!(cut.err.contains("for example --dialect godot4"), "{word}: {}", cut.err);
        assert!(cut.err.contains("the head of a value that is cut"), "{word}: {}", cut.err);
    }
}

#[test]
fn what_cannot_be_decided_is_listed() {
    // A single null is the same in every dialect, and not evidence.
    let tree = run_with(&["-"], &[0; 4]);
    assert_eq!(tree.code, 2);
    assert_eq!(tree.out, "");
    assert!(tree.err.contains("cannot detect the engine; name it"), "{}", tree.err);
    assert_eq!(tree.err.lines().count(), 7);
    assert_eq!(run_with(&["detect", "-"], &[0; 4]).code, 2);
    assert_eq!(run_with(&["--dialect", "godot3", "-"], &[0; 4]).out, "null\n");
    // A single int is also the same in every dialect, so that any is right.
    let lone = run_with(&["detect", "-"], &words(&[2, 7]));
    assert_eq!(lone.code, 0, "{}", lone.err);
    assert!(lone.out.contains("any engine: all read the same values"), "{}", lone.out);
    let int = run_with(&["-"], &words(&[2, 7]));
    assert_eq!((int.code, int.out.as_str()), (0, "7\n"));
    assert!(
        int.err.contains("which reads the same values as godot3, pandemonium5, "),
        "{}",
        int.err
    );
}

#[test]
fn what_is_no_variant_is_called_by_its_name() {
    for (bytes, line) in [
        (&b""[..], "this is an empty file"),
        (b"[section]\nkey=1\n", "this is text, not binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is a PNG image"),
        (b"GCPF\x02\0\0\0", "the header of a compressed file needs 16 bytes, the file has 8"),
        (b"GDEC\x01\0\0\0", "the header of an encrypted file needs 32 bytes, the file has 8"),
        (b"GDSC\x64\0\0\0", "this is a compiled script of Godot (.gdc, .gde)"),
        (b"GST2\x01\0\0\0", "this is an imported texture of Godot 4 (.ctex)"),
        (
            b"\xfe\xca\0\0\xfe\xca\0\0",
            "no engine can read this, neither as a bare value nor as frames",
        ),
    ] {
        let file = scratch(bytes);
        let run = run(&[&file.path]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{line}");
        assert!(run.err.contains(line), "{}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

/// Four bytes are not evidence; the message names their usual origin.
#[test]
fn a_lone_number_is_called_by_its_name() {
    let run = run_with(&["-"], &words(&[10_000]));
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    let what = "may also be the number 10,000, written by store_32";
    assert!(run.err.contains(what), "{}", run.err);
}

#[test]
fn what_cannot_be_read_is_another_matter() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    for (path, line) in [(path, "is a directory"), ("/nonexistent", "no such file")] {
        let run = run(&[path]);
        assert_eq!(run.code, 3);
        assert!(run.err.contains(line) && run.err.lines().count() == 1, "{}", run.err);
    }
}

#[test]
fn wrong_usage_is_told() {
    assert_eq!(run::<&str>(&[]).code, 2);
    assert_eq!(run(&["tree", "--dialect", "godot9", "f"]).code, 2);
    assert_eq!(run(&["f", "detect", "g"]).code, 2);
    let help = run(&["--help"]);
    assert_eq!(help.code, 0);
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

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    // Much more than a pipe buffers.
    let many = [words(&[28, 200_000]), words(&[2, 1]).repeat(200_000)].concat();
    let file = scratch(&many);
    let mut child = command()
        .args(["--dialect", "godot4", "--framing", "bare", &file.path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]));
}

#[test]
fn saves_of_real_engines() {
    for (file, dialect, first) in [
        ("godot3/saves/rpg_save.bin", "godot3", "Dictionary (8)"),
        ("godot3/saves/store_var_seq.bin", "godot3", "--- frame 1: 4 bytes from byte 0"),
        ("godot4/saves/plain.bin", "godot4", "--- frame 1: 3,664 bytes from byte 0"),
        ("godot4/saves/rpc.variant", "godot4", "Dictionary (6)"),
        ("godot4/saves/sample3.variant", "godot4", "Dictionary (5)"),
    ] {
        let file = corpus(file);
        let tree = run(&[&file]);
        assert_eq!((tree.code, tree.out.lines().next()), (0, Some(first)), "{file}");
        let valid = run(&["validate", &file]);
        assert_eq!(valid.code, 0, "{file}");
        assert!(valid.out.contains(&format!(": ok: {dialect}, ")), "{}", valid.out);
    }
}

#[test]
fn a_damaged_save_of_a_real_engine() {
    let mut bytes = std::fs::read(corpus("godot3/saves/rpg_save.bin")).unwrap();
    let name = b"shield swift";
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
    bytes[at + 3] = 0xff;
    let file = scratch(&bytes);
    let run = run(&["validate", "--explain", "--dialect", "godot3", &file.path]);
    assert_eq!(run.code, 1);
    let first = format!("text is not valid UTF-8 at byte {}\n", at + 3);
    assert!(run.out.contains(&first), "{}", run.out);
    assert!(run.out.contains("  path      inventory[0].name\n"), "{}", run.out);
    assert!(run.out.contains("`tree` shows it"), "{}", run.out);
    assert!(run.out.contains("  found     bytes ff 6c 64 20\n"), "{}", run.out);
}
