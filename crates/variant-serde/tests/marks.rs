//! What the newtypes and modules that select a kind accept, and what they refuse.

use std::collections::BTreeMap;

use serde::de::IntoDeserializer;
use serde::{Serialize, Serializer};
use variant_owned::{Variant, encode};
use variant_serde::*;
use variant_view::{Dialect, Kind};

use crate::kinds::by;

/// The value that Godot 4 reads, as text.
#[track_caller]
fn written<T: Serialize>(value: &T) -> String {
    let owned = to_variant(value, Dialect::Godot4).unwrap();
    assert_eq!(encode(&owned, Dialect::Godot4).unwrap(), to_vec(value, Dialect::Godot4).unwrap());
    owned.to_string()
}

#[track_caller]
fn refused<T: Serialize>(value: &T) -> String {
    let owned = to_variant(value, Dialect::Godot4).unwrap_err().to_string();
    assert_eq!(owned, to_vec(value, Dialect::Godot4).unwrap_err().to_string());
    owned
}

#[derive(Serialize)]
enum Order {
    Stop,
    Pay(i32),
    Pair(i32, i32),
    Move { to: i32 },
}

impl TypedItem for Order {
    const KIND: Kind = Kind::Dictionary;
}

#[test]
fn an_option_without_a_value_is_nil() {
    assert_eq!(written(&by!(as_string_name: None::<&str>)), "null");
    assert_eq!(written(&by!(as_node_path: None::<&str>)), "null");
    assert_eq!(written(&by!(as_vector3: None::<[f32; 3]>)), "null");
    assert_eq!(written(&by!(as_packed: None::<Vec<f32>>)), "null");
    assert_eq!(written(&by!(as_packed: None::<Vec<String>>)), "null");
    assert_eq!(written(&by!(as_typed_array: None::<Vec<i32>>)), "null");
}

/// A packed array has no place for a null.
#[test]
fn a_packed_array_of_texts_lacks_none() {
    #[derive(Serialize)]
    struct Maybe(Option<&'static str>);
    impl PackedItem for Maybe {
        const KIND: Kind = Kind::PackedStringArray;
    }
    const ALL: [Maybe; 3] = [Maybe(Some("a")), Maybe(None), Maybe(Some("b"))];
    let missing = "[1]: a text of a PackedStringArray is missing";
    assert_eq!(refused(&by!(as_packed: ALL)), missing);
    assert_eq!(refused(&PackedArray(ALL)), missing);
    assert_eq!(written(&PackedArray([Maybe(Some("a"))])), "PackedStringArray(\"a\")");
}

#[test]
fn letters_and_variants_are_texts() {
    assert_eq!(written(&by!(as_string_name: 'a')), "&\"a\"");
    assert_eq!(written(&by!(as_string_name: Order::Stop)), "&\"Stop\"");
    assert_eq!(written(&by!(as_node_path: 'a')), "NodePath(\"a\")");
    assert_eq!(written(&by!(as_node_path: "")), "NodePath(\"\")");
    assert_eq!(written(&by!(as_packed: Some(vec!["a"]))), "PackedStringArray(\"a\")");
}

#[test]
fn elements_of_a_typed_array_may_be_options_and_variants() {
    const ORDERS: [Order; 3] = [Order::Pay(1), Order::Pair(2, 3), Order::Move { to: 4 }];
    #[derive(Serialize)]
    struct Maybe(Option<i32>);
    impl TypedItem for Maybe {
        const KIND: Kind = Kind::Int;
    }
    let all = written(&by!(as_typed_array: [Maybe(Some(3))]));
    assert_eq!(all, written(&TypedArray([3])));
    assert!(all.contains('3'), "{all}");
    let contents = BTreeMap::from([("Pay", 1)]);
    let first = to_variant(&by!(as_typed_array: [Order::Pay(1)]), Dialect::Godot4).unwrap();
    assert_eq!(first[0], to_variant(&contents, Dialect::Godot4).unwrap());
    let all = to_variant(&by!(as_typed_array: ORDERS), Dialect::Godot4).unwrap();
    assert_eq!((&all[1]["Pair"][1], &all[2]["Move"]["to"]), (&Variant::from(3), &4.into()));
    assert_eq!(
        refused(&by!(as_typed_array: [Order::Stop])),
        "[0]: expected Dictionary, found String"
    );
}

#[test]
fn a_unit_is_not_a_variant() {
    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    #[serde(rename = "$variant::Variant, without a loss")]
    struct Whole<T>(T);
    for error in [refused(&Whole(())), refused(&Whole(Unit))] {
        assert_eq!(error, "expected a Variant, found unit");
    }
}

#[test]
fn single_floats_are_counted_and_widened() {
    #[derive(Serialize)]
    struct Wide(f32);
    impl PackedItem for Wide {
        const KIND: Kind = Kind::PackedFloat64Array;
    }
    assert_eq!(written(&by!(as_vector3: [1.0_f32; 3])), "Vector3(1, 1, 1)");
    for (error, len) in
        [(refused(&by!(as_vector3: [1.0_f32; 2])), 2), (refused(&by!(as_vector3: [1.0_f32; 4])), 4)]
    {
        assert_eq!(error, format!("there are 3 numbers in a Vector3, and not {len}"));
    }
    let integers = "a Vector3i is made of integers, and not of floats";
    assert_eq!(refused(&by!(as_vector3i: [1.0_f32; 3])), integers);
    assert_eq!(
        written(&by!(as_packed: vec![Wide(0.5), Wide(1.0)])),
        written(&by!(as_packed: vec![0.5_f64, 1.0]))
    );
}

#[test]
fn bytes_are_numbers() {
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
            output.serialize_bytes(&[1, 2, 3])
        }
    }
    impl Items for Bytes {
        type Item = u8;
    }
    assert_eq!(written(&by!(as_packed: Bytes)), written(&PackedArray([1_u8, 2, 3])));
    assert_eq!(written(&by!(as_vector3i: Bytes)), "Vector3i(1, 2, 3)");
    assert_eq!(
        refused(&by!(as_vector3: Bytes)),
        "a Vector3 is made of floats, and not of integers"
    );
}

