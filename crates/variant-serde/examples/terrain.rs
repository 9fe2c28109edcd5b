//! A save with a terrain. It is written from a `Vec`, and read without a copy of its heights.
//!
//! ```sh
//! cargo run -p variant-serde --example terrain
//! ```

use serde::{Deserialize, Serialize};
use variant_serde::{Error, Packed, as_packed, from_slice, to_vec};
use variant_view::{Dialect, Limits, Options};

#[derive(Serialize)]
struct Save {
    name: String,
    width: u32,
    /// A `PackedFloat32Array` in `GDScript`, and not an `Array`.
    #[serde(with = "as_packed")]
    heights: Vec<f32>,
}

/// The same save, with its heights borrowed from the bytes of the file.
#[derive(Deserialize)]
struct Saved<'a> {
    name: &'a str,
    width: u32,
    #[serde(borrow)]
    heights: Packed<'a, f32>,
}

fn main() -> Result<(), Error> {
    let width = 256_u16;
    let height =
        |at: u16| (f32::from(at % width) / 40.0).sin() + (f32::from(at / width) / 30.0).cos();
    let save = Save {
        name: "valley".to_owned(),
        width: width.into(),
        heights: (0..=u16::MAX).map(height).collect(),
    };
    let file = to_vec(&save, Dialect::Godot4)?;

    let saved: Saved<'_> =
        from_slice(&file, Options::engine(Dialect::Godot4).limits(Limits::FILE))?;
    let highest = saved.heights.iter().fold(f32::MIN, f32::max);
    let area = file.as_ptr_range();
    assert!(area.contains(&saved.heights.as_wire().as_ptr().cast()), "the heights are in the file");
    assert!(saved.heights.iter().eq(save.heights.iter().copied()));
    println!(
        "{}: {} heights of width {}, {highest:.3} at most, in {} bytes",
        saved.name,
        saved.heights.len(),
        saved.width,
        file.len()
    );
    Ok(())
}
