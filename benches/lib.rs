//! What several benchmarks share; they are in `benches/`.
//!
//! * [`inputs`]: documents and what is known about them.
//! * [`shapes`]: documents made up from a fixed seed.
//! * [`formats`]: the same data as other formats have it.
//! * [`archive`]: the same data as `rkyv` has it, which needs types of its own.

#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a benchmark may stop")]

pub mod archive;
pub mod formats;
pub mod inputs;
pub mod shapes;
