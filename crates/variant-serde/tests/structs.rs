//! Structs and enums in the forms that other programs write, and the paths and offsets of errors.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use variant_owned::{Variant, encode};
use variant_serde::{Error, ErrorKind, from_slice};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Kind, Options};

use crate::attributes::Point;

/// The bytes that Godot 4 would write for `text`.
fn bytes(text: &str) -> Vec<u8> {
    let value: Variant = text.parse().unwrap();
    encode(&value, Dialect::Godot4).unwrap()
}

pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    from_slice(&bytes(text), Options::engine(Dialect::Godot4))
}

fn refused<T: DeserializeOwned>(text: &str) -> String {
    read::<T>(text).err().map(|error| error.to_string()).unwrap_or_default()
}

#[derive(Debug, Deserialize, PartialEq)]
struct Place {
    x: f32,
    y: f32,
    z: f64,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Remote<'a> {
    method: &'a str,
    id: i32,
    pos: Place,
    vel: (f32, f32, f32),
    t: f64,
    #[serde(borrow)]
    args: (bool, &'a str, i32),
}

#[test]
fn a_packet_of_the_engine() {
    let packet = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    let call: Remote<'_> = from_slice(&packet, Options::engine(Dialect::Godot4)).unwrap();
    assert_eq!((call.method, call.id, call.t), ("move_to", 77, 1_731_000_000.125));
    assert_eq!((call.pos, call.vel), (Place { x: 12.5, y: 0.0, z: -7.25 }, (0.5, 0.0, 1.25)));
    assert_eq!(call.args, (true, "run", 3));
    for end in 0..packet.len() {
        let error =
            from_slice::<Remote<'_>>(&packet[..end], Options::engine(Dialect::Godot4)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Bytes(_)), "{end}: {error}");
        assert!(error.offset().unwrap() <= end);
    }
}

#[derive(Debug, Deserialize, PartialEq)]
struct Item {
    count: i32,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Player {
    bag: Vec<Item>,
}

type Refused = fn(&str) -> String;

#[test]
fn errors_say_where() {
    let text = r#"{"players": [{"bag": []}, {"bag": [{"count": 1}, {"count": "many"}]}]}"#;
    let data = bytes(text);
    let error = from_slice::<HashMap<String, Vec<Player>>>(&data, Options::engine(Dialect::Godot4))
        .unwrap_err();
    assert_eq!(error.path(), "players[1].bag[1].count");
    let document = Document::new(&data, Options::engine(Dialect::Godot4));
    let at = document.at(error.path()).unwrap().offset();
    assert_eq!(
        error.to_string(),
        format!("players[1].bag[1].count: expected i32, found String at byte {at}")
    );
    assert_eq!(error.kind(), ErrorKind::WrongKind(Some(Kind::String)));
    let rows: &[(&str, Refused, &str)] = &[
        ("{}", refused::<Item>, "missing field `count` at byte 0"),
        ("[1.5]", refused::<Item>, "[0]: expected i32, found float 1.5 at byte 8"),
        ("[3000000000]", refused::<Item>, "[0]: expected i32, found int 3000000000 at byte 8"),
        ("[1, 2, 3]", refused::<[i32; 2]>, "expected 2 elements, found 3 at byte 0"),
        ("[1]", refused::<[i32; 2]>, "expected an array of length 2, found 1 elements at byte 0"),
        ("{7: 1}", refused::<HashMap<u8, bool>>, "[7]: expected a boolean, found int at byte 16"),
        ("{-7: 1}", refused::<HashMap<u8, i8>>, "{0:key}: expected u8, found int -7 at byte 8"),
        (r#""text""#, refused::<Item>, "expected struct Item, found String at byte 0"),
    ];
    for (text, refused, expected) in rows {
        assert_eq!(refused(text), *expected);
    }
}

#[test]
fn unknown_fields_are_skipped() {
    let point: Point =
        read(r#"{"z": {"deep": [1, {2: 3}]}, 7: 8, Vector2(1, 2): 0, "x": 1, "y": 2}"#).unwrap();
    assert_eq!(point, Point { x: 1.0, y: 2.0 });
}

/// serde buffers the content of tagged enums, untagged enums and flattened fields before it knows the type.
#[test]
fn vectors_in_tagged_untagged_and_flattened_types() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Placed {
        name: String,
        #[serde(flatten)]
        places: Places,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Places {
        by_name: Place,
        in_turn: [f32; 3],
        glam: glam::Vec3,
        rect: ([f32; 2], Point),
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(tag = "type")]
    enum Tagged {
        A(Places),
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Untagged {
        A(Places),
    }

    let places = || Places {
        by_name: Place { x: 1.0, y: 2.0, z: 3.0 },
        in_turn: [4.0, 5.0, 6.0],
        glam: glam::Vec3::new(7.0, 8.0, 9.0),
        rect: ([1.0, 2.0], Point { x: 3.0, y: 4.0 }),
    };
    let text = r#"{"type": "A", "name": "n", "by_name": Vector3(1, 2, 3), "in_turn": Vector3(4, 5, 6),
        "glam": Vector3(7, 8, 9), "rect": Rect2(1, 2, 3, 4)}"#;
    assert_eq!(read::<Places>(text).unwrap(), places());
    assert_eq!(read::<Tagged>(text).unwrap(), Tagged::A(places()));
    assert_eq!(read::<Untagged>(text).unwrap(), Untagged::A(places()));
    let whole = Placed { name: "n".to_owned(), places: places() };
    assert_eq!(read::<Placed>(text).unwrap(), whole);
}

#[test]
fn long_names_are_positions_in_paths() {
    type Three<T> = HashMap<String, HashMap<String, HashMap<String, T>>>;
    let (short, long) = ("s".repeat(256), "l".repeat(257));
    let text = format!(r#"{{"a": {{}}, "{long}": {{"{short}": {{"{long}": 1, "b": 2}}}}}}"#);
    let error = read::<Three<bool>>(&text).unwrap_err();
    assert_eq!(error.path(), format!("{{1}}.{short}{{0}}"));
    let bytes = bytes(&text);
    let document = Document::new(&bytes, Options::engine(Dialect::Godot4));
    assert!(document.at(error.path()).is_ok());
    // The names of properties are limited in the same way.
    let object = format!(r#"Object(Node, "a": 1, "{long}": 2)"#);
    let path = |text: &str| read::<HashMap<String, String>>(text).unwrap_err().path().to_owned();
    assert_eq!(
        (path(&object), path(&object.replace("\"a\": 1, ", ""))),
        ("a".into(), "{0}".into())
    );
}
