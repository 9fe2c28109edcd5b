//! What it costs to open, check, look into and go through documents.
#![allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may stop"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_testkit::builder::Builder;
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options, Result, Vector3};

/// A file of the corpus, less its first bytes.
struct Input {
    name: &'static str,
    dialect: Dialect,
    bytes: Vec<u8>,
}

impl Input {
    fn new(name: &'static str, dialect: Dialect, file: &str, skip: usize) -> Self {
        let bytes = corpus::bytes(file).expect("the corpus is there").split_off(skip);
        Self { name, dialect, bytes }
    }

    fn document(&self) -> Document<'_> {
        Document::new(&self.bytes, Options::new(self.dialect).limits(Limits::FILE))
    }
}

fn inputs() -> [Input; 3] {
    [
        Input::new("rpc", Dialect::Godot4, "godot4/saves/rpc.variant", 0),
        Input::new("save_10k", Dialect::Godot4, "godot4/saves/save_10k.variant", 0),
        Input::new("rpg_save", Dialect::Godot3, "godot3/saves/rpg_save.bin", 4),
    ]
}

/// What it costs to touch the memory at all: every figure can be read as a multiple of these.
fn floor(c: &mut Criterion) {
    let mut group = c.benchmark_group("floor");
    for input in inputs() {
        group.throughput(Throughput::Bytes(u64::try_from(input.bytes.len()).unwrap_or_default()));
        group.bench_function(format!("sum_words/{}", input.name), |b| {
            b.iter(|| {
                let (words, _) = black_box(input.bytes.as_slice()).as_chunks::<4>();
                words.iter().fold(0_u32, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)))
            });
        });
        let mut copy = input.bytes.clone();
        group.bench_function(format!("copy/{}", input.name), |b| {
            b.iter(|| black_box(&mut copy).copy_from_slice(black_box(&input.bytes)));
        });
    }
}

/// The records of a save as the values of a dictionary, where nobody looks for records of one shape.
fn apart(save: &Input) -> Input {
    let items = save.document().at("items").and_then(|items| items.as_array()).expect("an array");
    let pairs = (0_u32..).zip(items).fold(Builder::new(), |all, (n, item)| {
        all.u32(2).u32(n).raw(item.and_then(|item| item.raw_bytes()).expect("valid"))
    });
    let bytes = Builder::new().u32(27).u32(items.len()).raw(&pairs.build().bytes).build().bytes;
    Input { name: "save_10k_without_templates", dialect: save.dialect, bytes }
}

/// Structure alone: the pass that steps over a value to find its end.
fn skip(c: &mut Criterion) {
    let mut group = c.benchmark_group("skip");
    for input in inputs() {
        let values = input.document().validate().expect("valid").values;
        group.throughput(Throughput::ElementsAndBytes {
            elements: values,
            bytes: u64::try_from(input.bytes.len()).unwrap_or_default(),
        });
        group.bench_function(input.name, |b| {
            b.iter(|| black_box(input.document()).root()?.raw_bytes().map(<[u8]>::len));
        });
    }
}

/// Structure, limits and text.
fn validate(c: &mut Criterion) {
    let mut group = c.benchmark_group("validate");
    let [_, save, _] = inputs();
    for input in inputs().into_iter().chain([apart(&save)]) {
        let values = input.document().validate().expect("valid").values;
        group.throughput(Throughput::ElementsAndBytes {
            elements: values,
            bytes: u64::try_from(input.bytes.len()).unwrap_or_default(),
        });
        group.bench_function(input.name, |b| b.iter(|| black_box(input.document()).validate()));
    }
}

/// Every value as an event with its view.
fn walk(c: &mut Criterion) {
    let mut group = c.benchmark_group("walk");
    for input in inputs() {
        let values = input.document().validate().expect("valid").values;
        group.throughput(Throughput::Elements(values));
        group.bench_function(input.name, |b| {
            b.iter(|| black_box(input.document()).walk().flatten().count());
        });
    }
}

/// Keys of a packet that nobody has validated.
fn get(c: &mut Criterion) {
    let [rpc, ..] = inputs();
    let mut group = c.benchmark_group("get");
    group.bench_function("open", |b| b.iter(|| black_box(rpc.document()).root()));
    group.bench_function("1", |b| b.iter(|| black_box(rpc.document()).get("pos")));
    group.bench_function("3", |b| {
        b.iter(|| {
            let packet = black_box(rpc.document()).root()?.as_dictionary()?;
            packet.get_many(["method", "id", "pos"])
        });
    });
    group.bench_function("3_as_str_i64_vector3", |b| b.iter(|| three(&black_box(rpc.document()))));
    group.bench_function("8", |b| {
        b.iter(|| {
            let packet = black_box(rpc.document()).root()?.as_dictionary()?;
            packet.get_many(["method", "id", "pos", "vel", "t", "args", "none", "such"])
        });
    });
}

fn three<'a>(document: &Document<'a>) -> Result<Option<(&'a str, i64, Vector3)>> {
    let packet = document.root()?.as_dictionary()?;
    let [Some(method), Some(id), Some(pos)] = packet.get_many(["method", "id", "pos"])? else {
        return Ok(None);
    };
    Ok(Some((method.as_str()?, id.as_i64()?, pos.as_vector3()?)))
}

/// The view of a packed array costs the same whatever its length.
fn pool(c: &mut Criterion) {
    let mut group = c.benchmark_group("pool");
    for count in [1_000_u32, 1_000_000, 10_000_000] {
        let payload = vec![0; usize::try_from(count).expect("fits").saturating_mul(4)];
        let bytes = Builder::new().u32(32).u32(count).raw(&payload).build().bytes;
        let document = Document::new(&bytes, Dialect::Godot4);
        group.bench_function(format!("open_{count}_floats"), |b| {
            b.iter(|| black_box(document).root()?.as_float32s().map(|pool| pool.as_native()));
        });
    }
}

/// What is done with the elements of one.
fn elements(c: &mut Criterion) {
    let count = 1_000_000_u32;
    let floats: Vec<u8> = (0..count).flat_map(|n| (f64::from(n) as f32).to_le_bytes()).collect();
    let bytes = Builder::new().u32(32).u32(count).raw(&floats).build().bytes;
    // Anywhere but at a multiple of four.
    let shifted = [&[0_u8], bytes.as_slice()].concat();
    let mut group = c.benchmark_group("pool_elements");
    group.throughput(Throughput::Elements(count.into()));
    let document = Document::new(&bytes, Dialect::Godot4);
    let aligned = document.root().and_then(|root| root.as_float32s()).expect("valid");
    group.bench_function("sum_aligned", |b| {
        b.iter(|| black_box(aligned).as_native().map(|all| all.iter().sum::<f32>()));
    });
    let document = Document::new(shifted.get(1..).unwrap_or_default(), Dialect::Godot4);
    let unaligned = document.root().and_then(|root| root.as_float32s()).expect("valid");
    group.bench_function("sum_unaligned", |b| b.iter(|| black_box(unaligned).iter().sum::<f32>()));
    group.bench_function("copy", |b| b.iter(|| black_box(unaligned).iter().collect::<Vec<_>>()));
}

criterion_group!(benches, floor, skip, validate, walk, get, pool, elements);
criterion_main!(benches);
