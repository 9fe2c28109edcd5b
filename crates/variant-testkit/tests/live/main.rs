//! Tests with running engines in one program, which is linked once.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::float_cmp,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod carriers;
mod engine;
mod multiplayer;
mod schema;
mod text;
