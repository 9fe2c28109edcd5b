//! The tests of this crate in one program, which is linked once.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod abilities;
mod audit;
mod bounds;
mod browse_terminal;
mod change;
mod check;
mod cli;
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod common;
mod convert;
mod cookbook;
mod damaged;
mod debug;
mod diff;
mod documented;
mod documented_json;
mod envelopes;
mod fuzz_save;
mod golden;
mod jobs;
mod json;
mod mcp;
mod migrate;
mod outputs;
mod paths;
mod progress;
mod reconciled;
mod salvage;
mod schema;
mod settings;
mod stats;
mod streams;
mod tails;
mod truncated;
mod wrap;
