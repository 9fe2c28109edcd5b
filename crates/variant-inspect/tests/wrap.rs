//! `wrap`, `unwrap`, and every command on compressed and encrypted files and on compiled settings.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{Folder, Run, corpus, good, name, refused, run, text};
use variant_testkit::corpus::to_hex;

/// A run with a password in the environment.
fn inspect_with(password: &str, arguments: &[&str], files: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.env("THE_PASSWORD", password).args(arguments).args(files).output().unwrap()
}

const COMPRESSED: &str = "godot4/containers/save20.gzip.gcpf";
const ENCRYPTED: &str = "godot4/containers/pass_hunter2_3.gdec";

#[test]
fn the_layers_of_a_file_are_told() {
    let file = corpus(COMPRESSED);
    let check = run(&["check"], &[&file]);
    let note = "compressed with gzip from byte 20, 1 block of 4096 bytes, 3668 plain bytes";
    assert!(check.err.contains(note), "{check:?}");
    assert!(check.out.contains("ok: godot4, 1 frame, 273 values"), "{check:?}");
}

#[test]
fn an_encrypted_file_wants_a_key() {
    let file = corpus(ENCRYPTED);
    let told = refused(2, &["check"], &[&file]);
    assert!(told.contains("--password-env"), "{told}");

    let check = |password| -> Run {
        inspect_with(password, &["check", "--password-env", "THE_PASSWORD"], &[&file]).into()
    };
    check("hunter2").expect(0);
    let told = check("hunter3").expect(1).err;
    assert!(told.contains("the key is wrong"), "{told}");

    let folder = Folder::new();
    for password in
        ["hunter2", "hunter2\n", "hunter2\r\n", "hunter2\nof the save\n", "\u{feff}hunter2\r\n"]
    {
        let path = folder.file("password", password.as_bytes());
        good(&["check", "--password-file", name(&path)], &[&file]);
    }
    // The password is in a pipe, which can be read only once, but the command opens two files.
    let two = format!(
        "{0} check --password-file <(echo hunter2) {1} {1}",
        env!("CARGO_BIN_EXE_variant-inspect"),
        file.display()
    );
    let output = Command::new("bash").args(["-c", &two]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for arguments in [["--password-env", "NO_SUCH_VARIABLE"], ["--key-hex", "12"]] {
        refused(2, &[&["check"], &arguments[..]].concat(), &[&file]);
    }
}

/// Two releases of a game may have two passwords. Both are tried for each file.
#[test]
fn two_files_have_two_passwords() {
    let folder = Folder::new();
    let [old, new] = ["old.gdec", "new.gdec"].map(|name| folder.path(name));
    let run = |code, arguments: &[&str], files: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
        command.env("OLD", "hunter2").env("NEW", "pässwörd").env("OTHER", "x");
        Run::from(command.args(arguments).args(files).output().unwrap()).expect(code)
    };
    let plain = corpus("godot4/saves/sample3.variant");
    for (path, password) in [(&old, "OLD"), (&new, "NEW")] {
        let how = ["wrap", "--encrypt", "godot4", "--password-env", password, "-o"];
        run(0, &how, &[path, &plain]);
    }
    let files: [&Path; 2] = [&old, &new];
    for passwords in [
        &["--password-env", "OLD", "--password-env", "NEW"][..],
        &["--password-env", "NEW", "--password-env", "OLD"],
        &["--password-env", "OTHER", "--password-env", "OLD", "--password-env", "NEW"],
    ] {
        for verb in [&["diff"][..], &["check"], &["merge", "-n"]] {
            for map in [&[][..], &["--no-mmap"]] {
                run(0, &[verb, passwords, map].concat(), &files);
            }
        }
    }
    let one = folder.file("one", b"hunter2\n");
    let two = folder.file("two", "\u{feff}pässwörd\r\n".as_bytes());
    run(0, &["diff", "--password-file", name(&one), "--password-file", name(&two)], &files);
    let told = run(4, &["diff", "--password-env", "OLD", "--password-env", "OTHER"], &files).err;
    assert!(told.contains("the key is wrong"), "{told}");
    // Changed files are encrypted with their old key.
    let set = ["set", "--password-env", "OLD", "--password-env", "NEW"];
    run(0, &[&set[..], &[name(&new), "version", "9"]].concat(), &[]);
    let get = ["get", "--password-env", "NEW", name(&new), "version"];
    assert_eq!(run(0, &get, &[]).out, "9\n");
    let how = ["wrap", "--encrypt", "godot4", "-o", "-"];
    run(2, &[&how[..], &set[1..]].concat(), &[&plain]);
}

