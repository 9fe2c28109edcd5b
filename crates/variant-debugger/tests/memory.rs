//! The memory of a session: small while it is idle, and bounded by what arrived.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test may stop")]

#[path = "common/mod.rs"]
#[allow(dead_code, reason = "other tests use it")]
mod common;

use std::env;
use std::time::Instant;

use peak_alloc::PeakAlloc;
use variant_debugger::{Family, Limits, Session, SessionOptions};
use variant_view::Dialect;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The memory that an idle session may have.
const IDLE: usize = 64 << 10;

fn main() {
    // Test runners request the list of tests.
    let arguments: Vec<String> = env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        if !arguments.iter().any(|argument| argument == "--ignored") {
            println!("memory: test");
        }
        return;
    }
    for (name, ..) in common::CAPTURES {
        idle(name);
    }
    claims();
}

/// After a whole capture, with messages of several MB, little is kept.
fn idle(name: &str) {
    let bytes = common::from_game(name);
    let before = ALLOCATOR.current_usage();
    let mut session = Session::default();
    for part in bytes.chunks(16 << 10) {
        session.handle(part, Instant::now());
        while let Some(event) = session.next_event() {
            event.unwrap();
        }
    }
    // The start of a message that never ends remains.
    let used = ALLOCATOR.current_usage() - before;
    assert!(used <= IDLE, "{name}: {used} bytes");
}

/// Claimed lengths and counts take no memory.
fn claims() {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let options = SessionOptions::default().family(Family::Frames).dialect(Dialect::Godot3);
    let mut session = Session::new(options.limits(Limits::GAME));
    let text = b"\x10\0\0\0\x04\0\0\0\x06\0\0\0output\0\0";
    let count = b"\x08\0\0\0\x02\0\0\0\0\0\x10\0";
    let claim = (8_u32 << 20).to_le_bytes();
    session.handle(&[&text[..], &count[..], &claim[..]].concat(), Instant::now());
    assert!(session.next_event().is_none());
    let peak = ALLOCATOR.peak_usage() - before;
    assert!(peak <= IDLE, "{peak} bytes");
}
