//! Iterating over frames and validating them, valid or damaged, allocates nothing.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::env;
use std::hint::black_box;

use peak_alloc::PeakAlloc;
use variant_io::{ByteOrder, frames, validate_documents, validate_frames};
use variant_testkit::corpus;
use variant_view::{Dialect, Options};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    // If a test runner requests the list of tests, prints the list.
    let arguments: Vec<String> = env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        if !arguments.iter().any(|argument| argument == "--ignored") {
            println!("no_alloc: test");
        }
        return;
    }
    assert_ne!(allocated_by(|| drop(black_box(Box::new(1_u8)))), 0, "nothing is counted");

    let mut bytes = corpus::bytes("godot3/saves/replay_200.bin").unwrap();
    let mut batches = 0_usize;
    for damaged in 0..1_000 {
        for &dialect in Dialect::ALL {
            assert_eq!(allocated_by(|| judge(&bytes, dialect)), 0, "byte {damaged}, {dialect}");
            batches = batches.saturating_add(1);
        }
        if let Some(byte) = bytes.get_mut(damaged) {
            *byte = byte.wrapping_add(0x55);
        }
    }
    println!("nothing allocated for {batches} batches");
}

fn judge(bytes: &[u8], dialect: Dialect) {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let mut batch = validate_frames(bytes, order, Options::server(dialect)).max_len(1 << 16);
        black_box(batch.finish());
        black_box((batch.consumed(), batch.missing(), batch.too_long()));
        let all = frames(bytes, order).flatten();
        black_box(validate_documents(all, Options::engine(dialect)).finish());
    }
}

/// The peak number of bytes that `work` allocates.
fn allocated_by(work: impl FnOnce()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    ALLOCATOR.peak_usage().saturating_sub(before)
}
