//! The cost of opening, checking, looking up in and iterating over documents.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_bench::inputs::{self, Input};
use variant_bench::shapes;
use variant_bench::{Time as _, configuration, short_samples};
use variant_testkit::builder::Builder;
use variant_view::{ArrayView, Document, Event, Result, Tape, Vector3};

fn inputs() -> [Input; 3] {
    [inputs::rpc(), inputs::save(), inputs::rpg()]
}

/// The cost of reading the memory of a document. All other figures are compared with it.
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

/// One flat array of all keys and leaf values of the records. It has no inner containers, so no layout repeats.
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
        group.time(input.name, || black_box(input.document()).root());
    }
}

/// The pass that skips a value to find its end. It reads only the structure.
fn skip(c: &mut Criterion) {
    let mut group = c.benchmark_group("skip");
    for input in inputs() {
        group.throughput(input.throughput());
        group.time(input.name, || black_box(input.document()).root()?.raw_bytes().map(<[u8]>::len));
    }
}

/// Validates structure, limits and text.
fn validate(c: &mut Criterion) {
    let mut group = c.benchmark_group("validate");
    let save = inputs::save();
    let others = [by_number(&save), flat(&save)];
    for input in inputs().into_iter().chain(others).chain(shapes::all()) {
        group.throughput(input.throughput());
        group.time(input.name, || black_box(input.document()).validate());
    }
}

/// Walks over a document: each value is an event with its view.
fn walk(c: &mut Criterion) {
    let mut group = c.benchmark_group("walk");
    for input in inputs().into_iter().chain(shapes::all()) {
        group.throughput(input.throughput());
        group.time(input.name, || events(&input));
    }
}

fn events(input: &Input) -> usize {
    black_box(input.document()).walk().flatten().count()
}

/// Reads 10,000 tiny documents, so that the cost of starting with a new document dominates.
fn tiny(c: &mut Criterion) {
    let all = shapes::tiny(10_000);
    let mut group = c.benchmark_group("tiny_10k");
    group.throughput(Throughput::ElementsAndBytes {
        elements: u64::try_from(all.len()).unwrap_or_default(),
        bytes: all.iter().map(Input::len).sum(),
    });
    group.time("validate", || {
        all.iter().filter(|one| black_box(one).document().validate().is_ok()).count()
    });
    group.time("walk", || all.iter().map(events).sum::<usize>());
}

/// Validates a document and reads it onto a tape whose buffer is used again.
fn tape_read(c: &mut Criterion) {
    let mut group = c.benchmark_group("tape_read");
    for input in inputs() {
        group.throughput(input.throughput());
        let mut tape = Tape::new();
        group.time(input.name, || tape.read(black_box(input.document())).map(|all| all.summary()));
    }
}

/// Looks up a value at the end of a save and keys of a packet, with and without a tape. Reads all pairs of a save with
/// a tape.
fn tape_get(c: &mut Criterion) {
    let (save, rpc) = (inputs::save(), inputs::rpc());
    let (mut of_save, mut of_rpc) = (Tape::new(), Tape::new());
    let taped = of_save.read(save.document()).expect("valid");
    let packet = of_rpc.read(rpc.document()).expect("valid");
    let mut group = c.benchmark_group("tape_get");
    let path = "items[9999].hp";
    group.time("last_record", || black_box(taped).at(path));
    group.time("last_record_without", || black_box(save.document()).at(path));
    group.time("rpc", || black_box(packet).get("pos"));
    group.time("rpc_without", || black_box(rpc.document()).get("pos"));
    let keys = ["method", "id", "pos"];
    group.time("rpc_3", || black_box(packet).get_many(keys));
    group.time("rpc_3_without", || {
        black_box(rpc.document()).root()?.as_dictionary()?.get_many(keys)
    });
    group.time("pairs", || {
        let items = black_box(taped).at("items").expect("an array").items();
        items.flat_map(|item| item.pairs()).map(|(_, value)| value.offset()).max()
    });
}

/// Looks up keys of a packet that is not validated.
fn get(c: &mut Criterion) {
    let rpc = inputs::rpc();
    let mut group = c.benchmark_group("get");
    group.time("1", || black_box(rpc.document()).get("pos"));
    group.time("3", || {
        let packet = black_box(rpc.document()).root()?.as_dictionary()?;
        packet.get_many(["method", "id", "pos"])
    });
    group.time("3_as_str_i64_vector3", || three(&black_box(rpc.document())));
    group.time("8", || {
        let packet = black_box(rpc.document()).root()?.as_dictionary()?;
        packet.get_many(["method", "id", "pos", "vel", "t", "args", "none", "such"])
    });
}

fn three<'a>(document: &Document<'a>) -> Result<Option<(&'a str, i64, Vector3)>> {
    let packet = document.root()?.as_dictionary()?;
    let [Some(method), Some(id), Some(pos)] = packet.get_many(["method", "id", "pos"])? else {
        return Ok(None);
    };
    Ok(Some((method.as_str()?, id.as_i64()?, pos.as_vector3()?)))
}

/// Validates a text that is not ASCII. For comparison, checks the bytes of the text by the standard library.
fn text(c: &mut Criterion) {
    /// Russian, Japanese, Chinese, and a mixture.
    const TEXTS: [&str; 4] = [
        "Нажмите любую клавишу, чтобы начать игру. ",
        "ゲームを始めるには何かキーを押してください。",
        "按任意键开始游戏，祝你好运。",
        "Score: 9 очков – ゴール! 得分 ",
    ];
    for len in [100, 400] {
        let texts = TEXTS.map(|text| {
            let mut text = text.repeat(len / text.len() + 1);
            text.truncate((0..=len).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0));
            text
        });
        let inputs = texts.each_ref().map(|text| Input::of_value("text", &text.as_str().into()));
        let mut group = c.benchmark_group(format!("text/{len}"));
        short_samples(&mut group);
        group.time("validate", || {
            inputs.iter().flat_map(|input| black_box(input.document()).validate()).count()
        });
        group.time("from_utf8", || {
            texts.iter().flat_map(|text| str::from_utf8(black_box(text.as_bytes()))).count()
        });
    }
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = floor, open, skip, validate, text, walk, tiny, tape_read, tape_get, get
}
criterion_main!(benches);
