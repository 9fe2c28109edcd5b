//! Prints the dictionary of `fuzz/variant.dict`.

fn main() {
    print!("{}", variant_testkit::fuzz::dictionary());
}
