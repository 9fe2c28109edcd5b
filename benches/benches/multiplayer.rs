//! The work of a server of Godot 4's multiplayer: read a packet, find node and method, read the arguments, and write a
//! packet.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::{Deserialize, Serialize};
use variant_bench::{Time as _, configuration, short_samples};
use variant_multiplayer::{
    Arguments, Checksum, Message, MethodId, NetId, NodeRef, Packet, PathCache, PeerId, RpcTable,
    RpcWriter, SimplifyPath, Sync, push_state, to_row,
};
use variant_view::Vector3;

/// The arguments: a text, a vector, a number.
#[derive(Serialize, Deserialize)]
struct Hit<'a> {
    how: &'a str,
    #[serde(with = "variant_serde::as_vector3")]
    at: [f32; 3],
    points: i64,
}

const HOW: &str = "sword";
const AT: [f32; 3] = [1.0, 2.0, 3.0];
const POINTS: i64 = 300;

/// A call of the second method with three arguments.
fn call(node: NodeRef<'_>, bytes: &mut Vec<u8>) -> usize {
    let call = RpcWriter::new(node, MethodId::new(1), bytes);
    call.string(black_box(HOW)).vector3(black_box(AT)).int(black_box(POINTS)).finish().expect("few")
}

/// A server with a registered node and its methods.
struct Known {
    peer: PeerId,
    cache: PathCache,
    table: RpcTable,
}

impl Known {
    fn new() -> Self {
        let (peer, mut cache) = (PeerId::new(77).expect("positive"), PathCache::default());
        let announced = SimplifyPath::new(1, "World/Level", Checksum::NO_METHODS);
        cache.receive(peer, &announced).expect("the first");
        Self { peer, cache, table: RpcTable::new(["hit", "move_to", "say"]) }
    }

    /// Parses, validates and dispatches a call: node, method, arguments.
    #[inline]
    fn dispatch<'a>(&'a self, bytes: &'a [u8]) -> Option<(&'a str, &'a str, Arguments<'a>)> {
        let found = self.look_up(bytes)?;
        found.2.validate().ok()?;
        Some(found)
    }

    /// Parses and dispatches a call.
    #[inline]
    fn look_up<'a>(&'a self, bytes: &'a [u8]) -> Option<(&'a str, &'a str, Arguments<'a>)> {
        let Message::Rpc(rpc) = Packet::parse(bytes).ok()?.message else { return None };
        let path = self.cache.resolve(self.peer, rpc.node)?;
        Some((path, self.table.name(rpc.method.id())?, rpc.arguments))
    }
}

#[inline]
fn views<'a>(arguments: &Arguments<'a>) -> Option<(&'a str, Vector3, i64)> {
    let values = arguments.values()?;
    let mut values = values.iter();
    let how = values.next()?.ok()?.as_str().ok()?;
    let at = values.next()?.ok()?.as_vector3().ok()?;
    Some((how, at, values.next()?.ok()?.as_i64().ok()?))
}

