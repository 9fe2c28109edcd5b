//! Structs, enums and serde's attributes, read from dictionaries.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use variant_owned::{Variant, encode};
use variant_serde::{Error, ErrorKind, RawValue, from_slice};
use variant_testkit::corpus;
use variant_view::Dialect;

/// The bytes that Godot 4 would write for `text`.
fn bytes(text: &str) -> Vec<u8> {
    let value: Variant = text.parse().unwrap();
    encode(&value, Dialect::Godot4).unwrap()
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    from_slice(&bytes(text), Dialect::Godot4)
}

fn refused<T: DeserializeOwned>(text: &str) -> String {
    read::<T>(text).err().map(|error| error.to_string()).unwrap_or_default()
}

#[derive(Debug, Deserialize, PartialEq)]
struct Point {
    x: f32,
    y: f32,
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
    let call: Remote<'_> = from_slice(&packet, Dialect::Godot4).unwrap();
    assert_eq!((call.method, call.id, call.t), ("move_to", 77, 1_731_000_000.125));
    assert_eq!((call.pos, call.vel), (Place { x: 12.5, y: 0.0, z: -7.25 }, (0.5, 0.0, 1.25)));
    assert_eq!(call.args, (true, "run", 3));
    for end in 0..packet.len() {
        let error = from_slice::<Remote<'_>>(&packet[..end], Dialect::Godot4).unwrap_err();
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

#[test]
fn errors_say_where() {
    let text = r#"{"players": [{"bag": []}, {"bag": [{"count": 1}, {"count": "many"}]}]}"#;
    let data = bytes(text);
    let error = from_slice::<HashMap<String, Vec<Player>>>(&data, Dialect::Godot4).unwrap_err();
    assert_eq!(error.path(), "players[1].bag[1].count");
    let document = variant_view::Document::new(&data, Dialect::Godot4);
    let at = document.at(error.path()).unwrap().offset();
    assert_eq!(
        error.to_string(),
        format!("players[1].bag[1].count: expected i32, found String at byte {at}")
    );
    assert_eq!(error.kind(), ErrorKind::WrongKind(Some(variant_view::Kind::String)));
    assert_eq!(refused::<Item>("{}"), "missing field `count` at byte 0");
    assert_eq!(refused::<Item>("[1.5]"), "[0]: expected i32, found float 1.5 at byte 8");
    assert_eq!(
        refused::<Item>(r#"{"count": 3000000000}"#),
        "count: expected i32, found int 3000000000 at byte 24"
    );
    assert_eq!(refused::<[i32; 2]>("[1, 2, 3]"), "expected 2 elements, found 3 at byte 0");
    assert_eq!(
        refused::<[i32; 2]>("[1]"),
        "expected an array of length 2, found 1 elements at byte 0"
    );
    assert_eq!(
        refused::<HashMap<u8, bool>>("{7: 1}"),
        "[7]: expected a boolean, found int at byte 16"
    );
    assert_eq!(
        refused::<HashMap<u8, bool>>("{-7: true}"),
        "{0:key}: expected u8, found int -7 at byte 8"
    );
    assert_eq!(refused::<Item>(r#""text""#), "expected struct Item, found String at byte 0");
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Attributes {
    #[serde(rename = "Name")]
    name: String,
    #[serde(alias = "life", alias = "health")]
    hp: i32,
    #[serde(default)]
    level: u8,
    #[serde(skip)]
    cache: u8,
    last: Option<i32>,
}

#[test]
fn attributes_of_serde() {
    let expected = Attributes { name: "a".into(), hp: 7, level: 0, cache: 0, last: None };
    for text in [
        r#"{"Name": "a", "hp": 7}"#,
        r#"{"health": 7, "last": null, "Name": &"a"}"#,
        r#"{"life": 7.0, "Name": ^"a"}"#,
    ] {
        assert_eq!(read::<Attributes>(text).unwrap(), expected, "{text}");
    }
    assert_eq!(
        refused::<Attributes>(r#"{"Name": "a", "cache": 1}"#),
        "{1:key}: unknown field `cache`, expected one of `Name`, `health`, `hp`, `life`, `level`, `last` at byte 32"
    );
    assert_eq!(
        refused::<Attributes>(r#"{0: "a"}"#),
        "{0:key}: unknown field `[0]`, expected one of `Name`, `health`, `hp`, `life`, `level`, `last` at byte 8"
    );
    assert_eq!(refused::<Attributes>(r#"{"hp": 1, "life": 2}"#), "duplicate field `hp` at byte 0");
}

#[derive(Debug, Deserialize, PartialEq)]
struct Flat {
    id: i32,
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    others: BTreeMap<String, i32>,
}

#[test]
fn flattened_fields_and_unknown_ones() {
    let flat: Flat = read(r#"{"x": 1, "id": 3, "hp": 7, "y": 2.5}"#).unwrap();
    assert_eq!(flat.point, Point { x: 1.0, y: 2.5 });
    assert_eq!((flat.id, flat.others), (3, BTreeMap::from([("hp".to_owned(), 7)])));
    let point: Point =
        read(r#"{"z": {"deep": [1, {2: 3}]}, 7: 8, Vector2(1, 2): 0, "x": 1, "y": 2}"#).unwrap();
    assert_eq!(point, Point { x: 1.0, y: 2.0 });
}

#[derive(Debug, Deserialize, PartialEq)]
enum External {
    Quit,
    Say(String),
    Move(f32, f32),
    Hit { by: i32 },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "type")]
enum Internal {
    Quit,
    Say { text: String },
    At(Point),
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Quit,
    Say(String),
    Move(f32, f32),
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Text(String),
    Point(Point),
    Many(Vec<i32>),
}

#[derive(Debug, serde_repr::Deserialize_repr, PartialEq)]
#[repr(u8)]
enum Element {
    Fire = 1,
    Water = 2,
}

#[test]
fn representations_of_enums() {
    assert_eq!(read::<External>(r#""Quit""#).unwrap(), External::Quit);
    assert_eq!(read::<External>(r#"&"Quit""#).unwrap(), External::Quit);
    assert_eq!(read::<External>(r#"{"Quit": null}"#).unwrap(), External::Quit);
    assert_eq!(read::<External>(r#"{"Say": "hi"}"#).unwrap(), External::Say("hi".into()));
    assert_eq!(read::<External>(r#"{"Move": [1, 2.5]}"#).unwrap(), External::Move(1.0, 2.5));
    assert_eq!(read::<External>(r#"{"Move": Vector2(1, 2.5)}"#).unwrap(), External::Move(1.0, 2.5));
    assert_eq!(read::<External>(r#"{"Hit": {"by": 3}}"#).unwrap(), External::Hit { by: 3 });
    assert_eq!(
        refused::<External>("{}"),
        "expected a text or a dictionary of 1 pair, found 0 at byte 0"
    );
    assert_eq!(refused::<External>("7"), "expected enum External, found int at byte 0");
    assert_eq!(
        refused::<External>(r#""Hop""#),
        "unknown variant `Hop`, expected one of `Quit`, `Say`, `Move`, `Hit` at byte 0"
    );
    assert_eq!(
        refused::<External>(r#"{"Hit": {"by": "a"}}"#),
        "Hit.by: expected i32, found String at byte 40"
    );
    assert_eq!(
        refused::<External>("{0: 1}"),
        "{0:key}: expected variant identifier, found int at byte 8"
    );
    assert_eq!(read::<Internal>(r#"{"type": "Quit"}"#).unwrap(), Internal::Quit);
    assert_eq!(
        read::<Internal>(r#"{"text": "a", "type": "Say"}"#).unwrap(),
        Internal::Say { text: "a".into() }
    );
    let at = Internal::At(Point { x: 1.0, y: 2.0 });
    assert_eq!(read::<Internal>(r#"{"type": "At", "x": 1, "y": 2.0}"#).unwrap(), at);
    assert_eq!(read::<Adjacent>(r#"{"t": "Quit"}"#).unwrap(), Adjacent::Quit);
    assert_eq!(read::<Adjacent>(r#"{"c": "a", "t": "Say"}"#).unwrap(), Adjacent::Say("a".into()));
    assert_eq!(
        read::<Adjacent>(r#"{"t": "Move", "c": Vector2(1, 2)}"#).unwrap(),
        Adjacent::Move(1.0, 2.0)
    );
    assert_eq!(read::<Untagged>("7").unwrap(), Untagged::Number(7));
    assert_eq!(read::<Untagged>(r#""a""#).unwrap(), Untagged::Text("a".into()));
    assert_eq!(
        read::<Untagged>("Vector2(1, 2)").unwrap(),
        Untagged::Point(Point { x: 1.0, y: 2.0 })
    );
    assert_eq!(
        read::<Untagged>("PackedInt32Array(1, 2, 3)").unwrap(),
        Untagged::Many(vec![1, 2, 3])
    );
    assert_eq!(read::<Element>("2").unwrap(), Element::Water);
    assert!(refused::<Element>("3").starts_with("invalid value: 3"));
}

#[derive(Debug, Deserialize, PartialEq)]
struct Borrowed<'a> {
    name: &'a str,
    data: &'a [u8],
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    rest: RawValue<'a>,
}

#[test]
fn borrowed_parts_are_in_the_document() {
    let data =
        bytes(r#"{"name": "n", "data": PackedByteArray(1, 2, 3), "title": "t", "rest": [1, 2]}"#);
    let record: Borrowed<'_> = from_slice(&data, Dialect::Godot4).unwrap();
    let range = data.as_ptr_range();
    assert!(range.contains(&record.name.as_ptr()) && range.contains(&record.data.as_ptr()));
    assert!(matches!(record.title, Cow::Borrowed("t")));
    assert_eq!((record.name, record.data), ("n", &[1, 2, 3][..]));
    assert_eq!(record.rest.get::<[u8; 2]>().unwrap(), [1, 2]);
    assert!(range.contains(&record.rest.bytes().as_ptr()));
}

/// serde keeps the content of such enums, and of flattened fields, before it knows the type.
#[test]
fn vectors_in_tagged_untagged_and_flattened_types() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Xyz {
        x: f32,
        y: f32,
        z: f32,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Placed {
        name: String,
        #[serde(flatten)]
        places: Places,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Places {
        by_name: Xyz,
        in_turn: [f32; 3],
        glam: glam::Vec3,
        rect: ([f32; 2], Xy),
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Xy {
        x: f32,
        y: f32,
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
        by_name: Xyz { x: 1.0, y: 2.0, z: 3.0 },
        in_turn: [4.0, 5.0, 6.0],
        glam: glam::Vec3::new(7.0, 8.0, 9.0),
        rect: ([1.0, 2.0], Xy { x: 3.0, y: 4.0 }),
    };
    let text = r#"{"type": "A", "name": "n", "by_name": Vector3(1, 2, 3), "in_turn": Vector3(4, 5, 6),
        "glam": Vector3(7, 8, 9), "rect": Rect2(1, 2, 3, 4)}"#;
    assert_eq!(read::<Places>(text).unwrap(), places());
    assert_eq!(read::<Tagged>(text).unwrap(), Tagged::A(places()));
    assert_eq!(read::<Untagged>(text).unwrap(), Untagged::A(places()));
    let whole = Placed { name: "n".to_owned(), places: places() };
    assert_eq!(read::<Placed>(text).unwrap(), whole);
}

/// Each level of nesting copies the path below it, so with long names a packet would choose how much is copied.
#[test]
fn long_names_are_positions_in_paths() {
    type Three<T> = HashMap<String, HashMap<String, HashMap<String, T>>>;
    let (short, long) = ("s".repeat(256), "l".repeat(257));
    let text = format!(r#"{{"a": {{}}, "{long}": {{"{short}": {{"{long}": 1, "b": 2}}}}}}"#);
    let error = read::<Three<bool>>(&text).unwrap_err();
    assert_eq!(error.path(), format!("{{1}}.{short}{{0}}"));
    let bytes = bytes(&text);
    let document = variant_view::Document::new(&bytes, Dialect::Godot4);
    assert!(document.at(error.path()).is_ok());
}

#[test]
fn long_names_of_properties_are_positions_in_paths() {
    let long = "l".repeat(257);
    let text = format!(r#"Object(Node, "a": 1, "{long}": 2)"#);
    let error = read::<HashMap<String, String>>(&text.replace("\"a\": 1, ", "")).unwrap_err();
    assert_eq!(error.path(), "{0}");
    let error = read::<HashMap<String, String>>(&text).unwrap_err();
    assert_eq!(error.path(), "a");
}
