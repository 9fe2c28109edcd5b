//! Classes that `schema --gdscript` writes, in a running engine: they write values that equal the values read, and
//! report missing keys.

use std::fs;
use std::path::Path;
use std::time::Duration;

use clap::{Command, FromArgMatches as _, Subcommand as _};
use variant_inspect::{CommonArgs, Terminal, Verb};
use variant_io::{ByteOrder, append_value};
use variant_owned::Variant;
use variant_testkit::corpus;
use variant_testkit::live::{LiveEngine, Script, engines};
use variant_view::Dialect;

/// The classes for the saves of these files.
fn classes(dialect: Dialect, save: &Path) -> String {
    let command = Verb::augment_subcommands(Command::new("").no_binary_name(true));
    let words = ["schema", "--gdscript", save.to_str().unwrap()];
    let verb = Verb::from_arg_matches(&command.get_matches_from(words)).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let common = CommonArgs { dialect: Some(dialect), ..CommonArgs::default() };
    let status = variant_inspect::run(&verb, &common, &mut Terminal::of(&mut out, &mut err));
    assert_eq!(status, 0, "{}", String::from_utf8_lossy(&err));
    String::from_utf8(out).unwrap()
}

/// Two saves with keys that are missing, null values, nested classes and other kinds.
const SAVES: [&str; 2] = [
    r#"{"a": 1, "maybe": null, "one": {"x": 1}, "many": [{"x": 1}, {"x": 2}], "rows": {"one": {"z": 1}, 2: {"z": 2}},
        "mixed": 1, "extra": {"q": 1}, "nul": {"w": 1}, "list": [1, 2], "at": Vector3(1, 2, 3), "any": [1, "a"],
        "turn": Quat(0, 0, 0, 1), "path": NodePath("a/b"), "bytes": PoolByteArray(1, 2), "odd key": 1, "log": 5,
        "order": [{"b": 1, "c": 2}, {"c": 1, "b": 2}]}"#,
    r#"{"a": 2, "maybe": 3, "one": {"x": 1}, "many": [], "rows": {}, "mixed": "m", "nul": null, "list": [],
        "at": Vector3(1, 2, 3), "any": [], "turn": Quat(0, 0, 0, 1), "path": NodePath("a"), "bytes": PoolByteArray(),
        "odd key": 1, "log": 5, "order": []}"#,
];

/// The bytes that the classes for the file at `save` write after reading it, and the faults that they report.
fn exchange(engine: &LiveEngine, save: &Path) -> (Vec<u8>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::copy(save, file("save")).unwrap();
    fs::write(file("types.gd"), classes(engine.dialect(), save)).unwrap();
    let limit = Duration::from_secs(120);
    let ended = engine.run(Script::Schema, folder.path(), &[], limit).unwrap();
    assert!(ended.is_some(), "the engine runs longer than {limit:?}");
    (fs::read(file("back")).unwrap(), fs::read_to_string(file("faults")).unwrap())
}

#[test]
#[ignore = "needs an engine"]
fn classes_give_back_values_of_many_shapes() {
    for engine in engines().iter().filter(|engine| engine.dialect() == Dialect::Godot3) {
        let mut bytes = Vec::new();
        for save in SAVES {
            let value: Variant = save.parse().unwrap();
            append_value(&mut bytes, &value, Dialect::Godot3, ByteOrder::Little).unwrap();
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, &bytes).unwrap();
        assert!(exchange(engine, file.path()).0 == bytes, "{}", engine.name());
    }
}

#[test]
#[ignore = "needs an engine"]
fn classes_give_back_the_value_and_name_the_key_that_is_missing() {
    for engine in engines().iter().filter(|engine| engine.dialect() == Dialect::Godot3) {
        for (save, keys) in [("rpg_save.bin", 8), ("replay_200.bin", 4)] {
            let save = corpus::root().join("godot3/saves").join(save);
            let (back, faults) = exchange(engine, &save);
            assert!(back == fs::read(&save).unwrap(), "{save:?}");
            // Two lines for each key: a value of another kind, and no value. `read` returns null for both.
            assert_eq!(faults.lines().count(), 2 * keys, "{faults}");
            for pair in faults.lines().collect::<Vec<_>>().chunks(2) {
                let [kind, missing] = pair else { panic!("{faults}") };
                let (key, found) = kind.split_once(": ").unwrap();
                assert!(found.starts_with("expected [") && found.ends_with("], found AABB; Null"));
                assert_eq!(*missing, format!("{key}: the key is missing; Null"));
            }
        }
        println!("{}: the classes gave all values back", engine.name());
    }
}
