//! Orders: the same ones print the same lines for games of every family.

use std::thread;

use variant_debugger::Family;
use variant_owned::Variant;

use super::common::Debugger;
use super::scripted::{Asked, ENGINES, Scripted, arguments_of};
use crate::common::Run;

type Engine = (Family, variant_view::Dialect, variant_debugger::Version);

/// Runs a command with a game that answers until the end. Returns the run, and what the game was asked.
fn run(arguments: &[&str], engine: Engine) -> (Run, Vec<Asked>) {
    let mut arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    arguments.extend(arguments_of(engine));
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let debugger = Debugger::start(&arguments);
    let mut game = Scripted::connect(debugger.address, engine);
    let game = thread::spawn(move || {
        game.serve();
        game.asked
    });
    (debugger.ended(), game.join().unwrap())
}

/// Runs a command with games of every family. Returns what all of them make it print.
fn of_all(arguments: &[&str]) -> String {
    let printed: Vec<_> =
        ENGINES.iter().map(|engine| run(arguments, *engine).0.expect(0).out).collect();
    for (other, engine) in printed.iter().zip(ENGINES) {
        assert_eq!(*other, printed[0], "{engine:?}");
    }
    printed[0].clone()
}

#[test]
fn the_tree_is_printed_with_classes_and_ids() {
    let tree = "root Viewport #1\n  Main Node2D #2\n    Door Sprite #3\n    Window Node2D #4\n";
    assert_eq!(of_all(&["tree"]), tree);
    assert_eq!(of_all(&["tree", "--find", "Sprite"]), "/root/Main/Door Sprite #3\n");
    assert_eq!(of_all(&["tree", "--depth", "0"]), "root Viewport #1\n");
    let json = of_all(&["tree", "Main/Door", "--json"]);
    let node: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&node["path"], &node["id"]), (&"/root/Main/Door".into(), &3.into()));
}

#[test]
fn a_node_is_named_by_path_name_or_id() {
    for name in ["Main", "/root/Main", "#2", "2", "root/Main"] {
        assert_eq!(of_all(&["inspect", name, "hp"]), "hp = 10\n", "{name}");
    }
    let (run, _) = run(&["inspect", "Mein"], ENGINES[0]);
    assert_eq!(run.expect(1).err, "error: no node Mein; /root/Main is near\n");
}

#[test]
fn properties_are_printed_whole_or_at_a_path() {
    assert_eq!(of_all(&["inspect", "Main", "bag.gold"]), "bag.gold = 3\n");
    let all = of_all(&["inspect", "Main"]);
    assert_eq!(all, "Node2D #2\nMembers\n  bag: Dictionary (1)\n  hp: 10\n");
    let json: serde_json::Value =
        serde_json::from_str(&of_all(&["inspect", "Main", "--json"])).unwrap();
    assert_eq!(json["properties"][0]["value"]["gold"], 3);
}

#[test]
fn a_property_is_set_and_read_again() {
    for engine in ENGINES {
        let (run, asked) = run(&["set", "Main", "hp", "42", "--log"], engine);
        let out = run.expect(0).out;
        assert!(out.contains("hp is 42\n") && out.ends_with("hp: 10 -> 42\n"), "{out}");
        assert!(asked.contains(&Asked::Set("Members/hp".to_owned(), 42.into())), "{asked:?}");
    }
    // The game of the script keeps its bag.
    let (refused, asked) = run(&["set", "Main", "bag.gold", "9"], ENGINES[0]);
    assert!(refused.expect(1).err.contains("did not change"));
    let sent = asked.iter().find_map(|asked| match asked {
        Asked::Set(_, value) => Some(value["gold"].clone()),
        _ => None,
    });
    assert_eq!(sent, Some(Variant::from(9)));
}

#[test]
fn one_session_breaks_steps_and_goes_on() {
    let orders = [
        "break main.gd:30",
        "wait",
        "stack",
        "vars",
        "step",
        "next",
        "vars hp",
        "continue",
        "break main.gd:30 --clear",
    ];
    let mut arguments = vec!["session"];
    arguments.extend(orders.iter().flat_map(|order| ["--do", order]));
    let printed = of_all(&arguments);
    let expected = "ready\nstopped: Breakpoint\nat beat (res://main.gd:30)\n\
        #0 beat (res://main.gd:30)\n#1 _process (res://main.gd:19)\n\
        Locals\n  count: 4\nMembers\n  hp: 10\n\
        stopped: Breakpoint\nat beat (res://main.gd:31)\n\
        stopped: Breakpoint\nat beat (res://main.gd:32)\n\
        hp = 10\n";
    assert_eq!(printed, expected);
}

