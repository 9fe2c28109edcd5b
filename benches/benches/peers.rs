//! The same work by other libraries. One is the only other Rust crate for this format; it takes part if it can read the
//! input. The others read the same data in `MessagePack`, JSON, BSON, `FlexBuffers` and `rkyv`'s archives.
//!
//! Libraries that are not Rust crates are in `benches/peers`.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;

use bson::{RawBsonRef, RawDocument};
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flexbuffers::{Reader, ReaderError};
use godot_binary_serialization::decoder::Decoder;
use rkyv::Portable;
use rkyv::api::high::HighValidator;
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor;
use rkyv::util::AlignedVec;
use variant_bench::archive::{ArchivedSave, ArchivedTree, to_structures, to_tree};
use variant_bench::formats::{
    read_bson, read_flexbuffer, to_bson, to_flexbuffer, to_json, to_message_pack,
};
use variant_bench::inputs::{self, Input};
use variant_bench::{Time as _, configuration};
use variant_owned::{Variant, dictionary, encode};
use variant_view::{Dialect, Document};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn document(bytes: &[u8]) -> Document<'_> {
    inputs::document(bytes, Dialect::Godot4)
}

/// A packet without arrays, since the other crate does not support arrays.
fn packet(c: &mut Criterion) {
    let value = dictionary! {
        "method" => "move_to", "id" => 77, "t" => 1_731_000_000.125,
        "pos" => dictionary! { "x" => 12.5, "y" => 0.0, "z" => -7.25 }, "run" => true,
    };
    let bytes = encode(&value.into(), Dialect::Godot4).expect("encodes");
    Decoder::decode_variant(&bytes).expect("the other crate reads it");
    let mut group = c.benchmark_group("peers/packet");
    group.time("variant-view: validate", || document(black_box(&bytes)).validate());
    group.time("variant-view: one key", || document(black_box(&bytes)).get("t"));
    group.time("variant-owned", || Variant::from_document(&document(black_box(&bytes))));
    group.time("godot-binary-serialization", || Decoder::decode_variant(black_box(&bytes)));
    group.finish();
}

/// A save of 1.24 MB, and the same data in other formats.
struct Copies {
    ours: Input,
    message_pack: Vec<u8>,
    json: String,
    bson: Vec<u8>,
    flexbuffer: Vec<u8>,
    tree: AlignedVec,
    structures: AlignedVec,
}

impl Copies {
    fn new() -> Self {
        let ours = inputs::save();
        let value = Variant::from_document(&ours.document()).expect("valid");
        let mut message_pack = Vec::new();
        rmpv::encode::write_value(&mut message_pack, &to_message_pack(&value)).expect("memory");
        let save = Self {
            ours,
            message_pack,
            json: serde_json::to_string(&to_json(&value)).expect("memory"),
            bson: to_bson(&value),
            flexbuffer: to_flexbuffer(&value),
            tree: to_tree(&value),
            structures: to_structures(&value),
        };
        // The values are the version, the name, and six values for each of the 10,000 records. A record counts as six
        // values: four values, and the two elements of its vector.
        assert_eq!(save.read_bson().expect("valid"), 60_002);
        assert_eq!(save.read_flexbuffer().expect("valid"), 60_002);
        access::<ArchivedTree>(&save.tree).expect("valid");
        save
    }

    fn read_bson(&self) -> bson::error::Result<usize> {
        read_bson(RawBsonRef::Document(RawDocument::from_bytes(black_box(&self.bson))?))
    }

    fn read_flexbuffer(&self) -> Result<usize, ReaderError> {
        read_flexbuffer(&Reader::get_root(black_box(self.flexbuffer.as_slice()))?)
    }
}

/// An archive in memory, after a check of the whole archive.
fn access<T>(bytes: &AlignedVec) -> Result<&T, rancor::Error>
where
    T: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>,
{
    rkyv::access(black_box(bytes.as_slice()))
}

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn other(parser: &str) -> BenchmarkId {
    BenchmarkId::new("other format", parser)
}

/// Sets the throughput of the next benchmark; the size of the data differs by format.
fn bytes(group: &mut Group<'_>, len: usize) {
    group.throughput(Throughput::Bytes(u64::try_from(len).unwrap_or_default()));
}

fn whole(c: &mut Criterion) {
    let save = Copies::new();
    let mut group = c.benchmark_group("peers/save_10k");
    ours(&mut group, &save);
    trees(&mut group, &save);
    in_place(&mut group, &save);
    group.finish();
}

