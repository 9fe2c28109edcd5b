//! `set` and similar commands write files: nothing is lost, and the bytes around a value stay.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop"
)]

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crate::common::{corpus, inspect, text};
use fs4::fs_std::FileExt as _;

const SAVE: &str = "godot4/saves/sample3.variant";
const BARE: [&str; 4] = ["--dialect", "godot4", "--framing", "bare"];

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs `set` on a file. Returns the exit status and the messages.
fn set(arguments: &[&str], file: &Path) -> (Option<i32>, String) {
    let output = inspect(&[&["set", name(file)], arguments, &BARE].concat(), &[]);
    (output.status.code(), text(&output.stderr) + &text(&output.stdout))
}

fn get(path: &str, file: &Path) -> String {
    let output = inspect(&[&["get", name(file), path], &BARE[..]].concat(), &[]);
    text(&output.stdout).trim_end().to_owned()
}

#[test]
fn the_old_file_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (file, kept) = (folder.path().join("save"), folder.path().join("save~"));
    let old = fs::read(corpus(SAVE)).unwrap();
    fs::write(&file, &old).unwrap();
    let (status, said) = set(&["version", "77"], &file);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!((get("version", &file).as_str(), fs::read(&kept).unwrap()), ("77", old.clone()));
    let once = fs::read(&file).unwrap();
    assert_eq!(set(&["version", "78"], &file).0, Some(0));
    assert_eq!(fs::read(&kept).unwrap(), once);
    fs::remove_file(&kept).unwrap();
    assert_eq!(set(&["version", "79", "--no-backup"], &file).0, Some(0));
    assert!(!kept.exists());
}

#[test]
fn what_is_refused_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    let old = fs::read(corpus(SAVE)).unwrap();
    fs::write(&file, &old).unwrap();
    for (arguments, status, why) in [
        (&["nothing", "5"][..], 1, "no key \"nothing\""),
        (&["version", "bare words"], 2, "--string"),
        (&["version", "5", "name"], 2, "needs a LITERAL"),
        (&["a[", "5"], 1, "column"),
        (&["entities[*].zz", "5"], 1, "nothing is at the path"),
        (&["entities[?!..zz]", "5"], 1, "column"),
        (&["name", "\"another length\"", "--in-place"], 2, "without --in-place"),
        (&["version", "5", "-o", name(&file)], 2, "the output is the input"),
        (&["{0:key}", "5"], 1, "rename-key"),
    ] {
        let (found, said) = set(arguments, &file);
        assert_eq!(found, Some(status), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert_eq!(fs::read(&file).unwrap(), old, "{arguments:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{arguments:?}");
    }
    let (status, said) = set(&["version", "5", "--dry-run"], &file);
    assert_eq!((status, fs::read(&file).unwrap()), (Some(0), old), "{said}");
    assert!(said.contains("- version: 4\n+ version: 5\n"), "{said}");
}

#[test]
fn in_place_only_the_value_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    fs::copy(corpus(SAVE), &file).unwrap();
    let mut before = fs::File::open(&file).unwrap();
    assert_eq!(set(&["version", "5", "--in-place", "--no-backup"], &file).0, Some(0));
    assert_eq!(get("version", &file), "5");
    // The same file, not another of its name.
    let mut seen = Vec::new();
    before.read_to_end(&mut seen).unwrap();
    assert_eq!(seen, fs::read(&file).unwrap());
    let old = fs::read(corpus(SAVE)).unwrap();
    assert_eq!(old.iter().zip(&seen).filter(|(old, new)| old != new).count(), 1);
}

#[test]
fn two_changes_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    fs::copy(corpus(SAVE), &file).unwrap();
    let other = fs::File::open(&file).unwrap();
    other.lock_exclusive().unwrap();
    let (status, said) = set(&["version", "5"], &file);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("another program is changing this file"), "{said}");
    assert_eq!(get("version", &file), "4");
    // Unlocks it instead of closing it: a process that another test starts may hold it open for a moment.
    other.unlock().unwrap();
    assert_eq!(set(&["version", "5"], &file).0, Some(0));
}

#[cfg(unix)]
#[test]
fn links_and_modes_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("save"), folder.path().join("link"));
    fs::copy(corpus(SAVE), &file).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&file, &link).unwrap();
    let (status, said) = set(&["version", "6"], &link);
    assert_eq!(status, Some(0), "{said}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(get("version", &file), "6");
    for path in [file, folder.path().join("save~")] {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{path:?}");
    }
    assert_eq!(set(&["version", "6"], folder.path()).0, Some(3));
}

