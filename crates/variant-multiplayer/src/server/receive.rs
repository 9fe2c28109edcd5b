//! Handles the packets that a server receives.

use std::sync::Arc;
use std::time::Instant;

use super::limits::{OVERHEAD, Rate};
use super::node::{Entry, RpcMode};
use super::{Authentication, Call, Handler, ReceivedState, Refusal, Server, trace};
use crate::packet::{Message, Packet};
use crate::path::{ConfirmPath, SimplifyPath, is_node_name};
use crate::peer::{PeerId, Target};
use crate::rpc::Rpc;
use crate::spawn::{NetId, Spawn};
use crate::sync::{Change, Delta, Sync};
use crate::system::{Relay, System};
use crate::transport::{Delivery, Departure, Output};
use crate::values::CompactValues;

type Verdict = Result<(), Refusal>;

impl<H: Handler> Server<H> {
    /// Handles a packet. Reports a refusal to the handler, and counts it.
    pub(super) fn receive(&mut self, from: PeerId, bytes: &[u8], delivery: Delivery, now: Instant) {
        let limits = self.options.limits;
        self.network.charge(from, limits, now);
        let verdict = trace::in_packet(from, bytes, || self.take(from, bytes, delivery, now))
            .and_then(|()| if self.network.is_over() { Err(Refusal::Overload) } else { Ok(()) });
        if let Err(refusal) = verdict {
            self.refuse(from, &refusal, now);
        }
        self.network.account();
    }

    fn refuse(&mut self, from: PeerId, refusal: &Refusal, now: Instant) {
        self.handler.refused(from, refusal, &mut self.network);
        let Some(peer) = self.network.peers.get_mut(&from) else { return };
        peer.stats.refusals = peer.stats.refusals.saturating_add(1);
        if !refusal.is_offence() {
            peer.excused.count(from, refusal, now);
            return;
        }
        trace::refused(from, refusal);
        if !peer.patience.take(1, self.options.limits.patience(), now) {
            peer.why = Departure::Offences;
            self.network.disconnect(from);
        }
    }

    fn take(&mut self, from: PeerId, bytes: &[u8], delivery: Delivery, now: Instant) -> Verdict {
        let limits = self.options.limits;
        let Some(peer) = self.network.peers.get_mut(&from) else { return Ok(()) };
        if peer.is_closing() {
            return Ok(());
        }
        peer.stats.count_received(bytes.len());
        if bytes.len() > limits.packet {
            return Err(Refusal::TooLarge);
        }
        let is_in_time = peer.packets.take(1, Rate::per_second(limits.packets), now)
            && peer.bytes.take(bytes.len(), Rate::per_second(limits.bytes), now);
        if !is_in_time {
            return Err(Refusal::Flood);
        }
        if peer.relayed.is_in_debt(limits.relays(), now)
            || peer.share.is_in_debt(limits.share(), now)
        {
            return Err(Refusal::Overload);
        }
        let is_admitted = peer.is_admitted();
        let packet = Packet::parse_with(bytes, &self.options.values).map_err(Refusal::Packet)?;
        match packet.message {
            Message::System(System::Auth(data)) => self.authenticate(from, data),
            _ if !is_admitted => Err(Refusal::NotAuthenticated),
            Message::System(System::Relay(relay)) => self.relay(from, relay, delivery, now),
            message => self.message(from, message, delivery),
        }
    }

    /// Handles a message to the server.
    #[inline]
    fn message(&mut self, from: PeerId, message: Message<'_>, delivery: Delivery) -> Verdict {
        match message {
            Message::Rpc(rpc) => self.call(from, &rpc, delivery),
            Message::SimplifyPath(simplify) => self.simplify(from, &simplify),
            Message::ConfirmPath(confirm) => {
                self.confirm(from, &confirm);
                Ok(())
            }
            Message::Raw(bytes) => {
                self.handler.bytes(from, bytes, delivery, &mut self.network);
                Ok(())
            }
            Message::Spawn(spawn) => self.spawn(from, &spawn),
            Message::Despawn(node) => self.despawn(from, node),
            Message::Sync(sync) => self.sync(from, &sync),
            Message::Delta(delta) => self.delta(from, &delta),
            Message::System(_) => Err(Refusal::ServersOnly),
        }
    }

