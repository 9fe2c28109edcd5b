//! serde's access to the parts of a value: size hints, and visitors that leave parts unread.

use std::collections::{BTreeMap, HashMap};
use std::ffi::CString;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use variant_owned::{Variant, encode};
use variant_serde::{Deserializer, Error, ErrorKind, RawValue, from_slice, from_view};
use variant_testkit::builder::words;
use variant_view::{Dialect, Document, Options, Profile};

use crate::structs::read;

fn bytes(text: &str) -> Vec<u8> {
    encode(&text.parse::<Variant>().unwrap(), Dialect::Godot4).unwrap()
}

/// Records the size hint before each part, after each key, and after the last part.
struct Hints<'h>(&'h mut Vec<Option<usize>>);

impl<'de> Visitor<'de> for Hints<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        loop {
            self.0.push(parts.size_hint());
            if parts.next_element::<IgnoredAny>()?.is_none() {
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        loop {
            self.0.push(parts.size_hint());
            if parts.next_key::<IgnoredAny>()?.is_none() {
                return Ok(());
            }
            self.0.push(parts.size_hint());
            parts.next_value::<IgnoredAny>()?;
        }
    }
}

type Ask = for<'de> fn(&mut Deserializer<'de>, Hints<'_>) -> Result<(), Error>;

/// Accepts objects.
const OPTIONS: Options = Options::engine(Dialect::Godot4);

const SEQ: Ask = |input, hints| input.deserialize_seq(hints);
const PAIR: Ask = |input, hints| input.deserialize_tuple(2, hints);
const MAP: Ask = |input, hints| input.deserialize_map(hints);
const STRUCT: Ask = |input, hints| input.deserialize_struct("", &["a", "b"], hints);

fn hints(bytes: &[u8], ask: Ask) -> Vec<usize> {
    let mut hints = Vec::new();
    // A document that is cut short has an error after the hints.
    let _ = ask(&mut Deserializer::new(bytes, OPTIONS), Hints(&mut hints));
    hints.into_iter().map(Option::unwrap).collect()
}

