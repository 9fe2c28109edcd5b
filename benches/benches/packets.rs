//! The work of a server on packets: one at a time beside the floor, and all of a wake-up at once.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may stop")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rayon::prelude::*;
use variant_bench::configuration;
use variant_bench::floor;
use variant_bench::inputs::{self, Input};
use variant_io::{ByteOrder, append_frame, frames, validate_documents, validate_frames};
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options, Result, Tape, VariantView, Vector3};

/// One packet, in the order of a server's work. `benches/report.py --aims` compares each with `floor`.
fn packet(c: &mut Criterion) {
    let rpc = inputs::rpc();
    assert_eq!(floor::validate(&rpc.bytes).map(u64::from), Some(rpc.values()));
    let mut group = c.benchmark_group("packet");
    group.throughput(rpc.throughput());
    group.bench_function("floor", |b| b.iter(|| floor::validate(black_box(&rpc.bytes))));
    group.bench_function("open", |b| b.iter(|| black_box(rpc.document()).root()));
    group.bench_function("validate", |b| b.iter(|| black_box(rpc.document()).validate()));
    group.bench_function("validate_server", |b| {
        let options = Options::server(rpc.dialect);
        b.iter(|| Document::new(black_box(&rpc.bytes), options).validate());
    });
    group.bench_function("three_keys", |b| b.iter(|| three(&black_box(rpc.document()))));
    group.bench_function("validate_and_three_keys", |b| {
        b.iter(|| typed(&black_box(rpc.document()).validated_get_many(KEYS)?));
    });
    group.bench_function("walk", |b| b.iter(|| black_box(rpc.document()).walk().flatten().count()));
    let mut tape = Tape::new();
    group.bench_function("tape", |b| {
        b.iter(|| tape.read(black_box(rpc.document())).map(|all| all.summary()));
    });
    let mut tape = Tape::new();
    let read = tape.read(rpc.document()).expect("valid");
    group.bench_function("tape_three_keys", |b| b.iter(|| black_box(read).root().get_many(KEYS)));
    group.bench_function("owned", |b| {
        b.iter(|| Variant::from_document(&black_box(rpc.document())));
    });
    let value = Variant::from_document(&rpc.document()).expect("valid");
    let options = EncodeOptions::new(rpc.dialect);
    let mut buffer = Vec::new();
    group.bench_function("encode", |b| {
        b.iter(|| {
            buffer.clear();
            encode_into(black_box(&value), options, &mut buffer)
        });
    });
}

/// The keys that a server looks up.
const KEYS: [&str; 3] = ["method", "id", "pos"];

fn three<'a>(document: &Document<'a>) -> Result<Option<(&'a str, i64, Vector3)>> {
    typed(&document.get_many(KEYS)?)
}

fn typed<'a>(found: &[Option<VariantView<'a>>; 3]) -> Result<Option<(&'a str, i64, Vector3)>> {
    let [Some(method), Some(id), Some(pos)] = found else { return Ok(None) };
    Ok(Some((method.as_str()?, id.as_i64()?, pos.as_vector3()?)))
}

/// A packet of 188 bytes, and one of some 100 as an engine recorded it.
fn packets() -> [Input; 2] {
    let file = corpus::bytes("godot3/saves/replay_200.bin").expect("the corpus is there");
    let mut all = frames(&file, ByteOrder::Little).flatten();
    let bytes = all.nth(100).expect("a frame").bytes().to_vec();
    [inputs::rpc(), Input { name: "replay", dialect: Dialect::Godot3, bytes }]
}

/// `count` copies of a packet, as a stream delivers them.
fn stream(packet: &Input, count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..count {
        append_frame(&mut bytes, &packet.bytes, ByteOrder::Little).expect("short");
    }
    bytes
}

fn options(packet: &Input) -> Options {
    Options::new(packet.dialect).limits(Limits::FILE)
}

fn name(call: &str, packet: &Input, count: usize) -> BenchmarkId {
    BenchmarkId::new(format!("{call}/{}", packet.name), count)
}

/// All packets of a wake-up, with 1, 16 and 256 in flight.
fn batch(c: &mut Criterion) {
    let mut group = c.benchmark_group("batch");
    for packet in packets() {
        let options = options(&packet);
        for count in [1, 16, 256] {
            let bytes = stream(&packet, count);
            let alone: Vec<_> = frames(&bytes, ByteOrder::Little).flatten().collect();
            group.throughput(Throughput::Elements(u64::try_from(count).unwrap_or_default()));
            group.bench_function(name("iterate", &packet, count), |b| {
                b.iter(|| frames(black_box(&bytes), ByteOrder::Little).flatten().count());
            });
            group.bench_function(name("one by one", &packet, count), |b| {
                b.iter(|| {
                    let all = frames(black_box(&bytes), ByteOrder::Little).flatten();
                    let all = all.map(|frame| Document::new(frame.bytes(), options).validate());
                    all.flatten().map(|summary| summary.values).sum::<u64>()
                });
            });
            group.bench_function(name("validate_frames", &packet, count), |b| {
                b.iter(|| validate_frames(black_box(&bytes), ByteOrder::Little, options).finish());
            });
            group.bench_function(name("validate_documents", &packet, count), |b| {
                b.iter(|| validate_documents(black_box(&alone), options).finish());
            });
        }
    }
}

/// The same on two cores: the number of packets from which the second core pays.
fn two_cores(c: &mut Criterion) {
    let cores = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let mut group = c.benchmark_group("batch_two_cores");
    for packet in packets() {
        let options = options(&packet);
        for count in [256, 4_096, 65_536] {
            let bytes = stream(&packet, count);
            let alone: Vec<_> = frames(&bytes, ByteOrder::Little).flatten().collect();
            let half = alone.len().div_ceil(2);
            group.throughput(Throughput::Elements(u64::try_from(count).unwrap_or_default()));
            group.bench_function(name("one core", &packet, count), |b| {
                b.iter(|| validate_documents(black_box(&alone), options).finish().values);
            });
            group.bench_function(name("two cores", &packet, count), |b| {
                b.iter(|| {
                    cores.install(|| {
                        let halves = black_box(&alone).par_chunks(half);
                        let each = halves.map(|half| validate_documents(half, options).finish());
                        each.map(|tally| tally.values).sum::<u64>()
                    })
                });
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = packet, batch, two_cores
}
criterion_main!(benches);