    #[inline]
    fn call(&mut self, from: PeerId, rpc: &Rpc<'_>, delivery: Delivery) -> Verdict {
        let path = self.network.cache.resolve(from, rpc.node).ok_or(Refusal::UnknownNode)?;
        let entry = self.network.nodes.get(path).ok_or(Refusal::UnknownNode)?;
        let entry = Arc::clone(entry);
        let id = rpc.method.id();
        let unknown = || Refusal::UnknownMethod { node: entry.path.clone(), id };
        let (name, method) = entry.method(id).ok_or_else(unknown)?;
        if method.mode == RpcMode::Authority && entry.authority != from {
            return Err(Refusal::NotAllowed { node: entry.path.clone() });
        }
        rpc.arguments.validate().map_err(Refusal::Packet)?;
        let call =
            Call { from, node: &entry.path, method: name, arguments: rpc.arguments, delivery };
        let refusal =
            |error| Refusal::Call { node: entry.path.clone(), method: name.into(), error };
        trace::in_call(call, |call| self.handler.call(call, &mut self.network)).map_err(refusal)
    }

    /// Confirms an id that a peer assigns to a path, if the server has a node at the path. Otherwise nothing is
    /// confirmed, as in the engine.
    fn simplify(&mut self, from: PeerId, simplify: &SimplifyPath<'_>) -> Verdict {
        let entry = self.network.nodes.get(simplify.path).ok_or(Refusal::UnknownNode)?;
        let agree = entry.table.checksum() == simplify.checksum;
        let path = entry.path.clone();
        let (older, verdict) = self.network.cache.replace(from, simplify);
        if let (Some(older), Some(peer)) = (older, self.network.peers.get_mut(&from)) {
            peer.times.remove(&older);
        }
        verdict.map_err(Refusal::Path)?;
        let answer = self.network.cache.answer(from, simplify, agree);
        let answer = Packet::new(Message::ConfirmPath(answer)).to_vec();
        self.network.send(from, answer.into(), Delivery::RELIABLE);
        if !agree {
            self.network.cache.note_difference(from, simplify.id);
            self.handler.methods_differ(from, &path, &mut self.network);
        }
        Ok(())
    }

    /// Handles a confirmation. The first confirmation of a peer shows whether the peer confirms by id or by path. A
    /// peer that confirms by path could not read the earlier answers, so they are sent again by path.
    fn confirm(&mut self, from: PeerId, confirm: &ConfirmPath<'_>) {
        let cache = &mut self.network.cache;
        let was_known = cache.confirms_paths(from);
        cache.confirm(from, confirm);
        if was_known || !cache.confirms_paths(from) {
            return;
        }
        let answers = cache.answers(from).map(|answer| Packet::new(Message::ConfirmPath(answer)));
        for answer in answers.map(|answer| answer.to_vec()).collect::<Vec<_>>() {
            self.network.send(from, answer.into(), Delivery::RELIABLE);
        }
    }

    /// Relays a packet, and handles it if the server is one of its targets.
    fn relay(
        &mut self,
        from: PeerId,
        relay: Relay<'_>,
        delivery: Delivery,
        now: Instant,
    ) -> Verdict {
        let packet = relay.parse_with(&self.options.values).map_err(Refusal::Packet)?;
        // Engines tolerate damaged values. The server does not relay them.
        packet.validate().map_err(Refusal::Packet)?;
        let target = Target::from_wire(relay.peer);
        let receivers = self.network.relayed(from, target);
        let relayed = Message::System(System::Relay(Relay::new(from.get(), relay.packet)));
        let bytes: Arc<[u8]> = Packet::new(relayed).to_vec().into();
        let verdict = self.pass_on(from, &receivers, &bytes, delivery, now);
        let is_meant = !matches!(target, Target::Peer(_)) && target.includes(PeerId::SERVER);
        if is_meant {
            self.message(from, packet.message, delivery)?;
        }
        verdict
    }

