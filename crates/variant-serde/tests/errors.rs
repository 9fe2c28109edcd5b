//! The texts and classes of errors.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Error as _, Unexpected};
use variant_owned::{Dictionary, KeyRule, Text, Variant, dictionary, encode};
use variant_serde::{Error, ErrorKind, from_slice, from_variant};
use variant_view::{Dialect, Document, ErrorKind as BytesKind};

/// An error that a type's own code reports has no place, so its text has the word of serde's value.
#[test]
fn found_values_have_the_names_of_kinds() {
    let rows = [
        (Unexpected::Bool(true), "bool"),
        (Unexpected::Unsigned(1), "int"),
        (Unexpected::Signed(1), "int"),
        (Unexpected::Float(1.0), "float"),
        (Unexpected::Char('a'), "String"),
        (Unexpected::Str("a"), "String"),
        (Unexpected::Bytes(b"a"), "PackedByteArray"),
        (Unexpected::Unit, "Nil"),
        (Unexpected::Option, "an optional value"),
        (Unexpected::NewtypeStruct, "a newtype struct"),
        (Unexpected::Seq, "Array"),
        (Unexpected::Map, "Dictionary"),
        (Unexpected::Enum, "an enum"),
        (Unexpected::UnitVariant, "unit variant"),
        (Unexpected::NewtypeVariant, "newtype variant"),
        (Unexpected::TupleVariant, "tuple variant"),
        (Unexpected::StructVariant, "struct variant"),
        (Unexpected::Other("a"), "another value"),
    ];
    for (found, name) in rows {
        let error = Error::invalid_type(found, &"a place");
        assert_eq!(error.to_string(), format!("expected a place, found {name}"));
        assert_eq!(error.kind(), ErrorKind::WrongKind(None));
    }
}

#[test]
fn expected_names_are_listed() {
    let rows: &[(&'static [&'static str], &str, &str)] = &[
        (&[], "no fields", "no variants"),
        (&["a"], "`a`", "`a`"),
        (&["a", "b"], "one of `a`, `b`", "one of `a`, `b`"),
    ];
    for (names, fields, variants) in rows {
        let field = Error::unknown_field("c", names);
        assert_eq!(field.to_string(), format!("unknown field `c`, expected {fields}"));
        let variant = Error::unknown_variant("c", names);
        assert_eq!(variant.to_string(), format!("unknown variant `c`, expected {variants}"));
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[expect(dead_code, reason = "the field is only read")]
    a: u8,
}

#[test]
fn an_error_has_the_same_class_for_bytes_and_for_an_owned_value() {
    let mut twice = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
    twice.insert("a", 1);
    twice.insert(Variant::StringName("a".into()), 2);
    for (value, kind) in [
        (dictionary! {}, ErrorKind::MissingField),
        (dictionary! { "a" => 1, "b" => 2 }, ErrorKind::UnknownField),
        (twice, ErrorKind::DuplicateField),
        (dictionary! { "a" => -1 }, ErrorKind::WrongValue),
    ] {
        let value = Variant::from(value);
        assert_eq!(from_variant::<Strict>(&value).unwrap_err().kind(), kind);
        let bytes = encode(&value, Dialect::Pandemonium5).unwrap();
        assert_eq!(from_slice::<Strict>(&bytes, Dialect::Pandemonium5).unwrap_err().kind(), kind);
    }
}

#[test]
fn text_that_is_not_utf8_has_the_same_class_for_bytes_and_for_an_owned_value() {
    let kind = ErrorKind::Bytes(BytesKind::InvalidText);
    let owned = Variant::String(Text::from_bytes(b"\xff"));
    assert_eq!(from_variant::<String>(&owned).unwrap_err().kind(), kind);
    let bytes = b"\x04\0\0\0\x01\0\0\0\xff\0\0\0";
    assert_eq!(from_slice::<String>(bytes, Dialect::Godot4).unwrap_err().kind(), kind);
}

/// A path has a name as the dialect compares it with text.
#[test]
fn a_value_below_a_name_has_a_path() {
    for (dialect, path) in [(Dialect::Godot4, "a"), (Dialect::Pandemonium5, "[&\"a\"]")] {
        let mut pairs = Dictionary::with_rule(KeyRule::of(dialect));
        pairs.insert(Variant::StringName("a".into()), -1);
        let bytes = encode(&pairs.into(), dialect).unwrap();
        let error = from_slice::<BTreeMap<String, u8>>(&bytes, dialect).unwrap_err();
        assert_eq!(error.path(), path);
        assert!(Document::new(&bytes, dialect).at(path).is_ok());
    }
}

/// A type that refuses every number, in its own words.
#[derive(Debug)]
struct Choosy;

impl<'de> Deserialize<'de> for Choosy {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let number = i32::deserialize(input)?;
        Err(D::Error::custom(format_args!("{number} is not to my taste")))
    }
}

#[test]
fn words_of_a_type_are_the_same_for_bytes_and_for_an_owned_value() {
    let value = Variant::from(variant_owned::array![7]);
    let owned = from_variant::<[Choosy; 1]>(&value).unwrap_err();
    assert_eq!((owned.kind(), owned.path()), (ErrorKind::Message, "[0]"));
    assert_eq!(owned.to_string(), "[0]: 7 is not to my taste");
    let bytes = encode(&value, Dialect::Godot4).unwrap();
    let read = from_slice::<[Choosy; 1]>(&bytes, Dialect::Godot4).unwrap_err();
    assert_eq!((read.kind(), read.path()), (ErrorKind::Message, "[0]"));
    assert!(read.to_string().starts_with("[0]: 7 is not to my taste"), "{read}");
}
