//! Generated values of a struct with fields of many kinds are written and read back, in each dialect.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use variant_serde::*;
use variant_view::{Dialect, Vector2};

use crate::attributes::{Adjacent, External, Internal, Point, Untagged};
use crate::kinds::by;

/// Fields of kinds that every dialect has.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Entity {
    name: String,
    level: i64,
    health: f64,
    speed: f32,
    is_alive: bool,
    title: Option<String>,
    letter: char,
    #[serde(with = "as_string_name")]
    class: String,
    node: NodePath,
    #[serde(with = "as_vector3")]
    at: [f32; 3],
    #[serde(with = "as_color")]
    tint: [f32; 4],
    #[serde(with = "as_packed")]
    heights: Vec<f32>,
    bytes: PackedArray<Vec<u8>>,
    #[serde(with = "as_packed")]
    tags: Vec<String>,
    path: PackedArray<Vec<[f32; 2]>>,
    names: PackedArray<Vec<String>>,
    #[serde(with = "as_typed_array")]
    scores: Vec<i32>,
    ids: TypedArray<Vec<i32>>,
    bag: BTreeMap<i32, Item>,
    orders: Vec<External>,
    messages: Vec<Internal>,
    results: Vec<Adjacent>,
    notes: Vec<Untagged>,
    tally: Tally,
}

/// `flatten` makes the names and the number of a struct's fields unknown in advance.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Tally {
    best: u16,
    #[serde(flatten)]
    item: Item,
    #[serde(flatten)]
    counts: BTreeMap<String, i32>,
}

impl Entity {
    /// The same value with 32-bit numbers, since Godot 2 has no wider ones.
    fn narrow(mut self) -> Self {
        self.level = self.level.clamp(i32::MIN.into(), i32::MAX.into());
        self.health = f64::from(self.speed);
        self
    }
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Item {
    count: u16,
}

fn point() -> impl Strategy<Value = Point> {
    (-1e3_f32..1e3, -1e3_f32..1e3).prop_map(|(x, y)| Point { x, y })
}

fn message() -> impl Strategy<Value = Internal> {
    let join = |(name, team, speed): (_, _, f32)| Internal::Join {
        name,
        team,
        letter: 'a',
        speed: speed.into(),
        heights: vec![speed],
        class: String::new(),
    };
    prop_oneof![
        Just(Internal::Quit),
        point().prop_map(Internal::At),
        (text(), any::<Option<u8>>(), -1e3_f32..1e3).prop_map(join),
    ]
}

fn outcome() -> impl Strategy<Value = Adjacent> {
    prop_oneof![
        Just(Adjacent::Quit),
        text().prop_map(Adjacent::Say),
        (-1e3_f32..1e3, any::<i32>()).prop_map(|(x, y)| Adjacent::Move(x, y)),
        any::<i32>().prop_map(|by| Adjacent::Hit { by }),
        any::<[i16; 3]>().prop_map(|at| Adjacent::Place(at.map(f32::from))),
    ]
}

fn note() -> impl Strategy<Value = Untagged> {
    let leaf = prop_oneof![
        Just(Untagged::Nothing),
        any::<bool>().prop_map(Untagged::Flag),
        any::<i32>().prop_map(|number| Untagged::Number(number.into())),
        text().prop_map(Untagged::Text),
        point().prop_map(Untagged::Point),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        // Each list has at least three elements. An untagged list of two numbers would be read as `Point`, an earlier
        // variant of the enum.
        proptest::collection::vec(inner, 3..5).prop_map(Untagged::Many)
    })
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof!["[a-z]", "[\u{e9}\u{4e2d}]"], 0..30)
        .prop_map(|parts| parts.concat())
}

fn order() -> impl Strategy<Value = External> {
    prop_oneof![
        Just(External::Quit),
        text().prop_map(External::Say),
        (-1e3_f32..1e3, any::<i32>()).prop_map(|(x, y)| External::Move(x, y)),
        (any::<i32>(), proptest::option::of(text()))
            .prop_map(|(by, name)| External::Hit { by, name }),
    ]
}

