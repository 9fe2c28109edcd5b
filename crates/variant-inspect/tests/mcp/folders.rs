//! Files outside the allowed folders stay outside.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use super::client::Client;
use crate::common::{Folder, corpus, name};

/// A folder with `in/save.dat`, which is allowed, and `out/save.dat`, which is not.
fn work() -> Folder {
    let folder = Folder::new();
    let bytes = fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    folder.file("in/save.dat", &bytes);
    folder.file("out/save.dat", &bytes);
    folder
}

/// Calls of each tool with this file.
fn calls(file: &str) -> Vec<(&'static str, Value)> {
    let change = json!([{ "path": "version", "literal": 5 }]);
    vec![
        ("open", json!({ "path": file })),
        ("get", json!({ "file": file })),
        ("select", json!({ "file": file, "path": "*" })),
        ("set", json!({ "file": file, "changes": change })),
        ("set", json!({ "file": file, "changes": change, "write": true })),
        ("set", json!({ "file": "save.dat", "changes": change, "output": file, "write": true })),
        ("diff", json!({ "old": file, "new": "save.dat" })),
        ("diff", json!({ "old": "save.dat", "new": file })),
        ("validate", json!({ "files": [file] })),
        ("check", json!({ "files": [file] })),
        ("check", json!({ "files": ["save.dat"], "schema": file })),
        ("check", json!({ "files": ["save.dat"], "lock": file })),
        ("salvage", json!({ "file": file })),
        ("salvage", json!({ "file": "save.dat", "output": file })),
        ("schema", json!({ "files": [file] })),
    ]
}

#[test]
fn a_file_outside_is_not_read_by_any_name() {
    let folder = work();
    let inside = folder.path("in");
    symlink(folder.path("out/save.dat"), inside.join("link.dat")).unwrap();
    symlink("../out", inside.join("linked")).unwrap();
    symlink(folder.path("out/new.dat"), inside.join("dangling.dat")).unwrap();
    let before = fs::read(folder.path("out/save.dat")).unwrap();
    let mut client = Client::new(&folder.path("in"), &["--allow-write", "."]);
    let outside = folder.path("out/save.dat");
    for file in [
        name(&outside),
        "../out/save.dat",
        "./../in/../out/save.dat",
        "link.dat",
        "linked/save.dat",
        "linked/../../out/save.dat",
        "dangling.dat",
        "/dev/stdin",
        "/proc/self/environ",
        "../out/new.dat",
        "linked/new.dat",
    ] {
        for (tool, arguments) in calls(file) {
            let told = client.refused(tool, arguments.clone());
            let is_refused =
                ["outside the folders", "exists; name a new", "no files to read", "no such file"]
                    .iter()
                    .any(|words| told.contains(words));
            assert!(is_refused, "{tool} {arguments}: {told}");
        }
    }
    assert_eq!(fs::read(outside).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 1);
}

/// A message must not show which files are outside.
#[test]
fn files_outside_cannot_be_probed() {
    let folder = work();
    symlink("../out", folder.path("in/linked")).unwrap();
    symlink(folder.path("out/save.dat"), folder.path("in/there.dat")).unwrap();
    symlink(folder.path("out/nothing"), folder.path("in/nowhere.dat")).unwrap();
    let mut client = Client::new(&folder.path("in"), &[]);
    let mut told = |file: &str| {
        let told = client.refused("open", json!({ "path": file }));
        told.replace(file, "FILE").replace(name(&folder.path("in")), "HERE")
    };
    let [there, missing] =
        ["out/save.dat", "out/nothing"].map(|file| told(name(&folder.path(file))));
    assert_eq!(there, missing);
    assert_eq!(told("../out/save.dat"), told("../out/nothing"));
    assert_eq!(told("linked/save.dat"), told("linked/nothing"));
    assert_eq!(told("there.dat"), told("nowhere.dat"));
    let missing = told("nothing/save.dat");
    assert!(missing.contains("no such file"), "{missing}");
}

