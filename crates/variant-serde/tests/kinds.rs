//! Every kind in every dialect: the written value is read as that kind, and equals the encoder's output for the owned
//! value.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may stop"
)]

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use variant_owned::{EncodeOptions, Precision, Variant, Widths, encode};
use variant_serde::*;
use variant_view::{Dialect, Document, ElementType, Kind, Reals, Width};

macro_rules! by {
    ($module:ident: $type:ty = $value:expr) => {{
        struct Field($type);
        impl Serialize for Field {
            fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                $module::serialize(&self.0, output)
            }
        }
        Field($value)
    }};
}

/// Writes a value and returns the kind that is read back; `None` if the dialect cannot hold it, as the error reports.
fn written<T: Serialize>(value: &T, dialect: Dialect) -> Option<Kind> {
    let mut kinds = Vec::new();
    let all = EncodeOptions::new(dialect);
    for options in [
        all,
        all.widths(Widths::Canonical),
        all.precision(Precision::Double),
        all.reals(Reals::Always64),
    ] {
        let mut bytes = vec![7];
        let owned = to_variant(value, options).unwrap();
        match to_vec_into(value, options, &mut bytes) {
            Ok(len) => {
                assert_eq!(bytes.len(), len + 1);
                assert_eq!(encode(&owned, options).unwrap(), bytes[1..]);
                let document = Document::new(
                    &bytes[1..],
                    variant_view::Options::new(dialect).reals(options.reals),
                );
                assert_eq!(document.validate().unwrap().consumed, len);
                let read = Variant::from_document(&document).unwrap();
                if !matches!(dialect, Dialect::Godot2) && options.precision == Precision::AsIs {
                    assert_eq!(read.kind(), owned.kind());
                }
                kinds.push(Some(read.kind()));
            }
            Err(error) => {
                assert_eq!(bytes, [7], "nothing is half-written");
                let expected = encode(&owned, options).unwrap_err();
                assert_eq!(error.to_string(), format!("{} ({dialect})", expected.kind()));
                kinds.push(None);
            }
        }
    }
    assert!(kinds.windows(2).all(|pair| pair[0] == pair[1]), "{kinds:?}");
    kinds[0]
}

/// A value is of `kind` in the dialects that have it, and an error elsewhere.
#[track_caller]
fn check<T: Serialize>(value: &T, kind: Kind) {
    for &dialect in Dialect::ALL {
        assert_eq!(written(value, dialect), dialect.id(kind).map(|_| kind), "{dialect}: {kind}");
    }
}

#[test]
fn the_data_model_has_a_kind_each() {
    check(&(), Kind::Nil);
    check(&None::<i32>, Kind::Nil);
    check(&Some(3), Kind::Int);
    check(&true, Kind::Bool);
    check(&-3_i8, Kind::Int);
    check(&3_u16, Kind::Int);
    check(&3_u64, Kind::Int);
    check(&3_i128, Kind::Int);
    check(&1.5_f32, Kind::Float);
    check(&0.1_f64, Kind::Float);
    check(&'a', Kind::String);
    check(&"text", Kind::String);
    check(&"a text of more than 22 bytes \u{e9}", Kind::String);
    check(&[1, 2], Kind::Array);
    check(&(1, "two", [3.0]), Kind::Array);
    check(&BTreeMap::from([(1, "one"), (2, "two")]), Kind::Dictionary);
    check(&BTreeMap::from([((1, 2), "one")]), Kind::Dictionary);
    check(&std::net::Ipv4Addr::from([127, 0, 0, 1]), Kind::String);
}

