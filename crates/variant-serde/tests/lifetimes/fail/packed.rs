//! The elements of a packed array, behind the end of their bytes.

use variant_serde::{Packed, from_slice};
use variant_view::Dialect;

fn main() {
    let heights: Packed<'_, f32>;
    {
        let bytes = vec![0_u8; 4];
        heights = from_slice(&bytes, Dialect::Godot4).unwrap();
    }
    println!("{}", heights.len());
}
