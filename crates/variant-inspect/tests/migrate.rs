//! `migrate`: saves of older versions of a game become saves of the newest, and nothing is lost.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Folder, corpus, good, name, run};

const PASSWORD: [&str; 2] = ["--password-command", "echo hunter2"];

fn steps() -> PathBuf {
    corpus("godot3/migration/steps.toml")
}

fn save(file: &str) -> PathBuf {
    corpus("godot3/migration/saves").join(file)
}

/// The plain bytes of a file.
fn plain(path: &Path) -> Vec<u8> {
    let out = path.with_extension("plain");
    good(&[&["unwrap", "-o", name(&out)], &PASSWORD[..]].concat(), &[path]);
    fs::read(out).unwrap()
}

/// A copy of a save.
fn copy(folder: &Folder, file: &str) -> PathBuf {
    folder.file(file, &fs::read(save(file)).unwrap())
}

#[test]
fn saves_in_every_wrapping_become_those_of_the_newest_game() {
    let folder = Folder::new();
    let newest = fs::read(save("player1_v3.save")).unwrap();
    for version in 1..=3 {
        for wrapping in ["save", "gcpf", "gdec"] {
            let file = format!("player1_v{version}.{wrapping}");
            let path = copy(&folder, &file);
            let old = fs::read(&path).unwrap();
            good(&[&["migrate", name(&steps())], &PASSWORD[..]].concat(), &[&path]);
            let new = fs::read(&path).unwrap();
            assert_eq!(new[..4] == old[..4], wrapping != "save" || version == 3, "{file}");
            assert_eq!(plain(&path), newest, "{file}");
            let kept = folder.path(&format!("{file}~"));
            assert_eq!(fs::read(kept).ok(), (version < 3).then_some(old), "{file}");
            let again = good(&[&["migrate", name(&steps())], &PASSWORD[..]].concat(), &[&path]);
            assert!(again.err.contains("nothing changed, nothing written"), "{again:?}");
            assert_eq!(fs::read(&path).unwrap(), new, "{file}");
        }
    }
}

#[test]
fn each_file_is_migrated_or_stays_as_it_was() {
    let folder = Folder::new();
    let files: Vec<_> = ["player1_v1.save", "player1_v2.save", "player2_v1.save"]
        .into_iter()
        .map(|file| copy(&folder, file))
        .collect();
    let broken = folder.literal("broken.save", r#"{"items": []}"#, "godot3");
    let bytes = fs::read(&broken).unwrap();
    let files = [&files[0], &files[1], &broken, &files[2]].map(PathBuf::as_path);
    for jobs in ["1", "2"] {
        let ran = run(&["migrate", name(&steps()), "--dialect", "godot3", "-j", jobs], &files);
        let ran = ran.expect(1);
        let why = "split: player.name: nothing is there; `optional = true` accepts that";
        assert!(
            ran.err.contains(&format!("broken.save: {}:8:3: {why}", name(&steps()))),
            "{ran:?}"
        );
    }
    assert_eq!(fs::read(&broken).unwrap(), bytes);
    assert!(!folder.path("broken.save~").exists());
    for (file, newest) in [(0, "player1_v3"), (1, "player1_v3"), (3, "player2_v3")] {
        let newest = fs::read(save(&format!("{newest}.save"))).unwrap();
        assert_eq!(fs::read(files[file]).unwrap(), newest);
    }
}

#[test]
fn the_output_is_chosen_as_in_set() {
    let folder = Folder::new();
    let path = copy(&folder, "player1_v1.save");
    let old = fs::read(&path).unwrap();
    let (steps, out) = (steps(), folder.path("out"));
    let dry = good(&["migrate", name(&steps), "--dry-run"], &[&path]).out;
    for line in ["- frame 1: player.hp: 37.0", "+ frame 1: meta: Dictionary (1)"] {
        assert!(dry.contains(line), "{dry}");
    }
    let both = good(&["migrate", name(&steps), "-n", "--dialect", "godot3"], &[&path, &path]).out;
    let headed = format!("{}:\n{dry}", name(&path));
    assert_eq!(both, headed.repeat(2));
    let ran = run(&["migrate", name(&steps), "-o", "-", "--json"], &[&path]).expect(2);
    assert!(ran.err.contains("--json and -o - both write to standard output"), "{ran:?}");
    good(&["migrate", name(&steps), "-o", name(&out)], &[&path]);
    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(fs::read(&out).unwrap(), fs::read(save("player1_v3.save")).unwrap());
    let ran = run(&["migrate", name(&steps), "-o", name(&out)], &[&path, &path]).expect(2);
    assert!(ran.err.contains("-o takes one file"), "{ran:?}");
    let ran = run(&["migrate", name(&steps), "--in-place"], &[&path]).expect(2);
    assert!(ran.err.contains("the file changes its length"), "{ran:?}");
    assert_eq!(fs::read(&path).unwrap(), old);
    good(&["migrate", name(&steps), "--no-backup"], &[&path]);
    assert!(!folder.path("player1_v1.save~").exists());
}

#[test]
fn a_folder_of_fixtures_is_tried_out() {
    let folder = Folder::new();
    for file in ["player1_v1.save", "player1_v2.gcpf", "player2_v3.save"] {
        copy(&folder, file);
    }
    let all = folder.path("");
    let ran = good(&["migrate", name(&steps()), "--test", name(&all)], &[]);
    for what in [
        "version 1 became 3 by 13 steps",
        "version 2 became 3 by 7 steps",
        "version 3 is the newest",
    ] {
        assert!(ran.out.contains(what), "{what}\n{ran:?}");
    }
    assert_eq!(fs::read_dir(&all).unwrap().count(), 3, "nothing is written");
    let wrong = corpus("godot3/migration/wrong.toml");
    let ran = run(&["migrate", name(&wrong), "--json", "--test", name(&all)], &[]).expect(1);
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let status: Vec<_> = lines.iter().map(|line| line["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["failed", "failed", "current"]);
    let error = lines[1]["error"].as_str().unwrap();
    let why = "String cannot become int; rule = \"parse\" reads it";
    assert!(error.ends_with(&format!("wrong.toml:7:3: retype: player.class: {why}")), "{error}");
}

#[test]
fn a_file_of_steps_that_cannot_be_read_is_an_error() {
    let folder = Folder::new();
    let path = copy(&folder, "player1_v1.save");
    let bad = folder.file("bad.toml", b"version = \"v\"\nodd = 1\n");
    let ran = run(&["migrate", name(&bad)], &[&path]).expect(1);
    assert!(ran.err.contains("bad.toml:2:1: the key `odd` is unknown here"), "{ran:?}");
    run(&["migrate", name(&folder.path("none.toml"))], &[&path]).expect(3);
    let text = "version = \"v\"\n[[migration]]\nfrom = 1\nto = 2\nschema = \"none.json\"\n";
    let steps = folder.file("steps.toml", text.as_bytes());
    let ran = run(&["migrate", name(&steps), "--test", name(&folder.path(""))], &[]).expect(3);
    assert!(ran.err.contains("none.json"), "{ran:?}");
    run(&["migrate", name(&steps)], &[]).expect(2);
}
