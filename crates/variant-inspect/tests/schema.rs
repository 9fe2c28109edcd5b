//! `schema`: its report about files, and the code that it writes for programs.

use std::path::{Path, PathBuf};

use crate::common::{BARE, Folder, good, name, run, words};
use serde_json::Value;

mod rust;
mod written;

fn file(folder: &Folder, name: &str, text: &str) -> PathBuf {
    folder.literal(name, text, "godot4")
}

#[track_caller]
fn schema(arguments: &[&str], files: &[&Path]) -> String {
    good(&[&["schema"], arguments, &BARE].concat(), files).out
}

/// The status and the output of `schema --drift`.
fn drift(files: &[&Path], more: &[&str]) -> (Option<i32>, String) {
    let run = run(&[&["schema", "--drift"], more, &BARE[..]].concat(), files);
    (run.code, run.out)
}

#[test]
fn a_tree_of_kinds_options_and_ranges() {
    let folder = Folder::new();
    let one = r#"{"hp": 5, "name": "ann", "bag": [{"id": 1, "n": 0.5}, {"id": -7}], "old": null}"#;
    let other = r#"{"hp": 2.5, "name": "berta", "bag": [], "at": Vector2(1, 2)}"#;
    let (one, other) = (file(&folder, "one", one), file(&folder, "other", other));
    let expected = "\
(root): Dictionary
  hp: int 5 | float 2.5
  name: String, 3..5 bytes
  bag: Array, 0..2 elements
    [*]: Dictionary
      id: int -7..1
      n?: float 0.5  in 1 of 2
  old?: Nil  in 1 of 2
  at?: Vector2  in 1 of 2
";
    assert_eq!(schema(&[], &[&one, &other]), expected);
    let places = schema(&["--json"], &[&one, &other]);
    let places: Vec<Value> =
        places.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(places.len(), 9);
    let hp = serde_json::json!({"path": "hp", "kinds": ["float", "int"], "is_optional": false, "values": 2});
    assert_eq!(places[1], hp);
    assert_eq!((&places[6]["path"], &places[6]["is_optional"]), (&"bag[*].n".into(), &true.into()));
}

#[test]
fn many_made_keys_are_a_map() {
    let folder = Folder::new();
    let pairs = |count: u32| -> String {
        let pairs: Vec<_> = (0..count).map(|n| format!("\"npc_{n}\": {{\"hp\": {n}}}")).collect();
        format!("{{\"npcs\": {{{}}}, \"1\": 1}}", pairs.join(", "))
    };
    for (count, is_map) in [(4, false), (20, true), (5_000, true)] {
        let path = file(&folder, "map", &pairs(count));
        let tree = schema(&[], &[&path]);
        assert_eq!(tree.contains("npcs: Dictionary, "), is_map, "{tree}");
        let types = schema(&["--rust"], &[&path]);
        assert_eq!(types.contains("pub npcs: IndexMap<String, Npc>,"), is_map, "{types}");
    }
}

