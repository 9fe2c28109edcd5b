//! Arguments as Rust types: every form of a list, the position of arguments that do not fit, both forms of bytes.

use std::fmt::Debug;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use variant_multiplayer::CompactValues;
use variant_multiplayer::{
    Arguments, Message, MethodId, NodeRef, Packet, RpcWriter, WriteError, from_row, to_row,
};
use variant_owned::Variant;
use variant_view::{Dialect, Kind};

fn call<T: Serialize>(values: &T) -> Vec<u8> {
    let mut packet = Vec::new();
    let writer = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut packet);
    writer.arguments(values).unwrap().finish().unwrap();
    packet
}

fn arguments(packet: &[u8]) -> Arguments<'_> {
    let Message::Rpc(rpc) = Packet::parse(packet).unwrap().message else { panic!("{packet:?}") };
    rpc.arguments
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, count: usize) {
    let packet = call(value);
    let arguments = arguments(&packet);
    assert_eq!(arguments.len(), count, "{value:?}");
    arguments.validate().unwrap();
    assert_eq!(arguments.decode::<T>().unwrap(), *value);
}

fn refused<T: DeserializeOwned + Debug>(packet: &[u8]) -> String {
    arguments(packet).decode::<T>().unwrap_err().to_string()
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Hit {
    who: i32,
    how: String,
    strong: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Pair(u8, String);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct One(Vec<i64>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Nothing;

#[test]
fn lists_of_every_form_are_arguments() {
    round_trip(&(), 0);
    round_trip(&Nothing, 0);
    round_trip(&(5_u8,), 1);
    round_trip(&(5_u8, true, "orc".to_owned(), 0.5_f64), 4);
    round_trip(&Hit { who: -7, how: "sword".into(), strong: true }, 3);
    round_trip(&Pair(200, "ä".into()), 2);
    round_trip(&One(vec![1, -2, i64::MAX]), 1);
    round_trip(&vec![1_i64, 300, 70_000, i64::MIN], 4);
    round_trip(&[1_u16, 2], 2);
    round_trip(&(Some(5_i64), None::<String>, Some("a".to_owned())), 3);
    round_trip(&(Hit { who: 1, how: "x".into(), strong: false },), 1);
    round_trip(&(vec![0_u8; 255].into_iter().map(u32::from).collect::<Vec<_>>(),), 1);
    round_trip(&vec![1_u8; 255], 255);
    assert_eq!(call(&Some((5_u8, true))), call(&(5_u8, true)));
}

#[test]
fn more_than_255_arguments_are_refused() {
    let mut packet = b"there".to_vec();
    let writer = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut packet);
    let error = writer.arguments(&vec![1_u8; 256]).unwrap().finish().unwrap_err();
    assert_eq!(error.to_string(), "a remote call has at most 255 arguments");
    assert_eq!(packet, b"there", "as it was");
}

#[derive(Serialize)]
enum Choice {
    Unit,
    One(u8),
    Two(u8, u8),
    Named { it: u8 },
}

#[test]
fn only_lists_are_arguments() {
    let mut packet = b"there".to_vec();
    let refused = |error: WriteError| {
        assert_eq!(error.to_string(), "arguments are a tuple, a struct, a sequence or ()");
    };
    for no_list in [serde_json::json!(5), serde_json::json!("a"), serde_json::json!({"a": 1})] {
        let writer = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut packet);
        refused(writer.arguments(&no_list).unwrap_err());
        assert_eq!(packet, b"there", "as it was");
    }
    for choice in [Choice::Unit, Choice::One(5), Choice::Two(5, 6), Choice::Named { it: 5 }] {
        let writer = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut packet);
        refused(writer.arguments(&choice).unwrap_err());
        assert_eq!(packet, b"there", "as it was");
    }
}