#[test]
fn layers_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    for from in ["godot4/containers/save200.zstd.gcpf", "godot4/containers/save20.fastlz.gcpf"] {
        fs::copy(corpus(from), &file).unwrap();
        for plain in [false, true] {
            let more: &[&str] = if plain { &["--plain"] } else { &[] };
            let output = inspect(&[&["set", name(&file), "version", "123"], more].concat(), &[]);
            assert_eq!(output.status.code(), Some(0), "{from}: {output:?}");
            assert_eq!(fs::read(&file).unwrap().starts_with(b"GCPF"), !plain, "{from}");
            let output = inspect(&["get", name(&file), "version"], &[]);
            assert_eq!(text(&output.stdout), "123\n", "{from}");
            let output = inspect(&["validate"], &[&file]);
            assert_eq!(output.status.code(), Some(0), "{from}: {output:?}");
        }
    }
}

/// The text that a console printed is read, and never overwritten.
#[test]
fn bytes_that_were_printed_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("printed"), folder.path().join("out"));
    let save = fs::read(corpus(SAVE)).unwrap();
    let numbers = save.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let hex: Vec<String> = save.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    for (printed, form) in [
        (format!("[{numbers}]\n"), "bytes"),
        (format!("{{{numbers}}}"), "bytes"),
        (format!("PackedByteArray({numbers})"), "bytes"),
        (hex.clone(), "hex"),
        (hex.to_uppercase(), "auto"),
    ] {
        fs::write(&file, &printed).unwrap();
        let output = inspect(&["get", "--input", form, name(&file), "version"], &[]);
        assert_eq!(text(&output.stdout), "4\n", "{form}: {}", text(&output.stderr));
        // Without the form, the message names it.
        let output = inspect(&["get", name(&file), "version"], &[]);
        let said = text(&output.stderr);
        let advice = if form == "bytes" { "--input bytes" } else { "--input hex" };
        assert!(said.contains(advice) && !said.contains("base64"), "{form}: {said}");
        let (status, said) = set(&["version", "5", "--input", form], &file);
        assert_eq!(status, Some(2), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), printed);
        let (status, said) = set(&["version", "5", "--input", form, "-o", name(&out)], &file);
        assert_eq!(status, Some(0), "{said}");
        assert_eq!(get("version", &out), "5");
    }
    let output = inspect(&["get", "--input", "hex", name(&out), "version"], &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

/// In a folder the files count, but not those that the command keeps beside them.
#[test]
fn old_files_are_left_out_of_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["one", "two"] {
        fs::copy(corpus(SAVE), path(name)).unwrap();
    }
    assert_eq!(set(&["version", "5"], &path("one")).0, Some(0));
    assert!(path("one~").exists());
    fs::write(path(".variant-inspect-1-abcdef.part"), "half").unwrap();
    // The only one with its content.
    fs::copy(corpus(SAVE), path("other~")).unwrap();
    for verb in ["validate", "schema", "stats", "audit", "detect"] {
        let output = inspect(&[verb, "-r"], &[folder.path()]);
        let (told, said) = (text(&output.stdout), text(&output.stderr));
        assert!(said.contains("2 old files"), "{verb}: {said}");
        assert!(!told.contains("one~") && !told.contains(".part"), "{verb}: {told}");
        assert!(verb == "schema" || told.contains("other~"), "{verb}: {told}");
    }
    let output = inspect(&["validate"], &[&path("one~")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    #[cfg(feature = "table")]
    {
        let table = ["table", "--columns", "_file, version", "-o", "-", "--format", "jsonl"];
        let output = inspect(&table, &[folder.path()]);
        let (told, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(told.lines().count(), 3, "{told}");
        assert!(said.contains("2 old files"), "{said}");
    }
}

/// Files of a megabyte, which is more than the tests below may write.
#[cfg(unix)]
fn large(folder: &Path) -> std::path::PathBuf {
    let file = folder.join("large");
    fs::copy(corpus("godot3/saves/rpg_save.bin"), &file).unwrap();
    file
}

/// Runs `set` on a file in a shell that allows only files of 64 KiB.
#[cfg(unix)]
fn set_without_room(before: &str, file: &Path) -> std::process::Output {
    let line = format!(
        "{before} ulimit -f 128; exec \"$0\" set \"$1\" version 9 --dialect godot3 --framing frames --no-backup"
    );
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &line, env!("CARGO_BIN_EXE_variant-inspect"), name(file)]);
    command.output().unwrap()
}

/// The signal ends the program in the middle of the write, as Ctrl-C can.
#[cfg(unix)]
#[test]
fn a_change_that_is_cut_short_leaves_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = large(folder.path());
    let old = fs::read(&file).unwrap();
    let output = set_without_room("", &file);
    assert!(!output.status.success(), "{}", text(&output.stderr));
    assert!(fs::read(&file).unwrap() == old);
}

