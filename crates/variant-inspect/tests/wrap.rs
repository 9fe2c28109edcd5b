//! `wrap`, `unwrap`, and every command on compressed and encrypted files and on compiled settings.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{corpus, inspect, text};

/// A run with a password in the environment.
fn inspect_with(password: &str, arguments: &[&str], files: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.env("THE_PASSWORD", password).args(arguments).args(files).output().unwrap()
}

const COMPRESSED: &str = "godot4/containers/save20.gzip.gcpf";
const ENCRYPTED: &str = "godot4/containers/pass_hunter2_3.gdec";

#[test]
fn every_verb_reads_a_compressed_file() {
    let file = corpus(COMPRESSED);
    for verb in ["tree", "validate", "detect", "json", "text", "reencode"] {
        let output = inspect(&[verb], &[&file]);
        assert_eq!(output.status.code(), Some(0), "{verb}: {}", text(&output.stderr));
    }
    let output = inspect(&["validate"], &[&file]);
    assert!(text(&output.stdout).contains("ok: godot4, 1 frame, 273 values"));
    let note = "compressed with gzip from byte 20, 1 block of 4096 bytes, 3668 plain bytes";
    assert!(text(&output.stderr).contains(note), "{}", text(&output.stderr));
}

#[test]
fn an_encrypted_file_wants_a_key() {
    let file = corpus(ENCRYPTED);
    let output = inspect(&["validate"], &[&file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--password-env"), "{}", text(&output.stderr));

    let output = inspect_with("hunter2", &["validate", "--password-env", "THE_PASSWORD"], &[&file]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = inspect_with("hunter3", &["validate", "--password-env", "THE_PASSWORD"], &[&file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the key is wrong"), "{}", text(&output.stderr));

    let folder = tempfile::tempdir().unwrap();
    for password in
        ["hunter2", "hunter2\n", "hunter2\r\n", "hunter2\nof the save\n", "\u{feff}hunter2\r\n"]
    {
        let path = folder.path().join("password");
        fs::write(&path, password).unwrap();
        let path = path.to_str().unwrap();
        let output = inspect(&["validate", "--password-file", path], &[&file]);
        assert_eq!(output.status.code(), Some(0), "{password:?}: {}", text(&output.stderr));
    }
    // A pipe can be read only once.
    let two = format!(
        "{0} validate --password-file <(echo hunter2) {1} {1}",
        env!("CARGO_BIN_EXE_variant-inspect"),
        file.display()
    );
    let output = Command::new("bash").args(["-c", &two]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for arguments in [["--password-env", "NO_SUCH_VARIABLE"], ["--key-hex", "12"]] {
        let output = inspect(&[&["validate"], &arguments[..]].concat(), &[&file]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

/// Two releases of a game may have two passwords: each is tried for each file.
#[test]
fn two_files_have_two_passwords() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new, plain] = ["old.gdec", "new.gdec", "plain"].map(|name| folder.path().join(name));
    let run = |arguments: &[&str], files: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
        command.env("OLD", "hunter2").env("NEW", "pässwörd").env("OTHER", "x");
        command.args(arguments).args(files).output().unwrap()
    };
    fs::copy(corpus("godot4/saves/sample3.variant"), &plain).unwrap();
    for (path, password) in [(&old, "OLD"), (&new, "NEW")] {
        let how = ["wrap", "--encrypt", "godot4", "--password-env", password, "-o"];
        assert!(run(&how, &[path, &plain]).status.success());
    }
    let files: [&Path; 2] = [&old, &new];
    for passwords in [
        &["--password-env", "OLD", "--password-env", "NEW"][..],
        &["--password-env", "NEW", "--password-env", "OLD"],
        &["--password-env", "OTHER", "--password-env", "OLD", "--password-env", "NEW"],
    ] {
        for verb in [&["diff"][..], &["validate"], &["merge", "-n"]] {
            for map in [&[][..], &["--no-mmap"]] {
                let output = run(&[verb, passwords, map].concat(), &files);
                assert_eq!(output.status.code(), Some(0), "{verb:?} {}", text(&output.stderr));
            }
        }
    }
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    fs::write(&one, "hunter2\n").unwrap();
    fs::write(&two, "\u{feff}pässwörd\r\n").unwrap();
    let [one, two] = [&one, &two].map(|path| path.to_str().unwrap());
    let output = run(&["diff", "--password-file", one, "--password-file", two], &files);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = run(&["diff", "--password-env", "OLD", "--password-env", "OTHER"], &files);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the key is wrong"), "{}", text(&output.stderr));
    // Changed files are encrypted with the key that they had.
    let set = ["set", "--password-env", "OLD", "--password-env", "NEW"];
    let output = run(&[&set[..], &[new.to_str().unwrap(), "version", "9"]].concat(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = run(&["get", "--password-env", "NEW", new.to_str().unwrap(), "version"], &[]);
    assert_eq!(text(&output.stdout), "9\n");
    let how = ["wrap", "--encrypt", "godot4", "-o", "-"];
    let output = run(&[&how[..], &set[1..]].concat(), &[&plain]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

/// A file of one block, without the engine's layers around it.
#[test]
fn what_an_array_of_bytes_was_compressed_to() {
    let folder = tempfile::tempdir().unwrap();
    let [packed, raw, out] = ["packed", "raw", "out"].map(|name| folder.path().join(name));
    for (number, save) in
        ["godot4/saves/sample3.variant", "godot3/saves/store_var_seq.bin"].iter().enumerate()
    {
        let plain = fs::read(corpus(save)).unwrap();
        let size = plain.len().to_string();
        for mode in ["fastlz", "deflate", "zstd", "gzip"] {
            let how = ["wrap", "--compress", mode, "--block-size", "1000000", "-o"];
            assert!(inspect(&how, &[&packed, &corpus(save)]).status.success());
            let file = fs::read(&packed).unwrap();
            fs::write(&raw, &file[20..file.len() - 4]).unwrap();
            let how = ["unwrap", "--raw", mode, "--size", &size, "-o", out.to_str().unwrap()];
            let output = inspect(&how, &[&raw]);
            assert_eq!(output.status.code(), Some(0), "{mode}: {}", text(&output.stderr));
            assert!(fs::read(&out).unwrap() == plain, "{mode}, {number}");
            // Its digits, as a console prints them.
            let digits: Vec<_> =
                fs::read(&raw).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
            fs::write(&packed, digits.concat()).unwrap();
            let output = inspect(&[&how[..], &["--input", "hex"]].concat(), &[&packed]);
            assert_eq!(output.status.code(), Some(0), "{mode}: {}", text(&output.stderr));
            assert!(fs::read(&out).unwrap() == plain, "{mode}, {number}");
            let wrong = ["unwrap", "--raw", mode, "--size", "3"];
            let output = inspect(&wrong, &[&raw]);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{mode}");
            assert!(text(&output.stderr).contains("--size"), "{}", text(&output.stderr));
        }
    }
    assert_eq!(inspect(&["unwrap", "--raw", "zstd"], &[&raw]).status.code(), Some(2));
}

/// Messages do not show an unusable password.
#[cfg(unix)]
#[test]
fn a_password_is_not_shown() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.env("THE_PASSWORD", OsStr::from_bytes(b"hunter\xe4"));
    command.args(["validate", "--password-env", "THE_PASSWORD"]).arg(corpus(ENCRYPTED));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stderr).contains("hunter"), "{}", text(&output.stderr));
}

#[test]
fn a_compressed_resource_is_called_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.scn");
    let mut file = fs::read(corpus(COMPRESSED)).unwrap();
    file[..4].copy_from_slice(b"RSCC");
    fs::write(&path, file).unwrap();
    let output = inspect(&["tree"], &[&path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("a compressed resource"), "{}", text(&output.stderr));
}

#[test]
fn a_key_in_digits() {
    let digits = "01080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3da";
    for file in ["key_7i1.gdec", "key_7i1_iv.gdec"] {
        let file = corpus("godot4/containers").join(file);
        let output = inspect(&["validate", "--key-hex", digits], &[&file]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
}

/// Unwrapping and wrapping in the same way keeps the plain bytes.
#[test]
fn there_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, wrapped) = (folder.path().join("plain"), folder.path().join("wrapped"));
    let save = fs::read(corpus("godot4/saves/sample200.variant")).unwrap();
    fs::write(&plain, &save).unwrap();
    for how in [
        &["--compress", "fastlz"][..],
        &["--compress", "deflate", "--level", "9"],
        &["--compress", "zstd", "--block-size", "100000", "--level", "-3"],
        &["--compress", "gzip", "--block-size", "1"],
        &["--encrypt", "godot3", "--password-env", "THE_PASSWORD"],
        &["--encrypt", "godot4", "--password-env", "THE_PASSWORD"],
        &["--compress", "zstd", "--encrypt", "godot4", "--password-env", "THE_PASSWORD"],
    ] {
        let arguments = [&["wrap"], how, &["-o", wrapped.to_str().unwrap()]].concat();
        let output = inspect_with("a b", &arguments, &[&plain]);
        assert_eq!(output.status.code(), Some(0), "{how:?}: {}", text(&output.stderr));
        let arguments = ["unwrap", "--password-env", "THE_PASSWORD"];
        let output = inspect_with("a b", &arguments, &[&wrapped]);
        assert_eq!(output.status.code(), Some(0), "{how:?}: {}", text(&output.stderr));
        assert!(output.stdout == save, "{how:?}");
        let is_layer = |word: &&&str| ["--compress", "--encrypt"].contains(*word);
        let layers = how.iter().filter(is_layer).count();
        assert_eq!(text(&output.stderr).lines().count(), layers, "{how:?}");
    }
}

#[test]
fn wrapping_wants_to_know_how() {
    let file = corpus("godot4/saves/rpc.variant");
    for arguments in [
        &["wrap", "-o", "-"][..],
        &["wrap", "-o", "-", "--encrypt", "godot3"],
        &["wrap", "-o", "-", "--compress", "brotli"],
        &["wrap", "-o", "-", "--block-size", "7"],
    ] {
        let output = inspect(arguments, &[&file]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
}

/// A small file cannot fill the memory.
#[test]
fn a_bomb_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, bomb) = (folder.path().join("zeros"), folder.path().join("bomb"));
    fs::write(&plain, vec![0; 10 << 20]).unwrap();
    let how = ["wrap", "--compress", "zstd", "--block-size", "10485760", "-o"];
    inspect(&[&how[..], &[bomb.to_str().unwrap()]].concat(), &[&plain]);
    assert!(fs::metadata(&bomb).unwrap().len() < 2_000);
    let output = inspect(&["unwrap", "--max-unpacked", "1000000"], &[&bomb]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let message = "10485760 uncompressed bytes exceed the limit of 1000000";
    assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
}

#[test]
fn compiled_settings() {
    // application/config/name and run/main_scene, as Godot 3 writes them.
    let file = b"ECFG\x02\0\0\0\
        \x17\0\0\0application/config/name\x10\0\0\0\x04\0\0\0\x05\0\0\0Night\0\0\0\
        \x0e\0\0\0run/main_scene\x10\0\0\0\x04\0\0\0\x06\0\0\0a.tscn\0\0";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("project.binary");
    fs::write(&path, file).unwrap();
    let output = inspect(&["tree", "--dialect", "godot3"], &[&path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = "--- setting 1, application/config/name: 16 bytes from byte 35\n\
        \"Night\"\n--- setting 2, run/main_scene: 16 bytes from byte 73\n\"a.tscn\"\n";
    assert_eq!(text(&output.stdout), expected);
    let output = inspect(&["validate", "--dialect", "godot3"], &[&path]);
    assert!(text(&output.stdout).contains("ok: godot3, 2 settings, 2 values"));

    // Other forms keep the names.
    let output = inspect(&["json", "--form", "plain", "--dialect", "godot3"], &[&path]);
    let expected = "{\"application/config/name\":\"Night\"}\n{\"run/main_scene\":\"a.tscn\"}\n";
    assert_eq!(text(&output.stdout), expected);
    let output = inspect(&["text", "--dialect", "godot3"], &[&path]);
    let expected = "application/config/name=\"Night\"\nrun/main_scene=\"a.tscn\"\n";
    assert_eq!(text(&output.stdout), expected);

    fs::write(&path, [&file[..], b"more"].concat()).unwrap();
    let output = inspect(&["validate", "--dialect", "godot3"], &[&path]);
    let trailing = "4 bytes trailing from byte 93";
    assert!(text(&output.stdout).contains(trailing), "{}", text(&output.stdout));

    fs::write(&path, &file[..file.len() - 9]).unwrap();
    let output = inspect(&["validate", "--dialect", "godot3"], &[&path]);
    assert_eq!(output.status.code(), Some(1));
    let message = "setting 2: byte 77: the value of a setting needs 16 bytes, 7 are left";
    assert!(text(&output.stdout).contains(message), "{}", text(&output.stdout));
}
