//! Packets that no engine sends: cut, changed byte by byte, with extreme sizes and ids. Also the message of each error.

use std::collections::BTreeSet;
use std::fs;

use variant_multiplayer::CompactValues;
use variant_multiplayer::{
    Arguments, ErrorKind, IdWidth, Message, NodeRef, Packet, Relay, Rpc, SpawnSource, System,
};
use variant_owned::Variant;
use variant_testkit::corpus;

/// All packets of the captures and of the injections, without duplicates.
fn packets() -> BTreeSet<Vec<u8>> {
    let mut packets = BTreeSet::new();
    for name in ["ws-main", "ws-auth", "enet-main", "enet-auth", "inject", "compact"] {
        let path = corpus::root().join(format!("multiplayer/{name}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            let many = record["packets"].as_array().into_iter().flatten();
            let fields = [&record["hex"], &record["rpc"]].into_iter().chain(many);
            packets.extend(fields.filter_map(|field| corpus::from_hex(field.as_str()?)));
        }
    }
    assert!(packets.len() > 300, "{} packets", packets.len());
    packets
}

/// Reads a packet completely. A readable packet must be written as the same bytes, and offsets of errors must be inside
/// the packet.
fn read(bytes: &[u8]) {
    let packet = match Packet::parse(bytes) {
        Ok(packet) => packet,
        Err(error) => return assert!(error.offset() <= bytes.len(), "{error} in {bytes:?}"),
    };
    assert_eq!(packet.to_vec(), bytes);
    read_message(&packet.message, bytes);
    validate(&packet, bytes);
    if let Message::System(System::Relay(relay)) = packet.message {
        match relay.parse() {
            Ok(inner) => {
                assert_eq!(inner.to_vec(), relay.packet);
                read_message(&inner.message, bytes);
                validate(&inner, bytes);
            }
            Err(error) => assert!((6..=bytes.len()).contains(&error.offset()), "{error}"),
        }
    }
}

fn read_message(message: &Message<'_>, bytes: &[u8]) {
    match message {
        Message::Rpc(rpc) => {
            let own = rpc.arguments.to_variants();
            assert!(own.is_err() || own.unwrap().len() == rpc.arguments.len());
        }
        Message::Spawn(spawn) => {
            read_values(spawn.state, bytes);
            if let SpawnSource::Function(argument) = spawn.source {
                read_values(argument, bytes);
            }
        }
        Message::Sync(sync) => {
            sync.states.iter().flatten().for_each(|state| read_values(state.values, bytes));
        }
        Message::Delta(delta) => {
            delta.changes.iter().flatten().for_each(|change| read_values(change.values, bytes));
        }
        _ => {}
    }
}

fn read_values(values: CompactValues<'_>, bytes: &[u8]) {
    for view in values {
        match view {
            Ok(view) => assert!(view.raw_bytes().is_ok_and(|raw| !raw.is_empty())),
            Err(error) => assert!(error.offset() <= bytes.len(), "{error}"),
        }
    }
}

/// A valid packet decodes. An invalid packet does not, unless only a text is wrong: decoding does not check texts.
fn validate(packet: &Packet<'_>, bytes: &[u8]) {
    let does_decode = decodes(&packet.message);
    match packet.validate() {
        Ok(()) => assert!(does_decode, "{bytes:?}"),
        Err(error) => {
            let is_text = error.kind() == ErrorKind::Value(variant_view::ErrorKind::InvalidText);
            assert!(is_text || !does_decode, "{error} in {bytes:?}");
            assert!(error.offset() <= bytes.len(), "{error}");
        }
    }
}

fn decodes(message: &Message<'_>) -> bool {
    let all = |values: CompactValues<'_>| {
        values.iter().all(|view| view.is_ok_and(|view| Variant::from_view(&view).is_ok()))
    };
    match message {
        Message::Rpc(rpc) => rpc.arguments.to_variants().is_ok(),
        Message::Spawn(spawn) => {
            let argument = match spawn.source {
                SpawnSource::Function(argument) => all(argument),
                SpawnSource::Scene(_) => true,
            };
            argument && all(spawn.state)
        }
        Message::Sync(sync) => {
            sync.states.iter().all(|state| state.is_ok_and(|state| all(state.values)))
        }
        Message::Delta(delta) => {
            delta.changes.iter().all(|change| change.is_ok_and(|change| all(change.values)))
        }
        _ => true,
    }
}

#[test]
fn packets_are_cut_at_every_byte() {
    for packet in packets() {
        (0..=packet.len()).for_each(|len| read(&packet[..len]));
    }
}

/// Each byte is replaced by bytes that differ from it in one bit, and by extreme bytes.
#[test]
fn packets_are_changed_in_every_byte() {
    for mut packet in packets() {
        for place in 0..packet.len().min(256) {
            let right = packet[place];
            let bits = (0..8).map(|bit| right ^ 1 << bit);
            for byte in bits.chain([0, 1, 0x7f, 0x80, 0xff, right.wrapping_add(1)]) {
                packet[place] = byte;
                read(&packet);
            }
            packet[place] = right;
        }
    }
}

