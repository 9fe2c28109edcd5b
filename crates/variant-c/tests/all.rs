//! The tests of this crate, as one program: it is linked once. They call the functions that C calls.

#![allow(
    unsafe_code,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::undocumented_unsafe_blocks,
    clippy::unwrap_used,
    reason = "a test may panic, and its pointers come from references"
)]

#[cfg(feature = "fuzz")]
mod any_order;
mod calls;
mod edit;
mod file;
mod header;
mod read;
mod records;
mod report;
mod select;
mod write;