/// The write fails, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_file_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = large(folder.path());
    let old = fs::read(&file).unwrap();
    let output = set_without_room("trap '' XFSZ;", &file);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("File too large") && said.contains("large"), "{said}");
    assert!(fs::read(&file).unwrap() == old);
    // Nothing half-written is left beside it.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A file of two names is overwritten, and the signal ends the program in the middle of that.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_replaced_has_a_way_back() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("save"), folder.path().join("link"));
    let old = fs::read(corpus(SAVE)).unwrap();
    fs::write(&file, &old).unwrap();
    fs::hard_link(&file, &link).unwrap();
    // Longer than the 64 KiB that the shell allows.
    let text_of = "x".repeat(100_000);
    let limited = "ulimit -f 128; exec \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_variant-inspect"), "set", name(&file)]);
    command.args(["name", &text_of, "--string", "--no-backup"]).args(BARE);
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert_ne!(fs::read(&file).unwrap(), old, "it was not in the middle of it");
    let copy = said.split("its old bytes are in ").nth(1).and_then(|rest| rest.lines().next());
    assert_eq!(fs::read(copy.unwrap()).unwrap(), old, "{said}");
    // If the program survives, nothing is left beside the file.
    fs::remove_file(copy.unwrap()).unwrap();
    fs::write(&file, &old).unwrap();
    assert_eq!(set(&["version", "9", "--no-backup"], &file).0, Some(0));
    assert_eq!(get("version", &link), "9");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// Three frames of two gigabytes, sparse: they take some kilobytes of the disk.
#[cfg(unix)]
#[test]
fn files_of_more_than_four_gigabytes() {
    use std::os::unix::fs::FileExt as _;
    const LEN: u32 = 0x7fff_ff00;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge");
    let file = fs::File::create(&path).unwrap();
    let mut at = 0;
    for _ in 0..3 {
        let head = [LEN + 8, 29, LEN].map(u32::to_le_bytes).concat();
        file.write_all_at(&head, at).unwrap();
        at += u64::from(LEN) + 12;
    }
    let last = [8_u32, 2, 7].map(u32::to_le_bytes).concat();
    file.write_all_at(&last, at).unwrap();
    let how = ["--dialect", "godot4", "--framing", "frames"];
    let output = inspect(&[&["validate"], &how[..]].concat(), &[&path]);
    let told = text(&output.stdout);
    assert!(told.contains("4 frames, 4 values, depth 0, 6,442,450,208 bytes"), "{told}");
    let output = inspect(&[&["tree", "--offsets"], &how[..]].concat(), &[&path]);
    let told = text(&output.stdout);
    assert!(told.contains("frame 4") && told.trim_end().ends_with('7'), "{told}");
}

/// The message of a refused change, or the bytes of an accepted one.
fn change_to(bytes: &[u8], arguments: &[&str]) -> Result<Vec<u8>, (Option<i32>, String)> {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("save"), folder.path().join("out"));
    fs::write(&file, bytes).unwrap();
    let (verb, rest) = arguments.split_first().unwrap();
    let output = inspect(&[&[*verb, name(&file)], rest, &["-o", name(&out)]].concat(), &[]);
    fs::read(&out).map_err(|_| (output.status.code(), text(&output.stderr)))
}

const ENGINES: [&str; 6] =
    ["godot4", "godot3", "godot2", "pandemonium3", "pandemonium4", "pandemonium5"];

/// `store_var(50)` may come from any engine. A change is made if all of them write the same bytes, and refused
/// otherwise.
#[test]
fn what_is_written_into_a_file_of_any_engine_is_not_guessed() {
    let save = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0];
    let (mut made, mut refused) = (0, 0);
    for literal in [
        "5",
        "-1",
        "true",
        "null",
        "0.5",
        "0.1",
        "\"text\"",
        "1099511627776",
        "[1, 2]",
        "[]",
        "{}",
        "{\"a\": 1}",
        "Vector2(1, 2)",
        "Vector3(1, 2, 3)",
        "Color(1, 0, 0, 1)",
        "NodePath(\"a/b\")",
        "Rect2(1, 2, 3, 4)",
        "&\"name\"",
        "PackedByteArray(1, 2)",
    ] {
        let found = change_to(&save, &["set", "", literal]);
        let named = ENGINES.map(|engine| {
            change_to(&save, &["set", "", literal, "--dialect", engine, "--framing", "frames"]).ok()
        });
        let is_one = named.iter().all(|one| one.is_some() && *one == named[0]);
        match found {
            Ok(bytes) => {
                assert!(is_one && Some(bytes) == named[0], "{literal}: {named:?}");
                made += 1;
            }
            Err((status, said)) => {
                assert!(!is_one, "{literal}: {said}");
                assert_eq!(status, Some(2), "{literal}: {said}");
                assert!(said.contains("--dialect"), "{literal}: {said}");
                let is_named = ENGINES.iter().all(|engine| said.contains(engine));
                assert!(is_named, "{literal}: {said}");
                refused += 1;
            }
        }
    }
    assert!(made >= 4 && refused >= 4, "{made} {refused}");
}

