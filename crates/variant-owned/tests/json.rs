//! JSON, there and back.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop"
)]

use proptest::prelude::*;
use variant_owned::json::{self, Form, JsonError, JsonErrorKind, LossKind};
use variant_owned::{
    Array, Dictionary, ElementType, EncodeErrorKind, EncodeOptions, Float, Int, NodePath, Object,
    Variant, array, dictionary, encode,
};
use variant_testkit::conformance::options;
use variant_testkit::{corpus, values};
use variant_view::{
    Basis, Dialect, Document, Kind, Options, Profile, Reals, Vector2, Vector3, Width,
};

/// Deep enough for every record.
fn encoding(dialect: Dialect) -> EncodeOptions {
    EncodeOptions::new(dialect).depth(100_000)
}

fn text(document: &Document<'_>, form: Form, is_pretty: bool) -> String {
    let mut text = Vec::new();
    json::write(document, form, &mut text, is_pretty).unwrap();
    String::from_utf8(text).unwrap()
}

/// Every vector of every engine, and whatever else the engines accept: byte for byte where an engine would
/// have written these bytes, else the bytes that the encoder makes of the value.
#[test]
fn exact_records_come_back() {
    let (mut canonical, mut other, mut doubled) = (0, 0, 0);
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let options = options(dialect, case.objects);
            let document = Document::new(&case.bytes, options);
            let Ok(summary) = document.validate() else { continue };
            let name = format!("{}:{} {}", path.display(), case.line, case.name);
            let taken = &case.bytes[..summary.consumed];
            let compact = text(&document, Form::Exact, false);
            let bytes = json::read(&compact, Form::Exact, &encoding(dialect))
                .unwrap_or_else(|error| panic!("{name}: {error} in {compact:.300}"));
            if Document::new(taken, options.profile(Profile::Canonical)).validate().is_ok() {
                canonical += 1;
                assert_eq!(bytes, taken, "{name}: {compact:.300}");
            } else {
                let value = Variant::from_document(&document).unwrap();
                let expected = encode(&value, &encoding(dialect)).unwrap();
                if bytes == expected {
                    other += 1;
                } else {
                    // Only the tree drops keys that stand twice; both have the same value.
                    doubled += 1;
                    assert!(bytes.len() > expected.len(), "{name}: {compact:.300}");
                    let again = Variant::from_document(&Document::new(&bytes, options)).unwrap();
                    assert_eq!(format!("{again:?}"), format!("{value:?}"), "{name}");
                }
            }
            let pretty = text(&document, Form::Exact, true);
            assert_eq!(json::read(&pretty, Form::Exact, &encoding(dialect)).unwrap(), bytes);
        }
    }
    println!("{canonical} canonical, {other} others, {doubled} with keys that stand twice");
    assert!(canonical > 0 && other > 0 && doubled > 0);
}

const GODOT4: EncodeOptions = EncodeOptions::new(Dialect::Godot4);

fn written(value: impl Into<Variant>, form: Form) -> String {
    let bytes = encode(&value.into(), &GODOT4).unwrap();
    text(&Document::new(&bytes, Dialect::Godot4), form, false)
}

/// Nothing that a terminal takes for a command, in ASCII or beyond.
#[test]
fn control_characters_are_escaped() {
    for control in ('\0'..='\u{ff}').filter(|c| c.is_control() && *c != '\0') {
        let json = written(format!("°{control}é"), Form::Exact);
        assert!(json.starts_with("\"°\\") && json.ends_with("é\""), "{json:?}");
        assert!(!json.contains(char::is_control), "{json:?}");
        let bytes = json::read(&json, Form::Exact, &GODOT4).unwrap();
        assert_eq!(text(&Document::new(&bytes, Dialect::Godot4), Form::Exact, false), json);
    }
    assert_eq!(written("\u{9b}2J \u{a0}", Form::Plain), "\"\\u009b2J \u{a0}\"");
}

