//! Each cell equals the value at its path, and no value is dropped.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Float64Type, Int64Type};
use arrow_array::{Array as _, RecordBatch};
use arrow_select::concat::concat_batches;
use variant_owned::{encode, from_text};
use variant_table::{
    Columns, Comparison, Condition, Literal, MisfitPolicy, ReadOptions, Reading, Source, Summary,
    Table,
};
use variant_view::Dialect;

const DIALECT: Dialect = Dialect::Godot4;

fn bytes(text: &str) -> Vec<u8> {
    encode(&from_text(text).unwrap(), DIALECT).unwrap()
}

fn source(name: &str, bytes: Vec<u8>) -> Source {
    Source::Bytes(name.into(), bytes.into())
}

fn options() -> ReadOptions {
    let reading = Reading::named(Some(DIALECT.name()), Some("bare"), None).unwrap();
    ReadOptions::new().reading(reading)
}

fn read(table: &Table, files: Vec<Source>) -> (RecordBatch, Summary) {
    let mut scan = table.scan(files, 2);
    let batches: Vec<_> = scan.by_ref().map(Result::unwrap).collect();
    (concat_batches(&table.schema(), &batches).unwrap(), scan.summary())
}

/// The rows of values. Each value is given as text.
fn rows(columns: &[&str], options: ReadOptions, values: &[&str]) -> (RecordBatch, Summary) {
    let table = Table::new(Columns::parse(columns).unwrap(), options).unwrap();
    let files = values.iter().map(|value| source("memory", bytes(value))).collect();
    read(&table, files)
}

