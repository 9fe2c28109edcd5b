//! What it costs to open, check, look into and go through documents.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may stop")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_bench::configuration;
use variant_bench::inputs::{self, Input};
use variant_bench::shapes;
use variant_testkit::builder::Builder;
use variant_view::{Document, Result, Vector3};

fn inputs() -> [Input; 3] {
    [inputs::rpc(), inputs::save(), inputs::rpg()]
}

/// What it costs to touch the memory at all: every figure can be read as a multiple of these.
fn floor(c: &mut Criterion) {
    let mut group = c.benchmark_group("floor");
    for input in inputs() {
        group.throughput(Throughput::Bytes(input.len()));
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

/// The view of the root: what a document costs before anything is asked of it.
fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("open");
    for input in inputs() {
        group.bench_function(input.name, |b| b.iter(|| black_box(input.document()).root()));
    }
}

/// Structure alone: the pass that steps over a value to find its end.
fn skip(c: &mut Criterion) {
    let mut group = c.benchmark_group("skip");
    for input in inputs() {
        group.throughput(input.throughput());
        group.bench_function(input.name, |b| {
            b.iter(|| black_box(input.document()).root()?.raw_bytes().map(<[u8]>::len));
        });
    }
}

/// Structure, limits and text.
fn validate(c: &mut Criterion) {
    let mut group = c.benchmark_group("validate");
    let apart = apart(&inputs::save());
    for input in inputs().into_iter().chain([apart]).chain(shapes::all()) {
        group.throughput(input.throughput());
        group.bench_function(input.name, |b| b.iter(|| black_box(input.document()).validate()));
    }
}

/// Every value as an event with its view.
fn walk(c: &mut Criterion) {
    let mut group = c.benchmark_group("walk");
    for input in inputs().into_iter().chain(shapes::all()) {
        group.throughput(input.throughput());
        group.bench_function(input.name, |b| b.iter(|| events(&input)));
    }
}

/// One place for all, since the compiler puts the loop of a walk into its caller if there is but one.
#[inline(never)]
fn events(input: &Input) -> usize {
    black_box(input.document()).walk().flatten().count()
}

/// What it costs to start anew, 10,000 times.
fn tiny(c: &mut Criterion) {
    let all = shapes::tiny(10_000);
    let mut group = c.benchmark_group("tiny_10k");
    group.throughput(Throughput::ElementsAndBytes {
        elements: u64::try_from(all.len()).unwrap_or_default(),
        bytes: all.iter().map(Input::len).sum(),
    });
    group.bench_function("validate", |b| {
        b.iter(|| all.iter().filter(|one| black_box(one).document().validate().is_ok()).count());
    });
    group.bench_function("walk", |b| {
        b.iter(|| all.iter().map(events).sum::<usize>());
    });
}

/// Keys of a packet that nobody has validated.
fn get(c: &mut Criterion) {
    let rpc = inputs::rpc();
    let mut group = c.benchmark_group("get");
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

criterion_group! {
    name = benches;
    config = configuration();
    targets = floor, open, skip, validate, walk, tiny, get
}
criterion_main!(benches);