#[test]
fn every_verb_that_changes_a_file_of_any_engine_asks_for_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old");
    let save = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0];
    fs::write(&old, save).unwrap();
    let out = folder.path().join("out");
    let write = |job: &[&str], what: &str| {
        let from = folder.path().join("from");
        fs::write(&from, what).unwrap();
        let _ = fs::remove_file(&out);
        let like = ["--like", name(&old), "-o", name(&out)];
        let output = inspect(&[&[job[0], name(&from)], &job[1..], &like].concat(), &[]);
        (output.status.code(), fs::read(&out).ok(), text(&output.stderr))
    };
    for (job, same, other) in [
        (&["from-text"][..], "51", "[1, 2]"),
        (&["from-json", "--form", "plain"], "51", "[1, 2]"),
        (&["unflatten"], "(root) = 51", "[0] = 1\n[1] = 2"),
    ] {
        let (status, written, said) = write(job, same);
        let is_written =
            written.is_some_and(|bytes| bytes == [8, 0, 0, 0, 2, 0, 0, 0, 51, 0, 0, 0]);
        assert!(status == Some(0) && is_written, "{job:?}: {said}");
        let (status, written, said) = write(job, other);
        assert_eq!((status, written), (Some(2), None), "{job:?}: {said}");
        assert!(said.contains("--dialect"), "{job:?}: {said}");
        let (status, _, said) = write(&[job, &["--dialect", "godot3"]].concat(), other);
        assert_eq!(status, Some(0), "{job:?}: {said}");
    }
    let array = folder.path().join("array");
    fs::write(&array, [16, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]).unwrap();
    let merge = ["merge", name(&old), name(&array), "-o", name(&out)];
    let output = inspect(&merge, &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read(&old).unwrap(), save);
}

/// The names of settings identify the engine.
#[test]
fn a_project_is_written_for_the_engine_whose_names_it_has() {
    let project = |name: &str| {
        let len = u32::try_from(name.len()).unwrap().to_le_bytes();
        let value = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0];
        [&b"ECFG\x01\0\0\0"[..], &len, name.as_bytes(), &value].concat()
    };
    let godot4 = project("display/window/size/viewport_width");
    let changed = change_to(&godot4, &["set", "", "[1, 2]"]).unwrap();
    assert_eq!(changed[changed.len() - 24], 28);
    let (status, said) =
        change_to(&project("display/window/size/width"), &["set", "", "[1, 2]"]).unwrap_err();
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("godot3") && !said.contains("godot4"), "{said}");
    let (_, said) = change_to(&project("global/a"), &["set", "", "[1, 2]"]).unwrap_err();
    assert!(ENGINES.iter().all(|engine| said.contains(engine)), "{said}");
}

/// A value that several frames have is changed in one of them, or in each on request.
#[test]
fn frames_are_changed_only_if_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let old = [words(&[8, 2, 100]), words(&[8, 1, 1])].concat();
    let run = |arguments: &[&str]| {
        let all = [arguments, &["--dialect", "godot4", "--framing", "frames"]].concat();
        let output = inspect(&all, &[]);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    fs::write(&file, &old).unwrap();
    for path in ["", "(root)"] {
        let (status, said) = run(&["set", name(&file), path, "5"]);
        assert!(status == Some(1) && said.contains("--all-frames"), "{said}");
        assert_eq!(fs::read(&file).unwrap(), old);
    }
    let (_, said) = run(&["get", name(&file), ""]);
    assert_eq!(said, "frame 1: (root): 100\nframe 2: (root): true\n");
    assert_eq!(run(&["get", name(&file), "", "--frame", "2"]), (Some(0), "true\n".to_owned()));
    assert_eq!(run(&["get", name(&file), "frame 1: (root)"]), (Some(0), "100\n".to_owned()));
    let (status, said) = run(&["set", name(&file), "frame 1: (root)", "5", "-n"]);
    assert_eq!(
        (status, said.as_str()),
        (Some(0), "- frame 1: (root): 100\n+ frame 1: (root): 5\n")
    );
    assert_eq!(run(&["set", name(&file), "", "5", "--all-frames", "--no-backup"]).0, Some(0));
    assert_eq!(fs::read(&file).unwrap(), [words(&[8, 2, 5]), words(&[8, 2, 5])].concat());
}

