//! A text out of a raw value lives as long as the bytes, and no longer.

use variant_serde::RawValue;
use variant_view::Dialect;

fn text() -> &'static str {
    let bytes = vec![0_u8; 4];
    let raw = RawValue::new(&bytes, Dialect::Godot4).unwrap();
    raw.get::<&str>().unwrap()
}

fn main() {
    println!("{}", text());
}
