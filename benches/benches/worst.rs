//! Every entry point with documents that are each hard for one part of the library. `benches/report.py --worst` prints
//! a table of nanoseconds per byte.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use variant_bench::hostile;
use variant_bench::inputs::Input;
use variant_bench::{Time as _, configuration};
use variant_owned::json::{self, Form};
use variant_owned::{EncodeOptions, Variant, encode_into};

/// Runs `one` with each input, in a group with this name.
fn each(c: &mut Criterion, name: &str, one: fn(&mut BenchmarkGroup<'_, WallTime>, &Input)) {
    let mut group = c.benchmark_group(format!("worst/{name}"));
    // Few samples suffice: there are many benchmarks, and only large factors between them matter.
    group.sample_size(20).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_millis(600));
    for input in hostile::all() {
        group.throughput(Throughput::Bytes(input.len()));
        one(&mut group, &input);
    }
}

fn validate(c: &mut Criterion) {
    each(c, "validate", |group, input| {
        group.time(input.name, || black_box(input.document()).validate());
    });
}

fn walk(c: &mut Criterion) {
    each(c, "walk", |group, input| {
        group.time(input.name, || black_box(input.document()).walk().flatten().count());
    });
}

/// Looks up the last key.
fn get(c: &mut Criterion) {
    each(c, "get", |group, input| {
        group.time(input.name, || black_box(input.document()).get("last"));
    });
}

fn owned(c: &mut Criterion) {
    each(c, "owned", |group, input| {
        group.time(input.name, || Variant::from_document(&black_box(input.document())));
    });
}

fn encode(c: &mut Criterion) {
    each(c, "encode", |group, input| {
        let value = Variant::from_document(&input.document()).expect("valid");
        let options = EncodeOptions::new(input.dialect);
        let mut buffer = Vec::new();
        group.time(input.name, || {
            buffer.clear();
            encode_into(black_box(&value), options, &mut buffer)
        });
    });
}

fn to_json(c: &mut Criterion) {
    each(c, "JSON", |group, input| {
        let mut out = Vec::new();
        group.time(input.name, || {
            out.clear();
            json::write(&black_box(input.document()), Form::Plain, &mut out, false).is_ok()
        });
    });
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = validate, walk, get, owned, encode, to_json
}
criterion_main!(benches);
