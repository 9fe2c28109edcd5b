//! [`Peer`]: the server's state of a peer, and [`Cause`]: the outputs that a peer causes.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Instant;

use super::limits::{Allowance, OVERHEAD, Rate, ServerLimits};
use super::stats::Stats;
use super::trace::Excused;
use crate::peer::PeerId;
use crate::spawn::NetId;
use crate::transport::Departure;

/// Whether a peer is admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The peer must authenticate itself before the deadline.
    Pending { deadline: Option<Instant> },
    /// The peer is admitted.
    Admitted,
    /// The peer is being closed: the server neither receives from it nor sends to it.
    Closing { was_admitted: bool },
}

#[derive(Debug)]
pub(super) struct Peer {
    /// The number of the connection. Outputs queued before this connection are for an earlier peer of the same id.
    pub(super) connection: u64,
    pub(super) standing: Standing,
    /// The reason for which the server closes the peer.
    pub(super) why: Departure,
    pub(super) address: Option<SocketAddr>,
    /// Whether this side has completed the authentication.
    pub(super) has_accepted: bool,
    /// Whether the peer has completed the authentication.
    pub(super) has_completed: bool,
    pub(super) packets: Allowance,
    pub(super) bytes: Allowance,
    /// The allowance for bytes that the server sends to other peers because of this peer's packets. The bytes count
    /// once for each receiver.
    pub(super) relayed: Allowance,
    /// The allowance for bytes that handlers send because of this peer's packets. For each event, only the bytes to one
    /// receiver count: the receiver that got the most bytes.
    pub(super) share: Allowance,
    /// The allowance for bytes that this peer relays. If the allowance of a receiver is used up, a relay by this peer
    /// is an offence only if this peer alone has relayed more than that allowance.
    pub(super) offered: Allowance,
    /// The allowance for bytes that the server sends to this peer because of other peers' packets.
    pub(super) received: Allowance,
    /// The number of the last packet that caused outputs to this peer, and the bytes of these outputs.
    caused: (u64, usize),
    /// The offences that this peer may still commit.
    pub(super) patience: Allowance,
    /// Refusals that are not offences.
    pub(super) excused: Excused,
    /// The times of the last states of this peer, by the ids of the synchronizers' paths.
    pub(super) times: BTreeMap<u32, u16>,
    /// The time of the last states sent to this peer.
    pub(super) sent_time: u16,
    /// The synchronizers whose states were forwarded with `sent_time`.
    pub(super) handed_on: BTreeSet<NetId>,
    /// The nodes that this peer has spawned. The value is the server's id of the node if the server has adopted it.
    pub(super) spawned: BTreeMap<NetId, Option<NetId>>,
    /// The synchronizers of this peer's adopted nodes, by the ids that the peer uses for them.
    pub(super) adopted: BTreeMap<NetId, Adopted>,
    /// The bytes that this peer's adopted nodes may still take.
    pub(super) room: usize,
    /// The net ids that this peer's adopted nodes may still take.
    pub(super) ids: Allowance,
    pub(super) stats: Stats,
}

impl Peer {
    pub(super) fn new(
        connection: u64,
        standing: Standing,
        address: Option<SocketAddr>,
        limits: &ServerLimits,
        now: Instant,
    ) -> Self {
        Self {
            connection,
            standing,
            why: Departure::Closed,
            address,
            has_accepted: false,
            has_completed: false,
            packets: Allowance::new(Rate::per_second(limits.packets), now),
            bytes: Allowance::new(Rate::per_second(limits.bytes), now),
            relayed: Allowance::new(limits.relays(), now),
            share: Allowance::new(limits.share(), now),
            offered: Allowance::new(limits.receives(), now),
            received: Allowance::new(limits.receives(), now),
            caused: (0, 0),
            patience: Allowance::new(limits.patience(), now),
            excused: Excused::default(),
            times: BTreeMap::new(),
            sent_time: 0,
            handed_on: BTreeSet::new(),
            spawned: BTreeMap::new(),
            adopted: BTreeMap::new(),
            room: limits.adopted,
            ids: Allowance::new(ServerLimits::ids(), now),
            stats: Stats::default(),
        }
    }

    /// The time for the next forwarded states of these synchronizers. A receiver drops a state that is not newer than
    /// the last state of the same synchronizer. States of several synchronizers may have the same time. A separate time
    /// for each packet of each client would wrap the 16 bits within seconds.
    pub(super) fn time_to_hand_on(&mut self, states: &[(NetId, &[u8])]) -> u16 {
        /// The number of synchronizers for which one time is used, unless one packet has more. Peers choose how many
        /// there are.
        const MOST: usize = 1_024;
        let is_repeated = states.iter().any(|(id, _)| self.handed_on.contains(id));
        let is_full = self.handed_on.len().saturating_add(states.len()) > MOST;
        if is_repeated || is_full || self.handed_on.is_empty() {
            self.advance();
        }
        self.handed_on.extend(states.iter().map(|(id, _)| *id));
        self.sent_time
    }

