//! The types that a running engine reports for each field: `typeof()` of the written values.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may stop, and tells what it was told"
)]

use std::collections::BTreeMap;

use serde::Serialize;
use variant_serde::*;
use variant_testkit::live::{Ask, Input, LiveEngine, engines};
use variant_view::{Dialect, Kind};

/// Fields of every kind that Godot 3 has, named by kind so that answers can be distinguished.
#[derive(Serialize)]
struct Fields {
    nil: Option<u8>,
    bool: bool,
    int: u32,
    int64: i64,
    float: f32,
    double: f64,
    string: &'static str,
    unit_variant: Order,
    variant: Order,
    array: (bool, &'static str, i32),
    dictionary: BTreeMap<i32, bool>,
    #[serde(with = "as_string_name")]
    string_name: &'static str,
    node_path: NodePath<&'static str>,
    #[serde(with = "as_vector2")]
    vector2: [f32; 2],
    #[serde(with = "as_rect2")]
    rect2: [[f32; 2]; 2],
    #[serde(with = "as_vector3")]
    vector3: (f32, f32, f32),
    #[serde(with = "as_transform2d")]
    transform2d: [[f32; 2]; 3],
    #[serde(with = "as_plane")]
    plane: ([f32; 3], f32),
    #[serde(with = "as_quaternion")]
    quaternion: [f32; 4],
    #[serde(with = "as_aabb")]
    aabb: [[f32; 3]; 2],
    #[serde(with = "as_basis")]
    basis: [[f32; 3]; 3],
    #[serde(with = "as_transform3d")]
    transform3d: [[f32; 3]; 4],
    #[serde(with = "as_color")]
    color: [f32; 4],
    bytes: PackedArray<[u8; 3]>,
    ints: PackedArray<Vec<i32>>,
    floats: PackedArray<Vec<f32>>,
    strings: PackedArray<Vec<&'static str>>,
    vectors2: PackedArray<Vec<[f32; 2]>>,
    vectors3: PackedArray<Vec<[f32; 3]>>,
    typed: TypedArray<Vec<i32>>,
}

/// Fields of the other kinds of Godot 4.
#[derive(Serialize)]
struct MoreFields {
    #[serde(with = "as_vector2i")]
    vector2i: [i32; 2],
    #[serde(with = "as_rect2i")]
    rect2i: [[i32; 2]; 2],
    #[serde(with = "as_vector3i")]
    vector3i: [i32; 3],
    #[serde(with = "as_vector4")]
    vector4: [f32; 4],
    #[serde(with = "as_vector4i")]
    vector4i: [i32; 4],
    #[serde(with = "as_projection")]
    projection: [[f32; 4]; 4],
    ints64: PackedArray<Vec<i64>>,
    floats64: PackedArray<Vec<f64>>,
    vectors4: PackedArray<Vec<[f32; 4]>>,
    typed_names: TypedArray<Vec<StringName<&'static str>>>,
    typed_vectors: TypedArray<Vec<[f32; 3]>>,
}

#[derive(Serialize)]
enum Order {
    Stop,
    Move { to: u32 },
}

/// The expected kind of each field, and the expected declared kind of its elements.
const FIELDS: &[(&str, Kind, Kind)] = &[
    ("nil", Kind::Nil, Kind::Nil),
    ("bool", Kind::Bool, Kind::Nil),
    ("int", Kind::Int, Kind::Nil),
    ("int64", Kind::Int, Kind::Nil),
    ("float", Kind::Float, Kind::Nil),
    ("double", Kind::Float, Kind::Nil),
    ("string", Kind::String, Kind::Nil),
    ("unit_variant", Kind::String, Kind::Nil),
    ("variant", Kind::Dictionary, Kind::Nil),
    ("array", Kind::Array, Kind::Nil),
    ("dictionary", Kind::Dictionary, Kind::Nil),
    ("string_name", Kind::StringName, Kind::Nil),
    ("node_path", Kind::NodePath, Kind::Nil),
    ("vector2", Kind::Vector2, Kind::Nil),
    ("rect2", Kind::Rect2, Kind::Nil),
    ("vector3", Kind::Vector3, Kind::Nil),
    ("transform2d", Kind::Transform2D, Kind::Nil),
    ("plane", Kind::Plane, Kind::Nil),
    ("quaternion", Kind::Quaternion, Kind::Nil),
    ("aabb", Kind::Aabb, Kind::Nil),
    ("basis", Kind::Basis, Kind::Nil),
    ("transform3d", Kind::Transform3D, Kind::Nil),
    ("color", Kind::Color, Kind::Nil),
    ("bytes", Kind::PackedByteArray, Kind::Nil),
    ("ints", Kind::PackedInt32Array, Kind::Nil),
    ("floats", Kind::PackedFloat32Array, Kind::Nil),
    ("strings", Kind::PackedStringArray, Kind::Nil),
    ("vectors2", Kind::PackedVector2Array, Kind::Nil),
    ("vectors3", Kind::PackedVector3Array, Kind::Nil),
    ("typed", Kind::Array, Kind::Int),
];

const MORE_FIELDS: &[(&str, Kind, Kind)] = &[
    ("vector2i", Kind::Vector2i, Kind::Nil),
    ("rect2i", Kind::Rect2i, Kind::Nil),
    ("vector3i", Kind::Vector3i, Kind::Nil),
    ("vector4", Kind::Vector4, Kind::Nil),
    ("vector4i", Kind::Vector4i, Kind::Nil),
    ("projection", Kind::Projection, Kind::Nil),
    ("ints64", Kind::PackedInt64Array, Kind::Nil),
    ("floats64", Kind::PackedFloat64Array, Kind::Nil),
    ("vectors4", Kind::PackedVector4Array, Kind::Nil),
    ("typed_names", Kind::Array, Kind::StringName),
    ("typed_vectors", Kind::Array, Kind::Vector3),
];

const ALL: Fields = Fields {
    nil: None,
    bool: true,
    int: 7,
    int64: i64::MIN,
    float: 1.5,
    double: 0.1,
    string: "axe",
    unit_variant: Order::Stop,
    variant: Order::Move { to: 7 },
    array: (true, "run", 3),
    dictionary: BTreeMap::new(),
    string_name: "jump",
    node_path: NodePath("/root/Main:position"),
    vector2: [1.0, 2.0],
    rect2: [[1.0, 2.0]; 2],
    vector3: (1.0, 2.0, 3.0),
    transform2d: [[1.0, 0.0], [0.0, 1.0], [5.0, 6.0]],
    plane: ([0.0, 1.0, 0.0], 2.0),
    quaternion: [0.0, 0.0, 0.0, 1.0],
    aabb: [[1.0, 2.0, 3.0]; 2],
    basis: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    transform3d: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [7.0, 8.0, 9.0]],
    color: [1.0, 0.5, 0.0, 1.0],
    bytes: PackedArray([1, 2, 255]),
    ints: PackedArray(Vec::new()),
    floats: PackedArray(Vec::new()),
    strings: PackedArray(Vec::new()),
    vectors2: PackedArray(Vec::new()),
    vectors3: PackedArray(Vec::new()),
    typed: TypedArray(Vec::new()),
};

