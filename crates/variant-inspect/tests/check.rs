//! Tests of `check` with a schema and with a lock file, and of its reports.

use std::fs;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::common::{BARE, Folder, Run, corpus, framed, good, name, run, words};

/// A save with these literals as `hp` and `party`.
fn save(hp: &str, party: &str) -> String {
    format!(r#"{{"hp": {hp}, "party": {party}, "at": Vector2(1, 2)}}"#)
}

const PARTY: &str = r#"[{"class": "mage", "mana": 3}, {"class": "rogue", "mana": 4}, {"class": "mage", "mana": 5},
    {"class": "rogue", "mana": 5}, {"class": "mage", "mana": 1}, {"class": "rogue", "mana": 2},
    {"class": "mage", "mana": 2}, {"class": "rogue", "mana": 9}]"#;

const SCHEMA: &str = r##"{
    "type": "object",
    "properties": {
        "hp": {"type": "integer", "x-godot-type": "int"},
        "party": {"type": "array", "items": {"$ref": "#/$defs/hero"}},
        "at": {"x-godot-type": "Vector2"}
    },
    "required": ["hp", "party"],
    "$defs": {"hero": {
        "type": "object",
        "properties": {"class": {"enum": ["mage", "rogue"]}},
        "required": ["class"]
    }}
}"##;

