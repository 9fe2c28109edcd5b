//! The same of a struct that borrows.

use serde::Deserialize;
use variant_owned::Variant;
use variant_serde::from_variant;

#[derive(Deserialize)]
struct Player<'a> {
    name: &'a str,
}

fn main() {
    let player: Player<'_> = {
        let value = Variant::default();
        from_variant(&value).unwrap()
    };
    println!("{}", player.name);
}
