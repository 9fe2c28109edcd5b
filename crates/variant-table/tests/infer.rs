//! Inferred columns: each value of a sample has a place in them.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test may stop")]

use arrow_array::Array as _;
use variant_owned::{encode, from_text};
use variant_table::{Columns, Inferred, ReadOptions, Source, Table};
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
    ReadOptions::new().dialect(Some(Dialect::Godot4)).framing(Some(variant_io::Framing::Bare))
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
    // Names without digits, and fewer than the number from which keys are data.
    let name = |n: u8| format!("{}{}", char::from(b'a' + n / 8), char::from(b'a' + n % 8));
    let field = |n| {
        format!("\"{}\": {{\"a\": 1, \"b\": {{\"c\": 1, \"d\": 2, \"e\": 3, \"f\": 4}}}}", name(n))
    };
    let save = format!("{{{}}}", (0..60).map(field).collect::<Vec<_>>().join(", "));
    let columns = columns(&[&save]);
    // One level more would be 300.
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
