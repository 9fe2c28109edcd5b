//! The form that each type is written in, in each dialect.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::Ipv4Addr;

use serde::{Serialize, Serializer};
use variant_owned::{EncodeOptions, Precision, Variant, Widths, encode};
use variant_serde::*;
use variant_view::{Dialect, Document, Kind, Options, Reals};

use super::Groups;
use crate::kinds::by;

/// Writes a value, and describes the value that is read back from the bytes.
fn outcome<T: Serialize>(value: &T, dialect: Dialect) -> String {
    let options = EncodeOptions::new(dialect);
    let found = check_whole(value, options);
    for other in [
        options.widths(Widths::Canonical),
        options.precision(Precision::Double),
        options.reals(Reals::Always64),
    ] {
        assert_eq!(check_whole(value, other).is_ok(), found.is_ok());
    }
    let bytes = match found {
        Ok(bytes) => bytes,
        Err(error) => {
            return format!("error: {error}").replace(&format!("({dialect})"), "(DIALECT)");
        }
    };
    let read = Variant::from_document(&Document::new(&bytes, Options::engine(dialect))).unwrap();
    format!("{} {read}, {} bytes", read.kind(), bytes.len()).replace('\n', " ")
}

/// Returns the written bytes, or the error. Checks that the bytes are one value and equal the encoder's bytes for the
/// owned value, and that an error leaves no bytes.
fn check_whole<T: Serialize>(value: &T, options: EncodeOptions) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let written = to_vec_into(value, options, &mut bytes);
    let owned = to_variant(value, options).map(|owned| encode(&owned, options));
    match written {
        Ok(len) => {
            assert_eq!(owned.unwrap().as_ref(), Ok(&bytes));
            let reading = Options::engine(options.dialect).reals(options.reals);
            let summary = Document::new(&bytes, reading).validate().unwrap();
            assert_eq!((summary.consumed, bytes.len()), (len, len));
            Ok(bytes)
        }
        Err(error) => {
            assert!(bytes.is_empty(), "an error leaves the buffer empty");
            if let Ok(owned) = owned {
                let expected = format!("{} ({})", owned.unwrap_err().kind(), options.dialect);
                assert!(error.to_string().ends_with(&expected), "{error}, not {expected}");
            }
            Err(error)
        }
    }
}

fn add<T: Serialize>(output: &mut String, title: &str, value: &T) {
    writeln!(output, "\n-- {title}").unwrap();
    let mut groups = Groups::default();
    for dialect in Dialect::ALL {
        groups.add(dialect.name(), outcome(value, *dialect));
    }
    let all: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    groups.write(&[("all", &all)], output);
}

macro_rules! add {
    ($output:ident: $($title:literal = $value:expr;)*) => { $(add($output, $title, &$value);)* };
}

/// Bytes, like `serde_bytes::Bytes`.
struct Bytes(&'static [u8]);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_bytes(self.0)
    }
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct New(i16);

