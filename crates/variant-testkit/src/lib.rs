//! Corpus, builders and oracles for the tests of this workspace.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "the crate is for tests, which panic if a check fails"
)]

pub mod adapters;
pub mod agree;
pub mod builder;
pub mod conformance;
pub mod corpus;
pub mod defects;
#[cfg(feature = "alloc")]
pub mod departures;
pub mod engine;
pub mod exercise;
#[cfg(feature = "alloc")]
pub mod fuzz;
#[cfg(feature = "alloc")]
pub mod hostile;
#[cfg(feature = "alloc")]
pub mod keys;
#[cfg(feature = "alloc")]
pub mod live;
#[cfg(feature = "alloc")]
pub mod made;
pub mod markdown;
pub mod mutate;
pub mod one_number;
pub mod random;
pub mod reference;
#[cfg(feature = "alloc")]
pub mod saves;
pub mod seeded;
#[cfg(feature = "simulation")]
pub mod simulation;
#[cfg(feature = "alloc")]
pub mod small_scope;
#[cfg(feature = "alloc")]
pub mod spec;
#[cfg(feature = "alloc")]
pub mod table;
#[cfg(feature = "alloc")]
pub mod tape;
#[cfg(feature = "alloc")]
pub mod texts;
#[cfg(feature = "alloc")]
pub mod values;
#[cfg(feature = "alloc")]
pub mod verdicts;
pub mod workspace;

/// Compiles the programs of pages that are not in a published package.
#[cfg(all(doctest, feature = "fuzz"))]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/multiplayer-server.md")]
    struct MultiplayerServer;
}