prop_compose! {
    fn tally()(
        (best, count) in any::<(u16, u16)>(),
        // `flatten` writes these keys next to the names of the fields, so the keys must differ from the names.
        counts in proptest::collection::btree_map("[A-Z]{1,5}", any::<i32>(), 0..4),
    ) -> Tally {
        Tally { best, item: Item { count }, counts }
    }
}

prop_compose! {
    fn entity()(
        (name, level, health, speed) in (text(), any::<i64>(), -1e9_f64..1e9, -1e9_f32..1e9),
        (is_alive, title, class) in (any::<bool>(), proptest::option::of(text()), text()),
        letter in proptest::char::range('a', 'z'),
        (at, tint) in (proptest::array::uniform3(-1e3_f32..1e3), proptest::array::uniform4(0_f32..1.0)),
        heights in proptest::collection::vec(-1e3_f32..1e3, 0..9),
        bytes in proptest::collection::vec(any::<u8>(), 0..9),
        tags in proptest::collection::vec(text(), 0..4),
        path in proptest::collection::vec(proptest::array::uniform2(-1e3_f32..1e3), 0..4),
        (scores, ids) in any::<([i32; 2], [i32; 3])>(),
        bag in proptest::collection::btree_map(any::<i32>(), any::<u16>().prop_map(|count| Item { count }), 0..4),
        (orders, messages) in (proptest::collection::vec(order(), 0..4), proptest::collection::vec(message(), 0..4)),
        (results, notes) in (proptest::collection::vec(outcome(), 0..4), proptest::collection::vec(note(), 0..4)),
        tally in tally(),
    ) -> Entity {
        let node = NodePath("/root/Main:position".to_owned());
        Entity {
            name, level, health, speed, is_alive, title, letter, class, node, at, tint, heights, bag, orders, messages,
            results, notes, tally, names: tags.clone().into(), bytes: bytes.into(), tags, path: path.into(),
            scores: scores.into(), ids: TypedArray(ids.into()),
        }
    }
}

proptest! {
    #[test]
    fn generated_values_come_back(entity in entity()) {
        for &dialect in Dialect::ALL {
            let entity = if dialect == Dialect::Godot2 { entity.clone().narrow() } else { entity.clone() };
            let bytes = to_vec(&entity, dialect).unwrap();
            prop_assert_eq!(&from_slice::<Entity>(&bytes, dialect).unwrap(), &entity, "{}", dialect);
            let owned = to_variant(&entity, dialect).unwrap();
            prop_assert_eq!(variant_owned::encode(&owned, dialect).unwrap(), bytes, "{}", dialect);
            prop_assert_eq!(from_variant::<Entity>(&owned).unwrap(), entity, "{}", dialect);
        }
    }
}

#[test]
fn raw_values_are_written_for_another_engine() {
    let cell = to_vec(&by!(as_vector2i: [1, 2]), Dialect::Godot4).unwrap();
    let raw = RawValue::new(&cell, Dialect::Godot4).unwrap();
    // In other formats, a raw value is written as its bytes.
    assert_eq!(serde_json::to_value(raw).unwrap(), serde_json::to_value(&cell).unwrap());
    // Godot 3 has no Vector2i.
    let refused = to_vec(&[raw], Dialect::Godot3).unwrap_err().to_string();
    assert!(refused.starts_with("[0]: ") && refused.contains("Vector2i"), "{refused}");
}

#[test]
fn what_is_borrowed_is_written_as_what_is_owned() {
    #[derive(Serialize, Deserialize)]
    struct Borrowed<'a>(#[serde(borrow)] Packed<'a, f32>, #[serde(borrow)] Packed<'a, Vector2>);

    let floats: PackedArray<Vec<f32>> = [0.5, -1.5].into_iter().collect();
    let owned = (floats, PackedArray(vec![[1.0_f32, 2.0], [3.0, 4.0]]));
    for &dialect in Dialect::ALL {
        let bytes = to_vec(&owned, dialect).unwrap();
        let borrowed: Borrowed<'_> = from_slice(&bytes, dialect).unwrap();
        assert_eq!(to_vec(&borrowed, dialect).unwrap(), bytes, "{dialect}");
        let json = serde_json::json!([[0.5, -1.5], [[1.0, 2.0], [3.0, 4.0]]]);
        assert_eq!(serde_json::to_value(&borrowed).unwrap(), json);
    }
}
