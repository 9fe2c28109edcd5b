//! Newtypes and modules that select a kind, written in other formats than this crate's.

use serde::Serialize;
use variant_serde::*;

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
