//! Code that several of the benchmarks in `benches/` share.
//!
//! * [`floor`]: a minimal validator of a packet, for comparison with the library.
//! * [`hostile`]: documents that are each hard for one part of the library.
//! * [`inputs`]: documents and their properties.
//! * [`shapes`]: documents generated from a fixed seed.
//! * `formats`: the same data in other formats (feature `peers`).
//! * `archive`: the same data in `rkyv`, which needs custom types (feature `peers`).

#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a benchmark may panic")]

#[cfg(feature = "peers")]
pub mod archive;
pub mod floor;
#[cfg(feature = "peers")]
pub mod formats;
pub mod hostile;
pub mod inputs;
pub mod shapes;

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode};

/// The default settings of all benchmarks.
///
/// Criterion would draw plots and 100,000 resamples after each measurement. `report.py` draws the plots instead, and a
/// tenth of the resamples is enough. Plots and resamples took longer than the measurements.
pub fn configuration() -> Criterion {
    Criterion::default().without_plots().nresamples(10_000)
}

/// Samples of some 80 us for packets. A longer sample is likely to contain a preemption.
pub fn short_samples(group: &mut BenchmarkGroup<'_, WallTime>) {
    group.sampling_mode(SamplingMode::Flat).sample_size(400);
    group.warm_up_time(Duration::from_millis(300));
    // 80 us a sample.
    group.measurement_time(Duration::from_millis(32));
}

/// Samples of one call, for whole saves.
pub fn single_calls(group: &mut BenchmarkGroup<'_, WallTime>) {
    group.sampling_mode(SamplingMode::Flat).sample_size(100);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_millis(1));
}

/// Benchmarks that only call a function.
pub trait Time {
    /// Measures calls of `work`.
    fn time<O>(&mut self, name: impl Into<String>, work: impl FnMut() -> O);
}

impl Time for BenchmarkGroup<'_, WallTime> {
    fn time<O>(&mut self, name: impl Into<String>, mut work: impl FnMut() -> O) {
        self.bench_function(name, |bencher| bencher.iter(&mut work));
    }
}
