//! Types of Rust from owned values, and owned values from any deserializer, through serde.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::marker::PhantomData;

use serde::de::value::{
    BytesDeserializer, EnumAccessDeserializer, Error as ValueError, I128Deserializer,
    MapAccessDeserializer, MapDeserializer, StrDeserializer, U128Deserializer,
};
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use variant_owned::json::{self, Form};
use variant_owned::{
    DeserializeError, DeserializeErrorKind, ElementType, Image, InputEvent, NodePath, Object,
    Signal, Text, Variant, array, dictionary,
};
use variant_view::{Dialect, Document, Kind, Vector2};

use crate::serde::floats;

/// The value of this kind that is made of the numbers 1, 2, 3 and so on.
fn of_numbers(kind: Kind, count: usize) -> Variant {
    let numbers: Vec<usize> = (1..=count).collect();
    let text = format!(r#"{{"t":"{kind}","v":{numbers:?}}}"#);
    let parsed = json::documents(&text, Form::Exact).next().unwrap().unwrap();
    let dialect = [Dialect::Godot4, Dialect::Pandemonium5]
        .into_iter()
        .find(|dialect| dialect.id(kind).is_some());
    let bytes = parsed.encode(dialect.unwrap()).unwrap();
    Variant::from_document(&Document::new(&bytes, dialect.unwrap())).unwrap()
}

/// A field of a mathematical value, asked for as a map: a number, or a map of numbers.
#[derive(serde::Serialize)]
struct Part(serde_json::Value);

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Take;
        impl<'de> Visitor<'de> for Take {
            type Value = serde_json::Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a map of numbers")
            }
            fn visit_i64<E>(self, number: i64) -> Result<serde_json::Value, E> {
                Ok(number.into())
            }
            fn visit_f64<E>(self, number: f64) -> Result<serde_json::Value, E> {
                Ok(number.into())
            }
            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<serde_json::Value, A::Error> {
                let mut all = serde_json::Map::new();
                while let Some((name, number)) = map.next_entry::<String, f64>()? {
                    assert_eq!(
                        map.size_hint().is_some(),
                        all.insert(name, number.into()).is_none()
                    );
                }
                Ok(all.into())
            }
        }
        from.deserialize_map(Take).map(Self)
    }
}

