//! Values that cannot be written: the error has a path, and the buffer is unchanged.

use std::collections::BTreeMap;

use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use serde::{Deserialize, Serialize, Serializer};
use variant_owned::{EncodeOptions, Variant};
use variant_serde::*;
use variant_view::{Dialect, Document, FeedError, Kind, Options, Page, Producer};

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
        ($($module:ident: $value:expr, $message:expr;)*) => {
            $(assert_eq!(refused(&by!($module: $value), Dialect::Godot4), $message);)*
        };
    }
    #[derive(Serialize)]
    struct Reversed {
        y: f32,
        x: f32,
    }
    #[derive(Serialize)]
    struct Sized {
        width: u64,
        height: u64,
    }
    /// A number that wrongly claims to be a byte.
    #[derive(Serialize)]
    struct Few(i32);
    impl PackedItem for Few {
        const KIND: Kind = Kind::PackedByteArray;
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
        as_vector2: Sized { width: u64::MAX, height: 1 }, INT;
        as_vector2: Sized { width: 1, height: 1 }, "a Vector2 is made of floats, and not of integers";
        as_packed: vec![Few(300)], "[0]: 300 is beyond what a number of a PackedByteArray holds";
        as_vector2: Reversed { y: 2.0, x: 1.0 }, "the field y is not where a Vector2 has it";
        as_string_name: 3, "expected text for a StringName, found an integer";
        as_string_name: vec!["a"], "expected text for a StringName, found a sequence";
        as_node_path: "a::b", "\"a::b\" is not a NodePath, since a subname is empty";
    }
}

/// One value for each type of serde's data model.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Bool,
    Int,
    Float,
    Text,
    Char,
    Bytes,
    None,
    Unit,
    UnitStruct,
    UnitVariant,
    NewtypeVariant,
    TupleVariant,
    StructVariant,
    Sequence,
    Tuple,
    TupleStruct,
    Map,
    Struct,
}

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool => output.serialize_bool(true),
            Self::Int => output.serialize_i32(1),
            Self::Float => output.serialize_f64(0.5),
            Self::Text => output.serialize_str("a"),
            Self::Char => output.serialize_char('a'),
            Self::Bytes => output.serialize_bytes(&[0; 4]),
            Self::None => output.serialize_none(),
            Self::Unit => output.serialize_unit(),
            Self::UnitStruct => output.serialize_unit_struct("T"),
            Self::UnitVariant => output.serialize_unit_variant("T", 0, "a"),
            Self::NewtypeVariant => output.serialize_newtype_variant("T", 0, "a", &1),
            Self::TupleVariant => output.serialize_tuple_variant("T", 0, "a", 0)?.end(),
            Self::StructVariant => output.serialize_struct_variant("T", 0, "a", 0)?.end(),
            Self::Sequence => output.serialize_seq(Some(0))?.end(),
            Self::Tuple => output.serialize_tuple(0)?.end(),
            Self::TupleStruct => output.serialize_tuple_struct("T", 0)?.end(),
            Self::Map => output.serialize_map(Some(0))?.end(),
            Self::Struct => output.serialize_struct("T", 0)?.end(),
        }
    }
}

/// A newtype with this name.
struct Named<T>(&'static str, T);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_newtype_struct(self.0, &self.1)
    }
}

