//! The cost of opening, checking, looking up in and iterating over documents.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may stop")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_bench::configuration;
use variant_bench::inputs::{self, Input};
use variant_bench::shapes;
use variant_testkit::builder::Builder;
use variant_view::{ArrayView, Document, Event, Result, Tape, Vector3};

fn inputs() -> [Input; 3] {
    [inputs::rpc(), inputs::save(), inputs::rpg()]
}

/// The cost of touching the memory: every figure can be read as a multiple of these.
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

/// The records of a save as the values of a dictionary.
fn by_number(save: &Input) -> Input {
    let items = records(save);
    let pairs = (0_u32..).zip(items).fold(Builder::new(), |all, (n, item)| {
        all.u32(2).u32(n).raw(item.and_then(|item| item.raw_bytes()).expect("valid"))
    });
    let bytes = Builder::new()
        .u32(27)
        .u32(u32::try_from(items.len()).expect("it was one"))
        .raw(&pairs.build().bytes)
        .build()
        .bytes;
    Input { name: "save_10k_by_number", dialect: save.dialect, bytes }
}

/// Their keys and values in one array, without containers, so that no container has the layout of an earlier one.
fn flat(save: &Input) -> Input {
    let (mut all, mut count) = (Builder::new(), 0_u32);
    for event in records(save).walk() {
        if let Event::Leaf(node) = event.expect("valid") {
            all = all.raw(node.view.raw_bytes().expect("a leaf"));
            count = count.saturating_add(1);
        }
    }
    let bytes = Builder::new().u32(28).u32(count).raw(&all.build().bytes).build().bytes;
    Input { name: "save_10k_flat", dialect: save.dialect, bytes }
}

fn records(save: &Input) -> ArrayView<'_> {
    save.document().at("items").and_then(|items| items.as_array()).expect("an array")
}

/// The view of the root: the cost of a document before any access.
fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("open");
    for input in inputs() {
        group.bench_function(input.name, |b| b.iter(|| black_box(input.document()).root()));
    }
}

/// Structure alone: the pass that skips a value to find its end.
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
    let save = inputs::save();
    let others = [by_number(&save), flat(&save)];
    for input in inputs().into_iter().chain(others).chain(shapes::all()) {
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

/// The number of events.
fn events(input: &Input) -> usize {
    black_box(input.document()).walk().flatten().count()
}

/// The cost of starting anew, 10,000 times.
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

/// A tape of every value, in an existing buffer, with the check.
fn tape_read(c: &mut Criterion) {
    let mut group = c.benchmark_group("tape_read");
    for input in inputs() {
        group.throughput(input.throughput());
        let mut tape = Tape::new();
        group.bench_function(input.name, |b| {
            b.iter(|| tape.read(black_box(input.document())).map(|all| all.summary()));
        });
    }
}

/// A value at the far end of a save, keys of a packet and all pairs of a save: on a tape, and without.
fn tape_get(c: &mut Criterion) {
    let (save, rpc) = (inputs::save(), inputs::rpc());
    let (mut of_save, mut of_rpc) = (Tape::new(), Tape::new());
    let taped = of_save.read(save.document()).expect("valid");
    let packet = of_rpc.read(rpc.document()).expect("valid");
    let mut group = c.benchmark_group("tape_get");
    let path = "items[9999].hp";
    group.bench_function("last_record", |b| b.iter(|| black_box(taped).at(path)));
    group.bench_function("last_record_without", |b| b.iter(|| black_box(save.document()).at(path)));
    group.bench_function("rpc", |b| b.iter(|| black_box(packet).get("pos")));
    group.bench_function("rpc_without", |b| b.iter(|| black_box(rpc.document()).get("pos")));
    let keys = ["method", "id", "pos"];
    group.bench_function("rpc_3", |b| b.iter(|| black_box(packet).get_many(keys)));
    group.bench_function("rpc_3_without", |b| {
        b.iter(|| black_box(rpc.document()).root()?.as_dictionary()?.get_many(keys));
    });
    group.bench_function("pairs", |b| {
        b.iter(|| {
            let items = black_box(taped).at("items").expect("an array").items();
            items.flat_map(|item| item.pairs()).map(|(_, value)| value.offset()).max()
        });
    });
}

/// Keys of a packet that is not validated.
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
    targets = floor, open, skip, validate, walk, tiny, tape_read, tape_get, get
}
criterion_main!(benches);
