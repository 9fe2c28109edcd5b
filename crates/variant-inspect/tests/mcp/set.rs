//! `set` and `salvage`: what is written, and what is not.

use std::fs;

use serde_json::{Value, json};

use super::client::Client;
use crate::common::{Folder, corpus};

/// A folder with a save, in a folder that is allowed for changes, and a client.
fn work() -> (Folder, Vec<u8>, Client) {
    let folder = Folder::new();
    let bytes = fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    folder.file("save.dat", &bytes);
    let client = Client::new(&folder.path(""), &["--allow-write", "."]);
    (folder, bytes, client)
}

fn changes(all: Value) -> Value {
    let mut call = json!({ "file": "save.dat" });
    call["changes"] = all;
    call
}

fn written(all: Value) -> Value {
    let mut call = changes(all);
    call["write"] = true.into();
    call
}

#[test]
fn a_preview_writes_nothing() {
    let (folder, bytes, mut client) = work();
    let preview = client.good("set", changes(json!([{ "path": "version", "literal": 5 }])));
    assert_eq!(
        preview["results"],
        json!([{"frame": null, "path": "version", "before": "4", "after": "5"}])
    );
    assert_eq!(preview["summary"]["written"], false);
    assert_eq!(fs::read(folder.path("save.dat")).unwrap(), bytes);
    assert!(!folder.path("save.dat~").exists());
}

#[test]
fn a_change_keeps_the_old_file() {
    let (folder, bytes, mut client) = work();
    let set = client.good("set", written(json!([{ "path": "version", "literal": 5 }])));
    assert_eq!(set["summary"]["written"], true);
    assert_eq!(fs::read(folder.path("save.dat~")).unwrap(), bytes);
    let now = fs::read(folder.path("save.dat")).unwrap();
    // One byte differs: the number.
    assert_eq!(now.iter().zip(&bytes).filter(|(new, old)| new != old).count(), 1);
    let got = client.good("get", json!({ "file": "save.dat", "path": "version" }));
    assert_eq!(got["results"], json!([5]));
}

/// Sends calls at the same time. Returns the numbers of those that work.
fn at_once(client: &mut Client, calls: impl Iterator<Item = Value>) -> Vec<u64> {
    let call = |arguments| json!({ "name": "set", "arguments": Value::clone(arguments) });
    let calls: Vec<Value> = calls.collect();
    let mut sent: Vec<_> =
        calls.iter().map(|arguments| client.send("tools/call", call(arguments))).collect();
    let first = sent[0];
    let mut good = Vec::new();
    while !sent.is_empty() {
        let answer = client.read();
        let id = answer["id"].as_u64().unwrap();
        sent.retain(|other| *other != id);
        if answer["result"]["isError"] == false {
            good.push(id - first);
        }
    }
    good
}

#[test]
fn changes_at_the_same_time_are_all_made() {
    let (folder, _, mut client) = work();
    for round in 0..5 {
        let key = |number| format!("new_{round}_{number}");
        let insert = |number| json!([{ "path": key(number), "action": "insert", "literal": 1 }]);
        let good = at_once(&mut client, (0..8).map(|number| written(insert(number))));
        assert_eq!(good.len(), 8);
        for number in 0..8 {
            client.good("get", json!({ "file": "save.dat", "path": key(number) }));
        }
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2);
}

#[test]
fn of_several_calls_only_one_makes_a_new_file() {
    let (folder, _, mut client) = work();
    for round in 0..5 {
        let output = format!("new_{round}.dat");
        let call = |number| {
            let mut call = written(json!([{ "path": "version", "literal": number }]));
            call["output"] = output.clone().into();
            call
        };
        let good = at_once(&mut client, (0..8).map(call));
        let [number] = good[..] else { panic!("{good:?}") };
        let got = client.good("get", json!({ "file": output, "path": "version" }));
        assert_eq!(got["results"], json!([number]));
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 6);
}

#[test]
fn a_change_of_nothing_writes_nothing() {
    let (folder, _, mut client) = work();
    let set = client.good("set", written(json!([])));
    assert_eq!((&set["summary"]["written"], &set["results"]), (&json!(false), &json!([])));
    assert!(!folder.path("save.dat~").exists());
}

