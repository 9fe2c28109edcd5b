//! Adapters do not hide damage: `nth`, `skip` and `step_by` of the rows of a packet find an error if `next` finds one.

use variant_multiplayer::{Delta, Message, NetId, Packet, Sync, push_change, push_state};
use variant_testkit::adapters::hides_nothing;

/// A property, the int 7, in the compact form.
const VALUE: &[u8] = b"\x02\x07";

/// Packets of up to five states, and of as many changes.
fn packets() -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    for count in 1..=5 {
        let (mut states, mut changes) = (Vec::new(), Vec::new());
        Sync::begin(1, &mut states);
        Delta::begin(&mut changes);
        for id in 1..=count {
            push_state(NetId::new(id), VALUE, &mut states);
            push_change(NetId::new(id), 1, VALUE, &mut changes);
        }
        packets.extend([states, changes]);
    }
    packets
}

/// Whether any row of a packet is damaged, or any value of a row.
fn is_damaged(packet: &[u8]) -> bool {
    let Ok(Packet { message, .. }) = Packet::parse(packet) else { return false };
    match message {
        Message::Sync(Sync { states, .. }) => {
            states
                .iter()
                .flatten()
                .for_each(|state| _ = hides_nothing(state.values.iter(), &packet));
            hides_nothing(states.iter(), &packet)
        }
        Message::Delta(Delta { changes, .. }) => {
            changes
                .iter()
                .flatten()
                .for_each(|change| _ = hides_nothing(change.values.iter(), &packet));
            hides_nothing(changes.iter(), &packet)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn adapters_find_the_damage_that_next_finds() {
    let mut damaged = 0;
    for packet in packets() {
        assert!(!is_damaged(&packet), "{packet:?}");
        for end in 0..packet.len() {
            let (cut, _) = packet.split_at(end);
            damaged += usize::from(is_damaged(cut));
            let mut other = packet.clone();
            // The bytes of the command are not changed, since a packet with another command is not a packet of
            // states.
            if end > 2 {
                other[end] ^= 0x55;
                damaged += usize::from(is_damaged(&other));
            }
        }
    }
    assert!(damaged > 100, "{damaged}");
}
