//! The tools return what the command prints, page by page.

use std::path::Path;

use serde_json::{Value, json};

use super::client::Client;
use crate::common::{Folder, corpus, name, run};

const SAVE: &str = "godot3/saves/rpg_save.bin";

/// All results of a tool, over as many pages as there are, and the last answer.
fn all(client: &mut Client, tool: &str, arguments: &Value, limit: u64) -> (Vec<Value>, Value) {
    let (mut results, mut offset) = (Vec::new(), 0);
    loop {
        let mut arguments = arguments.clone();
        arguments["limit"] = limit.into();
        arguments["offset"] = offset.into();
        let answer = client.call(tool, arguments)["structuredContent"].clone();
        let page = answer["results"].as_array().cloned().unwrap_or_else(|| {
            let text = answer["text"].as_str().unwrap();
            text.split('\n').map(Value::from).collect()
        });
        assert!(number(&page) <= limit, "{answer}");
        results.extend(page);
        let Some(next) = answer["next_offset"].as_u64() else { return (results, answer) };
        assert_eq!(next, number(&results));
        offset = next;
    }
}

fn number(all: &[Value]) -> u64 {
    u64::try_from(all.len()).unwrap()
}

/// The lines of a command, as JSON values or texts.
fn printed(arguments: &[&str], files: &[&str], is_json: bool) -> Vec<Value> {
    // The server names each file by its path without links.
    let paths: Vec<_> = files.iter().map(|file| corpus(file).canonicalize().unwrap()).collect();
    let files: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let out = run(arguments, &files).out;
    let line = |line: &str| if is_json { serde_json::from_str(line).unwrap() } else { line.into() };
    out.lines().map(line).collect()
}

#[test]
fn the_tools_return_what_the_command_prints() {
    let mut client = Client::new(&corpus(""), &[]);
    let (one, other) = ("godot4/saves/sample3.variant", "godot4/saves/sample7.variant");
    let (damaged, dirty) = ("damaged/bad_utf8.variant", "damaged/dirty_padding.variant");
    let lost = "damaged/salvage/block_broken.gcpf";
    for (tool, arguments, command, files) in [
        ("diff", json!({ "old": one, "new": other }), &["diff", "--json"][..], &[one, other][..]),
        ("diff", json!({ "old": one, "new": one }), &["diff", "--json"], &[one, one]),
        ("validate", json!({ "files": [one, damaged] }), &["check", "--json"], &[one, damaged]),
        ("check", json!({ "files": [dirty, SAVE] }), &["check", "--all", "--json"], &[dirty, SAVE]),
        ("salvage", json!({ "file": lost }), &["salvage", "--json"], &[lost]),
        ("schema", json!({ "files": [one, other] }), &["schema", "--json"], &[one, other]),
        ("schema", json!({ "files": [one], "form": "rust" }), &["schema", "--rust"], &[one]),
        ("schema", json!({ "files": [one], "form": "lock" }), &["schema", "--lock"], &[one]),
        ("get", json!({ "file": one }), &["json", "--form", "plain"], &[one]),
        ("get", json!({ "file": one, "form": "literal" }), &["text"], &[one]),
        ("get", json!({ "file": one, "form": "tree" }), &["tree"], &[one]),
        ("open", json!({ "path": one }), &["tree", "--depth", "2", "--limit", "20"], &[one]),
    ] {
        for limit in [3, 1_000] {
            let (results, answer) = all(&mut client, tool, &arguments, limit);
            let is_json = answer["text"].is_null();
            let mut expected = printed(command, files, is_json);
            if ["diff", "salvage"].contains(&tool) {
                assert_eq!(Some(&answer["summary"]), expected.pop().as_ref(), "{tool}");
            }
            assert_eq!(results.len(), expected.len(), "{tool} {arguments}");
            assert_eq!(results, expected, "{tool} {arguments}");
        }
    }
}

#[test]
fn each_answer_fits_its_schema() {
    let mut client = Client::new(&corpus(""), &[]);
    let answer = client.request("tools/list", json!({}));
    let schema = &answer["result"]["tools"][0]["outputSchema"];
    let schema = jsonschema::validator_for(schema).unwrap();
    for (tool, arguments) in [
        ("open", json!({})),
        ("open", json!({ "path": SAVE })),
        ("open", json!({ "path": "godot4" })),
        ("get", json!({ "file": SAVE, "path": "player.level" })),
        ("select", json!({ "file": SAVE, "path": "..level", "limit": 1 })),
        ("validate", json!({ "files": ["damaged/*.variant"] })),
        ("salvage", json!({ "file": "damaged/salvage/cut.gcpf" })),
        ("open", json!({ "path": "nowhere" })),
    ] {
        let answer = client.call(tool, arguments)["structuredContent"].clone();
        let errors: Vec<_> = schema.iter_errors(&answer).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {answer}");
    }
}

