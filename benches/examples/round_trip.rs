//! Prints the time to validate, decode and encode a value, for the scripts in `benches/peers`, which time other
//! libraries with the same value.
//!
//! `round_trip FILE DIALECT FROM`; FROM is the offset of the value: 4 if `store_var` wrote it.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs};

use variant_bench::inputs::document;
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_view::Dialect;

/// The minimum time of a batch, long enough that reading the clock does not matter.
const BATCH: Duration = Duration::from_millis(20);
/// The number of batches for the median.
const BATCHES: usize = 9;

fn main() {
    let mut arguments = env::args().skip(1);
    let mut argument = || arguments.next().expect("FILE DIALECT FROM");
    let file = fs::read(argument()).expect("a file");
    let dialect: Dialect = argument().parse().expect("a dialect");
    let from: usize = argument().parse().expect("a number");
    let bytes = file.get(from..).expect("a byte of the file");
    let read = document(bytes, dialect).validate().expect("valid").consumed;
    let value = Variant::from_document(&document(bytes, dialect)).expect("valid");
    let options = EncodeOptions::new(dialect);
    let mut buffer = Vec::new();

    println!("bytes {read} B");
    report("validate", || document(black_box(bytes), dialect).validate().is_ok());
    report("decode", || Variant::from_document(&document(black_box(bytes), dialect)).is_ok());
    report("encode", || {
        buffer.clear();
        encode_into(black_box(&value), options, &mut buffer).is_ok()
    });
}

fn report(work: &str, mut round: impl FnMut() -> bool) {
    println!("{work} {:.6} ms", median(&mut round));
}

/// Milliseconds per round.
fn median(round: &mut impl FnMut() -> bool) -> f64 {
    let mut rounds = 1_u32;
    while batch(rounds, round) < BATCH {
        rounds = rounds.saturating_mul(2);
    }
    let mut times: Vec<_> = (0..BATCHES).map(|_| batch(rounds, round)).collect();
    times.sort_unstable();
    let median = times.get(BATCHES / 2).copied().unwrap_or_default();
    median.as_secs_f64() * 1e3 / f64::from(rounds)
}

fn batch(rounds: u32, round: &mut impl FnMut() -> bool) -> Duration {
    let start = Instant::now();
    for _ in 0..rounds {
        assert!(black_box(round()));
    }
    start.elapsed()
}