/// A mathematical value as maps is what is serialized, and as a sequence it is all its numbers.
#[test]
fn mathematical_values_are_read_as_maps_and_as_numbers() {
    let mut seen = 0;
    for &kind in Kind::ALL {
        let Some(shape) = kind.shape().filter(|shape| !shape.is_packed && !shape.parts.is_empty())
        else {
            continue;
        };
        let count = usize::from(shape.count);
        let value = of_numbers(kind, count);
        let fields = BTreeMap::<String, Part>::deserialize(&value).unwrap();
        let expected = floats(serde_json::to_value(&value).unwrap());
        assert_eq!(floats(serde_json::to_value(fields).unwrap()), expected, "{kind}");
        let all: Vec<f64> = (1_u32..).take(count).map(f64::from).collect();
        assert_eq!(Vec::<f64>::deserialize(&value).unwrap(), all, "{kind}");
        // A type that accepts anything takes the groups as sequences.
        let any = serde_json::Value::deserialize(&value).unwrap();
        let groups = any.as_array().unwrap().iter();
        let flat: Vec<f64> = groups
            .flat_map(|part| match part.as_array() {
                Some(part) => part.iter().filter_map(serde_json::Value::as_f64).collect(),
                None => vec![part.as_f64().unwrap()],
            })
            .collect();
        assert_eq!(flat, all, "{kind}");
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

#[derive(Debug, Deserialize, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Pair(f64, f64);

#[derive(Debug, Deserialize, PartialEq)]
struct Area<P> {
    position: P,
    size: P,
}

/// A part of a value is read as a struct, a tuple struct, an array or a sequence.
#[test]
fn parts_are_read_by_name_and_by_place() {
    let value = of_numbers(Kind::Rect2, 4);
    let points = Area { position: Point { x: 1.0, y: 2.0 }, size: Point { x: 3.0, y: 4.0 } };
    assert_eq!(Area::deserialize(&value).unwrap(), points);
    let pairs = Area { position: Pair(1.0, 2.0), size: Pair(3.0, 4.0) };
    assert_eq!(Area::deserialize(&value).unwrap(), pairs);
    let arrays = Area { position: [1.0, 2.0], size: [3.0, 4.0] };
    assert_eq!(Area::deserialize(&value).unwrap(), arrays);
    let lists = Area { position: vec![1.0, 2.0], size: vec![3.0, 4.0] };
    assert_eq!(Area::deserialize(&value).unwrap(), lists);
    let elements: Variant = Variant::from([Vector2 { x: 1.0_f32, y: 2.0 }]);
    assert_eq!(Vec::<Point>::deserialize(&elements).unwrap(), [points.position]);
    assert_eq!(Vec::<Pair>::deserialize(&elements).unwrap(), [pairs.position]);
}

/// Reads the number 1 in a field of a value as a type.
fn first<T: DeserializeOwned>() -> T {
    let mut all =
        BTreeMap::<String, T>::deserialize(&of_numbers(Kind::Vector2i, 2)).unwrap_or_default();
    if let Some(first) = all.remove("x") {
        return first;
    }
    panic!("no field of this type")
}

#[test]
fn a_field_is_read_as_every_type_of_number() {
    assert_eq!((first::<i8>(), first::<i16>(), first::<i32>(), first::<i64>()), (1, 1, 1, 1));
    assert_eq!((first::<u8>(), first::<u16>(), first::<u32>(), first::<u64>()), (1, 1, 1, 1));
    assert_eq!((first::<i128>(), first::<u128>()), (1, 1));
    assert_eq!((first::<f32>(), first::<f64>()), (1.0, 1.0));
    assert_eq!((first::<Option<u8>>(), first::<serde_json::Value>()), (Some(1), 1.into()));
}

/// An integer is read from a float that is whole and in range, and a float from an integer that
/// it equals.
#[test]
fn a_number_is_read_as_a_type_that_holds_it() {
    const LOWEST: f64 = -9_223_372_036_854_775_808.0;
    for (float, int) in [
        (2.0, Some(2)),
        (-0.0, Some(0)),
        (-3.0, Some(-3)),
        (9_223_372_036_854_774_784.0, Some(9_223_372_036_854_774_784)),
        (LOWEST, Some(i64::MIN)),
        (2.5, None),
        (-0.5, None),
        (-LOWEST, None),
        (LOWEST * 2.0, None),
        (1e300, None),
        (f64::INFINITY, None),
        (f64::NEG_INFINITY, None),
        (f64::NAN, None),
    ] {
        assert_eq!(i64::deserialize(&Variant::from(float)).ok(), int, "{float}");
    }
    assert_eq!(failure::<u8>(2.5).to_string(), "expected u8, found float 2.5");
    for (int, single, double) in [
        (3_i64, Some(3.0), Some(3.0)),
        (-(1 << 24), Some(-16_777_216.0), Some(-16_777_216.0)),
        ((1 << 24) + 1, None, Some(16_777_217.0)),
        ((1 << 53) + 1, None, None),
        (i64::MIN, Some(-9_223_372_036_854_775_808.0), Some(LOWEST)),
        (i64::MAX, None, None),
    ] {
        let value = Variant::from(int);
        assert_eq!(f32::deserialize(&value).ok(), single, "{int}");
        assert_eq!(f64::deserialize(&value).ok(), double, "{int}");
    }
    // A float becomes the nearest `f32`, unless it is too large.
    for (float, single) in [
        (2.5, Some(2.5)),
        (0.1, Some(0.1)),
        (1e39, None),
        (-1e39, None),
        (f64::NEG_INFINITY, Some(f32::NEG_INFINITY)),
    ] {
        let value = Variant::from(float);
        assert_eq!(f32::deserialize(&value).ok(), single, "{float}");
        assert_eq!(f64::deserialize(&value).ok(), Some(float), "{float}");
    }
    assert!(f32::deserialize(&Variant::from(f64::NAN)).unwrap().is_nan());
}

/// Nil and a null object are nothing to every type. A callable is nothing only where nothing else
/// is accepted.
#[test]
fn nothing_is_read_as_nothing() {
    for nothing in [Variant::Nil, Object::Null.into()] {
        assert_eq!(Option::<i64>::deserialize(&nothing).unwrap(), None);
        assert_eq!(serde_json::Value::deserialize(&nothing).unwrap(), serde_json::Value::Null);
        <()>::deserialize(&nothing).unwrap();
        let list = Variant::from(array![nothing, 5]);
        assert_eq!(Vec::<Option<i64>>::deserialize(&list).unwrap(), [None, Some(5)]);
    }
    let call = Variant::Callable;
    assert_eq!(serde_json::Value::deserialize(&call).unwrap(), serde_json::Value::Null);
    for something in [0.into(), false.into(), "".into(), Object::Id(1).into(), call] {
        let found = Option::<Variant>::deserialize(&something).unwrap();
        assert_eq!(found.as_ref(), Some(&something));
        assert_eq!(<()>::deserialize(&something).is_ok(), something == Variant::Callable);
    }
}

/// A value inside of any type is the same value, also of a kind that other formats lack.
#[test]
fn a_value_is_handed_over_whole() {
    let mut typed = array![1];
    typed.set_element_type(ElementType::Builtin(Kind::Int));
    for value in [
        Variant::Rid(9),
        Variant::StringName("jump".into()),
        NodePath::parse("a/b:c").into(),
        Vector2 { x: 1.0_f32, y: 2.0 }.into(),
        Variant::PackedByteArray(vec![1, 255]),
        Variant::Signal(Box::new(Signal { name: "hit".into(), object_id: 7 })),
        Variant::Callable,
        Object::Null.into(),
        Object::Id(9).into(),
        typed.into(),
    ] {
        assert_eq!(Variant::deserialize(&value).unwrap(), value);
        let list = Variant::from(array![value.clone()]);
        assert_eq!(Vec::<Variant>::deserialize(&list).unwrap(), std::slice::from_ref(&value));
        let fields = Variant::from(dictionary! { "data" => value.clone() });
        let all = BTreeMap::<String, Option<Variant>>::deserialize(&fields).unwrap();
        let is_nothing = value == Variant::from(Object::Null);
        assert_eq!(all["data"], (!is_nothing).then_some(value));
    }
}

/// A path is read as the text that the engine prints, and as the variant of an enum with this name.
/// The text is borrowed if it is the only name of the path.
#[test]
fn a_path_is_read_as_text() {
    #[derive(Debug, Deserialize, PartialEq)]
    enum Place {
        Main,
        #[serde(rename = "/root/Main:x")]
        X,
    }
    for (path, place) in [
        ("Main", Some(Place::Main)),
        ("/root/Main:x", Some(Place::X)),
        ("/Main", None),
        ("a/b", None),
        ("/root/Main:position:x", None),
        ("Main:x", None),
        (":x", None),
        ("", None),
    ] {
        let value = Variant::from(NodePath::parse(path));
        assert_eq!(String::deserialize(&value).unwrap(), path);
        assert_eq!(serde_json::Value::deserialize(&value).unwrap(), path);
        assert_eq!(<&str>::deserialize(&value).ok(), (path == "Main").then_some(path), "{path}");
        assert_eq!(Place::deserialize(&value).ok(), place, "{path}");
    }
}

/// Bytes, as serde reads them.
#[derive(Debug, PartialEq)]
struct Bytes<const IS_OWNED: bool>(Vec<u8>);

impl<'de, const IS_OWNED: bool> Deserialize<'de> for Bytes<IS_OWNED> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Take;
        impl Visitor<'_> for Take {
            type Value = Vec<u8>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
        }
        let bytes =
            if IS_OWNED { from.deserialize_byte_buf(Take) } else { from.deserialize_bytes(Take) };
        bytes.map(Self)
    }
}