#[test]
fn a_break_alone_prints_stack_and_variables() {
    let printed = of_all(&["break", "main.gd:30"]);
    assert!(printed.starts_with("stopped: Breakpoint\n#0 beat (res://main.gd:30)\n"), "{printed}");
    assert!(printed.ends_with("Locals\n  count: 4\nMembers\n  hp: 10\n"), "{printed}");
}

#[test]
fn a_stopped_game_runs_on_at_the_end() {
    for engine in ENGINES {
        let (run, asked) = run(&["vars", "--at", "main.gd:30"], engine);
        run.expect(0);
        assert_eq!(asked.last(), Some(&Asked::Run), "{engine:?}: {asked:?}");
        assert!(asked.contains(&Asked::Breakpoint(false)), "{engine:?}: {asked:?}");
    }
}

#[test]
fn only_engines_that_evaluate_are_asked() {
    for engine in ENGINES {
        let (run, asked) = run(&["eval", "hp * 2", "--at", "main.gd:30"], engine);
        if engine.1 == variant_view::Dialect::Godot4
            && engine.2 >= variant_debugger::Version::new(4, 4)
        {
            assert_eq!(run.expect(0).out, "hp * 2 = 20\n");
            assert!(asked.contains(&Asked::Evaluate("hp * 2".to_owned())));
        } else {
            let told = run.expect(1).err;
            assert!(told.contains("evaluate"), "{engine:?}: {told}");
            assert!(!asked.iter().any(|asked| matches!(asked, Asked::Evaluate(_))));
        }
    }
}

#[test]
fn a_profile_is_a_table_a_file_or_lines_of_json() {
    let table = of_all(&["profile", "0.1"]);
    let row = table.lines().nth(1).unwrap();
    let words: Vec<_> = row.split_whitespace().collect();
    assert_eq!(words, ["12", "250.000", "500.000", "beat", "(res://main.gd:21)"], "{table}");
    let csv = of_all(&["profile", "0.1", "--csv"]);
    assert_eq!(csv.lines().nth(1), Some("\"res://main.gd\",21,\"beat\",12,0.25,0.5"));
    let json: serde_json::Value =
        serde_json::from_str(&of_all(&["profile", "0.1", "--json"])).unwrap();
    assert_eq!((&json["calls"], &json["own"]), (&12.into(), &0.25.into()));
}

#[test]
fn messages_of_the_game_s_own_code_go_both_ways() {
    for engine in ENGINES {
        let orders =
            ["session", "--do", "send mine:ask 1 '\"b\"'", "--do", "watch mine: --count 1"];
        let (run, asked) = run(&orders, engine);
        if engine.0.is_array() {
            assert_eq!(run.expect(0).out, "ready\nmine:answer 1, \"b\"\n");
            let values = vec![1.into(), "b".into()];
            assert!(asked.contains(&Asked::Own("mine:ask".to_owned(), values)));
        } else {
            assert!(run.expect(1).err.contains("have no messages"));
        }
    }
}

#[test]
fn a_message_that_ends_a_game_is_not_sent() {
    let (refused, _) = run(&["send", "scene:inspect_object"], ENGINES[3]);
    assert!(refused.expect(1).err.contains("a message of the engine"));
    let (refused, asked) = run(&["send", "inspect_object", "--raw"], ENGINES[0]);
    let told = refused.expect(1).err;
    assert!(told.contains("inspect_object") && !asked.contains(&Asked::Other), "{told}");
}

#[test]
fn a_wrong_order_is_found_before_a_game_is_awaited() {
    let told = crate::common::refused(2, &["debug", "session", "--do", "tree", "--do", "fly"], &[]);
    assert!(told.contains("order 2") && told.contains("fly"), "{told}");
}

#[test]
fn lines_of_one_message_are_for_several_orders() {
    for engine in ENGINES {
        let of_engine = arguments_of(engine);
        let mut arguments =
            vec!["session", "--do", "until one", "--do", "until two", "--timeout", "20"];
        arguments.extend(of_engine.iter().map(String::as_str));
        let debugger = Debugger::start(&arguments);
        let mut game = Scripted::connect(debugger.address, engine);
        let game = thread::spawn(move || {
            game.print("one\ntwo");
            game.serve();
        });
        debugger.ended().expect(0);
        game.join().unwrap();
    }
}

#[test]
fn a_stop_at_another_place_is_noted() {
    for engine in ENGINES {
        let (run, _) = run(&["stack", "--at", "main.gd:31"], engine);
        let told = run.expect(0).err;
        assert!(told.contains("before res://main.gd:31, at beat (res://main.gd:30)"), "{told}");
    }
}