/// A struct of two fields with these names.
macro_rules! pair {
    ($name:ident: $first:ident $second:ident) => {
        #[derive(Serialize, Clone, Copy)]
        struct $name<T> {
            $first: T,
            $second: T,
        }
        impl<T> PackedItem for $name<T> {
            const KIND: Kind = Kind::PackedVector2Array;
        }
        impl<T: Copy> $name<T> {
            const fn of($first: T, $second: T) -> Self {
                Self { $first, $second }
            }
        }
    };
}

pair! { Point: x y }
pair! { Reversed: y x }
pair! { Foreign: width height }
pair! { Rect: position size }
pair! { ReversedRect: size position }

#[test]
fn fields_of_fields_are_where_the_kind_has_them() {
    const RECT: &str = "Rect2(1, 2, 3, 4)";
    const POINTS: [Point<f32>; 2] = [Point::of(1.0, 2.0), Point::of(3.0, 4.0)];
    const SIZES: [Foreign<f32>; 2] = [Foreign::of(1.0, 2.0), Foreign::of(3.0, 4.0)];
    const REVERSED: Reversed<f32> = Reversed::of(1.0, 2.0);
    assert_eq!(written(&by!(as_rect2: Rect::of(POINTS[0], POINTS[1]))), RECT);
    assert_eq!(written(&by!(as_rect2: Rect::of(SIZES[0], SIZES[1]))), RECT);
    assert_eq!(written(&by!(as_rect2: Foreign::of(POINTS[0], POINTS[1]))), RECT);
    assert_eq!(
        refused(&by!(as_rect2: ReversedRect::of(POINTS[0], POINTS[1]))),
        "the field size is not where a Rect2 has it"
    );
    assert_eq!(
        refused(&by!(as_rect2: Rect::of(REVERSED, REVERSED))),
        "the field y is not where a Rect2 has it"
    );
    let error = refused(&by!(as_packed: vec![REVERSED]));
    assert!(error.ends_with("the field y is not where a PackedVector2Array has it"), "{error}");
}

#[test]
fn fields_are_where_the_kind_has_them() {
    assert_eq!(written(&by!(as_vector2: Point::of(1.0_f32, 2.0))), "Vector2(1, 2)");
    assert_eq!(written(&by!(as_vector2: Foreign::of(1.0_f32, 2.0))), "Vector2(1, 2)");
    assert_eq!(
        refused(&by!(as_vector2: Reversed::of(1.0_f32, 2.0))),
        "the field y is not where a Vector2 has it"
    );
}

#[test]
fn structs_are_elements_of_a_packed_array() {
    #[derive(Serialize)]
    struct Short {
        x: f32,
    }
    impl PackedItem for Short {
        const KIND: Kind = Kind::PackedVector2Array;
    }
    let pairs = vec![[1.0_f32, 2.0], [3.0, 4.0]];
    assert_eq!(
        written(&by!(as_packed: vec![Point::of(1.0_f32, 2.0), Point::of(3.0, 4.0)])),
        written(&PackedArray(pairs))
    );
    assert_eq!(
        refused(&by!(as_packed: vec![Short { x: 1.0 }, Short { x: 2.0 }])),
        "[0]: there are 2 numbers in each element of a PackedVector2Array, and not 1"
    );
}

#[test]
fn errors_have_the_step_of_the_pair() {
    let by_name = BTreeMap::from([(StringName("a"), u64::MAX)]);
    let error = to_vec(&by_name, Dialect::Godot4).unwrap_err();
    assert_eq!(error.path(), "[&\"a\"]");
    let by_pair = BTreeMap::from([((1, 2), 0), ((3, 4), u64::MAX)]);
    assert_eq!(to_vec(&by_pair, Dialect::Godot4).unwrap_err().path(), "{1}");
    let in_key = BTreeMap::from([((1, 0), 0), ((3, u64::MAX), 0)]);
    assert_eq!(to_vec(&in_key, Dialect::Godot4).unwrap_err().path(), "{1:key}[1]");
}

#[test]
fn a_module_says_which_kind_it_reads() {
    let seven = || IntoDeserializer::<serde::de::value::Error>::into_deserializer(7_u32);
    let error = as_vector3::deserialize::<[f32; 3], _>(seven()).unwrap_err();
    assert_eq!(error.to_string(), "invalid type: integer `7`, expected a Vector3");
    let error = as_typed_array::deserialize::<Vec<i32>, _>(seven()).unwrap_err();
    assert_eq!(error.to_string(), "invalid type: integer `7`, expected a Array[Int]");
}