/// Image and event with payload.
fn with_data() -> [Variant; 2] {
    let image = Image { format: 5, mipmaps: 0, width: 1, height: 1, data: vec![1, 2, 255] };
    let event = InputEvent { event: 0, device: 3, payload: vec![1, 2, 255] };
    [Variant::Image(Box::new(image)), Variant::InputEvent(Box::new(event))]
}

#[test]
fn data_is_read_as_bytes_and_as_numbers() {
    #[derive(Deserialize)]
    struct Data<B> {
        data: B,
    }
    for value in with_data() {
        assert_eq!(Data::<Bytes<true>>::deserialize(&value).unwrap().data.0, [1, 2, 255]);
        assert_eq!(Data::<Bytes<false>>::deserialize(&value).unwrap().data.0, [1, 2, 255]);
        assert_eq!(Data::<Vec<u8>>::deserialize(&value).unwrap().data, [1, 2, 255]);
        assert_eq!(
            Data::<Option<Vec<u8>>>::deserialize(&value).unwrap().data,
            Some(vec![1, 2, 255])
        );
    }
    let signal = Variant::Signal(Box::new(Signal { name: "hit".into(), object_id: 7 }));
    let error = BTreeMap::<String, Bytes<false>>::deserialize(&signal).unwrap_err();
    assert!(error.message().contains("expected bytes"), "{error}");
}