#[test]
fn size_hints_count_the_parts_that_are_left() {
    let rows: &[(&str, Ask, &[usize])] = &[
        ("[7, 8, 9]", SEQ, &[3, 2, 1, 0]),
        ("[7, 8]", PAIR, &[2, 1, 0]),
        ("{1: 2, 3: 4}", MAP, &[2, 1, 1, 0, 0]),
        (r#"{"a": 2, "c": 4}"#, STRUCT, &[2, 1, 1, 0, 0]),
        (r#"Object(Node, "a": 1, "b": 2)"#, STRUCT, &[2, 1, 1, 0, 0]),
        // The class is a part too. A pair counts until its key is read.
        (r#"Object(Node, "a": 1, "b": 2)"#, MAP, &[3, 2, 2, 1, 1, 0, 0]),
        ("Vector3(1, 2, 3)", SEQ, &[3, 2, 1, 0]),
        ("Vector3i(1, 2, 3)", SEQ, &[3, 2, 1, 0]),
        ("Vector3(1, 2, 3)", MAP, &[3, 2, 2, 1, 1, 0, 0]),
        ("Rect2(1, 2, 3, 4)", SEQ, &[4, 3, 2, 1, 0]),
        ("Rect2(1, 2, 3, 4)", PAIR, &[2, 1, 0]),
        ("Rect2(1, 2, 3, 4)", MAP, &[2, 1, 1, 0, 0]),
        ("PackedInt32Array(1, 2, 3)", SEQ, &[3, 2, 1, 0]),
        ("PackedVector2Array(1, 2, 3, 4)", SEQ, &[2, 1, 0]),
        (r#"PackedStringArray("a", "b", "c")"#, SEQ, &[3, 2, 1, 0]),
    ];
    for (text, ask, expected) in rows {
        assert_eq!(hints(&bytes(text), *ask), *expected, "{text}");
    }
}

/// A count in the data is not trusted: each value needs four bytes.
#[test]
fn size_hints_are_bounded_by_the_bytes_that_are_left() {
    for (kind, ask) in [(28, SEQ), (27, MAP)] {
        let mut bytes = [kind, 1_000_u32].map(u32::to_le_bytes).as_flattened().to_vec();
        bytes.extend([0; 16]);
        assert_eq!(hints(&bytes, ask)[0], 4);
    }
}

/// Reads this number of keys and values, or of elements, and leaves the others.
struct Stops(usize);

impl<'de> Visitor<'de> for Stops {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        (0..self.0).try_for_each(|_| parts.next_element::<IgnoredAny>().map(|_| ()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        for part in 0..self.0 {
            if part % 2 == 0 {
                parts.next_key::<IgnoredAny>()?;
            } else {
                parts.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[test]
fn pairs_that_a_visitor_leaves_are_skipped() {
    for text in [r#"{"a": [1], "b": 2, "c": 3}"#, r#"Object(Node, "a": [1], "b": 2, "c": 3)"#] {
        let bytes = bytes(text);
        for read in 0..=6 {
            let mut input = Deserializer::new(&bytes, OPTIONS);
            input.deserialize_map(Stops(read)).unwrap();
            assert_eq!(input.offset(), bytes.len(), "{text} {read}");
            let mut input = Deserializer::new(&bytes, OPTIONS);
            input.deserialize_struct("", &["a", "b"], Stops(read)).unwrap();
            assert_eq!(input.offset(), bytes.len(), "{text} {read}");
        }
    }
}

#[test]
fn elements_that_a_visitor_leaves_are_an_error() {
    for text in ["[1, 2, 3]", "PackedInt32Array(1, 2, 3)", r#"PackedStringArray("a", "b", "c")"#] {
        let bytes = bytes(text);
        for read in 0..=3 {
            let outcome = Deserializer::new(&bytes, OPTIONS).deserialize_seq(Stops(read));
            let message = outcome.err().map(|error| error.to_string());
            let expected =
                (read < 3).then(|| format!("expected {read} elements, found 3 at byte 0"));
            assert_eq!(message, expected, "{text}");
        }
    }
}

#[test]
fn a_struct_of_more_fields_than_a_vector_lacks_one() {
    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "the fields are only read")]
    struct Four {
        x: f32,
        y: f32,
        z: f32,
        w: f32,
    }
    let error = read::<Four>("Vector3(1, 2, 3)").unwrap_err();
    assert_eq!(error.to_string(), "missing field `w` at byte 0");
}

#[test]
#[allow(clippy::zero_sized_map_values, reason = "a sequence without elements is refused")]
fn a_number_of_a_vector_is_no_sequence() {
    let error = read::<BTreeMap<String, [f32; 0]>>("Vector3(1, 2, 3)").unwrap_err();
    assert_eq!(error.to_string(), "x: expected 0 elements, found 1 at byte 0");
}

#[test]
fn a_canonical_document_is_checked_first() {
    let two = [1, 0, 0, 0, 2, 0, 0, 0]; // true, written as 2
    let more = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]; // true, then null
    let engine = OPTIONS;
    let canonical = engine.profile(Profile::Canonical);
    for bytes in [&two[..], &more] {
        assert!(from_slice::<bool>(bytes, engine).unwrap());
        let error = from_slice::<bool>(bytes, canonical).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Bytes(_)), "{error}");
    }
    assert!(from_slice::<bool>(&more[..8], canonical).unwrap());
    // Text that is skipped is checked only by a validation.
    let skipped = b"\x04\0\0\0\x01\0\0\0\xff\0\0\0";
    assert!(from_slice::<IgnoredAny>(skipped, engine).is_ok());
    assert!(from_slice::<IgnoredAny>(skipped, canonical).is_err());
}

#[test]
fn only_a_container_knows_the_options_of_a_raw_value() {
    let is_raw = |bytes: &[u8]| {
        from_view::<RawValue<'_>>(Document::new(bytes, OPTIONS).root().unwrap()).is_ok()
    };
    for text in ["[1]", "{1: 2}", r#"Object(Node, "a": 1)"#] {
        assert!(is_raw(&bytes(text)), "{text}");
    }
    for bytes in [
        &[0; 4][..],
        &[24, 0, 0, 0, 0, 0, 0, 0],             // a null object
        &[24, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0], // an object by id
    ] {
        assert!(!is_raw(bytes), "{bytes:?}");
    }
}

/// Takes the first key as `K`, then the value.
struct FirstKey<K>(PhantomData<K>);

impl<'de, K: Deserialize<'de>> Visitor<'de> for FirstKey<K> {
    type Value = (K, i32);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        parts.next_entry()?.ok_or_else(|| A::Error::custom("no pair"))
    }
}

fn first_key<'de, K: Deserialize<'de>>(bytes: &'de [u8]) -> (K, i32) {
    let mut input = Deserializer::new(bytes, OPTIONS);
    input.deserialize_struct("", &["a"], FirstKey(PhantomData)).unwrap()
}

#[test]
fn keys_of_a_struct_are_text_for_every_type() {
    for key in ["a", "another"] {
        let bytes = bytes(&format!("{{{key:?}: 7}}"));
        assert_eq!(first_key::<String>(&bytes), (key.to_owned(), 7));
        assert_eq!(first_key::<&str>(&bytes), (key, 7));
        assert_eq!(first_key::<serde_json::Value>(&bytes), (key.into(), 7));
    }
}

/// Takes the names of all parts, and the value of the last.
struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = (Vec<String>, i32);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a class and a property")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let names = [parts.next_key()?, parts.next_key()?];
        Ok((names.into_iter().flatten().collect(), parts.next_value()?))
    }
}

