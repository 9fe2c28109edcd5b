//! The text form against the engines' own, and there and back.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may stop"
)]

use std::fs;

use proptest::prelude::*;
use variant_owned::{
    Numbers, ParseOptions, Reals, TextOptions, TextStyle, Variant, from_text, from_text_with,
    to_text,
};
use variant_testkit::conformance::options;
use variant_testkit::fuzz::{check_text_of, styles};
use variant_testkit::{corpus, values};
use variant_view::{Dialect, Document, Vector2};

fn style_of(dialect: Dialect) -> TextStyle {
    match dialect {
        Dialect::Godot4 => TextStyle::Godot4,
        Dialect::Godot3 => TextStyle::Godot3,
        _ => TextStyle::Pandemonium,
    }
}

fn read(dialect: Dialect, bytes: &[u8]) -> Option<Variant> {
    Variant::from_document(&Document::new(bytes, options(dialect, true))).ok()
}

/// Lines of a file of records: name, bytes, text.
fn texts(path: &std::path::Path) -> Vec<(String, Vec<u8>, String)> {
    let lines = fs::read_to_string(path).unwrap();
    let records =
        lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let record = |record: serde_json::Value| {
        let bytes = corpus::from_hex(record["hex"].as_str()?)?;
        let name = record["name"].as_str().or(record["tag"].as_str())?.to_owned();
        Some((name, bytes, record["text"].as_str()?.to_owned()))
    };
    records.filter_map(record).collect()
}

/// Of the records without objects: all but RIDs, for which the older engines have no words, what is no
/// UTF-8, values that were written as something else than what was printed, and older names.
#[test]
fn engines_print_the_same() {
    for (dialect, expected) in [
        (Dialect::Godot3, (203, 215)),
        (Dialect::Godot4, (199, 202)),
        (Dialect::Pandemonium3, (141, 155)),
        (Dialect::Pandemonium4, (161, 167)),
        (Dialect::Pandemonium5, (239, 248)),
    ] {
        let path = corpus::root().join(format!("{dialect}/single.vectors.jsonl"));
        let options =
            TextOptions::new(style_of(dialect)).numbers(Numbers::Engine).sorted_keys(true);
        let (mut same, mut all) = (0, 0);
        for (name, bytes, text) in texts(&path) {
            let Some(value) = read(dialect, &bytes) else { continue };
            if text.contains("Object(") {
                continue;
            }
            all += 1;
            let own = to_text(&value, &options);
            if own == text {
                same += 1;
            } else {
                println!("{dialect} {name}: {own:?} is {text:?}");
            }
        }
        assert_eq!((same, all), expected, "{dialect}");
    }
}

/// What the engines print is read, though for lack of digits not as the same.
#[test]
fn engines_texts_are_read() {
    let mut count = 0;
    for (_, path) in corpus::record_files() {
        // The text of the others is what the engine said.
        if !path.to_string_lossy().contains("vectors") {
            continue;
        }
        for (name, _, text) in texts(&path) {
            // RIDs of the older engines are nothing at all.
            let is_nothing = text.is_empty() || text.contains("[ ,");
            let read = from_text(&text);
            assert_eq!(read.is_ok(), !is_nothing, "{name}: {text:?}: {read:?}");
            count += usize::from(!is_nothing);
        }
    }
    assert!(count > 1_000, "{count}");
}

