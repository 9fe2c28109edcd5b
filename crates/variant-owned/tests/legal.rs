//! Written values are read back whole. Other values are refused, with reason and path.

use variant_owned::{
    Array, ConvertOptions, Dictionary, ElementType, EncodeErrorKind, EncodeOptions, Float, Image,
    InputEvent, KeyRule, MathValue, NodePath, Object, Precision, Signal, Text, Variant, Writer,
    array, convert, dictionary, encode, from_text,
};
use variant_testkit::conformance::options;
use variant_view::{Consumer, Dialect, Document, Kind, Limits, Options, Vector2};

/// The error's path and kind.
fn refused(value: &Variant, dialect: Dialect) -> (String, EncodeErrorKind) {
    let error = encode(value, dialect).unwrap_err();
    (error.path().to_owned(), error.kind().clone())
}

/// Asserts that the output is read to its last byte, even if other bytes follow, and that the value is the same.
fn assert_whole(value: &Variant, dialect: Dialect) {
    let array = Variant::from(array![value.clone(), 5]);
    let bytes = encode(&array, dialect).unwrap();
    let document = Document::new(&bytes, options(dialect, true));
    assert_eq!(document.validate().unwrap().consumed, bytes.len());
    assert_eq!(Variant::from_document(&document), Ok(array));
}

#[test]
fn empty_class_is_refused() {
    for class in ["", "\0x", "\u{feff}", "\u{feff}\0x"] {
        let mut object = Object::new(class);
        let kind = EncodeErrorKind::NoClass(class.into());
        let value = array![object.clone()].into();
        assert_eq!(refused(&value, Dialect::Godot4), ("[0]".into(), kind.clone()), "{class:?}");
        object.properties_mut().unwrap().push("a", 1);
        let value = array![object, 5].into();
        assert_eq!(refused(&value, Dialect::Godot4), ("[0]".into(), kind.clone()), "{class:?}");

        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
        writer.begin_array().unwrap();
        let error = writer.begin_object(class).unwrap_err();
        assert_eq!((error.path(), error.kind()), ("[0]", &kind), "{class:?}");
    }
    let read = from_text("[Object(\"\", \"a\": 1), 5]").unwrap();
    let error = ("[0]".into(), EncodeErrorKind::NoClass("".into()));
    assert_eq!(refused(&read, Dialect::Godot4), error);
}

/// Names are kept unchanged. Only the name of a class decides whether properties follow.
#[test]
fn names_that_hide_something_are_read_back() {
    for name in ["", "\0x", "\u{feff}", "a\0b"] {
        for class in ["A", "A\0b", "\u{feff}A"] {
            let mut object = Object::new(class);
            object.properties_mut().unwrap().push(name, 1);
            assert_whole(&object.into(), Dialect::Godot4);
        }
    }
}

#[test]
fn paths_of_godot_2() {
    let property = NodePath { has_property: true, ..NodePath::default() };
    let plain = NodePath { plain: Some("a".into()), ..NodePath::default() };
    let refuse = |path: &NodePath, dialect| refused(&path.clone().into(), dialect).1;

    assert_eq!(refuse(&property, Dialect::Godot2), EncodeErrorKind::NodePath);
    let subname = NodePath { subnames: vec!["x".into()], ..property };
    assert_whole(&subname.clone().into(), Dialect::Godot2);
    assert_eq!(refuse(&subname, Dialect::Godot3), EncodeErrorKind::OldNodePath);

    assert_whole(&plain.clone().into(), Dialect::Godot2);
    assert_eq!(refuse(&plain, Dialect::Godot4), EncodeErrorKind::OldNodePath);
    for mixed in [
        NodePath { names: vec!["b".into()], ..plain.clone() },
        NodePath { is_absolute: true, ..plain },
    ] {
        assert_eq!(refuse(&mixed, Dialect::Godot2), EncodeErrorKind::NodePath);
    }
}

/// A path has a count of names, a count of subnames, and one more subname for its property flag. If the sum wraps to 0,
/// the path has the flag, but no subname. The value that is read can still be written.
#[test]
fn a_property_that_the_counts_wrap_away() {
    let words = [16, 1 << 31, u32::MAX, 2];
    let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let document = Document::new(&bytes, Dialect::Godot2);
    let read = Variant::from_document(&document).unwrap();
    assert_eq!(read, Variant::from(NodePath::default()));
    assert_whole(&read, Dialect::Godot2);
}