#[test]
fn a_class_that_a_visitor_leaves_is_passed_over() {
    let bytes = bytes(r#"Object(Node, "a": 1)"#);
    let mut input = Deserializer::new(&bytes, OPTIONS);
    let read = input.deserialize_map(Names).unwrap();
    assert_eq!(read, (vec!["@class".to_owned(), "a".to_owned()], 1));
}

/// Asks for a value before its key.
struct Hasty;

impl<'de> Visitor<'de> for Hasty {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        parts.next_value()
    }
}

#[test]
fn a_number_before_its_name_is_an_error() {
    let bytes = bytes("Vector2(1, 2)");
    let error = Deserializer::new(&bytes, OPTIONS).deserialize_map(Hasty).unwrap_err();
    assert_eq!(error.to_string(), "a value was asked for before its key at byte 0");
}

#[test]
fn numbers_are_fields_of_tuples_and_of_maps() {
    #[derive(Debug, serde::Deserialize, PartialEq)]
    struct Pair(f32, f32);
    let pairs = vec![Pair(1.0, 2.0), Pair(3.0, 4.0)];
    assert_eq!(read::<Vec<Pair>>("PackedVector2Array(1, 2, 3, 4)").unwrap(), pairs);
    assert_eq!(read::<(Pair, Pair)>("Rect2(1, 2, 3, 4)").unwrap().1, pairs[1]);
    let error = read::<Vec<Pair>>("PackedVector3Array(1, 2, 3)").unwrap_err();
    assert_eq!(error.to_string(), "[0]: expected 2 elements, found 3 at byte 0");
    let named: HashMap<String, HashMap<String, f32>> = read("Rect2(1, 2, 3, 4)").unwrap();
    let size = HashMap::from([("x".to_owned(), 3.0), ("y".to_owned(), 4.0)]);
    assert_eq!((named.len(), &named["size"]), (2, &size));
    let error = read::<HashMap<String, HashMap<String, f32>>>("Vector2(1, 2)").unwrap_err();
    assert_eq!(error.to_string(), "x: expected a map, found Vector2 at byte 0");
}

#[test]
fn parts_of_signals_and_images_are_bytes() {
    #[derive(serde::Deserialize)]
    struct Signal<'a> {
        signal: &'a [u8],
        object_id: u64,
    }
    #[derive(serde::Deserialize)]
    struct Image {
        data: CString,
        width: u32,
    }
    let signal = words(&[26]).text("hit").u64(7).build().bytes;
    let Signal { signal, object_id } = from_slice(&signal, OPTIONS).unwrap();
    assert_eq!((signal, object_id), (&b"hit"[..], 7));
    let image = words(&[15, 4, 0, 1, 1, 3]).raw(b"abc\0").build().bytes;
    let Image { data, width } = from_slice(&image, Dialect::Godot2).unwrap();
    assert_eq!((data.as_c_str(), width), (c"abc", 1));
}
