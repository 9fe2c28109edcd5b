//! A field of the type `Variant` keeps the kind of its value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::de::{IgnoredAny, IntoDeserializer as _};
use serde::{Deserialize, Serialize};
use variant_owned::{
    Array, Dictionary, ElementType, Float, Image, Int, KeyRule, Variant, array, dictionary, encode,
};
use variant_serde::{
    Error, ErrorKind, as_string_name, as_vector3, from_slice, from_variant, to_variant, to_vec,
};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Kind, Options, Width};

#[test]
fn types_with_a_readable_form_have_it() {
    let bytes = encode(&Variant::from("127.0.0.1"), Dialect::Godot4).unwrap();
    let address: IpAddr = from_slice(&bytes, Dialect::Godot4).unwrap();
    assert!(address.is_loopback());
}

#[test]
fn an_owned_value_need_not_fit_a_dialect() {
    let ints = || {
        let mut ints = Array::with_type(ElementType::Builtin(Kind::Int));
        ints.extend([1, 2]);
        Variant::TypedArray(ints)
    };
    let image = Image { width: 1, height: 1, data: vec![7], ..Image::default() };
    let pair = Variant::from(array![Variant::Rid(5), ints()]);
    assert_eq!(from_variant::<(u64, Vec<i32>)>(&pair).unwrap(), (5, vec![1, 2]));
    let pair = Variant::from(array![0.1, Variant::Image(Box::new(image))]);
    let (tenth, image): (f64, BTreeMap<String, Variant>) = from_variant(&pair).unwrap();
    assert_eq!((tenth, image.len()), (0.1, 5));
    let pair = Variant::from(array![Variant::Callable, ints()]);
    assert_eq!(from_variant::<((), Vec<u8>)>(&pair).unwrap(), ((), vec![1, 2]));

    let mut both = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
    both.insert("a", 1);
    both.insert(Variant::StringName("a".into()), Variant::Rid(9));
    assert_eq!(from_variant::<BTreeMap<&str, u64>>(&both.into()).unwrap()["a"], 9);
}

#[test]
fn an_owned_value_keeps_all_that_serde_has_no_word_for() {
    let value = Variant::from(array![
        Variant::Int(Int::with_width(7, Width::W64)),
        Variant::Float(Float::wide(0.5)),
        dictionary! { Variant::StringName("n".into()) => Variant::Callable },
    ]);
    let all: Vec<Variant> = from_variant(&value).unwrap();
    assert!(matches!(all[0], Variant::Int(int) if int.width() == Width::W64));
    assert!(matches!(all[1], Variant::Float(float) if float.width() == Width::W64));
    assert_eq!(format!("{:?}", all[2]), format!("{:?}", value[2]));
    let map: BTreeMap<String, Variant> = from_variant(&all[2]).unwrap();
    assert_eq!(map["n"], Variant::Callable);
    let none: Option<Variant> = from_variant(&Variant::Nil).unwrap();
    assert_eq!(none, None);
}

#[test]
fn depth_ends_only_what_the_stack_holds() {
    #[derive(Debug, Deserialize)]
    struct Nested(#[expect(dead_code, reason = "the field is only read")] Vec<Nested>);

    let deep = (0..1_100).fold(Variant::from(7), |inner, _| array![inner].into());
    assert_eq!(from_variant::<Variant>(&deep).unwrap(), deep);
    assert_eq!(from_variant::<Vec<Variant>>(&deep).unwrap()[0], deep[0]);
    assert!(from_variant::<IgnoredAny>(&deep).is_ok());

    let error = from_variant::<Nested>(&deep).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooDeep);
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Marked<'a> {
    #[serde(with = "as_vector3")]
    at: [f64; 3],
    #[serde(with = "as_string_name", borrow)]
    state: Cow<'a, str>,
    #[serde(default, with = "as_vector3")]
    home: Option<[f64; 3]>,
}