fn ours(group: &mut Group<'_>, save: &Copies) {
    bytes(group, save.ours.bytes.len());
    group.time("variant-view: validate", || black_box(save.ours.document()).validate());
    group.time("variant-view: every value", || {
        black_box(save.ours.document()).walk().flatten().count()
    });
    group.time("variant-owned", || Variant::from_document(&black_box(save.ours.document())));
}

/// Libraries that build a tree in memory.
fn trees(group: &mut Group<'_>, save: &Copies) {
    bytes(group, save.message_pack.len());
    group.bench_function(other("rmpv Value"), |b| {
        b.iter(|| rmpv::decode::read_value(&mut black_box(save.message_pack.as_slice())));
    });
    group.bench_function(other("rmpv ValueRef"), |b| {
        b.iter(|| {
            rmpv::decode::read_value_ref(&mut black_box(save.message_pack.as_slice())).map(drop)
        });
    });
    bytes(group, save.json.len());
    group.bench_function(other("serde_json Value"), |b| {
        b.iter(|| serde_json::from_str::<serde_json::Value>(black_box(&save.json)));
    });
    group.bench_function(other("simd-json borrowed, less the copy that it destroys"), |b| {
        b.iter_batched_ref(
            || save.json.clone().into_bytes(),
            |bytes| simd_json::to_borrowed_value(bytes).map(drop),
            BatchSize::LargeInput,
        );
    });
}

/// Libraries that read the bytes in place.
fn in_place(group: &mut Group<'_>, save: &Copies) {
    bytes(group, save.bson.len());
    group.bench_function(other("bson RawDocument, every value"), |b| b.iter(|| save.read_bson()));
    bytes(group, save.flexbuffer.len());
    group.bench_function(other("flexbuffers Reader, every value"), |b| {
        b.iter(|| save.read_flexbuffer());
    });
    bytes(group, save.tree.len());
    group.bench_function(other("rkyv access, checked, tree of enums"), |b| {
        b.iter(|| access::<ArchivedTree>(&save.tree).is_ok());
    });
    bytes(group, save.structures.len());
    group.bench_function(other("rkyv access, checked, known structures"), |b| {
        b.iter(|| access::<ArchivedSave>(&save.structures).is_ok());
    });
}

/// Reads one number from the last record. The bytes are not validated.
#[expect(clippy::float_cmp, reason = "halves are exact")]
fn one_value(c: &mut Criterion) {
    let save = Copies::new();
    assert_eq!(save.last_of_ours().expect("valid"), 4_999.5);
    assert_eq!(save.last_of_bson().expect("valid"), 4_999.5);
    assert_eq!(save.last_of_flexbuffer().expect("valid"), 4_999.5);
    assert_eq!(save.last_of_rkyv().expect("valid"), Some(4_999.5));
    let mut group = c.benchmark_group("peers/one_value");
    group.time("variant-view: at", || save.last_of_ours());
    group.bench_function(other("bson RawDocument"), |b| b.iter(|| save.last_of_bson()));
    group.bench_function(other("flexbuffers Reader, which has an index"), |b| {
        b.iter(|| save.last_of_flexbuffer());
    });
    group.bench_function(other("rkyv access, all checked before, known structures"), |b| {
        b.iter(|| save.last_of_rkyv());
    });
    group.finish();
}

const LAST: usize = 9_999;

impl Copies {
    fn last_of_ours(&self) -> variant_view::Result<f64> {
        black_box(self.ours.document()).at("items[9999].hp")?.as_f64()
    }

    fn last_of_bson(&self) -> bson::error::Result<f64> {
        let root = RawDocument::from_bytes(black_box(&self.bson))?;
        root.get_array("items")?.get_document(LAST)?.get_f64("hp")
    }

    fn last_of_flexbuffer(&self) -> Result<f64, ReaderError> {
        let root = Reader::get_root(black_box(self.flexbuffer.as_slice()))?;
        let items = root.get_map()?.index("items")?.get_vector()?;
        items.index(LAST)?.get_map()?.index("hp")?.get_f64()
    }

    fn last_of_rkyv(&self) -> Result<Option<f64>, rancor::Error> {
        let root = access::<ArchivedSave>(&self.structures)?;
        Ok(root.items.get(LAST).map(|item| item.hp.to_native().into()))
    }
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = packet, whole, one_value
}
criterion_main!(benches);