    /// Relays a packet to each receiver that has enough allowance, and charges the sender for all receivers.
    fn pass_on(
        &mut self,
        from: PeerId,
        receivers: &[PeerId],
        bytes: &Arc<[u8]>,
        delivery: Delivery,
        now: Instant,
    ) -> Verdict {
        let limits = self.options.limits;
        if self.network.waiting() > MOST_OUTPUTS {
            return Err(Refusal::Overload);
        }
        let cost = bytes.len().saturating_add(OVERHEAD);
        let Some(sender) = self.network.peers.get_mut(&from) else { return Ok(()) };
        let total = cost.saturating_mul(receivers.len());
        if !sender.relayed.take(total, limits.relays(), now) {
            return Err(Refusal::Flood);
        }
        let has_offered_little = sender.offered.take(cost, limits.receives(), now);
        let mut verdict = Ok(());
        for receiver in receivers {
            let Some(peer) = self.network.peers.get_mut(receiver) else { continue };
            if peer.received.take(cost, limits.receives(), now) {
                let (to, bytes) = (*receiver, Arc::clone(bytes));
                self.network.queue(Output::Send { to, bytes, delivery });
                continue;
            }
            peer.stats.skipped = peer.stats.skipped.saturating_add(1);
            verdict = Err(if has_offered_little { Refusal::Overload } else { Refusal::Flood });
        }
        verdict
    }

    fn authenticate(&mut self, from: PeerId, data: &[u8]) -> Verdict {
        let Some(peer) = self.network.peers.get_mut(&from) else { return Ok(()) };
        if peer.is_admitted() {
            return self.complete(from, data);
        }
        if data.is_empty() {
            peer.has_completed = true;
            self.network.complete(from);
        } else if !peer.has_accepted {
            // An accepted peer stays accepted. Later data are ignored.
            match self.handler.authenticate(from, data, &mut self.network) {
                Authentication::Wait => {}
                Authentication::Accept => {
                    self.network.accept(from);
                }
                Authentication::Refuse => {
                    self.network.disconnect(from);
                    return Err(Refusal::Authentication);
                }
            }
        }
        Ok(())
    }

    /// Answers a client that requires authentication although the server does not. The client waits for this answer.
    fn complete(&mut self, from: PeerId, data: &[u8]) -> Verdict {
        let Some(peer) = self.network.peers.get_mut(&from) else { return Ok(()) };
        if !peer.has_accepted {
            peer.has_accepted = true;
            self.network.send_system(from, System::Auth(&[]));
        }
        if data.is_empty() { Ok(()) } else { Err(Refusal::Authentication) }
    }

    fn spawn(&mut self, from: PeerId, spawn: &Spawn<'_>) -> Verdict {
        let entry = self.owned(from, spawn.spawner)?;
        spawn.validate().map_err(Refusal::Packet)?;
        let limit = self.options.limits.paths.paths;
        let Some(peer) = self.network.peers.get_mut(&from) else { return Ok(()) };
        let is_good = is_node_name(spawn.name) && !peer.spawned.contains_key(&spawn.node);
        if !is_good || peer.spawned.len() >= limit {
            return Err(Refusal::NotSpawned);
        }
        peer.spawned.insert(spawn.node, None);
        self.handler.spawned(from, &entry.path, spawn, &mut self.network);
        Ok(())
    }

    fn despawn(&mut self, from: PeerId, node: NetId) -> Verdict {
        let Some(peer) = self.network.peers.get_mut(&from) else { return Ok(()) };
        let adopted = peer.spawned.remove(&node).ok_or(Refusal::NotSpawned)?;
        self.handler.despawned(from, node, &mut self.network);
        if let Some(node) = adopted {
            // The handler may have despawned the node.
            drop(self.network.despawn(node));
        }
        Ok(())
    }

    /// The node to whose path a peer has assigned this id. An error if the peer has no authority over the node.
    fn owned(&self, from: PeerId, path_id: u32) -> Result<Arc<Entry>, Refusal> {
        let path = self.network.cache.path(from, path_id).ok_or(Refusal::UnknownNode)?;
        let entry = self.network.nodes.get(path).ok_or(Refusal::UnknownNode)?;
        if entry.authority == from {
            return Ok(Arc::clone(entry));
        }
        Err(Refusal::NotAllowed { node: entry.path.clone() })
    }

