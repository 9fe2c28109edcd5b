//! [`Guard`]: decides which datagrams a server passes to ENet.
//!
//! ENet 1.3.18 and its translation to Rust accept datagrams that a server must refuse:
//!
//! - Fragments may leave gaps: one fragment of one byte can claim to be the only fragment of a 64 KiB packet. The rest
//!   of that packet is uninitialised memory. A relaying server then sends this memory to others.
//! - A fragment of an unreliable packet may claim that a packet of one byte has a million fragments. Each such claim
//!   allocates 128 KiB, but ENet's limit of waiting data counts it as one byte.
//! - Empty packets allocate memory, but ENet's limit of waiting data counts them as zero bytes.
//! - A datagram may have hundreds of commands, and ENet walks a list for each packet and each acknowledgement.
//!
//! In the repository, `docs/dev/rusty_enet.patch` contains the fixes for upstream, except for the last point.
//!
//! The engine does not send such datagrams. It cuts packets at a fixed size, so the offset of a fragment follows from its
//! number, and each fragment can be checked separately.

use super::MTU;

/// The size of a header without a time.
pub(super) const HEADER: usize = 2;
/// The size of a header with a time.
pub(super) const TIMED_HEADER: usize = 4;
/// The number of bytes of a packet in each fragment except the last: the MTU, minus 4 bytes of the header and 24 bytes
/// of the command.
const FRAGMENT: u32 = 1_364;
/// The number of commands that ENet puts into a datagram at most.
pub(super) const COMMANDS: usize = 32;
/// The header bit of a datagram with a time.
pub(super) const SENT_TIME: u16 = 0x8000;
/// The header bit of a compressed datagram.
const COMPRESSED: u16 = 0x4000;
/// The header bits with the sender's slot in the ENet host.
const PEER: u16 = 0x0FFF;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The datagram is passed to ENet.
    Pass,
    /// The datagram is passed to ENet, and the peer in this slot of the ENet host leaves.
    Leave(u16),
    Drop,
    /// The datagram is dropped, and the peer in this slot has exceeded the packet limit.
    Oversize(u16),
}

/// The check of datagrams. It keeps no state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    packet: u32,
}

/// A command without its data. Offsets of fields count from its first byte.
pub(super) struct Command<'a>(pub(super) &'a [u8]);

impl Command<'_> {
    pub(super) fn u16(&self, at: usize) -> Option<u32> {
        let (bytes, _) = self.0.get(at..)?.split_first_chunk()?;
        Some(u16::from_be_bytes(*bytes).into())
    }

    pub(super) fn u32(&self, at: usize) -> Option<u32> {
        let (bytes, _) = self.0.get(at..)?.split_first_chunk()?;
        Some(u32::from_be_bytes(*bytes))
    }
}

/// The reason why a command is dropped.
enum Fault {
    Invalid,
    Oversize,
}

impl Guard {
    /// A guard for packets of up to `packet` bytes.
    pub(super) fn new(packet: usize) -> Self {
        Self { packet: u32::try_from(packet).unwrap_or(u32::MAX) }
    }

    /// Returns the verdict on a datagram. O(commands).
    pub(super) fn check(self, datagram: &[u8]) -> Verdict {
        let Some((head, _)) = datagram.split_first_chunk() else {
            return Verdict::Drop;
        };
        let head = u16::from_be_bytes(*head);
        let start = if head & SENT_TIME == 0 { HEADER } else { TIMED_HEADER };
        // A datagram without commands is useless, but harmless.
        let commands = datagram.get(start..).unwrap_or_default();
        if head & COMPRESSED != 0 {
            return Verdict::Drop;
        }
        match self.check_commands(commands) {
            Ok(false) => Verdict::Pass,
            Ok(true) => Verdict::Leave(head & PEER),
            Err(Fault::Invalid) => Verdict::Drop,
            Err(Fault::Oversize) => Verdict::Oversize(head & PEER),
        }
    }

    /// Checks all commands. Returns whether a command disconnects its peer.
    fn check_commands(self, mut rest: &[u8]) -> Result<bool, Fault> {
        let (mut leaves, mut left) = (false, COMMANDS);
        while let Some((command, _)) = rest.split_first() {
            left = left.checked_sub(1).ok_or(Fault::Invalid)?;
            let number = command & 0x0F;
            let (body, behind) =
                size(number).and_then(|size| rest.split_at_checked(size)).ok_or(Fault::Invalid)?;
            let length = self.check_command(number, &Command(body))?;
            leaves |= number == 4;
            rest = behind.get(length..).ok_or(Fault::Invalid)?;
        }
        Ok(leaves)
    }

    /// Checks a command. Returns the length of its data.
    fn check_command(self, number: u8, command: &Command<'_>) -> Result<usize, Fault> {
        let length = match number {
            // The connect command contains the client's MTU. Engines always send the value of `MTU`.
            2 if command.u32(8) < Some(u32::from(MTU)) => return Err(Fault::Invalid),
            6 => command.u16(4),
            7 | 9 => command.u16(6),
            8 | 12 => Some(self.check_fragment(command)?),
            _ => return Ok(0),
        };
        match length {
            None | Some(0) => Err(Fault::Invalid),
            Some(length) if length > self.packet => Err(Fault::Oversize),
            Some(length) => usize::try_from(length).map_err(|_| Fault::Invalid),
        }
    }

