//! What borrows from the bytes may outlive the call that read it, and not the bytes: programs that compile, and programs
//! that do not, with what the compiler says.
//!
//! `TRYBUILD=overwrite cargo test -p variant-serde --test lifetimes` writes the compiler's words anew.

#[test]
fn borrowed_parts_live_as_long_as_the_bytes() {
    let programs = trybuild::TestCases::new();
    programs.pass("tests/lifetimes/pass/*.rs");
    programs.compile_fail("tests/lifetimes/fail/*.rs");
}
