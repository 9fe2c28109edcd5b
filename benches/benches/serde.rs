//! Structs by `serde`: this crate and `MessagePack`, JSON, BSON, postcard and CBOR, each with its encoding of the same
//! values.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use serde::{Deserialize, Serialize};
use variant_bench::inputs;
use variant_bench::{Time as _, configuration, short_samples, single_calls};
use variant_view::{Dialect, Limits, Options};
use zerompk::{FromMessagePack, ToMessagePack};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, FromMessagePack, ToMessagePack)]
#[msgpack(map)]
struct Vector2 {
    x: f32,
    y: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, FromMessagePack, ToMessagePack)]
#[msgpack(map)]
struct Vector3 {
    x: f32,
    y: f32,
    z: f32,
}

/// The packet `rpc`, its text borrowed.
#[derive(Debug, PartialEq, Serialize, Deserialize, FromMessagePack, ToMessagePack)]
#[msgpack(map)]
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

#[derive(Debug, PartialEq, Serialize, Deserialize, FromMessagePack, ToMessagePack)]
#[msgpack(map)]
struct Entity<T> {
    id: u32,
    name: T,
    hp: f64,
    #[serde(with = "variant_serde::as_vector2")]
    pos: Vector2,
    on: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, FromMessagePack, ToMessagePack)]
#[msgpack(map)]
struct Save<T> {
    version: u32,
    name: T,
    items: Vec<Entity<T>>,
}

fn options() -> Options {
    Options::engine(Dialect::Godot4).limits(Limits::FILE)
}

/// A type that each library reads and writes; `zerompk` has its own derives.
trait Both<'a>: Serialize + Deserialize<'a> + ToMessagePack + FromMessagePack<'a> {}

impl<'a, T: Serialize + Deserialize<'a> + ToMessagePack + FromMessagePack<'a>> Both<'a> for T {}

struct Formats {
    ours: Vec<u8>,
    message_pack: Vec<u8>,
    zerompk: Vec<u8>,
    json: String,
    bson: Vec<u8>,
    postcard: Vec<u8>,
    cbor: Vec<u8>,
}

impl Formats {
    fn new<'a>(ours: Vec<u8>, value: &impl Both<'a>) -> Self {
        let mut cbor = Vec::new();
        ciborium::into_writer(value, &mut cbor).expect("memory");
        Self {
            ours,
            message_pack: rmp_serde::to_vec_named(value).expect("memory"),
            zerompk: zerompk::to_msgpack_vec(value).expect("memory"),
            json: serde_json::to_string(value).expect("memory"),
            bson: bson::serialize_to_vec(value).expect("memory"),
            postcard: postcard::to_allocvec(value).expect("memory"),
            cbor,
        }
    }

    /// Reads a `T` that borrows if the format allows it.
    fn read<'a, T: Both<'a>>(&'a self, group: &mut BenchmarkGroup<'_, WallTime>) {
        group.throughput(Throughput::Bytes(u64::try_from(self.ours.len()).unwrap_or_default()));
        group.time("variant-serde", || {
            variant_serde::from_slice::<T>(black_box(&self.ours), options()).is_ok()
        });
        group.time("rmp-serde, named", || {
            rmp_serde::from_slice::<T>(black_box(&self.message_pack)).is_ok()
        });
        group.time("zerompk, named", || {
            zerompk::from_msgpack::<T>(black_box(&self.zerompk)).is_ok()
        });
        group.time("serde_json", || serde_json::from_str::<T>(black_box(&self.json)).is_ok());
        group.time("bson", || bson::deserialize_from_slice::<T>(black_box(&self.bson)).is_ok());
        group.time("postcard, no names", || {
            postcard::from_bytes::<T>(black_box(&self.postcard)).is_ok()
        });
    }

    /// Reads CBOR, whose library does not borrow text.
    fn read_cbor<T: for<'a> Deserialize<'a>>(&self, group: &mut BenchmarkGroup<'_, WallTime>) {
        group.time("ciborium", || ciborium::from_reader::<T, _>(black_box(&*self.cbor)).is_ok());
    }
}

/// Writes a value into a buffer that is used again.
fn write<'a>(group: &mut BenchmarkGroup<'_, WallTime>, value: &impl Both<'a>) {
    let mut buffer = Vec::new();
    group.time("variant-serde", || {
        buffer.clear();
        variant_serde::to_vec_into(black_box(value), Dialect::Godot4, &mut buffer).is_ok()
    });
    group.time("rmp-serde, named", || {
        buffer.clear();
        let mut writer = rmp_serde::Serializer::new(&mut buffer).with_struct_map();
        black_box(value).serialize(&mut writer).is_ok()
    });
    group.time("zerompk, named", || {
        buffer.clear();
        zerompk::write_msgpack(&mut buffer, black_box(value)).is_ok()
    });
    group.time("serde_json", || {
        buffer.clear();
        serde_json::to_writer(&mut buffer, black_box(value)).is_ok()
    });
    group.time("postcard, no names", || {
        buffer.clear();
        postcard::to_io(black_box(value), &mut buffer).is_ok()
    });
}

fn rpc(c: &mut Criterion) {
    let ours = inputs::rpc().bytes;
    let value: Call<'_> = variant_serde::from_slice(&ours, options()).expect("the packet");
    let formats = Formats::new(ours.clone(), &value);
    let mut group = c.benchmark_group("serde/rpc");
    short_samples(&mut group);
    formats.read::<Call<'_>>(&mut group);
    group.finish();

    let mut group = c.benchmark_group("serde/rpc part");
    short_samples(&mut group);
    let document = inputs::document(&ours, Dialect::Godot4);
    group.time("variant-serde", || {
        variant_serde::from_slice::<Part<'_>>(black_box(&ours), options()).is_ok()
    });
    group.time("get_many", || black_box(document).get_many(["method", "id", "t"]).is_ok());
    group.finish();

    let mut group = c.benchmark_group("serde/rpc write");
    short_samples(&mut group);
    write(&mut group, &value);
}

fn save(c: &mut Criterion) {
    let ours = inputs::save().bytes;
    let value: Save<&str> = variant_serde::from_slice(&ours, options()).expect("the save");
    let formats = Formats::new(ours.clone(), &value);
    let mut group = c.benchmark_group("serde/save_10k");
    single_calls(&mut group);
    formats.read::<Save<&str>>(&mut group);
    group.finish();

    let mut group = c.benchmark_group("serde/save_10k, text owned");
    single_calls(&mut group);
    formats.read::<Save<String>>(&mut group);
    formats.read_cbor::<Save<String>>(&mut group);
    group.finish();

    let mut group = c.benchmark_group("serde/save_10k write");
    single_calls(&mut group);
    write(&mut group, &value);
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = rpc, save
}
criterion_main!(benches);
