//! A buffer cannot be used for the next packet while a part of the last one is borrowed.

use variant_serde::{from_slice, to_vec_into};
use variant_view::Dialect;

fn main() {
    let mut buffer = Vec::new();
    to_vec_into("one", Dialect::Godot4, &mut buffer).unwrap();
    let text: &str = from_slice(&buffer, Dialect::Godot4).unwrap();
    to_vec_into("two", Dialect::Godot4, &mut buffer).unwrap();
    println!("{text}");
}