#[test]
fn payloads_of_input_events() {
    for event in 0..8 {
        for len in 0..=12 {
            let payload = vec![9; len];
            let value = Variant::InputEvent(Box::new(InputEvent { event, device: 0, payload }));
            let fits = match event {
                1 => len == 8,
                4 => len == 4 || len == 8,
                3 | 5 | 6 => len == 4,
                _ => len == 0,
            };
            if fits {
                assert_whole(&value, Dialect::Godot2);
            } else {
                let kind = EncodeErrorKind::InputEvent { event, payload: len };
                assert_eq!(refused(&value, Dialect::Godot2).1, kind);
                let to = ConvertOptions::new(Dialect::Godot2);
                let (converted, report) = convert(&value, to).unwrap();
                assert_eq!(converted.kind(), Kind::Dictionary);
                assert_eq!(report.changes().len(), 1);
            }
        }
    }
    for len in 0..6 {
        let image = Image { data: vec![7; len], ..Image::default() };
        assert_whole(&Variant::Image(Box::new(image)), Dialect::Godot2);
    }
}

/// Every type that a container can declare is read back. A type that would be read as another cannot be declared.
#[test]
fn element_types() {
    let declare = |declared: &ElementType| Array::with_type(declared.clone());
    let types = [
        (ElementType::Any, true, false),
        (ElementType::Builtin(Kind::Nil), false, true),
        (ElementType::Builtin(Kind::Int), true, true),
        (ElementType::Builtin(Kind::Object), true, true),
        (ElementType::Class("".into()), true, true),
        (ElementType::Class("\0x".into()), true, true),
        (ElementType::Class("Node".into()), true, true),
        (ElementType::Script("".into()), true, false),
        (ElementType::Script("res://a.gd".into()), true, false),
        (ElementType::Unknown(3), false, false),
        // A type id may be unknown to the dialect, but must fit the bits that its reader uses.
        (ElementType::Unknown(23), false, false),
        (ElementType::Unknown(39), false, false),
        (ElementType::Unknown(40), false, true),
        (ElementType::Unknown(0x7fff_ffff), false, true),
        (ElementType::Unknown(1 << 31), false, false),
    ];
    for (declared, in_godot_4, in_pandemonium_5) in types {
        let array = Variant::from(declare(&declared));
        let mut all = Dictionary::new();
        all.set_types(declared.clone(), declared.clone());
        if in_godot_4 {
            assert_whole(&array, Dialect::Godot4);
            assert_whole(&all.into(), Dialect::Godot4);
        } else {
            let kind = EncodeErrorKind::ElementType(declared.clone());
            assert_eq!(refused(&array, Dialect::Godot4).1, kind);
            assert_eq!(refused(&all.into(), Dialect::Godot4).1, kind);
        }
        for make in [Variant::TypedArray, Variant::PackedTypedArray] {
            let array = make(declare(&declared));
            if in_pandemonium_5 {
                assert_whole(&array, Dialect::Pandemonium5);
            } else {
                let kind = EncodeErrorKind::ElementType(declared.clone());
                assert_eq!(refused(&array, Dialect::Pandemonium5).1, kind);
            }
        }
        // Whatever type is declared, the converted array can be written.
        for &to in Dialect::ALL {
            let (converted, _) = convert(&array, to).unwrap();
            assert_whole(&converted, to);
        }
    }
    let image = Array::with_type(ElementType::Builtin(Kind::Image));
    let kind = EncodeErrorKind::Kind(Kind::Image);
    assert_eq!(refused(&image.into(), Dialect::Godot4).1, kind);
}

