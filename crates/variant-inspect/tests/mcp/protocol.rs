//! The protocol: the handshake, wrong messages, and calls at the same time.

use serde_json::{Value, json};

use super::client::Client;
use crate::common::{Folder, corpus};

const TOOLS: [&str; 18] = [
    "open",
    "get",
    "select",
    "set",
    "diff",
    "validate",
    "check",
    "salvage",
    "schema",
    "debug_listen",
    "debug_log",
    "debug_tree",
    "debug_inspect",
    "debug_set",
    "debug_break",
    "debug_run",
    "debug_stack",
    "debug_vars",
];

/// The tools that may change something.
const CHANGING: [&str; 5] = ["set", "salvage", "debug_set", "debug_break", "debug_run"];

#[test]
fn the_server_names_its_folders_and_ends_with_the_client() {
    let folder = Folder::new();
    let mut client = Client::start(&folder.path(""), &["--allow", ".", "--allow-write", "."]);
    let server = client.initialize();
    assert_eq!(server["serverInfo"]["name"], "variant-inspect");
    let instructions = server["instructions"].as_str().unwrap();
    assert!(instructions.contains("read and change"), "{instructions}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_client_that_says_nothing_is_no_failure() {
    assert_eq!(Client::start(&corpus(""), &[]).leave(), Some(0));
}

#[test]
fn a_client_without_a_handshake_is_refused() {
    let mut client = Client::start(&corpus(""), &[]);
    client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
    assert_eq!(client.leave(), Some(1));
}

#[test]
fn each_tool_has_a_description_and_schemas() {
    let mut client = Client::new(&corpus(""), &[]);
    let answer = client.request("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    for tool in tools {
        assert!(tool["description"].as_str().unwrap().ends_with('.'), "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object");
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        let arguments = schema["properties"].as_object().unwrap();
        let name = tool["name"].as_str().unwrap();
        let is_of_files = !name.starts_with("debug_");
        for (argument, is_there) in
            [("limit", true), ("offset", true), ("dialect", is_of_files), ("framing", is_of_files)]
        {
            assert_eq!(arguments.contains_key(argument), is_there, "{argument} of {tool}");
        }
        for (name, argument) in arguments {
            assert!(argument["description"].is_string(), "{name} of {tool}");
        }
        // Clients do not resolve references.
        assert!(!tool.to_string().contains("$ref"), "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], !CHANGING.contains(&name), "{tool}");
        assert_eq!(tool["annotations"]["destructiveHint"], CHANGING.contains(&name), "{tool}");
    }
}

#[test]
fn wrong_arguments_are_named() {
    let mut client = Client::new(&corpus(""), &[]);
    let save = "godot3/saves/rpg_save.bin";
    for (tool, arguments, words) in [
        ("get", json!({}), "missing field `file`"),
        ("get", json!({ "file": 7 }), "expected a string"),
        ("get", json!({ "file": save, "pfad": "player" }), "unknown field `pfad`"),
        ("get", json!({ "file": save, "path": "a[" }), "invalid path"),
        ("get", json!({ "file": save, "path": "nobody" }), "nobody"),
        ("get", json!({ "file": save, "form": "yaml" }), "`plain`"),
        ("get", json!({ "file": save, "dialect": "godot9" }), "pandemonium5"),
        ("get", json!({ "file": save, "framing": "boxes" }), "frames-be"),
        ("get", json!({ "file": save, "limit": -1 }), "-1"),
        ("get", json!({ "file": "" }), "a path is empty"),
        ("select", json!({ "file": save, "path": "..nobody" }), "nothing is at the path"),
        ("open", json!({ "path": "nowhere" }), "no such file"),
        ("open", json!({ "path": "README.md" }), "not binary"),
        ("validate", json!({ "files": [] }), "there are no files"),
        ("validate", json!({ "files": ["*.nothing"] }), "no file matches"),
        ("validate", json!({ "files": vec![save; 1_001] }), "at most 1000"),
        (
            "set",
            json!({ "file": save, "changes": vec![json!({ "path": "a" }); 1_001] }),
            "at most 1000",
        ),
        ("validate", json!({ "files": save }), "expected a sequence"),
        ("validate", json!({ "files": [save], "profile": "loose" }), "canonical"),
        ("check", json!({ "files": [save], "schema": save }), "not text in UTF-8"),
        ("diff", json!({ "old": save, "new": save, "tolerance": -1.0 }), "from 0 on"),
        ("diff", json!({ "old": save, "new": save, "exact": true, "loose": true }), "excludes"),
        ("diff", json!({ "old": save, "new": save, "at": "nobody" }), "nothing is at the path"),
        ("salvage", json!({ "file": "godot3" }), "is a directory"),
        ("schema", json!({ "files": [save], "form": "xml" }), "json-schema"),
    ] {
        let told = client.refused(tool, arguments.clone());
        assert!(told.contains(words), "{tool} {arguments}: {told}");
    }
}

#[test]
fn numbers_at_their_limits_end_no_server() {
    let mut client = Client::new(&corpus(""), &[]);
    let save = "godot4/saves/sample3.variant";
    for (name, greatest) in [
        ("offset", u64::MAX),
        ("limit", u16::MAX.into()),
        ("skip", u64::MAX),
        ("frame", u64::MAX),
        ("depth", u32::MAX.into()),
        ("children", u32::MAX.into()),
        ("since", u64::MAX),
        ("id", 9_223_372_036_854_775_807),
        ("level", u32::MAX.into()),
        ("line", u32::MAX.into()),
    ] {
        for number in [json!(0), json!(greatest), json!(-1), json!(1e300), json!(u64::MAX)] {
            for tool in TOOLS {
                let mut arguments = json!({});
                match tool {
                    "diff" => arguments = json!({ "old": save, "new": save }),
                    "open" => arguments["path"] = save.into(),
                    "validate" | "check" | "schema" => arguments["files"] = json!([save]),
                    "select" => arguments = json!({ "file": save, "path": "*" }),
                    "set" => arguments = json!({ "file": save, "changes": [] }),
                    "get" | "salvage" => arguments["file"] = save.into(),
                    "debug_break" => arguments["file"] = "a.gd".into(),
                    // The tools of a game without one.
                    "debug_listen" => continue,
                    _ => {}
                }
                arguments[name] = number.clone();
                let answer = client.call(tool, arguments);
                assert!(answer["structuredContent"]["status"].is_string(), "{answer}");
            }
        }
    }
}

#[test]
fn paths_of_any_bytes_are_answered() {
    let mut client = Client::new(&corpus("godot4/saves"), &[]);
    let deep = "a/".repeat(100_000);
    let stars = "**/".repeat(100_000);
    for path in ["\0", "a\0b", "/", "//", ".", "..", "~", "*\0", "[", "[!", "***", &deep, &stars] {
        for tool in ["open", "get", "validate"] {
            let mut arguments = json!({ "file": path });
            match tool {
                "open" => arguments = json!({ "path": path }),
                "validate" => arguments = json!({ "files": [path], "limit": 1 }),
                _ => {}
            }
            let answer = client.call(tool, arguments)["structuredContent"].clone();
            assert!(answer["status"].is_string(), "{answer}");
            // Each folder of a longer path would be looked up.
            let is_refused = answer["notes"].to_string().contains("at most 32767");
            assert_eq!(is_refused, path.len() > 32_767, "{answer}");
        }
    }
}

#[test]
fn unknown_tools_and_methods_are_errors_of_the_protocol() {
    let mut client = Client::new(&corpus(""), &[]);
    let answer = client.request("tools/call", json!({ "name": "run", "arguments": {} }));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("run") && message.contains("salvage"), "{message}");
    let answer = client.request("tools/shake", json!({}));
    assert!(answer["error"]["code"].is_i64(), "{answer}");
}

#[test]
fn malformed_lines_do_not_end_the_server() {
    let mut client = Client::new(&corpus(""), &[]);
    for line in ["", "{", "no json", "\u{feff}", "\"text\"", "[1, 2]", "{\"jsonrpc\": \"2.0\"}"] {
        client.write(line);
    }
    client.write(&"[".repeat(100_000));
    let id = client.send("tools/call", json!({ "name": "open", "arguments": {} }));
    let answer = loop {
        let answer = client.read();
        if answer["id"] == id {
            break answer;
        }
        assert!(answer["error"].is_object(), "{answer}");
    };
    assert_eq!(answer["result"]["isError"], false);
}

#[test]
fn an_endless_request_ends_the_server() {
    let mut client = Client::new(&corpus(""), &[]);
    // The server may end before the end of the line.
    let _ = client.try_write(&"a".repeat(5 << 20));
    assert_eq!(client.leave(), Some(1));
}

#[test]
fn calls_at_the_same_time_are_all_answered() {
    let mut client = Client::new(&corpus(""), &[]);
    let arguments = json!({ "files": ["godot3/saves", "godot4/saves"] });
    let call = json!({ "name": "validate", "arguments": arguments });
    let mut ids: Vec<_> = (0..20).map(|_| client.send("tools/call", call.clone())).collect();
    let mut first: Option<Value> = None;
    while !ids.is_empty() {
        let answer = client.read();
        let place = ids.iter().position(|id| answer["id"] == *id).unwrap();
        ids.swap_remove(place);
        let result = answer["result"].clone();
        assert_eq!(first.get_or_insert(result.clone()), &result);
    }
    assert!(first.unwrap()["structuredContent"]["results"].as_array().unwrap().len() > 5);
}

/// The server reads requests while calls wait, so it also sees that the client leaves.
#[test]
fn too_many_calls_are_refused() {
    let mut client = Client::new(&corpus(""), &[]);
    let call = json!({ "name": "debug_log", "arguments": { "wait": 60 } });
    for _ in 0..40 {
        client.send("tools/call", call.clone());
    }
    for _ in 0..8 {
        let answer = client.read();
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("calls wait already"), "{answer}");
    }
    assert_eq!(client.leave(), Some(0));
}

/// The command of the password runs at the start, and not for a tool.
#[cfg(unix)]
#[test]
fn a_tool_runs_nothing() {
    let folder = Folder::new();
    let marks = folder.path("marks");
    let command = format!("echo >> {}; echo hunter2", marks.display());
    let mut client = Client::new(&corpus(""), &["--password-command", &command]);
    let count = || std::fs::read(&marks).unwrap().len();
    assert_eq!(count(), 1);
    let opened = client.good("open", json!({ "path": ENCRYPTED }));
    assert!(opened["summary"]["layers"].to_string().contains("ncrypt"), "{opened}");
    client.good("get", json!({ "file": ENCRYPTED, "form": "tree", "depth": 0 }));
    assert_eq!(count(), 1);
}

/// A file with the password `hunter2`.
#[cfg(unix)]
const ENCRYPTED: &str = "godot4/containers/pass_hunter2_3.gdec";