#[test]
fn drift_from_file_to_file() {
    let folder = Folder::new();
    let one = file(&folder, "one", r#"{"a": 1, "b": {"c": "x"}, "same": [1]}"#);
    let other = file(&folder, "other", r#"{"a": 1.5, "b": {"d": "x"}, "same": [7, 8]}"#);
    let (status, told) = drift(&[&one, &other], &[]);
    let lines: Vec<_> = told.lines().skip(1).collect();
    let expected = ["- b.c: String", "~ a: int -> float", "+ b.d: String"];
    assert_eq!((status, &lines[..]), (Some(1), &expected[..]), "{told}");
    let (status, told) = drift(&[&one, &one], &[]);
    assert!(status == Some(0) && told.contains("same shape"), "{told}");
}

/// A key that appears and disappears is optional. A key that appears and stays is a change.
#[test]
fn what_comes_and_goes_is_no_drift() {
    let folder = Folder::new();
    let files: Vec<_> = [
        r#"{"v": 1, "hp": 5, "buff": 1, "items": [{"id": 1}]}"#,
        r#"{"v": 1, "hp": 5.5, "items": [{"id": 1, "n": 2}, {"id": 2}]}"#,
        r#"{"v": 1, "hp": 5, "buff": 2, "items": [{"id": 1}]}"#,
        r#"{"v": 1, "hp": 5.5, "items": [{"id": 1, "n": 2}, {"id": 2}]}"#,
        r#"{"v": 2, "hp": 5, "buff": 2, "items": [{"id": 1}], "mana": 3}"#,
        r#"{"v": 2, "hp": 5.5, "items": [{"id": 1, "n": 2}, {"id": 2}], "mana": 4}"#,
    ]
    .iter()
    .enumerate()
    .map(|(number, literal)| file(&folder, &number.to_string(), literal))
    .collect();
    let paths: Vec<_> = files.iter().map(PathBuf::as_path).collect();
    let (status, told) = drift(&paths[..4], &[]);
    assert_eq!(status, Some(0), "{told}");
    assert_eq!(told.matches("same shape").count(), 3, "{told}");
    assert!(told.contains("? buff: optional, in 2 of 4 files\n"), "{told}");
    let (status, told) = drift(&paths, &[]);
    assert_eq!((status, told.matches("same shape").count()), (Some(1), 4), "{told}");
    assert!(told.contains("3 -> ") && told.contains(": changes\n+ mana: int\n"), "{told}");
    let (status, told) = drift(&paths, &["--json"]);
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((status, lines.len()), (Some(1), 5), "{told}");
    let change = serde_json::json!([{"path": "mana", "before": null, "after": "int"}]);
    let changed: Vec<_> = lines.iter().filter(|line| line["changes"] == change).collect();
    assert_eq!(changed.len(), 1, "{told}");
    assert_eq!(changed[0]["file"], paths[4].to_str().unwrap());
}

/// The type of the whole value is `Save`, even if a key is `save`.
#[test]
fn no_type_is_declared_twice() {
    let folder = Folder::new();
    let path = file(&folder, "list", r#"[{"save": {"a": 1}, "string": {"vec": {"b": 1}}}]"#);
    let types = schema(&["--rust"], &[&path]);
    let declared = types.lines().filter_map(|line| {
        let line = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub type "))?;
        line.split(' ').next()
    });
    let declared: Vec<_> = declared.collect();
    let mut once = declared.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), declared.len(), "{types}");
    assert_eq!(declared.len(), 5, "{types}");
    assert!(
        types.contains("pub type Save = Vec<SaveItem>;") && declared.contains(&"Save2"),
        "{types}"
    );
    for taken in ["String", "Vec"] {
        assert!(!declared.contains(&taken), "{types}");
    }
}

/// An engine picks the width of each number that it writes. If a number of the file has another width, the type keeps
/// the width of the file.
#[test]
fn numbers_of_other_widths_keep_them() {
    let folder = Folder::new();
    // [0.5, 0.1], as engines write it; then 0.5 in 64 bits; then 7 in 64 bits.
    let usual = [3, 0x3f00_0000, 0x1_0003, 0x9999_999a, 0x3fb9_9999];
    let (wide, int) = ([0x1_0003, 0, 0x3fe0_0000], [0x1_0002, 7, 0]);
    for (count, numbers, of, is_canonical) in [
        (2, &usual[..], "Vec<f64>", true),
        (3, &[&usual[..], &wide].concat(), "Vec<Variant>", false),
        (1, &int[..], "Vec<Variant>", false),
    ] {
        let path = folder.file("save", &words(&[&[28, count], numbers].concat()));
        let types = schema(&["--rust"], &[&path]);
        assert!(types.contains(&format!("pub type Save = {of};")), "{types}");
        assert_eq!(types.contains("Widths::Canonical"), is_canonical, "{types}");
    }
}

/// A container's type is declared if all files declare it and its items do not become objects of a class.
#[test]
fn classes_declare_the_types_of_containers() {
    let folder = Folder::new();
    let one = r#"{"ids": Array[int]([1]), "none": Array[String]([]), "list": [1], "some": Array[float]([]),
        "scores": Dictionary[String, int]({}), "half": Dictionary[int, Variant]({}),
        "nodes": Dictionary[String, Node]({}), "objects": Array[Dictionary]([{"a": 1}])}"#;
    let one = file(&folder, "one", one);
    let two = file(&folder, "two", r#"{"ids": Array[int]([]), "some": []}"#);
    let script = schema(&["--gdscript"], &[&one, &two]);
    for line in [
        "var ids: Array[int]",
        "var none: Array[String]",
        "var list: Array",
        "var some: Array",
        "var scores: Dictionary[String, int]",
        "var half: Dictionary[int, Variant]",
        "var nodes: Dictionary",
        "var objects: Array = []",
    ] {
        assert!(script.contains(&format!("\t{line}\n")), "{line}: {script}");
    }
}

/// If a file contains only the id of an object, a message says that the properties are missing.
#[test]
fn a_file_of_one_object_id_is_explained() {
    let folder = Folder::new();
    let framed = words(&[12, 0x1_0018, 0x5566_7788, 0x1122_3344]);
    for (bytes, framing) in [(&framed[4..], "bare"), (&framed, "frames")] {
        let path = folder.file("save", bytes);
        for verb in ["tree", "get", "json"] {
            let paths = if verb == "get" { &["(root)"][..] } else { &[] };
            let how = [verb, "--dialect", "godot4", "--framing", framing, name(&path)];
            let told = run(&[&how[..], paths].concat(), &[]).err;
            assert!(told.contains("does not contain the properties"), "{verb}: {told}");
        }
    }
    let told = run(&["tree", "--dialect", "godot4"], &[&file(&folder, "null", "null")]).err;
    assert!(!told.contains("id of an object"), "{told}");
}

#[test]
fn a_json_schema_names_what_the_plain_form_holds() {
    let folder = Folder::new();
    let literal = r#"{"b": true, "i": 5, "x": [1, "a"], "r": Rect2(1, 2, 3, 4), "p": PackedVector3Array(1, 2, 3), "m": {1: 2}}"#;
    let path = file(&folder, "save", literal);
    let read = |arguments: &[&str]| -> Value {
        serde_json::from_str(&schema(arguments, &[&path])).unwrap()
    };
    // The next save may have another number, unless `--ranges` is given.
    let ranges = read(&["--json-schema", "--ranges"]);
    let range =
        serde_json::json!({"type": "integer", "minimum": 5, "maximum": 5, "x-godot-type": "int"});
    assert_eq!(ranges["properties"]["i"], range);
    let schema = read(&["--json-schema"]);
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let properties = &schema["properties"];
    assert_eq!(properties["i"], serde_json::json!({"type": "integer", "x-godot-type": "int"}));
    // `b` needs no `x-godot-type`, because JSON determines the kind of `true`. `r` needs none, because its definition
    // has it.
    assert_eq!(properties["b"], serde_json::json!({"type": "boolean"}));
    assert_eq!(schema["$defs"]["Rect2"]["x-godot-type"], "Rect2");
    assert_eq!(properties["r"]["$ref"], "#/$defs/Rect2");
    assert_eq!(properties["p"]["$ref"], "#/$defs/PackedVector3Array");
    let element = &schema["$defs"]["PackedVector3Array"]["items"];
    assert_eq!(element["required"], serde_json::json!(["x", "y", "z"]));
    assert_eq!(properties["x"]["items"]["anyOf"].as_array().unwrap().len(), 2);
    assert_eq!(properties["m"]["additionalProperties"]["type"], "integer");
    let rect = &schema["$defs"]["Rect2"]["properties"]["size"];
    assert_eq!(rect["required"], serde_json::json!(["x", "y"]));
    assert_eq!(schema["required"].as_array().unwrap().len(), 6);
}

/// Beyond a limit, paths in deep values and in values with many paths are not distinguished.
#[test]
fn hostile_shapes_are_bounded() {
    let folder = Folder::new();
    let deep = [words(&[28, 1]).repeat(1_000), words(&[0])].concat();
    // Dictionaries in dictionaries. Each has a hundred unique keys.
    let mut wide = words(&[28, 1_000]);
    for number in 0..1_000_u32 {
        wide.extend(words(&[27, 100]));
        for key in 0..100_u32 {
            wide.extend(words(&[4, 8]));
            wide.extend(format!("{:08}", number * 100 + key).as_bytes());
            wide.extend(words(&[0]));
        }
    }
    for bytes in [deep, wide] {
        let path = folder.file("hostile", &bytes);
        for form in [
            &[][..],
            &["--json-schema"],
            &["--rust"],
            &["--gdscript"],
            &["--typescript"],
            &["--python"],
            &["--drift"],
        ] {
            assert!(schema(form, &[&path]).len() < 100_000, "{form:?}");
        }
    }
}
