//! Files of settings: each value has a name.

use super::*;

/// A name that is not UTF-8 is an error, since text cannot contain the name and a name is never changed.
#[test]
fn a_name_that_is_no_text_is_refused() {
    let folder = Folder::new();
    let bytes = b"ECFG\x01\0\0\0\x04\0\0\0a\xff/b\x08\0\0\0\x02\0\0\0\x07\0\0\0";
    let file = folder.file("project.binary", bytes);
    let Run { out, err: told, .. } = run(&["text", "--dialect", "godot4"], &[&file]).expect(1);
    assert_eq!(out, "");
    assert!(told.contains("setting 1, a\\xff/b: the name \"a\\xff/b\" is not UTF-8"), "{told}");
    // The suggested exact JSON keeps the name.
    let back = folder.path("back");
    let json = good(&["json", "--form", "exact", "--dialect", "godot4"], &[&file]).out;
    good(&["from-json", "-o", name(&back)], &[&folder.file("json", json.as_bytes())]);
    assert_eq!(fs::read(&back).unwrap(), bytes);
}

#[test]
fn settings_are_converted() {
    let folder = Folder::new();
    let [there, back] = ["there", "back"].map(|name| folder.path(name));
    let old = corpus("godot3/saves/project.binary");
    good(&["convert", "--to", "godot4", "-o", name(&there)], &[&old]);
    let told = good(&["check", "--dialect", "godot4"], &[&there]).out;
    assert!(told.contains("7 settings"), "{told}");
    good(&["convert", "--to", "godot3", "--dialect", "godot4", "-o", name(&back)], &[&there]);
    assert_eq!(fs::read(&back).unwrap(), fs::read(&old).unwrap());
}

#[test]
fn names_that_are_dropped_are_told() {
    let folder = Folder::new();
    let new = folder.path("new");
    let old = corpus("godot3/saves/project.binary");
    let dropped = "note: dropped: the names of the settings\n";
    let convert = ["convert", "--dialect", "godot3", "--to", "godot4", "-o", name(&new)];
    let told = good(&convert, &[&old]).err;
    assert!(!told.contains("dropped"), "{told}");
    let framed = [&convert[..], &["--to-framing", "frames"]].concat();
    let told = good(&framed, &[&old]).err;
    assert!(told.contains(dropped) && told.contains("settings to frames"), "{told}");
    fs::write(&new, "precious").unwrap();
    let told = refused(1, &[&framed[..], &["--strict"]].concat(), &[&old]);
    assert!(told.contains("frames cannot hold the names of the settings"), "{told}");
    assert_eq!(fs::read(&new).unwrap(), b"precious");
    // Text and JSON give the same result.
    let back = ["--dialect", "godot3", "--to-framing", "frames", "-", "-o", "-"];
    let named = r#"{"dialect":"godot3","framing":"settings","name":"a","value":null}"#;
    for (verb, input) in [("from-text", "a=1\nb=2\n"), ("from-json", named)] {
        let output = inspect_with(&[&[verb][..], &back].concat(), input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(text(&output.stderr).contains(dropped), "{output:?}");
    }
}

/// If any value has a name, all values are settings. The error then names the value without a name.
#[test]
fn the_one_without_a_name_is_at_fault() {
    let text_of = ["1\nb=2\n", "a=1\n2\n"];
    let json_of = [
        r#"{"dialect":"godot3","value":null} {"dialect":"godot3","name":"b","value":null}"#,
        r#"{"dialect":"godot3","name":"a","value":null} {"dialect":"godot3","value":null}"#,
    ];
    for (verb, inputs) in [("from-text", text_of), ("from-json", json_of)] {
        for (number, input) in (1..).zip(inputs) {
            let back = [verb, "--dialect", "godot3", "-", "-o", "-"];
            let output = inspect_with(&back, input.as_bytes());
            assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{input}");
            let message = format!("value {number}: the setting has no name");
            assert!(text(&output.stderr).contains(&message), "{output:?}");
            // A note says that names are dropped.
            let output =
                inspect_with(&[&back[..], &["--to-framing", "frames"]].concat(), input.as_bytes());
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let told = text(&output.stderr);
            assert!(told.contains("dropped: the names of the settings"), "{told}");
        }
    }
}
