//! The tests of this crate as one program, which is linked once.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::float_cmp,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod access;
mod attributes;
mod borrowed;
mod errors;
mod kinds;
mod lifetimes;
mod marks;
mod matrix;
mod model;
mod refusals;
mod round_trip;
mod structs;
mod variant;
