//! Code that several benchmarks share; they are in `benches/`.
//!
//! * [`floor`]: a minimal validator of a packet, with which the library is compared.
//! * [`hostile`]: documents that are hard on one part of the library or another.
//! * [`inputs`]: documents and their properties.
//! * [`shapes`]: documents generated from a fixed seed.
//! * `formats`: the same data in other formats (feature `peers`).
//! * `archive`: the same data in `rkyv`, which needs custom types (feature `peers`).

#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a benchmark may stop")]

#[cfg(feature = "peers")]
pub mod archive;
pub mod floor;
#[cfg(feature = "peers")]
pub mod formats;
pub mod hostile;
pub mod inputs;
pub mod shapes;

use criterion::Criterion;

/// The default settings of all benchmarks.
///
/// Criterion would draw plots and 100,000 resamples after each measurement. `report.py` draws the plots instead, and
/// a tenth of the resamples is enough; together they took longer than the measurements.
pub fn configuration() -> Criterion {
    Criterion::default().without_plots().nresamples(10_000)
}