#[derive(Serialize)]
struct Pair(i32, &'static str);

#[derive(Serialize)]
struct Tint(f32, f32, f32, f32);

impl PackedItem for Tint {
    const KIND: Kind = Kind::PackedColorArray;
}

#[derive(Serialize)]
struct Point {
    x: f32,
    y: Option<f64>,
}

#[derive(Serialize)]
enum Choice {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct { x: i32 },
}

fn scalars(output: &mut String) {
    add! { output:
        "bool: true" = true;
        "i8: -1" = -1_i8;
        "i16: -300" = -300_i16;
        "i32: -2147483648" = i32::MIN;
        "i64: 3000000000" = 3_000_000_000_i64;
        "i64: -9223372036854775808" = i64::MIN;
        "i128: 7" = 7_i128;
        "i128: 2^100" = 1_i128 << 100;
        "u8: 255" = u8::MAX;
        "u16: 65535" = u16::MAX;
        "u32: 4294967295" = u32::MAX;
        "u64: 7" = 7_u64;
        "u64: 9223372036854775807" = 9_223_372_036_854_775_807_u64;
        "u64: 9223372036854775808" = 9_223_372_036_854_775_808_u64;
        "u64: 18446744073709551615" = u64::MAX;
        "u128: 7" = 7_u128;
        "u128: 2^100" = 1_u128 << 100;
        "f32: 0.1" = 0.1_f32;
        "f32: infinity" = f32::INFINITY;
        "f64: 1.5" = 1.5;
        "f64: 0.1" = 0.1;
        "f64: 1e300" = 1e300;
        "char: a letter of 2 bytes" = '\u{e9}';
        "str: text" = "text";
        "str: empty" = "";
        "String: text" = "text".to_owned();
        "bytes: 1, 2, 3" = Bytes(&[1, 2, 3]);
        "bytes: none" = Bytes(&[]);
    }
}

fn compounds(output: &mut String) {
    add! { output:
        "option: None" = None::<i32>;
        "option: Some(7)" = Some(7);
        "option: Some(None)" = Some(None::<i32>);
        "option: Some(())" = Some(());
        "unit" = ();
        "unit struct" = Unit;
        "unit variant: Choice::Unit" = Choice::Unit;
        "newtype struct: New(7)" = New(7);
        "newtype variant: Choice::Newtype(7)" = Choice::Newtype(7);
        "seq: Vec [1, 2]" = vec![1, 2];
        "seq: Vec of u8 [1, 2]" = vec![1_u8, 2];
        "seq: Vec of f32 [1, 2]" = vec![1.0_f32, 2.0];
        "seq: Vec, empty" = Vec::<i32>::new();
        "tuple: (1, \"two\")" = (1, "two");
        "tuple: [1.0, 2.0, 3.0]" = [1.0_f32, 2.0, 3.0];
        "tuple struct: Pair(1, \"two\")" = Pair(1, "two");
        "tuple variant: Choice::Tuple(1, true)" = Choice::Tuple(1, true);
        "map: of text" = BTreeMap::from([("x", 1), ("y", 2)]);
        "map: of integers" = BTreeMap::from([(1, "one"), (2, "two")]);
        "map: of tuples" = BTreeMap::from([((1, 2), true)]);
        "map: of options" = BTreeMap::from([(None, 1), (Some(2), 2)]);
        "map: of variants" = BTreeMap::from([("a", Choice::Unit), ("b", Choice::Newtype(1))]);
        "map: empty" = BTreeMap::<i32, i32>::new();
        "struct: Point" = Point { x: 1.5, y: None };
        "struct variant: Choice::Struct" = Choice::Struct { x: 1 };
        "a type with a readable form: Ipv4Addr" = Ipv4Addr::LOCALHOST;
        "a type with a readable form: Duration" = std::time::Duration::from_millis(1_500);
    }
}

fn marks(output: &mut String) {
    let vector = to_vec(&by!(as_vector2i: [1, 2]), Dialect::Godot4).unwrap();
    let name = to_vec(&StringName("jump"), Dialect::Godot4).unwrap();
    add! { output:
        "StringName(\"jump\")" = StringName("jump");
        "NodePath(\"/root/Main:position:x\")" = NodePath("/root/Main:position:x");
        "PackedArray of u8" = PackedArray([1_u8, 2]);
        "PackedArray of i32" = PackedArray([1_i32, 2]);
        "PackedArray of i64" = PackedArray([1_i64, 2]);
        "PackedArray of f32" = PackedArray([1.0_f32, 2.5]);
        "PackedArray of f64" = PackedArray([1.0_f64, 0.1]);
        "PackedArray of str" = PackedArray(["a", "b"]);
        "PackedArray of [f32; 2]" = PackedArray([[1.0_f32, 2.0]]);
        "PackedArray of [f64; 2]" = PackedArray([[1.0_f64, 0.1]]);
        "PackedArray of [i32; 2]" = PackedArray([[1, 2]]);
        "PackedArray of [f32; 3]" = PackedArray([[1.0_f32, 2.0, 3.0]]);
        "PackedArray of [i32; 3]" = PackedArray([[1, 2, 3]]);
        "PackedArray of [f32; 4]" = PackedArray([[1.0_f32, 2.0, 3.0, 4.0]]);
        "PackedArray of [i32; 4]" = PackedArray([[1, 2, 3, 4]]);
        "PackedArray of colours" = PackedArray([Tint(1.0, 0.0, 0.5, 1.0)]);
        "PackedArray of u8, empty" = PackedArray(Vec::<u8>::new());
        "PackedArray of str, empty" = PackedArray(Vec::<&str>::new());
        "PackedArray of [f64; 2], empty" = PackedArray(Vec::<[f64; 2]>::new());
        "TypedArray of i32" = TypedArray(vec![1, 2]);
        "TypedArray of [f32; 2]" = TypedArray(vec![[1.0_f32, 2.0]]);
        "TypedArray of StringName" = TypedArray(vec![StringName("jump")]);
        "TypedArray of bool" = TypedArray(vec![true]);
        "TypedArray of str" = TypedArray(vec!["axe"]);
        "TypedArray of seq" = TypedArray(vec![vec![1]]);
        "TypedArray of map" = TypedArray(vec![BTreeMap::from([(1, 2)])]);
        "TypedArray of NodePath, empty" = TypedArray(Vec::<NodePath<&str>>::new());
        "as_vector2" = by!(as_vector2: [1.0_f32, 2.0]);
        "as_vector2 of f64" = by!(as_vector2: [1.0, 0.1]);
        "as_vector2i" = by!(as_vector2i: [1, 2]);
        "as_rect2" = by!(as_rect2: [1.0_f32, 2.0, 3.0, 4.0]);
        "as_rect2i" = by!(as_rect2i: [1, 2, 3, 4]);
        "as_vector3" = by!(as_vector3: [1.0_f32, 2.0, 3.0]);
        "as_vector3 of f32 and f64" = by!(as_vector3: (0.1_f32, 0.1_f64, 0.1_f32));
        "as_vector3i" = by!(as_vector3i: [1, 2, 3]);
        "as_transform2d" = by!(as_transform2d: [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        "as_vector4" = by!(as_vector4: [1.0_f32, 2.0, 3.0, 4.0]);
        "as_vector4i" = by!(as_vector4i: [1, 2, 3, 4]);
        "as_plane" = by!(as_plane: [1.0_f32, 2.0, 3.0, 4.0]);
        "as_quaternion" = by!(as_quaternion: [1.0_f32, 2.0, 3.0, 4.0]);
        "as_aabb" = by!(as_aabb: [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        "as_basis" = by!(as_basis: [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        "as_transform3d" = by!(as_transform3d: [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
        "as_projection" = by!(as_projection: [[1.0_f32, 2.0, 3.0, 4.0]; 4]);
        "as_node_path" = by!(as_node_path: "World/Door:open");
        "as_rect2 of arrays" = by!(as_rect2: [[1.0_f32, 2.0], [3.0, 4.0]]);
        "as_vector3i of None" = by!(as_vector3i: None::<[i32; 3]>);
        "as_transform3d of arrays" = by!(as_transform3d: [[1.0_f32, 2.0, 3.0]; 4]);
        "as_color of a tuple" = by!(as_color: (1.0_f32, 0.0, 0.5, 1.0));
        "as_color" = by!(as_color: [1.0_f32, 0.0, 0.5, 1.0]);
        "RawValue of Godot 4, a Vector2i" = RawValue::new(&vector, Dialect::Godot4).unwrap();
        "RawValue of Godot 4, a StringName" = RawValue::new(&name, Dialect::Godot4).unwrap();
    }
}

pub(crate) fn written(output: &mut String) {
    scalars(output);
    compounds(output);
    marks(output);
}
