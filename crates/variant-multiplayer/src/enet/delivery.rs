//! The way of a packet, as ENet has it.

use rusty_enet::{Packet, PacketKind};

use crate::transport::{Delivery, TransferMode};

/// ENet's flag of packets that arrive.
const RELIABLE: u32 = 1;
/// ENet's flag of packets that may overtake others.
const UNSEQUENCED: u32 = 2;

/// The channel and the kind by which a packet goes out.
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

/// The way of a packet that came by a channel.
pub(super) fn from_enet(channel: u8, packet: &Packet) -> Delivery {
    Delivery { mode: mode(packet), channel: channel.saturating_sub(1) }
}

/// `Packet::kind` of `rusty_enet` 0.4.1 sets all flags where it means to clear one, and so tells that any packet is
/// reliable. Flags show only in what `Debug` writes. Where that reads otherwise, the kind is all there is.
fn mode(packet: &Packet) -> TransferMode {
    match packet.kind() {
        PacketKind::Unreliable { sequenced } | PacketKind::AlwaysUnreliable { sequenced } => {
            if sequenced {
                TransferMode::UnreliableOrdered
            } else {
                TransferMode::Unreliable
            }
        }
        PacketKind::Reliable => match written_flags(&format!("{packet:?}")) {
            Some(flags) if flags & RELIABLE != 0 => TransferMode::Reliable,
            Some(flags) if flags & UNSEQUENCED != 0 => TransferMode::Unreliable,
            Some(_) => TransferMode::UnreliableOrdered,
            None => TransferMode::Reliable,
        },
    }
}

fn written_flags(written: &str) -> Option<u32> {
    let (_, rest) = written.split_once("flags: ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_there_and_back() {
        for mode in
            [TransferMode::Reliable, TransferMode::Unreliable, TransferMode::UnreliableOrdered]
        {
            for channel in [0, 1, 253] {
                let delivery = Delivery { mode, channel };
                let (at, kind) = to_enet(delivery);
                assert_eq!(from_enet(at, &Packet::new(&[1_u8][..], kind)), delivery);
            }
        }
        assert_eq!(to_enet(Delivery::RELIABLE).0, 0);
        assert_eq!(to_enet(Delivery::UNRELIABLE).0, 1);
        assert_eq!(to_enet(Delivery { channel: 3, ..Delivery::RELIABLE }).0, 4);
    }
}
