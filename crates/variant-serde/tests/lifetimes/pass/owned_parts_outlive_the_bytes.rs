//! What is owned needs no bytes any more.

use std::collections::BTreeMap;

use variant_owned::Variant;
use variant_serde::{Error, from_slice, from_variant, to_variant, to_vec};
use variant_view::Dialect;

fn main() -> Result<(), Error> {
    let written = BTreeMap::from([("a", vec![1, 2])]);
    let (read, any): (BTreeMap<String, Vec<i32>>, Variant) = {
        let bytes = to_vec(&written, Dialect::Godot4)?;
        (from_slice(&bytes, Dialect::Godot4)?, from_slice(&bytes, Dialect::Godot4)?)
    };
    assert_eq!(read["a"], [1, 2]);
    let again: BTreeMap<String, Vec<i32>> = {
        let value = to_variant(&read, Dialect::Godot4)?;
        assert_eq!(value, any);
        from_variant(&value)?
    };
    assert_eq!(again, read);
    Ok(())
}
