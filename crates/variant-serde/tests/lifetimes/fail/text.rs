//! A struct with a text that is borrowed, behind the end of its bytes.

use serde::Deserialize;
use variant_serde::from_slice;
use variant_view::Dialect;

#[derive(Deserialize)]
struct Player<'a> {
    name: &'a str,
}

fn main() {
    let player: Player<'_> = {
        let bytes = vec![0_u8; 4];
        from_slice(&bytes, Dialect::Godot4).unwrap()
    };
    println!("{}", player.name);
}
