//! `debug_*`: a scripted game connects to the server.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use variant_debugger::{
    Command, Game, GameOptions, Line, LineKind, List, Message, Node, Object, Property, Scope,
    StackFrame, Stop, Variable,
};
use variant_owned::Variant;

use super::client::Client;
use crate::common::corpus;

/// What a game was asked: the property that was set, with the id of its object; or a command, with its argument.
type Asked = (i64, String, Variant);

/// Starts a game that answers what an engine would answer. Returns the commands without an answer.
fn play(address: &str) -> Receiver<Asked> {
    let mut stream = TcpStream::connect(address).unwrap();
    let (send, set) = channel();
    thread::spawn(move || {
        let mut game = Game::new(GameOptions::GODOT_4);
        let mut say = |game: &mut Game, message: &Message<'_>| {
            stream.write_all(&game.send(message).unwrap()).unwrap();
        };
        say(&mut game, &Message::SetPid { pid: 7 });
        let lines = ["Godot Engine v4.4", "hello"];
        let lines = lines.map(|text| Line { text: text.into(), kind: LineKind::Log, thread: None });
        say(&mut game, &Message::Output(List::from(&lines)));
        let mut bytes = [0; 4096];
        let mut reader = stream.try_clone().unwrap();
        let mut hp = Variant::from(10);
        while let Ok(len @ 1..) = reader.read(&mut bytes) {
            game.handle(&bytes[..len], Instant::now());
            let mut answers = Vec::new();
            while let Some(request) = game.next_request() {
                answers.push(match request.unwrap().command().unwrap() {
                    Command::SceneTree => Answer::Tree,
                    Command::InspectObject { id } => Answer::Object(id),
                    Command::SetProperty { id, name, value } => {
                        hp = value.to_variant().unwrap();
                        let _ = send.send((id, name.into_owned(), hp.clone()));
                        continue;
                    }
                    Command::Breakpoint { line, set, .. } => {
                        let _ = send.send((line, "breakpoint".to_owned(), set.into()));
                        continue;
                    }
                    Command::Break | Command::Step => Answer::Stopped,
                    Command::Continue => {
                        let _ = send.send((0, "continue".to_owned(), Variant::default()));
                        Answer::Running
                    }
                    Command::StackDump => Answer::Stack,
                    Command::StackFrameVars { .. } => Answer::Variables,
                    _ => continue,
                });
            }
            for answer in answers {
                answer.say(&hp, &mut |message| {
                    let bytes = game.send(message).unwrap();
                    stream.write_all(&bytes).unwrap();
                });
            }
        }
    });
    set
}

enum Answer {
    Tree,
    Object(i64),
    Stopped,
    Running,
    Stack,
    Variables,
}

impl Answer {
    fn say(self, hp: &Variant, say: &mut dyn FnMut(&Message<'_>)) {
        match self {
            Self::Tree => {
                let node = |children, name: &'static str, class: &'static str, id| Node {
                    children,
                    name: name.into(),
                    class: class.into(),
                    id,
                    scene: Some("".into()),
                    flags: Some(0),
                };
                let nodes = [
                    node(1, "root", "Window", 1),
                    node(2, "Main", "Node2D", 2),
                    node(0, "Player", "Node2D", 3),
                    node(0, "Enemy", "Node2D", 4),
                ];
                say(&Message::SceneTree(List::from(&nodes)));
            }
            Self::Object(id) => {
                let properties = [Property {
                    name: "hp".into(),
                    type_id: 2,
                    hint: 0,
                    hint_text: "".into(),
                    usage: 4096,
                    value: hp.into(),
                }];
                let properties = List::from(&properties);
                say(&Message::InspectObject(Some(Object {
                    id,
                    class: "Node2D".into(),
                    properties,
                })));
            }
            Self::Stopped => say(&Message::DebugEnter(Stop {
                can_continue: true,
                reason: "Breakpoint".into(),
                has_stack: Some(true),
                thread_name: None,
                thread_id: None,
            })),
            Self::Running => say(&Message::DebugExit),
            Self::Stack => {
                let frame = |line, function: &'static str| StackFrame {
                    file: "res://player.gd".into(),
                    line,
                    function: function.into(),
                };
                say(&Message::StackDump(List::from(&[frame(12, "hit"), frame(30, "_process")])));
            }
            Self::Variables => {
                say(&Message::StackFrameVars { count: 2, variables: List::default() });
                for (name, scope) in [("damage", Scope::Local), ("hp", Scope::Member)] {
                    say(&Message::StackFrameVar(Variable {
                        name: name.into(),
                        scope,
                        type_id: Some(2),
                        value: hp.into(),
                    }));
                }
            }
        }
    }
}

