//! A path finds its value, and a value has its path.

use variant_testkit::builder::{Builder, ODD_TEXTS, words};
use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_view::{
    Dialect, Document, ErrorKind, Event, Key, Kind, Limits, Objects, Options, PathStep,
};

/// The number of records that are tested in each file.
const RECORDS: usize = if cfg!(miri) { 2 } else { usize::MAX };
/// The number of odd texts that are tested.
const TEXTS: usize = if cfg!(miri) { 6 } else { ODD_TEXTS.len() };
/// The distance between tested values: every `STEP`th value is tested.
const STEP: usize = if cfg!(miri) { 400 } else { 1 };

/// Checks every `step`th value of a document: its path finds the value again.
fn assert_round_trips(document: &Document<'_>, step: usize, name: &str) {
    let nodes = document.walk().filter_map(|event| match event {
        Ok(Event::Enter(node) | Event::Leaf(node)) => Some(node),
        _ => None,
    });
    for node in nodes.step_by(step) {
        let offset = node.view.offset();
        let text = document.path_to(offset).unwrap().to_string();
        match document.at(&text) {
            Ok(found) => assert_eq!(found.offset(), offset, "{name}: {text}"),
            Err(error) => panic!("{name}: {text}: {error}"),
        }
    }
}

#[test]
fn every_value_of_every_vector() {
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_first_cases(&path, RECORDS).unwrap() {
            let document = Document::new(&case.bytes, options(dialect, true));
            let Ok(summary) = document.validate() else { continue };
            // Finding the path of a value reads the containers around it, which takes too long in large documents.
            if summary.depth <= 64 && case.bytes.len() <= 4_096 {
                let name = format!("{}:{} {}", path.display(), case.line, case.name);
                assert_round_trips(&document, 1, &name);
            }
        }
    }
}

#[test]
fn values_of_saves() {
    for (dialect, file, skip, step) in [
        (Dialect::Godot4, "godot4/saves/rpc.variant", 0, 1),
        (Dialect::Godot4, "godot4/saves/sample20.variant", 0, 1),
        (Dialect::Godot4, "godot4/saves/nested_18k.variant", 0, 999),
        (Dialect::Pandemonium4, "pandemonium4/saves/nested_18k.variant", 0, 999),
        (Dialect::Godot3, "godot3/saves/rpg_save.bin", 4, 4_999),
    ] {
        let bytes = corpus::bytes(file).unwrap();
        if cfg!(miri) && bytes.len() > 1_000 {
            continue;
        }
        let options = Options::engine(dialect).limits(Limits::FILE).objects(Objects::Accept);
        let document = Document::new(&bytes[skip..], options);
        document.validate().unwrap();
        assert_round_trips(&document, step, file);
    }
}

/// `{"a": {"b": [1, {"c": 2}]}, 7: "seven", "odd key": 3, true: 4, "a": "last"}`, in Godot 4.
fn sample() -> variant_testkit::builder::Built {
    let start = words(&[27, 5, 4]).text("a").label("first a");
    let first = start.words(&[27, 1, 4]).text("b").label("array").words(&[28, 2, 2, 1, 27, 1, 4]);
    let seven = first.text("c").label("c").words(&[2, 2, 2, 7]).label("seven").u32(4).text("seven");
    let odd = seven.u32(4).text("odd key").label("odd").words(&[2, 3]).label("true").words(&[1, 1]);
    let last = odd.label("value of true").words(&[2, 4, 4]).text("a").label("last a");
    last.u32(4).text("last").build()
}

#[test]
fn steps_as_they_are_written() {
    let built = sample();
    let document = Document::new(&built.bytes, Options::engine(Dialect::Godot4));
    for (label, path) in [
        ("seven", "[7]"),
        ("odd", "[\"odd key\"]"),
        ("true", "{3:key}"),
        ("value of true", "{3}"),
        ("last a", "a"),
        // A later pair has the same key, so only the position of this pair finds its value.
        ("first a", "{0}"),
        ("array", "{0}.b"),
        ("c", "{0}.b[1].c"),
    ] {
        assert_eq!(document.path_to(built.at(label)).unwrap().to_string(), path, "{label}");
        assert_eq!(document.at(path).unwrap().offset(), built.at(label), "{label}");
    }
    assert_eq!(document.path_to(0).unwrap().to_string(), "");
    assert_eq!(document.at("").unwrap().offset(), 0);
    // An offset anywhere within a value gives that value.
    assert_eq!(document.path_to(built.at("seven") + 9).unwrap().to_string(), "[7]");
    assert_eq!(document.at("['odd key']").unwrap().as_i64(), Ok(3));
    assert_eq!(document.at("{0}.b[0]").unwrap().as_i64(), Ok(1));
    assert_eq!(document.at("{0}.b[-2]").unwrap().as_i64(), Ok(1));
}