/// The drifts of a save: the contents, the path, the rule of the lock, and the end of the schema's message.
fn drifts() -> [(String, &'static str, &'static str, &'static str); 4] {
    let bard = PARTY.replacen("rogue", "bard", 1);
    [
        (r#"{"party": [], "at": Vector2(1, 2)}"#.to_owned(), "hp", "lock-removed", "(#/required)"),
        (save("7.0", PARTY), "hp", "lock-retyped", "expected int (#/properties/hp/x-godot-type)"),
        (
            save("7", r#"{"a": 1}"#),
            "party",
            "lock-retyped",
            "expected array (#/properties/party/type)",
        ),
        (
            save("7", &bard),
            "party[*].class",
            "lock-narrowed",
            "(#/$defs/hero/properties/class/enum)",
        ),
    ]
}

struct Project {
    folder: Folder,
    schema: PathBuf,
    lock: PathBuf,
}

impl Project {
    fn new() -> Self {
        let folder = Folder::new();
        let schema = folder.file("save.schema.json", SCHEMA.as_bytes());
        let old = folder.literal("old", &save("7", PARTY), "godot4");
        let lock = good(&[&["schema", "--lock"], &BARE[..]].concat(), &[&old]).out;
        let lock = folder.file("saves.lock", lock.as_bytes());
        Self { folder, schema, lock }
    }

    fn save(&self, name: &str, literal: &str) -> PathBuf {
        self.folder.literal(name, literal, "godot4")
    }

    fn check(&self, more: &[&str], files: &[&Path]) -> Run {
        let expected = ["check", "--schema", name(&self.schema), "--lock", name(&self.lock)];
        run(&[&expected[..], &BARE[..], more].concat(), files)
    }

    fn objects(&self, more: &[&str], files: &[&Path]) -> Vec<Value> {
        let out = self.check(&[&["--json"], more].concat(), files).out;
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn a_save_of_the_same_shape_holds() {
    let project = Project::new();
    let new = project.save("new", &save("9", PARTY));
    let run = project.check(&[], &[&new]).expect(0);
    assert!(run.out.contains("0 errors"), "{run:?}");
}

#[test]
fn every_drift_is_named_by_its_path() {
    let project = Project::new();
    for (literal, path, rule, message) in drifts() {
        let new = project.save("new", &literal);
        let found = project.objects(&[], &[&new]);
        let is_at = |one: &&Value, rule: &str| {
            let shown = one["path"].as_str().unwrap_or_default().replace("[1]", "[*]");
            one["rule"] == rule && shown == path
        };
        let by_schema = found.iter().find(|one| is_at(one, "schema"));
        let text =
            by_schema.unwrap_or_else(|| panic!("{path}: {found:#?}"))["message"].as_str().unwrap();
        assert!(text.ends_with(message), "{path}: {text}");
        let by_lock = found.iter().find(|one| is_at(one, rule));
        assert!(by_lock.is_some_and(|one| one["line"].is_u64()), "{path}: {found:#?}");
        project.check(&[], &[&new]).expect(1);
    }
}

#[test]
fn allowed_changes_are_fine() {
    let project = Project::new();
    let added = save("7", PARTY).replacen('{', r#"{"gold": 5, "#, 1);
    let added = project.save("added", &added);
    let found = project.check(&[], &[&added]).expect(1).out;
    assert!(
        found.contains("error lock-added: gold: found int; the lock has no such path"),
        "{found}"
    );
    project.check(&["--allow", "added"], &[&added]).expect(0);
    project.check(&["--allow", "removed,narrowed"], &[&added]).expect(1);
}

#[test]
fn a_lock_is_the_same_whatever_the_order_of_the_files() {
    let project = Project::new();
    let (one, two) = (
        project.save("one", r#"{"b": 1, "a": "x"}"#),
        project.save("two", r#"{"a": "y", "c": null}"#),
    );
    let lock = |files: &[&Path]| good(&[&["schema", "--lock"], &BARE[..]].concat(), files).out;
    let text = lock(&[&one, &two]);
    assert_eq!(text, lock(&[&two, &one]));
    assert_eq!(
        text,
        "variant-inspect lock 1\n(root)\tDictionary\na\tString\nb\toptional int\nc\toptional Nil\n"
    );
    let mine = fs::read_to_string(&project.lock).unwrap();
    assert!(mine.contains("\nparty[*].class\tString in [\"mage\",\"rogue\"]\n"), "{mine}");
}

#[test]
fn bad_schemas_and_locks_are_usage_errors_with_their_place() {
    let project = Project::new();
    let save = project.save("save", "1");
    let deep = format!("{}true{}", r#"{"not":"#.repeat(100), "}".repeat(100));
    for (schema, place, why) in [
        (
            r#"{"items": {"$ref": "https://example.com/x.json"}}"#,
            "#/items",
            "leads out of the file",
        ),
        (deep.as_str(), "#/not", "levels"),
        (r#"{"properties": {"a": {"pattern": "(a)\\1"}}}"#, "#/properties/a", "regex"),
        ("{\n \"type\" 3}", "line 2, column", "not JSON"),
    ] {
        let file = project.folder.file("bad.json", schema.as_bytes());
        let told =
            run(&[&["check", "--schema", name(&file)], &BARE[..]].concat(), &[&save]).expect(2).err;
        assert!(told.contains(&format!("bad.json: {place}")) && told.contains(why), "{told}");
    }
    for (lock, place, why) in [
        ("hp\tint\n", "line 1", "expected \"variant-inspect lock 1\""),
        ("variant-inspect lock 1\nhp int\n", "line 2", "no tab"),
        ("variant-inspect lock 1\n\nhp\tinteger\n", "line 3", "name of a kind"),
        ("variant-inspect lock 1\nhp\tint\nhp\tint\n", "line 3", "has a line before"),
        ("variant-inspect lock 1\nhp\tString in [3]\n", "line 2", "expected texts"),
    ] {
        let file = project.folder.file("bad.lock", lock.as_bytes());
        let told =
            run(&[&["check", "--lock", name(&file)], &BARE[..]].concat(), &[&save]).expect(2).err;
        assert!(told.contains(&format!("bad.lock: {place}: ")) && told.contains(why), "{told}");
    }
    run(&["check", "--allow", "added"], &[&save]).expect(2);
}

#[test]
fn damage_fails_and_the_others_are_checked() {
    let project = Project::new();
    let damaged = corpus("damaged/cut_short.variant");
    let bad = project.save("bad", &save("7.0", PARTY));
    let run = project.check(&[], &[&damaged, &bad]).expect(1);
    assert!(run.out.contains("invalid") && run.out.contains("expected int"), "{run:?}");
}

#[test]
fn each_frame_has_its_number_and_offset() {
    let project = Project::new();
    let one = fs::read(project.save("one", &save("7", PARTY))).unwrap();
    let two = fs::read(project.save("two", &save("7.0", PARTY))).unwrap();
    let frames = project.folder.file("frames", &framed(&[&one, &two]));
    let schema = ["check", "--json", "--schema", name(&project.schema)];
    let how = ["--dialect", "godot4", "--framing", "frames"];
    let out = run(&[&schema[..], &how].concat(), &[&frames]).expect(1).out;
    let first: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!((&first["value"], &first["path"]), (&"frame 2".into(), &"hp".into()));
    assert_eq!(first["offset"].as_u64().unwrap(), u64::try_from(4 + one.len() + 4 + 20).unwrap());
}

#[test]
fn compressed_and_encrypted_saves_are_checked() {
    let project = Project::new();
    let bad = project.save("bad", &save("7.0", PARTY));
    let password = project.folder.file("password", b"hunter2");
    let key = ["--password-file", name(&password)];
    let encrypted = [&["--encrypt", "godot4"], &key[..]].concat();
    for (wrapping, key) in [(&["--compress", "zstd"][..], &[][..]), (&encrypted, &key)] {
        let wrapped = project.folder.path("wrapped");
        good(&[&["wrap", "-o", name(&wrapped)], wrapping].concat(), &[&bad]);
        let run = project.check(key, &[&wrapped]).expect(1);
        assert!(run.out.contains("hp: found float 7.0; expected int"), "{run:?}");
        fs::remove_file(&wrapped).unwrap();
    }
}

/// The names and attributes of the elements of an XML document, which must be well-formed.
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut reader = Reader::from_str(xml);
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return found,
            Event::Start(one) | Event::Empty(one) => {
                let attributes = one.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let value = attribute.unescape_value().unwrap().into_owned();
                    (String::from_utf8(attribute.key.as_ref().to_vec()).unwrap(), value)
                });
                let attributes = attributes.collect();
                found.push((String::from_utf8(one.name().as_ref().to_vec()).unwrap(), attributes));
            }
            _ => {}
        }
    }
}

#[test]
fn junit_has_a_test_for_each_file() {
    let project = Project::new();
    let good = project.save("good", &save("7", PARTY));
    let bad = project.save("bad & <odd>", &save("7.0", PARTY));
    let (damaged, missing) = (corpus("damaged/cut_short.variant"), project.folder.path("missing"));
    let run = project.check(&["--junit"], &[&good, &bad, &damaged, &missing]).expect(3);
    let found = elements(&run.out);
    assert_eq!(found[0].0, "testsuites");
    let of = |name: &str| found.iter().filter(|(element, _)| element == name).count();
    // Each of the four files is a suite, and so is the lock file.
    assert_eq!(
        (of("testsuite"), of("testcase"), of("failure"), of("error")),
        (5, 5, 3, 1),
        "{}",
        run.out
    );
    let failures: Vec<_> = found.iter().filter(|(element, _)| element == "failure").collect();
    let message = &failures[0].1.iter().find(|(name, _)| name == "message").unwrap().1;
    assert!(message.contains("hp: found float 7.0; expected int"), "{message}");
    let suites = found.iter().filter(|(element, _)| element == "testsuite");
    let names: Vec<_> = suites.map(|(_, attributes)| attributes[0].1.clone()).collect();
    assert!(names[1].ends_with("bad & <odd>"), "{names:?}");
}

#[test]
fn sarif_places_differences_in_the_lock_file() {
    let project = Project::new();
    let bad = project.save("bad", &save("7.0", PARTY));
    let document: Value =
        serde_json::from_str(&project.check(&["--sarif"], &[&bad]).expect(1).out).unwrap();
    let results = document["runs"][0]["results"].as_array().unwrap();
    let of = |rule: &str| results.iter().find(|one| one["ruleId"] == rule).unwrap();
    let place = |one: &Value| one["locations"][0]["physicalLocation"].clone();
    assert_eq!(place(of("schema"))["region"]["byteOffset"], 20);
    let lock = place(of("lock-retyped"));
    assert!(lock["artifactLocation"]["uri"].as_str().unwrap().ends_with("saves.lock"), "{lock}");
    assert!(lock["region"]["startLine"].as_u64().unwrap() > 1, "{lock}");
}

/// The table has the errors first, and fits into a comment.
#[test]
fn markdown_is_bounded_and_begins_with_the_worst() {
    let project = Project::new();
    let many: Vec<_> = (0..3_000).map(|at| format!("{{\"class\": \"{at}|@user\"}}")).collect();
    let bad = project.save("bad", &save("7", &format!("[{}]", many.join(","))));
    let padded = corpus("damaged/dirty_padding.variant");
    let out =
        project.check(&["--markdown", "--all", "--limit", "3000"], &[&padded, &bad]).expect(1).out;
    assert!(out.chars().count() <= 65_536, "{}", out.len());
    assert!(out.contains(" findings not shown."), "{out:.500}");
    let rows: Vec<_> = out.lines().filter(|line| line.starts_with("| <code>")).collect();
    assert!(rows.len() > 50 && rows[0].contains("| schema |"), "{:?}", rows.first());
    assert!(rows.iter().all(|row| row.matches('|').count() == 5 && !row.contains('@')), "{rows:?}");
    assert!(out.contains("2 files, 2 failed"), "{out:.200}");
}

#[test]
fn the_schema_of_files_describes_them_and_tells_their_kinds() {
    let folder = Folder::new();
    for file in ["godot4/saves/sample3.variant", "godot4/saves/sample7.variant"] {
        let file = corpus(file);
        let schema = good(&["schema", "--json-schema"], &[&file]).out;
        let schema = folder.file("schema.json", schema.as_bytes());
        good(&["check", "--schema", name(&schema)], &[&file]);
        let lock = folder.file("lock", good(&["schema", "--lock"], &[&file]).out.as_bytes());
        good(&["check", "--lock", name(&lock)], &[&file]);
    }
    let int = folder.literal("int", r#"{"hp": 1}"#, "godot4");
    let float = folder.literal("float", r#"{"hp": 1.0}"#, "godot4");
    let schema = good(&[&["schema", "--json-schema"], &BARE[..]].concat(), &[&int]).out;
    let schema = folder.file("schema.json", schema.as_bytes());
    let told =
        run(&[&["check", "--schema", name(&schema)], &BARE[..]].concat(), &[&float]).expect(1).out;
    assert!(told.contains("hp: found float 1.0; expected int"), "{told}");
}

/// A look-up of a key takes O(1), also in a dictionary of many keys.
#[test]
fn many_keys_are_checked() {
    let folder = Folder::new();
    let keys: u32 = 100_000;
    let mut bytes = words(&[27, keys]);
    for key in 0..keys {
        bytes.extend(words(&[4, 8]));
        bytes.extend(format!("{key:08}").as_bytes());
        bytes.extend(words(&[2, key]));
    }
    let save = folder.file("save", &bytes);
    let named = |at: u32| format!(r#""{:08}": {{"x-godot-type": "float"}}"#, at * 97);
    let properties: Vec<_> = (0..1_000).map(named).collect();
    let schema = format!(r#"{{"properties": {{{}}}, "required": ["none"]}}"#, properties.join(","));
    let schema = folder.file("schema.json", schema.as_bytes());
    let out =
        run(&[&["check", "--schema", name(&schema)], &BARE[..]].concat(), &[&save]).expect(1).out;
    assert!(out.contains("1,001 errors") && out.contains("not shown: 901 schema"), "{out:.300}");
}
