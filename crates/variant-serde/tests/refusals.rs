//! Values that cannot be written: the error has a path, and the buffer is unchanged.

use std::collections::BTreeMap;

use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};
use variant_owned::{EncodeOptions, Variant};
use variant_serde::*;
use variant_view::{Dialect, Document, FeedError, Producer};

use crate::kinds::by;

/// The error of `to_vec_into`. `to_writer` must also fail, and write nothing.
#[track_caller]
fn refused<T: Serialize + ?Sized>(value: &T, options: impl Into<EncodeOptions>) -> String {
    let options = options.into();
    let mut bytes = vec![1, 2, 3];
    let error = to_vec_into(value, options, &mut bytes).unwrap_err();
    assert_eq!(bytes, [1, 2, 3]);
    assert_eq!(error.offset(), None);
    let mut stream = Vec::new();
    assert!(to_writer(value, options, &mut stream).is_err());
    assert!(stream.is_empty());
    error.to_string()
}

#[derive(Serialize, Default)]
struct Game {
    players: Vec<Player>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Order>,
    scores: BTreeMap<i64, u64>,
    named: BTreeMap<String, u64>,
}

#[derive(Serialize, Default, Clone)]
struct Player {
    count: u64,
    #[serde(with = "as_vector2i")]
    tile: Option<[i32; 2]>,
    #[serde(with = "as_packed")]
    points: Vec<[f32; 3]>,
}

#[derive(Serialize)]
enum Order {
    Pay(u64),
    Pair(i32, u64),
    Move { to: u64 },
}

const INT: &str = "18446744073709551615 is not between -9223372036854775808 and 9223372036854775807, which is all that \
     an int holds";

#[test]
fn errors_have_the_path_of_the_part() {
    let mut game = Game { players: vec![Player::default(); 4], ..Game::default() };
    game.players[3].count = u64::MAX;
    assert_eq!(refused(&game, Dialect::Godot4), format!("players[3].count: {INT}"));
    game.players.clear();
    for (order, path) in [
        (Order::Pay(u64::MAX), "order.Pay"),
        (Order::Pair(1, u64::MAX), "order.Pair[1]"),
        (Order::Move { to: u64::MAX }, "order.Move.to"),
    ] {
        game.order = Some(order);
        assert_eq!(refused(&game, Dialect::Godot4), format!("{path}: {INT}"));
    }
    game.order = None;
    game.scores.insert(-7, u64::MAX);
    assert_eq!(refused(&game, Dialect::Godot4), format!("scores[-7]: {INT}"));
    game.scores.clear();
    game.named.insert("a.b".to_owned(), u64::MAX);
    assert_eq!(refused(&game, Dialect::Godot4), format!("named[\"a.b\"]: {INT}"));
    assert_eq!(refused(&u64::MAX, Dialect::Godot4), INT);
    assert_eq!(refused(&[i128::MAX], Dialect::Godot4).split_once(": ").unwrap().0, "[0]");
    let of_pair = BTreeMap::from([((1, 2), u64::MAX)]);
    assert_eq!(refused(&of_pair, Dialect::Godot4), format!("{{0}}: {INT}"));
    let in_key = BTreeMap::from([((1, u64::MAX), 1)]);
    assert_eq!(refused(&in_key, Dialect::Godot4), format!("{{0:key}}[1]: {INT}"));
}

/// Nested lists around an integer that does not fit.
struct Levels(u32);

impl Serialize for Levels {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        match self.0.checked_sub(1) {
            None => output.serialize_u64(u64::MAX),
            Some(below) if below % 2 == 0 => output.collect_seq([Self(below)]),
            Some(below) => output.collect_map([("key", Self(below))]),
        }
    }
}

/// The path of an error is complete; the message shows only the start and the end of the path.
#[test]
fn messages_have_no_more_than_the_ends_of_a_path() {
    let value = Levels(200);
    let error = to_vec(&value, Dialect::Godot4).unwrap_err();
    assert!(error.path().len() > 600, "{}", error.path().len());
    let owned = to_variant(&value, Dialect::Godot4).unwrap_err();
    for message in [error.to_string(), owned.to_string()] {
        assert!(message.len() < 600, "{} bytes", message.len());
        assert!(message.starts_with("key[0].key[0]") && message.ends_with(INT), "{message}");
    }
    let mut bytes = [28_u32, 1].map(u32::to_le_bytes).as_flattened().repeat(100);
    bytes.extend([0; 4]);
    let error = from_slice::<Lists>(&bytes, Dialect::Godot4).unwrap_err();
    assert_eq!(error.path(), "[0]".repeat(100));
    assert!(error.to_string().len() < 600, "{error}");
}