#[test]
fn open_says_what_a_file_is() {
    let mut client = Client::new(&corpus(""), &[]);
    let opened = client.good("open", json!({ "path": SAVE, "depth": 1, "children": 2 }));
    assert_eq!(opened["summary"]["dialect"], "godot3");
    assert_eq!(opened["summary"]["framing"], "frames");
    assert_eq!(opened["summary"]["bytes"], std::fs::read(corpus(SAVE)).unwrap().len());
    let text = opened["text"].as_str().unwrap();
    assert!(text.starts_with("Dictionary (") && text.contains(" more"), "{text}");
    let folders = client.good("open", json!({}));
    assert_eq!(folders["results"][0]["may_change"], false);
    let listed = client.good("open", json!({ "path": "godot3/saves" }));
    let file = corpus(SAVE).canonicalize().unwrap();
    let is_save = |entry: &Value| entry["path"] == name(&file) && entry["kind"] == "file";
    assert!(listed["results"].as_array().unwrap().iter().any(is_save), "{listed}");
}

#[test]
fn damage_is_a_finding() {
    let mut client = Client::new(&corpus("damaged"), &[]);
    let checked = client.good("validate", json!({ "files": ["bad_utf8.variant"] }));
    assert_eq!(checked["status"], "finding");
    assert_eq!(checked["results"][0]["status"], "invalid");
    assert!(checked["results"][0]["offset"].is_u64(), "{checked}");
    let salvaged = client.good("salvage", json!({ "file": "salvage/cut.gcpf" }));
    assert_eq!(salvaged["status"], "finding");
    assert!(salvaged["summary"]["lost_bytes"].as_u64() > Some(0), "{salvaged}");
}

#[test]
fn a_schema_of_good_files_finds_another() {
    let folder = Folder::new();
    for sample in ["sample3.variant", "sample7.variant"] {
        std::fs::copy(corpus("godot4/saves").join(sample), folder.path(sample)).unwrap();
    }
    let mut client = Client::new(&folder.path(""), &[]);
    let arguments = json!({ "files": ["sample3.variant"], "form": "json-schema", "ranges": true });
    let (lines, _) = all(&mut client, "schema", &arguments, 1_000);
    let text: Vec<_> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    folder.file("schema.json", text.join("\n").as_bytes());
    let check = |file: &str| json!({ "files": [file], "schema": "schema.json" });
    assert_eq!(client.good("check", check("sample3.variant"))["status"], "ok");
    let other = client.good("check", check("sample7.variant"));
    assert_eq!(other["status"], "finding", "{other}");
}

#[test]
fn a_huge_result_is_cut() {
    let mut client = Client::new(&corpus(""), &[]);
    let whole = client.call("get", json!({ "file": SAVE }));
    assert!(whole.to_string().len() < 20_000);
    let whole = &whole["structuredContent"];
    assert_eq!(whole["results"][0]["cut"], true);
    assert!(whole["results"][0]["bytes"].as_u64() > Some(100_000), "{whole}");
    assert!(whole["notes"].to_string().contains("is cut"), "{whole}");

    let arguments = json!({ "file": SAVE, "path": "..*", "limit": 60_000 });
    let many = client.call("select", arguments.clone());
    assert!(many.to_string().len() < 400_000);
    let many = &many["structuredContent"];
    let shown = number(many["results"].as_array().unwrap());
    assert!(shown <= 1_000);
    let more = many["more"].as_u64().unwrap();
    assert_eq!(many["next_offset"], shown);
    let last = json!({ "file": SAVE, "path": "..*", "offset": shown + more - 1 });
    let last = client.good("select", last);
    assert_eq!(last["results"].as_array().unwrap().len(), 1);
    assert!(last["more"].is_null(), "{last}");
}

#[test]
fn select_finds_elements_of_packed_arrays() {
    let folder = Folder::new();
    let plain = std::fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    folder.file("save", &plain);
    let mut client = Client::new(&folder.path(""), &["--allow-write", "."]);
    let change = json!([{ "path": "version", "literal": "PackedInt32Array(7, 8, 9)" }]);
    client.good("set", json!({ "file": "save", "changes": change, "write": true }));
    let found = client.good("select", json!({ "file": "save", "path": "version[0:2]" }));
    let values: Vec<_> =
        found["results"].as_array().unwrap().iter().map(|one| &one["value"]).collect();
    assert_eq!(values, ["7", "8"], "{found}");
}

#[test]
fn a_deep_result_has_a_note() {
    let folder = Folder::new();
    let plain = std::fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    folder.file("save", &plain);
    let mut client = Client::new(&folder.path(""), &["--allow-write", "."]);
    let literal = format!("{}{}", "[".repeat(150), "]".repeat(150));
    let change = json!([{ "path": "version", "literal": literal }]);
    client.good("set", json!({ "file": "save", "changes": change, "write": true }));
    let got = client.good("get", json!({ "file": "save", "path": "version" }));
    assert_eq!(got["results"][0]["cut"], true, "{got}");
    assert!(got["notes"].to_string().contains("too deep"), "{got}");
    let inside = format!("version{}", "[0]".repeat(60));
    let inside = client.good("get", json!({ "file": "save", "path": inside }));
    assert!(inside["results"][0].is_array(), "{inside}");
    assert!(!inside["notes"].to_string().contains("too deep"), "{inside}");
}

#[test]
fn options_of_reading_can_be_given() {
    let folder = Folder::new();
    let plain = std::fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    folder.file("save", &[b"1234", &plain[..]].concat());
    let mut client = Client::new(&folder.path(""), &[]);
    let how = json!({"file": "save", "path": "version", "skip": 4, "dialect": "godot4", "framing": "bare"});
    assert_eq!(client.good("get", how)["results"], json!([4]));
}
