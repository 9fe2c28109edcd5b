//! The tests of this crate in one program, so that only one program is linked.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod addresses;
mod damage;
mod declared;
mod diff;
mod edits;
mod fields;
mod graft;
mod matched;
mod merge;
mod migration;
#[cfg(all(feature = "files", feature = "output"))]
mod outputs;
mod packed;
mod places;
mod rows;
#[cfg(feature = "schema")]
mod schema;
mod shapes;
