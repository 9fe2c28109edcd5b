//! The work of a server on packets: one packet compared with the minimal validator (`floor.rs`), and all packets that
//! one wake-up reads.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a benchmark may panic"
)]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use rayon::prelude::*;
use variant_bench::floor;
use variant_bench::inputs::{self, Input};
use variant_bench::{Time as _, configuration, short_samples};
use variant_io::{ByteOrder, append_frame, frames, validate_documents, validate_frames};
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_testkit::corpus;
use variant_view::{
    Dialect, Document, Limits, Lookup, Options, Result, Tape, VariantView, Vector3,
};

/// The steps of a server's work on one packet, in order. `benches/report.py --aims` compares each step with `floor`.
fn packet(c: &mut Criterion) {
    let rpc = inputs::rpc();
    assert_eq!(floor::validate(&rpc.bytes).map(u64::from), Some(rpc.values()));
    let mut group = c.benchmark_group("packet");
    group.throughput(rpc.throughput());
    group.time("floor", || floor::validate(black_box(&rpc.bytes)));
    group.time("open", || black_box(rpc.document()).root());
    group.time("validate", || black_box(rpc.document()).validate());
    group.bench_function("validate_server", |b| {
        let options = Options::server(rpc.dialect);
        b.iter(|| Document::new(black_box(&rpc.bytes), options).validate());
    });
    group.time("three_keys", || three(&black_box(rpc.document())));
    group.time("validate_and_three_keys", || {
        typed(&black_box(rpc.document()).validated_get_many(KEYS)?)
    });
    group.time("walk", || black_box(rpc.document()).walk().flatten().count());
    let mut tape = Tape::new();
    group.time("tape", || tape.read(black_box(rpc.document())).map(|all| all.summary()));
    let mut tape = Tape::new();
    let read = tape.read(rpc.document()).expect("valid");
    group.time("tape_three_keys", || black_box(read).get_many(KEYS));
    group.time("owned", || Variant::from_document(&black_box(rpc.document())));
    let value = Variant::from_document(&rpc.document()).expect("valid");
    let options = EncodeOptions::new(rpc.dialect);
    let mut buffer = Vec::new();
    group.time("encode", || {
        buffer.clear();
        encode_into(black_box(&value), options, &mut buffer)
    });
}

/// Makes a text of random letters, with at most the given length.
type Letters<'l> = dyn FnMut(usize) -> String + 'l;

/// A stream of packets of one type, read by a lookup, compared with single packets and with a copy of the bytes.
fn lookup(c: &mut Criterion) {
    let rpc = inputs::rpc();
    let value = Variant::from_document(&rpc.document()).expect("valid");
    let mut random = fastrand::Rng::with_seed(7);
    let mut letters = |most: usize| -> String {
        let len = random.usize(1..=most);
        std::iter::repeat_with(|| random.alphabetic()).take(len).collect()
    };
    let mut stream = |change: &mut dyn FnMut(&mut Variant, &mut Letters<'_>)| {
        let packet = |_| {
            let mut value = value.clone();
            change(&mut value, &mut letters);
            let mut bytes = Vec::new();
            encode_into(&value, EncodeOptions::new(rpc.dialect), &mut bytes).expect("encodes");
            bytes
        };
        (0..64).map(packet).collect::<Vec<_>>()
    };
    let fixed = stream(&mut |value, _| value["id"] = fastrand::i64(0..100_000).into());
    let name = stream(&mut |value, letters| value["method"] = letters(20).into());
    let unlike = stream(&mut |value, letters| {
        for _ in 0..3 {
            let key = letters(20);
            value.insert(key.as_str(), letters(20)).expect("a dictionary");
        }
    });
    for (name, packets) in [("fixed", fixed), ("name", name), ("nothing_repeats", unlike)] {
        let mut group = c.benchmark_group(format!("lookup/{name}"));
        short_samples(&mut group);
        group.throughput(Throughput::Elements(64));
        let options = Options::server(rpc.dialect);
        let mut lookup = Lookup::new(KEYS, options);
        group.time("lookup", || packets.iter().flat_map(|p| typed(&lookup.validated(p)?)).count());
        group.bench_function("today", |b| {
            let typed = |p| typed(&Document::new(p, options).validated_get_many(KEYS)?);
            b.iter(|| packets.iter().flat_map(|p| typed(p)).count());
        });
        copy(&mut group, &packets);
    }
    let mut group = c.benchmark_group("lookup/validate");
    short_samples(&mut group);
    group.throughput(Throughput::Elements(64));
    let packets = stream(&mut |value, _| value["id"] = fastrand::i64(0..100_000).into());
    let mut lookup = Lookup::new([""; 0], Options::server(rpc.dialect));
    group.time("lookup", || packets.iter().flat_map(|p| lookup.validate(p)).count());
    copy(&mut group, &packets);
}

fn copy(group: &mut BenchmarkGroup<'_, WallTime>, packets: &[Vec<u8>]) {
    let mut to = vec![0; packets.iter().map(Vec::len).max().unwrap_or(0)];
    group.time("copy", || {
        for packet in packets {
            black_box(&mut to[..packet.len()]).copy_from_slice(black_box(packet));
        }
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

/// A packet of 188 bytes, and a packet of some 100 bytes that an engine recorded.
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
    Options::engine(packet.dialect).limits(Limits::FILE)
}

fn name(call: &str, packet: &Input, count: usize) -> BenchmarkId {
    BenchmarkId::new(format!("{call}/{}", packet.name), count)
}

/// All packets that one wake-up of the server reads: 1, 16 and 256 packets.
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

/// The same work on two cores, to find the number of packets from which the second core saves time.
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
    targets = packet, lookup, batch, two_cores
}
criterion_main!(benches);
