//! Packets between engines: each byte is explained, each packet is written again with the same bytes, and each call
//! equals the report of the receiving engine.

use std::collections::BTreeMap;

use serde_json::Value;
use variant_multiplayer::CompactValues;
use variant_multiplayer::{
    Arguments, Message, NodeRef, Packet, PathCache, PeerId, RpcTable, RpcWriter, SpawnSource,
    System, Target,
};
use variant_owned::{Array, Variant, encode};
use variant_testkit::corpus;
use variant_view::{Dialect, Document};

fn records(name: &str) -> Vec<Value> {
    let file = corpus::bytes(&format!("multiplayer/{name}")).unwrap();
    str::from_utf8(&file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'r>(record: &'r Value, field: &str) -> &'r str {
    record[field].as_str().unwrap_or_else(|| panic!("{field} of {record}"))
}

fn hex(digits: &str) -> Vec<u8> {
    corpus::from_hex(digits).unwrap()
}

fn peer(record: &Value, field: &str) -> PeerId {
    PeerId::new(i32::try_from(record[field].as_i64().unwrap()).unwrap()).unwrap()
}

/// The remote methods of a node in the scripts that made the captures.
fn table(path: &str) -> RpcTable {
    const NAMES: &str =
        "no_args one two five raw Zed _under unrel unrel_ord chan3 chan2u auth_only plain back";
    let many = path.strip_prefix('M').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let has_script = many || path.ends_with("Leaf") || ["World", "Native"].contains(&path);
    let script = RpcTable::new(NAMES.split(' ').filter(|_| has_script));
    match path {
        "Native" | "Bare" => script.on_node(["set_editor_description"]),
        _ => script,
    }
}

/// A call as the receiving engine reports it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    to: PeerId,
    from: PeerId,
    path: String,
    method: String,
    arguments: Vec<u8>,
}

/// The paths that the receivers know, and the calls that reach them.
#[derive(Default)]
struct Receivers {
    caches: BTreeMap<PeerId, PathCache>,
    calls: Vec<Call>,
    packets: usize,
}

impl Receivers {
    /// Explains all bytes of a packet. `to` is `None` if the packet is only relayed.
    fn explain(&mut self, packet: &Packet<'_>, from: PeerId, to: Option<PeerId>) {
        assert_eq!(packet.unused_bits, 0);
        let ends_with_path = match packet.message {
            Message::Rpc(rpc) => matches!(rpc.node, NodeRef::Path(_)),
            Message::SimplifyPath(_) => true,
            _ => false,
        };
        assert_eq!(packet.trailing, if ends_with_path { &[0][..] } else { &[] });
        match packet.message {
            Message::Rpc(rpc) => {
                rpc.arguments.validate().unwrap();
                rpc.arguments.values().into_iter().for_each(is_whole);
                let Some(to) = to else { return };
                let cache = self.caches.entry(to).or_default();
                let path = cache.resolve(from, rpc.node).unwrap().to_owned();
                let method = table(&path).name(rpc.method.id()).unwrap().to_owned();
                let values: Array = rpc.arguments.to_variants().unwrap().into_iter().collect();
                let arguments = encode(&values.into(), Dialect::Godot4).unwrap();
                self.calls.push(Call { to, from, path, method, arguments });
            }
            Message::SimplifyPath(simplify) => {
                assert_eq!(simplify.checksum, table(simplify.path).checksum(), "{}", simplify.path);
                if let Some(to) = to {
                    self.caches.entry(to).or_default().receive(from, &simplify).unwrap();
                }
            }
            Message::ConfirmPath(confirm) => assert!(confirm.checksums_agree()),
            Message::Spawn(spawn) => {
                if let SpawnSource::Function(argument) = spawn.source {
                    is_whole(argument);
                }
                is_whole(spawn.state);
            }
            Message::Sync(sync) => {
                for state in sync.states {
                    is_whole(state.unwrap().values);
                }
            }
            Message::Delta(delta) => {
                for change in delta.changes {
                    let change = change.unwrap();
                    assert_eq!(change.values.iter().count(), change.mask.count_ones() as usize);
                    is_whole(change.values);
                }
            }
            _ => {}
        }
    }
}

/// All values must be valid, without bytes after them.
fn is_whole(values: CompactValues<'_>) {
    assert_eq!(values.validate().unwrap().consumed, values.bytes().len());
    let mut read = values.iter();
    assert!(read.by_ref().all(|value| value.is_ok()));
    assert_eq!(read.rest().bytes(), b"");
}

fn capture(name: &str) -> Receivers {
    let mut receivers = Receivers::default();
    for record in records(&format!("{name}.jsonl")) {
        if text(&record, "kind") != "packet" {
            continue;
        }
        receivers.packets += 1;
        let bytes = hex(text(&record, "hex"));
        let client = peer(&record, "peer_id");
        let packet = Packet::parse(&bytes).unwrap_or_else(|error| panic!("{error}: {record}"));
        assert_eq!(packet.to_vec(), bytes);
        let to_server = text(&record, "dir") == "c2s";
        let (from, to) =
            if to_server { (client, PeerId::SERVER) } else { (PeerId::SERVER, client) };
        match packet.message {
            Message::System(System::Relay(relay)) => {
                let inner = relay.parse().unwrap();
                assert_eq!(inner.to_vec(), relay.packet);
                if to_server {
                    let is_for_server = Target::from_wire(relay.peer).includes(PeerId::SERVER);
                    receivers.explain(&inner, from, is_for_server.then_some(PeerId::SERVER));
                } else {
                    let source = PeerId::new(relay.peer).unwrap();
                    receivers.explain(&inner, source, Some(to));
                }
            }
            _ => receivers.explain(&packet, from, Some(to)),
        }
    }
    receivers
}

