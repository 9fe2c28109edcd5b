//! States of synchronizers.

use std::sync::Arc;

use super::audience::Audience;
use super::network::Network;
use super::peer::Peer;
use super::send_error::SendError;
use crate::peer::PeerId;
use crate::spawn::NetId;
use crate::sync::{Delta, Sync, push_change, push_state};
use crate::transport::Delivery;

/// The maximum size of a packet of states, as in the engine.
const SYNC_SIZE: usize = 1_350;
/// The length of the id and the size before a state.
const STATE_HEAD: usize = 8;

/// A state: the synchronizer, and its values in the compact form.
type State<'s> = (NetId, &'s [u8]);

impl Network {
    /// Sets the spawn properties of a node for peers that get the node later. Those peers do not receive earlier
    /// changes of [`Network::delta`], so set the properties here. If the node has several synchronizers,
    /// [`Network::replicate`] no longer changes its spawn properties after this call. O(bytes).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn set_spawn_state(&mut self, node: NetId, state: Vec<u8>) -> Result<(), SendError> {
        self.stage.get_mut(node).map(|actor| actor.rows = vec![state]).ok_or(SendError::NotSpawned)
    }

    /// Sends states of synchronizers unreliably: all always-sent properties, in the compact form, in as many packets as
    /// needed. A peer gets only the states of nodes that it has. The times of the states are counted separately for
    /// each receiver. O(n log n + bytes sent), where n is the sum of the states, the peers, and the states that each
    /// peer gets.
    ///
    /// A receiver drops states older than its newest state. If it receives no state of a synchronizer during 32,767
    /// calls, it drops the next state as old.
    pub fn sync(&mut self, audience: impl Into<Audience>, states: &[(NetId, &[u8])]) {
        self.send_states(&audience.into(), states, |peer, _| peer.advance());
    }

    /// Sends each peer the states of the nodes that it has, with the time that `clock` returns.
    pub(super) fn send_states(
        &mut self,
        audience: &Audience,
        states: &[State<'_>],
        clock: impl Fn(&mut Peer, &[State<'_>]) -> u16,
    ) {
        let receivers = self.receivers(audience);
        let mut sent = Vec::new();
        for state in states {
            sent.extend(self.informed(state.0, &receivers).into_iter().map(|peer| (peer, state)));
        }
        // Stable sort: the states of a peer keep their order.
        sent.sort_by_key(|(peer, _)| *peer);
        let mut known = Vec::new();
        for of_peer in sent.chunk_by(|(one, _), (other, _)| one == other) {
            known.clear();
            known.extend(of_peer.iter().map(|(_, state)| **state));
            let Some((id, _)) = of_peer.first() else { continue };
            let Some(peer) = self.peers.get_mut(id) else { continue };
            for bytes in sync_packets(clock(peer, &known), &known) {
                self.send(*id, bytes.into(), Delivery::UNRELIABLE);
            }
        }
    }

    /// The receivers that have a synchronizer, in the order of their numbers. They are the viewers of the node if the
    /// node was spawned. If the id is that of a path ([`Network::synchronizer`]), they are all of `receivers`.
    fn informed(&self, synchronizer: NetId, receivers: &[PeerId]) -> Vec<PeerId> {
        if synchronizer.path_id().is_some() {
            return receivers.to_vec();
        }
        let node = self.stage.find(synchronizer).filter(|(node, _)| *node != synchronizer);
        let Some(actor) = node.and_then(|(node, _)| self.stage.get(node)) else {
            return Vec::new();
        };
        let viewers = &actor.viewers;
        if viewers.len() < receivers.len() {
            let is_receiver = |peer: &PeerId| receivers.binary_search(peer).is_ok();
            return viewers.iter().copied().filter(is_receiver).collect();
        }
        receivers.iter().copied().filter(|peer| viewers.contains(peer)).collect()
    }

    /// Sends changed properties of a synchronizer: a value in the compact form for each bit that `mask` sets. A peer
    /// gets them only if it has the node. O(bytes + peers).
    pub fn delta(
        &mut self,
        audience: impl Into<Audience>,
        synchronizer: NetId,
        mask: u64,
        values: &[u8],
    ) {
        self.send_changes(&audience.into(), synchronizer, mask, values, false);
    }

    /// Sends changed properties. `must`: whether peers get them even if their allowance is used up.
    pub(super) fn send_changes(
        &mut self,
        audience: &Audience,
        synchronizer: NetId,
        mask: u64,
        values: &[u8],
        must: bool,
    ) {
        let mut bytes = Vec::new();
        Delta::begin(&mut bytes);
        push_change(synchronizer, mask, values, &mut bytes);
        let bytes: Arc<[u8]> = bytes.into();
        let receivers = self.receivers(audience);
        for peer in self.informed(synchronizer, &receivers) {
            self.push(peer, Arc::clone(&bytes), Delivery::RELIABLE, must);
        }
    }

    /// Returns the id of a synchronizer that is part of the clients' scenes, for [`Network::sync`] and
    /// [`Network::delta`]. Also returns the peers of the audience that know the id. Announces the id to the other
    /// peers. O(peers).
    ///
    /// # Errors
    /// [`SendError::UnknownNode`], [`SendError::NoIds`].
    pub fn synchronizer(
        &mut self,
        audience: impl Into<Audience>,
        path: &str,
    ) -> Result<(NetId, Vec<PeerId>), SendError> {
        if self.nodes.get(path).is_none() {
            return Err(SendError::UnknownNode(path.into()));
        }
        let id = self.cache.own_id(path).ok_or(SendError::NoIds)?;
        let mut ready = Vec::new();
        for peer in self.receivers(&audience.into()) {
            if self.introduce(peer, path).ok_or(SendError::NoIds)? {
                ready.push(peer);
            }
        }
        Ok((NetId::of_path(id), ready))
    }
}

/// Puts states into packets of at most [`SYNC_SIZE`] bytes. A larger state has its own packet.
fn sync_packets(time: u16, states: &[State<'_>]) -> Vec<Vec<u8>> {
    let mut packets = Vec::<Vec<u8>>::new();
    for (id, values) in states {
        let len = values.len().saturating_add(STATE_HEAD);
        let has_room = |packet: &&mut Vec<u8>| packet.len().saturating_add(len) <= SYNC_SIZE;
        if let Some(packet) = packets.last_mut().filter(has_room) {
            push_state(*id, values, packet);
        } else {
            let mut packet = Vec::new();
            Sync::begin(time, &mut packet);
            push_state(*id, values, &mut packet);
            packets.push(packet);
        }
    }
    packets
}
