//! serde's attributes and enum representations in every dialect. The written value equals a script's value, and is read
//! back.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use variant_owned::Variant;
use variant_serde::{
    as_packed, as_string_name, as_vector3, from_slice, from_variant, from_view, to_variant, to_vec,
};
use variant_view::{Dialect, Document};

/// Writes the value and reads it back: from bytes, through a view, and from an owned value. `text` is the value in a
/// script.
#[track_caller]
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    let expected: Variant = text.parse().unwrap();
    for &dialect in Dialect::ALL {
        let bytes = to_vec(value, dialect).unwrap();
        let document = Document::new(&bytes, dialect);
        // A dialect without StringName writes String instead.
        let named = Variant::from_document(&document).unwrap().to_string().replace("&\"", "\"");
        assert_eq!(named, expected.to_string().replace("&\"", "\""), "{dialect}");
        assert_eq!(from_slice::<T>(&bytes, dialect).unwrap(), *value, "{dialect}");
        assert_eq!(from_view::<T>(document.root().unwrap()).unwrap(), *value, "{dialect}");
        assert_eq!(from_variant::<T>(&to_variant(value, dialect).unwrap()).unwrap(), *value);
    }
}

/// Reads a type from the bytes that Godot 4 would write for `text`.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    crate::structs::read(text).map_err(|error| error.to_string())
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

const POINT: Point = Point { x: 1.0, y: 2.5 };

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(crate) enum External {
    Quit,
    Count(u8),
    Say(String),
    Maybe(Option<i32>),
    At(Point),
    Move(f32, i32),
    Hit { by: i32, name: Option<String> },
    Empty {},
}