/// serde's `IntoDeserializer` also works.
#[test]
fn the_modules_of_fields_read_an_owned_value() {
    let marked = Marked { at: [1.0, 2.0, 0.1], state: "idle".into(), home: None };
    let value = to_variant(&marked, Dialect::Pandemonium5).unwrap();
    assert_eq!(value["at"].kind(), Kind::Vector3);
    assert_eq!(from_variant::<Marked<'_>>(&value).unwrap().state, "idle");
    let read = Marked::deserialize(value.into_deserializer()).unwrap();
    assert_eq!(read.home, None);

    let wrong = Variant::from(dictionary! { "at" => "here", "state" => "idle" });
    let error = Marked::deserialize(&wrong).unwrap_err();
    assert_eq!(error.path(), "at");
    assert_eq!(Error::from(error).to_string(), "at: expected an array of length 3, found String");
}

/// In a struct, a sequence and a map the value is exact. If another serializer wraps this crate's serializer, the value
/// has the form that serde gives it.
#[test]
fn a_written_value_keeps_all_that_serde_has_no_word_for() {
    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Save {
        one: Variant,
        many: Vec<Variant>,
        by_name: BTreeMap<String, Variant>,
    }

    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Flat {
        #[serde(flatten)]
        more: BTreeMap<String, Variant>,
    }

    let mut ints = Array::with_type(ElementType::Builtin(Kind::Int));
    ints.push(1);
    let values = [
        Variant::from(ints),
        Variant::Rid(7),
        Variant::Int(Int::with_width(7, Width::W64)),
        variant_owned::Object::new("Node").into(),
        dictionary! { Variant::StringName("n".into()) => Variant::Callable }.into(),
    ];
    for value in values {
        let by_name = BTreeMap::from([("a".to_owned(), value.clone())]);
        let save = Save { one: value.clone(), many: vec![value.clone()], by_name };
        let expected = dictionary! {
            "one" => value.clone(),
            "many" => array![value.clone()],
            "by_name" => dictionary! { "a" => value.clone() },
        };
        let bytes = to_vec(&save, Dialect::Godot4).unwrap();
        assert_eq!(bytes, encode(&expected.clone().into(), Dialect::Godot4).unwrap(), "{value:?}");
        let written = to_variant(&save, Dialect::Godot4).unwrap();
        assert_eq!(format!("{written:?}"), format!("{:?}", Variant::from(expected)));
    }
    let flat = Flat { more: BTreeMap::from([("a".to_owned(), array![1].into())]) };
    let bytes = to_vec(&flat, Dialect::Godot4).unwrap();
    assert_eq!(from_slice::<Flat>(&bytes, Dialect::Godot4).unwrap(), flat);
}

/// serde wraps the serializer for a flattened field, and a view writes its pairs one by one. In both cases keys keep
/// their kind, which they lose in text formats.
#[test]
fn keys_of_dictionaries_keep_their_kind() {
    #[derive(Serialize)]
    struct Flat {
        name: &'static str,
        #[serde(flatten)]
        more: Variant,
    }

    let name = || Variant::StringName("n".into());
    let more = Variant::from(dictionary! { 5 => "five", true => "yes", 0.5 => 2, name() => 7 });
    let flat = Flat { name: "a", more: more.clone() };
    let expected = dictionary! { "name" => "a", 5 => "five", true => "yes", 0.5 => 2, name() => 7 };
    assert_eq!(to_variant(&flat, Dialect::Godot4).unwrap(), Variant::from(expected));
    assert_eq!(
        serde_json::to_string(&flat).unwrap(),
        r#"{"name":"a","5":"five","true":"yes","0.5":2,"n":7}"#
    );

    let bytes = encode(&more, Dialect::Godot4).unwrap();
    let view = Document::new(&bytes, Dialect::Godot4).root().unwrap();
    assert_eq!(to_variant(&view, Dialect::Godot4).unwrap(), more);
    assert_eq!(serde_json::to_string(&view).unwrap(), r#"{"5":"five","true":"yes","0.5":2,"n":7}"#);
}

/// For each record, `from_slice` and `Variant::from_document` return the same value. A JSON value that is read from
/// this value must equal the JSON value that is read from its encoded bytes. The bytes of the record itself may differ,
/// because they may have equal keys, of which the value keeps only one pair.
#[test]
fn the_corpus_is_exact_and_reads_alike_from_bytes_and_owned() {
    let mut seen = 0;
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let owned = Variant::from_document(&Document::new(&case.bytes, dialect)).ok();
            let found = from_slice::<Variant>(&case.bytes, dialect).ok();
            // Compared as text, since NaN does not equal itself.
            assert_eq!(format!("{found:?}"), format!("{owned:?}"), "{}", case.name);
            let Some((owned, Ok(bytes))) = owned.map(|own| (own.clone(), encode(&own, dialect)))
            else {
                continue;
            };
            assert_eq!(to_vec(&owned, dialect).unwrap(), bytes, "{dialect} {}", case.name);
            let text = |outcome: Result<serde_json::Value, Error>| match outcome {
                Ok(value) => value.to_string(),
                // Offsets exist only for bytes.
                Err(error) => error.path().to_owned(),
            };
            let of_bytes = text(from_slice(&bytes, dialect));
            assert_eq!(text(from_variant(&owned)), of_bytes, "{dialect} {}", case.name);
            seen += 1;
        }
    }
    assert!(seen > 1_000, "{seen}");
}

/// serde has no types for most kinds, but a view names its kind.
#[test]
fn a_view_is_written_as_its_value() {
    let mut kinds = Vec::new();
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap() {
            let document = Document::new(&case.bytes, Options::engine(dialect));
            let Ok(view) = document.validate().and_then(|_| document.root()) else { continue };
            let kind = view.kind();
            let is_plain = matches!(kind, Kind::Nil | Kind::Bool | Kind::Int | Kind::Float);
            // In other text, serde has U+FFFD.
            let is_valid = view.as_bytes().is_ok_and(|text| std::str::from_utf8(text).is_ok());
            if !(is_plain || kind.shape().is_some() || is_valid) {
                continue;
            }
            let expected = Variant::from_producer(view).unwrap();
            let written = to_variant(&view, dialect).unwrap();
            // A NaN is not equal to itself, so the texts are compared. An empty array has no element that shows the width.
            let text = |value: Variant| format!("{value:?}").replace("Double([])", "Single([])");
            assert_eq!(text(written), text(expected), "{}", case.name);
            kinds.push(kind);
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() > 20, "{kinds:?}");
    let half = Document::new(b"\x03\0\0\0\0\0\0\x3f", Dialect::Godot4).root().unwrap();
    let half = to_variant(&half, Dialect::Godot4).unwrap();
    assert!(matches!(half, Variant::Float(float) if float.width() == Width::W32), "{half:?}");
}