/// A mark takes the types that have what it needs. For any other type the error has the words of both.
#[test]
fn marks_name_the_type_that_they_refuse() {
    use Form::*;
    const FORMS: [(Form, &str); 18] = [
        (Bool, "a bool"),
        (Int, "an integer"),
        (Float, "a float"),
        (Text, "text"),
        (Char, "a character"),
        (Bytes, "bytes"),
        (None, "nothing"),
        (Unit, "a unit"),
        (UnitStruct, "a unit"),
        (UnitVariant, "a variant"),
        (NewtypeVariant, "a variant"),
        (TupleVariant, "a variant"),
        (StructVariant, "a variant"),
        (Sequence, "a sequence"),
        (Tuple, "a tuple"),
        (TupleStruct, "a tuple"),
        (Map, "a map"),
        (Struct, "a struct"),
    ];
    // The name of a newtype, what it needs, and the types that it takes, with the kind that is written.
    let marks: [(&str, &str, &[Form], Kind); 6] = [
        (
            "$variant::StringName",
            "text for a StringName",
            &[Text, Char, None, UnitVariant],
            Kind::StringName,
        ),
        (
            "$variant::NodePath",
            "text for a NodePath",
            &[Text, Char, None, UnitVariant],
            Kind::NodePath,
        ),
        (
            "$variant::Array[Int]",
            "a sequence for an Array of int",
            &[None, Sequence, Tuple, TupleStruct],
            Kind::Array,
        ),
        (
            "$variant::PackedStringArray",
            "a sequence for a PackedStringArray",
            &[None, Sequence, Tuple, TupleStruct],
            Kind::PackedStringArray,
        ),
        ("$variant::Raw", "the bytes of a value", &[Bytes], Kind::Nil),
        ("$variant::Variant, without a loss", "a Variant", &[], Kind::Nil),
    ];
    for (mark, needs, takes, kind) in marks {
        for (form, name) in FORMS {
            let value = Named(mark, form);
            if takes.contains(&form) {
                let kind = if form == None { Kind::Nil } else { kind };
                assert_eq!(
                    to_variant(&value, Dialect::Godot4).unwrap().kind(),
                    kind,
                    "{mark} {form:?}"
                );
                continue;
            }
            let is_whole = takes.is_empty() && name == "a unit";
            let name = if is_whole { "unit" } else { name };
            let expected = format!("expected {needs}, found {name}");
            assert_eq!(refused(&value, Dialect::Godot4), expected, "{mark} {form:?}");
            let owned = to_variant(&value, Dialect::Godot4).unwrap_err();
            assert_eq!(owned.to_string(), expected, "{mark} {form:?}");
        }
    }
    // Each text of a packed array is one text.
    for (form, name) in FORMS {
        let error = match form {
            Text | Char | UnitVariant => continue,
            None => "[1]: a text of a PackedStringArray is missing".to_owned(),
            _ => format!("[1]: expected text for a String, found {name}"),
        };
        let texts = Named("$variant::PackedStringArray", [Text, form]);
        assert_eq!(refused(&texts, Dialect::Godot4), error, "{form:?}");
    }
}

/// A type that wrongly claims to be a point.
#[derive(Serialize)]
struct Wrong(Vec<f32>);

impl PackedItem for Wrong {
    const KIND: Kind = Kind::PackedVector2Array;
}

impl TypedItem for Wrong {
    const KIND: Kind = Kind::Dictionary;
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

/// A map that writes keys and values one by one, as a type may that has no pairs.
struct Apart(u64);

impl Serialize for Apart {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        let mut map = output.serialize_map(None)?;
        for (key, value) in [("a", 1), ("b", self.0)] {
            map.serialize_key(key)?;
            map.serialize_value(&value)?;
        }
        map.end()
    }
}

#[test]
fn keys_and_values_apart_are_pairs() {
    let pairs = BTreeMap::from([("a", 1), ("b", 7)]);
    for dialect in [Dialect::Godot3, Dialect::Godot4] {
        assert_eq!(to_vec(&Apart(7), dialect).unwrap(), to_vec(&pairs, dialect).unwrap());
        assert_eq!(to_variant(&Apart(7), dialect).unwrap(), to_variant(&pairs, dialect).unwrap());
    }
    assert_eq!(refused(&Apart(u64::MAX), Dialect::Godot4), format!("{{1}}: {INT}"));
}

#[test]
fn streams_receive_all_bytes_or_their_error_is_returned() {
    let value = (1, "two");
    let bytes = to_vec(&value, Dialect::Godot4).unwrap();
    let mut stream = Vec::new();
    assert_eq!(to_writer(&value, Dialect::Godot4, &mut stream).unwrap(), bytes.len());
    assert_eq!(stream, bytes);
    let error = to_writer(&value, Dialect::Godot4, &mut [0; 4][..]).unwrap_err();
    assert_eq!(error.to_string(), "failed to write whole buffer");
}

#[test]
fn a_variant_that_the_dialect_lacks_is_refused() {
    let tile: Variant = "Vector2i(1, 2)".parse().unwrap();
    let lacking = "[0]: there is no Vector2i in this dialect (godot3)";
    assert_eq!(refused(&[tile], Dialect::Godot3), lacking);
}

/// The bytes of a page's layout are written for that page. The bytes have no name that a writer of another layout
/// knows, so it reads them by its layout.
#[test]
fn raw_values_of_a_page_are_written_for_that_page() {
    let bytes = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    let raw = RawValue::new(&bytes, Options::documented(Page::Godot30)).unwrap();
    assert_eq!(raw.document().root().unwrap().as_i64(), Ok(7));
    assert_eq!(to_vec(&raw, EncodeOptions::documented(Page::Godot30)).unwrap(), bytes);
    assert_eq!(refused(&raw, Dialect::Godot4), "bytes follow the value");
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
    let failed = Source::new(&[u64::MAX], Dialect::Godot3).feed(&mut writer);
    let Err(FeedError::Producer(error)) = failed else { panic!("no consumer refuses a list") };
    assert_eq!(error.to_string(), format!("[0]: {INT}"));
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
