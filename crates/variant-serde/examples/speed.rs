//! Times of decoding, interleaved in one run, the best of many: `cargo run --release -p variant-serde --example speed`.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::many_single_char_names,
    clippy::struct_field_names,
    clippy::type_complexity,
    clippy::unwrap_used,
    reason = "an example may stop"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::IgnoredAny;
use variant_serde::from_slice;
use variant_view::{Dialect, Document};

#[derive(Deserialize)]
#[allow(dead_code, reason = "it is read alone")]
struct Vector {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "it is read alone")]
struct Rpc<'a> {
    method: &'a str,
    id: i32,
    pos: Vector,
    vel: Vector,
    t: f64,
    #[serde(borrow)]
    args: (bool, &'a str, i32),
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "it is read alone")]
struct Few {
    field_3: i32,
    field_9: i32,
    field_17: i32,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "it is read alone")]
struct Entity<'a> {
    id: i32,
    name: &'a str,
    hp: f64,
    pos: (f32, f32),
    on: bool,
}

#[derive(Deserialize)]
struct Save<'a> {
    #[serde(borrow)]
    items: Vec<Entity<'a>>,
}

/// A dictionary of `field_0` to `field_19`, as Godot 4 writes it.
fn record() -> Vec<u8> {
    let mut bytes = vec![27, 0, 0, 0, 20, 0, 0, 0];
    for i in 0..20_u8 {
        let name = format!("field_{i}");
        bytes.extend([4, 0, 0, 0, u8::try_from(name.len()).unwrap(), 0, 0, 0]);
        bytes.extend(name.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.extend([2, 0, 0, 0, i, 0, 0, 0]);
    }
    bytes
}

/// The time of one call, in nanoseconds.
fn time(calls: u32, call: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed() / calls
}

fn main() {
    let saves = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot4/saves/");
    let [rpc, save] =
        ["rpc", "save_10k"].map(|name| std::fs::read(format!("{saves}{name}.variant")).unwrap());
    let record = record();
    let keys = ["field_3", "field_9", "field_17"];
    let godot4 = Dialect::Godot4;
    let mut calls: Vec<(&str, u32, Box<dyn FnMut()>)> = vec![
        (
            "rpc, validate",
            10_000,
            Box::new(|| _ = black_box(Document::new(&rpc, godot4).validate().unwrap())),
        ),
        (
            "rpc, struct",
            10_000,
            Box::new(|| _ = black_box(from_slice::<Rpc<'_>>(&rpc, godot4).unwrap())),
        ),
        (
            "3 of 20, get_many",
            10_000,
            Box::new(|| _ = black_box(Document::new(&record, godot4).get_many(keys).unwrap())),
        ),
        (
            "3 of 20, struct",
            10_000,
            Box::new(|| _ = black_box(from_slice::<Few>(&record, godot4).unwrap())),
        ),
        (
            "save_10k, entities",
            3,
            Box::new(|| {
                let save: Save<'_> = from_slice(&save, godot4).unwrap();
                assert_eq!(black_box(save).items.len(), 10_000);
            }),
        ),
        (
            "save_10k, skip",
            3,
            Box::new(|| _ = black_box(from_slice::<IgnoredAny>(&save, godot4).unwrap())),
        ),
    ];
    let mut best = vec![Duration::MAX; calls.len()];
    for _ in 0..30 {
        for (best, (_, count, call)) in best.iter_mut().zip(&mut calls) {
            *best = (*best).min(time(*count, call));
        }
    }
    for (best, (name, ..)) in best.iter().zip(&calls) {
        println!("{name:20} {best:?}");
    }
}
