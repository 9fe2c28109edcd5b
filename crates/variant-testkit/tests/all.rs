//! The tests of this crate in one program, which is linked once.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::float_cmp,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod agree;
mod contract;
mod documented;
mod keys;
mod links;
mod reference;
mod repository;
mod simulation;
mod small_scope;
mod spec;
mod spec_carriers;
mod spec_generated;
mod tape;