    fn sync(&mut self, from: PeerId, sync: &Sync<'_>) -> Verdict {
        let mut adopted = Vec::new();
        for state in sync.states {
            let state = state.map_err(Refusal::Packet)?;
            let Some((path, id)) = self.owned_synchronizer(from, state.synchronizer) else {
                continue;
            };
            if self.is_new(from, state.synchronizer, sync.time) {
                self.state(from, &path, id, None, state.values)?;
                if id.path_id().is_none() {
                    adopted.push((id, state.values.bytes()));
                }
            }
        }
        self.network.hand_on_states(&adopted);
        Ok(())
    }

    fn delta(&mut self, from: PeerId, delta: &Delta<'_>) -> Verdict {
        for change in delta.changes {
            let Change { synchronizer, mask, values } = change.map_err(Refusal::Packet)?;
            let Some((path, id)) = self.owned_synchronizer(from, synchronizer) else { continue };
            let count = u32::try_from(values.iter().count()).unwrap_or(u32::MAX);
            if count != mask.count_ones() {
                return Err(Refusal::Mask);
            }
            self.state(from, &path, id, Some(mask), values)?;
            if id.path_id().is_none() {
                self.network.hand_on_changes(id, mask, values)?;
            }
        }
        Ok(())
    }

    /// The path and the id of a synchronizer over which a peer has authority. `None` for other synchronizers. Their
    /// states are skipped without an offence, since nodes may appear, disappear and change authority while states are
    /// in flight.
    fn owned_synchronizer(&self, from: PeerId, synchronizer: NetId) -> Option<(Arc<str>, NetId)> {
        // A packet may have several states or changes. The program may have closed the peer while it handled an earlier
        // state or change of this packet.
        if !self.network.has_peer(from) {
            return None;
        }
        match synchronizer.path_id() {
            Some(id) => Some((Arc::clone(&self.owned(from, id).ok()?.path), synchronizer)),
            None => self.network.adopted(from, synchronizer),
        }
    }

    /// Whether a state is newer than the last state of the same synchronizer. The time of the last state is stored in
    /// `times`, by the id of the synchronizer's path, or in `adopted` for a synchronizer of an adopted node.
    fn is_new(&mut self, from: PeerId, synchronizer: NetId, time: u16) -> bool {
        let Some(peer) = self.network.peers.get_mut(&from) else { return false };
        let last = match synchronizer.path_id() {
            Some(id) => peer.times.get(&id).copied(),
            None => peer.adopted.get(&synchronizer).and_then(|adopted| adopted.time),
        };
        if last.is_some_and(|last| !is_newer(time, last)) {
            return false;
        }
        if let Some(id) = synchronizer.path_id() {
            peer.times.insert(id, time);
        } else if let Some(adopted) = peer.adopted.get_mut(&synchronizer) {
            adopted.time = Some(time);
        }
        true
    }

    fn state(
        &mut self,
        from: PeerId,
        path: &str,
        synchronizer: NetId,
        mask: Option<u64>,
        values: CompactValues<'_>,
    ) -> Verdict {
        values.validate().map_err(|error| Refusal::Packet(error.into()))?;
        let state = ReceivedState { from, synchronizer, path, mask, values };
        self.handler.state(state, &mut self.network);
        Ok(())
    }
}

/// The number of waiting outputs above which packets are not relayed. Transports take outputs after a few hundred
/// packets.
const MOST_OUTPUTS: usize = 1 << 16;

/// Whether a time is after another, on a clock that wraps. This is the rule of the engine.
const fn is_newer(time: u16, last: u16) -> bool {
    time > last || last.wrapping_sub(time) >= 32_767
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock of 16 bits wraps. In the engine's rule, a time that is earlier by 32,767 or more is newer.
    #[test]
    fn times_wrap() {
        for (time, last, expected) in [
            (0, 0, false),
            (1, 0, true),
            (0, 1, false),
            (0, u16::MAX, true),
            (u16::MAX, 0, true),
            (0, 32_766, false),
            (0, 32_767, true),
            (32_767, 65_533, false),
            (32_767, 65_534, true),
        ] {
            assert_eq!(is_newer(time, last), expected, "{time} after {last}");
        }
    }
}
