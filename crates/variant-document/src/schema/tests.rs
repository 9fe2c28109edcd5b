//! Tests that nodes show exactly the plain form of JSON.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test may panic")]

use jsonschema::JsonType;
use jsonschema::json::{Array as _, JsonNumber as _, Node as _, Object as _};
use serde_json::Value;
use variant_owned::json::{Form, write};
use variant_owned::{Dictionary, Variant, encode};
use variant_testkit::random::Random;
use variant_testkit::{corpus, made};
use variant_view::{Dialect, Document, Objects, Options, Tape};

use super::node::Node;
use super::sheet::Sheet;

/// The JSON that a node shows. Also compares the ways to reach its members.
fn shown(node: Node<'_>) -> Value {
    match node.json_type() {
        JsonType::Null => Value::Null,
        JsonType::Boolean => node.as_boolean().unwrap().into(),
        JsonType::Integer | JsonType::Number => {
            Value::Number(node.as_number().unwrap().to_number().into_owned())
        }
        JsonType::String => node.as_string().unwrap().into_owned().into(),
        JsonType::Array => {
            let array = node.as_array().unwrap();
            let items: Vec<_> = array.elements().map(shown).collect();
            assert_eq!(items.len(), array.len());
            items.into()
        }
        JsonType::Object => {
            let object = node.as_object().unwrap();
            let fields: serde_json::Map<_, _> = object
                .members()
                .map(|(name, node)| {
                    let found = object.get(&name.clone().into_owned()).unwrap();
                    assert_eq!(found.identity(), node.identity());
                    (name.into_owned(), shown(node))
                })
                .collect();
            assert_eq!(fields.len(), object.len());
            Value::Object(fields)
        }
    }
}

/// Checks a document if it is valid and not deep. Returns whether it was checked.
fn is_plain_form(document: Document<'_>) -> bool {
    let mut tape = Tape::new();
    let Ok(root) = tape.read(document) else { return false };
    if root.summary().depth > 30 {
        return false;
    }
    let sheet = Sheet::new(root);
    let node = Node::root(&sheet);
    let mut text = Vec::new();
    write(document, Form::Plain, &mut text, false).unwrap();
    let expected: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(shown(node), expected, "{}", String::from_utf8_lossy(&text));
    assert!(node.equals_value(&expected));
    true
}

#[test]
fn nodes_of_records_show_the_plain_form() {
    if crate::is_packed() {
        return;
    }
    let mut count = 0;
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let options = Options::engine(dialect).objects(Objects::Accept);
            count += u32::from(is_plain_form(Document::new(&case.bytes, options)));
        }
    }
    assert!(count > 1_000, "{count}");
}

#[test]
fn nodes_of_made_values_show_the_plain_form() {
    let (mut random, mut count) = (Random::new(7), 0);
    for dialect in corpus::dialects().cycle().take(3_000) {
        let options = Options::engine(dialect).objects(Objects::Accept);
        let bytes = [Some(made::value(&mut random, dialect)), made::hostile(&mut random, dialect)];
        for bytes in bytes.into_iter().flatten() {
            count += u32::from(is_plain_form(Document::new(&bytes, options)));
        }
    }
    assert!(count > 1_000, "{count}");
}

/// A look-up in a large dictionary takes O(1), so a schema with many properties does not read all keys once for each
/// property.
#[test]
fn large_dictionaries_have_an_index_and_small_ones_none() {
    let number = |keys: u32| {
        let pairs = (0..keys).map(|key| (format!("k{key}"), Variant::from(key)));
        let bytes = encode(&Variant::from(pairs.collect::<Dictionary>()), Dialect::Godot4).unwrap();
        let mut tape = Tape::new();
        let sheet = Sheet::new(tape.read(Document::new(&bytes, Dialect::Godot4)).unwrap());
        let object = Node::root(&sheet).as_object().unwrap();
        let found = object.get(&format!("k{}", keys - 1)).unwrap();
        assert_eq!(found.as_number().unwrap().as_u64(), Some(u64::from(keys - 1)));
        sheet.keys(&sheet.root).is_some()
    };
    assert_eq!([3, 16, 17, 100_000].map(number), [false, false, true, true]);
}

/// Errors have the number of their value, and containers seem empty when the memory for errors is used up.
#[test]
fn containers_end_after_the_last_error() {
    let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    let mut tape = Tape::new();
    let root = tape.read(Document::new(bytes, Dialect::Godot4)).unwrap();
    let sheet = Sheet::new(root);
    let node = Node::root(&sheet);
    let elements = || node.as_array().unwrap().elements();
    let last = elements().last().unwrap();
    assert_eq!(*last.to_value(), Value::from(2));
    while !sheet.is_full() {
        let _ = node.to_value();
    }
    assert_eq!(elements().count(), 0);
    assert_eq!(node.as_array().unwrap().len(), 2);
}
