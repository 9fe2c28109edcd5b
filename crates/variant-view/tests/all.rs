//! The tests of this crate as one program, which is linked once.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::float_cmp,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod canonical;
mod depth;
mod errors;
mod events;
mod floors;
mod iterators;
mod keys;
#[cfg(feature = "alloc")]
mod layouts;
#[cfg(feature = "alloc")]
mod lookup;
mod node_paths;
#[cfg(feature = "bytes")]
mod owned_documents;
mod packed_arrays;
mod paths;
mod prefixes;
mod reader;
mod records;
#[cfg(all(feature = "serde", feature = "alloc"))]
mod serialize;
mod templates;
mod texts;
mod views;
mod visit;
