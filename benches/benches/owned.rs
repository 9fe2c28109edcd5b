//! What it costs to build owned values, to write them, and to drop them; with a parser of another format on
//! the same data beside it.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may stop")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_bench::to_message_pack;
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FILES: [(&str, Dialect, &str, usize); 3] = [
    ("rpc", Dialect::Godot4, "godot4/saves/rpc.variant", 0),
    ("save_10k", Dialect::Godot4, "godot4/saves/save_10k.variant", 0),
    ("rpg_save", Dialect::Godot3, "godot3/saves/rpg_save.bin", 4),
];

fn read(file: &str, skip: usize) -> Vec<u8> {
    corpus::bytes(file).expect("the corpus is there").split_off(skip)
}

fn document(bytes: &[u8], dialect: Dialect) -> Document<'_> {
    Document::new(bytes, Options::new(dialect).limits(Limits::FILE))
}

/// A tree of values, and its end.
fn to_owned(c: &mut Criterion) {
    let mut group = c.benchmark_group("to_owned");
    for (name, dialect, file, skip) in FILES {
        let bytes = read(file, skip);
        let document = document(&bytes, dialect);
        group.throughput(Throughput::Bytes(u64::try_from(bytes.len()).unwrap_or_default()));
        group.bench_function(name, |b| b.iter(|| Variant::from_document(black_box(&document))));
    }
    let value = Variant::from_document(&document(&read(FILES[1].2, 0), FILES[1].1)).expect("valid");
    let mut other = Vec::new();
    rmpv::encode::write_value(&mut other, &to_message_pack(&value)).expect("writes to memory");
    group.throughput(Throughput::Bytes(u64::try_from(other.len()).unwrap_or_default()));
    group.bench_function("save_10k, other format: rmpv::Value", |b| {
        b.iter(|| rmpv::decode::read_value(&mut black_box(other.as_slice())));
    });
    group.finish();
}

/// Into a buffer that has been used before.
fn encode(c: &mut Criterion) {
    let [small, large @ ..] = FILES;
    encode_files(c, "encode_small", &[small]);
    encode_files(c, "encode", &large);
}

fn encode_files(c: &mut Criterion, group: &str, files: &[(&str, Dialect, &str, usize)]) {
    let mut group = c.benchmark_group(group);
    for &(name, dialect, file, skip) in files {
        let bytes = read(file, skip);
        let value = Variant::from_document(&document(&bytes, dialect)).expect("valid");
        let options = EncodeOptions::new(dialect);
        let mut buffer = Vec::new();
        group.throughput(Throughput::Bytes(u64::try_from(bytes.len()).unwrap_or_default()));
        group.bench_function(name, |b| {
            b.iter(|| {
                buffer.clear();
                encode_into(black_box(&value), &options, &mut buffer)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, to_owned, encode);
criterion_main!(benches);
