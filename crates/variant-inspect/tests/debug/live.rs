//! `debug` with Godot 3, which the tests start with the game in `tests/debug/game`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::common::{debug, godot3};
use crate::common::{Folder, name};

/// A run of `debug` with the game.
macro_rules! engine {
    () => {
        match godot3() {
            Some(command) => command,
            None => return,
        }
    };
}

#[test]
fn a_script_error_fails_the_run() {
    let command = engine!();
    let folder = Folder::new();
    let report = folder.path("out.xml");
    let junit = format!("junit={}", name(&report));
    let arguments = ["listen", "--fail-on", "error", "--timeout", "60", "--report", &junit];
    let run = debug(&arguments, &command, "fail and quit").expect(1);
    assert!(run.out.contains("Nonexistent function 'open' in base 'Nil'"), "{run:?}");
    assert!(run.out.contains("  at set_order (res://main.gd:46)\n"), "{run:?}");
    let report = fs::read_to_string(report).unwrap();
    assert!(report.contains("set_order (res://main.gd:46): error script-error"), "{report}");
}

#[test]
fn a_game_without_errors_passes() {
    let command = engine!();
    // The engine reports errors about the system that it runs on.
    let arguments = ["listen", "--fail-on", "script-error", "--timeout", "60"];
    let run = debug(&arguments, &command, "quit").expect(0);
    assert!(run.out.contains("ready\norder quit, hp 10\n"), "{run:?}");
}

#[test]
fn errors_and_warnings_have_the_stack_of_the_script() {
    let command = engine!();
    for (order, line) in [
        ("warn then quit", "warning: the door creaks"),
        ("error then quit", "error: the door is locked"),
    ] {
        let arguments = ["listen", "--timeout", "60"];
        let run = debug(&arguments, &command, order).expect(0);
        assert!(run.out.contains(&format!("{line}\n  at set_order (res://main.gd:")), "{run:?}");
    }
}

#[test]
fn an_exit_status_fails_the_run() {
    let command = engine!();
    let arguments = ["listen", "--fail-on", "error", "--timeout", "60"];
    let run = debug(&arguments, &command, "quit with 3").expect(1);
    assert!(run.out.contains("the game ended with exit status: 3"), "{run:?}");
}

#[test]
fn nodes_are_listed_inspected_and_set() {
    let command = engine!();
    let tree = debug(&["tree", "--timeout", "60"], &command, "").expect(0).out;
    assert!(tree.contains("  Main Node2D #") && tree.contains("    Door Sprite #"), "{tree}");
    let main = ["inspect", "Main", "bag.items[1]", "speed", "--timeout", "60"];
    let main = debug(&main, &command, "").expect(0).out;
    assert_eq!(main, "bag.items[1] = \"rope\"\nspeed = 2.5\n");
    let told = debug(&["inspect", "Lock", "--timeout", "60"], &command, "").expect(1).err;
    assert!(told.contains("/root/Main/Door/Lock, /root/Main/Window/Lock"), "{told}");
}

