//! Fuzz target `multiplayer`.

mod arguments;
mod paths;
mod row;

use variant_multiplayer::CompactValues;
use variant_multiplayer::{Error, Message, Packet, Relay, SpawnSource, System};
use variant_view::{Dialect, Options};

use super::choice::choose;
use arguments::check_call;
use paths::check_paths;
use row::check_row;

/// One packet. The lowest two bits of the fourth byte of the input choose one of these four kinds.
pub(super) const PACKET: u8 = 0;
/// Packets of several peers. Two bytes before each packet are its sender and its length.
pub(super) const CONVERSATION: u8 = 1;
/// Compact values up to the end of the input.
pub(super) const ROW: u8 = 2;
/// Compact values. The upper six bits of the fourth byte of the input give the number of values.
const COUNTED: u8 = 3;

/// Checks any packet. A packet that is read is written as the same bytes, and so is a relayed packet in it. Offsets of
/// errors are in the packet. Iteration and validation find the same end of a value. Written values are read again as
/// the same values, also if `RpcWriter` has written them. `PathCache` matches a plain map, within limits. A Rust type
/// reads the same value from a byte array with its header and from one without it, which is the form of a sole
/// argument.
pub fn check_multiplayer(data: &[u8]) {
    let Some((options, rest)) = choose(data) else { return };
    let Some((&what, bytes)) = rest.split_first() else { return };
    // Calls are written in single precision. A flag of each real determines its width.
    let godot = Options::engine(Dialect::Godot4)
        .limits(options.limits)
        .objects(options.objects)
        .profile(options.profile);
    match what & 3 {
        CONVERSATION => {
            for (_, packet) in conversation(bytes) {
                check_packet(packet, &godot);
            }
            check_paths(bytes, what >> 2);
        }
        ROW => check_row(CompactValues::new(bytes, options), bytes),
        COUNTED => {
            check_row(CompactValues::counted(bytes, options, u32::from(what >> 2)), bytes);
        }
        _ => check_packet(bytes, &godot),
    }
}

/// Senders and their packets.
fn conversation(mut bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    core::iter::from_fn(move || {
        let (&[peer, len], rest) = bytes.split_first_chunk()?;
        let (packet, rest) = rest.split_at(rest.len().min(len.into()));
        bytes = rest;
        Some((peer, packet))
    })
}

fn check_packet(bytes: &[u8], options: &Options) {
    match Packet::parse_with(bytes, options) {
        Ok(packet) => {
            assert_eq!(packet.to_vec(), bytes, "written again: {packet:?}");
            check_message(&packet, bytes, options);
        }
        Err(error) => check_error(error, bytes),
    }
}

/// Checks that the offset of an error is in the packet or at its end.
fn check_error(error: Error, packet: &[u8]) {
    assert!(error.offset() <= packet.len(), "{error} of {}", packet.len());
    assert!(!error.to_string().is_empty() && !error.hint().is_empty());
}

fn check_message(packet: &Packet<'_>, bytes: &[u8], options: &Options) {
    let sent = Packet::new(packet.message).to_vec();
    let again = Packet::parse_with(&sent, options).expect("what was written");
    assert_eq!(Packet::new(again.message).to_vec(), sent, "as engines send it");
    match packet.message {
        Message::Rpc(rpc) => check_call(&rpc, bytes, options),
        Message::Spawn(spawn) => {
            assert_eq!(spawn.synchronizers.iter().count(), spawn.synchronizers.len());
            if let SpawnSource::Function(argument) = spawn.source {
                check_values(argument, bytes);
            }
            check_values(spawn.state, bytes);
        }
        Message::Sync(sync) => {
            let values = |state: variant_multiplayer::State<'_>| check_values(state.values, bytes);
            check_items(sync.states.iter(), bytes, 8, values);
        }
        Message::Delta(delta) => {
            let values =
                |change: variant_multiplayer::Change<'_>| check_values(change.values, bytes);
            check_items(delta.changes.iter(), bytes, 16, values);
        }
        Message::System(System::Relay(relay)) => check_relay(&relay, bytes, options),
        _ => {}
    }
}

/// Checks items of at least `least` bytes each. An error must be the last item.
fn check_items<T>(
    mut items: impl Iterator<Item = Result<T, Error>>,
    packet: &[u8],
    least: usize,
    check: impl Fn(T),
) {
    let most = packet.len().div_ceil(least);
    let mut read = 0_usize;
    while let Some(item) = items.next() {
        read = read.saturating_add(1);
        assert!(read <= most.saturating_add(1), "items that no bytes pay for");
        match item {
            Ok(item) => check(item),
            Err(error) => {
                check_error(error, packet);
                assert!(items.next().is_none(), "an item after an error");
            }
        }
    }
    assert!(items.next().is_none(), "an item after the end");
}

/// Checks that a relayed packet is written with the same bytes, and that it does not relay another packet.
fn check_relay(relay: &Relay<'_>, bytes: &[u8], options: &Options) {
    match relay.parse_with(options) {
        Ok(inner) => {
            assert_eq!(inner.to_vec(), relay.packet, "written again: {inner:?}");
            assert!(!matches!(inner.message, Message::System(_)), "a relay in a relay");
            check_message(&inner, bytes, options);
        }
        Err(error) => {
            let start = bytes.len().saturating_sub(relay.packet.len());
            assert!(error.offset() >= start, "{error} before the packet at {start}");
            check_error(error, bytes);
        }
    }
}

/// Checks the values in a packet. Their offsets count from the start of the packet.
fn check_values(values: CompactValues<'_>, packet: &[u8]) {
    let len = values.bytes().len();
    let there = packet.get(values.offset()..).and_then(|bytes| bytes.get(..len));
    assert_eq!(there, Some(values.bytes()), "offsets are those of the packet");
    check_row(values, packet);
}
