//! `fuzz-save`: with a game that follows a script, and with Godot 3 if it is installed.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use variant_owned::{Variant, encode};
use variant_view::{Dialect, Document};

use crate::common::{Folder, Run, framed, name};

/// The program of Godot 3. `None`, and a line that says so, without the engine.
fn godot3() -> Option<String> {
    let program = std::env::var("VARIANT_GODOT3").unwrap_or_else(|_| "godot3-server".to_owned());
    let is_there = Command::new(&program).arg("--version").output().is_ok();
    if !is_there {
        println!("not tested: {program} is not installed (VARIANT_GODOT3 names it)");
    }
    is_there.then_some(program)
}

fn game() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_save/game")
}

/// A save as the game stores it: one frame.
pub(crate) fn save(folder: &Folder) -> PathBuf {
    let text = r#"{"player": "Ada", "rank": 1, "items": [{"gold": 3}, {"gold": 4}, {"gold": 5}]}"#;
    let value: Variant = text.parse().unwrap();
    folder.file("save.dat", &framed(&[&encode(&value, Dialect::Godot3).unwrap()]))
}

/// Runs `variant-inspect fuzz-save ARGUMENTS --run COMMAND` in a folder, with a game of Godot 3.
fn fuzz(folder: &Folder, arguments: &[&str], command: &[&str]) -> Run {
    fuzz_of(Dialect::Godot3, folder, arguments, command)
}

fn fuzz_of(dialect: Dialect, folder: &Folder, arguments: &[&str], command: &[&str]) -> Run {
    Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
        .arg("fuzz-save")
        .args(arguments)
        .args(["--dialect", dialect.name(), "--run"])
        .args(command)
        .current_dir(folder.path(""))
        .env("VARIANT_INSPECT_CONFIG", "")
        .stdin(Stdio::null())
        .output()
        .unwrap()
        .into()
}

#[test]
fn three_faults_of_a_loader_are_found_and_shrunk() {
    let Some(program) = godot3() else { return };
    let folder = Folder::new();
    let save = save(&folder);
    let before = fs::read(&save).unwrap();
    let game = game();
    let arguments = [name(&save), "-o", "found", "--runs", "40", "--timeout", "60", "--json"];
    let run = fuzz(&folder, &arguments, &[&program, "--path", name(&game), "--save={}"]).expect(1);
    let lines = run.out.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    for (function, path) in [("greeting", "player"), ("gold", "items[0].gold"), ("title", "rank")] {
        let found = lines.iter().find(|line| line["function"] == function);
        let found = found.unwrap_or_else(|| panic!("{function}: {run:?}"));
        let changes = found["changes"].as_array().unwrap();
        assert_eq!((changes.len(), changes[0]["path"].as_str()), (1, Some(path)), "{run:?}");
        assert_eq!(found["file"], "res://main.gd");
        let file = folder.path("found").join(found["save"].as_str().unwrap());
        assert_ne!(fs::read(file).unwrap(), before);
    }
    assert_eq!(fs::read(&save).unwrap(), before);
    let report = fs::read_to_string(folder.path("found/report.txt")).unwrap();
    assert!(
        report.contains("  again: variant-inspect debug listen --timeout 60 --dialect godot3 -- "),
        "{report}"
    );
}

#[test]
fn a_save_of_user_data_is_where_the_engine_looks() {
    let Some(program) = godot3() else { return };
    let folder = Folder::new();
    let save = save(&folder);
    let game = game();
    let place = "godot/app_userdata/A game for the tests of fuzz-save/save.dat";
    let arguments =
        [name(&save), "--as", place, "--until", "knight", "--runs", "1", "--timeout", "60"];
    // The first change removes the player, and the line of --until does not come.
    let run = fuzz(&folder, &arguments, &[&program, "--path", name(&game)]);
    assert!(run.err.contains(" in 1 run, "), "{run:?}");
}

/// A program that connects as a game of Godot 3 and then acts on its save: it ends with a status, or by a signal, or
/// hangs.
const SCRIPT: &str = r#"
exec 3<>/dev/tcp/127.0.0.1/${1##*:}
text=$(tr -d '\0' < "$2")
case $text in
    *Ada*rank*) ;;
    *Ada*) kill -SEGV $$ ;;
    *rank*) exit 3 ;;
    *) sleep 60 ;;
esac
"#;

/// The command of [`SCRIPT`]. `None`, and a line that says so, without bash.
fn scripted() -> Option<[&'static str; 6]> {
    let is_there = Command::new("bash").arg("--version").output().is_ok();
    if !is_there {
        println!("not tested: bash is not installed");
    }
    is_there.then_some(["bash", "-c", SCRIPT, "game", "{address}", "{}"])
}

#[test]
fn crashes_statuses_and_hangs_are_findings() {
    let Some(command) = scripted() else { return };
    let folder = Folder::new();
    let save = save(&folder);
    let run = fuzz(&folder, &[name(&save), "--timeout", "10", "--runs", "8"], &command).expect(1);
    for line in [
        "error exit-status: the game ended with signal: 11 (SIGSEGV)",
        "error exit-status: the game ended with exit status: 3\n  - player: \"Ada\"\n",
        "error timeout: the game did not end in the time of --timeout\n",
    ] {
        assert!(run.out.contains(line), "{line}: {run:?}");
    }
    assert!(folder.path("save.dat.findings/finding-1.dat").exists());
    // The saves of a run are not overwritten.
    let again = fuzz(&folder, &[name(&save)], &command).expect(2);
    assert!(again.err.contains("is not empty"), "{again:?}");
}