#[test]
fn patterns_and_folders_do_not_lead_outside() {
    let folder = work();
    symlink(folder.path("out"), folder.path("in/linked")).unwrap();
    symlink(folder.path("out/save.dat"), folder.path("in/link.dat")).unwrap();
    let mut client = Client::new(&folder.path("in"), &[]);
    let save = folder.path("in/save.dat").canonicalize().unwrap();
    for files in ["*.dat", "*", "**/*.dat", "."] {
        let checked = client.good("validate", json!({ "files": [files] }));
        let results = checked["results"].as_array().unwrap();
        let read: Vec<_> = results.iter().map(|result| result["file"].as_str().unwrap()).collect();
        assert_eq!(read, [name(&save)], "{files}: {checked}");
        assert!(checked["notes"].to_string().contains("left out"), "{files}: {checked}");
    }
    let mut told = |files: &str| client.refused("validate", json!({ "files": [files] }));
    assert_eq!(told("link*/save.dat"), told("link*/nothing"));
    assert_eq!(told("link*/*"), told("link*/n*"));
    let outside = format!("{}/*", name(&folder.path("out")));
    for files in [&outside, "../*/save.dat", "*/../../out/*", "linked/*", "/etc/*"] {
        let told = client.refused("validate", json!({ "files": [files] }));
        assert!(told.contains("outside the folders"), "{files}: {told}");
    }
}

#[test]
fn a_name_with_wildcards_is_a_name() {
    let folder = work();
    let bytes = fs::read(folder.path("in/save.dat")).unwrap();
    folder.file("in[1]/a*.dat", &bytes);
    let mut client = Client::new(&folder.path("in[1]"), &[]);
    for files in ["a*.dat", "*.dat"] {
        assert_eq!(client.good("validate", json!({ "files": [files] }))["status"], "ok", "{files}");
    }
}

#[test]
fn a_file_with_another_name_is_not_changed() {
    let folder = work();
    fs::hard_link(folder.path("out/save.dat"), folder.path("in/twin.dat")).unwrap();
    let before = fs::read(folder.path("out/save.dat")).unwrap();
    let mut client = Client::new(&folder.path("in"), &["--allow-write", "."]);
    let change = json!([{ "path": "version", "literal": 5 }]);
    let mut set = json!({ "file": "twin.dat", "changes": change, "write": true });
    let told = client.refused("set", set.clone());
    assert!(told.contains("other names"), "{told}");
    set["output"] = "new.dat".into();
    client.good("set", set);
    assert_eq!(fs::read(folder.path("out/save.dat")).unwrap(), before);
}

/// The reader of a pipe without a writer would wait forever.
#[test]
fn a_pipe_is_not_opened() {
    let folder = work();
    let pipe = folder.path("in/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut client = Client::new(&folder.path("in"), &[]);
    let told = client.refused("get", json!({ "file": "pipe" }));
    assert!(told.contains("not a regular file"), "{told}");
    let checked = client.good("validate", json!({ "files": ["."] }));
    assert_eq!(checked["results"].as_array().unwrap().len(), 1);
}

#[test]
fn several_folders_are_allowed() {
    let folder = work();
    let options = ["--allow", "out", "--allow-write", "in"];
    let mut client = Client::new(&folder.path(""), &options);
    let [inside, outside] = ["in/save.dat", "out/save.dat"].map(|file| folder.path(file));
    // A relative path starts at the first folder.
    let change = json!([{ "path": "version", "literal": 5 }]);
    let set = |file: &str| json!({ "file": file, "changes": change, "write": true });
    client.refused("set", set("save.dat"));
    client.refused("set", set(name(&outside)));
    client.good("set", set(name(&inside)));
    let found = client.good("diff", json!({ "old": "save.dat", "new": name(&inside) }));
    assert_eq!(found["summary"]["changed"], 1);
}

#[test]
fn a_folder_that_is_missing_is_an_error_at_the_start() {
    for option in ["--allow", "--allow-write"] {
        let mut client = Client::start(&corpus(""), &[option, "nowhere"]);
        assert_eq!(client.leave(), Some(2));
    }
}
