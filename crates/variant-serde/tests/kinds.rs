//! The widths of numbers, and marks in other formats.

use serde::Serialize;
use variant_owned::{EncodeOptions, Widths};
use variant_serde::*;
use variant_view::{Dialect, Document, Reals, Vector3, Width};

/// A value whose field is written by a module.
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
fn reals_are_as_wide_as_their_type_and_the_dialect() {
    let width = |bytes: &[u8]| if bytes.len() == 16 { Width::W32 } else { Width::W64 };
    let narrow = by!(as_vector3: [0.1_f32; 3]);
    let wide = by!(as_vector3: (0.1_f32, 0.1_f64, 0.1_f32));
    let [narrow4, wide4] =
        [to_vec(&narrow, Dialect::Godot4), to_vec(&wide, Dialect::Godot4)].map(Result::unwrap);
    assert_eq!((width(&narrow4), width(&wide4)), (Width::W32, Width::W64));
    let read = Document::new(&wide4, Dialect::Godot4).root().unwrap();
    let read = Vector3::<f64>::try_from(read).unwrap();
    assert_eq!((read.x, read.y, read.z), (0.1_f32.into(), 0.1, 0.1_f32.into()));
    assert_eq!(to_vec(&wide, Dialect::Godot3).unwrap().len(), 16);
    let double = EncodeOptions::new(Dialect::Godot3).reals(Reals::Always64);
    assert_eq!(to_vec(&narrow, double).unwrap().len(), 28);
    // Floats of a colour are narrow everywhere.
    assert_eq!(to_vec(&by!(as_color: [0.1; 4]), Dialect::Godot4).unwrap().len(), 20);
}

#[test]
fn scalars_are_as_wide_as_the_encoder_s() {
    let canonical = EncodeOptions::new(Dialect::Godot4).widths(Widths::Canonical);
    assert_eq!([1.5, 0.1].map(|float| to_vec(&float, canonical).unwrap().len()), [8, 12]);
    let ints = [i32::MAX.into(), i64::from(i32::MAX) + 1];
    assert_eq!(ints.map(|int| to_vec(&int, Dialect::Godot4).unwrap().len()), [8, 12]);
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