#[test]
fn marks_have_a_kind_each() {
    check(&NodePath("/root/Main:position:x"), Kind::NodePath);
    check(&by!(as_node_path: &'static str = "a/b"), Kind::NodePath);
    for &dialect in Dialect::ALL {
        let kind = dialect.id(Kind::StringName).map_or(Kind::String, |_| Kind::StringName);
        for text in ["jump", "a name of more than 22 bytes"] {
            assert_eq!(written_fallback(&StringName(text), dialect), kind);
            assert_eq!(
                written_fallback(&by!(as_string_name: String = text.to_owned()), dialect),
                kind
            );
        }
    }
    check(&by!(as_string_name: Option<String> = None), Kind::Nil);
    check(&by!(as_vector2: [f32; 2] = [1.0, 2.0]), Kind::Vector2);
    check(&by!(as_vector2: Option<(f64, f64)> = Some((1.0, 2.0))), Kind::Vector2);
    check(&by!(as_vector2: Option<(f64, f64)> = None), Kind::Nil);
    check(&by!(as_vector2i: (i32, u8) = (1, 2)), Kind::Vector2i);
    check(&by!(as_vector3: [f32; 3] = [1.0; 3]), Kind::Vector3);
    check(&by!(as_vector3i: [i64; 3] = [1; 3]), Kind::Vector3i);
    check(&by!(as_vector4: [f32; 4] = [1.0; 4]), Kind::Vector4);
    check(&by!(as_vector4i: [i32; 4] = [1; 4]), Kind::Vector4i);
    check(&by!(as_rect2: [[f32; 2]; 2] = [[1.0; 2]; 2]), Kind::Rect2);
    check(&by!(as_rect2i: [i32; 4] = [1; 4]), Kind::Rect2i);
    check(&by!(as_plane: ([f32; 3], f32) = ([1.0; 3], 2.0)), Kind::Plane);
    check(&by!(as_quaternion: [f32; 4] = [1.0; 4]), Kind::Quaternion);
    check(&by!(as_aabb: [[f32; 3]; 2] = [[1.0; 3]; 2]), Kind::Aabb);
    check(&by!(as_basis: [[f32; 3]; 3] = [[1.0; 3]; 3]), Kind::Basis);
    check(&by!(as_transform2d: [[f32; 2]; 3] = [[1.0; 2]; 3]), Kind::Transform2D);
    check(&by!(as_transform3d: [[f32; 3]; 4] = [[1.0; 3]; 4]), Kind::Transform3D);
    check(&by!(as_projection: [[f32; 4]; 4] = [[1.0; 4]; 4]), Kind::Projection);
    check(&by!(as_color: [f32; 4] = [1.0; 4]), Kind::Color);
}

/// The kind of a value that is written as another kind where a dialect lacks the first.
fn written_fallback<T: Serialize>(value: &T, dialect: Dialect) -> Kind {
    let bytes = to_vec(value, dialect).unwrap();
    assert_eq!(encode(&to_variant(value, dialect).unwrap(), dialect).unwrap(), bytes);
    Document::new(&bytes, dialect).root().unwrap().kind()
}

#[test]
fn packed_arrays_have_the_kind_of_their_elements_and_empty_ones_too() {
    macro_rules! packed {
        ($($type:ty = $value:expr, $kind:ident;)*) => {$(
            check(&by!(as_packed: Vec<$type> = $value), Kind::$kind);
            check(&by!(as_packed: Vec<$type> = Vec::new()), Kind::$kind);
        )*};
    }
    packed! {
        u8 = vec![1, 2, 255], PackedByteArray;
        i32 = vec![1, -2], PackedInt32Array;
        i64 = vec![1, i64::MIN], PackedInt64Array;
        f32 = vec![1.0, -0.0], PackedFloat32Array;
        f64 = vec![0.1], PackedFloat64Array;
        String = vec![String::new(), "axe".to_owned()], PackedStringArray;
        &'static str = vec!["axe"], PackedStringArray;
        [f32; 2] = vec![[1.0, 2.0]; 3], PackedVector2Array;
        [f64; 2] = vec![[1.0, 2.0]; 3], PackedVector2Array;
        [i32; 2] = vec![[1, 2]; 3], PackedVector2iArray;
        [f32; 3] = vec![[1.0; 3]; 3], PackedVector3Array;
        [i32; 3] = vec![[1; 3]; 3], PackedVector3iArray;
        [f32; 4] = vec![[1.0; 4]; 3], PackedVector4Array;
        [i32; 4] = vec![[1; 4]; 3], PackedVector4iArray;
        Tint = vec![Tint { r: 1.0, g: 0.5, b: 0.0, a: 1.0 }], PackedColorArray;
    }
}

#[derive(Serialize)]
struct Tint {
    r: f32,
    g: f32,
    b: f32,
    a: f32,
}

impl PackedItem for Tint {
    const KIND: Kind = Kind::PackedColorArray;
}

#[test]
fn typed_arrays_declare_the_type_of_their_elements() {
    macro_rules! typed {
        ($($type:ty = $value:expr, $kind:ident;)*) => {$(
            for all in [$value, Vec::new()] {
                let all = by!(as_typed_array: Vec<$type> = all);
                check_typed(&all, Kind::$kind);
            }
        )*};
    }
    typed! {
        bool = vec![true], Bool;
        i32 = vec![3], Int;
        f32 = vec![3.5], Float;
        String = vec!["axe".to_owned()], String;
        [f32; 3] = vec![[1.0; 3]], Vector3;
        Vec<i32> = vec![vec![1]], Array;
        BTreeMap<i32, i32> = vec![BTreeMap::from([(1, 2)])], Dictionary;
        StringName<&'static str> = vec![StringName("axe")], StringName;
        NodePath<&'static str> = vec![NodePath("a/b")], NodePath;
    }
}

fn check_typed<T: Serialize>(all: &T, kind: Kind) {
    for &dialect in Dialect::ALL {
        let bytes = to_vec(all, dialect).unwrap();
        assert_eq!(encode(&to_variant(all, dialect).unwrap(), dialect).unwrap(), bytes);
        let document = Document::new(&bytes, dialect);
        document.validate().unwrap();
        let array = document.root().unwrap().as_array().unwrap();
        let declared = match dialect {
            Dialect::Godot4 | Dialect::Pandemonium5 => ElementType::Builtin(kind),
            _ => ElementType::Any,
        };
        assert_eq!(
            array.element_type().map(|name| name.as_bytes().to_vec()),
            declared,
            "{dialect}"
        );
    }
}

#[test]
fn reals_are_as_wide_as_their_type_and_the_dialect() {
    let width = |bytes: &[u8]| if bytes.len() == 16 { Width::W32 } else { Width::W64 };
    let narrow = by!(as_vector3: [f32; 3] = [0.1; 3]);
    let wide = by!(as_vector3: (f32, f64, f32) = (0.1, 0.1, 0.1));
    let [narrow4, wide4] =
        [to_vec(&narrow, Dialect::Godot4), to_vec(&wide, Dialect::Godot4)].map(Result::unwrap);
    assert_eq!((width(&narrow4), width(&wide4)), (Width::W32, Width::W64));
    let read = Document::new(&wide4, Dialect::Godot4).root().unwrap().as_vector3_f64().unwrap();
    assert_eq!((read.x, read.y, read.z), (0.1_f32.into(), 0.1, 0.1_f32.into()));
    assert_eq!(to_vec(&wide, Dialect::Godot3).unwrap().len(), 16);
    let double = EncodeOptions::new(Dialect::Godot3).reals(Reals::Always64);
    assert_eq!(to_vec(&narrow, double).unwrap().len(), 28);
    // Floats of a colour are narrow everywhere.
    assert_eq!(to_vec(&by!(as_color: [f64; 4] = [0.1; 4]), Dialect::Godot4).unwrap().len(), 20);
}

#[test]
fn scalars_are_as_wide_as_the_encoder_s() {
    let len = |value: &dyn Fn(EncodeOptions) -> usize, widths| {
        value(EncodeOptions::new(Dialect::Godot4).widths(widths))
    };
    let of_float =
        |value: f64| move |options: EncodeOptions| to_vec(&value, options).unwrap().len();
    assert_eq!(len(&of_float(1.5), Widths::AsIs), 12);
    assert_eq!(len(&of_float(1.5), Widths::Canonical), 8);
    assert_eq!(len(&of_float(0.1), Widths::Canonical), 12);
    assert_eq!(to_vec(&1.5_f32, Dialect::Godot4).unwrap().len(), 8);
    assert_eq!(to_vec(&i64::from(i32::MAX), Dialect::Godot4).unwrap().len(), 8);
    assert_eq!(to_vec(&(i64::from(i32::MAX) + 1), Dialect::Godot4).unwrap().len(), 12);
}

#[test]
fn other_formats_hold_what_is_in_marks() {
    #[derive(Serialize, serde::Deserialize, PartialEq, Debug)]
    struct All {
        #[serde(with = "as_string_name")]
        name: String,
        #[serde(with = "as_vector3")]
        at: [f32; 3],
        #[serde(with = "as_packed")]
        heights: Vec<f32>,
        #[serde(with = "as_typed_array")]
        scores: Vec<i32>,
        action: StringName,
        path: NodePath,
    }
    let all = All {
        name: "n".to_owned(),
        at: [1.0, 2.0, 3.0],
        heights: vec![0.5],
        scores: vec![3],
        action: StringName("jump".to_owned()),
        path: NodePath("a/b".to_owned()),
    };
    let json = serde_json::to_string(&all).unwrap();
    let plain = r#"{"name":"n","at":[1.0,2.0,3.0],"heights":[0.5],"scores":[3],"action":"jump","path":"a/b"}"#;
    assert_eq!(json, plain);
    assert_eq!(serde_json::from_str::<All>(&json).unwrap(), all);
}
