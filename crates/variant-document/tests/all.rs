//! The tests of this crate in one program, so that only one program is linked.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod addresses;
mod declared;
mod diff;
mod edits;
mod graft;
mod matched;
mod merge;
mod migration;
mod places;
mod rows;
#[cfg(feature = "schema")]
mod schema;
mod shapes;