#[test]
fn a_wrong_count_names_both_numbers() {
    let three = call(&(1, true, "a"));
    let none = call(&());
    let cases = [
        (refused::<(i64, bool)>(&three), "expected 2 arguments, found 3 elements"),
        (refused::<()>(&three), "expected 0 arguments, found 3 elements"),
        (refused::<Nothing>(&three), "expected 0 arguments, found 3 elements"),
        (
            refused::<(i64, bool, String, u8)>(&three),
            "expected a tuple of size 4, found 3 elements",
        ),
        (refused::<Hit>(&none), "expected struct Hit with 3 elements, found 0 elements"),
        (refused::<(u8,)>(&none), "expected a tuple of size 1, found 0 elements"),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    let bytes = call(&(AsBytes(b"abc"),));
    assert!(matches!(arguments(&bytes), Arguments::Bytes(b"abc")));
    assert_eq!(refused::<()>(&bytes), "expected 0 arguments, found 1 elements");
    assert_eq!(refused::<[u8; 0]>(&bytes), "expected 0 arguments, found 1 elements");
    assert_eq!(refused::<(Vec<u8>, i64)>(&bytes), "expected a tuple of size 2, found 1 elements");
}

/// A type that serde writes as bytes.
struct AsBytes<'b>(&'b [u8]);

impl Serialize for AsBytes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Four arguments.
type Call<A, B, C, D> = (A, B, C, D);

