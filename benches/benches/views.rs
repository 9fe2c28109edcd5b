//! What it costs to open, check, look into and go through documents.
#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may stop")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_testkit::builder::Builder;
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options};

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
    for input in inputs() {
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
    group.bench_function("1", |b| b.iter(|| black_box(rpc.document()).get("pos")));
    group.bench_function("3", |b| {
        b.iter(|| {
            black_box(rpc.document()).root()?.as_dictionary()?.get_many(["method", "id", "pos"])
        });
    });
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

criterion_group!(benches, skip, validate, walk, get, pool);
criterion_main!(benches);