fn more() -> MoreFields {
    MoreFields {
        vector2i: [1, 2],
        rect2i: [[1, 2]; 2],
        vector3i: [1, 2, 3],
        vector4: [1.0; 4],
        vector4i: [1; 4],
        projection: [[1.0; 4]; 4],
        ints64: PackedArray(vec![i64::MAX]),
        floats64: PackedArray(vec![0.1]),
        vectors4: PackedArray(vec![[1.0; 4]]),
        typed_names: TypedArray(vec![StringName("jump")]),
        typed_vectors: TypedArray(vec![[1.0; 3]]),
    }
}

/// The number of a kind in the engine; `String` for a `StringName` that the dialect lacks.
fn number(dialect: Dialect, kind: Kind) -> u8 {
    let id = dialect
        .id(kind)
        .or_else(|| (kind == Kind::StringName).then(|| dialect.id(Kind::String)).flatten());
    id.unwrap_or_else(|| panic!("{dialect} has no {kind}"))
}

/// Asks for the type of each field of `value`.
fn check<T: Serialize>(engine: &LiveEngine, value: &T, fields: &[(&str, Kind, Kind)]) {
    let dialect = engine.dialect();
    let bytes = to_vec(value, dialect).unwrap();
    let answers = engine.ask(&[Input { ask: Ask::Types, ..Input::value(bytes) }]).unwrap();
    let types = str::from_utf8(answers[0].written().unwrap()).unwrap();
    println!("{}:\n{types}", engine.name());
    let has_types = dialect == Dialect::Godot4;
    let expected = fields.iter().map(|&(name, kind, element)| {
        // Pandemonium 5 has a separate type for such arrays.
        let is_apart = element != Kind::Nil && dialect.id(Kind::TypedArray).is_some();
        let kind = if is_apart { Kind::TypedArray } else { kind };
        let element = if has_types { number(dialect, element) } else { 0 };
        format!("{name} {} {element}\n", number(dialect, kind))
    });
    let expected: String = expected.collect();
    assert_eq!(types, expected, "{}", engine.name());
}

#[test]
#[ignore = "needs engines that run"]
fn each_field_is_of_the_type_that_was_asked_for() {
    for engine in engines() {
        check(engine, &ALL, FIELDS);
        if engine.dialect() == Dialect::Godot4 {
            check(engine, &more(), MORE_FIELDS);
        }
    }
}
