//! Asks a running engine for the `typeof()` of each written field.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may panic, and prints the answers"
)]

use std::collections::BTreeMap;

use serde::Serialize;
use variant_serde::*;
use variant_testkit::live::{Ask, Input, LiveEngine, engines};
use variant_view::{Dialect, Kind};

/// Declares a struct, its value, and the kind of each field. The declared kind of the elements follows the kind of a
/// typed array.
macro_rules! fields {
    ($struct:ident: $(
        $name:ident $(as $with:literal)?: $type:ty = $value:expr, $kind:ident $($element:ident)?;
    )*) => {
        #[derive(Serialize)]
        struct $struct {
            $($(#[serde(with = $with)])? $name: $type,)*
        }

        impl $struct {
            const KINDS: &[(&str, Kind, Kind)] =
                &[$((stringify!($name), Kind::$kind, [$(Kind::$element,)? Kind::Nil][0])),*];

            fn new() -> Self {
                Self { $($name: $value),* }
            }
        }
    };
}

#[derive(Serialize)]
enum Order {
    Stop,
    Move { to: u32 },
}

// Every kind that Godot 3 has.
fields! { Fields:
    nil: Option<u8> = None, Nil;
    bool: bool = true, Bool;
    int: u32 = 7, Int;
    int64: i64 = i64::MIN, Int;
    float: f32 = 1.5, Float;
    double: f64 = 0.1, Float;
    string: &'static str = "axe", String;
    unit_variant: Order = Order::Stop, String;
    variant: Order = Order::Move { to: 7 }, Dictionary;
    array: (bool, &'static str, i32) = (true, "run", 3), Array;
    dictionary: BTreeMap<i32, bool> = BTreeMap::new(), Dictionary;
    string_name as "as_string_name": &'static str = "jump", StringName;
    node_path: NodePath<&'static str> = NodePath("/root/Main:position"), NodePath;
    vector2 as "as_vector2": [f32; 2] = [1.0, 2.0], Vector2;
    rect2 as "as_rect2": [[f32; 2]; 2] = [[1.0, 2.0]; 2], Rect2;
    vector3 as "as_vector3": (f32, f32, f32) = (1.0, 2.0, 3.0), Vector3;
    transform2d as "as_transform2d": [[f32; 2]; 3] = [[1.0, 2.0]; 3], Transform2D;
    plane as "as_plane": ([f32; 3], f32) = ([0.0, 1.0, 0.0], 2.0), Plane;
    quaternion as "as_quaternion": [f32; 4] = [0.0, 0.0, 0.0, 1.0], Quaternion;
    aabb as "as_aabb": [[f32; 3]; 2] = [[1.0, 2.0, 3.0]; 2], Aabb;
    basis as "as_basis": [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], Basis;
    transform3d as "as_transform3d": [[f32; 3]; 4] = [[1.0, 2.0, 3.0]; 4], Transform3D;
    color as "as_color": [f32; 4] = [1.0, 0.5, 0.0, 1.0], Color;
    bytes: PackedArray<[u8; 3]> = PackedArray([1, 2, 255]), PackedByteArray;
    ints: PackedArray<Vec<i32>> = PackedArray(Vec::new()), PackedInt32Array;
    floats: PackedArray<Vec<f32>> = PackedArray(Vec::new()), PackedFloat32Array;
    strings: PackedArray<Vec<&'static str>> = PackedArray(Vec::new()), PackedStringArray;
    vectors2: PackedArray<Vec<[f32; 2]>> = PackedArray(Vec::new()), PackedVector2Array;
    vectors3: PackedArray<Vec<[f32; 3]>> = PackedArray(Vec::new()), PackedVector3Array;
    typed: TypedArray<Vec<i32>> = TypedArray(Vec::new()), Array Int;
}

// The other kinds of Godot 4.
fields! { MoreFields:
    vector2i as "as_vector2i": [i32; 2] = [1, 2], Vector2i;
    rect2i as "as_rect2i": [[i32; 2]; 2] = [[1, 2]; 2], Rect2i;
    vector3i as "as_vector3i": [i32; 3] = [1, 2, 3], Vector3i;
    vector4 as "as_vector4": [f32; 4] = [1.0; 4], Vector4;
    vector4i as "as_vector4i": [i32; 4] = [1; 4], Vector4i;
    projection as "as_projection": [[f32; 4]; 4] = [[1.0; 4]; 4], Projection;
    ints64: PackedArray<Vec<i64>> = PackedArray(vec![i64::MAX]), PackedInt64Array;
    floats64: PackedArray<Vec<f64>> = PackedArray(vec![0.1]), PackedFloat64Array;
    vectors4: PackedArray<Vec<[f32; 4]>> = PackedArray(vec![[1.0; 4]]), PackedVector4Array;
    typed_names: TypedArray<[StringName<&'static str>; 1]> = TypedArray([StringName("jump")]),
        Array StringName;
    typed_vectors: TypedArray<Vec<[f32; 3]>> = TypedArray(vec![[1.0; 3]]), Array Vector3;
}

/// The number of a kind in the engine. For a `StringName` in a dialect without it, the number of `String`.
fn number(dialect: Dialect, kind: Kind) -> u8 {
    let id = dialect
        .id(kind)
        .or_else(|| (kind == Kind::StringName).then(|| dialect.id(Kind::String)).flatten());
    id.unwrap_or_else(|| panic!("{dialect} has no {kind}"))
}

/// Asks for the type of each field of `value`, and compares the types with `fields`.
fn check<T: Serialize>(engine: &LiveEngine, value: &T, fields: &[(&str, Kind, Kind)]) {
    let dialect = engine.dialect();
    let bytes = to_vec(value, dialect).unwrap();
    let answers = engine.ask(&[Input { ask: Ask::Types, ..Input::value(bytes) }]).unwrap();
    let types = str::from_utf8(answers[0].written().unwrap()).unwrap();
    println!("{}:\n{types}", engine.name());
    let has_types = dialect == Dialect::Godot4;
    let expected = fields.iter().map(|&(name, kind, element)| {
        // Pandemonium 5 has a separate kind for typed arrays.
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
fn each_field_has_its_type() {
    for engine in engines() {
        check(engine, &Fields::new(), Fields::KINDS);
        if engine.dialect() == Dialect::Godot4 {
            check(engine, &MoreFields::new(), MoreFields::KINDS);
        }
    }
}