/// The lines of `flatten` have keys as literals, which every verb accepts as paths, and which `unflatten` reads back.
#[test]
fn lines_have_keys_as_literals() {
    let folder = tempfile::tempdir().unwrap();
    let [source, file, lines, back] =
        ["source", "file", "lines", "back"].map(|name| folder.path().join(name));
    let literal = r#"{"map": {Vector2i(1, 0): {"hp": 5, true: [1]}, NodePath("a = b"): {}, [1, [2, 3]]: null, 7: 0.5}, "a = b": 1}"#;
    fs::write(&source, literal).unwrap();
    let written = ["from-text", "--dialect", "godot4", "-o", name(&file), name(&source)];
    assert_eq!(inspect(&written, &[]).status.code(), Some(0));
    let how = ["--dialect", "godot4"];
    let flat = text(&inspect(&[&["flatten", name(&file)], &how[..]].concat(), &[]).stdout);
    for line in [
        "map[Vector2i(1, 0)].hp = 5",
        "map[Vector2i(1, 0)][true][0] = 1",
        "map[NodePath(\"a = b\")] = {",
        "map[[1, [2, 3]]] = null",
        "[\"a = b\"] = 1",
    ] {
        let spaced =
            flat.lines().any(|own| own.replace(' ', "").starts_with(&line.replace(' ', "")));
        assert!(spaced, "{line}: {flat}");
    }
    for line in flat.lines() {
        let (path, _) = line.rsplit_once(" = ").unwrap();
        for verb in ["get", "hex"] {
            let output = inspect(&[&[verb, name(&file), path], &how[..]].concat(), &[]);
            assert_eq!(output.status.code(), Some(0), "{verb} {path}: {output:?}");
        }
    }
    fs::write(&lines, &flat).unwrap();
    let like = ["unflatten", name(&lines), "--like", name(&file), "-o", name(&back)];
    for arguments in [
        [&like[..], &how].concat(),
        [&["unflatten", name(&lines), "-o", name(&back)][..], &how].concat(),
    ] {
        let output = inspect(&arguments, &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(fs::read(&back).unwrap(), fs::read(&file).unwrap(), "{flat}");
    }
    let changed = flat.replace("map[Vector2i(1, 0)].hp = 5", "map[Vector2i(1, 0)].hp = 6");
    fs::write(&lines, changed).unwrap();
    assert_eq!(inspect(&[&like[..], &how].concat(), &[]).status.code(), Some(0));
    assert_eq!(get("map[Vector2i(1, 0)].hp", &back), "6");
}

#[test]
fn settings_are_addressed_by_name() {
    let project = corpus("godot4/saves/project.binary");
    let run = |verb: &str, more: &[&str]| {
        let output = inspect(&[&[verb, name(&project)], more].concat(), &[]);
        assert_eq!(output.status.code(), Some(0), "{verb} {more:?}: {output:?}");
        text(&output.stdout)
    };
    let keys = run("keys", &[]);
    assert!(keys.lines().any(|line| line == "application/config/name"), "{keys}");
    for setting in keys.lines() {
        let value = run("get", &[setting]);
        assert!(!value.is_empty(), "{setting}");
        run("hex", &[setting]);
        assert!(run("flatten", &["--at", setting]).starts_with(setting), "{setting}");
        run("tree", &["--at", setting]);
        let said = run("set", &[setting, "\"another\"", "-n"]);
        assert!(
            said.contains(&format!(": {setting}: ")) || said.contains(&format!(" {setting}: ")),
            "{said}"
        );
    }
    let output = inspect(&["grep", ".", name(&project)], &[]);
    let found = text(&output.stdout);
    assert!(found.lines().count() > 1 && !found.contains("setting "), "{output:?}");
}

/// A dry run reports a change of type as a real run does.
#[test]
fn a_dry_run_says_that_a_type_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    fs::copy(corpus(SAVE), &file).unwrap();
    let wanted = "version changes its type: it was int, and is String now";
    for more in [&["-n"][..], &["--no-backup"]] {
        let (status, said) = set(&[&["version", "\"text\""], more].concat(), &file);
        assert!(status == Some(0) && said.contains(wanted), "{said}");
    }
}