    /// The time of the next states.
    pub(super) fn advance(&mut self) -> u16 {
        self.sent_time = self.sent_time.wrapping_add(1);
        self.handed_on.clear();
        self.sent_time
    }

    pub(super) const fn is_admitted(&self) -> bool {
        matches!(self.standing, Standing::Admitted)
    }

    pub(super) const fn is_pending(&self) -> bool {
        matches!(self.standing, Standing::Pending { .. })
    }

    /// Whether both sides have completed the authentication.
    pub(super) const fn is_complete(&self) -> bool {
        self.is_pending() && self.has_accepted && self.has_completed
    }

    pub(super) const fn is_closing(&self) -> bool {
        matches!(self.standing, Standing::Closing { .. })
    }

    /// The deadline of the authentication. `None` if the peer is admitted or being closed.
    pub(super) const fn deadline(&self) -> Option<Instant> {
        match self.standing {
            Standing::Pending { deadline } => deadline,
            _ => None,
        }
    }
}

/// The server's data of a synchronizer of an adopted node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adopted {
    /// The server's id of the synchronizer.
    pub(super) id: NetId,
    /// The time of the last state.
    pub(super) time: Option<u16>,
}

/// The peer whose packet is being handled, as the cause of outputs.
#[derive(Debug)]
pub(super) struct Cause {
    pub(super) peer: PeerId,
    packet: u64,
    pub(super) now: Instant,
    pub(super) limits: ServerLimits,
    /// The bytes sent to other peers, counted for each receiver.
    pub(super) total: usize,
    /// The bytes sent to the receiver that has got the most bytes.
    pub(super) most: usize,
    /// Whether the allowance of a receiver was used up.
    pub(super) is_over: bool,
}

impl Cause {
    pub(super) const fn new(peer: PeerId, packet: u64, limits: ServerLimits, now: Instant) -> Self {
        Self { peer, packet, now, limits, total: 0, most: 0, is_over: false }
    }

    /// Counts a packet. Returns false if the receiver's allowance is used up. If `must`, the packet is always sent and
    /// counted. If such a packet exceeds the receiver's allowance, the peer that caused the packet is charged: its
    /// allowance `share` gets the maximum debt. The server then drops the packets of that peer for two seconds. So only
    /// one event of a peer in two seconds can exceed the allowances of others.
    pub(super) fn charge(&mut self, receiver: &mut Peer, len: usize, must: bool) -> bool {
        let cost = len.saturating_add(OVERHEAD);
        if !receiver.received.spend(cost, self.limits.receives(), self.now) {
            self.is_over = true;
            if !must {
                return false;
            }
            receiver.received.charge(cost, self.limits.receives(), self.now);
            self.most = usize::MAX;
        }
        let (packet, before) = receiver.caused;
        let before = if packet == self.packet { before } else { 0 };
        receiver.caused = (self.packet, before.saturating_add(cost));
        self.total = self.total.saturating_add(cost);
        self.most = self.most.max(receiver.caused.1);
        true
    }

    /// Counts a packet about peers or nodes that is sent to the causing peer.
    pub(super) fn charge_own(&mut self, len: usize) {
        self.total = self.total.saturating_add(len.saturating_add(OVERHEAD));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other peers choose how many synchronizers there are.
    #[test]
    fn forwarded_synchronizers_are_limited() {
        let (limits, now) = (ServerLimits::DEFAULT, Instant::now());
        let mut peer = Peer::new(1, Standing::Admitted, None, &limits, now);
        let mut times = BTreeSet::new();
        for first in (0..6_000).step_by(600) {
            let states: Vec<_> = (first..first + 600).map(|id| (NetId::new(id), &[][..])).collect();
            times.insert(peer.time_to_hand_on(&states));
            assert!(peer.handed_on.len() <= 1_024);
        }
        assert_eq!(times.len(), 10);
        for id in 6_000..8_000 {
            times.insert(peer.time_to_hand_on(&[(NetId::new(id), &[])]));
            assert!(peer.handed_on.len() <= 1_024);
        }
        assert_eq!(times.len(), 12);
        // Exactly the maximum has one time.
        peer.advance();
        let [first, second] = [8_000, 8_512].map(|start| {
            let states: Vec<_> = (start..start + 512).map(|id| (NetId::new(id), &[][..])).collect();
            peer.time_to_hand_on(&states)
        });
        assert_eq!((second, peer.handed_on.len()), (first, 1_024));
    }
}