#[test]
fn paths_that_lead_nowhere() {
    let built = sample();
    let document = Document::new(&built.bytes, Options::engine(Dialect::Godot4));
    let array = built.at("array");
    for (path, kind, offset) in [
        ("nope", ErrorKind::KeyNotFound { column: 0 }, 0),
        ("[8]", ErrorKind::KeyNotFound { column: 0 }, 0),
        ("{5}", ErrorKind::KeyNotFound { column: 0 }, 0),
        ("{0}.b[2]", ErrorKind::IndexOutOfRange { column: 5, len: 2 }, array),
        ("{0}.b[-3]", ErrorKind::IndexOutOfRange { column: 5, len: 2 }, array),
        ("{0}..b", ErrorKind::PathSyntax { column: 3 }, built.at("first a")),
    ] {
        let error = document.at(path).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, offset), "{path}");
    }
    let error = document.at("[7].x").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotAContainer { .. }), "{error}");
    let error = document.path_to(built.bytes.len()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutsideDocument);
}

/// Only a later key of the same container hides a key. Keys of nested containers do not.
#[test]
fn keys_of_nested_containers_hide_no_key() {
    let pair = |all: Builder| all.u32(4).text("a").words(&[2, 1]);
    let inner = pair(words(&[27, 1])).build().bytes;
    let object = words(&[24]).text("A").u32(1).text("a").words(&[2, 1]).build().bytes;
    for nested in [inner, object] {
        let values = || pair(words(&[27, 2])).u32(4).text("b").raw(&nested);
        let keys = || pair(words(&[27, 2])).raw(&nested).words(&[2, 1]);
        let properties = || {
            let first = words(&[24]).text("A").u32(2).text("a").words(&[2, 1]);
            first.text("b").raw(&nested)
        };
        for bytes in [values(), keys(), properties()] {
            let bytes = bytes.build().bytes;
            let document = Document::new(&bytes, Options::engine(Dialect::Godot4));
            let offset = document.get("a").unwrap().unwrap().offset();
            assert_eq!(document.path_to(offset).unwrap().to_string(), "a", "{bytes:x?}");
        }
    }
}

/// In Godot 4 a `String` and a `StringName` of equal text are one key, so the path of its value has no `&`.
#[test]
fn names_are_strings() {
    let pair = |all: Builder, id| all.u32(id).text("k").words(&[2, 1]);
    for (first, second) in [(4, 21), (21, 4), (21, 21)] {
        let one = pair(words(&[27, 1]), first).build().bytes;
        let two = pair(pair(words(&[27, 2]), first), second).build().bytes;
        for (bytes, expected) in [(one, "k"), (two, "{0}")] {
            let document = Document::new(&bytes, Options::engine(Dialect::Godot4));
            // The first value is after the header, the count and the key.
            assert_eq!(document.path_to(20).unwrap().to_string(), expected, "{first} {second}");
        }
    }
}

/// In Pandemonium a `String` and a `StringName` of equal text are two keys.
#[test]
fn names_and_strings() {
    let first = words(&[25, 2, 4]).text("k").words(&[2, 1, 24]);
    let built = first.text("k").words(&[2, 2]).build();
    let document = Document::new(&built.bytes, Options::engine(Dialect::Pandemonium5));
    assert_eq!(document.at("k").unwrap().as_i64(), Ok(1));
    assert_eq!(document.at("[&\"k\"]").unwrap().as_i64(), Ok(2));
    let name = document.at("{1}").unwrap();
    assert_eq!(document.path_to(name.offset()).unwrap().to_string(), "[&\"k\"]");
}

/// The path of an error is the path of the damaged value.
#[test]
fn the_way_to_the_damage() {
    let mut built = sample();
    let at = built.at("c");
    built.bytes[at] = 99;
    let document = Document::new(&built.bytes, Options::engine(Dialect::Godot4));
    let error = document.validate().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownType { header: 99 });
    assert_eq!(error.offset(), at);
    assert_eq!(document.path_to(error.offset()).unwrap().to_string(), "a.b[1].c");
}

/// The offset after the last byte is in no value, but an error at this offset has a path.
#[test]
fn the_way_to_where_bytes_are_missing() {
    let built = sample();
    let at = built.at("last a");
    let cut = &built.bytes[..at];
    let document = Document::new(cut, Options::engine(Dialect::Godot4));
    let error = document.validate().unwrap_err();
    assert_eq!(error.offset(), at);
    assert_eq!(document.path_to(at).unwrap().to_string(), "a");
}

