//! Prints the table of docs/dialects.md.

fn main() {
    print!("{}", variant_testkit::table::dialect_table());
}