fn decode(c: &mut Criterion) {
    let known = Known::new();
    let mut group = c.benchmark_group("multiplayer");
    for (form, node) in [("id", NodeRef::id(1)), ("path", NodeRef::Path("World/Level"))] {
        let mut bytes = Vec::new();
        call(node, &mut bytes);
        assert!(known.dispatch(&bytes).is_some());
        group.throughput(Throughput::Bytes(u64::try_from(bytes.len()).unwrap_or_default()));
        let mut copy = Vec::with_capacity(bytes.len());
        group.bench_function(format!("copy/{form}"), |b| {
            b.iter(|| {
                copy.clear();
                copy.extend_from_slice(black_box(&bytes));
                black_box(&copy);
            });
        });
        group.bench_function(format!("parse/{form}"), |b| {
            b.iter(|| Packet::parse(black_box(&bytes)).is_ok());
        });
        group.bench_function(format!("dispatch/{form}"), |b| {
            b.iter(|| known.dispatch(black_box(&bytes)));
        });
        group.bench_function(format!("decode_views/{form}"), |b| {
            b.iter(|| {
                let (path, method, arguments) = known.dispatch(black_box(&bytes))?;
                Some((path, method, views(&arguments)?))
            });
        });
        // Not validated: each view checks the bytes that it reads.
        group.bench_function(format!("decode_lazily/{form}"), |b| {
            b.iter(|| {
                let (path, method, arguments) = known.look_up(black_box(&bytes))?;
                Some((path, method, views(&arguments)?))
            });
        });
        group.bench_function(format!("decode_tuple/{form}"), |b| {
            b.iter(|| {
                let (path, method, arguments) = known.dispatch(black_box(&bytes))?;
                let values = arguments.decode::<(&str, (f32, f32, f32), i64)>().ok()?;
                Some((path, method, values))
            });
        });
        // Not validated: decoding checks the bytes that it reads.
        group.bench_function(format!("decode_straight/{form}"), |b| {
            b.iter(|| {
                let (path, method, arguments) = known.look_up(black_box(&bytes))?;
                Some((path, method, arguments.decode::<Hit<'_>>().ok()?))
            });
        });
        group.bench_function(format!("decode_struct/{form}"), |b| {
            b.iter(|| {
                let (path, method, arguments) = known.dispatch(black_box(&bytes))?;
                Some((path, method, arguments.decode::<Hit<'_>>().ok()?))
            });
        });
    }
}

fn encode(c: &mut Criterion) {
    let mut group = c.benchmark_group("multiplayer");
    let mut buffer = Vec::with_capacity(256);
    for (form, node) in [("id", NodeRef::id(1)), ("path", NodeRef::Path("World/Level"))] {
        group.bench_function(format!("encode_typed/{form}"), |b| {
            b.iter(|| {
                buffer.clear();
                call(black_box(node), &mut buffer);
                black_box(&buffer);
            });
        });
    }
}

/// Writes a call whose arguments are a struct. For comparison, copies the bytes of the call.
fn arguments(c: &mut Criterion) {
    let hit = Hit { how: HOW, at: AT, points: POINTS };
    let write = |hit: &Hit<'_>, buffer: &mut Vec<u8>| {
        let call = RpcWriter::new(NodeRef::id(1), MethodId::new(1), buffer);
        call.arguments(hit).expect("a list").finish().expect("few");
    };
    let (mut packet, mut buffer) = (Vec::new(), Vec::with_capacity(256));
    write(&hit, &mut packet);
    let mut group = c.benchmark_group("multiplayer/arguments");
    short_samples(&mut group);
    group.time("arguments", || {
        buffer.clear();
        write(black_box(&hit), &mut buffer);
        black_box(&buffer);
    });
    let mut copy = Vec::with_capacity(256);
    group.time("copy", || {
        copy.clear();
        copy.extend_from_slice(black_box(&packet));
        black_box(&copy);
    });
}

/// Parses a packet that announces a path. Parses and validates a packet of ten states.
fn others(c: &mut Criterion) {
    let mut group = c.benchmark_group("multiplayer");
    let path = Message::SimplifyPath(SimplifyPath::new(9, "World/Level", Checksum::NO_METHODS));
    let bytes = Packet::new(path).to_vec();
    group.time("simplify_path", || Packet::parse(black_box(&bytes)).is_ok());

    let state = to_row(&(0.5_f32, 1.5_f32, true, 7)).expect("a row");
    let mut bytes = Vec::new();
    Sync::begin(1, &mut bytes);
    (1..=10).for_each(|id| push_state(NetId::new(id), &state, &mut bytes));
    group.time("sync_10_states", || {
        let Message::Sync(sync) = Packet::parse(black_box(&bytes)).ok()?.message else {
            return None;
        };
        let values = sync.states.iter().flatten().map(|state| state.values.validate());
        Some(values.flatten().map(|summary| summary.values).sum::<u64>())
    });
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = decode, encode, arguments, others
}
criterion_main!(benches);