/// A compressed block without the header and the end of the engine's files, as `PackedByteArray.compress` returns it.
#[test]
fn what_an_array_of_bytes_was_compressed_to() {
    let folder = Folder::new();
    let [packed, out] = ["packed", "out"].map(|name| folder.path(name));
    for save in ["godot4/saves/sample3.variant", "godot3/saves/store_var_seq.bin"] {
        let plain = fs::read(corpus(save)).unwrap();
        let size = plain.len().to_string();
        for mode in ["fastlz", "deflate", "zstd", "gzip"] {
            let how = ["wrap", "--compress", mode, "--block-size", "1000000", "-o"];
            good(&how, &[&packed, &corpus(save)]);
            let file = fs::read(&packed).unwrap();
            let raw = &file[20..file.len() - 4];
            // The compressed bytes as hexadecimal digits.
            let digits = folder.file("digits", to_hex(raw).as_bytes());
            let raw = folder.file("raw", raw);
            let how = ["unwrap", "--raw", mode, "--size", &size, "-o", name(&out)];
            for (file, input) in [(&raw, &[][..]), (&digits, &["--input", "hex"])] {
                good(&[&how, input].concat(), &[file]);
                assert!(fs::read(&out).unwrap() == plain, "{mode}, {save}");
            }
            let wrong = run(&["unwrap", "--raw", mode, "--size", "3"], &[&raw]).expect(1);
            assert!(wrong.out.is_empty() && wrong.err.contains("--size"), "{mode}: {wrong:?}");
        }
    }
    refused(2, &["unwrap", "--raw", "zstd"], &[&folder.path("raw")]);
}

#[cfg(unix)]
#[test]
fn a_password_is_not_shown() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.env("THE_PASSWORD", OsStr::from_bytes(b"hunter\xe4"));
    command.args(["check", "--password-env", "THE_PASSWORD"]).arg(corpus(ENCRYPTED));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stderr).contains("hunter"), "{}", text(&output.stderr));
}

#[test]
fn a_compressed_resource_is_called_by_its_name() {
    let mut file = fs::read(corpus(COMPRESSED)).unwrap();
    file[..4].copy_from_slice(b"RSCC");
    let told = refused(1, &["tree"], &[&Folder::new().file("a.scn", &file)]);
    assert!(told.contains("a compressed resource"), "{told}");
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
        assert_eq!(run(arguments, &[&file]).expect(2).out, "", "{arguments:?}");
    }
}

#[test]
fn a_bomb_is_refused() {
    let folder = Folder::new();
    let (plain, bomb) = (folder.file("zeros", &vec![0; 10 << 20]), folder.path("bomb"));
    let how = ["wrap", "--compress", "zstd", "--block-size", "10485760", "-o"];
    good(&how, &[&bomb, &plain]);
    assert!(fs::metadata(&bomb).unwrap().len() < 2_000);
    let Run { out, err, .. } = run(&["unwrap", "--max-unpacked", "1000000"], &[&bomb]).expect(1);
    let message = "10485760 uncompressed bytes exceed the limit of 1000000";
    assert!(out.is_empty() && err.contains(message), "{err}");
}

#[test]
fn compiled_settings() {
    // application/config/name and run/main_scene, as Godot 3 writes them.
    let file = b"ECFG\x02\0\0\0\
        \x17\0\0\0application/config/name\x10\0\0\0\x04\0\0\0\x05\0\0\0Night\0\0\0\
        \x0e\0\0\0run/main_scene\x10\0\0\0\x04\0\0\0\x06\0\0\0a.tscn\0\0";
    let folder = Folder::new();
    let said = |code, arguments: &[&str], bytes: &[u8]| {
        let path = folder.file("project.binary", bytes);
        run(&[arguments, &["--dialect", "godot3"]].concat(), &[&path]).expect(code).out
    };
    let expected = "--- setting 1, application/config/name: 16 bytes from byte 35\n\
        \"Night\"\n--- setting 2, run/main_scene: 16 bytes from byte 73\n\"a.tscn\"\n";
    assert_eq!(said(0, &["tree"], file), expected);
    assert!(said(0, &["check"], file).contains("ok: godot3, 2 settings, 2 values"));
    // Text, lines and the other forms of JSON also keep the names of settings.
    let expected = "{\"application/config/name\":\"Night\"}\n{\"run/main_scene\":\"a.tscn\"}\n";
    assert_eq!(said(0, &["json", "--form", "plain"], file), expected);
    let expected = "application/config/name=\"Night\"\nrun/main_scene=\"a.tscn\"\n";
    assert_eq!(said(0, &["text"], file), expected);
    let told = said(0, &["check"], &[&file[..], b"more"].concat());
    assert!(told.contains("4 bytes trailing from byte 93"), "{told}");
    let told = said(1, &["check"], &file[..file.len() - 9]);
    let message = "setting 2: byte 77: the value of a setting needs 16 bytes, 7 are left";
    assert!(told.contains(message), "{told}");
}
