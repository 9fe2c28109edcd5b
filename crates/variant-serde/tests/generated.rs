//! Reads files into types. `variant-inspect schema --rust` made the types from the same files.

use variant_serde::from_slice;
use variant_testkit::corpus;
use variant_view::Dialect;

#[allow(dead_code, unreachable_pub, reason = "a test reads some fields")]
mod rpg_save;
#[allow(dead_code, unreachable_pub, reason = "a test reads some fields")]
mod sample3;

fn read(path: &str) -> Vec<u8> {
    std::fs::read(corpus::root().join(path)).unwrap()
}

#[test]
fn a_save_of_godot_3() {
    let file = read("godot3/saves/rpg_save.bin");
    // The value is after the length prefix of `store_var`.
    let (_, value) = file.split_at(4);
    let save: rpg_save::Save = from_slice(value, Dialect::Godot3).unwrap();
    assert_eq!((save.inventory.len(), save.npcs.len()), (1_600, 700));
    assert_eq!(save.player.level, 37);
}

#[test]
fn a_save_of_godot_4() {
    let save: sample3::Save =
        from_slice(&read("godot4/saves/sample3.variant"), Dialect::Godot4).unwrap();
    assert_eq!(save.version, 4);
}
