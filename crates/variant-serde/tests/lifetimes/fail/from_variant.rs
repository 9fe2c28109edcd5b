//! What is borrowed of an owned value lives no longer than the value.

use variant_owned::Variant;
use variant_serde::from_variant;

fn main() {
    let text: &str = {
        let value = Variant::from("text");
        from_variant(&value).unwrap()
    };
    println!("{text}");
}