#[test]
fn exact_numbers() {
    let nan = f64::from_bits(0xfff0_0000_0000_0abc);
    let table: [(Variant, &str); 14] = [
        (5.into(), "5"),
        (Int::with_width(5, Width::W64).into(), r#"{"t":"int","w":64,"v":5}"#),
        (3_000_000_000_i64.into(), "3000000000"),
        (9_007_199_254_740_991_i64.into(), "9007199254740991"),
        (9_007_199_254_740_992_i64.into(), r#"{"t":"int","v":"9007199254740992"}"#),
        (i64::MIN.into(), r#"{"t":"int","v":"-9223372036854775808"}"#),
        (1.0.into(), "1.0"),
        (Float::wide(1.0).into(), r#"{"t":"float","w":64,"v":1}"#),
        (0.1.into(), "0.1"),
        (Float::from(0.1_f32).into(), "0.10000000149011612"),
        ((-0.0).into(), "-0.0"),
        (f64::NEG_INFINITY.into(), r#"{"t":"float","v":"-inf"}"#),
        (Float::wide(f64::INFINITY).into(), r#"{"t":"float","w":64,"v":"inf"}"#),
        (nan.into(), r#"{"t":"float","v":"nan:fff0000000000abc"}"#),
    ];
    for (value, expected) in table {
        let bytes = encode(&value, &GODOT4).unwrap();
        assert_eq!(text(&Document::new(&bytes, Dialect::Godot4), Form::Exact, false), expected);
        assert_eq!(json::read(expected, Form::Exact, &GODOT4).unwrap(), bytes, "{expected}");
    }
    let narrow = Variant::from(Float::from(f32::from_bits(0x7f80_0001)));
    assert_eq!(written(narrow, Form::Exact), r#"{"t":"float","v":"nan:7f800001"}"#);
}

/// In lines, with what belongs together in one.
#[test]
fn pretty() {
    let value = dictionary! { "at" => Vector3 { x: 1.0, y: -0.0, z: 0.1_f32 }, "none" => array![] };
    let bytes = encode(&value.into(), &GODOT4).unwrap();
    let document = Document::new(&bytes, Dialect::Godot4);
    let exact = r#"{
  "t": "Dictionary",
  "v": [
    [
      "at",
      {"t": "Vector3", "v": [1, -0.0, 0.1]}
    ],
    [
      "none",
      []
    ]
  ]
}
"#;
    assert_eq!(text(&document, Form::Exact, true), exact);
    let plain = "{\n  \"at\": {\"x\": 1, \"y\": -0.0, \"z\": 0.1},\n  \"none\": []\n}\n";
    assert_eq!(text(&document, Form::Plain, true), plain);
}

/// As the engine's source describes it.
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
    let packed = vec![Vector2 { x: 1.0, y: 2.0 }, Vector2 { x: 3.0, y: 0.5 }];
    let path = NodePath::parse("/root/Main:position:x");
    let table: [(Variant, &str); 18] = [
        (Variant::Nil, "null"),
        (true.into(), "true"),
        (i64::MAX.into(), r#""i:9223372036854775807""#),
        (1.5.into(), r#""f:1.5""#),
        (f64::INFINITY.into(), r#""f:inf""#),
        ("a:\"b\"".into(), r#""s:a:\"b\"""#),
        (Variant::StringName("n".into()), r#""sn:n""#),
        (Variant::NodePath(Box::new(path)), r#""np:/root/Main:position:x""#),
        (Variant::Callable, r#"{"type":"Callable"}"#),
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
        (
            typed.into(),
            r#"{"type":"Dictionary","key_type":"String","value_type":"Node","args":["s:a","i:1"]}"#,
        ),
        (object.into(), r#"{"type":"Node","props":["name","s:n"]}"#),
        (Object::Id(7).into(), r#"{"type":"EncodedObjectAsID","props":["object_id","i:7"]}"#),
    ];
    for (value, expected) in table {
        let bytes = encode(&value, &GODOT4).unwrap();
        assert_eq!(text(&Document::new(&bytes, Dialect::Godot4), Form::Native, false), expected);
        assert_eq!(json::read(expected, Form::Native, &GODOT4).unwrap(), bytes, "{expected}");
    }
}

#[test]
fn native_losses() {
    let nan = Vector2 { x: f32::NAN, y: 1.0 };
    let value = array![1.5, f64::INFINITY, nan, Variant::Rid(0), Variant::Rid(5), Object::Null];
    let bytes = encode(&value.into(), &GODOT4).unwrap();
    let document = Document::new(&bytes, Dialect::Godot4);
    let losses = json::write(&document, Form::Native, std::io::sink(), false).unwrap();
    let found: Vec<_> = losses.list().iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "[1]: a number that is not finite",
            "[2]: a number that is not finite",
            "[4]: a reference",
        ]
    );
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
    let bytes = encode(&value.into(), &GODOT4).unwrap();
    let mut text = Vec::new();
    let document = Document::new(&bytes, Dialect::Godot4);
    let losses = json::write(&document, Form::Plain, &mut text, false).unwrap();
    let expected = concat!(
        r#"{"n":null,"5":"int","5#2":"text","Array":{"x":1,"y":2.5},"(1, 2)":"bGlnaHQgdw==","#,
        r#""o":{"@class":"Node","@class#2":1},"t":"a","p":[{"x":1,"y":2}],"r":null}"#
    );
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    let found: Vec<_> = losses.list().iter().map(|loss| (loss.kind, loss.path.as_str())).collect();
    assert_eq!(
        found,
        [
            (LossKind::NotFinite, "n"),
            (LossKind::Key, "{1:key}"),
            (LossKind::Collision, "{2:key}"),
            (LossKind::Key, "{3:key}"),
            (LossKind::Key, "{4:key}"),
            (LossKind::Collision, "o[\"@class\"]"),
            (LossKind::Reference, "r"),
        ]
    );
    assert_eq!(losses.count(), 7);
}

#[test]
fn text_that_is_not_utf_8() {
    let bytes = [4, 0, 0, 0, 2, 0, 0, 0, b'a', 0xff, 0, 0];
    let document = Document::new(&bytes, Dialect::Godot3);
    assert_eq!(text(&document, Form::Exact, false), r#"{"t":"String","hex":"61ff"}"#);
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
        json::read(r#"{"a":[1,2.5,-0,1e3,"é\u00e9\ud83d\ude00"],"b":{}}"#, Form::Plain, &GODOT4);
    let list = array![1, 2.5, -0.0, 1000.0, "éé😀"];
    let expected = dictionary! { "a" => list, "b" => Dictionary::new() };
    assert_eq!(read.unwrap(), encode(&expected.into(), &GODOT4).unwrap());
}

#[test]
fn many_losses_are_counted() {
    let array: Array = (0..5_000).map(|_| f64::NAN).collect();
    let bytes = encode(&array.into(), &GODOT4).unwrap();
    let document = Document::new(&bytes, Dialect::Godot4);
    let losses = json::write(&document, Form::Plain, std::io::sink(), false).unwrap();
    assert_eq!((losses.list().len(), losses.count()), (1_000, 5_000));
}

/// Whatever the form, the text is JSON, and everything that another parser of it takes is taken.
#[test]
fn every_form_is_json() {
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let document = Document::new(&case.bytes, options(dialect, case.objects));
            if document.validate().map_or(true, |summary| summary.depth > 30) {
                continue;
            }
            for form in [Form::Exact, Form::Native, Form::Plain] {
                let text = text(&document, form, false);
                let parsed = serde_json::from_str::<serde::de::IgnoredAny>(&text);
                assert!(parsed.is_ok(), "{form:?} {}: {text}", case.name);
                let _ = json::read(&text, form, &encoding(dialect));
                json::read(&text, Form::Plain, &encoding(dialect).depth(1_000_000))
                    .map_or_else(|error| check_refusal(&error), drop);
            }
        }
    }
}

/// Texts that a dialect refuses, and infinities of the native form.
fn check_refusal(error: &JsonError) {
    let is_known = matches!(error.kind(), JsonErrorKind::Encode(_) | JsonErrorKind::OutOfRange);
    assert!(is_known && error.line() > 0, "{error}");
}

#[test]
fn hostile_text() {
    use JsonErrorKind::{Encode, Expected, Field, Missing, OutOfRange, Syntax, UnknownKind};
    type Is = fn(&JsonErrorKind) -> bool;
    let table: [(&str, usize, &str, Is); 30] = [
        ("", 1, "", |k| matches!(k, Syntax(_))),
        ("[1,\n]", 1, "", |k| matches!(k, Syntax(_))),
        ("[1 2]", 4, "", |k| matches!(k, Syntax(_))),
        ("{\"a\" 1}", 6, "", |k| matches!(k, Syntax(_))),
        ("{1:1}", 2, "", |k| matches!(k, Syntax(_))),
        ("[1}", 3, "", |k| matches!(k, Syntax(_))),
        ("1 1", 3, "", |k| matches!(k, Syntax(_))),
        ("01", 2, "", |k| matches!(k, Syntax(_))),
        ("1.", 3, "", |k| matches!(k, Syntax(_))),
        ("-", 2, "", |k| matches!(k, Syntax(_))),
        ("NaN", 1, "", |k| matches!(k, Syntax(_))),
        ("\"\u{1}\"", 2, "", |k| matches!(k, Syntax(_))),
        (r#""\x""#, 3, "", |k| matches!(k, Syntax(_))),
        (r#""\ud800""#, 8, "", |k| matches!(k, Syntax(_))),
        (r#""\ud800\u0041""#, 14, "", |k| matches!(k, Syntax(_))),
        (r#""\u00g0""#, 4, "", |k| matches!(k, Syntax(_))),
        ("[", 2, "", |k| matches!(k, Syntax(_))),
        ("1e999", 1, "", |k| matches!(k, OutOfRange)),
        ("[123456789012345678901234567890]", 2, "/0", |k| matches!(k, OutOfRange)),
        ("{}", 1, "", |k| matches!(k, Missing("t"))),
        (r#"{"t":"Vector2"}"#, 1, "", |k| matches!(k, Missing("v"))),
        (r#"{"t":"Vector2","v":[1]}"#, 20, "/v", |k| matches!(k, Expected(_))),
        (r#"{"t":"Vector2i","v":[1,1.5]}"#, 24, "/v/1", |k| matches!(k, Expected(_))),
        (r#"{"t":"Vector9","v":[]}"#, 6, "/t", |k| matches!(k, UnknownKind(_))),
        (r#"{"t":"Callable","x":1}"#, 17, "", |k| matches!(k, Field(_))),
        (r#"{"t":"Callable","t":"Callable"}"#, 17, "", |k| matches!(k, Field(_))),
        (r#"{"t":"Image","format":0,"mipmaps":0,"width":0,"height":0,"hex":""}"#, 1, "", |k| {
            matches!(k, Encode(_))
        }),
        (r#"{"t":"Dictionary","v":[[1]]}"#, 24, "/v/0", |k| matches!(k, Expected(_))),
        (r#"{"t":"Object","class":"","v":[]}"#, 23, "/class", |k| matches!(k, Expected(_))),
        (r#"{"t":"float","v":"nan:7ff0000000000000"}"#, 18, "/v", |k| matches!(k, Expected(_))),
    ];
    for (text, column, pointer, is_expected) in table {
        let error = json::read(text, Form::Exact, &GODOT4).unwrap_err();
        assert!(is_expected(error.kind()), "{text}: {error:?}");
        let found = (error.line(), error.column(), error.pointer());
        let line = 1 + text.matches('\n').count();
        assert_eq!(found, (line, column, pointer), "{text}: {error}");
    }
}

/// A million levels on a small stack; as deep as the options allow, and no deeper.
#[test]
fn deep_nesting() {
    let work = || {
        let million = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        for form in [Form::Exact, Form::Native, Form::Plain] {
            let error = json::read(&million, form, &GODOT4).unwrap_err();
            assert!(matches!(error.kind(), JsonErrorKind::Encode(EncodeErrorKind::TooDeep)));
            assert_eq!((error.line(), error.column()), (1, 1_026));
            let deep = "[".repeat(1_025) + &"]".repeat(1_025);
            let bytes = json::read(&deep, form, &GODOT4).unwrap();
            let document = Document::new(&bytes, Dialect::Godot4);
            assert_eq!(text(&document, form, false), deep);
        }
        assert!(json::read(&"{\"a\":".repeat(1_000_000), Form::Plain, &GODOT4).is_err());
    };
    std::thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap();
}

/// Cut and changed texts are errors or other values, never a panic; and what is accepted is well-formed.
#[test]
fn damaged_text() {
    let text = r#"{"t":"Dictionary","key":{"class":"Node"},"v":[["a\n",{"t":"Vector2","w":64,"v":[1e5,"nan:7ff8000000000001"]}],[{"t":"NodePath","names":["é"],"subnames":[]},{"t":"Object","class":"C","v":[["p",-1.5]]}]]}"#;
    assert!(json::read(text, Form::Exact, &GODOT4).is_ok());
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        assert!(json::read(text.get(..end).unwrap(), Form::Exact, &GODOT4).is_err());
    }
    for at in 0..text.len() {
        for byte in b"{}[]\",:\\x0-.e" {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = *byte;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            for form in [Form::Exact, Form::Native, Form::Plain] {
                if let Ok(bytes) = json::read(&changed, form, &GODOT4) {
                    assert!(Document::new(&bytes, Dialect::Godot4).validate().is_ok());
                }
            }
            let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&changed).is_ok();
            let ours = json::read(&changed, Form::Plain, &GODOT4)
                .map_or_else(|error| !matches!(error.kind(), JsonErrorKind::Syntax(_)), |_| true);
            assert_eq!(ours, theirs, "{changed}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every value of every dialect, in either width of reals and in the documented layout too.
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
        let bytes = encode(&value, &encoding).unwrap();
        let reading: Options = options(dialect, true).reals(reals);
        let document = Document::new(&bytes, reading);
        let exact = text(&document, Form::Exact, is_pretty);
        prop_assert_eq!(&json::read(&exact, Form::Exact, &encoding).unwrap(), &bytes);
        prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&exact).is_ok());

        // What the native form holds, it holds when it has been there and back once.
        let native = text(&document, Form::Native, is_pretty);
        if let Ok(bytes) = json::read(&native, Form::Native, &encoding) {
            let again = text(&Document::new(&bytes, reading), Form::Native, is_pretty);
            let bytes_again = json::read(&again, Form::Native, &encoding).unwrap();
            prop_assert_eq!(bytes_again, bytes);
        }
    }

    /// Any text at all: an error or a well-formed value.
    #[test]
    fn any_text(text in "[\\[\\]{}:,\"\\\\ tvwn0-9.e+-]{0,40}") {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let ours = json::read(&text, Form::Plain, &GODOT4);
        let ours = !matches!(&ours, Err(error) if matches!(error.kind(), JsonErrorKind::Syntax(_)));
        prop_assert_eq!(ours, theirs);
    }
}
