//! The tests of this crate in one program, which is linked once.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unchecked_time_subtraction,
    clippy::unwrap_used,
    reason = "a test may stop"
)]

#[cfg(feature = "serde")]
mod adoption;
#[cfg(feature = "serde")]
mod audience;
mod captures;
mod compact;
mod documents;
mod hostile;
mod iterators;
#[cfg(feature = "serde")]
mod limits;
#[cfg(feature = "derive")]
mod replicated;
mod sequences;
mod server;
#[cfg(all(feature = "serde", feature = "tracing"))]
mod traced;
#[cfg(feature = "serde")]
mod typed;
mod written;
