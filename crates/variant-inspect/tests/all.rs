//! The tests of this crate, as one program: it is linked once.

mod audit;
mod bounds;
mod browse_terminal;
mod change;
mod cli;
#[allow(clippy::unwrap_used, reason = "a test may stop")]
mod common;
mod convert;
mod cookbook;
mod damaged;
mod diff;
mod documented;
mod documented_json;
mod envelopes;
mod forms;
mod golden;
mod jobs;
mod json;
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
