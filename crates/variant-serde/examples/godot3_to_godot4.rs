//! Converts a save of Godot 3 to Godot 4: one struct reads the old kinds and writes the new kinds.
//!
//! ```sh
//! cargo run -p variant-serde --example godot3_to_godot4
//! ```

use std::collections::BTreeMap;
use std::error::Error;

use serde::{Deserialize, Serialize};
use variant_serde::{TypedArray, as_packed, as_string_name, as_vector2, from_slice, to_vec};
use variant_view::{Dialect, Document};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Save {
    /// A `String` in Godot 3, a `StringName` in Godot 4.
    #[serde(with = "as_string_name")]
    scene: String,
    /// A `Vector2` in both engines.
    #[serde(with = "as_vector2")]
    at: [f32; 2],
    /// A `PoolRealArray` in Godot 3, a `PackedFloat32Array` in Godot 4.
    #[serde(with = "as_packed")]
    heights: Vec<f32>,
    /// An `Array` in Godot 3, an `Array[int]` in Godot 4.
    scores: TypedArray<Vec<i32>>,
    /// A `Dictionary` with integer keys in both engines.
    bag: BTreeMap<i32, String>,
    /// Absent in saves of Godot 3.
    #[serde(default)]
    is_hard: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let save = Save {
        scene: "forest".to_owned(),
        at: [12.5, -7.25],
        heights: vec![0.5, 1.0],
        scores: TypedArray(vec![3, 1]),
        bag: BTreeMap::from([(7, "axe".to_owned())]),
        is_hard: false,
    };
    let godot3 = to_vec(&save, Dialect::Godot3)?;

    let read: Save = from_slice(&godot3, Dialect::Godot3)?;
    assert_eq!(read, save);
    let godot4 = to_vec(&read, Dialect::Godot4)?;

    for (dialect, bytes) in [(Dialect::Godot3, &godot3), (Dialect::Godot4, &godot4)] {
        let document = Document::new(bytes, dialect);
        let kinds = ["scene", "at", "heights", "scores"].map(|name| {
            let value = document.at(name)?;
            Ok::<_, Box<dyn Error>>(format!("{name}: {}", value.kind()))
        });
        let kinds: Vec<_> = kinds.into_iter().collect::<Result<_, _>>()?;
        println!("{dialect}, {} bytes: {}", bytes.len(), kinds.join(", "));
    }
    assert_eq!(from_slice::<Save>(&godot4, Dialect::Godot4)?, save);
    Ok(())
}
