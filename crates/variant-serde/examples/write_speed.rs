//! Times of writing, interleaved in one run, the best of many: `cargo run --release -p variant-serde --example write_speed`.

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

use serde::Serialize;
use variant_owned::encode_into;
use variant_serde::{PackedArray, as_vector3, to_variant, to_vec_into};
use variant_view::Dialect;

/// The packet `rpc` of the corpus.
#[derive(Serialize)]
struct Rpc<'a> {
    method: &'a str,
    id: u32,
    #[serde(with = "as_vector3")]
    pos: [f32; 3],
    #[serde(with = "as_vector3")]
    vel: [f32; 3],
    t: f64,
    args: (bool, &'a str, i32),
}

#[derive(Serialize)]
struct Entity<'a> {
    id: i32,
    name: &'a str,
    hp: f64,
    pos: (f32, f32),
    on: bool,
}

/// The time of one call, in nanoseconds.
fn time(calls: u32, call: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed() / calls
}

fn main() {
    let rpc = Rpc {
        method: "move_to",
        id: 77,
        pos: [12.5, 0.0, -7.25],
        vel: [0.5, 0.0, 1.25],
        t: 1_731_000_000.125,
        args: (true, "run", 3),
    };
    let entities: Vec<_> = (0..10_000)
        .map(|id| Entity { id, name: "goblin", hp: 7.5, pos: (1.0, 2.0), on: id % 2 == 0 })
        .collect();
    let floats = PackedArray(vec![0.5_f32; 10_000]);
    let owned = to_variant(&rpc, Dialect::Godot4).unwrap();
    let godot4 = Dialect::Godot4;
    let [mut a, mut b, mut c, mut d, mut e] = [const { Vec::new() }; 5];
    let mut calls: Vec<(&str, u32, Box<dyn FnMut()>)> = vec![
        (
            "rpc, to_vec_into",
            10_000,
            Box::new(|| {
                a.clear();
                black_box(to_vec_into(black_box(&rpc), godot4, &mut a).unwrap());
            }),
        ),
        (
            "rpc, owned value",
            10_000,
            Box::new(|| {
                b.clear();
                black_box(encode_into(black_box(&owned), godot4, &mut b).unwrap());
            }),
        ),
        (
            "rpc, serde_json",
            10_000,
            Box::new(|| {
                c.clear();
                serde_json::to_writer(&mut c, black_box(&rpc)).unwrap();
            }),
        ),
        (
            "10,000 entities",
            10,
            Box::new(|| {
                d.clear();
                black_box(to_vec_into(black_box(&entities), godot4, &mut d).unwrap());
            }),
        ),
        (
            "10,000 packed floats",
            100,
            Box::new(|| {
                e.clear();
                black_box(to_vec_into(black_box(&floats), godot4, &mut e).unwrap());
            }),
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