/// A type that accepts only lists of itself.
#[derive(Debug, Deserialize)]
struct Lists(#[expect(dead_code)] Vec<Self>);

#[test]
fn errors_name_the_dialect_that_lacks_a_kind() {
    let mut game = Game { players: vec![Player::default(); 2], ..Game::default() };
    game.players[1].tile = Some([1, 2]);
    let lacking = "players[1].tile: there is no Vector2i in this dialect (godot3)";
    assert_eq!(refused(&game, Dialect::Godot3), lacking);
    assert!(to_vec(&game, Dialect::Godot4).is_ok());
    let options = EncodeOptions::new(Dialect::Godot2);
    assert!(
        refused(&i64::MAX, options).starts_with("the integer 9223372036854775807 is not between")
    );
}

#[test]
fn marks_refuse_other_types() {
    macro_rules! refuse {
        ($($module:ident: $value:expr, $message:literal;)*) => {
            $(assert_eq!(refused(&by!($module: $value), Dialect::Godot4), $message);)*
        };
    }
    #[derive(Serialize)]
    struct Reversed {
        y: f32,
        x: f32,
    }
    refuse! {
        as_vector3: [1.0; 2], "there are 3 numbers in a Vector3, and not 2";
        as_vector3: [1.0; 4], "there are 3 numbers in a Vector3, and not 4";
        as_vector3: [1; 3], "a Vector3 is made of floats, and not of integers";
        as_vector3i: [1.0; 3], "a Vector3i is made of integers, and not of floats";
        as_vector3: "1", "a Vector3 is made of floats, and not of text";
        as_vector3: [None::<f32>; 3], "a Vector3 is made of floats, and not of nothing";
        as_projection: [1.0; 17], "there are 16 numbers in a Projection, and not 17";
        as_vector2i: [1_i64, 1 << 31], "2147483648 is beyond what a number of a Vector2i holds";
        as_vector2: Reversed { y: 2.0, x: 1.0 }, "the field y is not where a Vector2 has it";
        as_string_name: 3, "expected text for a StringName, found an integer";
        as_string_name: vec!["a"], "expected text for a StringName, found a sequence";
        as_node_path: "a::b", "\"a::b\" is not a NodePath, since a subname is empty";
    }
}

/// A type that wrongly claims to be a point.
#[derive(Serialize)]
struct Wrong(Vec<f32>);

impl PackedItem for Wrong {
    const KIND: variant_view::Kind = variant_view::Kind::PackedVector2Array;
}

impl TypedItem for Wrong {
    const KIND: variant_view::Kind = variant_view::Kind::Dictionary;
}

#[test]
fn elements_are_what_their_type_says() {
    #[derive(Serialize)]
    struct Of {
        #[serde(with = "as_packed")]
        points: Vec<Wrong>,
        #[serde(with = "as_typed_array")]
        all: Vec<Wrong>,
    }
    let right = || Wrong(vec![1.0, 2.0]);
    let points =
        Of { points: vec![right(), Wrong(vec![1.0; 3]), Wrong(vec![1.0])], all: Vec::new() };
    let error = "points[1]: there are 2 numbers in each element of a PackedVector2Array, and not 5";
    assert_eq!(refused(&points, Dialect::Godot4), error);
    let all = Of { points: Vec::new(), all: vec![right()] };
    assert_eq!(refused(&all, Dialect::Godot4), "all[0]: expected Dictionary, found Array");
}

/// A list with this depth.
struct Deep(u32);

impl Serialize for Deep {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let mut list = output.serialize_seq(Some(usize::MAX))?;
        if self.0 > 0 {
            list.serialize_element(&Self(self.0 - 1))?;
        }
        list.end()
    }
}

