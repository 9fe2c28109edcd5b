//! JSON, written and read back; `json_exact.rs` tests that exact JSON is exact.

use std::fmt::Debug;

use proptest::prelude::*;
use variant_owned::json::{self, Form, JsonError, JsonErrorKind, LossKind, Losses, WriteOptions};
use variant_owned::{
    Array, Dictionary, ElementType, EncodeErrorKind, EncodeOptions, Float, Image, InputEvent, Int,
    KeyRule, NodePath, Object, Text, Variant, Widths, array, dictionary, encode,
};
use variant_testkit::adapters::hides_nothing;
use variant_testkit::conformance::options;
use variant_testkit::{corpus, values};
use variant_view::{
    Basis, Dialect, Document, Kind, Options, Producer, Reals, Vector2, Vector3, Width,
};

/// Options with a depth that suffices for every record.
fn encoding(dialect: Dialect) -> EncodeOptions {
    EncodeOptions::new(dialect).depth(100_000)
}

pub(crate) fn text<P: Producer<Error: Debug>>(producer: P, form: Form, is_pretty: bool) -> String {
    let mut text = Vec::new();
    json::write(producer, form, &mut text, is_pretty).unwrap();
    String::from_utf8(text).unwrap()
}

fn godot4(bytes: &[u8]) -> Document<'_> {
    Document::new(bytes, Options::engine(Dialect::Godot4))
}

/// The text of a value of Godot 4, and the losses.
fn lossy(value: impl Into<Variant>, form: Form) -> (String, Losses) {
    let bytes = encode(&value.into(), GODOT4).unwrap();
    let mut text = Vec::new();
    let losses = json::write(godot4(&bytes), form, &mut text, false).unwrap();
    (String::from_utf8(text).unwrap(), losses)
}

#[test]
fn several_documents() {
    let text = "\u{feff}[1,\n 2]\n\n\"three\" null\n";
    let all: Result<Vec<_>, _> =
        json::documents(text, Form::Plain).map(|parsed| parsed?.encode(GODOT4)).collect();
    let expected = [array![1, 2].into(), "three".into(), Variant::Nil];
    assert_eq!(all.unwrap(), expected.map(|value| encode(&value, GODOT4).unwrap()));
    for (text, line, column) in [("1 2]", 1, 4), ("1\n2,", 2, 2), ("1\n[", 2, 2), ("{}[]", 1, 3)] {
        let results: Vec<_> = json::documents(text, Form::Plain).collect();
        let error = results.last().unwrap().as_ref().unwrap_err();
        assert_eq!((error.line(), error.column()), (line, column), "{error}");
    }
    assert_eq!(json::documents(" \n", Form::Plain).count(), 0);
    let error = json::read("1\n2", Form::Plain, GODOT4).unwrap_err();
    assert_eq!(error.to_string(), "line 2 column 1: invalid JSON: expected the end, found '2'");
}

