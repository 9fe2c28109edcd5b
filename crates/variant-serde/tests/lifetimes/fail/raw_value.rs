//! The bytes of a value, behind the end of the buffer that they are in.

use variant_serde::{RawValue, from_slice};
use variant_view::Dialect;

fn main() {
    let mut buffer = vec![0_u8; 4];
    let raw: RawValue<'_> = from_slice(&buffer, Dialect::Godot4).unwrap();
    buffer.clear();
    println!("{:?}", raw.bytes());
}