#[test]
fn a_value_that_was_set_is_the_game_s() {
    let command = engine!();
    let orders = [
        "until ready",
        "set Main hp 42",
        "set Main bag.gold 99",
        "set Main title a --string",
        "set Main speed 3",
        "set Main order say --string",
        "until 'order say, hp 42'",
        "inspect Main bag speed title",
        "set Door position 'Vector2(3, 8)'",
        "inspect Door position",
    ];
    let mut arguments = vec!["session", "--timeout", "60"];
    arguments.extend(orders.iter().flat_map(|order| ["--do", order]));
    let out = debug(&arguments, &command, "").expect(0).out;
    for line in [
        "hp: 10 -> 42\n",
        "order say, hp 42\n",
        "\"gold\": 99",
        "speed = 3.0\n",
        "title = \"a\"\n",
        "position = Vector2( 3, 8 )\n",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
}

#[test]
fn a_game_stops_steps_and_runs_on() {
    let command = engine!();
    let orders = [
        "break main.gd:22",
        "wait",
        "vars count words[1]",
        "step",
        "stack",
        "next",
        "next",
        "vars doubled",
        "break main.gd:22 --clear",
        "continue",
        "set Main order 'say it' --string",
        "until 'order say it'",
    ];
    let mut arguments = vec!["session", "--timeout", "60"];
    arguments.extend(orders.iter().flat_map(|order| ["--do", order]));
    let out = debug(&arguments, &command, "").expect(0).out;
    for line in [
        "stopped: Breakpoint\n",
        // The game may have passed the line before the breakpoint was set.
        "at beat (res://main.gd:22)\ncount = ",
        "at twice (res://main.gd:27)\n#0 twice (res://main.gd:27)\n#1 beat (res://main.gd:22)\n#2 _process (",
        "order say it, hp 10\n",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
}

#[test]
fn a_profile_has_the_functions_of_the_script() {
    let command = engine!();
    let run = debug(&["profile", "2", "--sort", "calls", "--csv", "--timeout", "60"], &command, "");
    let out = run.expect(0).out;
    for function in ["15,\"_process\"", "20,\"beat\"", "26,\"twice\""] {
        assert!(out.contains(&format!("\"res://main.gd\",{function},")), "{function}: {out}");
    }
}

#[test]
fn a_recording_of_the_engine_is_replayed() {
    let command = engine!();
    let folder = Folder::new();
    let file = folder.path("recording");
    let arguments = ["record", "-o", name(&file), "--timeout", "60"];
    debug(&arguments, &command, "quit").expect(0);
    let listener = super::common::Debugger::start(&["listen"]);
    let to = listener.address.to_string();
    crate::common::good(&["debug", "replay", "--speed", "0", "--to", &to], &[&file]);
    let out = listener.ended().expect(0).out;
    assert!(out.contains("ready\norder quit, hp 10\n"), "{out}");
}

/// Runs the console blocks of the guide. `WRITE_COOKBOOK=1` rewrites the outputs.
#[test]
fn each_command_of_the_guide_prints_what_the_page_shows() {
    if godot3().is_none() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/guides/debugging.md");
    let page = fs::read_to_string(&path).unwrap();
    let (mut printed, mut is_console, mut commands) = (String::new(), false, 0);
    for line in page.lines() {
        match line.strip_prefix("$ ") {
            Some(command) if is_console => {
                commands += 1;
                printed.extend([line, "\n", &shell(command)]);
            }
            _ if is_console && line != "```" => {}
            _ => {
                is_console = line == "```console";
                printed.extend([line, "\n"]);
            }
        }
    }
    assert!(commands >= 5, "{commands} commands");
    if std::env::var_os("WRITE_COOKBOOK").is_some() {
        fs::write(&path, printed).unwrap();
        return;
    }
    assert_eq!(page, printed);
}

/// A folder with the game of a command, and with a save.
fn folder_of(command: &str) -> Folder {
    let (folder, verb) = (Folder::new(), command.split_whitespace().nth(1));
    let game = if verb == Some("fuzz-save") { "fuzz_save/game" } else { "debug/game" };
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(game);
    symlink(game, folder.path("game")).unwrap();
    crate::fuzz_save::save(&folder);
    folder
}

/// The output of a command of the guide, and its exit status unless it is 0.
fn shell(command: &str) -> String {
    let folder = folder_of(command);
    let program = Path::new(env!("CARGO_BIN_EXE_variant-inspect")).parent().unwrap().to_owned();
    let rest = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths([program].into_iter().chain(std::env::split_paths(&rest)));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.path(""))
        .env("PATH", path.unwrap())
        .env("VARIANT_INSPECT_CONFIG", "")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // The page leaves out the version of the engine, and the empty line after it.
    let is_shown = |line: &&str| !line.starts_with("Godot Engine ") && line.trim() != "";
    let text: String = text.lines().filter(is_shown).flat_map(|line| [line, "\n"]).collect();
    match output.status.code() {
        Some(0) => text,
        code => format!("{text}(exit status {})\n", code.unwrap()),
    }
}