/// The forms without an envelope write a named value as an object with one field, `{NAME: VALUE}`.
#[test]
fn named_values() {
    let bytes = encode(&7.into(), GODOT4).unwrap();
    let document = godot4(&bytes);
    for (form, expected) in [(Form::Plain, r#"{"a/b\n":7}"#), (Form::Native, r#"{"a/b\n":"i:7"}"#)]
    {
        let mut text = Vec::new();
        json::write_with(&document, &WriteOptions::new(form).name(b"a/b\n"), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, expected);
        let parsed = json::documents(&text, form).next().unwrap().unwrap();
        let fields = parsed.encode_fields(GODOT4).unwrap();
        assert_eq!(fields, [(Text::from("a/b\n"), bytes.clone())]);
    }
    let mut text = Vec::new();
    let losses =
        json::write_with(&document, &WriteOptions::new(Form::Plain).name(b"\xff"), &mut text)
            .unwrap();
    assert_eq!((text, losses.count()), ("{\"\u{fffd}\":7}".into(), 1));
    let parsed = json::documents("[1]", Form::Plain).next().unwrap().unwrap();
    assert!(parsed.encode_fields(GODOT4).unwrap_err().to_string().contains("names and values"));
}

pub(crate) const GODOT4: EncodeOptions = EncodeOptions::new(Dialect::Godot4);

/// The start of the exact JSON of each value of Godot 4: the envelope up to the value.
const OPEN: &str = r#"{"dialect":"godot4","reals":"by-flag","value":"#;

fn written(value: impl Into<Variant>, form: Form) -> String {
    let (text, _) = lossy(value, form);
    match text.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix('}')) {
        Some(value) if form == Form::Exact => value.to_owned(),
        _ => text,
    }
}

/// The writer escapes control characters, invisible characters, and characters that change the direction of text.
#[test]
fn characters_that_deceive_are_escaped() {
    let unseen = [
        '\u{1}'..='\u{8}',
        '\u{e}'..='\u{1f}',
        '\u{7f}'..='\u{9f}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{feff}'..='\u{feff}',
    ];
    for c in unseen.into_iter().flatten() {
        for form in [Form::Exact, Form::Native, Form::Plain] {
            let value = dictionary! { format!("é{c}\u{2010}") => format!("中{c}\u{ff01}{c}") };
            let json = written(value.clone(), form);
            let escape = format!("\\u{:04x}", u32::from(c));
            assert!(json.contains(&format!("中{escape}\u{ff01}{escape}")), "{json:?}");
            assert!(json.contains(&format!("é{escape}\u{2010}")) && !json.contains(c), "{json:?}");
            let bytes = json::read(&json, form, GODOT4).unwrap();
            assert_eq!(bytes, encode(&value.into(), GODOT4).unwrap());
        }
    }
}

/// Godot's writer does not escape control characters.
#[test]
fn native_strings_hold_bare_control_characters() {
    for control in '\u{1}'..='\u{1f}' {
        let text = format!("[\"s:a{control}b\", \"sn:{control}\"]");
        let bytes = json::read(&text, Form::Native, GODOT4).unwrap();
        let name = Variant::StringName(control.to_string().as_str().into());
        assert_eq!(bytes, encode(&array![format!("a{control}b"), name].into(), GODOT4).unwrap());
        for form in [Form::Exact, Form::Plain] {
            let error = json::read(&text, form, GODOT4).unwrap_err();
            assert!(matches!(error.kind(), JsonErrorKind::Syntax(_)), "{error}");
        }
    }
}

/// An error has the position, the found and the expected JSON, and a hint.
#[test]
fn errors_say_it_all() {
    use Form::{Exact, Native, Plain};

    let long = format!("[\"{}\", 5]", "x".repeat(1_000));
    for (form, text, expected) in [
        (Plain, "[1,2,,]", "6: invalid JSON: expected a value, found ','"),
        (Plain, "[1", "3: invalid JSON: expected a comma or ], found the end of the text"),
        (
            Plain,
            "\"a\u{1}\"",
            "3: invalid JSON: expected an escape such as \\n or \\u0001 for a control character, found '\\u{1}'",
        ),
        (Plain, "1e999", "1: expected a number that fits here, found the number 1e999"),
        (
            Exact,
            r#"[{"a": 1}]"#,
            "2 (/0): expected the field \"t\", found an object of 1 field; in the exact form, the field \"t\" has the kind of each object; JSON from other tools has the plain form",
        ),
        (Exact, r#"{"t":"Plane","v":[1,2]}"#, "18 (/v): expected 4 numbers, found an array of 2"),
        (
            Exact,
            r#"{"t":"PackedVector3Array","v":[1,2]}"#,
            "31 (/v): expected a multiple of 3 numbers, found an array of 2",
        ),
        (
            Exact,
            r#"{"t":"vector3","v":[]}"#,
            "6 (/t): unknown kind \"vector3\"; kinds have the names of Godot 4, such as \"int\", \"String\" and \"Vector2\"",
        ),
        (Exact, r#"{"t":"RID","v":5,"w":1}"#, "18: unknown field \"w\", expected one of t, raw, v"),
        (Exact, r#"{"t":"Callable","t":"x"}"#, "17: duplicate field \"t\""),
        (
            Native,
            "[5]",
            "2 (/0): expected a string with a prefix, such as \"i:5\", found the number 5",
        ),
        (
            Native,
            &long,
            "2 (/0): expected a prefix, such as \"s:\", found \"xxxxxxxxxxxxxxxxxxxx\u{2026}xxxxxxxxxxxxxxxxxxxxx\"",
        ),
    ] {
        let error = json::read(text, form, GODOT4).unwrap_err();
        assert_eq!(error.to_string(), format!("line 1 column {expected}"));
    }
    let error = json::read("[", Plain, GODOT4).unwrap_err();
    assert!(error.to_string().ends_with(&format!("found {}", error.found())), "{error}");
    let error = json::read(r#"{"t":"Vector2i","v":[1,2]}"#, Exact, Dialect::Godot3);
    let expected = "line 1 column 1: there is no Vector2i in this dialect (godot3)";
    assert_eq!(error.unwrap_err().to_string(), expected);
    // Long names make long pointers, of which only the two ends are shown.
    let deep = "{\"k\u{202e}\":".repeat(300);
    let error = json::read(&format!("{deep}1e999{}", "}".repeat(300)), Plain, GODOT4).unwrap_err();
    assert!(error.pointer().len() > 1_000 && error.to_string().len() < 500, "{error}");
}

#[test]
fn exact_numbers() {
    let nan = f64::from_bits(0xfff0_0000_0000_0abc);
    let table: [(Variant, &str); 15] = [
        (5.into(), "5"),
        (Int::with_width(5, Width::W64).into(), r#"{"t":"int","w":64,"v":5}"#),
        (3_000_000_000_i64.into(), "3000000000"),
        (9_007_199_254_740_991_i64.into(), "9007199254740991"),
        (9_007_199_254_740_992_i64.into(), r#"{"t":"int","v":"9007199254740992"}"#),
        (i64::MIN.into(), r#"{"t":"int","v":"-9223372036854775808"}"#),
        (1.0.into(), r#"{"t":"float","v":"1"}"#),
        (Float::wide(1.0).into(), r#"{"t":"float","w":64,"v":"1"}"#),
        (0.1.into(), r#"{"t":"float","v":"0.1"}"#),
        (Float::from(0.1_f32).into(), r#"{"t":"float","v":"0.10000000149011612"}"#),
        // This text is as long as the text of a 32-bit NaN, but must be read as a number.
        (1.880_791e-38.into(), r#"{"t":"float","v":"1.880791e-38"}"#),
        ((-0.0).into(), r#"{"t":"float","v":"-0.0"}"#),
        (f64::NEG_INFINITY.into(), r#"{"t":"float","v":"-inf"}"#),
        (Float::wide(f64::INFINITY).into(), r#"{"t":"float","w":64,"v":"inf"}"#),
        (nan.into(), r#"{"t":"float","v":"nan:fff0000000000abc"}"#),
    ];
    for (value, expected) in table {
        let bytes = encode(&value, GODOT4).unwrap();
        assert_eq!(written(value, Form::Exact), expected);
        assert_eq!(json::read(expected, Form::Exact, GODOT4).unwrap(), bytes, "{expected}");
    }
    // Numbers are read in any notation that a tool writes.
    for text in ["5.0", "5e0", "50E-1", "5.000", r#"{"t":"int","v":"5"}"#, r#"{"v":5.0,"t":"int"}"#]
    {
        let bytes = json::read(text, Form::Exact, GODOT4).unwrap();
        assert_eq!(bytes, encode(&5.into(), GODOT4).unwrap(), "{text}");
    }
    let error = json::read("[1.5]", Form::Exact, GODOT4).unwrap_err().to_string();
    let expected = "line 1 column 2 (/0): expected an integer, or {\"t\": \"float\", \"v\": \"1.5\"} \
                    for a float, found the number 1.5";
    assert_eq!(error, expected);
    let narrow = Variant::from(Float::from(f32::from_bits(0x7f80_0001)));
    assert_eq!(written(narrow, Form::Exact), r#"{"t":"float","v":"nan:7f800001"}"#);
}

/// An integer that a tool has written as a float is read if it is less than 2^53, and otherwise refused.
#[test]
fn an_integer_that_need_not_be_exact_is_refused() {
    for text in
        ["9007199254740993.0", "9007199254740992e0", "-9.007199254740993e15", "1e18", "1e300"]
    {
        let error = json::read(text, Form::Exact, GODOT4).unwrap_err().to_string();
        assert!(
            error.contains("expected an integer in digits alone, as all from 2^53 on"),
            "{error}"
        );
    }
    for (text, value) in [
        ("9007199254740993", 9_007_199_254_740_993),
        (r#"{"t":"int","v":"-9007199254740993"}"#, -9_007_199_254_740_993),
        ("9007199254740991.0", 9_007_199_254_740_991),
        ("-9007199254740991e0", -9_007_199_254_740_991_i64),
    ] {
        let bytes = json::read(text, Form::Exact, GODOT4).unwrap();
        assert_eq!(bytes, encode(&value.into(), GODOT4).unwrap(), "{text}");
    }
}

/// Pretty JSON is indented, with short containers on one line.
#[test]
fn pretty() {
    let value = dictionary! { "at" => Vector3 { x: 1.0, y: -0.0, z: 0.1_f32 }, "none" => array![] };
    let bytes = encode(&value.into(), GODOT4).unwrap();
    let document = godot4(&bytes);
    let exact = r#"{
  "dialect": "godot4",
  "reals": "by-flag",
  "value": {
    "t": "Dictionary",
    "v": [
      [
        "at",
        {"t": "Vector3", "v": ["1", "-0.0", "0.1"]}
      ],
      [
        "none",
        []
      ]
    ]
  }
}
"#;
    assert_eq!(text(&document, Form::Exact, true), exact);
    let plain = "{\n  \"at\": {\"x\": 1, \"y\": -0.0, \"z\": 0.1},\n  \"none\": []\n}\n";
    assert_eq!(text(&document, Form::Plain, true), plain);
}

/// The expected JSON is from the engine's source.
#[test]
fn native_there_and_back() {
    let row = |x, y, z| Vector3 { x, y, z };
    let basis =
        Basis { row0: row(1.0, 2.0, 3.0), row1: row(4.0, 5.0, 6.0), row2: row(7.0, 8.0, 9.0) };
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("name", "n");
    let mut typed = dictionary! { "a" => 1 };
    typed.set_types(ElementType::Builtin(Kind::String), ElementType::Class("Node".into()));
    let mut ints = array![1];
    ints.set_element_type(ElementType::Builtin(Kind::Int));
    let mut scripts = array![];
    scripts.set_element_type(ElementType::Script("res://a.gd".into()));
    let packed = vec![Vector2 { x: 1.0, y: 2.0 }, Vector2 { x: 3.0, y: 0.5 }];
    let path = NodePath::parse("/root/Main:position:x");
    let table: [(Variant, &str); 21] = [
        (Variant::Nil, "null"),
        (true.into(), "true"),
        (i64::MAX.into(), r#""i:9223372036854775807""#),
        (1.5.into(), r#""f:1.5""#),
        (f64::INFINITY.into(), r#""f:inf""#),
        ("a:\"b\"".into(), r#""s:a:\"b\"""#),
        (Variant::StringName("n".into()), r#""sn:n""#),
        (Variant::NodePath(Box::new(path)), r#""np:/root/Main:position:x""#),
        (Variant::Callable, r#"{"type":"Callable"}"#),
        (Variant::Signal(Box::default()), r#"{"type":"Signal"}"#),
        (Variant::Rid(0), r#"{"type":"RID"}"#),
        (row(1.0, -2.0, f32::INFINITY).into(), r#"{"type":"Vector3","args":[1.0,-2.0,1e99999]}"#),
        (
            Variant::Basis(Box::new(basis.into())),
            r#"{"type":"Basis","args":[1.0,4.0,7.0,2.0,5.0,8.0,3.0,6.0,9.0]}"#,
        ),
        (
            Variant::PackedVector2Array(packed.into()),
            r#"{"type":"PackedVector2Array","args":[1.0,2.0,3.0,0.5]}"#,
        ),
        (
            Variant::PackedStringArray(vec!["a".into(), "b".into()]),
            r#"{"type":"PackedStringArray","args":["a","b"]}"#,
        ),
        (array![1, array![]].into(), r#"["i:1",[]]"#),
        (ints.into(), r#"{"type":"Array","elem_type":"int","args":["i:1"]}"#),
        (scripts.into(), r#"{"type":"Array","elem_type":"res://a.gd","args":[]}"#),
        (
            typed.into(),
            r#"{"type":"Dictionary","key_type":"String","value_type":"Node","args":["s:a","i:1"]}"#,
        ),
        (object.into(), r#"{"type":"Node","props":["name","s:n"]}"#),
        (Object::Id(7).into(), r#"{"type":"EncodedObjectAsID","props":["object_id","i:7"]}"#),
    ];
    for (value, expected) in table {
        let bytes = encode(&value, GODOT4).unwrap();
        assert_eq!(text(godot4(&bytes), Form::Native, false), expected);
        assert_eq!(json::read(expected, Form::Native, GODOT4).unwrap(), bytes, "{expected}");
    }
}

#[test]
fn native_losses() {
    let nan = Vector2 { x: f32::NAN, y: 1.0 };
    let value = array![1.5, f64::INFINITY, nan, Variant::Rid(0), Variant::Rid(5), Object::Null];
    let (_, losses) = lossy(value, Form::Native);
    let found: Vec<_> = losses.list().iter().map(ToString::to_string).collect();
    assert_eq!(found, ["[*]: a number that is not finite (x2, first at [1])", "[4]: a reference",]);
}

#[test]
fn plain_and_its_losses() {
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("@class", 1);
    let value = dictionary! {
        "n" => f64::NAN,
        5 => "int",
        "5" => "text",
        array![1, 2] => Vector2 { x: 1.0, y: 2.5 },
        (1, 2) => Variant::PackedByteArray(b"light w".to_vec()),
        "o" => object,
        "t" => "a",
        "p" => Variant::PackedVector2Array(vec![Vector2 { x: 1.0, y: 2.0 }].into()),
        "r" => Variant::Callable,
    };
    let (text, losses) = lossy(value, Form::Plain);
    let expected = concat!(
        r#"{"n":null,"5":"int","5#2":"text","Array":{"x":1,"y":2.5},"(1, 2)":"bGlnaHQgdw==","#,
        r#""o":{"@class":"Node","@class#2":1},"t":"a","p":[{"x":1,"y":2}],"r":null}"#
    );
    assert_eq!(text, expected);
    let found: Vec<_> =
        losses.list().iter().map(|loss| (loss.kind, loss.path.as_str(), loss.count)).collect();
    assert_eq!(
        found,
        [
            (LossKind::NotFinite, "n", 1),
            (LossKind::Key, "{1:key}", 3),
            (LossKind::Collision, "{2:key}", 1),
            (LossKind::Collision, "o[\"@class\"]", 1),
            (LossKind::Reference, "r", 1),
        ]
    );
    assert_eq!(losses.count(), 7);
}

#[test]
fn text_that_is_not_utf_8() {
    let bytes = [4, 0, 0, 0, 2, 0, 0, 0, b'a', 0xff, 0, 0];
    let document = Document::new(&bytes, Options::engine(Dialect::Godot3));
    let exact = text(&document, Form::Exact, false);
    assert!(exact.contains(r#""value":{"t":"String","hex":"61ff"}}"#), "{exact}");
    for (form, expected) in [(Form::Plain, "\"a\u{fffd}\""), (Form::Native, "\"s:a\u{fffd}\"")] {
        let mut text = Vec::new();
        let losses = json::write(&document, form, &mut text, false).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        assert_eq!((losses.list()[0].kind, losses.list()[0].path.as_str()), (LossKind::Text, ""));
    }
}

#[test]
fn plain_read() {
    let read =
        json::read(r#"{"a":[1,2.5,-0,1e3,"é\u00e9\ud83d\ude00"],"b":{}}"#, Form::Plain, GODOT4);
    let list = array![1, 2.5, -0.0, 1000.0, "éé😀"];
    let expected = dictionary! { "a" => list, "b" => Dictionary::new() };
    assert_eq!(read.unwrap(), encode(&expected.into(), GODOT4).unwrap());
}

/// Losses whose paths differ only in indices are one entry, with the path of the first loss. Few entries are listed.
#[test]
fn losses_are_grouped() {
    let enemy = |hp: f64| dictionary! { "hp" => hp, "pos" => array![hp, 1] };
    let enemies: Array = [1.0, f64::NAN, f64::INFINITY].into_iter().map(enemy).collect();
    let value = dictionary! { "enemies" => enemies, "x y" => f64::NAN };
    let (_, losses) = lossy(value, Form::Plain);
    let found: Vec<_> = losses.list().iter().map(ToString::to_string).collect();
    let expected = [
        "enemies[*].hp: a number that is not finite (x2, first at enemies[1].hp)",
        "enemies[*].pos[*]: a number that is not finite (x2, first at enemies[1].pos[0])",
        "[\"x y\"]: a number that is not finite",
    ];
    assert_eq!(found, expected);
    assert_eq!((losses.count(), losses.unlisted()), (5, 0));

    let many: Dictionary = (0..5_000).map(|i| (format!("k{i}"), f64::NAN)).collect();
    let (_, losses) = lossy(many, Form::Plain);
    let (listed, kind) = (losses.list().len(), LossKind::NotFinite);
    assert_eq!((listed, losses.count(), losses.unlisted()), (16, 5_000, 4_984));
    assert_eq!((losses.count_of(kind), losses.count_of(LossKind::Text)), (5_000, 0));
}

/// Long keys are not in paths, and `at` resolves every path to the lost value.
#[test]
fn paths_of_losses_are_short_and_lead_there() {
    let long = "\u{202e}".repeat(100_000);
    let value = dictionary! {
        long.as_str() => array![f64::NAN],
        "both \" and '" => f64::NAN,
        5 => f64::NAN,
        1.5 => f64::NAN,
        "\u{1b}[2J" => f64::NAN,
        "a" => dictionary! { long.as_str() => dictionary! { long.as_str() => f64::NAN } },
    };
    let bytes = encode(&value.into(), GODOT4).unwrap();
    // In these bytes the key "a" occurs twice, and a look-up finds the second pair.
    let twice = encode(&dictionary! { "a" => f64::NAN, "b" => f64::NAN }.into(), GODOT4).unwrap();
    let twice = twice.iter().map(|&byte| if byte == b'b' { b'a' } else { byte }).collect();
    for bytes in [bytes, twice] {
        let document = godot4(&bytes);
        let losses = json::write(&document, Form::Plain, std::io::sink(), false).unwrap();
        assert!(losses.list().len() > 1);
        for loss in losses.list() {
            let found = document.at(&loss.path).unwrap();
            assert_eq!(found.offset(), loss.offset, "{loss}");
            assert!(loss.to_string().len() < 600, "{loss:.800}");
            assert!(!loss.to_string().contains(char::is_control));
        }
    }
}

/// The text of every form is JSON. The reader of the plain form accepts the text, unless the dialect cannot hold a
/// value.
#[test]
fn every_form_is_json() {
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path)
            .unwrap()
            .iter()
            .filter(|case| case.accepted)
            .step_by(corpus::one_in(3))
        {
            let document = Document::new(&case.bytes, options(dialect, case.objects));
            if document.validate().map_or(true, |summary| summary.depth > 30) {
                continue;
            }
            for form in [Form::Exact, Form::Native, Form::Plain] {
                let text = text(&document, form, false);
                let parsed = serde_json::from_str::<serde::de::IgnoredAny>(&text);
                assert!(parsed.is_ok(), "{form:?} {}: {text}", case.name);
                let _ = json::read(&text, form, encoding(dialect));
                json::read(&text, Form::Plain, encoding(dialect).depth(1_000_000))
                    .map_or_else(|error| check_refusal(&error), drop);
            }
        }
    }
}

/// Asserts that the dialect cannot hold a value of the JSON, or that a number is out of range. The native form writes
/// an infinity as such a number.
fn check_refusal(error: &JsonError) {
    let is_known = matches!(error.kind(), JsonErrorKind::Encode(..) | JsonErrorKind::OutOfRange);
    assert!(is_known && error.line() > 0, "{error}");
}

#[test]
fn hostile_text() {
    for (text, column, pointer, kind) in [
        ("", 1, "", "Syntax("),
        ("[1,\n]", 1, "", "Syntax("),
        ("[1 2]", 4, "", "Syntax("),
        ("{\"a\" 1}", 6, "", "Syntax("),
        ("{1:1}", 2, "", "Syntax("),
        ("[1}", 3, "", "Syntax("),
        ("1 1", 3, "", "Syntax("),
        ("01", 2, "", "Syntax("),
        ("1.", 3, "", "Syntax("),
        ("-", 2, "", "Syntax("),
        ("NaN", 1, "", "Syntax("),
        ("\"\u{1}\"", 2, "", "Syntax("),
        (r#""\x""#, 3, "", "Syntax("),
        (r#""\ud800""#, 8, "", "Syntax("),
        (r#""\ud800\u0041""#, 14, "", "Syntax("),
        (r#""\u00g0""#, 4, "", "Syntax("),
        ("[", 2, "", "Syntax("),
        ("1e999", 1, "", "OutOfRange"),
        ("[123456789012345678901234567890]", 2, "/0", "OutOfRange"),
        ("{}", 1, "", r#"Missing("t")"#),
        (r#"{"t":"Vector2"}"#, 1, "", r#"Missing("v")"#),
        (r#"{"t":"Vector2","v":[1]}"#, 20, "/v", "Expected("),
        (r#"{"t":"Vector2i","v":[1,1.5]}"#, 24, "/v/1", "Expected("),
        (r#"{"t":"Vector9","v":[]}"#, 6, "/t", "UnknownKind("),
        (r#"{"t":"Callable","x":1}"#, 17, "", "Field {"),
        (r#"{"t":"Callable","t":"Callable"}"#, 17, "", "Twice("),
        (r#"{"t":"Image","format":0,"mipmaps":0,"width":0,"height":0,"hex":""}"#, 1, "", "Encode("),
        (r#"{"t":"Dictionary","v":[[1]]}"#, 24, "/v/0", "Expected("),
        (r#"{"t":"Object","class":"","v":[]}"#, 1, "", "Encode("),
        (r#"{"t":"float","v":"nan:7ff0000000000000"}"#, 18, "/v", "Expected("),
    ] {
        let error = json::read(text, Form::Exact, GODOT4).unwrap_err();
        assert!(format!("{:?}", error.kind()).starts_with(kind), "{text}: {error:?}");
        let found = (error.line(), error.column(), error.pointer());
        let line = 1 + text.matches('\n').count();
        assert_eq!(found, (line, column, pointer), "{text}: {error}");
    }
}

/// JSON of a million levels is refused on a small stack. Levels are accepted up to the depth of the options.
#[test]
fn deep_nesting() {
    crate::deep::on_a_small_stack(|| {
        let million = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        for form in [Form::Exact, Form::Native, Form::Plain] {
            let error = json::read(&million, form, GODOT4).unwrap_err();
            assert!(matches!(error.kind(), JsonErrorKind::Encode(EncodeErrorKind::TooDeep, _)));
            assert_eq!((error.line(), error.column()), (1, 1_026));
            let deep = "[".repeat(1_025) + &"]".repeat(1_025);
            let bytes = json::read(&deep, form, GODOT4).unwrap();
            let document = godot4(&bytes);
            let expected = if form == Form::Exact { format!("{OPEN}{deep}}}") } else { deep };
            assert_eq!(text(&document, form, false), expected);
        }
        assert!(json::read(&"{\"a\":".repeat(1_000_000), Form::Plain, GODOT4).is_err());
    });
}

/// Cut and changed texts are refused or read as other values, without a panic. Accepted texts are well-formed.
#[test]
fn damaged_text() {
    let text = r#"{"t":"Dictionary","key":{"class":"Node"},"v":[["a\n",{"t":"Vector2","w":64,"v":[1e5,"nan:7ff8000000000001"]}],[{"t":"NodePath","names":["é"],"subnames":[]},{"t":"Object","class":"C","v":[[{"v":"p"},-15e0]]}]]}"#;
    assert!(json::read(text, Form::Exact, GODOT4).is_ok());
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        assert!(json::read(text.get(..end).unwrap(), Form::Exact, GODOT4).is_err());
    }
    for at in 0..text.len() {
        for byte in b"{}[]\",:\\x0-.e" {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = *byte;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            for form in [Form::Exact, Form::Native, Form::Plain] {
                if let Ok(bytes) = json::read(&changed, form, GODOT4) {
                    assert!(godot4(&bytes).validate().is_ok());
                }
            }
            let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&changed).is_ok();
            let ours = json::read(&changed, Form::Plain, GODOT4)
                .map_or_else(|error| !matches!(error.kind(), JsonErrorKind::Syntax(_)), |_| true);
            assert_eq!(ours, theirs, "{changed}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any value of any dialect comes back from exact JSON, in both widths of reals and in the documented layout.
    #[test]
    fn exact_values_come_back(
        seed in prop::collection::vec(any::<u8>(), 0..600),
        dialect in prop::sample::select(Dialect::ALL),
        is_double: bool,
        is_always_64: bool,
        is_pretty: bool,
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, dialect, is_double && !is_always_64).unwrap();
        let reals = if is_always_64 { Reals::Always64 } else { Reals::ByFlag };
        let encoding = encoding(dialect).reals(reals);
        let bytes = encode(&value, encoding).unwrap();
        let reading: Options = options(dialect, true).reals(reals);
        let document = Document::new(&bytes, reading);
        let exact = text(&document, Form::Exact, is_pretty);
        prop_assert_eq!(&json::read(&exact, Form::Exact, encoding).unwrap(), &bytes);
        prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&exact).is_ok());

        // The native form restores every value that was read from it.
        let native = text(&document, Form::Native, is_pretty);
        if let Ok(bytes) = json::read(&native, Form::Native, encoding) {
            let again = text(&Document::new(&bytes, reading), Form::Native, is_pretty);
            let bytes_again = json::read(&again, Form::Native, encoding).unwrap();
            prop_assert_eq!(bytes_again, bytes);
        }
    }

    /// The reader reports a syntax error exactly for the texts that `serde_json` refuses.
    #[test]
    fn any_text(text in "[\\[\\]{}:,\"\\\\ tvwn0-9.e+-]{0,40}") {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let ours = json::read(&text, Form::Plain, GODOT4);
        let ours = !matches!(&ours, Err(error) if matches!(error.kind(), JsonErrorKind::Syntax(_)));
        prop_assert_eq!(ours, theirs);
    }
}

/// Written dictionaries are read back with all their pairs, or are refused with reason and position.
#[test]
fn keys_that_are_one_to_the_reader_are_refused() {
    let godot2 = EncodeOptions::new(Dialect::Godot2);
    let narrowed = r#"{"t":"Dictionary","v":[[{"t":"float","w":64,"v":0.1},1],[{"t":"float","w":64,"v":0.10000000000000002},2]]}"#;
    let inner = r#"{"a":1,"list":[{},{"x":1,"y":2,"x":3}]}"#;
    let pair = |text: &str| format!(r#"{{"t":"Dictionary","v":[["a",{text}],["a",{text}]]}}"#);
    for (text, form, options, pointer, counts) in [
        (narrowed, Form::Exact, godot2, "", (2, 1)),
        (inner, Form::Plain, GODOT4, "/list/1", (3, 2)),
        (
            r#"{"type":"Dictionary","args":["s:a","i:1","s:a","i:2"]}"#,
            Form::Native,
            GODOT4,
            "",
            (2, 1),
        ),
        // These options can change the bytes, so equal keys are refused.
        (&pair("1"), Form::Exact, GODOT4.widths(Widths::Canonical), "", (2, 1)),
        (&pair(narrowed), Form::Exact, godot2, "", (2, 1)),
    ] {
        let error = json::read(text, form, options).unwrap_err();
        let JsonErrorKind::Encode(EncodeErrorKind::SameKeys { written, read }, _) = error.kind()
        else {
            panic!("{error} of {text}");
        };
        assert_eq!((*written, *read, error.pointer()), (counts.0, counts.1, pointer), "{text}");
    }
    // The default widths restore the original bytes, with both pairs.
    let bytes = json::read(&pair("1"), Form::Exact, GODOT4).unwrap();
    assert_eq!(text(godot4(&bytes), Form::Exact, false).matches("\"a\"").count(), 2);
}

/// `nth`, `skip` and `step_by` find the error that `next` finds, and then end.
#[test]
fn adapters_of_documents_hide_no_error() {
    for (text, is_damaged) in [
        ("1 2 3", false),
        ("1 2 [", true),
        ("1 ] 2", true),
        ("[", true),
        ("", false),
        ("1 2x 3", true),
    ] {
        assert_eq!(hides_nothing(json::documents(text, Form::Plain), &text), is_damaged);
    }
}

/// A malformed value is refused with the place and with what is expected there, in both forms with tags.
#[test]
fn malformed_values_say_what_is_expected() {
    use Form::{Exact, Native};
    for (form, text, pointer, expected) in [
        (Exact, r#"{"t":"String","v":5}"#, "/v", "a string, found the number 5"),
        (Exact, r#"{"t":"StringName","v":null}"#, "/v", "a string, found null"),
        (Exact, r#"{"t":"Signal","v":true,"id":1}"#, "/v", "text, found true"),
        (Exact, r#"{"t":"String","hex":"0"}"#, "/hex", "a string of hexadecimal digits"),
        (Exact, r#"{"t":"String","hex":"0g"}"#, "/hex", "a string of hexadecimal digits"),
        (Exact, r#"{"t":"String","hex":12}"#, "/hex", "a string of hexadecimal digits"),
        (Exact, r#"{"t":"Array","v":5}"#, "/v", "an array, found the number 5"),
        (Exact, r#"{"t":"Array","of":5,"v":[]}"#, "/of", "a kind, or an object of a class"),
        (Exact, r#"{"t":"Array","of":{},"v":[]}"#, "/of", "a kind, or an object of a class"),
        (
            Exact,
            r#"{"t":"Array","of":{"class":"A","script":"B"},"v":[]}"#,
            "/of",
            "a kind, or an object of a class",
        ),
        (
            Exact,
            r#"{"t":"Array","shared":1,"v":[]}"#,
            "/shared",
            "true or false, found the number 1",
        ),
        (Exact, r#"{"t":"bool","v":"true"}"#, "/v", "true or false"),
        (Exact, r#"{"t":"int","w":16,"v":1}"#, "/w", "32 or 64, found the number 16"),
        (Exact, r#"{"t":"int","v":""}"#, "/v", "an integer"),
        (Exact, r#"{"t":"int","v":"x"}"#, "/v", "an integer"),
        (Exact, r#"{"t":"int","v":null}"#, "/v", "an integer, found null"),
        (Exact, r#"{"t":"Rect2","v":["inf",0,0,"x"]}"#, "/v/3", "a number, \"inf\""),
        (Exact, r#"{"t":"Rect2","v":["1e",0,0,0]}"#, "/v/0", "a number, \"inf\""),
        (Exact, r#"{"t":"float","v":"1.2.3"}"#, "/v", "a number, \"inf\""),
        (Exact, r#"{"t":"float","v":""}"#, "/v", "a number, \"inf\""),
        (Exact, r#"{"t":"PackedInt32Array","v":[1,"x"]}"#, "/v/1", "an integer"),
        (Exact, r#"{"t":"float","w":32,"v":"1e99"}"#, "/v", "a number that fits here"),
        (Exact, r#"{"t":"Dictionary","v":[5]}"#, "/v/0", "an array of two, found the number 5"),
        (Exact, r#"{"t":"Dictionary","v":[[5]]}"#, "/v/0", "an array of two, found an array of 1"),
        (Native, "\"i:9223372036854775808\"", "", "a number that fits here"),
        (Native, "\"f:one\"", "", "a float"),
        (Native, "\"x:1\"", "", "a prefix: i, f, s, sn or np"),
        (Native, r#"{"type":"Nil","args":[]}"#, "/type", "a type that is written with args"),
        (Native, r#"{"type":"Dictionary","args":["i:1"]}"#, "/args", "a value for each key"),
        (Native, r#"{"type":"Node","props":["hp"]}"#, "/props", "a value for each name"),
        (Native, r#"{"type":"Vector2","args":[1]}"#, "/args", "2 numbers, found an array of 1"),
        (Native, r#"{"type":"PackedVector2Array","args":[1]}"#, "/args", "a multiple of 2 numbers"),
        (Native, r#"{"type":"PackedStringArray","args":[1]}"#, "/args/0", "a string"),
    ] {
        let error = json::read(text, form, GODOT4).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(&format!("expected {expected}")), "{text}: {message}");
        assert_eq!(
            (error.pointer(), error.found().is_empty()),
            (pointer, false),
            "{text}: {message}"
        );
        let place = if pointer.is_empty() { String::new() } else { format!(" ({pointer}): ") };
        assert!(message.contains(&place), "{text}: {message}");
    }
}

/// Only an object of this class with the property `object_id` is an object by id.
#[test]
fn an_object_by_id_has_its_property() {
    let read = |text: &str| {
        let bytes = json::read(text, Form::Native, GODOT4).unwrap();
        Variant::from_document(&godot4(&bytes)).unwrap()
    };
    let by_id = written(Object::Id(7), Form::Native);
    assert_eq!(read(&by_id), Variant::from(Object::Id(7)));
    let other = read(&by_id.replace("object_id", "id_of_object"));
    let error = json::read(&by_id.replace("\"object_id\"", "5"), Form::Native, GODOT4).unwrap_err();
    assert_eq!(error.pointer(), "/props/0", "{error}");
    let object = other.as_object().unwrap();
    assert_eq!((object.id(), object.get("id_of_object")), (None, Some(&7.into())), "{by_id}");
    let more = r#""i:7","hp","i:5""#;
    for other in [by_id.replace("EncodedObjectAsID", "Node"), by_id.replace("\"i:7\"", more)] {
        let value = read(&other);
        let object = value.as_object().unwrap();
        assert_eq!((object.id(), object.get("object_id")), (None, Some(&7.into())), "{other}");
        assert_eq!(written(value.clone(), Form::Native), other);
    }
}

/// Images and input events, which only Godot 2 has: exact JSON keeps them, plain JSON has their fields, and the
/// engine's form lacks them.
#[test]
fn images_and_input_events_are_written_and_read() {
    let data = vec![1, 2, 255];
    let image = Image { format: 5, mipmaps: 0, width: 1, height: 1, data };
    let event = InputEvent { event: 4, device: 3, payload: vec![0; 4] };
    for (value, plain) in [
        (
            Variant::Image(Box::new(image)),
            r#"{"format":5,"mipmaps":0,"width":1,"height":1,"data":"AQL/"}"#,
        ),
        (Variant::InputEvent(Box::new(event)), r#"{"event":4,"device":3,"data":"AAAAAA=="}"#),
    ] {
        let exact = text(&value, Form::Exact, false);
        let bytes = json::read(&exact, Form::Exact, Dialect::Godot2);
        assert_eq!(bytes.unwrap(), encode(&value, Dialect::Godot2).unwrap(), "{exact}");
        assert_eq!(text(&value, Form::Plain, false), plain);
        let mut native = Vec::new();
        let losses = json::write(&value, Form::Native, &mut native, false).unwrap();
        assert_eq!((native, losses.list()[0].kind), (b"null".to_vec(), LossKind::Kind));
    }
}

/// A key has one text: in the plain form, and by `PlainKeys::text`.
#[test]
fn keys_have_the_text_of_the_plain_form() {
    let mut seen = 0;
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let document = Document::new(&case.bytes, options(dialect, case.objects));
            let Ok(value) = Variant::from_document(&document) else { continue };
            let mut all = Dictionary::with_rule(KeyRule::of(dialect));
            let _ = all.insert(value, true);
            let written = text(&Variant::from(all), Form::Plain, false);
            let written: serde_json::Value = serde_json::from_str(&written).unwrap();
            let key = json::PlainKeys::text(&document.root().unwrap());
            assert_eq!(written.get(&*key), Some(&true.into()), "{}: {key}", case.name);
            seen += 1;
        }
    }
    assert!(seen > 1_000, "{seen}");
}

/// A suffix makes a repeated key distinct, also from keys that have the suffix as a part of their text.
#[test]
fn a_suffix_is_skipped_if_it_makes_another_key() {
    let mut keys = json::PlainKeys::default();
    let found = ["hp", "hp#2", "hp", "hp#2", "hp"].map(|key| keys.add(key));
    assert_eq!(found, ["hp", "hp#2", "hp#3", "hp#2#2", "hp#4"]);
    let twice = dictionary! { 5 => 1, "5#2" => 2, "5" => 3 };
    assert_eq!(written(twice, Form::Plain), r#"{"5":1,"5#2":2,"5#3":3}"#);
}

/// A key is repeated only within its own container.
#[test]
fn a_key_of_another_container_is_not_repeated() {
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("a", 1);
    let value = dictionary! {
        "a" => dictionary! { "a" => 1, "b" => array![dictionary! { "a" => 2 }] },
        "b" => object,
        "@class" => array![1],
        5 => array![6],
        "5" => 7,
    };
    let (text, losses) = lossy(value, Form::Plain);
    let expected = concat!(
        r#"{"a":{"a":1,"b":[{"a":2}]},"b":{"@class":"Node","a":1},"#,
        r#""@class":[1],"5":[6],"5#2":7}"#
    );
    assert_eq!((text.as_str(), losses.count_of(LossKind::Collision)), (expected, 1));
}

/// A loss in many containers with long keys is shown by the two ends of its place, and its path has positions.
#[test]
fn a_deep_loss_has_a_short_path() {
    let key = "a key of thirty characters ...";
    let value = (0..100).fold(Variant::from(array![f64::NAN, f64::NAN]), |inner, _| {
        dictionary! { key => inner }.into()
    });
    let bytes = encode(&value, GODOT4).unwrap();
    let (_, losses) = lossy(value, Form::Plain);
    let [loss] = losses.list() else { panic!("{losses:?}") };
    assert_eq!(loss.path, format!("{}[0]", "{0}".repeat(100)));
    assert!(godot4(&bytes).at(&loss.path).unwrap().as_f64().unwrap().is_nan());
    let shown = loss.to_string();
    assert!(shown.len() < 600 && shown.starts_with(&format!("[\"{key}\"]")), "{shown}");
    assert!(shown.contains("[*]: a number that is not finite (x2, first at {0}"), "{shown}");
}

/// A place shows up to twelve steps, and an ellipsis between the first six and the last six of more steps.
#[test]
fn a_place_shows_six_steps_at_each_end() {
    type Nest = fn(Variant) -> Variant;
    let steps: [(&str, &str, Nest); 2] = [
        (".k", "k", |inner| dictionary! { "k" => inner }.into()),
        ("[*]", "[*]", |inner| array![inner].into()),
    ];
    for (count, (step, first, nest)) in (1..20).flat_map(|count| steps.map(|step| (count, step))) {
        let value = (0..count).fold(Variant::from(f64::NAN), |inner, _| nest(inner));
        let (_, losses) = lossy(value, Form::Plain);
        let rest = match count {
            ..=12 => step.repeat(count - 1),
            _ => format!("{}\u{2026}{}", step.repeat(5), step.repeat(6)),
        };
        assert_eq!(losses.list()[0].place, format!("{first}{rest}"));
    }
}

#[test]
fn kinds_of_losses_are_described() {
    let texts: std::collections::BTreeSet<String> =
        LossKind::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), LossKind::ALL.len());
    assert!(
        texts.iter().all(|text| text.starts_with("a ") || text.starts_with("text ")),
        "{texts:?}"
    );
}