/// A client whose server has a game.
fn attached(options: &[&str]) -> (Client, Receiver<Asked>) {
    let mut client = Client::new(&corpus(""), options);
    let listening = client.good("debug_listen", json!({ "port": 0, "wait": 0 }));
    assert_eq!(listening["results"][0]["is_connected"], false);
    let set = play(listening["results"][0]["address"].as_str().unwrap());
    let connected = client.good("debug_listen", json!({ "wait": 60 }));
    assert_eq!(connected["results"][0]["is_connected"], true);
    let hello = json!({ "since": 2, "wait": 60 });
    assert_eq!(client.good("debug_log", hello)["results"][0]["text"], "hello");
    (client, set)
}

fn column(answer: &Value, name: &str) -> Vec<Value> {
    answer["results"].as_array().unwrap().iter().map(|row| row[name].clone()).collect()
}

#[test]
fn a_tree_and_its_objects_are_listed() {
    let (mut client, _) = attached(&[]);
    let tree = client.good("debug_tree", json!({}));
    assert_eq!(column(&tree, "name"), ["root", "Main", "Player", "Enemy"]);
    assert_eq!(column(&tree, "parent"), [Value::Null, 1.into(), 2.into(), 2.into()]);
    assert_eq!(column(&tree, "level"), [0, 1, 2, 2]);
    let part = client.good("debug_tree", json!({ "limit": 1, "offset": 2 }));
    assert_eq!(column(&part, "name"), ["Player"]);
    assert_eq!((&part["more"], &part["next_offset"]), (&json!(1), &json!(3)));
    let object = client.good("debug_inspect", json!({ "id": 3 }));
    assert_eq!(object["summary"], json!({ "id": 3, "class": "Node2D" }));
    assert_eq!(object["results"], json!([{ "name": "hp", "kind": "int", "value": "10" }]));
}

#[test]
fn a_property_is_set_only_with_permission() {
    let set = json!({ "id": 3, "property": "hp", "literal": "99" });
    let (mut client, values) = attached(&[]);
    let told = client.refused("debug_set", set.clone());
    assert!(told.contains("--allow-debug"), "{told}");
    assert!(values.try_recv().is_err());

    let (mut client, values) = attached(&["--allow-debug"]);
    client.good("debug_set", set);
    let wait = Duration::from_secs(60);
    assert_eq!(values.recv_timeout(wait).unwrap(), (3, "hp".to_owned(), Variant::from(99)));
    let object = client.good("debug_inspect", json!({ "id": 3 }));
    assert_eq!(column(&object, "value"), ["99"]);
    let told =
        client.refused("debug_set", json!({ "id": 3, "property": "hp", "literal": "say hi" }));
    assert!(told.contains("not sent"), "{told}");
}

#[test]
fn a_game_stops_and_continues() {
    let (mut client, _) = attached(&[]);
    let stopped = client.good("debug_run", json!({ "action": "stop", "wait": 60 }));
    assert_eq!(stopped["results"][0]["is_stopped"], true);
    assert_eq!(stopped["results"][0]["stopped"][0]["reason"], "Breakpoint");
    let stack = client.good("debug_stack", json!({}));
    assert_eq!(column(&stack, "line"), [12, 30]);
    let variables = client.good("debug_vars", json!({ "level": 0 }));
    assert_eq!(column(&variables, "scope"), ["local", "member"]);
    // A game that is stopped does not stop again.
    let again = client.good("debug_run", json!({ "action": "stop", "wait": 60 }));
    assert_eq!(again["results"], stopped["results"]);
    client.good("debug_stack", json!({}));
    let stops = column(&client.good("debug_log", json!({})), "kind");
    assert_eq!(stops.iter().filter(|kind| *kind == "stopped").count(), 1, "{stops:?}");
    let step = client.good("debug_run", json!({ "action": "step", "wait": 60 }));
    assert_eq!(step["results"][0]["is_stopped"], true);
    client.good("debug_run", json!({ "action": "continue" }));
    client.good("debug_break", json!({ "file": "res://player.gd", "line": 12 }));
}

#[test]
fn a_stopped_game_runs_on_when_the_client_leaves() {
    runs_on_when(Client::leave);
}

#[cfg(unix)]
#[test]
fn a_stopped_game_runs_on_when_a_signal_ends_the_server() {
    runs_on_when(Client::end);
}