#[test]
fn properties_are_read_as_a_map() {
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("hp", 7);
    let all = BTreeMap::<String, Variant>::deserialize(&Variant::from(object)).unwrap();
    assert_eq!(all, BTreeMap::from([("@class".into(), "Node".into()), ("hp".into(), 7.into())]));
}

/// The keys of a map, read by the `Deserializer` method for a struct.
struct StructKeys<K>(Vec<K>);

impl<'de, K: Deserialize<'de>> Deserialize<'de> for StructKeys<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Take<K>(PhantomData<K>);
        impl<'de, K: Deserialize<'de>> Visitor<'de> for Take<K> {
            type Value = Vec<K>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a struct")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<K>, A::Error> {
                let mut keys = Vec::new();
                assert_eq!(map.size_hint(), Some(3));
                while let Some((key, _)) = map.next_entry::<K, serde::de::IgnoredAny>()? {
                    keys.push(key);
                }
                assert_eq!(map.size_hint(), Some(0));
                Ok(keys)
            }
        }
        from.deserialize_struct("S", &["a"], Take(PhantomData)).map(Self)
    }
}

/// Keys of a struct are names: other keys than text are in brackets, and damaged text is shown.
#[test]
fn keys_of_a_struct_are_names() {
    let damaged = Variant::String(Text::from_bytes(b"b\xff"));
    let value = Variant::from(dictionary! { "a" => 1, 5 => 2, damaged => 3 });
    let names = ["a", "[5]", "b\u{fffd}"];
    assert_eq!(StructKeys::<String>::deserialize(&value).unwrap().0, names);
    let texts = StructKeys::<Box<str>>::deserialize(&value).unwrap().0;
    assert!(texts.iter().map(|text| &**text).eq(names));
    let sound = Variant::from(dictionary! { "a" => 1, 5 => 2, true => 3 });
    let keys = StructKeys::<Variant>::deserialize(&sound).unwrap().0;
    assert_eq!(keys, [Variant::from("a"), 5.into(), true.into()]);
    let texts = Variant::from(dictionary! { "a" => 1, "b" => 2, "c" => 3 });
    assert_eq!(StructKeys::<&str>::deserialize(&texts).unwrap().0, ["a", "b", "c"]);
}

/// Records the size hint before each part and after the last.
struct Hints<'h>(&'h mut Vec<Option<usize>>);

impl<'de> Visitor<'de> for Hints<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parts")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        loop {
            self.0.push(parts.size_hint());
            if parts.next_element::<serde::de::IgnoredAny>()?.is_none() {
                return Ok(());
            }
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        loop {
            self.0.push(parts.size_hint());
            if parts.next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?.is_none() {
                return Ok(());
            }
        }
    }
}

type Ask = fn(&Variant, Hints<'_>) -> Result<(), DeserializeError>;

const SEQ: Ask = |value, hints| value.deserialize_seq(hints);
const PAIR: Ask = |value, hints| value.deserialize_tuple(2, hints);
const MAP: Ask = |value, hints| value.deserialize_map(hints);
const STRUCT: Ask = |value, hints| value.deserialize_struct("", &["a", "b"], hints);

#[test]
fn size_hints_count_the_parts_that_are_left() {
    let mut object = Object::new("Node");
    for name in ["a", "b"] {
        object.properties_mut().unwrap().push(name, 1);
    }
    let rect = of_numbers(Kind::Rect2, 4);
    let object = Variant::from(object);
    let rows: [(Variant, Ask, &[usize]); 8] = [
        (array![7, 8, 9].into(), SEQ, &[3, 2, 1, 0]),
        (dictionary! { 1 => 2, 3 => 4 }.into(), MAP, &[2, 1, 0]),
        (dictionary! { "a" => 2, "c" => 4 }.into(), STRUCT, &[2, 1, 0]),
        (object.clone(), STRUCT, &[2, 1, 0]),
        // The class is a part too.
        (object, MAP, &[3, 2, 1, 0]),
        (rect.clone(), SEQ, &[4, 3, 2, 1, 0]),
        (rect.clone(), PAIR, &[2, 1, 0]),
        (rect, MAP, &[2, 1, 0]),
    ];
    for (value, ask, expected) in rows {
        let mut hints = Vec::new();
        ask(&value, Hints(&mut hints)).unwrap();
        let hints: Vec<usize> = hints.into_iter().map(Option::unwrap).collect();
        assert_eq!(hints, expected, "{value:?}");
    }
}

/// Asks for a value before the first key.
#[derive(Debug)]
struct Hasty;

impl<'de> Deserialize<'de> for Hasty {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Take;
        impl<'de> Visitor<'de> for Take {
            type Value = Hasty;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Hasty, A::Error> {
                map.next_value::<Variant>().map(|_| Hasty)
            }
        }
        from.deserialize_map(Take)
    }
}

