//! Parsing, validating and reading a packet of the captures, whole or cut, does not allocate. Writing a call into a
//! buffer that is large enough does not allocate either.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::hint::black_box;
use std::{env, fs};

use peak_alloc::PeakAlloc;
use variant_multiplayer::CompactValues;
use variant_multiplayer::{
    Message, MethodId, NodeRef, Packet, PathCache, PeerId, Rpc, RpcTable, RpcWriter, System,
};
use variant_testkit::corpus;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    // Test runners request the list of tests.
    let arguments: Vec<String> = env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        if !arguments.iter().any(|argument| argument == "--ignored") {
            println!("no_alloc: test");
        }
        return;
    }
    // The counter detects an allocation of one byte, even if it is freed at once.
    assert_ne!(allocated_by(|| drop(black_box(Box::new(1_u8)))), 0, "nothing is counted");

    let mut packets = 0_usize;
    for bytes in captured() {
        for len in 0..=bytes.len() {
            let cut = &bytes[..len];
            assert_eq!(allocated_by(|| read(cut)), 0, "{cut:?}");
            packets = packets.saturating_add(1);
        }
    }
    assert!(packets > 10_000, "only {packets} packets");
    a_call_is_written_and_dispatched();
    println!("nothing allocated for {packets} packets");
}

fn captured() -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    for name in ["ws-main", "ws-auth", "enet-main", "enet-auth"] {
        let path = corpus::root().join(format!("multiplayer/{name}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            if record["kind"] == "packet" {
                packets.push(corpus::from_hex(record["hex"].as_str().unwrap()).unwrap());
            }
        }
    }
    packets.sort_unstable();
    packets.dedup();
    packets
}

fn read(bytes: &[u8]) {
    if let Ok(packet) = black_box(Packet::parse(bytes)) {
        read_message(&packet.message);
        if let Message::System(System::Relay(relay)) = packet.message
            && let Ok(inner) = black_box(relay.parse())
        {
            read_message(&inner.message);
        }
    }
}

fn read_message(message: &Message<'_>) {
    match message {
        Message::Rpc(rpc) => {
            let _ = black_box(rpc.arguments.validate());
            rpc.arguments.values().into_iter().for_each(read_values);
        }
        Message::Spawn(spawn) => read_values(spawn.state),
        Message::Sync(sync) => {
            sync.states.iter().flatten().for_each(|state| read_values(state.values));
        }
        Message::Delta(delta) => {
            delta.changes.iter().flatten().for_each(|change| read_values(change.values));
        }
        _ => {}
    }
}

fn read_values(values: CompactValues<'_>) {
    let _ = black_box(values.validate());
    for view in values.iter().flatten() {
        black_box((view.as_str().ok(), view.as_i64().ok(), view.as_bool().ok(), view.kind()));
    }
}

fn a_call_is_written_and_dispatched() {
    let (peer, table) = (PeerId::new(2).unwrap(), RpcTable::new(["hit", "say"]));
    let mut cache = PathCache::default();
    let told = cache.tell(peer, "World").unwrap();
    cache.confirm(peer, &variant_multiplayer::ConfirmPath::new(told.id, true));
    cache
        .receive(peer, &variant_multiplayer::SimplifyPath::new(told.id, "World", table.checksum()))
        .unwrap();
    let mut buffer = Vec::with_capacity(256);
    for node in [cache.node(peer, "World"), NodeRef::Path("World")] {
        let taken = allocated_by(|| {
            buffer.clear();
            let call =
                RpcWriter::new(node, table.id("hit").unwrap_or(MethodId::new(0)), &mut buffer);
            call.string("orc").vector3([1.0; 3]).int(7).finish().unwrap();
        });
        assert_eq!(taken, 0, "written");
        assert_eq!(allocated_by(|| dispatch(&cache, peer, &table, &buffer)), 0, "dispatched");
    }
}

fn dispatch(cache: &PathCache, peer: PeerId, table: &RpcTable, bytes: &[u8]) {
    let Message::Rpc(rpc) = Packet::parse(bytes).unwrap().message else { panic!("another packet") };
    let Rpc { node, method, arguments, .. } = rpc;
    assert_eq!(cache.resolve(peer, node), Some("World"));
    assert_eq!(table.name(method.id()), Some("hit"));
    arguments.validate().unwrap();
    #[cfg(feature = "serde")]
    {
        let (name, _, number): (&str, [f32; 3], u8) = arguments.decode().unwrap();
        assert_eq!((name, number), ("orc", 7));
    }
}

/// The maximum number of bytes that `work` had allocated at any time.
fn allocated_by(work: impl FnOnce()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    ALLOCATOR.peak_usage().saturating_sub(before)
}