/// A game of Godot 3 that is stopped and loses its debugger is stopped forever.
fn runs_on_when(server_ends: fn(&mut Client) -> Option<i32>) {
    let (mut client, asked) = attached(&[]);
    for line in [12, 30] {
        client.good("debug_break", json!({ "file": "player.gd", "line": line }));
    }
    client.good("debug_break", json!({ "file": "player.gd", "line": 30, "remove": true }));
    client.good("debug_run", json!({ "action": "stop", "wait": 60 }));
    assert_eq!(server_ends(&mut client), Some(0));
    let breakpoint = |line, set: bool| (line, "breakpoint".to_owned(), Variant::from(set));
    let asked: Vec<_> = asked.iter().collect();
    assert_eq!(
        asked,
        [
            breakpoint(12, true),
            breakpoint(30, true),
            breakpoint(30, false),
            breakpoint(12, false),
            (0, "continue".to_owned(), Variant::default()),
        ]
    );
}

#[test]
fn a_breakpoint_has_the_engine_s_name_of_the_script() {
    let (mut client, _) = attached(&[]);
    for file in ["player.gd", "res://player.gd"] {
        let set = client.good("debug_break", json!({ "file": file, "line": 12 }));
        let row = json!({ "file": "res://player.gd", "line": 12, "set": true });
        assert_eq!(set["results"], json!([row]));
    }
    for (file, line) in [("player.gd", json!(0)), ("", json!(12)), ("player.gd", json!(-1))] {
        let told = client.refused("debug_break", json!({ "file": file, "line": line }));
        assert!(told.contains("expected"), "{told}");
    }
    let told = client.refused("debug_vars", json!({ "level": -1 }));
    assert!(told.contains("-1"), "{told}");
}

#[test]
fn a_game_that_prints_without_end_leaves_the_tools_usable() {
    let mut client = Client::new(&corpus(""), &[]);
    let listening = client.good("debug_listen", json!({ "port": 0, "wait": 0 }));
    let address = listening["results"][0]["address"].as_str().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let flood = thread::spawn(move || {
        let game = Game::new(GameOptions::GODOT_4);
        let lines = vec![Line { text: "a".into(), kind: LineKind::Log, thread: None }; 100];
        let bytes = game.send(&Message::Output(List::from(&lines))).unwrap();
        while stream.write_all(&bytes).is_ok() {}
    });
    let connected = client.good("debug_listen", json!({ "wait": 60 }));
    assert_eq!(connected["results"][0]["is_connected"], true);
    let mut since = json!(2_500);
    for _ in 0..3 {
        let log = client.good("debug_log", json!({ "since": since, "wait": 60, "limit": 1_000 }));
        let numbers = column(&log, "number");
        assert!(numbers.is_sorted_by_key(Value::as_u64), "{numbers:?}");
        assert!(!numbers.is_empty());
        since = log["summary"]["next_since"].clone();
    }
    // The game does not answer, and another call is not delayed by that.
    let told = client.refused("debug_tree", json!({}));
    assert!(told.contains("does not answer"), "{told}");
    assert_eq!(client.leave(), Some(0));
    flood.join().unwrap();
}

#[test]
fn a_log_continues_after_its_last_entry() {
    let (mut client, _) = attached(&[]);
    let whole = client.good("debug_log", json!({}));
    let (mut found, mut since) = (Vec::new(), json!(0));
    loop {
        let page = client.good("debug_log", json!({ "since": since, "limit": 1 }));
        since = page["summary"]["next_since"].clone();
        match page["results"].as_array().unwrap().as_slice() {
            [] => break,
            one => found.extend_from_slice(one),
        }
    }
    assert_eq!(json!(found), whole["results"]);
    assert_eq!(since, found.len());
}

/// Two calls at the same time: each has its own answer.
#[test]
fn answers_are_not_mixed_up() {
    let (mut client, _) = attached(&[]);
    let calls = (1..=8).map(|id| {
        let call = json!({ "name": "debug_inspect", "arguments": { "id": id } });
        (client.send("tools/call", call), id)
    });
    let mut calls: HashMap<_, i64> = calls.collect();
    while !calls.is_empty() {
        let answer = client.read();
        let id = calls.remove(&answer["id"].as_u64().unwrap()).unwrap();
        assert_eq!(answer["result"]["structuredContent"]["summary"]["id"], id, "{answer}");
    }
}

#[test]
fn without_a_game_there_is_a_message() {
    let mut client = Client::new(&corpus(""), &["--allow-debug"]);
    for (tool, arguments) in [
        ("debug_tree", json!({})),
        ("debug_inspect", json!({ "id": 1 })),
        ("debug_set", json!({ "id": 1, "property": "a", "literal": "1" })),
        ("debug_break", json!({ "file": "res://a.gd", "line": 1 })),
        ("debug_run", json!({ "action": "stop" })),
        ("debug_stack", json!({})),
        ("debug_vars", json!({})),
    ] {
        let told = client.refused(tool, arguments);
        assert!(told.contains("debug_listen"), "{tool}: {told}");
    }
    assert_eq!(client.good("debug_log", json!({}))["status"], "ok");
}
