//! An iterator over the elements of a packed array borrows the bytes as the array does.

use variant_serde::{Packed, from_slice};
use variant_view::Dialect;

fn main() {
    let elements = {
        let bytes = vec![0_u8; 4];
        let heights: Packed<'_, f32> = from_slice(&bytes, Dialect::Godot4).unwrap();
        heights.iter()
    };
    println!("{}", elements.len());
}
