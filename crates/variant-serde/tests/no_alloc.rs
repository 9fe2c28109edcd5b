//! Writing a packet into a buffer with enough room allocates nothing.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::env;
use std::hint::black_box;

use peak_alloc::PeakAlloc;
use serde::Serialize;
use variant_serde::{StringName, as_color, as_typed_array, as_vector3, to_vec_into};
use variant_testkit::corpus;
use variant_view::Dialect;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

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

const RPC: Rpc<'_> = Rpc {
    method: "move_to",
    id: 77,
    pos: [12.5, 0.0, -7.25],
    vel: [0.5, 0.0, 1.25],
    t: 1_731_000_000.125,
    args: (true, "run", 3),
};

/// Other contents of a packet.
#[derive(Serialize)]
struct Other {
    kind: StringName<&'static str>,
    text: &'static str,
    #[serde(with = "as_color")]
    tint: [f32; 4],
    #[serde(with = "as_typed_array")]
    scores: [i32; 3],
    none: Option<u8>,
    deep: [[[[[u8; 1]; 1]; 1]; 1]; 1],
    order: Order,
}

#[derive(Serialize)]
enum Order {
    Move { to: u32 },
}

fn main() {
    // Test runners call this program with `--list` to get the list of its tests.
    let arguments: Vec<String> = env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        if !arguments.iter().any(|argument| argument == "--ignored") {
            println!("no_alloc: test");
        }
        return;
    }
    assert_ne!(allocated_by(|| drop(black_box(Box::new(1_u8)))), 0, "nothing is counted");

    let mut packet = Vec::with_capacity(512);
    to_vec_into(&RPC, Dialect::Godot4, &mut packet).unwrap();
    assert_eq!(
        packet,
        corpus::bytes("godot4/saves/rpc.variant").unwrap(),
        "as the engine wrote it"
    );
    let other = Other {
        kind: StringName("a name of more than 22 bytes"),
        text: "a text of more than 22 bytes \u{e9}",
        tint: [1.0; 4],
        scores: [1, 2, 3],
        none: None,
        deep: [[[[[1]]]]],
        order: Order::Move { to: 3 },
    };
    for &dialect in Dialect::ALL.iter().filter(|&&dialect| dialect != Dialect::Godot2) {
        let allocated = allocated_by(|| {
            packet.clear();
            to_vec_into(black_box(&RPC), dialect, &mut packet).unwrap();
            packet.clear();
            to_vec_into(black_box(&other), dialect, &mut packet).unwrap();
        });
        assert_eq!(allocated, 0, "{dialect}");
    }
    println!("nothing allocated");
}

/// The maximum number of bytes that `work` had allocated at a time.
fn allocated_by(work: impl FnOnce()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    ALLOCATOR.peak_usage().saturating_sub(before)
}
