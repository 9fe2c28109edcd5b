//! Owned values in JSON, RON and `MessagePack`, and back.

use std::fmt::Debug;

use variant_owned::json::{self, Form, LossKind};
use variant_owned::{NodePath, Object, Signal, Variant, array, dictionary, encode};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Options, Producer, Vector3, Wire as _};

fn save() -> Variant {
    dictionary! {
        "name" => "Åsa",
        "level" => 37,
        "ratio" => 0.1,
        "alive" => true,
        "none" => Variant::Nil,
        "items" => array!["sword", array![1, -2]],
        "nested" => dictionary! { "a" => i64::MIN },
    }
    .into()
}

#[test]
fn values_of_every_format_come_back() {
    let value = save();
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<Variant>(&json).unwrap(), value);
    let ron = ron::to_string(&value).unwrap();
    assert_eq!(ron::from_str::<Variant>(&ron).unwrap(), value);
    let packed = rmp_serde::to_vec(&value).unwrap();
    assert_eq!(rmp_serde::from_slice::<Variant>(&packed).unwrap(), value);
    let tree = serde_json::to_value(&value).unwrap();
    // A tree of serde_json sorts its keys, so trees are compared instead of values.
    let back = serde_json::from_value::<Variant>(tree.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), tree);
    // Only `variant-serde` gets a value as a whole.
    assert_eq!(variant_owned::internal::given(), None);
}

#[test]
fn values_that_json_lacks_are_as_in_its_plain_form() {
    let at = Vector3 { x: 1.0, y: -2.5, z: 0.0 };
    let value = Variant::from(dictionary! {
        "at" => at,
        "name" => Variant::StringName("jump".into()),
        "path" => Variant::from(NodePath::parse("/root/Main:position:x")),
        "bytes" => Variant::PackedByteArray(vec![1, 2, 3, 255]),
        "floats" => Variant::PackedFloat32Array(vec![0.5, 1.5]),
        "texts" => Variant::PackedStringArray(vec!["a".into(), "b".into()]),
        "id" => Variant::Rid(u64::MAX),
        "signal" => Variant::Signal(Box::new(Signal { name: "hit".into(), object_id: 7 })),
        "call" => Variant::Callable,
        "object" => Variant::Object(Box::new(Object::Id(9))),
        7 => "seven",
        true => "yes",
        1.5 => "half",
        Variant::from(at) => "there",
    });
    let tree = serde_json::to_value(&value).unwrap();
    let expected: serde_json::Value = serde_json::from_str(
        r#"{
            "at": {"x": 1.0, "y": -2.5, "z": 0.0}, "name": "jump", "path": "/root/Main:position:x",
            "bytes": "AQID/w==", "floats": [0.5, 1.5], "texts": ["a", "b"], "id": 18446744073709551615,
            "signal": {"signal": "hit", "object_id": 7}, "call": null, "object": {"@id": 9},
            "7": "seven", "true": "yes", "1.5": "half", "(1, -2.5, 0)": "there"
        }"#,
    )
    .unwrap();
    assert_eq!(tree, expected);
}

/// The plain form. `None` if two keys are equal as text: the plain form makes such keys distinct, but serde does not.
fn plain<P: Producer<Error: Debug>>(producer: P) -> Option<String> {
    let mut text = Vec::new();
    let losses = json::write(producer, Form::Plain, &mut text, false).unwrap();
    let is_distinguished = losses.list().iter().any(|loss| loss.kind == LossKind::Collision);
    (!is_distinguished).then(|| String::from_utf8(text).unwrap())
}

/// Numbers are compared as 32-bit floats: 1 and 1.0 are the same in JSON, and one float can have two shortest texts.
pub(crate) fn floats(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(number) => number.as_f64().map(f32::narrow).into(),
        serde_json::Value::Array(all) => all.into_iter().map(floats).collect(),
        serde_json::Value::Object(all) => {
            all.into_iter().map(|(key, value)| (key, floats(value))).collect()
        }
        other => other,
    }
}

/// Serde writes every record of the corpus as the plain form does, from a view and from an owned value.
#[test]
fn the_corpus_is_as_in_the_plain_form() {
    let parsed = |text: &str| floats(serde_json::from_str(text).unwrap());
    let mut seen = 0;
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let document = Document::new(&case.bytes, Options::engine(dialect));
            if document.validate().map_or(true, |summary| summary.depth > 100) {
                continue;
            }
            let view = serde_json::to_string(&document.root().unwrap()).unwrap();
            let value = Variant::from_document(&document).unwrap();
            let own = serde_json::to_string(&value).unwrap();
            let Some(expected) = plain(&document) else { continue };
            assert_eq!(parsed(&view), parsed(&expected), "{}", case.name);
            let Some(expected) = plain(&value) else { continue };
            assert_eq!(parsed(&own), parsed(&expected), "{}", case.name);
            seen += 1;
        }
    }
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn levels_are_bounded() {
    let mut value = Variant::from(1);
    for _ in 0..128 {
        value = array![value].into();
    }
    serde_json::to_string(&value).unwrap();
    let bytes = encode(&value, Dialect::Godot4).unwrap();
    let root = Document::new(&bytes, Options::engine(Dialect::Godot4)).root().unwrap();
    serde_json::to_string(&root).unwrap();
    let value = Variant::from(array![value]);
    let bytes = encode(&value, Dialect::Godot4).unwrap();
    let root = Document::new(&bytes, Options::engine(Dialect::Godot4)).root().unwrap();
    for outcome in [serde_json::to_string(&value), serde_json::to_string(&root)] {
        assert_eq!(outcome.unwrap_err().to_string(), "more than 128 levels of nesting");
        // The next value starts again at level 0.
        serde_json::to_string(&save()).unwrap();
    }
}

#[test]
fn wide_integers_are_refused() {
    let error = serde_json::from_str::<Variant>("[18446744073709551615]").unwrap_err();
    assert!(
        error.to_string().starts_with("invalid value: integer `18446744073709551615`"),
        "{error}"
    );
}
