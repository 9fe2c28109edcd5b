//! Converts between the delivery of a packet, and an ENet channel and packet kind.
//!
//! The library `rusty_enet` does not report the kind of a received packet: `Packet::kind` of version 0.4.1 sets all
//! flags when it should clear one, so it returns reliable for every packet. The kind is in the commands of a datagram.
//! This module appends it to each packet as extra bytes, the label, before ENet sees the datagram. The label is
//! removed after ENet has assembled the packet.
//!
//! ENet limits the bytes of packets that wait for an earlier packet, but not their number. The label has 64 bytes, so
//! that this limit also limits the number.

use rusty_enet::PacketKind;

use super::guard::{Command, HEADER, SENT_TIME, TIMED_HEADER, size};
use crate::transport::{Delivery, TransferMode};

/// The size of a label. The labels of a datagram of an engine fit the buffer of ENet.
pub(super) const LABEL: usize = 64;

/// The ENet channel and kind for a packet.
pub(super) const fn to_enet(delivery: Delivery) -> (u8, PacketKind) {
    let channel = match (delivery.channel, delivery.mode) {
        (0, TransferMode::Reliable) => 0,
        (channel, _) => channel.saturating_add(1),
    };
    let kind = match delivery.mode {
        TransferMode::Reliable => PacketKind::Reliable,
        TransferMode::UnreliableOrdered => PacketKind::AlwaysUnreliable { sequenced: true },
        TransferMode::Unreliable => PacketKind::AlwaysUnreliable { sequenced: false },
    };
    (channel, kind)
}

/// Returns a packet received on a channel without its label, and its delivery.
pub(super) fn from_enet(channel: u8, labelled: &[u8]) -> Option<(&[u8], Delivery)> {
    let (bytes, label) = labelled.split_last_chunk::<LABEL>()?;
    let mode = match label[0] {
        0 => TransferMode::Unreliable,
        1 => TransferMode::UnreliableOrdered,
        _ => TransferMode::Reliable,
    };
    Some((bytes, Delivery { mode, channel: channel.saturating_sub(1) }))
}

/// The label of the packet in a command with this number. `None` if such a command contains no packet.
const fn label_of(number: u8) -> Option<u8> {
    match number {
        9 => Some(0),
        7 | 12 => Some(1),
        6 | 8 => Some(2),
        _ => None,
    }
}

/// Copies a datagram, with a label at the end of each packet. `None` if a command is damaged or unknown to ENet.
/// O(bytes).
pub(super) fn label(datagram: &[u8], labelled: &mut Vec<u8>) -> Option<()> {
    let (first, _) = datagram.split_first_chunk()?;
    let has_time = u16::from_be_bytes(*first) & SENT_TIME != 0;
    let (head, mut rest) =
        datagram.split_at_checked(if has_time { TIMED_HEADER } else { HEADER })?;
    labelled.clear();
    labelled.extend_from_slice(head);
    while let Some((command, _)) = rest.split_first() {
        let number = command & 0x0F;
        let (body, behind) = rest.split_at_checked(size(number)?)?;
        rest = label_command(number, body, behind, labelled)?;
    }
    Some(())
}

/// Copies a command and its data. Returns the commands that follow.
fn label_command<'a>(
    number: u8,
    body: &[u8],
    behind: &'a [u8],
    labelled: &mut Vec<u8>,
) -> Option<&'a [u8]> {
    let start = labelled.len();
    labelled.extend_from_slice(body);
    let Some(label) = label_of(number) else { return Some(behind) };
    let command = Command(body);
    let at = if number == 6 { 4 } else { 6 };
    let length = command.u16(at)?;
    let (data, behind) = behind.split_at_checked(usize::try_from(length).ok()?)?;
    labelled.extend_from_slice(data);
    let is_fragment = matches!(number, 8 | 12);
    if is_fragment {
        let total = command.u32(16)?.checked_add(u32::try_from(LABEL).ok()?)?;
        put(labelled, start.checked_add(16)?, &total.to_be_bytes())?;
    }
    // Only the last fragment of a packet gets the label of the packet.
    if !is_fragment || command.u32(12)?.checked_add(1) == command.u32(8) {
        let length = u16::try_from(length).ok()?.checked_add(u16::try_from(LABEL).ok()?)?;
        put(labelled, start.checked_add(at)?, &length.to_be_bytes())?;
        labelled.extend([label; LABEL]);
    }
    Some(behind)
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) -> Option<()> {
    let end = at.checked_add(field.len())?;
    bytes.get_mut(at..end).map(|place| place.copy_from_slice(field))
}

