//! An owned value is encoded and then read, so nothing can be borrowed of it.

use variant_owned::Variant;
use variant_serde::from_variant;

fn main() {
    let value = Variant::from("text");
    let text: &str = from_variant(&value).unwrap();
    println!("{text}");
}
