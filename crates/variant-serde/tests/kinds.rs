//! Newtypes and modules that select a kind, written in other formats than this crate's.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::Serialize;
use variant_serde::*;
use variant_view::{Dialect, Wire};

/// A value that `$module` serializes, as it serializes a field with `#[serde(with = ...)]`.
macro_rules! by {
    ($module:ident: $value:expr) => {{
        struct Field;
        impl serde::Serialize for Field {
            fn serialize<S: serde::Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                variant_serde::$module::serialize(&$value, output)
            }
        }
        Field
    }};
}
pub(crate) use by;

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
        cells: PackedArray<Vec<[f32; 2]>>,
        ids: TypedArray<Vec<i64>>,
    }
    let all = All {
        name: "n".to_owned(),
        at: [1.0, 2.0, 3.0],
        heights: vec![0.5],
        scores: vec![3],
        action: StringName("jump".to_owned()),
        path: NodePath("a/b".to_owned()),
        cells: PackedArray(vec![[1.0, 2.0]]),
        ids: TypedArray(vec![7]),
    };
    let json = serde_json::to_string(&all).unwrap();
    let plain = concat!(
        r#"{"name":"n","at":[1.0,2.0,3.0],"heights":[0.5],"scores":[3],"action":"jump","#,
        r#""path":"a/b","cells":[[1.0,2.0]],"ids":[7]}"#
    );
    assert_eq!(json, plain);
    assert_eq!(serde_json::from_str::<All>(&json).unwrap(), all);
}

/// A borrowed packed array has the form of its elements in a list.
#[test]
fn other_formats_hold_the_elements_of_a_borrowed_array() {
    fn check<T: Wire + PackedItem + Serialize + Debug + PartialEq>(all: &[T], json: &str) {
        let bytes = to_vec(&PackedArray(all), Dialect::Godot4).unwrap();
        let packed: Packed<'_, T> = from_slice(&bytes, Dialect::Godot4).unwrap();
        assert_eq!(serde_json::to_string(&packed).unwrap(), json);
        assert_eq!(serde_json::to_string(all).unwrap(), json);
        assert_eq!(to_vec(&packed, Dialect::Godot4).unwrap(), bytes);
        #[expect(clippy::clone_on_copy, reason = "the copy of a generic caller")]
        let copy = packed.clone();
        assert_eq!(copy, packed);
    }
    check(&[0_u8, 7, 255], "[0,7,255]");
    check(&[i32::MIN, 0, i32::MAX], "[-2147483648,0,2147483647]");
    check(&[i64::MIN, 1], "[-9223372036854775808,1]");
    check(&[0.5_f32, -2.0], "[0.5,-2.0]");
    check(&[0.1_f64, -3.5], "[0.1,-3.5]");
}

/// Newtypes are used as what is in them.
#[test]
fn newtypes_are_what_is_in_them() {
    let name = StringName::from("jump".to_owned());
    assert_eq!((name.len(), name.to_string().as_str()), (4, "jump"));
    assert_eq!(format!("{:>6}", StringName("jump")), "  jump");
    assert_eq!(BTreeMap::from([(name, 7)]).get("jump"), Some(&7));
    let path = NodePath::from("a/b".to_owned());
    assert_eq!((path.starts_with("a/"), path.to_string().as_str()), (true, "a/b"));
    assert_eq!(HashMap::from([(path, 7)]).get("a/b"), Some(&7));
    let mut heights = PackedArray::from(vec![1.0_f32]);
    heights.push(2.0);
    assert_eq!((heights.len(), &heights.0), (2, &vec![1.0, 2.0]));
    let mut scores: TypedArray<Vec<i32>> = [3, 1].into_iter().collect();
    scores.sort_unstable();
    assert_eq!((scores.first(), &scores.0), (Some(&1), &vec![1, 3]));
}