#[test]
fn external_variants() {
    check(&External::Quit, r#""Quit""#);
    check(&External::Count(7), r#"{"Count": 7}"#);
    check(&External::Say("hi".into()), r#"{"Say": "hi"}"#);
    check(&External::Maybe(None), r#"{"Maybe": null}"#);
    check(&External::Maybe(Some(3)), r#"{"Maybe": 3}"#);
    check(&External::At(POINT), r#"{"At": {"x": 1.0, "y": 2.5}}"#);
    check(&External::Move(1.5, 2), r#"{"Move": [1.5, 2]}"#);
    check(&External::Hit { by: 3, name: None }, r#"{"Hit": {"by": 3, "name": null}}"#);
    check(&External::Empty {}, r#"{"Empty": {}}"#);
    check(
        &vec![External::Quit, External::Count(1), External::Quit],
        r#"["Quit", {"Count": 1}, "Quit"]"#,
    );
    check(
        &BTreeMap::from([(1, Some(External::Move(0.5, 1))), (2, None)]),
        r#"{1: {"Move": [0.5, 1]}, 2: null}"#,
    );
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(tag = "type")]
pub(crate) enum Internal {
    Quit,
    At(Point),
    Other(BTreeMap<String, i32>),
    Join {
        name: String,
        team: Option<u8>,
        letter: char,
        speed: f64,
        #[serde(with = "as_packed")]
        heights: Vec<f32>,
        #[serde(with = "as_string_name")]
        class: String,
    },
}

#[test]
fn internal_variants() {
    check(&Internal::Quit, r#"{"type": "Quit"}"#);
    check(&Internal::At(POINT), r#"{"type": "At", "x": 1.0, "y": 2.5}"#);
    check(&Internal::Other(BTreeMap::from([("a".into(), 1)])), r#"{"type": "Other", "a": 1}"#);
    let join = Internal::Join {
        name: "Ada".into(),
        team: Some(3),
        letter: '\u{e9}',
        speed: 0.5,
        heights: vec![1.0, 2.5],
        class: "mage".into(),
    };
    let text = r#"{"type": "Join", "name": "Ada", "team": 3, "letter": "é", "speed": 0.5,
        "heights": PackedFloat32Array(1, 2.5), "class": &"mage"}"#;
    check(&join, text);
    check(&vec![join.clone(), Internal::Quit], &format!(r#"[{text}, {{"type": "Quit"}}]"#));
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent {
    Quit,
    Say(String),
    At(Point),
    Move(f32, i32),
    Hit { by: i32 },
    Place(#[serde(with = "as_vector3")] [f32; 3]),
}

#[test]
fn adjacent_variants() {
    check(&Adjacent::Quit, r#"{"t": "Quit"}"#);
    check(&Adjacent::Say("hi".into()), r#"{"t": "Say", "c": "hi"}"#);
    check(&Adjacent::At(POINT), r#"{"t": "At", "c": {"x": 1.0, "y": 2.5}}"#);
    check(&Adjacent::Move(1.5, 2), r#"{"t": "Move", "c": [1.5, 2]}"#);
    check(&Adjacent::Hit { by: 3 }, r#"{"t": "Hit", "c": {"by": 3}}"#);
    check(&Adjacent::Place([1.0, 2.0, 3.0]), r#"{"t": "Place", "c": Vector3(1, 2, 3)}"#);
    let content_first: Adjacent = read(r#"{"c": [1.5, 2], "t": "Move"}"#).unwrap();
    assert_eq!(content_first, Adjacent::Move(1.5, 2));
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Nothing,
    Flag(bool),
    Number(i64),
    Real(f64),
    Text(String),
    Point(Point),
    Pair(i32, String),
    Many(Vec<Self>),
    Named(BTreeMap<String, Self>),
}

#[test]
fn untagged_variants() {
    check(&Untagged::Nothing, "null");
    check(&Untagged::Flag(true), "true");
    check(&Untagged::Number(-7), "-7");
    check(&Untagged::Real(1.5), "1.5");
    check(&Untagged::Text("a".into()), r#""a""#);
    check(&Untagged::Point(POINT), r#"{"x": 1.0, "y": 2.5}"#);
    check(&Untagged::Pair(1, "a".into()), r#"[1, "a"]"#);
    check(&Untagged::Many(vec![Untagged::Number(1), Untagged::Nothing]), "[1, null]");
    check(
        &Untagged::Named(BTreeMap::from([("a".into(), Untagged::Flag(false))])),
        r#"{"a": false}"#,
    );
    // A RID is an integer for a type without RIDs, and a Callable has no content.
    assert_eq!(read("RID(3)"), Ok(Untagged::Number(3)));
    assert_eq!(read("Callable()"), Ok(Untagged::Nothing));
    assert_eq!(read("[true]"), Ok(Untagged::Many(vec![Untagged::Flag(true)])));
}

/// Enum variants are also read in forms that only other programs write.
#[test]
fn other_forms_of_variants() {
    for (text, expected) in [
        (r#"&"Quit""#, Ok(External::Quit)),
        (r#"{"Quit": null}"#, Ok(External::Quit)),
        (r#"{"Move": Vector2(1.5, 2)}"#, Ok(External::Move(1.5, 2))),
        ("{}", Err("expected a text or a dictionary of 1 pair, found 0 at byte 0")),
        ("7", Err("expected enum External, found int at byte 0")),
        (r#"{"Hit": {"by": "a"}}"#, Err("Hit.by: expected i32, found String at byte 40")),
        ("{0: 1}", Err("{0:key}: expected variant identifier, found int at byte 8")),
    ] {
        assert_eq!(read(text), expected.map_err(str::to_owned), "{text}");
    }
    let unknown = read::<External>(r#""Hop""#).unwrap_err();
    assert!(unknown.starts_with("unknown variant `Hop`, expected one of `Quit`, "), "{unknown}");
    assert_eq!(read(r#"{"t": "Move", "c": Vector2(1.5, 2)}"#), Ok(Adjacent::Move(1.5, 2)));
    assert_eq!(read("Vector2(1, 2.5)"), Ok(Untagged::Point(POINT)));
    let numbers = [1, 2, 3].map(Untagged::Number).to_vec();
    assert_eq!(read("PackedInt32Array(1, 2, 3)"), Ok(Untagged::Many(numbers)));
}

/// An enum whose variants are written as their names: as keys of a map, and as elements of an array.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Slot {
    MainHand,
    #[serde(rename = "off")]
    OffHand,
    #[serde(other)]
    Unknown,
}

#[test]
fn names_of_variants() {
    check(
        &BTreeMap::from([(Slot::MainHand, 1), (Slot::OffHand, 2)]),
        r#"{"main_hand": 1, "off": 2}"#,
    );
    check(&[Slot::MainHand, Slot::OffHand, Slot::Unknown], r#"["main_hand", "off", "unknown"]"#);
    assert_eq!(read::<Slot>(r#""third""#).unwrap(), Slot::Unknown);
    assert_eq!(read::<Slot>(r#"&"main_hand""#).unwrap(), Slot::MainHand);
}

#[derive(
    serde_repr::Serialize_repr,
    serde_repr::Deserialize_repr,
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
)]
#[repr(i16)]
enum Element {
    Fire = -1,
    Water = 300,
    #[serde(other)]
    None = 0,
}

#[test]
fn variants_as_numbers() {
    check(&vec![Element::Fire, Element::Water, Element::None], "[-1, 300, 0]");
    check(&BTreeMap::from([(Element::Fire, true)]), "{-1: true}");
    assert_eq!(read::<Element>("7").unwrap(), Element::None);
    assert_eq!(read::<Element>("300.0").unwrap(), Element::Water);
    assert_eq!(read::<Element>("70000").unwrap_err(), "expected i16, found int 70000 at byte 0");
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Flat {
    player_id: i32,
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    order: External,
    #[serde(flatten)]
    mood: Option<Mood>,
    #[serde(flatten)]
    others: BTreeMap<String, i64>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Mood {
    mood: String,
}

#[test]
fn flattened_fields() {
    let mut flat = Flat {
        player_id: 7,
        point: POINT,
        order: External::Count(3),
        mood: Some(Mood { mood: "calm".into() }),
        others: BTreeMap::from([("hp".into(), 90)]),
    };
    check(&flat, r#"{"playerId": 7, "x": 1.0, "y": 2.5, "Count": 3, "mood": "calm", "hp": 90}"#);
    flat.mood = None;
    check(&flat, r#"{"playerId": 7, "x": 1.0, "y": 2.5, "Count": 3, "hp": 90}"#);
    let with_more: Flat =
        read(r#"{"playerId": 7, "x": 1.0, "y": 2.5, "Count": 3, "hp": 90}"#).unwrap();
    assert_eq!(with_more, flat);
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(default)]
struct Settings {
    volume: f32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
    #[serde(skip)]
    is_dirty: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { volume: 0.5, keys: Vec::new(), is_dirty: false }
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "SCREAMING_SNAKE_CASE")]
struct Strict {
    #[serde(rename = "Name", alias = "title", alias = "label")]
    name: String,
    #[serde(default = "ten")]
    max_hp: i32,
    #[serde(default)]
    level: u8,
    #[serde(skip_serializing, default)]
    secret: Option<String>,
    #[serde(skip_deserializing)]
    version: u8,
    settings: Settings,
}

const fn ten() -> i32 {
    10
}

#[test]
fn fields() {
    let strict = Strict {
        name: "a".into(),
        max_hp: 10,
        level: 0,
        secret: None,
        version: 0,
        settings: Settings::default(),
    };
    let text =
        r#"{"Name": "a", "MAX_HP": 10, "LEVEL": 0, "VERSION": 0, "SETTINGS": {"volume": 0.5}}"#;
    let written = to_variant(&strict, Dialect::Godot4).unwrap();
    assert_eq!(written, text.parse::<Variant>().unwrap());
    for text in [
        r#"{"Name": "a", "SETTINGS": {}}"#,
        r#"{"title": "a", "SETTINGS": {"more": 1}}"#,
        r#"{"MAX_HP": 10.0, "SETTINGS": {"volume": 0.5, "is_dirty": true}, "SECRET": null, "label": &"a"}"#,
    ] {
        assert_eq!(read::<Strict>(text).as_ref(), Ok(&strict), "{text}");
    }
    let unknown = read::<Strict>(r#"{"Name": "a", "SETTINGS": {}, "VERSION": 1}"#).unwrap_err();
    assert!(unknown.starts_with("{2:key}: unknown field `VERSION`"), "{unknown}");
    let number = read::<Strict>(r#"{0: "a"}"#).unwrap_err();
    assert!(number.starts_with("{0:key}: unknown field `[0]`"), "{number}");
    let twice = read::<Strict>(r#"{"Name": "a", "title": "b"}"#).unwrap_err();
    assert_eq!(twice, "duplicate field `Name` at byte 0");
    check(&Settings::default(), r#"{"volume": 0.5}"#);
    check(
        &Settings { keys: vec!["w".into()], ..Settings::default() },
        r#"{"volume": 0.5, "keys": ["w"]}"#,
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(transparent)]
struct Id {
    number: u32,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(from = "(f32, f32)", into = "(f32, f32)")]
struct Polar {
    radius: f32,
    angle: f32,
}

impl From<(f32, f32)> for Polar {
    fn from((radius, angle): (f32, f32)) -> Self {
        Self { radius, angle }
    }
}

impl From<Polar> for (f32, f32) {
    fn from(Polar { radius, angle }: Polar) -> Self {
        (radius, angle)
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(try_from = "i64", into = "i64")]
#[derive(Clone, Copy)]
struct Even(i64);

impl TryFrom<i64> for Even {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if number % 2 == 0 { Ok(Self(number)) } else { Err(format!("{number} is odd")) }
    }
}

impl From<Even> for i64 {
    fn from(Even(number): Even) -> Self {
        number
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind")]
struct Named {
    id: u8,
}

#[test]
fn whole_types() {
    check(&Id { number: 7 }, "7");
    check(&BTreeMap::from([(Id { number: 7 }, 1)]), "{7: 1}");
    check(&Polar { radius: 1.0, angle: 0.5 }, "[1.0, 0.5]");
    check(&[Even(4)], "[4]");
    assert!(read::<[Even; 2]>("[4, 7]").unwrap_err().starts_with("[1]: 7 is odd"));
    check(&Named { id: 7 }, r#"{"kind": "Named", "id": 7}"#);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Borrowed<'a> {
    name: &'a str,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow, with = "as_packed")]
    data: Cow<'a, [u8]>,
    #[serde(borrow)]
    words: BTreeMap<&'a str, Option<Cow<'a, str>>>,
    #[serde(borrow)]
    more: More<'a>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "type")]
enum More<'a> {
    Text {
        #[serde(borrow)]
        text: Cow<'a, str>,
    },
}

#[test]
fn borrowed_fields() {
    let value = Borrowed {
        name: "Ada",
        title: "count".into(),
        data: vec![1, 2, 3].into(),
        words: BTreeMap::from([("a", None)]),
        more: More::Text { text: "b".into() },
    };
    for &dialect in Dialect::ALL {
        let bytes = to_vec(&value, dialect).unwrap();
        let read: Borrowed<'_> = from_slice(&bytes, dialect).unwrap();
        assert_eq!(read, value, "{dialect}");
        let More::Text { text } = &read.more;
        assert!(matches!((&read.title, text), (Cow::Borrowed(_), Cow::Borrowed(_))), "{dialect}");
        assert!(bytes.as_ptr_range().contains(&read.name.as_ptr()));
    }
}