/// The calls that the engines report. A call of a peer to itself has no packet.
fn reported(name: &str) -> Vec<Call> {
    let records = records(&format!("{name}.received.jsonl"));
    let calls = records.iter().filter(|record| record.get("method").is_some());
    let calls = calls.filter(|record| record["from"] != record["me"] && record["from"] != 0);
    calls
        .map(|record| Call {
            to: peer(record, "me"),
            from: peer(record, "from"),
            path: text(record, "path").to_owned(),
            method: text(record, "method").to_owned(),
            arguments: hex(text(record, "args")),
        })
        .collect()
}

/// The calls in sorted order, with their arguments encoded again. The sender does not clear the padding of a node path,
/// so the original bytes cannot be compared.
fn sorted(mut calls: Vec<Call>) -> Vec<Call> {
    for call in &mut calls {
        let value =
            Variant::from_document(&Document::new(&call.arguments, Dialect::Godot4)).unwrap();
        call.arguments = encode(&value, Dialect::Godot4).unwrap();
    }
    calls.sort();
    calls
}

#[test]
fn captures_are_explained_to_the_last_byte() {
    let captures = [
        ("ws-main", 325, 6),
        ("ws-many", 906, 0),
        ("ws-auth", 7, 0),
        ("enet-main", 329, 6),
        ("enet-auth", 7, 0),
    ];
    for (name, packets, quiet) in captures {
        let receivers = capture(name);
        let (silent, heard): (Vec<_>, Vec<_>) = receivers.calls.into_iter().partition(is_silent);
        assert_eq!(sorted(heard), sorted(reported(name)), "{name}");
        assert_eq!((silent.len(), receivers.packets), (quiet, packets), "{name}");
    }
}

/// Whether the script cannot report the call: the method belongs to the engine, or the only argument is an empty array
/// of bytes. A call with such an array arrives without an argument and is refused.
fn is_silent(call: &Call) -> bool {
    let has_no_argument = call.arguments == [28, 0, 0, 0, 0, 0, 0, 0];
    call.method == "set_editor_description" || (call.method == "one" && has_no_argument)
}

#[test]
fn arguments_are_read_and_written_as_the_engine_does() {
    let mut others = Vec::new();
    for record in records("compact.jsonl") {
        let ordinary = hex(text(&record, "ordinary"));
        let value = Variant::from_document(&Document::new(&ordinary, Dialect::Godot4)).unwrap();
        let bytes = hex(text(&record, "rpc"));
        let packet = Packet::parse(&bytes).unwrap();
        assert_eq!(packet.to_vec(), bytes);
        let Message::Rpc(rpc) = packet.message else { panic!("{record}") };
        let mut written = Vec::new();
        let call = RpcWriter::new(rpc.node, rpc.method, &mut written);
        call.value(&value).unwrap().finish().unwrap();
        if written != bytes {
            others.push(text(&record, "value").to_owned());
        }
        let read = rpc.arguments.to_variants().unwrap();
        match record["compact"].as_str() {
            Some(compact) => {
                is_whole(CompactValues::new(&hex(compact), Dialect::Godot4));
                is_whole(rpc.arguments.values().unwrap());
            }
            None => assert!(matches!(rpc.arguments, Arguments::Bytes(_))),
        }
        if read != [value] {
            assert_eq!((text(&record, "value"), read.len()), ("PackedByteArray()", 0));
        }
    }
    // The engine sends a call with an empty array of bytes as a call without an argument.
    assert_eq!(others, ["PackedByteArray()"]);
}

/// The crate refuses and accepts the same packets as the engine, with the listed exceptions.
#[test]
fn injections_have_the_verdict_of_the_engine() {
    // The engine's messages about bytes. Its other messages are about nodes, peers and permissions.
    const OF_BYTES: [&str; 12] = [
        "Invalid packet received. Size too small",
        "Invalid packet received. Size smaller than declared",
        "Unable to decode state variable",
        "node id compression mode",
        "p_packet_len < SYS_CMD_SIZE + 1",
        "Error when trying to decode Variant",
        "Error getting packet!",
        "Invalid sync packet received",
        "Method/function failed",
        "Invalid network command",
        "Variant is too deep",
        "p_allow_objects",
    ];
    for record in records("inject.jsonl") {
        let mut refusals = Vec::new();
        for digits in record["packets"].as_array().unwrap() {
            let bytes = hex(digits.as_str().unwrap());
            let packet = Packet::parse(&bytes);
            if let Ok(packet) = &packet {
                assert_eq!(packet.to_vec(), bytes);
            }
            let verdict = packet.and_then(|packet| match packet.message {
                Message::Rpc(rpc) => rpc.arguments.validate(),
                Message::System(System::Relay(relay)) => relay.parse().map(drop),
                _ => Ok(()),
            });
            if let Err(error) = verdict {
                assert!(error.offset() <= bytes.len(), "{error}");
                refusals.push(error);
            }
        }
        let errors =
            record["errors"].as_array().unwrap().iter().map(|error| error.as_str().unwrap());
        let errors: Vec<_> =
            errors.filter(|error| OF_BYTES.iter().any(|of| error.contains(of))).collect();
        assert_eq!(
            refusals.is_empty(),
            errors.is_empty(),
            "{}: {refusals:?} {errors:?}",
            record["what"]
        );
    }
}