#[test]
fn short_packets_of_any_bytes_are_read() {
    for first in 0..=u8::MAX {
        read(&[first]);
        for second in 0..=u8::MAX {
            read(&[first, second]);
            for third in [0, 1, 0x7f, 0x80, 0xff] {
                read(&[first, second, third]);
            }
        }
    }
}

#[test]
fn node_ids_have_any_width() {
    let cases: [(&[u8], u32, IdWidth); 6] = [
        (&[0, 0, 8, 0], 0, IdWidth::W8),
        (&[0, 255, 8, 0], 255, IdWidth::W8),
        (&[0x10, 1, 0, 8, 0], 1, IdWidth::W16),
        (&[0x10, 0xff, 0xff, 8, 0], 0xffff, IdWidth::W16),
        (&[0x20, 7, 0, 0, 0, 8, 0], 7, IdWidth::W32),
        (&[0x20, 0xff, 0xff, 0xff, 0x7f, 8, 0], 0x7fff_ffff, IdWidth::W32),
    ];
    for (bytes, id, width) in cases {
        let rpc = call(bytes);
        assert_eq!((rpc.node, rpc.method.id()), (NodeRef::Id { id, width }, 8));
        read(bytes);
    }
}

#[test]
fn calls_have_up_to_255_arguments() {
    for count in [0_u8, 1, 254, 255] {
        let arguments = vec![0x81; count.into()];
        let bytes = [&[0, 1, 2, count], arguments.as_slice()].concat();
        let Rpc { arguments, .. } = call(&bytes);
        arguments.validate().unwrap();
        assert_eq!((arguments.len(), arguments.is_empty()), (usize::from(count), count == 0));
        assert_eq!(arguments.to_variants().unwrap().len(), usize::from(count));
        if count > 0 {
            let short = &bytes[..bytes.len() - 1];
            assert_eq!(call(short).arguments.validate().unwrap_err().offset(), short.len());
        }
    }
    // The byte-only form has no count.
    let Rpc { arguments, .. } = call(&[0x80, 1, 2]);
    assert!(matches!(arguments, Arguments::Bytes([])) && arguments.is_empty());
}

/// A spawn packet: header, spawner, node, number of synchronizers, length of the name, and `rest`.
fn spawn(scene: u8, synchronizers: u32, name: u32, rest: &[u8]) -> Vec<u8> {
    let words = [1, 2, synchronizers, name].map(u32::to_le_bytes);
    [&[4, scene], words.as_flattened(), rest].concat()
}

fn call(packet: &[u8]) -> Rpc<'_> {
    let Message::Rpc(rpc) = Packet::parse(packet).unwrap().message else { panic!("a call") };
    rpc
}

fn relay(packet: &[u8]) -> Relay<'_> {
    let packet = Packet::parse(packet).unwrap();
    let Message::System(System::Relay(relay)) = packet.message else { panic!("a relay") };
    relay
}