#[test]
fn there_and_back() {
    let (mut same, mut all, mut paths) = (0, 0, 0);
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap() {
            let Some(value) = read(dialect, &case.bytes) else { continue };
            all += 1;
            let is_same = check_text_of(dialect, &value);
            same += usize::from(is_same);
            // Of the well-formed ones every path is kept.
            let is_vector = path.to_string_lossy().contains("vectors");
            paths += usize::from(!is_same && matches!(value, Variant::NodePath(_)) && is_vector);
        }
    }
    println!("{same} of {all}");
    assert_eq!(paths, 0);
    assert!(same >= 8_599, "{same} of {all}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_there_and_back(
        seed in prop::collection::vec(any::<u8>(), 0..600),
        dialect in prop::sample::select(Dialect::ALL),
        is_double: bool,
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, dialect, is_double).unwrap();
        check_text_of(dialect, &value);
        for style in styles() {
            let engine = TextOptions::new(style).numbers(Numbers::Engine).sorted_keys(true);
            let text = to_text(&value, &engine);
            prop_assert!(from_text_with(&text, &ParseOptions::new()).is_ok(), "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in r#"([\[\]{}(),:"\\@&^ ]|[0-9.eE+-]{1,5}|Vector2|Array|Object|null){0,30}"#) {
        if let Err(error) = from_text(&text) {
            prop_assert!(text.is_char_boundary(error.offset()));
        }
    }
}

const LONG: &str = r#"{"a": [1, -2.5e3, 0x1f, inf, -inf, inf_neg, nan, nil, null, true, false,],
    &"b": @"c", ^"a/b:c": NodePath("/root/A:x"), 3: "é\"\\\n\u00e5\U01f600
    line", Vector2(1, 2): Rect2( 1, 2, 3, 4 ), 4: [Transform2D(1, 0, 0, 1, 0, 0), Color(1, 0.5, 0, 1)],
    5: PackedByteArray("AQID"), 6: PoolStringArray( "a", "b" ), 7: IntArray(1, 2, ), 8: RID(), 9: RID(5),
    10: Callable(), 11: Signal(), 12: Array[int]([1, 2]), 13: Dictionary[int, Resource("res://a.gd")]({}),
    14: Object(Node, "name": "x", "list": [Object(Resource)
    ]), 15: TypedArray( int , 1, 2 ), 16: PackedTypedArray(  ,  ), 17: Resource("res://icon.png")}"#;

#[test]
fn every_prefix_is_refused() {
    assert_eq!(from_text(LONG).unwrap().as_dictionary().unwrap().len(), 19);
    for (end, _) in LONG.char_indices() {
        assert!(from_text(&LONG[..end]).is_err(), "{end}");
    }
}

#[test]
fn errors_say_where_and_what() {
    for (text, line, column, expected) in [
        ("", 1, 1, "a value"),
        ("  \n ", 2, 2, "a value"),
        ("[1, 2", 1, 6, "`,` or `]`"),
        ("[1,, 2]", 1, 4, "a value"),
        ("[1 2]", 1, 4, "`,` or `]`"),
        ("{\n\"å\" = 1}", 2, 5, "`:`"),
        ("{1: 2 3}", 1, 7, "`,` or `}`"),
        ("{1}", 1, 3, "`:`"),
        ("Vector2(1; 2)", 1, 10, "`,` or `)`"),
        ("Vector2(1, a)", 1, 12, "a number"),
        ("Vector2(1)", 1, 8, "2 numbers in parentheses"),
        ("PoolVector2Array(1)", 1, 17, "a multiple of 2 numbers in parentheses"),
        ("Vector2i(1, 2.5)", 1, 9, "integers of 32 bits"),
        ("PackedByteArray(1, 256)", 1, 20, "a byte, 0 to 255"),
        ("PackedByteArray(\"?\")", 1, 16, "base64"),
        ("PoolIntArray(2147483648)", 1, 14, "an integer of 32 bits"),
        ("9223372036854775808", 1, 1, "an integer of 64 bits"),
        ("[0x8000000000000000]", 1, 2, "an integer of 64 bits"),
        ("Nonsense(1)", 1, 1, "a value"),
        ("[\n  int(1)]", 2, 3, "a value"),
        ("1 2", 1, 3, "nothing behind the value"),
        ("\"a", 1, 3, "`\"` at the end of a text"),
        ("Array[int](1)", 1, 12, "`[`"),
        ("Array[int]([1]", 1, 15, "`)`"),
        ("Array[]([])", 1, 7, "a type"),
        ("Object(Node, 1)", 1, 14, "a text in quotes"),
        ("RID(1, 2)", 1, 4, "nothing or one id in parentheses"),
    ] {
        let error = from_text(text).expect_err(text);
        let found = (error.line(), error.column(), error.expected());
        assert_eq!(found, (line, column, expected), "{text}");
        assert_eq!(error.to_string(), format!("line {line}, column {column}: expected {expected}"));
    }
    assert!(from_text("\"\\q\"").unwrap_err().expected().starts_with("an escape"));
}

#[test]
fn depth_is_limited_and_takes_no_stack() {
    let error = from_text(&"[".repeat(100_000)).unwrap_err();
    assert_eq!((error.offset(), error.column()), (1_024, 1_025));
    assert_eq!(error.expected(), "no more than 1024 containers inside one another");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let value = from_text_with(&deep, &ParseOptions::new().depth(100_000)).unwrap();
    assert_eq!(to_text(&value, &TextOptions::new(TextStyle::Godot4)), deep);

    let keys = format!("{{{deep}: 1, {deep}: 2}}");
    let value = from_text_with(&keys, &ParseOptions::new().depth(100_001)).unwrap();
    let sorted = TextOptions::new(TextStyle::Godot4).sorted_keys(true);
    assert_eq!(to_text(&value, &sorted), format!("{{\n{deep}: 2\n}}"));
}

#[test]
fn widths_of_reals_are_in_the_digits() {
    let wide = Variant::Vector2(Reals::double(Vector2 { x: 0.1, y: 2.0 }));
    let text = to_text(&wide, &TextOptions::new(TextStyle::Godot4));
    assert_eq!(text, "Vector2(1.0000000000000001e-1, 2)");
    assert_eq!(from_text(&text).unwrap(), wide);
    let narrow = from_text("Vector2(0.1, 2)").unwrap();
    assert!(matches!(narrow, Variant::Vector2(Reals::Single(Vector2 { x: 0.1, y: 2.0 }))));
}

#[test]
fn names_of_every_engine() {
    for (old, new) in [
        ("Matrix32(1, 0, 0, 1, 0, 0)", "Transform2D(1, 0, 0, 1, 0, 0)"),
        ("Quat( 0, 0, 0, 1 )", "Quaternion(0, 0, 0, 1)"),
        ("Rect3(1, 2, 3, 4, 5, 6)", "AABB(1, 2, 3, 4, 5, 6)"),
        ("RawArray(1, 2)", "PackedByteArray(1, 2)"),
        ("PoolByteArray( \"AQI=\" )", "PackedByteArray(1, 2)"),
        ("RealArray(0.5)", "PackedFloat32Array(0.5)"),
        ("Vector2i( 2.14748e+09, 0 )", "Vector2i(2147480000, 0)"),
        ("@\"a\"", "&\"a\""),
        ("nil", "null"),
        ("-inf.0", "inf_neg"),
        ("PoolStringArray(  )", "PackedStringArray()"),
        ("Array[\"int\"]([])", "Array[\"int\"]([])"),
        ("{\n}", "{}"),
        ("[1,]", "[1]"),
    ] {
        let value = from_text(old).unwrap();
        assert_eq!(to_text(&value, &TextOptions::new(TextStyle::Godot4)), new);
    }
}