/// `variant_serde::Packed` asks for borrowed bytes by this name.
#[derive(Debug, Deserialize)]
#[serde(rename = "$variant::PackedView")]
struct Packed(#[expect(dead_code, reason = "never read: there is no such value")] Vec<u8>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fieldless {}

#[derive(Debug, Deserialize)]
enum Never {}

#[derive(Debug, PartialEq, Deserialize)]
enum State {
    Idle,
    At(i8, i8),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Player {
    #[expect(dead_code, reason = "only errors are read")]
    hp: i8,
}

fn failure<T: DeserializeOwned + Debug>(value: impl Into<Variant>) -> DeserializeError {
    T::deserialize(&value.into()).unwrap_err()
}

fn texts(count: usize) -> Variant {
    Variant::PackedStringArray(vec!["a".into(); count])
}

#[test]
fn packed_texts_are_read_as_a_tuple_of_their_length() {
    assert_eq!(<[String; 2]>::deserialize(&texts(2)).unwrap(), ["a", "a"]);
    assert_eq!(<(String,)>::deserialize(&texts(1)).unwrap(), ("a".to_owned(),));
    assert_eq!(Vec::<String>::deserialize(&texts(3)).unwrap(), ["a", "a", "a"]);
}

#[test]
fn a_variant_of_an_enum_is_a_text_or_a_pair() {
    let at: Variant = dictionary! { "At" => array![1, 2] }.into();
    assert_eq!(State::deserialize(&at).unwrap(), State::At(1, 2));
    for idle in [Variant::from("Idle"), dictionary! { "Idle" => Variant::Nil }.into()] {
        assert_eq!(State::deserialize(&idle).unwrap(), State::Idle);
    }
}

/// Each kind of container counts as a level.
#[test]
fn levels_are_bounded_in_reading() {
    let in_array = |inner: Variant| array![inner].into();
    let in_dictionary = |inner: Variant| dictionary! { "a" => inner }.into();
    let in_object = |inner: Variant| {
        let mut object = Object::new("A");
        object.properties_mut().unwrap().push("a", inner);
        object.into()
    };
    let ways: [fn(Variant) -> Variant; 3] = [in_array, in_dictionary, in_object];
    for way in ways {
        let deep = (0..128).fold(Variant::from(1), |inner, _| way(inner));
        serde_json::Value::deserialize(&deep).unwrap();
        let error = failure::<serde_json::Value>(way(deep));
        assert_eq!(error.kind(), DeserializeErrorKind::TooDeep);
        assert_eq!(error.message(), "more levels than the deserializer allows");
    }
}

/// Each error has the path of its value, what was expected and what was found.
#[test]
fn errors_have_a_path_and_both_sides() {
    type Map<T> = BTreeMap<String, T>;
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("hp", "none");
    let long = "n".repeat(300);
    let nested = dictionary! { "list" => array![1, dictionary! { "hp" => 300 }] };
    for (error, text) in [
        (failure::<i8>("a"), "expected i8, found String"),
        (failure::<i8>(Variant::Rid(300)), "expected i8, found int 300"),
        (failure::<Map<Vec<Map<u8>>>>(nested), "list[0]: expected a map, found int"),
        (
            failure::<Vec<Map<u8>>>(array![dictionary! { "hp" => 300 }]),
            "[0].hp: expected u8, found int 300",
        ),
        (failure::<Player>(object.clone()), "hp: expected i8, found String"),
        (
            failure::<Map<i8>>(dictionary! { "a" => 1, long => "x" }),
            "{1}: expected i8, found String",
        ),
        (
            failure::<Player>(dictionary! { "mp" => 1 }),
            "{0:key}: unknown field `mp`, expected `hp`",
        ),
        (failure::<Player>(dictionary! { 5 => 1 }), "{0:key}: unknown field `[5]`, expected `hp`"),
        (
            failure::<Player>(dictionary! { "hp" => 1, "mp" => 1 }),
            "{1:key}: unknown field `mp`, expected `hp`",
        ),
        (
            failure::<Fieldless>(dictionary! { "hp" => 1 }),
            "{0:key}: unknown field `hp`, expected no fields",
        ),
        (failure::<Never>("Idle"), "unknown variant `Idle`, expected no variants"),
        (failure::<State>("On"), "unknown variant `On`, expected one of `Idle`, `At`"),
        (failure::<State>(dictionary! { "Idle" => 1 }), "Idle: expected unit, found int"),
        (failure::<[String; 2]>(texts(3)), "expected 2 elements, found 3"),
        (failure::<[String; 2]>(texts(1)), "expected 2 elements, found 1"),
        (failure::<Player>(array![1, 2]), "expected 1 elements, found 2"),
        (failure::<Player>(dictionary! {}), "missing field `hp`"),
        (
            failure::<Map<Point>>(of_numbers(Kind::Vector2, 2)),
            "x: expected struct Point, found Vector2",
        ),
        (failure::<Area<f64>>(of_numbers(Kind::Rect2, 4)), "position: expected f64, found Rect2"),
        (
            failure::<Area<[f64; 3]>>(of_numbers(Kind::Rect2, 4)),
            "position: expected 3 elements, found 2",
        ),
        (failure::<Hasty>(dictionary! { "a" => 1 }), "a value was asked for before its key"),
        (failure::<Hasty>(of_numbers(Kind::Vector2, 2)), "a value was asked for before its key"),
        (failure::<Packed>("a"), "an owned value has no bytes to borrow: take a Variant, or a Vec"),
    ] {
        assert_eq!(error.to_string(), text);
        let (path, message) = text.split_once(": ").unwrap_or(("", text));
        if text.starts_with("an owned") {
            assert_eq!((error.path(), error.kind()), ("", DeserializeErrorKind::Message));
            continue;
        }
        assert_eq!((error.path(), &*error.message()), (path, message));
    }
    let error = failure::<BTreeMap<String, (Hasty, i8)>>(dictionary! { "in" => array![object, 1] });
    assert_eq!(error.to_string(), "in[0]: a value was asked for before its key");
}

/// A deserializer whose content is a whole buffer.
struct Buffer(Vec<u8>);

impl<'de> Deserializer<'de> for Buffer {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_byte_buf(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

fn from<'de>(deserializer: impl Deserializer<'de, Error = ValueError>) -> Result<Variant, String> {
    Variant::deserialize(deserializer).map_err(|error| error.to_string())
}

#[test]
fn a_value_takes_all_that_a_format_has() {
    let bytes = || Variant::PackedByteArray(vec![1, 255]);
    assert_eq!(from(I128Deserializer::new(-5)), Ok((-5).into()));
    assert_eq!(from(U128Deserializer::new(5)), Ok(5.into()));
    assert_eq!(from(BytesDeserializer::new(&[1, 255])), Ok(bytes()));
    assert_eq!(from(Buffer(vec![1, 255])), Ok(bytes()));
    assert_eq!(from(EnumAccessDeserializer::new(StrDeserializer::new("Idle"))), Ok("Idle".into()));
    assert_eq!(ron::from_str::<Variant>("None").unwrap(), Variant::Nil);
    assert_eq!(
        ron::from_str::<Variant>("Some([1, Some(2)])").unwrap(),
        Variant::from(array![1, 2])
    );
}

#[test]
fn what_a_value_cannot_hold_is_refused() {
    let wide =
        |value: &str| Err(format!("{value} does not fit into an integer of 64 bits with sign"));
    assert_eq!(from(I128Deserializer::new(-(1 << 70))), wide("-1180591620717411303424"));
    assert_eq!(from(U128Deserializer::new(1 << 63)), wide("9223372036854775808"));
    // An enum with content, and the name by which `variant-serde` passes a value, without that value.
    let with = |name: &'static str| {
        let pairs = MapDeserializer::<_, ValueError>::new([(name, "content")].into_iter());
        from(EnumAccessDeserializer::new(MapAccessDeserializer::new(pairs)))
    };
    assert!(with("Idle").unwrap_err().contains("expected unit"));
    assert!(with("$variant::Raw").unwrap_err().contains("expected the parts of a value"));
    assert!(DeserializeError::custom("any text").to_string() == "any text");
}
