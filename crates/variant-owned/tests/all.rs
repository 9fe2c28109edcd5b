//! The tests of this crate in one program, so that only one program is linked.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[cfg(feature = "arbitrary")]
mod accessors;
mod containers;
mod convert;
mod deep;
mod engine_text;
mod events;
#[cfg(all(feature = "serde", feature = "json"))]
mod from_value;
mod hostile_text;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod json_events;
#[cfg(feature = "json")]
mod json_exact;
mod laws;
mod legal;
mod paths;
#[cfg(all(feature = "serde", feature = "json"))]
mod serde;
mod text_events;
mod text_form;
mod writer;
