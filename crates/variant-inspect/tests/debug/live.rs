//! `debug` with Godot 3, which the tests start with the game in `tests/debug/game`.

use std::fs;

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
    assert!(run.out.contains("  at set_order (res://main.gd:45)\n"), "{run:?}");
    let report = fs::read_to_string(report).unwrap();
    assert!(report.contains("set_order (res://main.gd:45): error script-error"), "{report}");
}

#[test]
fn a_game_without_errors_passes() {
    let command = engine!();
    let arguments = ["listen", "--fail-on", "warning", "--timeout", "60"];
    let run = debug(&arguments, &command, "quit").expect(0);
    assert!(run.out.contains("ready\norder quit, hp 10\n"), "{run:?}");
}

#[test]
fn errors_and_warnings_have_the_stack_of_the_script() {
    let command = engine!();
    for (order, line) in
        [("warn", "warning: the door creaks"), ("error", "error: the door is locked")]
    {
        let arguments = ["listen", "--for", "2", "--timeout", "60"];
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
    let door = ["inspect", "Door", "position", "position.x", "--timeout", "60"];
    let door = debug(&door, &command, "").expect(0).out;
    assert_eq!(door, "position = Vector2( 3, 4 )\nposition.x = 3\n");
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
        "set Door position.y 8",
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
        "stopped: Breakpoint\nat beat (res://main.gd:22)\n",
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
    for function in ["16,\"_process\"", "21,\"beat\"", "26,\"twice\""] {
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
