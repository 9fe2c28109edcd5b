//! The cost of building, writing and dropping owned values, compared with a parser of another format on the same data.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;

#[cfg(feature = "peers")]
use criterion::{BenchmarkGroup, Throughput, measurement::WallTime};
use criterion::{Criterion, criterion_group, criterion_main};
use variant_bench::inputs::{self, Input};
use variant_bench::{Time as _, configuration, short_samples, single_calls};
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_view::OwnedDocument;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Builds a tree of values, and drops it.
fn to_owned(c: &mut Criterion) {
    let mut group = c.benchmark_group("to_owned");
    for input in [inputs::rpc(), inputs::save(), inputs::rpg()] {
        let document = input.document();
        group.throughput(input.throughput());
        group.time(input.name, || Variant::from_document(black_box(&document)));
    }
    #[cfg(feature = "peers")]
    message_pack(&mut group, &inputs::save());
    group.finish();
}

/// Makes an owned copy of a document: as bytes with a tape, and as a tree of values.
fn owned_document(c: &mut Criterion) {
    for input in [inputs::rpc(), inputs::save()] {
        let mut group = c.benchmark_group(format!("owned_document/{}", input.name));
        if input.len() < 1_000 {
            short_samples(&mut group);
        } else {
            single_calls(&mut group);
        }
        let options = *input.document().options();
        group.time("owned_document", || OwnedDocument::new(black_box(&*input.bytes), options));
        group.time("variant", || Variant::from_document(black_box(&input.document())));
    }
}

/// Reads the same data in `MessagePack` with the library of that format.
#[cfg(feature = "peers")]
fn message_pack(group: &mut BenchmarkGroup<'_, WallTime>, input: &Input) {
    let value = Variant::from_document(&input.document()).expect("valid");
    let mut bytes = Vec::new();
    let message = variant_bench::formats::to_message_pack(&value);
    rmpv::encode::write_value(&mut bytes, &message).expect("writes to memory");
    group.throughput(Throughput::Bytes(u64::try_from(bytes.len()).unwrap_or_default()));
    group.time("save_10k, other format: rmpv::Value", || {
        rmpv::decode::read_value(&mut black_box(bytes.as_slice()))
    });
}

/// Encodes into a reused buffer.
fn encode(c: &mut Criterion) {
    encode_inputs(c, "encode_small", &[inputs::rpc()]);
    encode_inputs(c, "encode", &[inputs::save(), inputs::rpg()]);
}

fn encode_inputs(c: &mut Criterion, group: &str, inputs: &[Input]) {
    let mut group = c.benchmark_group(group);
    for input in inputs {
        let value = Variant::from_document(&input.document()).expect("valid");
        let options = EncodeOptions::new(input.dialect);
        let mut buffer = Vec::new();
        group.throughput(input.throughput());
        group.time(input.name, || {
            buffer.clear();
            encode_into(black_box(&value), options, &mut buffer)
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = to_owned, owned_document, encode
}
criterion_main!(benches);