#[test]
fn each_action_changes_values() {
    let (_folder, _, mut client) = work();
    client.good(
        "set",
        written(json!([
            { "path": "name", "string": "say \"hi\"" },
            { "path": "pos", "literal": "Vector3(1, 2, 3)" },
            { "path": "typed[+]", "action": "insert", "literal": "99" },
            { "path": "nothing", "action": "insert", "literal": null },
            { "path": "list", "action": "insert", "literal": [1, "two", {"a": true}] },
            { "path": "version", "action": "rename-key", "key": "edition" },
            { "path": "entities", "action": "delete" },
        ])),
    );
    for (path, value) in [
        ("name", json!("say \"hi\"")),
        ("nothing", Value::Null),
        ("list[1]", json!("two")),
        ("list[2].a", json!(true)),
        ("edition", json!(4)),
        ("typed[-1]", json!(99)),
    ] {
        let got = client.good("get", json!({ "file": "save.dat", "path": path }));
        assert_eq!(got["results"], json!([value]), "{path}");
    }
    client.refused("get", json!({ "file": "save.dat", "path": "entities" }));
}

#[test]
fn a_wrong_change_undoes_the_others() {
    let (folder, bytes, mut client) = work();
    for (change, words) in [
        (json!({ "path": "version" }), "either `literal` or `string`"),
        (json!({ "path": "version", "literal": 5, "string": "5" }), "either `literal` or `string`"),
        (json!({ "path": "version", "action": "delete", "literal": 5 }), "only a path"),
        (json!({ "path": "version", "action": "rename-key" }), "a key"),
        (json!({ "path": "version", "literal": "say hi" }), "text needs quotes"),
        (json!({ "path": "nobody.age", "literal": 5 }), "nobody"),
        (json!({ "path": "typed[0]", "literal": "\"text\"" }), "holds int only"),
        (json!({ "path": "version", "action": "explode" }), "rename-key"),
    ] {
        let all = json!([{ "path": "name", "string": "other" }, change]);
        let told = client.refused("set", written(all));
        assert!(told.contains(words), "{change}: {told}");
    }
    assert_eq!(fs::read(folder.path("save.dat")).unwrap(), bytes);
    assert!(!folder.path("save.dat~").exists());
}

#[test]
fn the_order_of_keys_is_kept_or_refused() {
    let (_folder, _, mut client) = work();
    for literal in [json!({ "b": 1, "a": 2 }), json!([1, { "x": { "b": 1, "a": 2 } }])] {
        let told =
            client.refused("set", changes(json!([{ "path": "version", "literal": literal }])));
        assert!(told.contains("as a literal text"), "{told}");
    }
    let literal = r#"{"b": 1, "a": 2}"#;
    client.good("set", written(json!([{ "path": "version", "literal": literal }])));
    let text = json!({ "file": "save.dat", "path": "version", "form": "literal" });
    let text = client.good("get", text)["text"].to_string();
    assert!(text.find('b') < text.find('a'), "{text}");
}

#[test]
fn a_long_argument_is_not_repeated() {
    let (_folder, _, mut client) = work();
    let literal = "x".repeat(300_000);
    let told = client.refused("set", changes(json!([{ "path": "version", "literal": literal }])));
    assert!(told.len() < 10_000 && told.contains("text needs quotes"), "{}", told.len());
    let answer = client.request("tools/call", json!({ "name": literal }));
    assert!(answer["error"]["message"].as_str().unwrap().len() < 10_000);
}

#[test]
fn an_output_is_a_new_file() {
    let (folder, bytes, mut client) = work();
    let mut to_new = written(json!([{ "path": "version", "literal": 5 }]));
    to_new["output"] = "new.dat".into();
    client.good("set", to_new.clone());
    assert_eq!(fs::read(folder.path("save.dat")).unwrap(), bytes);
    let new = fs::read(folder.path("new.dat")).unwrap();
    let told = client.refused("set", to_new);
    assert!(told.contains("exists; name a new file"), "{told}");
    assert_eq!(fs::read(folder.path("new.dat")).unwrap(), new);

    fs::copy(corpus("damaged/salvage/cut.gcpf"), folder.path("cut.gcpf")).unwrap();
    let salvaged = client.good("salvage", json!({ "file": "cut.gcpf", "output": "whole.gcpf" }));
    assert!(salvaged["summary"]["recovered_bytes"].as_u64() > Some(0), "{salvaged}");
    let whole = client.good("validate", json!({ "files": ["whole.gcpf"] }));
    assert_eq!(whole["status"], "ok", "{whole}");
}

#[test]
fn without_permission_nothing_is_written() {
    let folder = Folder::new();
    let bytes = fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    folder.file("save.dat", &bytes);
    let mut client = Client::new(&folder.path(""), &[]);
    let change = json!([{ "path": "version", "literal": 5 }]);
    client.good("set", changes(change.clone()));
    let told = client.refused("set", written(change));
    assert!(told.contains("--allow-write"), "{told}");
    client.refused("salvage", json!({ "file": "save.dat", "output": "new.dat" }));
    assert_eq!(fs::read(folder.path("save.dat")).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);
}
