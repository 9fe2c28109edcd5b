//! Structs by `serde`: this crate beside `MessagePack`, JSON, BSON, postcard and CBOR, each from its encoding of the
//! same values.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may stop")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::{Deserialize, Serialize};
use variant_bench::configuration;
use variant_bench::inputs;
use variant_view::{Dialect, Limits, Options};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Vector2 {
    x: f32,
    y: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Vector3 {
    x: f32,
    y: f32,
    z: f32,
}

/// The packet `rpc`, its text borrowed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Call<'a> {
    method: &'a str,
    id: u32,
    #[serde(with = "variant_serde::as_vector3")]
    pos: Vector3,
    #[serde(with = "variant_serde::as_vector3")]
    vel: Vector3,
    t: f64,
    #[serde(borrow)]
    args: (bool, &'a str, i64),
}

/// Three fields of the packet; the others are skipped.
#[derive(Debug, PartialEq, Deserialize)]
struct Part<'a> {
    method: &'a str,
    id: u32,
    t: f64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Entity<T> {
    id: u32,
    name: T,
    hp: f64,
    #[serde(with = "variant_serde::as_vector2")]
    pos: Vector2,
    on: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Save<T> {
    version: u32,
    name: T,
    items: Vec<Entity<T>>,
}

fn options() -> Options {
    Options::new(Dialect::Godot4).limits(Limits::FILE)
}

/// One value in each format.
struct Formats {
    ours: Vec<u8>,
    message_pack: Vec<u8>,
    json: String,
    bson: Vec<u8>,
    postcard: Vec<u8>,
    cbor: Vec<u8>,
}

impl Formats {
    fn new(ours: Vec<u8>, value: &impl Serialize) -> Self {
        let mut cbor = Vec::new();
        ciborium::into_writer(value, &mut cbor).expect("memory");
        Self {
            ours,
            message_pack: rmp_serde::to_vec_named(value).expect("memory"),
            json: serde_json::to_string(value).expect("memory"),
            bson: bson::serialize_to_vec(value).expect("memory"),
            postcard: postcard::to_allocvec(value).expect("memory"),
            cbor,
        }
    }

    /// Reads a `T` that borrows where the format can.
    fn read<'a, T: Deserialize<'a>>(&'a self, c: &mut Criterion, name: &str) {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(u64::try_from(self.ours.len()).unwrap_or_default()));
        group.bench_function("variant-serde", |b| {
            b.iter(|| variant_serde::from_slice::<T>(black_box(&self.ours), options()).is_ok());
        });
        group.bench_function("rmp-serde, named", |b| {
            b.iter(|| rmp_serde::from_slice::<T>(black_box(&self.message_pack)).is_ok());
        });
        group.bench_function("serde_json", |b| {
            b.iter(|| serde_json::from_str::<T>(black_box(&self.json)).is_ok());
        });
        group.bench_function("bson", |b| {
            b.iter(|| bson::deserialize_from_slice::<T>(black_box(&self.bson)).is_ok());
        });
        group.bench_function("postcard, no names", |b| {
            b.iter(|| postcard::from_bytes::<T>(black_box(&self.postcard)).is_ok());
        });
        group.finish();
    }

    /// CBOR does not borrow text.
    fn read_cbor<T: for<'a> Deserialize<'a>>(&self, c: &mut Criterion, name: &str) {
        c.benchmark_group(name).bench_function("ciborium", |b| {
            b.iter(|| ciborium::from_reader::<T, _>(black_box(&*self.cbor)).is_ok());
        });
    }
}

fn rpc(c: &mut Criterion) {
    let ours = inputs::rpc().bytes;
    let value: Call<'_> = variant_serde::from_slice(&ours, options()).expect("the packet");
    let formats = Formats::new(ours.clone(), &value);
    formats.read::<Call<'_>>(c, "serde/rpc");

    let mut group = c.benchmark_group("serde/rpc part");
    let document = inputs::document(&ours, Dialect::Godot4);
    group.bench_function("variant-serde", |b| {
        b.iter(|| variant_serde::from_slice::<Part<'_>>(black_box(&ours), options()).is_ok());
    });
    group.bench_function("get_many", |b| {
        b.iter(|| black_box(document).get_many(["method", "id", "t"]).is_ok());
    });
    group.finish();

    let mut group = c.benchmark_group("serde/rpc write");
    let mut buffer = Vec::new();
    group.bench_function("variant-serde", |b| {
        b.iter(|| {
            buffer.clear();
            variant_serde::to_vec_into(black_box(&value), Dialect::Godot4, &mut buffer).is_ok()
        });
    });
    group.bench_function("rmp-serde, named", |b| {
        b.iter(|| {
            buffer.clear();
            let mut writer = rmp_serde::Serializer::new(&mut buffer).with_struct_map();
            black_box(&value).serialize(&mut writer).is_ok()
        });
    });
    group.bench_function("serde_json", |b| {
        b.iter(|| {
            buffer.clear();
            serde_json::to_writer(&mut buffer, black_box(&value)).is_ok()
        });
    });
    group.bench_function("postcard, no names", |b| {
        b.iter(|| {
            buffer.clear();
            postcard::to_io(black_box(&value), &mut buffer).is_ok()
        });
    });
    group.finish();
}

fn save(c: &mut Criterion) {
    let ours = inputs::save().bytes;
    let value: Save<&str> = variant_serde::from_slice(&ours, options()).expect("the save");
    let formats = Formats::new(ours.clone(), &value);
    formats.read::<Save<&str>>(c, "serde/save_10k, text borrowed");
    formats.read::<Save<String>>(c, "serde/save_10k, text owned");
    formats.read_cbor::<Save<String>>(c, "serde/save_10k, text owned");
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = rpc, save
}
criterion_main!(benches);