#[test]
fn depth_is_bounded_and_claimed_lengths_are_not_trusted() {
    for depth in [0, 1, 7, 8, 1_024] {
        let options = EncodeOptions::new(Dialect::Godot4).depth(depth);
        let bytes = to_vec(&Deep(depth), options).unwrap();
        assert_eq!(
            variant_owned::encode(&to_variant(&Deep(depth), options).unwrap(), options).unwrap(),
            bytes
        );
        let error = refused(&Deep(depth + 1), options);
        assert!(error.ends_with("nested too deep (godot4)"), "{error}");
        let owned = to_variant(&Deep(depth + 1), options).unwrap_err();
        assert_eq!(owned.to_string(), error);
        assert_eq!(owned.path(), "[0]".repeat(usize::try_from(depth).unwrap() + 1));
    }
    assert!(to_vec(&Deep(1 << 30), Dialect::Godot4).is_err());
}

/// A map that calls serde's methods in the wrong order.
struct Misplaced(u32);

impl Serialize for Misplaced {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let mut map = output.serialize_map(None)?;
        match self.0 {
            0 => map.serialize_key(&1)?,
            1 => map.serialize_value(&1)?,
            2 => [1, 2].iter().try_for_each(|key| map.serialize_key(key))?,
            _ => {
                map.serialize_key(&1)?;
                map.serialize_entry(&1, &2)?;
            }
        }
        map.end()
    }
}

/// An array that replaces an element which cannot be written.
struct Replacing;

impl Serialize for Replacing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut elements = serializer.serialize_seq(None)?;
        elements.serialize_element(&1)?;
        assert!(elements.serialize_element(&(2, [u64::MAX])).is_err());
        elements.serialize_element("none")?;
        elements.end()
    }
}

#[test]
fn a_part_that_failed_leaves_nothing() {
    let bytes = to_vec(&[Replacing], Dialect::Godot4).unwrap();
    assert_eq!(bytes, to_vec(&[(1, "none")], Dialect::Godot4).unwrap());
    // Events that a consumer has received cannot be removed, so the whole value fails.
    let error = to_variant(&[Replacing], Dialect::Godot4).unwrap_err();
    assert_eq!(error.to_string(), "a value with a part that failed");
}

/// A struct that ignores the error of its field.
struct Hiding;

impl Serialize for Hiding {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let mut output = output.serialize_struct("Hiding", 1)?;
        let _ = output.serialize_field("at", &[Deep(2_000)]);
        output.end()
    }
}

#[test]
fn types_that_break_the_rules_of_serde_are_refused() {
    for wrong in 0..4 {
        refused(&Misplaced(wrong), Dialect::Godot4);
        to_variant(&Misplaced(wrong), Dialect::Godot4).unwrap_err();
    }
    assert_eq!(refused(&Hiding, Dialect::Godot4), "nested too deep (godot4)");
}

#[test]
fn any_consumer_takes_a_type() {
    let mut bytes = Vec::new();
    let mut writer = variant_owned::Writer::new(&mut bytes, Dialect::Godot3);
    let wrong = by!(as_vector2i: [1, 2]);
    let failed = Source::new(&wrong, Dialect::Godot3).feed(&mut writer);
    assert!(matches!(failed, Err(FeedError::Consumer(_))));
    let source = Source::new(&[1, 2], Dialect::Godot3);
    assert_eq!(source.input().dialect, Some(Dialect::Godot3));
    assert_eq!(Variant::from_producer(source).unwrap(), Variant::from(variant_owned::array![1, 2]));
}

#[test]
fn raw_bytes_are_verbatim_and_checked() {
    #[derive(Serialize)]
    #[serde(rename = "$variant::Raw")]
    struct Raw<'a>(#[serde(serialize_with = "bytes")] &'a [u8]);

    fn bytes<S: Serializer>(bytes: &[u8], output: S) -> Result<S::Ok, S::Error> {
        output.serialize_bytes(bytes)
    }

    let inner = to_vec(&(1, "two", [3.0_f32]), Dialect::Godot4).unwrap();
    let outer = to_vec(&[Raw(&inner)], Dialect::Godot4).unwrap();
    assert_eq!(outer[8..], inner);
    Document::new(&outer, Dialect::Godot4).validate().unwrap();
    assert!(
        refused(&[Raw(&inner[..4])], Dialect::Godot4)
            .starts_with("[0]: not the bytes of a value: ")
    );
    let more = [&inner[..], &[0; 4]].concat();
    assert_eq!(refused(&[Raw(&more)], Dialect::Godot4), "[0]: bytes follow the value");
}