/// The reader would keep the last value, and lose the others silently.
#[test]
fn keys_that_become_the_same() {
    let same = |written, read| EncodeErrorKind::SameKeys { written, read };
    let mut two = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
    two.insert("k", 1);
    two.insert(Variant::StringName("k".into()), 2);
    let inside = dictionary! { "a" => array![two] }.into();
    assert_eq!(refused(&inside, Dialect::Godot4), ("a[0]".into(), same(2, 1)));
    assert_whole(&convert(&inside, Dialect::Godot4).unwrap().0, Dialect::Godot4);

    let rids = dictionary! { Variant::Rid(1) => 1, Variant::Rid(2) => 2, Variant::Rid(3) => 3 };
    assert_eq!(refused(&rids.into(), Dialect::Godot3), (String::new(), same(3, 1)));
    let floats = dictionary! { 0.1 => 1, f64::from(0.1_f32) => 2 };
    assert_eq!(refused(&floats.into(), Dialect::Godot2), (String::new(), same(2, 1)));

    let vector = |x| Variant::Vector2(MathValue::double(Vector2 { x, y: 0.0 }));
    let vectors: Variant = dictionary! { vector(0.1) => 1, vector(f64::from(0.1_f32)) => 2 }.into();
    assert_whole(&vectors, Dialect::Godot4);
    assert_eq!(refused(&vectors, Dialect::Godot3), (String::new(), same(2, 1)));
    let single = EncodeOptions::new(Dialect::Godot4).precision(Precision::Single);
    assert_eq!(encode(&vectors, single).unwrap_err().kind(), &same(2, 1));
}

/// The error for a large integer is not the error for a length, and has a hint.
#[test]
fn an_int_too_wide_for_godot_2_says_so() {
    let value = dictionary! { "money" => 5_000_000_000_i64 }.into();
    let error = encode(&value, Dialect::Godot2).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::IntRange(5_000_000_000));
    assert_eq!(
        error.to_string(),
        "money: the integer 5000000000 is not between -2147483648 and 2147483647, which is all this dialect has; \
         make it a float or a String, or convert the value (godot2)"
    );
    assert_whole(&i32::MIN.into(), Dialect::Godot2);
    assert_whole(&Variant::Float(Float::from(0.5)), Dialect::Godot2);
}