fn lines(batch: &RecordBatch) -> Vec<String> {
    let mut writer = arrow_json::LineDelimitedWriter::new(Vec::new());
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    let text = String::from_utf8(writer.into_inner()).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn errors(batch: &RecordBatch) -> Vec<Option<String>> {
    let errors = batch.column_by_name("_error").unwrap().as_struct();
    let texts = errors.column_by_name("text").unwrap().as_string::<i32>();
    (0..batch.num_rows())
        .map(|row| errors.is_valid(row).then(|| texts.value(row).to_owned()))
        .collect()
}

/// Keys that are neither text nor integers are written as literals, both in the paths of columns and in cells with
/// keys.
#[test]
fn keys_of_any_kind_are_columns_and_cells() {
    let save = r#"{"map": {Vector2i(1, 0): {"hp": 5}, true: {"hp": 6}}, "at": Vector2i(1, 0)}"#;
    let columns = ["hp=map[Vector2i( 1,0 )].hp:int", "none=map[false].hp:int", "_error"];
    let (batch, _) = rows(&columns, options(), &[save]);
    assert_eq!(lines(&batch), [r#"{"hp":5}"#]);
    let columns = ["where=key(map.*):text", "hp=map.*.hp:text", "own=map[true].hp:int", "_error"];
    let (batch, summary) = rows(&columns, options(), &[save]);
    let cells: Vec<_> = lines(&batch);
    assert!(cells[0].starts_with(r#"{"where":"Vector2i(1, 0)","own":6,"#), "{cells:?}");
    assert!(cells[1].starts_with(r#"{"where":"true","own":6,"#), "{cells:?}");
    // The error of a value that does not fit its column has the path of the value.
    assert!(cells[0].contains(r#""path":"map[Vector2i(1, 0)].hp""#), "{cells:?}");
    assert_eq!(summary.misfits, 2);
    let inferred = variant_table::Inferred::of(&[source("memory", bytes(save))], &options(), 1);
    let asked = Columns::parse(["map[true].hp", "map[Vector2i(1, 0)]"]).unwrap();
    let types: Vec<_> =
        inferred.unwrap().complete(&asked).iter().map(ToString::to_string).collect();
    assert_eq!(types[0], "map[true].hp:int");
}

#[test]
fn each_type_has_its_cells() {
    let save = r#"{"b": true, "i": 7, "f": 1.5, "s": "Ann", "n": &"x", "p": NodePath("a/b"), "v": Vector2(1, 2),
        "r": Rect2i(1, 2, 3, 4), "bytes": PackedByteArray(1, 2), "floats": PackedFloat32Array(1, 2.5),
        "points": PackedVector3Array(1, 2, 3, 4, 5, 6), "texts": PackedStringArray("a", "b"), "list": [1, 2],
        "map": {"a": 1, 5: 2}, "any": [null, {"x": 1}]}"#;
    let columns = [
        "b:bool",
        "i:int",
        "f:float",
        "s:text",
        "n:text",
        "p:text",
        "v:Vector2",
        "r:Rect2i",
        "bytes:bytes",
        "floats:PackedFloat32Array",
        "points:PackedVector3Array",
        "texts:list<text>",
        "list:list<int>",
        "map:map<int>",
        "any:plain-json",
        "i2=i:float",
        "missing:int",
    ];
    let (batch, summary) = rows(&columns, options(), &[save]);
    assert_eq!(
        lines(&batch),
        [concat!(
            r#"{"b":true,"i":7,"f":1.5,"s":"Ann","n":"x","p":"a/b","v":{"x":1.0,"y":2.0},"#,
            r#""r":{"position":{"x":1,"y":2},"size":{"x":3,"y":4}},"bytes":"0102","floats":[1.0,2.5],"#,
            r#""points":[[1.0,2.0,3.0],[4.0,5.0,6.0]],"texts":["a","b"],"list":[1,2],"map":{"a":1,"5":2},"#,
            r#""any":"[null,{\"x\":1}]","i2":7.0}"#
        )]
    );
    assert_eq!((summary.rows, summary.errors, summary.misfits), (1, 0, 0));
    let floats = batch.column_by_name("floats").unwrap().as_list::<i32>().values().clone();
    assert_eq!(floats.as_primitive::<Float32Type>().values(), &[1.0, 2.5]);
}

#[test]
fn folds_make_one_of_many() {
    let save = r#"{"a": {"gold": 5}, "b": [{"gold": 7}, {"gold": null}], "c": {"gold": 1.5}, "n": [1, 2]}"#;
    let columns = [
        "sum(..gold)",
        "min(..gold)",
        "max(..gold)",
        "count(..gold)",
        "first(..gold):int",
        "last(..gold):float",
        "all=..gold:list<float>",
        "whole=sum(n[*]):int",
        "none=sum(..silver)",
        "wrong=sum(..gold):int",
    ];
    let (batch, summary) = rows(&columns, options(), &[save]);
    let row = &lines(&batch)[0];
    assert_eq!(
        row,
        concat!(
            r#"{"sum(..gold)":13.5,"min(..gold)":1.5,"max(..gold)":7.0,"count(..gold)":4,"first(..gold)":5,"#,
            r#""last(..gold)":1.5,"all":[5.0,7.0,null,1.5],"whole":3}"#
        )
    );
    assert_eq!((summary.rows, summary.misfits), (1, 1));
}

#[test]
fn items_make_rows() {
    let save = r#"{"items": [{"id": 1}, {"id": 2}], "name": "Ann"}"#;
    let none = r#"{"items": [], "name": "Bo"}"#;
    let columns = ["_frame", "name:text", "items[*].id:int", "at=key(items[*]):int"];
    let (batch, summary) = rows(&columns, options(), &[save, none]);
    assert_eq!(
        lines(&batch),
        [
            r#"{"_frame":1,"name":"Ann","items[*].id":1,"at":0}"#,
            r#"{"_frame":1,"name":"Ann","items[*].id":2,"at":1}"#,
            r#"{"_frame":1,"name":"Bo"}"#
        ]
    );
    assert_eq!((summary.values, summary.rows), (2, 3));
    let (batch, _) =
        rows(&["key(p.*)", "p.*.hp:int"], options(), &[r#"{"p": {"ann": {"hp": 1}, 5: {}}}"#]);
    assert_eq!(lines(&batch), [r#"{"key(p.*)":"ann","p.*.hp":1}"#, r#"{"key(p.*)":"5"}"#]);
}

#[test]
fn what_does_not_fit_is_null_and_told() {
    let values = [r#"{"x": 1}"#, r#"{"x": 1.5}"#, r#"{"x": "a"}"#, r#"{"x": null}"#, "{}"];
    let (batch, summary) = rows(&["x:float", "_error"], options(), &values);
    let floats = batch.column(0).as_primitive::<Float64Type>();
    assert_eq!(floats.iter().collect::<Vec<_>>(), [Some(1.0), Some(1.5), None, None, None]);
    let told = errors(&batch);
    assert_eq!(told.iter().filter(|told| told.is_some()).count(), 1);
    assert!(told[2].as_ref().unwrap().contains("found String, expected float"));
    assert_eq!((summary.rows, summary.errors, summary.misfits), (5, 0, 1));
    let errors = batch.column(1).as_struct();
    assert_eq!(errors.column(1).as_string::<i32>().value(2), "x");
    // The offset of the text in the file.
    assert_eq!(errors.column(0).as_primitive::<Int64Type>().value(2), 20);

    let (batch, summary) = rows(&["x:float"], options().misfits(MisfitPolicy::Strict), &values);
    assert_eq!((batch.column(0).null_count(), summary.misfits), (4, 2));
}

#[test]
fn what_is_broken_is_a_row() {
    let whole = bytes(r#"{"x": 1, "y": [1, 2, 3]}"#);
    let cut = whole[..whole.len() - 6].to_vec();
    let files = || {
        vec![
            source("a", whole.clone()),
            source("b", cut.clone()),
            source("c", Vec::new()),
            Source::Path("no/such/file".into()),
            source("d", whole.clone()),
        ]
    };
    let columns = Columns::parse(["_file", "x:int", "_error"]).unwrap();
    let table = Table::new(columns, options()).unwrap();
    let (batch, summary) = read(&table, files());
    let names: Vec<_> = batch.column(0).as_string::<i32>().iter().map(Option::unwrap).collect();
    assert_eq!(names, ["a", "b", "c", "no/such/file", "d"]);
    let told = errors(&batch);
    assert_eq!(
        told.iter().map(Option::is_some).collect::<Vec<_>>(),
        [false, true, true, true, false]
    );
    assert_eq!((summary.files, summary.values, summary.rows, summary.errors), (5, 5, 2, 3));
    assert_eq!(batch.column(1).null_count(), 3);
    let errors = batch.column(2).as_struct();
    let paths = errors.column(1).as_string::<i32>();
    assert_eq!(paths.value(1), "y[2]");

    // Without the column `_error` the file has no row, but it is counted.
    let table = Table::new(Columns::parse(["x:int"]).unwrap(), options()).unwrap();
    let (batch, same) = read(&table, files());
    assert_eq!((batch.num_rows(), same), (2, summary));
}

#[test]
fn what_is_repeated_is_bounded() {
    let items = vec!["null"; 4_000].join(", ");
    let save = format!(r#"{{"text": "{}", "items": [{items}]}}"#, "x".repeat(20_000));
    let columns = ["text:text", "items[*]", "_error"];
    let (batch, summary) = rows(&columns, options(), &[&save]);
    let told = errors(&batch);
    assert!(told.last().unwrap().as_ref().unwrap().contains("64 times"));
    assert_eq!(summary.errors, 1);
    let size = batch.get_array_memory_size();
    assert!(size < 100 * save.len(), "{size} bytes");
    let (batch, summary) = rows(&columns, options().max_repeat(10_000), &[&save]);
    assert_eq!((batch.num_rows(), summary.errors), (4_000, 0));
}

/// Values that do not fit count too: their bytes are read for each row, and what fits in a list is repeated.
#[test]
fn misfits_that_are_repeated_are_bounded() {
    let long = "x".repeat(20_000);
    let items = vec![r#"{"id": "a"}"#; 4_000].join(", ");
    let ids = "id=items[*].id:json";
    let bound = |columns: &[&str], save: Vec<u8>| {
        let table = Table::new(Columns::parse(columns).unwrap(), options()).unwrap();
        let (batch, summary) = read(&table, vec![source("memory", save.clone())]);
        let told = errors(&batch);
        assert!(told.last().unwrap().as_ref().unwrap().contains("64 times"), "{columns:?}");
        assert_eq!(summary.errors, 1);
        let size = batch.get_array_memory_size();
        assert!(size < 150 * save.len(), "{columns:?}: {size} bytes");
    };
    let list = bytes(&format!(r#"{{"all": ["{long}", 1], "items": [{items}]}}"#));
    bound(&["all:list<text>", ids, "_error"], list);
    let map = bytes(&format!(r#"{{"all": {{"a": "{long}", "b": 1}}, "items": [{items}]}}"#));
    bound(&["all:map<text>", ids, "_error"], map);
    let damaged = |text: String| {
        let mut bytes = bytes(&text);
        let end = bytes.windows(2).rposition(|window| window == b"xx").unwrap() + 1;
        bytes[end] = 0xff;
        bytes
    };
    let text = damaged(format!(r#"{{"text": "{long}", "items": [{items}]}}"#));
    bound(&["text:text", ids, "_error"], text.clone());
    bound(&["text:json", ids, "_error"], text);
    let packed = format!(r#"{{"all": PackedStringArray("{long}"), "items": [{items}]}}"#);
    bound(&["all:list<text>", ids, "_error"], damaged(packed));
    let key = format!(r#"{{"all": {{"{long}": 1}}, "items": [{items}]}}"#);
    bound(&["all:map<int>", ids, "_error"], damaged(key));
    let skipped: Vec<_> = (0..8_000).map(|number| format!("{number}.5: 1")).collect();
    let skipped = format!(r#"{{"all": {{{}}}, "items": [{items}]}}"#, skipped.join(", "));
    bound(&["all:map<int>", ids, "_error"], bytes(&skipped));
    // The path of an error has the position of a long key.
    let save = format!(r#"{{"{long}": [{items}]}}"#);
    let (batch, summary) = rows(&["id=*[*].id:int", "_error"], options(), &[&save]);
    assert_eq!((summary.rows, summary.misfits, summary.errors), (4_000, 4_000, 0));
    let paths = batch.column(1).as_struct().column(1).as_string::<i32>();
    assert_eq!(paths.value(3_999), "{0}[3999].id");
}

/// A batch ends after some megabytes, also if all values have a misfit.
#[test]
fn misfits_do_not_make_a_batch_larger() {
    let save = format!(r#"{{"all": ["{}", 1]}}"#, "x".repeat(1 << 20));
    let files = (0..20).map(|_| source("memory", bytes(&save))).collect();
    let table = Table::new(Columns::parse(["all:list<text>"]).unwrap(), options()).unwrap();
    let sizes: Vec<_> = table.scan(files, 1).map(|batch| batch.unwrap().num_rows()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 20);
    assert!(sizes.iter().all(|rows| *rows < 10), "{sizes:?}");
}

/// A list of values at any depth has an outer value and the values inside it.
#[test]
fn a_list_of_nested_values_is_bounded() {
    let depth = 500;
    let save =
        format!("{}\"{}\"{}", r#"{"a": "#.repeat(depth), "x".repeat(20_000), "}".repeat(depth));
    for columns in [["all=..a", "_error"], ["all=..a:plain-json", "_error"]] {
        let (batch, summary) = rows(&columns, options(), &[&save]);
        assert_eq!((summary.rows, summary.misfits, summary.errors), (1, 1, 0));
        assert!(errors(&batch)[0].as_ref().unwrap().contains("found a longer list"));
        let size = batch.get_array_memory_size();
        assert!(size < 200 * save.len(), "{size} bytes");
    }
}

#[test]
fn a_list_is_an_array_in_json() {
    let save = r#"{"a": {"gold": 5}, "b": [{"gold": "x"}, {"gold": null}]}"#;
    let columns = Columns::parse(["all=..gold", "none=list(..silver)"]).unwrap().flat();
    let table = Table::new(columns, options()).unwrap();
    let (batch, summary) = read(&table, vec![source("memory", bytes(save))]);
    assert_eq!(lines(&batch), [r#"{"all":"[5,\"x\",null]","none":"[]"}"#]);
    assert_eq!(summary.misfits, 0);
    let (batch, _) = rows(&["..gold:json"], options(), &[save]);
    assert_eq!(lines(&batch), [r#"{"..gold":"[5,\"x\",null]"}"#]);
}

/// Elements of packed arrays fit where the same values in an array fit. Only keys are converted.
#[test]
fn elements_of_packed_arrays_are_values() {
    let packed = r#"{"t": PackedStringArray("7", "a"), "i": PackedInt32Array(1), "f": PackedFloat64Array(1)}"#;
    let array = r#"{"t": ["7", "a"], "i": [1], "f": [1.0]}"#;
    for of in ["text", "int", "float", "bool", "plain-json"] {
        let columns = ["t", "i", "f"].map(|path| format!("{path}:list<{of}>"));
        let columns = columns.each_ref().map(String::as_str);
        let (from_packed, summary) = rows(&columns, options(), &[packed]);
        let (from_array, same) = rows(&columns, options(), &[array]);
        assert_eq!(
            (lines(&from_packed), summary.misfits),
            (lines(&from_array), same.misfits),
            "{of}"
        );
    }
    // In exact JSON, a float is not an integer.
    let (batch, summary) =
        rows(&["t:list<json>", "i:list<json>", "f:list<json>"], options(), &[packed]);
    let float = r#"{\"t\":\"float\",\"v\":\"1\"}"#;
    let expected = format!(r#"{{"t":["\"7\"","\"a\""],"i":["1"],"f":["{float}"]}}"#);
    assert_eq!((lines(&batch), summary.misfits), (vec![expected], 0));
}

/// No pair of a dictionary is lost without a report.
#[test]
fn keys_of_the_same_text_are_reported() {
    let (batch, summary) =
        rows(&["m:map<int>", "_error"], options(), &[r#"{"m": {1: 10, "1": 20, "a": 30}}"#]);
    let told = errors(&batch);
    assert!(told[0].as_ref().unwrap().contains("expected keys of different texts"), "{told:?}");
    assert_eq!(summary.misfits, 1);
    let batch = batch.project(&[0]).unwrap();
    assert_eq!(lines(&batch), [r#"{"m":{"1":10,"a":30}}"#]);
    // In Godot 4 a String and a StringName of the same text are one key.
    let (batch, summary) = rows(&["m:map<int>"], options(), &[r#"{"m": {"a": 1, &"a": 2}}"#]);
    assert_eq!((lines(&batch), summary.misfits), (vec![r#"{"m":{"a":2}}"#.to_owned()], 0));
}

/// Each row is compared with the text of its group, although a text is compared only once.
#[test]
fn a_condition_holds_for_the_items_of_its_group() {
    let group = |name: &str| format!(r#"{{"name": {name}, "of": [{{"id": 1}}, {{"id": 2}}]}}"#);
    let save =
        format!(r#"{{"groups": [{}]}}"#, [r#""a""#, r#""b""#, "7", r#""a""#].map(group).join(", "));
    let columns =
        Columns::parse(["id=groups[*].of[*].id:int", "name=groups[*].name:text"]).unwrap();
    for (comparison, expected) in
        [(Comparison::In, 4), (Comparison::NotIn, 2), (Comparison::IsNull, 2)]
    {
        let literals = if comparison == Comparison::IsNull {
            Vec::new()
        } else {
            vec![Literal::Text("a".to_owned())]
        };
        let condition = Condition { column: "name".to_owned(), comparison, literals };
        let table =
            Table::with_conditions(columns.clone(), options(), &columns, vec![condition]).unwrap();
        let files = vec![source("memory", bytes(&save)), source("memory", bytes(&save))];
        assert_eq!(read(&table, files).0.num_rows(), 2 * expected, "{comparison:?}");
    }
}

#[test]
fn conditions_are_those_of_the_columns() {
    let values: Vec<_> =
        (0..100).map(|n| format!(r#"{{"n": {n}, "name": "{}", "half": {n}.5}}"#, n % 7)).collect();
    let files = || values.iter().map(|value| source("memory", bytes(value))).collect::<Vec<_>>();
    let columns = Columns::parse(["n:int", "name:text", "half:float", "gone:int"]).unwrap();
    let condition = |column: &str, comparison, literals: &[Literal]| Condition {
        column: column.to_owned(),
        comparison,
        literals: literals.to_vec(),
    };
    let text = |text: &str| Literal::Text(text.to_owned());
    for (conditions, expected) in [
        (vec![condition("n", Comparison::Less, &[Literal::Int(10)])], 10),
        (vec![condition("n", Comparison::AtMost, &[Literal::Int(10)])], 11),
        (vec![condition("half", Comparison::More, &[Literal::Float(97.5)])], 2),
        (vec![condition("half", Comparison::AtLeast, &[Literal::Float(97.5)])], 3),
        (vec![condition("name", Comparison::In, &[text("1"), text("2")])], 29),
        (vec![condition("name", Comparison::NotIn, &[text("1"), text("2")])], 71),
        (vec![condition("gone", Comparison::IsNull, &[])], 100),
        (vec![condition("gone", Comparison::IsNotNull, &[])], 0),
        (vec![condition("gone", Comparison::NotIn, &[Literal::Int(5)])], 0),
        (
            vec![
                condition("n", Comparison::Less, &[Literal::Int(10)]),
                condition("name", Comparison::In, &[text("1")]),
            ],
            2,
        ),
    ] {
        let shown = columns.project(&[1]);
        let table = Table::with_conditions(shown, options(), &columns, conditions.clone()).unwrap();
        let (batch, summary) = read(&table, files());
        assert_eq!(
            (batch.num_rows(), summary.rows),
            (expected, u64::try_from(expected).unwrap()),
            "{conditions:?}"
        );
        assert_eq!(summary.rows + summary.filtered, summary.values);
    }
    let wrong = condition("n", Comparison::Less, &[text("1")]);
    assert!(Table::with_conditions(columns.clone(), options(), &columns, vec![wrong]).is_err());
}

#[test]
fn only_what_columns_want_is_decoded() {
    let save = r#"{"a": {"x": 1, "y": 2}, "b": [1, 2, 3, 4, 5], "c": "text"}"#;
    for (columns, decoded) in
        [(vec!["a.x"], 1), (vec!["a.x", "a.y"], 2), (vec!["b[*]"], 5), (vec!["_file"], 0)]
    {
        let (_, summary) = rows(&columns, options(), &[save]);
        assert_eq!(summary.decoded, decoded, "{columns:?}");
    }
}

#[test]
fn batches_come_in_the_order_of_the_files() {
    let files: Vec<_> =
        (0..3_000).map(|n| source(&n.to_string(), bytes(&format!(r#"{{"n": {n}}}"#)))).collect();
    let columns = Columns::parse(["_file", "n:int"]).unwrap();
    for (threads, rows) in [(1, 8_192), (2, 10), (5, 1)] {
        let table = Table::new(columns.clone(), options().batch_rows(rows)).unwrap();
        let mut next = 0_i64;
        for batch in table.scan(files.clone(), threads) {
            let batch = batch.unwrap();
            assert!(batch.num_rows() <= rows);
            for n in batch.column(1).as_primitive::<Int64Type>().values() {
                assert_eq!(*n, next);
                next += 1;
            }
        }
        assert_eq!(next, 3_000);
    }
    // Dropping an unfinished scan does not wait for its threads.
    let table = Table::new(columns, options().batch_rows(1)).unwrap();
    drop(table.scan(files, 3).next());
}

#[test]
fn columns_that_cannot_be_are_refused() {
    for (columns, why) in [
        (vec!["a[*].x", "b[*].y"], "another list"),
        (vec!["a[*].x", "..gold"], "repeated in the row"),
        (vec!["x", "x=y"], "another column has this name"),
    ] {
        let table = Columns::parse(&columns).and_then(|columns| Table::new(columns, options()));
        let error = table.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// A file that is read without threads has the rows and counts of a scan, in batches of the given size.
#[test]
fn batches_are_the_rows_of_a_scan() {
    let columns = Columns::parse(["_file", "hp:int", "id=items[*].id:int", "_error"]).unwrap();
    let table = Table::new(columns, options().batch_rows(2)).unwrap();
    let items = r#"{"hp": 7, "items": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": "x"}]}"#;
    for (bytes, sizes) in [
        (bytes(items), &[2, 2, 1][..]),
        (bytes(r#"{"hp": 7}"#), &[1]),
        (b"damaged".to_vec(), &[1]),
        (Vec::new(), &[1]),
    ] {
        let file = source("day=1/a", bytes);
        let (rows, summary) = read(&table, vec![file.clone()]);
        let opened = table.open(&file);
        let mut batches = table.batches();
        let mut full = batches.of(&opened);
        let mut all: Vec<_> = full.by_ref().map(Result::unwrap).collect();
        assert_eq!(full.take_summary(), summary);
        all.extend(batches.finish().map(Result::unwrap));
        assert_eq!(all.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), sizes);
        assert_eq!(lines(&concat_batches(&table.schema(), &all).unwrap()), lines(&rows));
    }
}

/// All rows have the columns of the folders, including the rows of errors.
#[test]
fn folders_are_columns() {
    let columns = Columns::parse(["day=folder(day)", "hp:int", "_error"]).unwrap();
    assert_eq!(Columns::of_schema(&columns.schema()).unwrap(), columns);
    let table = Table::new(columns, options()).unwrap();
    let files = [("a/day=1/x", bytes(r#"{"hp": 7}"#)), ("day=%2F/x", b"damaged".to_vec())];
    let files = files.map(|(name, bytes)| source(name, bytes));
    let (rows, _) = read(&table, files.to_vec());
    let lines = lines(&rows);
    assert_eq!(lines[0], r#"{"day":"1","hp":7}"#);
    assert!(lines[1].starts_with(r#"{"day":"/","_error":"#), "{lines:?}");
    let inferred = variant_table::Inferred::of(&files, &options(), 9).unwrap().columns().unwrap();
    assert_eq!(inferred, Columns::parse(["hp:int", "day=folder(day)"]).unwrap());
}
