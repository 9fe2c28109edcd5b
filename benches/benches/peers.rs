//! The same work done by others: by the one other Rust crate for this format where it can read the input, and, marked
//! as another format, by parsers of the same data in `MessagePack` and JSON.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may stop")]

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use godot_binary_serialization::decoder::Decoder;
use variant_bench::formats::to_message_pack;
use variant_owned::{EncodeOptions, Variant, dictionary, encode};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn document(bytes: &[u8]) -> Document<'_> {
    Document::new(bytes, Options::new(Dialect::Godot4).limits(Limits::FILE))
}

/// A packet without arrays, which the other crate does not know.
fn packet(c: &mut Criterion) {
    let value = dictionary! {
        "method" => "move_to", "id" => 77, "t" => 1_731_000_000.125,
        "pos" => dictionary! { "x" => 12.5, "y" => 0.0, "z" => -7.25 }, "run" => true,
    };
    let bytes = encode(&value.into(), &EncodeOptions::new(Dialect::Godot4)).expect("encodes");
    Decoder::decode_variant(&bytes).expect("the other crate reads it");
    let mut group = c.benchmark_group("peers/packet");
    group.bench_function("variant-view: validate", |b| {
        b.iter(|| document(black_box(&bytes)).validate());
    });
    group.bench_function("variant-view: one key", |b| {
        b.iter(|| document(black_box(&bytes)).get("t"));
    });
    group.bench_function("variant-owned", |b| {
        b.iter(|| Variant::from_document(&document(black_box(&bytes))));
    });
    group.bench_function("godot-binary-serialization", |b| {
        b.iter(|| Decoder::decode_variant(black_box(&bytes)));
    });
    group.finish();
}

/// A save of 1.24 MB.
fn save(c: &mut Criterion) {
    let bytes = corpus::bytes("godot4/saves/save_10k.variant").expect("the corpus is there");
    let value = Variant::from_document(&document(&bytes)).expect("valid");
    let mut message_pack = Vec::new();
    rmpv::encode::write_value(&mut message_pack, &to_message_pack(&value)).expect("memory");
    let json = serde_json::to_string(&to_json(&value)).expect("memory");

    let mut group = c.benchmark_group("peers/save_10k");
    group.bench_function("variant-view: validate", |b| {
        b.iter(|| document(black_box(&bytes)).validate());
    });
    group.bench_function("variant-owned", |b| {
        b.iter(|| Variant::from_document(&document(black_box(&bytes))));
    });
    let other = |parser: &str| BenchmarkId::new("other format", parser);
    group.bench_function(other("rmpv Value"), |b| {
        b.iter(|| rmpv::decode::read_value(&mut black_box(message_pack.as_slice())));
    });
    group.bench_function(other("rmpv ValueRef"), |b| {
        b.iter(|| rmpv::decode::read_value_ref(&mut black_box(message_pack.as_slice())).map(drop));
    });
    group.bench_function(other("serde_json Value"), |b| {
        b.iter(|| serde_json::from_str::<serde_json::Value>(black_box(&json)));
    });
    group.bench_function(other("simd-json borrowed, less the copy that it destroys"), |b| {
        b.iter_batched_ref(
            || json.clone().into_bytes(),
            |bytes| simd_json::to_borrowed_value(bytes).map(drop),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn to_json(value: &Variant) -> serde_json::Value {
    match value {
        Variant::Bool(v) => (*v).into(),
        Variant::Int(v) => v.value().into(),
        Variant::Float(v) => v.value().into(),
        Variant::String(v) | Variant::StringName(v) => v.to_str_lossy().into(),
        Variant::Vector2(v) => {
            let v = v.f32();
            vec![v.x, v.y].into()
        }
        Variant::Array(v) => v.iter().map(to_json).collect(),
        Variant::Dictionary(v) => {
            let key = |key: &Variant| key.as_str().unwrap_or_default().to_owned();
            v.iter().map(|(name, value)| (key(name), to_json(value))).collect()
        }
        _ => serde_json::Value::Null,
    }
}

criterion_group!(benches, packet, save);
criterion_main!(benches);
