//! The work of a debugger: messages of a game from the bytes of captures, beside the validation of the same frames.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_bench::{Time as _, configuration};
use variant_debugger::{Limits, Session, SessionOptions};
use variant_io::{ByteOrder, frames};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Options};

/// The captures with messages of a game: output, errors, stops, profiles, floods.
const CAPTURES: [(&str, Dialect); 12] = [
    ("godot3.2-big", Dialect::Godot3),
    ("godot3.2-floods", Dialect::Godot3),
    ("godot3.2-in-full", Dialect::Godot3),
    ("godot3.2-session", Dialect::Godot3),
    ("godot4.4-big", Dialect::Godot4),
    ("godot4.4-floods", Dialect::Godot4),
    ("godot4.4-in-full", Dialect::Godot4),
    ("godot4.4-release", Dialect::Godot4),
    ("godot4.4-release-break", Dialect::Godot4),
    ("pandemonium3.7-release", Dialect::Pandemonium3),
    ("pandemonium4.9-release", Dialect::Pandemonium4),
    ("pandemonium5.3-release", Dialect::Pandemonium5),
];

/// The frames of at most 600 bytes that a game sent. Longer ones are compressed in the capture, and would hide the work
/// for each message.
fn from_game(name: &str) -> Vec<u8> {
    let file = corpus::bytes(&format!("debugger/{name}.jsonl")).expect("a capture");
    let mut bytes = Vec::new();
    let lines = str::from_utf8(&file).expect("UTF-8").lines();
    for line in lines.filter(|line| line.contains("\"from game\"")) {
        let (_, rest) = line.split_once("\"hex\":\"").unwrap_or_default();
        let (hex, _) = rest.split_once('"').unwrap_or_default();
        // What follows a frame that is missing here would be out of step.
        if hex.is_empty() {
            break;
        }
        let value = corpus::from_hex(hex).expect("hex");
        bytes.extend(u32::try_from(value.len()).expect("short").to_le_bytes());
        bytes.extend(value);
    }
    bytes
}

fn session(dialect: Dialect) -> Session {
    let options = SessionOptions::default().dialect(dialect);
    Session::new(options.limits(Limits::GAME.messages(u32::MAX)))
}

/// The end of the last message that is complete: the bytes are handled again and again.
fn whole_messages(bytes: &[u8], dialect: Dialect) -> usize {
    let mut session = session(dialect);
    session.handle(bytes, Instant::now());
    let mut end = 0;
    while let Some(event) = session.next_event() {
        end += event.expect("a message").bytes().len();
    }
    end
}

fn debugger(c: &mut Criterion) {
    let mut group = c.benchmark_group("debugger/handle");
    for (name, dialect) in CAPTURES {
        let mut bytes = from_game(name);
        bytes.truncate(whole_messages(&bytes, dialect));
        group.throughput(Throughput::Bytes(u64::try_from(bytes.len()).expect("short")));
        let options = Options::server(dialect);
        group.time(format!("validate/{name}"), || {
            let all = frames(black_box(&bytes), ByteOrder::Little).flatten();
            all.filter(|frame| Document::new(frame.bytes(), options).validate().is_ok()).count()
        });
        let (mut handling, now) = (session(dialect), Instant::now());
        group.time(format!("handle/{name}"), || {
            handling.handle(black_box(&bytes), now);
            let mut count = 0_u32;
            while let Some(event) = handling.next_event() {
                black_box(&event.expect("a message"));
                count = count.saturating_add(1);
            }
            count
        });
        let mut reading = session(dialect);
        group.time(format!("messages/{name}"), || {
            reading.handle(black_box(&bytes), now);
            let mut is_typed = true;
            while let Some(event) = reading.next_event() {
                is_typed &= event.expect("a message").message().check().is_ok();
            }
            is_typed
        });
    }
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = debugger
}
criterion_main!(benches);
