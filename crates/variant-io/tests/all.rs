//! The tests of this crate in one program, so that only one program is linked.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod batch;
mod errors;
mod framing;
mod gcpf;
mod gdec;
mod iterators;
mod rewrap;
mod settings;
