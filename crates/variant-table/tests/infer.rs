//! Inferred columns: each value of a sample has a place in them.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

use arrow_array::Array as _;
use variant_owned::{encode, from_text};
use variant_table::{
    Columns, Format, Inferred, Meta, PartitionOutput, Partitions, ReadOptions, Reading, Source,
    Table,
};
use variant_testkit::saves::save;
use variant_view::Dialect;

fn files(values: &[&str]) -> Vec<Source> {
    let source = |value: &&str| {
        Source::Bytes(
            "memory".into(),
            encode(&from_text(value).unwrap(), Dialect::Godot4).unwrap().into(),
        )
    };
    values.iter().map(source).collect()
}

fn options() -> ReadOptions {
    ReadOptions::new().reading(Reading::named(Some("godot4"), Some("bare"), None).unwrap())
}

fn columns(values: &[&str]) -> Vec<String> {
    let inferred = Inferred::of(&files(values), &options(), 100).unwrap();
    inferred.columns().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn values_have_the_narrowest_type_of_all() {
    let values = [
        r#"{"i": 1, "n": 1, "s": "a", "l": [1, 2.5], "any": 1, "p": {"x": 1, "odd key": true}, "gone": null}"#,
        r#"{"i": 2, "n": 1.5, "s": &"b", "l": [], "any": "a", "p": {"x": null, "v": Vector2(1, 2)}, "extra": PackedInt32Array(1)}"#,
    ];
    assert_eq!(
        columns(&values),
        [
            "i:int",
            "n:float",
            "s:text",
            "l:list<float>",
            "any:json",
            "p.x:int",
            "p[\"odd key\"]:bool",
            "p.v:Vector2",
            "gone:json",
            "extra:PackedInt32Array",
        ]
    );
}

#[test]
fn keys_that_are_data_are_no_columns() {
    let scores: Vec<_> = (0..100).map(|n| format!("\"player{n}\": {n}")).collect();
    let save = format!(
        "{{\"scores\": {{{}}}, \"cells\": {{5: \"a\", 7: \"b\"}}, \"deep\": {{Vector2i(1, 2): 1}}}}",
        scores.join(", ")
    );
    assert_eq!(columns(&[&save]), ["scores:map<int>", "cells:map<text>", "deep:json"]);
}

#[test]
fn items_of_a_root_that_is_an_array_are_rows() {
    assert_eq!(columns(&[r#"[{"id": 1}, {"id": 2, "n": "x"}]"#]), ["[*].id:int", "[*].n:text"]);
    assert_eq!(columns(&["[1, 2]"]), ["value=:list<int>"]);
    assert_eq!(columns(&["7"]), ["value=:int"]);
}

#[test]
fn there_is_an_end_to_columns() {
    // The names have no digits and are few, so the keys count as names, not as data.
    let name = |n: u8| format!("{}{}", char::from(b'a' + n / 8), char::from(b'a' + n % 8));
    let field = |n| {
        format!("\"{}\": {{\"a\": 1, \"b\": {{\"c\": 1, \"d\": 2, \"e\": 3, \"f\": 4}}}}", name(n))
    };
    let save = format!("{{{}}}", (0..60).map(field).collect::<Vec<_>>().join(", "));
    let columns = columns(&[&save]);
    // One level more would be 300 columns, which is above the maximum.
    assert_eq!(columns.len(), 120);
    assert_eq!(columns.first_chunk().unwrap(), &["aa.a:int", "aa.b:json"].map(str::to_owned));
}

#[test]
fn types_that_are_not_given_are_those_of_the_sample() {
    let inferred = Inferred::of(
        &files(&[r#"{"a": {"x": 1, "l": [{"v": Vector3(1, 2, 3)}]}}"#]),
        &options(),
        100,
    )
    .unwrap();
    let given =
        Columns::parse(["a.x", "y=a.x:float", "a.l[0].v", "a.l[*].v", "gone", "_file"]).unwrap();
    let complete: Vec<_> = inferred.complete(&given).iter().map(ToString::to_string).collect();
    assert_eq!(
        complete,
        ["a.x:int", "y=a.x:float", "a.l[0].v:Vector3", "a.l[*].v:Vector3", "gone", "_file"]
    );
}

#[test]
fn nothing_to_infer_is_an_error() {
    let error = Inferred::of(&[], &options(), 100).unwrap_err();
    assert!(error.to_string().contains("there are no files"), "{error}");
    let broken = [Source::Bytes("broken".into(), [9; 7].into())];
    let error = Inferred::of(&broken, &ReadOptions::new(), 100).unwrap_err();
    assert!(error.to_string().contains("broken: "), "{error}");
}

/// Columns that are read from the schema of a table equal the table's columns, for any types and names.
#[test]
fn inferred_columns_survive_their_schema() {
    let deep = |open: &str, close: &str, levels| {
        format!("{{\"a\": {}1{}}}", open.repeat(levels), close.repeat(levels))
    };
    let list = |levels| columns(&[&deep("[", "]", levels)]);
    assert_eq!(list(8), [format!("a:{}int{}", "list<".repeat(8), ">".repeat(8))]);
    for levels in [9, 10, 40] {
        assert_eq!(list(levels), ["a:json"], "{levels}");
    }
    let strings = format!("{{\"a\": {}PackedStringArray(\"x\"){}}}", "[".repeat(8), "]".repeat(8));
    assert_eq!(columns(&[&strings]), ["a:json"]);
    let odd =
        r#"{"_file": 1, "a:b=c": 2, "sum(x)": [3], "a'b": {5: {6: {7: 1.5}}}, "": "x", " y ": 1}"#;
    for save in [
        deep("[", "]", 9),
        deep("[", "]", 40),
        deep("{5: ", "}", 8),
        deep("{5: ", "}", 9),
        deep("[{5: ", "}]", 20),
        strings,
        odd.to_owned(),
        "[[[[[[[[[[1]]]]]]]]]]".to_owned(),
    ] {
        let inferred = Inferred::of(&files(&[&save]), &options(), 100).unwrap();
        let columns = inferred.columns().unwrap();
        assert_eq!(Columns::of_schema(&columns.schema()).unwrap(), columns, "{save}");
        assert_eq!(Columns::from_json(&columns.to_json()).unwrap(), columns, "{save}");
        let table = Table::new(columns, options()).unwrap();
        let mut scan = table.scan(files(&[&save]), 1);
        assert!(scan.by_ref().all(|batch| batch.is_ok()), "{save}");
        assert_eq!((scan.summary().rows, scan.summary().misfits), (1, 0), "{save}");
    }
}

/// The keys of folders are columns if their text can be read again.
#[test]
fn keys_of_folders_survive_their_schema() {
    for (folder, text) in [
        ("day=1", Some("day=folder(day)")),
        ("a):b=1", Some("\"a):b\"=folder(\"a):b\")")),
        ("a\"b=1", Some("'a\"b'=folder('a\"b')")),
        ("it's=1", Some("\"it's\"=folder(\"it's\")")),
        (" day =1", Some("\" day \"=folder(\" day \")")),
        ("gr%C3%B6%C3%9Fe=1", Some("größe=folder(größe)")),
        ("items%5B%2A%5D.kind=1", Some("\"items[*].kind\"=folder(\"items[*].kind\")")),
        // The text of a column cannot express a key with both kinds of quotes.
        ("'a\"b=1", None),
        ("=x", None),
        ("_error=1", None),
        ("_file=1", None),
        // The column of the value `hp` already has this name, so the folder has no column.
        ("hp=1", None),
    ] {
        let bytes = encode(&from_text(r#"{"hp": 7}"#).unwrap(), Dialect::Godot4).unwrap();
        let files = [Source::Bytes(format!("saves/{folder}/{folder}/a.sav").into(), bytes.into())];
        let columns = Inferred::of(&files, &options(), 100).unwrap().columns().unwrap();
        let texts: Vec<_> = columns.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["hp:int"].into_iter().chain(text).collect::<Vec<_>>(), "{folder}");
        assert_eq!(Columns::of_schema(&columns.schema()).unwrap(), columns, "{folder}");
        let of_row = columns.clone().with(&[Meta::File, Meta::Error]).unwrap();
        assert_eq!(of_row.len(), columns.len() + 2, "{folder}");
        let name = format!("{folder}/a.sav");
        let value = columns.iter().nth(1).and_then(|column| column.text_of_file(&name));
        assert_eq!(value.as_deref(), text.map(|_| "1"), "{folder}");
    }
}

/// Columns inferred from real saves fit all of their values.
#[test]
fn saves_of_every_dialect_fit() {
    for &dialect in Dialect::ALL {
        let bytes = |number| Source::Bytes("save".into(), save(number, 4_000, dialect).into());
        let files: Vec<_> = (0..60).map(bytes).collect();
        let inferred = Inferred::of(&files, &ReadOptions::new(), 20).unwrap();
        assert_eq!((inferred.values(), inferred.first_error()), (20, None));
        let columns = inferred.columns().unwrap();
        assert!(columns.len() > 10, "{dialect}: {} columns", columns.len());
        let table = Table::new(columns, ReadOptions::new()).unwrap();
        let mut scan = table.scan(files, 2);
        let filled: usize = scan
            .by_ref()
            .map(|batch| {
                batch
                    .unwrap()
                    .columns()
                    .iter()
                    .map(|c| c.len().saturating_sub(c.null_count()))
                    .sum::<usize>()
            })
            .sum();
        let summary = scan.summary();
        assert_eq!(
            (summary.rows, summary.errors, summary.misfits),
            (60, 0, 0),
            "{dialect}: {summary}"
        );
        assert!(filled > 60 * 10, "{dialect}: {filled} cells");
    }
}

/// `Partitions` percent-encodes the names of columns in the names of its folders. The columns of these folders have the
/// original names.
#[test]
fn partitions_are_read_as_they_are_written() {
    struct Folders;

    impl PartitionOutput for Folders {
        type File = Vec<u8>;

        fn create(&mut self, _: &str) -> std::io::Result<Vec<u8>> {
            Ok(Vec::new())
        }
    }

    let save = files(&[r#"{"größe": 3, "items": [{"kind": "a/b"}], "hp": 7}"#]);
    let columns = Columns::parse(["größe:int", "items[*].kind:text", "hp:int"]).unwrap();
    let table = Table::new(columns, options()).unwrap();
    let by = ["größe", "items[*].kind"];
    let mut partitions = Partitions::new(Format::Csv, &table.schema(), &by, 10, Folders).unwrap();
    for batch in table.scan(save, 1) {
        partitions.write(&batch.unwrap()).unwrap();
    }
    let written = partitions.finish().unwrap();
    let [(folder, _)] = written.as_slice() else { panic!("{} folders", written.len()) };
    let bytes = encode(&from_text("{}").unwrap(), Dialect::Godot4).unwrap();
    let file = Source::Bytes(format!("out/{folder}/part-0.sav").into(), bytes.into());
    let inferred = Inferred::of(&[file], &options(), 100).unwrap().columns().unwrap();
    let found = inferred.iter().filter(|column| column.is_of_file());
    let name = format!("{folder}/part-0.sav");
    let found: Vec<_> = found
        .map(|column| (column.name(), column.text_of_file(&name).unwrap().into_owned()))
        .collect();
    assert_eq!(found, [(by[0], "3".to_owned()), (by[1], "a/b".to_owned())], "{folder}");
}