/// Keys are looked up, and shown, as the engine reads them.
#[test]
fn texts_that_hide_something() {
    let key = |text: &[u8]| words(&[27, 1, 4]).text(text).u32(2).u32(7).build();
    for (wire, engine, not) in [
        (&b"\xef\xbb\xbf\0"[..], "", "\u{feff}"),
        (b"\xef\xbb\xbfa", "a", "\u{feff}a"),
        (b"a\0b", "a\0c", "b"),
        (b"a\0b", "a", "a b"),
    ] {
        let built = key(wire);
        let document = Document::new(&built.bytes, Options::engine(Dialect::Godot4));
        assert_eq!(document.get(engine).unwrap().map(|v| v.as_i64()), Some(Ok(7)), "{wire:?}");
        assert!(document.get(not).unwrap().is_none(), "{wire:?}");
        let (found, _) =
            document.root().unwrap().as_dictionary().unwrap().iter().next().unwrap().unwrap();
        assert_eq!(found.as_str().ok(), engine.split('\0').next());
    }
}

/// Damage after the key that is looked up is an error, in objects and dictionaries alike.
#[test]
fn damage_after_the_found_key() {
    let array = |builder: Builder| builder.u32(28).u32(1).u32(255).build();
    let object = array(words(&[24]).text("A").u32(1).text("p"));
    let dictionary = array(words(&[27, 1, 4]).text("p"));
    for built in [object, dictionary] {
        let error =
            Document::new(&built.bytes, Options::engine(Dialect::Godot4)).get("p").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownType { header: 255 });
    }
}

/// A dictionary whose keys are numbers, an array, and every odd text as a `String` and a `StringName`. One value is an
/// object with the odd texts as names of properties; all other values are arrays.
fn oddities(dialect: Dialect) -> Vec<u8> {
    let id = |kind| dialect.id(kind).map(u32::from);
    let array = |builder: Builder| builder.u32(id(Kind::Array).unwrap()).u32(1).u32(0);
    let mut pairs = 0;
    let mut all = Builder::new();
    for kind in [Kind::String, Kind::StringName] {
        for text in &ODD_TEXTS[..TEXTS] {
            let Some(header) = id(kind) else { continue };
            all = array(all.u32(header).text(text));
            pairs += 1;
        }
    }
    for number in [1, 1, u32::MAX, 7] {
        all = array(all.u32(2).u32(number));
        pairs += 1;
    }
    for key in [vec![0], vec![1, 1], vec![3, 1.0_f32.to_bits()]] {
        all = array(key.iter().fold(all, |all, &word| all.u32(word)));
        pairs += 1;
    }
    all = array(array(all));
    pairs += 1;
    if dialect.writes_objects() {
        all = all
            .u32(2)
            .u32(99)
            .u32(id(Kind::Object).unwrap())
            .text("C")
            .u32(u32::try_from(TEXTS).unwrap());
        all = ODD_TEXTS[..TEXTS].iter().fold(all, |all, text| array(all.text(text)));
        pairs += 1;
    }
    let head = words(&[id(Kind::Dictionary).unwrap(), pairs]).build().bytes;
    [head, all.build().bytes].concat()
}

#[test]
fn every_printed_path_leads_to_its_value() {
    for &dialect in Dialect::ALL {
        let bytes = oddities(dialect);
        let document = Document::new(&bytes, options(dialect, true));
        assert_round_trips(&document, STEP, &format!("{dialect}"));
        for offset in (0..bytes.len()).step_by(STEP) {
            let path = document.path_to(offset).unwrap().to_string();
            assert!(!path.contains(['\u{1b}', '\u{202e}', '\u{61c}', '\u{ad}']), "{path:?}");
        }
    }
}

/// Keys that are neither text nor an integer have no name, so their values have a position.
#[test]
fn keys_without_a_name_have_positions() {
    let bytes = words(&[27, 3, 0, 2, 1, 1, 1, 2, 2, 3]).f32s(&[0.5]).words(&[2, 3]).build().bytes;
    let document = Document::new(&bytes, Dialect::Godot4);
    for (key, position) in [(Key::Nil, 0), (Key::Bool(true), 1), (Key::Float(0.5), 2)] {
        assert_eq!(PathStep::of_key(key), None);
        let offset = document.get(key).unwrap().unwrap().offset();
        let path = document.path_to(offset).unwrap();
        assert_eq!(path.to_string(), format!("{{{position}}}"));
        assert_eq!(document.at(&path.to_string()).unwrap().as_i64(), Ok(i64::from(position) + 1));
        assert_eq!(format!("{path:?}"), format!("Path {{ offset: {offset}, depth: 1 }}"));
    }
    assert_eq!(PathStep::of_key(Key::Int(7)), Some(PathStep::Number(7)));
}
