//! Files that several engines may have written.

use super::*;

/// The message of a refused change, or the bytes of an accepted one.
fn change_to(bytes: &[u8], arguments: &[&str]) -> Result<Vec<u8>, (Option<i32>, String)> {
    let folder = Folder::new();
    let (file, out) = (folder.file("save", bytes), folder.path("out"));
    let (verb, rest) = arguments.split_first().unwrap();
    let run = run(&[&[*verb, name(&file)], rest, &["-o", name(&out)]].concat(), &[]);
    fs::read(&out).map_err(|_| (run.code, run.err))
}

const ENGINES: [&str; 6] =
    ["godot4", "godot3", "godot2", "pandemonium3", "pandemonium4", "pandemonium5"];

/// `store_var(50)` may come from any engine. A change is made if all engines write the same bytes, otherwise it is
/// refused.
#[test]
fn what_is_written_into_a_file_of_any_engine_is_not_guessed() {
    let save = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0];
    let (mut made, mut refused) = (0, 0);
    let literals = "5; -1; true; null; 0.5; 0.1; \"text\"; 1099511627776; [1, 2]; []; {}; {\"a\": 1}; \
                    Vector2(1, 2); Vector3(1, 2, 3); Color(1, 0, 0, 1); NodePath(\"a/b\"); \
                    Rect2(1, 2, 3, 4); &\"name\"; PackedByteArray(1, 2)";
    for literal in literals.split("; ") {
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
                assert!(!is_one && status == Some(2), "{literal}: {said}");
                assert!(said.contains("--dialect"), "{literal}: {said}");
                assert!(ENGINES.iter().all(|engine| said.contains(engine)), "{literal}: {said}");
                refused += 1;
            }
        }
    }
    assert!(made >= 4 && refused >= 4, "{made} {refused}");
}

#[test]
fn every_verb_that_changes_a_file_of_any_engine_asks_for_the_engine() {
    let folder = Folder::new();
    let save = words(&[8, 2, 50]);
    let (old, out) = (folder.file("old", &save), folder.path("out"));
    let write = |job: &[&str], what: &str| {
        let from = folder.file("from", what.as_bytes());
        let _ = fs::remove_file(&out);
        let like = ["--like", name(&old), "-o", name(&out)];
        let run = run(&[&[job[0], name(&from)], &job[1..], &like].concat(), &[]);
        (run.code, fs::read(&out).ok(), run.err)
    };
    for (job, same, other) in [
        (&["from-text"][..], "51", "[1, 2]"),
        (&["from-json", "--form", "plain"], "51", "[1, 2]"),
        (&["unflatten"], "(root) = 51", "[0] = 1\n[1] = 2"),
    ] {
        let (status, written, said) = write(job, same);
        assert_eq!((status, written), (Some(0), Some(words(&[8, 2, 51]))), "{job:?}: {said}");
        let (status, written, said) = write(job, other);
        assert_eq!((status, written), (Some(2), None), "{job:?}: {said}");
        assert!(said.contains("--dialect"), "{job:?}: {said}");
        let (status, _, said) = write(&[job, &["--dialect", "godot3"]].concat(), other);
        assert_eq!(status, Some(0), "{job:?}: {said}");
    }
    let array = folder.file("array", &words(&[16, 28, 1, 2, 7]));
    refused(2, &["merge", name(&old), name(&array), "-o", name(&out)], &[]);
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
