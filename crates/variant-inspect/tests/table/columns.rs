//! Columns: given, inferred, and read from a file.

use std::fs;

use serde_json::{Value, json};
use variant_owned::dictionary;
use variant_view::Dialect;

use crate::common::{Folder, corpus, framed, name};
use crate::work::{count, rows, table};

fn names(row: &Value) -> Vec<&str> {
    row.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn columns_that_are_inferred_are_those_that_infer_prints() {
    let work = Folder::new();
    work.saves(12, 0);
    let folder = work.path("saves");
    let schema = work.path("columns.json");
    let printed = table(&["--infer"], &[&folder]).expect(0).out;
    assert_eq!(table(&["--infer", "-o", name(&schema)], &[&folder]).expect(0).out, "");
    assert_eq!(fs::read_to_string(&schema).unwrap(), printed);
    let file: Value = serde_json::from_str(&printed).unwrap();
    let columns = file["columns"].as_array().unwrap();
    for column in ["_file", "player.hp:int", "player.position:Vector3", "map.tiles:bytes", "_error"]
    {
        assert!(columns.contains(&json!(column)), "{column}: {columns:?}");
    }
    let (inferred, summary) = rows(&work, &[], &[&folder]);
    assert_eq!(count(&summary, "misfits"), 0);
    let (given, again) = rows(&work, &["--schema", name(&schema)], &[&folder]);
    assert_eq!(summary["columns"], file["columns"]);
    assert_eq!((inferred, summary), (given, again));
}

#[test]
fn with_says_what_a_row_tells() {
    let work = Folder::new();
    let file = work.save("a.sav", Dialect::Godot4, dictionary! { "hp" => 7 });
    let run = |arguments: &[&str]| {
        let (rows, _) = rows(&work, &[&["--columns", "hp:int"], arguments].concat(), &[&file]);
        rows[0].clone()
    };
    assert_eq!(names(&run(&[])), ["_file", "hp"]);
    assert_eq!(names(&run(&["--with", "none"])), ["hp"]);
    let all = run(&["--with", "value,offset,frame,file,error"]);
    assert_eq!((&all["_frame"], &all["_offset"]), (&json!(1), &json!(0)));
    assert_eq!(all["_value"].as_str().unwrap().len(), 2 * fs::read(&file).unwrap().len());
    // If the list names `_file`, the list determines its position and its name.
    let (rows, summary) = rows(&work, &["--columns", "hp:int, from=_file"], &[&file]);
    assert_eq!(summary["columns"], json!(["hp:int", "from=_file", "_error"]));
    assert!(rows[0]["from"].as_str().unwrap().ends_with("a.sav"));
}

#[test]
fn files_of_the_corpus_have_columns() {
    let work = Folder::new();
    for (file, column) in [
        ("godot3/saves/rpg_save.bin", "player.stats.hp_max:float"),
        ("godot4/saves/sample3.variant", "pos:Vector3"),
        ("godot3/containers/gcpf_zstd_save.bin", "_error"),
    ] {
        let (rows, summary) = rows(&work, &[], &[&corpus(file)]);
        assert_eq!((count(&summary, "misfits"), count(&summary, "errors")), (0, 0), "{file}");
        assert!(
            summary["columns"].as_array().unwrap().contains(&json!(column)),
            "{file}: {summary}"
        );
        assert!(!rows.is_empty());
    }
}

#[test]
fn columns_that_cannot_be_inferred_are_asked_for() {
    let work = Folder::new();
    let file = work.file("empty.sav", b"");
    let output = work.path("out.csv");
    let told = table(&["-o", name(&output)], &[&file]).expect(1).err;
    assert!(told.contains("columns cannot be inferred") && told.contains("empty.sav"), "{told}");
    assert_eq!(work.names(), ["empty.sav"]);
    // A table with named columns has a row for each file.
    table(&["--columns", "hp", "-o", name(&output)], &[&file]).expect(1);
    assert_eq!(fs::read_to_string(output).unwrap().lines().count(), 2);
}

#[test]
fn a_schema_that_is_none_is_refused() {
    let work = Folder::new();
    work.saves(1, 0);
    let output = work.path("out.csv");
    for text_of_schema in
        ["", "{}", "[1]", r#"{"columns": ["hp:integer"]}"#, r#"{"columns": ["a", "a"]}"#]
    {
        let schema = work.file("schema.json", text_of_schema.as_bytes());
        let arguments = ["--schema", name(&schema), "-o", name(&output)];
        let told = table(&arguments, &[&work.path("saves")]).expect(2).err;
        assert!(told.contains("schema.json: "), "{told}");
    }
    assert!(!output.exists());
}

/// Some files have other bytes before their values, and some have many values.
#[test]
fn frames_and_skipped_bytes_are_as_elsewhere() {
    let work = Folder::new();
    let value = |hp: i64| {
        variant_owned::encode(&dictionary! { "hp" => hp }.into(), Dialect::Godot4).unwrap()
    };
    let frames = framed(&[&value(1), &value(2), &value(3)]);
    let file = work.file("frames.dat", &[&b"v1"[..], &frames].concat());
    let arguments = ["--skip", "2", "--columns", "hp:int", "--with", "frame,offset"];
    let (rows, _) = rows(&work, &arguments, &[&file]);
    let stride = 4 + value(1).len();
    let expected: Vec<_> = (0..3)
        .map(|at| json!({"hp": at + 1, "_frame": at + 1, "_offset": 2 + 4 + at * stride}))
        .collect();
    assert_eq!(rows, expected);
    let (_, summary) =
        crate::work::rows(&work, &["--skip", "999", "--columns", "hp:int"], &[&file]);
    assert_eq!(count(&summary, "errors"), 1);
}
