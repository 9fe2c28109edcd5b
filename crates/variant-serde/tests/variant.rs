//! A field of any value keeps its kind, whatever its type.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::net::IpAddr;

use serde::Deserialize;
use variant_owned::{Variant, array, dictionary, encode};
use variant_serde::from_slice;
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Options, Vector3};

#[derive(Deserialize, Debug, PartialEq)]
struct Message {
    to: i32,
    body: Variant,
    more: Vec<Variant>,
    last: Option<Variant>,
}

#[test]
fn a_field_of_any_value_is_exact() {
    let body = Variant::from(dictionary! {
        Vector3 { x: 1.0, y: 2.0, z: 3.0 } => Variant::StringName("jump".into()),
        "id" => Variant::Rid(7),
        "heights" => Variant::PackedFloat32Array(vec![0.5]),
    });
    let more =
        vec![Variant::Callable, array![1, Variant::Nil].into(), Variant::PackedByteArray(vec![1])];
    let value = dictionary! {
        "to" => 7, "body" => body.clone(), "more" => more.iter().cloned().collect::<variant_owned::Array>(),
    };
    let bytes = encode(&value.into(), Dialect::Godot4).unwrap();
    let message: Message = from_slice(&bytes, Dialect::Godot4).unwrap();
    assert_eq!(message, Message { to: 7, body, more, last: None });
}

/// Every record of every dialect is the same as built from the document.
#[test]
fn the_corpus_is_exact() {
    let mut seen = 0;
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let options = Options::new(dialect);
            let expected = Variant::from_document(&Document::new(&case.bytes, options)).ok();
            let found = from_slice::<Variant>(&case.bytes, options).ok();
            // Printed, since NaN equals nothing.
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{}", case.name);
            seen += 1;
        }
    }
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn types_with_a_readable_form_have_it() {
    let bytes = encode(&Variant::from("127.0.0.1"), Dialect::Godot4).unwrap();
    let address: IpAddr = from_slice(&bytes, Dialect::Godot4).unwrap();
    assert!(address.is_loopback());
}