#[cfg(test)]
mod tests {
    use rusty_enet::MTU_MAX;

    use super::*;
    use crate::enet::MTU;
    use crate::enet::guard::COMMANDS;

    #[test]
    fn a_labelled_datagram_fits_the_buffer() {
        assert!(usize::from(MTU) + COMMANDS * LABEL < MTU_MAX);
    }

    #[test]
    fn ways_there_and_back() {
        for (label, mode, number) in [
            (2, TransferMode::Reliable, 6),
            (0, TransferMode::Unreliable, 9),
            (1, TransferMode::UnreliableOrdered, 7),
        ] {
            assert_eq!(label_of(number), Some(label));
            for channel in [0, 1, 253] {
                let delivery = Delivery { mode, channel };
                let (at, _) = to_enet(delivery);
                let labelled = [&[7][..], &[label; LABEL]].concat();
                assert_eq!(from_enet(at, &labelled), Some((&[7][..], delivery)));
            }
        }
        assert_eq!(to_enet(Delivery::RELIABLE).0, 0);
        assert_eq!(to_enet(Delivery::UNRELIABLE).0, 1);
        assert_eq!(to_enet(Delivery { channel: 3, ..Delivery::RELIABLE }).0, 4);
        assert_eq!(from_enet(0, &[]), None);
    }

    /// A datagram of a header and commands.
    fn datagram(commands: &[&[u8]]) -> Vec<u8> {
        [&[0x80, 5, 0, 0][..], &commands.concat()].concat()
    }

    #[test]
    fn each_packet_gets_its_label() {
        let ping = &[0x85, 0xFF, 0, 1][..];
        let reliable = |packet: &[u8]| {
            [&[0x86, 0, 0, 1, 0, u8::try_from(packet.len()).unwrap()], packet].concat()
        };
        let other = |kind: u8, packet: &[u8]| {
            [&[kind, 1, 0, 1, 0, 1, 0, u8::try_from(packet.len()).unwrap()], packet].concat()
        };
        let fragment = |kind: u8, number: u8, total: u8, packet: &[u8]| {
            let length = u8::try_from(packet.len()).unwrap();
            let fields = [0, 0, 0, 2, 0, 0, 0, number, 0, 0, 0, total, 0, 0, 0, number * 3];
            [&[kind, 1, 0, 1, 0, 1, 0, length], &fields[..], packet].concat()
        };
        let plain = datagram(&[
            ping,
            &reliable(b"a"),
            &other(9, b"bc"),
            &other(7, b"d"),
            &fragment(0x88, 0, 5, b"efg"),
            &fragment(0x88, 1, 5, b"hi"),
            &fragment(12, 1, 5, b"jk"),
        ]);
        let labelled = |packet: &[u8], label: u8| [packet, &[label; LABEL]].concat();
        let expected = datagram(&[
            ping,
            &reliable(&labelled(b"a", 2)),
            &other(9, &labelled(b"bc", 0)),
            &other(7, &labelled(b"d", 1)),
            &fragment(0x88, 0, 69, b"efg"),
            &fragment(0x88, 1, 69, &labelled(b"hi", 2)),
            &fragment(12, 1, 69, &labelled(b"jk", 1)),
        ]);
        let mut labelled = vec![9; 9];
        assert_eq!(label(&plain, &mut labelled), Some(()));
        assert_eq!(labelled, expected);
        // The header of a datagram without a time has two bytes.
        let untimed = |datagram: &[u8]| [&[0, 5][..], &datagram[TIMED_HEADER..]].concat();
        assert_eq!(label(&untimed(&plain), &mut labelled), Some(()));
        assert_eq!(labelled, untimed(&expected));
        let mut cut = plain;
        while cut.pop().is_some() {
            let _ = label(&cut, &mut labelled);
        }
        assert_eq!(label(&datagram(&[&[0x8D, 0xFF, 0, 1]]), &mut labelled), None);
    }
}
