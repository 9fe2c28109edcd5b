//! Every format has the same rows, which are the rows of the files.

use std::fs::{self, File};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use serde_json::{Value, json};
use variant_testkit::saves::Saves;
use variant_view::{Document, VariantView};

use crate::common::{Folder, name};
use crate::work::{json_rows, lines, parquet, table, whole};

const COLUMNS: &str = "name=player.name:text, hp=player.hp:int, position=player.position:Vector3, \
                       meta.played:float, is_resting=player.is_resting:bool, tiles=map.tiles:bytes, \
                       heights=map.heights:PackedFloat32Array, title=player.title:text";

/// The first columns of a save, computed without the crate for tables.
fn expected(saves: &Saves, number: u64) -> Value {
    let bytes = saves.bytes_of(number);
    let root = Document::new(&bytes, saves.dialect).root().unwrap();
    let get = |one: &str, other: &str| {
        let inner = root.get(one).unwrap().unwrap();
        inner.get(other).unwrap()
    };
    let title = get("player", "title").map(|title| title.as_str().unwrap().to_owned());
    let position = get("player", "position").unwrap().as_vector3().unwrap();
    let played = get("meta", "played").unwrap();
    let VariantView::Float(played) = played else { panic!("{played:?}") };
    json!({
        "name": get("player", "name").unwrap().as_str().unwrap(),
        "hp": get("player", "hp").unwrap().as_i64().unwrap(),
        "position": {"x": position.x, "y": position.y, "z": position.z},
        "meta.played": played.value(),
        "is_resting": get("player", "is_resting").unwrap().as_bool().unwrap(),
        "title": title,
    })
}

#[test]
fn each_format_has_the_rows_of_the_files() {
    let work = Folder::new();
    let saves = work.saves(40, 10);
    let folder = work.path("saves");
    let mut read = Vec::new();
    for format in ["parquet", "arrow", "jsonl", "csv"] {
        let output = work.path(&format!("saves.{format}"));
        let run = table(&["--columns", COLUMNS, "-o", name(&output)], &[&folder]);
        let told = run.expect(1).err;
        assert!(told.contains("40 files, 40 values: 36 rows + 4 errors"), "{told}");
        read.push(match format {
            "parquet" => json_rows(&parquet(&output)),
            "arrow" => {
                let reader =
                    arrow_ipc::reader::FileReader::try_new(File::open(output).unwrap(), None);
                json_rows(&whole(reader.unwrap()))
            }
            "jsonl" => lines(&fs::read(output).unwrap()),
            _ => csv(&fs::read_to_string(output).unwrap()),
        });
    }
    let [rows, others @ ..] = read.as_slice() else { panic!("no format") };
    assert_eq!(rows.len(), 40);
    for (number, row) in (0_u64..).zip(rows) {
        let file = row["_file"].as_str().unwrap();
        assert!(file.ends_with(saves.path(number).to_str().unwrap()), "{file}");
        if saves.is_damaged(number) {
            assert!(row["_error"]["text"].is_string() && row["hp"].is_null(), "{row}");
            continue;
        }
        assert!(row["_error"].is_null(), "{row}");
        for (name, value) in expected(&saves, number).as_object().unwrap() {
            assert_eq!(&row[name], value, "{number}: {name}");
        }
        assert_eq!(row["tiles"].as_str().unwrap().len() % 2, 0);
        assert!(row["heights"].as_array().unwrap().len() > 100);
    }
    let [arrow, jsonl, csv] = others else { panic!("formats") };
    assert_eq!((rows, rows), (arrow, jsonl));
    // In CSV, nested values are JSON and numbers are text.
    assert_eq!(csv.len(), rows.len());
    for (csv, row) in csv.iter().zip(rows) {
        let shown = |name: &str| match &row[name] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        for name in ["_file", "name", "hp", "is_resting", "title"] {
            assert_eq!(csv[name].as_str().unwrap_or_default(), shown(name), "{name}");
        }
        assert_eq!(csv["_error.text"], row["_error"]["text"]);
        if row["hp"].is_number() {
            let position: Value = serde_json::from_str(csv["position"].as_str().unwrap()).unwrap();
            for part in ["x", "y", "z"] {
                assert_eq!(position[part].as_f64(), row["position"][part].as_f64(), "{position}");
            }
        }
    }
}

/// Lines of CSV as objects of texts, without empty fields.
fn csv(text: &str) -> Vec<Value> {
    let names = text.lines().next().unwrap().split(',');
    let fields: Vec<_> = names.map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let reader = arrow_csv::ReaderBuilder::new(Arc::new(Schema::new(fields))).with_header(true);
    json_rows(&whole(reader.build(text.as_bytes()).unwrap()))
}

#[test]
fn a_table_of_no_rows_has_names() {
    let work = Folder::new();
    let file = work.file("empty.sav", b"");
    for format in ["csv", "parquet", "arrow", "jsonl"] {
        let output = work.path(&format!("out.{format}"));
        let arguments = ["--columns", "hp:int", "--with", "none", "-o", name(&output)];
        let told = table(&arguments, &[&file]).expect(1).err;
        assert!(told.contains("1 file, 1 value: 0 rows + 1 error"), "{told}");
        assert!(told.contains("--with error"), "{told}");
        match format {
            "csv" => assert_eq!(fs::read_to_string(output).unwrap(), "hp\n"),
            "parquet" => {
                let batches = parquet(&output);
                assert_eq!(
                    (batches[0].num_rows(), batches[0].schema().field(0).name().as_str()),
                    (0, "hp")
                );
            }
            "arrow" => assert!(fs::metadata(output).unwrap().len() > 0),
            _ => assert_eq!(fs::read(output).unwrap(), b""),
        }
    }
}

#[test]
fn formats_are_told_by_name_or_by_option() {
    let work = Folder::new();
    work.saves(1, 0);
    let folder = work.path("saves");
    let run = |output: &str, arguments: &[&str]| {
        let output = work.path(output);
        let arguments = [&["--columns", "player.hp", "-o", name(&output)], arguments].concat();
        table(&arguments, &[&folder])
    };
    run("a.CSV", &[]).expect(0);
    run("b", &["--format", "csv"]).expect(0);
    assert_eq!(fs::read(work.path("a.CSV")).unwrap(), fs::read(work.path("b")).unwrap());
    for name in ["c", "c.xlsx", "csv"] {
        let told = run(name, &[]).expect(2).err;
        assert!(told.contains("--format: parquet, arrow, csv, jsonl"), "{told}");
    }
    assert_eq!(work.names(), ["a.CSV", "b", "saves"]);
}