/// Keys of Godot 4 may be of the kind `StringName`. The game fails on a missing key, an additional key, and another type.
#[test]
fn keys_of_string_names_are_changed_and_read_back() {
    let Some(_) = scripted() else { return };
    let folder = Folder::new();
    let value: Variant = r#"{&"player": "Ada", &"bag": {&"gold": 3}}"#.parse().unwrap();
    let save = folder.file("save.dat", &framed(&[&encode(&value, Dialect::Godot4).unwrap()]));
    let script = r#"exec 3<>/dev/tcp/127.0.0.1/${1##*:}
text=$(tr -d '\0' < "$2")
case $text in
    *variant_inspect_extra*) kill -SEGV $$ ;;
    *player*Ada*bag*) ;;
    *player*bag*) kill -KILL $$ ;;
    *bag*) exit 3 ;;
esac"#;
    let command = ["bash", "-c", script, "game", "{address}", "{}"];
    let arguments = [name(&save), "--runs", "60", "--json"];
    let run = fuzz_of(Dialect::Godot4, &folder, &arguments, &command).expect(1);
    let mut read: Vec<_> = run
        .out
        .lines()
        .map(|line| {
            let found: serde_json::Value = serde_json::from_str(line).unwrap();
            let file = folder.path("save.dat.findings").join(found["save"].as_str().unwrap());
            let bytes = fs::read(file).unwrap();
            let document = Document::new(&bytes[4..], Dialect::Godot4);
            document.validate().unwrap();
            let value = Variant::from_producer(document.root().unwrap()).unwrap();
            (
                found["changes"][0]["path"].as_str().unwrap().to_owned(),
                value.to_string().replace('\n', ""),
            )
        })
        .collect();
    read.sort_unstable();
    let read: Vec<_> = read.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
    assert_eq!(
        read,
        [
            ("player", r#"{&"bag": {&"gold": 3}}"#),
            ("player", r#"{&"player": null,&"bag": {&"gold": 3}}"#),
            (
                "variant_inspect_extra",
                r#"{&"player": "Ada",&"bag": {&"gold": 3},"variant_inspect_extra": null}"#
            ),
        ]
    );
}

#[test]
fn a_game_that_closes_its_connection_and_hangs_is_a_finding() {
    let Some(_) = scripted() else { return };
    let folder = Folder::new();
    let save = save(&folder);
    let script = r#"exec 3<>/dev/tcp/127.0.0.1/${1##*:}
exec 3>&-
text=$(tr -d '\0' < "$2")
case $text in *Ada*) ;; *) sleep 60 ;; esac"#;
    let command = ["bash", "-c", script, "game", "{address}", "{}"];
    let older: Variant = r#"{"player": "Eve"}"#.parse().unwrap();
    let older = folder.file("old.dat", &framed(&[&encode(&older, Dialect::Godot3).unwrap()]));
    let arguments = [name(&save), "--older", name(&older), "--runs", "1", "--timeout", "10"];
    let run = fuzz(&folder, &arguments, &command).expect(1);
    let line = "error timeout: the game did not end in the time of --timeout\n  ~ the older save ";
    assert!(run.out.contains(line), "{run:?}");
}

#[test]
fn a_game_that_loads_everything_has_no_findings() {
    let Some(_) = scripted() else { return };
    let folder = Folder::new();
    let save = save(&folder);
    let script = "exec 3<>/dev/tcp/127.0.0.1/${1##*:}; test -s \"$2\" || test -e \"$2\"";
    let command = ["bash", "-c", script, "game", "{address}", "{}"];
    let run = fuzz(&folder, &[name(&save), "--runs", "20"], &command).expect(0);
    assert!(run.err.contains("0 findings in 20 runs"), "{run:?}");
    assert!(!folder.path("save.dat.findings").exists());
}

#[test]
fn keys_that_an_older_save_lacks_are_removed() {
    let Some(_) = scripted() else { return };
    let folder = Folder::new();
    let save = save(&folder);
    // The game fails on a save of Ada without rank. The older save is that of another player.
    let script = r#"exec 3<>/dev/tcp/127.0.0.1/${1##*:}
text=$(tr -d '\0' < "$2")
case $text in *Eve*|*rank*) ;; *) exit 3 ;; esac"#;
    let command = ["bash", "-c", script, "game", "{address}", "{}"];
    let text = r#"{"player": "Eve", "items": [{"gold": 3}]}"#;
    let older: Variant = text.parse().unwrap();
    let older = folder.file("old.dat", &framed(&[&encode(&older, Dialect::Godot3).unwrap()]));
    let arguments = [name(&save), "--older", name(&older), "--runs", "2"];
    let run = fuzz(&folder, &arguments, &command).expect(1);
    assert!(run.out.contains("exit status: 3\n  - rank: 1\n"), "{run:?}");
}

#[test]
fn a_game_that_fails_on_the_unchanged_save_is_refused() {
    let folder = Folder::new();
    let save = save(&folder);
    let run = fuzz(&folder, &[name(&save)], &["sh", "-c", "exit 1", "{address}", "{}"]).expect(1);
    assert!(
        run.err.contains("with the unchanged save, the game ended (exit status: 1)"),
        "{run:?}"
    );
    let run = fuzz(&folder, &[name(&save)], &["sh", "-c", "exit 1", "{address}"]).expect(2);
    assert!(run.err.contains("the game does not get the save"), "{run:?}");
}
