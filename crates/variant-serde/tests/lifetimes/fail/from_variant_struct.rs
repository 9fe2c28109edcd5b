//! The same of a struct that borrows.

use serde::Deserialize;
use variant_owned::Variant;
use variant_serde::from_variant;

#[derive(Deserialize)]
struct Player<'a> {
    name: &'a str,
}

fn main() {
    let value = Variant::default();
    let player: Player<'_> = from_variant(&value).unwrap();
    drop(value);
    println!("{}", player.name);
}