/// Tests the messages of three errors. Every other message is compared in the test that causes its error.
#[test]
fn errors_without_a_value_say_why() {
    let object = encode(&Object::new("Node").into(), Dialect::Godot2).unwrap_err();
    let mut keys = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
    keys.insert("k", 1);
    keys.insert(Variant::StringName("k".into()), 2);
    let same = encode(&array![keys].into(), Dialect::Godot4).unwrap_err();
    let mut bytes = Vec::new();
    let unexpected = Writer::new(&mut bytes, Dialect::Godot4).end().unwrap_err();
    for (error, expected) in [
        (object, "(root): an object cannot be written in this dialect (godot2)"),
        (
            same,
            "[0]: duplicate keys: this dialect reads 2 pairs as 1; convert the value, which keeps the last of equal keys (godot4)",
        ),
        (
            unexpected,
            "(root): unexpected: no such value can be written here, or no container is open (godot4)",
        ),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}

/// Text may lack its padding only at the end of a buffer.
#[test]
fn a_writer_adds_the_padding_that_bytes_lack() {
    // An array that contains a path of one text and a text, each of two bytes without padding. The whole length is a
    // multiple of 4.
    let bytes = [
        [21, 0, 0, 0, 2, 0, 0, 0].as_slice(),
        &[16, 0, 0, 0, 2, 0, 0, 0, b'a', b'b'],
        &[4, 0, 0, 0, 2, 0, 0, 0, b'c', b'd'],
    ]
    .concat();
    assert_eq!(bytes.len() % 4, 0);
    let document = Document::new(&bytes, Dialect::Godot2);
    assert_eq!(document.validate().unwrap().consumed, bytes.len());
    let mut buffer = Vec::new();
    let mut writer = Writer::new(&mut buffer, Dialect::Godot2);
    writer.begin_array().unwrap();
    writer.raw_bytes(&bytes).unwrap();

    // A path of one text has no padding, and may be anywhere.
    writer.raw_bytes(&bytes[8..18]).unwrap();
    writer.value(&Text::from("x").into()).unwrap();
    writer.end().unwrap();
    writer.finish().unwrap();
    let document = Document::new(&buffer, Dialect::Godot2);
    assert_eq!(document.validate().unwrap().consumed, buffer.len());
    assert_eq!(document.at("[0][1]").unwrap().as_str(), Ok("cd"));
    assert_eq!(document.at("[2]").unwrap().as_str(), Ok("x"));
}

/// Text that the target's reader refuses is replaced in every place that holds text.
#[test]
fn converted_values_can_be_written() {
    let wrong = Text::from_bytes(b"\xe0\x81\xa1");
    let mut object = Object::new(wrong.clone());
    object.properties_mut().unwrap().push(wrong.clone(), Variant::StringName(wrong.clone()));
    let path = NodePath { names: vec![wrong.clone()], ..NodePath::default() };
    let values = [
        Variant::from(Signal { name: wrong.clone(), object_id: 1 }),
        Array::with_type(ElementType::Class(wrong.clone())).into(),
        Array::with_type(ElementType::Script(wrong.clone())).into(),
        object.into(),
        path.into(),
        Variant::PackedStringArray(vec![wrong.clone()]),
        Object::new("").into(),
    ];
    for value in values {
        for &to in Dialect::ALL {
            let (converted, report) = convert(&value, to).unwrap();
            assert_whole(&converted, to);
            assert!(to != Dialect::Godot4 || !report.is_empty(), "{value:?}");
        }
        let error = encode(&value, Dialect::Godot4).unwrap_err();
        let kinds = [EncodeErrorKind::Text(wrong.clone()), EncodeErrorKind::NoClass("".into())];
        assert!(kinds.contains(error.kind()), "{error}");
    }
}

/// The class of an array is a value one level below the array, so the reader's depth limit also applies to the class.
#[test]
fn an_array_of_a_class_at_the_limit_is_refused() {
    let typed = Array::with_type(ElementType::Class("Node".into()));
    let value = Variant::from(array![array![Variant::TypedArray(typed.clone()), 7]]);
    let options = EncodeOptions::new(Dialect::Pandemonium5);
    assert!(encode(&value, options.depth(3)).is_ok());
    let error = encode(&value, options.depth(2)).unwrap_err();
    assert_eq!((error.kind(), error.path()), (&EncodeErrorKind::TooDeep, "[0][0]"));
    let plain = Variant::TypedArray(Array::with_type(ElementType::Builtin(Kind::Int)));
    assert!(encode(&array![array![plain]].into(), options.depth(2)).is_ok());
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, options.depth(1));
    writer.begin_array().unwrap();
    let value = Variant::TypedArray(typed);
    let of_value = writer.value(&value).unwrap_err();
    let of_events = Consumer::enter(&mut writer, value.head().unwrap()).unwrap_err();
    for error in [of_value, of_events] {
        assert_eq!((error.kind(), error.path()), (&EncodeErrorKind::TooDeep, "[0]"));
    }
}

/// The class of an array takes a level only at the head of that array. Values after the array have the usual depth.
#[test]
fn values_after_an_array_of_a_class_have_the_usual_depth() {
    let typed = Variant::TypedArray(Array::with_type(ElementType::Class("Node".into())));
    let options = EncodeOptions::new(Dialect::Pandemonium5).depth(2);
    let empty = Variant::from(array![typed.clone(), array![array![]]]);
    let bytes = encode(&empty, options).unwrap();
    let reading = Options::engine(Dialect::Pandemonium5).limits(Limits::FILE.depth(2));
    assert_eq!(Variant::from_document(&Document::new(&bytes, reading)), Ok(empty));
    let full = Variant::from(array![typed, array![array![1]]]);
    let error = encode(&full, options).unwrap_err();
    assert_eq!((error.kind(), error.path()), (&EncodeErrorKind::TooDeep, "[1][0][0]"));
}

/// A refused head has no effect on later pieces, even if those end at the same byte.
#[test]
fn the_class_depth_is_forgotten_with_the_array() {
    let options = EncodeOptions::new(Dialect::Pandemonium5).depth(1);
    let typed = Variant::TypedArray(Array::with_type(ElementType::Class("Node".into())));
    for name in ["Node", "NodeNode", "NodeNodeNode"] {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, options);
        writer.begin_array().unwrap();
        Consumer::enter(&mut writer, typed.head().unwrap()).unwrap_err();
        writer.begin_object(name).unwrap();
        writer.end().unwrap();
        writer.end().unwrap();
        writer.finish().unwrap();
    }
}
