//! What several benchmarks share; they are in `benches/`.
//!
//! * [`floor`]: the least validator of a packet, beside which the library is measured.
//! * [`hostile`]: documents that are hard on one part of the library or another.
//! * [`inputs`]: documents and what is known about them.
//! * [`shapes`]: documents made up from a fixed seed.
//! * `formats`: the same data as other formats have it (feature `peers`).
//! * `archive`: the same data as `rkyv` has it, which needs types of its own (feature `peers`).

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

/// How all of them measure, unless the command line says otherwise.
///
/// Of what criterion would do behind each measurement, drawing plots and 100,000 samples of samples, the one is for
/// `report.py`, and of the other a tenth tells as much; together they took longer than the measurements.
pub fn configuration() -> Criterion {
    Criterion::default().without_plots().nresamples(10_000)
}
