//! The cost of reading files: frames (values with a length prefix), and compressed saves.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;

use bytes::BytesMut;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tokio_util::codec::Decoder as _;
use variant_bench::inputs::{self, Input};
use variant_bench::{Time as _, configuration};
use variant_io::{ByteOrder, Compression, GcpfOptions, VariantCodec, compress, decompress, frames};
use variant_view::{Dialect, Options, Result};

/// A generated recording of 20,000 packets, and a recording of 200 packets that an engine made.
fn recordings() -> [Input; 2] {
    let rpc = inputs::rpc();
    let len = u32::try_from(rpc.bytes.len()).expect("short");
    let bytes = [&len.to_le_bytes(), rpc.bytes.as_slice()].concat().repeat(20_000);
    [
        Input { name: "rpc_20k", dialect: rpc.dialect, bytes },
        Input::of_corpus("replay_200", Dialect::Godot3, "godot3/saves/replay_200.bin", 0),
    ]
}

/// Frames, as `store_var` writes them.
fn store_var(c: &mut Criterion) {
    let mut group = c.benchmark_group("frames");
    for input in recordings() {
        let count = frames(&input.bytes, ByteOrder::Little).count();
        group.throughput(Throughput::ElementsAndBytes {
            elements: u64::try_from(count).unwrap_or_default(),
            bytes: input.len(),
        });
        group.bench_function(format!("iterate/{}", input.name), |b| {
            b.iter(|| frames(black_box(&input.bytes), ByteOrder::Little).flatten().count());
        });
        group.bench_function(format!("validate/{}", input.name), |b| {
            b.iter(|| validate(black_box(&input)));
        });
    }
}

/// Validates each value separately. Returns the total number of values, including nested values.
fn validate(input: &Input) -> Result<u64> {
    let all = frames(&input.bytes, ByteOrder::Little);
    let documents = all.flatten().map(|frame| inputs::document(frame.bytes(), input.dialect));
    documents.map(|document| document.validate().map(|summary| summary.values)).sum()
}

/// The cost that the codec adds to the cost of reading frames. Each packet shares the buffer by a reference count.
fn codec(c: &mut Criterion) {
    let mut group = c.benchmark_group("codec");
    for input in recordings() {
        let count = frames(&input.bytes, ByteOrder::Little).count();
        group.throughput(Throughput::Elements(u64::try_from(count).unwrap_or_default()));
        group.bench_function(input.name, |b| {
            b.iter_batched(
                || BytesMut::from(&*input.bytes),
                |mut buffer| {
                    let mut codec = VariantCodec::new(Options::engine(input.dialect));
                    let mut packets = 0_usize;
                    while let Ok(Some(packet)) = codec.decode(&mut buffer) {
                        packets = packets.saturating_add(black_box(packet).len().min(1));
                    }
                    assert_eq!(packets, count);
                },
                BatchSize::LargeInput,
            );
        });
    }
}

/// Opens a compressed save. For comparison, decompresses the same blocks with the compression library alone.
fn gcpf(c: &mut Criterion) {
    const ROOMY: u64 = 1 << 24;
    let save = inputs::save();
    let options = GcpfOptions::new(Compression::Zstd);
    let file = compress(&save.bytes, &options).expect("a save");
    let blocks: Vec<_> = save.bytes.chunks(4096).collect();
    let blocks = blocks.iter().map(|block| zstd::bulk::compress(block, 0).expect("a block"));
    let blocks: Vec<_> = blocks.collect();
    let mut group = c.benchmark_group("gcpf_zstd");
    group.throughput(Throughput::Bytes(save.len()));
    group.time("decompress", || decompress(black_box(&file), ROOMY).expect("a save"));
    group.time("the library alone", || {
        let mut zstd = zstd::bulk::Decompressor::new().expect("memory");
        let mut plain = Vec::with_capacity(save.bytes.len());
        let mut block = vec![0; 4096];
        for compressed in black_box(&blocks) {
            let len = zstd.decompress_to_buffer(compressed, &mut block).expect("a block");
            plain.extend_from_slice(block.get(..len).unwrap_or_default());
        }
        plain
    });
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = store_var, codec, gcpf
}
criterion_main!(benches);