fn relayed(packet: &[u8]) -> Vec<u8> {
    [&[7, 3, 2, 0, 0, 0], packet].concat()
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let simplify = |path: &[u8]| [&[1], [b'0'; 32].as_slice(), &[0, 9, 0, 0, 0], path].concat();
    let cases: [(Vec<u8>, &str); 33] = [
        (vec![], "header needs 1 bytes, 0 are left at byte 0"),
        (vec![0], "node id needs 1 bytes, 0 are left at byte 1"),
        (vec![0x10, 1], "node id needs 2 bytes, 1 are left at byte 1"),
        (vec![0x20, 1, 2, 3], "node id needs 4 bytes, 3 are left at byte 1"),
        (vec![0x30, 1, 2, 3, 4, 5, 6], "the node id has no width of 8, 16 or 32 bits at byte 1"),
        (vec![0, 1], "method id needs 1 bytes, 0 are left at byte 2"),
        (vec![0x40, 1, 0], "method id needs 2 bytes, 1 are left at byte 2"),
        (vec![0, 1, 2], "argument count needs 1 bytes, 0 are left at byte 3"),
        (
            b"\x20\x05\0\0\x80\x08\0W\0".to_vec(),
            "the path at byte 5 is not after the arguments and within the packet at byte 1",
        ),
        (
            b"\x20\x09\0\0\x80\x08\0W\0".to_vec(),
            "the path at byte 9 is not after the arguments and within the packet at byte 1",
        ),
        (
            b"\x20\xff\xff\xff\xff\x08\0W\0".to_vec(),
            "the path at byte 2147483647 is not after the arguments and within the packet at byte 1",
        ),
        (b"\x20\x07\0\0\x80\x08\0W\xff\0".to_vec(), "path is not valid UTF-8 at byte 8"),
        // The offset of the path equals the offset of the count.
        (b"\x20\x06\0\0\x80\x08W\0".to_vec(), "argument count needs 1 bytes, 0 are left at byte 6"),
        (vec![1; 32], "checksum needs 32 bytes, 31 are left at byte 1"),
        (simplify(b"")[..36].to_vec(), "path id needs 4 bytes, 2 are left at byte 34"),
        (simplify(b"ab\xc3\0"), "path is not valid UTF-8 at byte 40"),
        (vec![2, 1, 9], "path id needs 4 bytes, 1 are left at byte 2"),
        (vec![2], "confirmation needs 1 bytes, 0 are left at byte 1"),
        (vec![2, 1, 9, 0, 0, 0, 0], "1 bytes are left after the packet's end at byte 6"),
        (vec![3], "payload is empty at byte 1"),
        (vec![4], "scene index needs 1 bytes, 0 are left at byte 1"),
        (spawn(0, 0, 2, b"a"), "name needs 2 bytes, 1 are left at byte 18"),
        (spawn(0, 0, 2, b"ab"), "name lacks the NUL after it at byte 18"),
        (spawn(0, 0, 0, b"a\0"), "name lacks the NUL after it at byte 18"),
        (spawn(0, 0, 4, b"a\0b\0"), "name lacks the NUL after it at byte 18"),
        (spawn(0, 0, 3, b"a\xff\0"), "name is not valid UTF-8 at byte 19"),
        (spawn(0, 2, 2, b"1234a\0"), "net id needs 8 bytes, 6 are left at byte 18"),
        (spawn(0xff, 0, 2, b"a\0\x05\0\0\0\0"), "argument needs 5 bytes, 1 are left at byte 24"),
        (vec![5, 9, 0], "net id needs 4 bytes, 2 are left at byte 1"),
        (vec![6, 1, 0, 1, 0, 0, 0], "state needs 8 bytes, 4 are left at byte 3"),
        (vec![7, 9], "9 names no system command at byte 1"),
        (vec![7, 3, 2, 0, 0, 0], "payload is empty at byte 6"),
        (vec![7, 1, 2, 0], "peer needs 4 bytes, 2 are left at byte 2"),
    ];
    for (bytes, expected) in cases {
        let error = Packet::parse(&bytes).expect_err(expected);
        assert_eq!(error.to_string(), expected, "{bytes:?}");
        // A hint names what to do, or the cause: a packet that was cut short, or is of a newer engine.
        let hint = error.hint();
        let words = ["drop", "cut short", "newer engine"];
        assert!(words.iter().any(|word| hint.contains(word)), "{hint}");
    }
}

/// For 2^30 ids of 4 bytes, an engine computes a size of 0 in 32 bits, and reads beyond the packet.
#[test]
fn sizes_at_the_end_of_32_bits_are_refused() {
    for count in [1 << 30, (1 << 30) + 1, 1 << 31, u32::MAX] {
        let error = Packet::parse(&spawn(0, count, 2, b"a\0")).unwrap_err();
        assert_eq!(error.offset(), 18, "{error}");
    }
    for len in [3, 1 << 31, u32::MAX] {
        assert_eq!(Packet::parse(&spawn(0, 0, len, b"a\0")).unwrap_err().offset(), 18, "{len}");
    }
    for size in [1, 1 << 31, u32::MAX] {
        let state = [&[6, 0, 0, 1, 0, 0, 0], u32::to_le_bytes(size).as_slice()].concat();
        let Message::Sync(sync) = Packet::parse(&state).unwrap().message else { panic!("a sync") };
        let mut states = sync.states.iter();
        assert_eq!(states.next().unwrap().unwrap_err().offset(), 11, "{size}");
        assert!(states.next().is_none());
    }
}

#[test]
fn relays_hold_no_relays() {
    let inner = relayed(&[3, 1]);
    assert!(matches!(relay(&inner).parse().unwrap().message, Message::Raw([1])));
    // Offsets in a relay count from the start of the relay.
    for (packet, expected) in [
        (&inner[..], "system packet within a relayed one at byte 6"),
        (&[5, 9, 0], "net id needs 4 bytes, 2 are left at byte 7"),
    ] {
        assert_eq!(relay(&relayed(packet)).parse().unwrap_err().to_string(), expected);
    }
}

/// In a relay the offset of a path counts from the start of the inner packet.
#[test]
fn paths_in_relays_are_found() {
    let bytes = relayed(b"\x20\x09\0\0\x80\x08\x01\x02\x05World\0");
    let Message::Rpc(rpc) = relay(&bytes).parse().unwrap().message else { panic!("a call") };
    assert_eq!(rpc.node, NodeRef::Path("World"));
    assert_eq!(rpc.arguments.values().unwrap().offset(), 13);
}