    /// Returns the length of a fragment. Fails if its offset does not follow from its number.
    fn check_fragment(self, command: &Command<'_>) -> Result<u32, Fault> {
        let fields = (|| {
            let length = command.u16(6)?;
            Some((length, command.u32(8)?, command.u32(12)?, command.u32(16)?, command.u32(20)?))
        })();
        let (length, count, number, total, offset) = fields.ok_or(Fault::Invalid)?;
        if total > self.packet {
            return Err(Fault::Oversize);
        }
        let placed = number.checked_mul(FRAGMENT) == Some(offset);
        let whole = total.checked_sub(offset).map(|left| left.min(FRAGMENT)) == Some(length);
        if placed && whole && number < count && count == total.div_ceil(FRAGMENT) {
            Ok(length)
        } else {
            Err(Fault::Invalid)
        }
    }
}

/// The size of a command without its data.
pub(super) const fn size(number: u8) -> Option<usize> {
    Some(match number {
        1 | 4 | 7 | 9 => 8,
        2 => 48,
        3 => 44,
        5 => 4,
        6 => 6,
        8 | 12 => 24,
        10 => 12,
        11 => 16,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(kind: u8, fields: [u32; 4], data: &[u8]) -> Vec<u8> {
        let mut datagram = vec![0x80, 5, 0, 0, 0x80 | kind, 1, 0, 1, 0, 1];
        datagram.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        for field in fields {
            datagram.extend(field.to_be_bytes());
        }
        datagram.extend(data);
        datagram
    }

    #[test]
    fn fragments_have_one_place() {
        assert_eq!(FRAGMENT, u32::from(MTU) - 28);
        let guard = Guard::new(65_535);
        for kind in [8, 12] {
            let check = |fields, length| guard.check(&fragment(kind, fields, &vec![0; length]));
            // The fields: count, number, total, offset.
            assert_eq!(check([2, 0, 2_000, 0], 1_364), Verdict::Pass);
            assert_eq!(check([2, 1, 2_000, 1_364], 636), Verdict::Pass);
            assert_eq!(check([1, 0, 2_000, 0], 1), Verdict::Drop, "a gap");
            assert_eq!(check([2, 1, 2_000, 1_999], 1), Verdict::Drop, "elsewhere");
            assert_eq!(check([2, 0, 2_000, 0], 1_363), Verdict::Drop, "too short");
            assert_eq!(check([1 << 20, 0, 1, 0], 1), Verdict::Drop, "too many");
            assert_eq!(check([1, 0, 0, 0], 0), Verdict::Drop, "empty");
            assert_eq!(check([49, 0, 65_536, 0], 1_364), Verdict::Oversize(5));
            assert_eq!(check([49, u32::MAX, 65_535, 0], 1_364), Verdict::Drop);
        }
    }

    /// The datagrams of a session of engines, each with its description. `None` without the corpus: the published
    /// package does not contain it, and a file that cargo adds identifies the package.
    fn recorded() -> Option<Vec<(Vec<u8>, String)>> {
        if std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml.orig")).exists() {
            return None;
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/multiplayer");
        let mut datagrams = Vec::new();
        for name in ["enet-main", "enet-auth"] {
            let path = format!("{folder}/{name}.datagrams.jsonl");
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.lines().count() > 10);
            for line in text.lines() {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                let digits = record["hex"].as_str().unwrap().as_bytes().chunks_exact(2);
                let datagram = digits
                    .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
                    .collect();
                datagrams.push((datagram, record["what"].as_str().unwrap().to_owned()));
            }
        }
        Some(datagrams)
    }

    #[test]
    fn engines_pass() {
        let guard = Guard::new(65_535);
        for (datagram, what) in recorded().into_iter().flatten() {
            let leaves = what.contains("; disconnect");
            let verdict = guard.check(&datagram);
            assert_eq!(matches!(verdict, Verdict::Leave(_)), leaves, "{what}");
            assert!(leaves || verdict == Verdict::Pass, "{what}");
        }
    }

    /// A datagram that is cut off passes only if the cut is between commands.
    #[test]
    fn datagrams_of_engines_are_cut_at_every_byte() {
        let guard = Guard::new(65_535);
        for (datagram, what) in recorded().into_iter().flatten() {
            let start = if what.contains("sent time") { TIMED_HEADER } else { HEADER };
            let cuts = datagram.len().checked_sub(start).unwrap();
            let commands = what.split("; ").filter(|part| part.contains(" ch ")).count();
            let passing = (0..=cuts)
                .filter(|cut| guard.check(&datagram[..start + cut]) != Verdict::Drop)
                .count();
            assert_eq!(passing, commands + 1, "{what}");
        }
    }

    /// ENet's commands to limit the bandwidth (10) and to configure the throttle (11) are not in the recorded sessions.
    #[test]
    fn commands_that_engines_did_not_send_are_whole() {
        let guard = Guard::new(65_535);
        for (number, size) in [(10_u8, 12), (11, 16)] {
            let mut datagram = vec![0x80, 5, 0, 0, 0x80 | number];
            datagram.resize(TIMED_HEADER + size, 0);
            assert_eq!(guard.check(&datagram), Verdict::Pass, "{number}");
            datagram.pop();
            assert_eq!(guard.check(&datagram), Verdict::Drop, "{number}");
        }
        for number in [0, 13, 14, 15] {
            let datagram = [&[0x80, 5, 0, 0, 0x80 | number][..], &[0; 60]].concat();
            assert_eq!(guard.check(&datagram), Verdict::Drop, "{number}");
        }
    }

    #[test]
    fn a_packet_has_a_byte_and_at_most_the_limit() {
        let guard = Guard::new(10);
        // Number of the command, and the offset of the length.
        for (number, at) in [(6_u8, 4), (7, 6), (9, 6)] {
            for (length, expected) in [
                (0, Verdict::Drop),
                (1, Verdict::Pass),
                (10, Verdict::Pass),
                (11, Verdict::Oversize(5)),
            ] {
                let mut datagram = vec![0x80, 5, 0, 0, 0x80 | number];
                datagram.resize(TIMED_HEADER + at, 0);
                datagram.extend([0, length]);
                datagram.resize(datagram.len() + usize::from(length), 7);
                assert_eq!(guard.check(&datagram), expected, "{number}: {length}");
            }
        }
        for (total, expected) in [(10, Verdict::Pass), (11, Verdict::Oversize(5))] {
            let data = vec![7; usize::try_from(total).unwrap()];
            for kind in [8, 12] {
                let datagram = fragment(kind, [1, 0, total, 0], &data);
                assert_eq!(guard.check(&datagram), expected, "{kind}: {total}");
            }
        }
    }

    /// The other bits of the header are the session and the flags.
    #[test]
    fn a_peer_that_leaves_is_named_by_its_slot() {
        let leave = [0x84, 0xFF, 0, 1, 0, 0, 0, 0];
        for (head, slot) in [([0, 5], 5), ([0x30, 5], 5), ([0x0F, 0xFE], 4_094), ([0, 0], 0)] {
            let datagram = [&head[..], &leave].concat();
            assert_eq!(Guard::new(10).check(&datagram), Verdict::Leave(slot));
            let ping = [&head[..], &[0x85, 0xFF, 0, 1], &leave, &[0x85, 0xFF, 0, 2]].concat();
            assert_eq!(Guard::new(10).check(&ping), Verdict::Leave(slot), "among others");
        }
    }

    /// ENet cuts the packets to a peer by the peer's MTU, so a smaller MTU costs the server more datagrams.
    #[test]
    fn clients_have_at_least_the_mtu_of_engines() {
        for (mtu, expected) in [
            (0, Verdict::Drop),
            (MTU - 1, Verdict::Drop),
            (MTU, Verdict::Pass),
            (MTU + 1, Verdict::Pass),
        ] {
            let mut connect = vec![0x8F, 0xFF, 0, 0, 0x82, 0xFF, 0, 1, 0, 0, 0xFF, 0xFF, 0, 0];
            connect.extend(mtu.to_be_bytes());
            connect.resize(TIMED_HEADER + 48, 0);
            assert_eq!(Guard::new(10).check(&connect), expected, "{mtu}");
        }
    }

    #[test]
    fn a_datagram_has_at_most_as_many_commands_as_enet_sends() {
        let guard = Guard::new(65_535);
        for (count, expected) in [(31, Verdict::Pass), (32, Verdict::Pass), (33, Verdict::Drop)] {
            for command in [&[0x85, 0xFF, 0, 1][..], &[0x06, 0, 0, 1, 0, 1, 7]] {
                let datagram = [&[0x80, 5, 0, 0][..], &command.repeat(count)].concat();
                assert_eq!(guard.check(&datagram), expected, "{count}");
            }
        }
    }

    #[test]
    fn commands_are_whole() {
        let guard = Guard::new(65_535);
        for (expected, datagram) in [
            (Verdict::Drop, &[0x80][..]),
            (Verdict::Pass, &[0x80, 0]),
            (Verdict::Pass, &[0x80, 0, 0, 0, 0x85, 0xFF, 0, 1]),
            (Verdict::Drop, &[0x80, 0, 0, 0, 0x85, 0xFF, 0]),
            (Verdict::Drop, &[0xC0, 0, 0, 0, 0x85, 0xFF, 0, 1]),
            (Verdict::Drop, &[0x80, 0, 0, 0, 0x8D, 0xFF, 0, 1]),
            (Verdict::Pass, &[0x80, 0, 0, 0, 0x86, 0, 0, 1, 0, 1, 7]),
            (Verdict::Drop, &[0x80, 0, 0, 0, 0x86, 0, 0, 1, 0, 2, 7]),
            (Verdict::Drop, &[0x80, 0, 0, 0, 0x86, 0, 0, 1, 0, 0]),
        ] {
            assert_eq!(guard.check(datagram), expected, "{datagram:x?}");
        }
    }
}