#[test]
fn an_argument_that_does_not_fit_is_named_by_its_index() {
    let packet = call(&(1, "a", vec![("x", 300)], 300));
    let cases = [
        (
            refused::<Call<bool, String, IgnoredAny, u16>>(&packet),
            "[0]: expected a boolean, found int at byte 4",
        ),
        (
            refused::<Call<u8, i64, IgnoredAny, u16>>(&packet),
            "[1]: expected i64, found String at byte 6",
        ),
        (
            refused::<Call<u8, String, Vec<(String, u8)>, u16>>(&packet),
            "[2][0][1]: expected u8, found int 300 at byte 46",
        ),
        (
            refused::<Call<u8, String, IgnoredAny, u8>>(&packet),
            "[3]: expected u8, found int 300 at byte 54",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    // An incomplete int as the second argument.
    let damaged = [0, 1, 2, 2, 2, 5, 0x82, 1];
    let error = arguments(&damaged).decode::<(u8, u8)>().unwrap_err();
    assert_eq!((error.path(), error.offset()), ("[1]", Some(7)), "{error}");
    let bare = call(&(AsBytes(b"abc"),));
    assert_eq!(refused::<(i64,)>(&bare), "[0]: expected i64, found PackedByteArray");
    assert_eq!(refused::<(String,)>(&bare), "[0]: expected a string, found PackedByteArray");
}

/// An array of bytes decodes to the same value with and without its header.
#[test]
fn bytes_are_taken_alike_in_both_forms() {
    fn alike<T: DeserializeOwned + Debug>(takes: bool) {
        for bytes in [&b"ab"[..], &[200, 0, 255, 1]] {
            let bare = [&[0x80, 1, 2], bytes].concat();
            let len = u8::try_from(bytes.len()).unwrap();
            let head = [0, 1, 2, 1, 29, 0, 0, 0, len, 0, 0, 0];
            let whole = [&head, bytes, &[0; 3][..bytes.len().wrapping_neg() & 3]].concat();
            assert!(matches!(arguments(&bare), Arguments::Bytes(_)));
            assert!(matches!(arguments(&whole), Arguments::Values(_)));
            let decoded = |packet: &[u8]| arguments(packet).decode::<T>().ok();
            let bare = decoded(&bare).map(|value| format!("{value:?}"));
            let whole = decoded(&whole).map(|value| format!("{value:?}"));
            assert_eq!(bare, whole, "{}", std::any::type_name::<T>());
            if takes {
                assert!(bare.is_some(), "{} takes {bytes:?}", std::any::type_name::<T>());
            }
        }
    }
    alike::<(Vec<u8>,)>(true);
    alike::<(Option<Vec<u8>>,)>(true);
    alike::<(Vec<i64>,)>(true);
    alike::<(Vec<Option<u8>>,)>(true);
    alike::<(serde_json::Value,)>(true);
    alike::<Vec<Vec<u16>>>(true);
    alike::<One>(true);
    alike::<IgnoredAny>(true);
    alike::<(IgnoredAny,)>(true);
    alike::<([u8; 2],)>(false);
    alike::<(u8, u8)>(false);
    alike::<(Pair,)>(false);
    alike::<(String,)>(false);
    alike::<(bool,)>(false);
    alike::<(char,)>(false);
    alike::<((),)>(false);
    alike::<(Hit,)>(false);
    alike::<(std::collections::BTreeMap<String, u8>,)>(false);
    alike::<()>(false);
    alike::<i64>(false);
    alike::<Vec<i8>>(false);
}

#[test]
fn text_and_bytes_are_borrowed() {
    let packet = call(&("orc", AsBytes(b"abc")));
    let (text, bytes): (&str, &[u8]) = arguments(&packet).decode().unwrap();
    assert_eq!((text, bytes), ("orc", &b"abc"[..]));
    let within = packet.as_ptr_range();
    assert!(within.contains(&text.as_ptr()) && within.contains(&bytes.as_ptr()));

    let bare = call(&(AsBytes(b"abc"),));
    let (bytes,): (&[u8],) = arguments(&bare).decode().unwrap();
    assert!(bytes == b"abc" && bare.as_ptr_range().contains(&bytes.as_ptr()));
}

/// A mathematical type with an attribute is written as its kind, and read back.
#[test]
fn mathematical_types_are_written_as_their_kinds() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Marked {
        number: i64,
        #[serde(with = "variant_serde::as_vector2i")]
        tile: [i32; 2],
        #[serde(with = "variant_serde::as_basis")]
        basis: [[f32; 3]; 3],
    }

    let value = Marked { number: 7, tile: [1, -2], basis: [[1.0, 0.5, 0.0]; 3] };
    let packet = call(&value);
    let arguments = arguments(&packet);
    let kinds: Vec<_> =
        arguments.values().unwrap().iter().map(|view| view.unwrap().kind()).collect();
    assert_eq!(kinds, [Kind::Int, Kind::Vector2i, Kind::Basis]);
    assert_eq!(arguments.decode::<Marked>().unwrap(), value);
    assert_eq!(arguments.to_variants().unwrap().len(), 3);
}

#[test]
fn rows_are_written_and_read() {
    let state = (5_u8, true, "orc".to_owned());
    let row = to_row(&state).unwrap();
    let values = CompactValues::new(&row, Dialect::Godot4);
    assert_eq!(from_row::<(u8, bool, String)>(values).unwrap(), state);
    // These bytes have no count of values, so reading goes on to their end.
    let error = from_row::<(u8, bool)>(values).unwrap_err();
    assert_eq!(error.to_string(), "expected 2 arguments, found 3 elements");
    assert!(from_row::<()>(CompactValues::new(&[], Dialect::Godot4)).is_ok());
    let own: Vec<Variant> =
        values.iter().map(|v| Variant::from_view(&v.unwrap()).unwrap()).collect();
    assert_eq!(own, [Variant::from(5), true.into(), "orc".into()]);
}

/// The number of elements that a list reports as left: before each element, and after the last one.
#[derive(Debug)]
struct Hints(Vec<Option<usize>>);

impl<'de> Deserialize<'de> for Hints {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Asking;

        impl<'de> serde::de::Visitor<'de> for Asking {
            type Value = Hints;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut list: A,
            ) -> Result<Hints, A::Error> {
                let mut hints = vec![list.size_hint()];
                while list.next_element::<IgnoredAny>()?.is_some() {
                    hints.push(list.size_hint());
                }
                Ok(Hints(hints))
            }
        }

        deserializer.deserialize_seq(Asking)
    }
}

/// A type can then allocate its memory at once.
#[test]
fn lists_report_how_many_elements_are_left() {
    let hints = |packet: &[u8]| arguments(packet).decode::<Hints>().unwrap().0;
    assert_eq!(hints(&call(&(1, "a", 2.5))), [3, 2, 1, 0].map(Some));
    assert_eq!(hints(&call(&(AsBytes(b"abc"),))), [1, 0].map(Some));
    assert_eq!(hints(&call(&())), [Some(0)]);
    // The bytes of a row have no count.
    let row = to_row(&(1, "a")).unwrap();
    let values = CompactValues::new(&row, Dialect::Godot4);
    assert_eq!(from_row::<Hints>(values).unwrap().0, [None; 3]);
}
