//! Nodes of clients that the server shows to other clients.

use std::sync::Arc;

use super::actor::{Actor, ActorSource, Owner};
use super::audience::Audience;
use super::limits::ServerLimits;
use super::network::Network;
use super::new_node::{NewNode, Spawned};
use super::peer::{Adopted, Peer};
use super::refusal::Refusal;
use super::send_error::SendError;
use super::synchronizer::Synchronizer;
use crate::peer::PeerId;
use crate::spawn::{NetId, Spawn, SpawnSource};
use crate::values::CompactValues;

impl Network {
    /// Spawns a copy of a peer's node for the other peers of an audience, as a node of the server. Call it in
    /// [`Handler::spawned`](super::Handler::spawned), after checks of the node. So the program decides how many nodes
    /// the other peers get.
    ///
    /// The server forwards the states of the node's synchronizers, and reports them to
    /// [`Handler::state`](super::Handler::state). Peers that start to see the node later get its spawn state and then
    /// its last on-change properties. The node is despawned when the peer that spawned it despawns it or leaves. That
    /// peer is never among the viewers.
    ///
    /// On clients that see the node, the server has the authority over the spawner and over the node's synchronizers.
    /// On the client that spawned the node, that client has the authority. A client also sends its nodes to the peers
    /// of its rooms, by relays. Use either relays or adoption for a node. For adoption, set the visibility of the
    /// node's synchronizers to peer 1 alone, or disable the lobby
    /// ([`ServerOptions::lobby`](super::ServerOptions::lobby)).
    ///
    /// The adopted nodes of a peer may take 1,024 net ids in a burst, and 16 ids a second after that.
    ///
    /// Costs as much as [`Network::spawn`]; a state costs as much as [`Network::sync`] and [`Network::delta`].
    ///
    /// ```
    /// use variant_multiplayer::server::{Call, CallResult, Handler, Network, RoomId};
    /// use variant_multiplayer::{PeerId, Spawn};
    ///
    /// struct Game;
    ///
    /// impl Handler for Game {
    ///     type Event = ();
    ///
    ///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
    ///         Ok(())
    ///     }
    ///
    ///     fn spawned(&mut self, from: PeerId, _: &str, spawn: &Spawn<'_>, network: &mut Network) {
    ///         if let Err(error) = network.adopt(from, spawn, RoomId::LOBBY) {
    ///             eprintln!("{from}: {error}");
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// [`SendError::NotSpawned`] if the peer does not have this node, or the server has adopted it before;
    /// [`SendError::TooLarge`] if the node exceeds [`ServerLimits::adopted`](super::ServerLimits::adopted),
    /// [`ServerLimits::all_adopted`](super::ServerLimits::all_adopted) or the rate of ids; those of [`Network::spawn`].
    pub fn adopt(
        &mut self,
        from: PeerId,
        spawn: &Spawn<'_>,
        audience: impl Into<Audience>,
    ) -> Result<Spawned, SendError> {
        let peer = self.peers.get(&from).ok_or(SendError::NotSpawned)?;
        if peer.spawned.get(&spawn.node) != Some(&None) {
            return Err(SendError::NotSpawned);
        }
        let node = copy(spawn).audience(audience);
        let size = node.size();
        if size > peer.room || size > self.room || !self.takes_ids(from, &node) {
            return Err(SendError::TooLarge);
        }
        let spawner = self.cache.path(from, spawn.spawner).ok_or(SendError::NotSpawned)?;
        let spawner: Box<str> = spawner.into();
        let ids = self.place(&spawner, node, Some(Owner { peer: from, size }))?;
        self.room = self.room.saturating_sub(size);
        if let Some(peer) = self.peers.get_mut(&from) {
            peer.room = peer.room.saturating_sub(size);
            peer.spawned.insert(spawn.node, Some(ids.node));
            let synchronizers = spawn.synchronizers.iter().zip(&ids.synchronizers);
            let adopted = synchronizers.map(|(their, id)| (their, Adopted { id: *id, time: None }));
            peer.adopted.extend(adopted);
        }
        Ok(ids)
    }

    /// Takes the net ids of a node from a peer's allowance.
    fn takes_ids(&mut self, peer: PeerId, node: &NewNode) -> bool {
        let Some(now) = self.time() else { return false };
        let ids = node.synchronizers.len().saturating_add(1);
        self.peers.get_mut(&peer).is_some_and(|peer| peer.ids.take(ids, ServerLimits::ids(), now))
    }

    /// The server's id for a synchronizer of a peer's adopted node, and the path of the spawner.
    pub(super) fn adopted(&self, from: PeerId, synchronizer: NetId) -> Option<(Arc<str>, NetId)> {
        let id = self.peers.get(&from)?.adopted.get(&synchronizer)?.id;
        let (node, _) = self.stage.find(id)?;
        Some((Arc::clone(&self.stage.get(node)?.spawner), id))
    }

    /// Forwards states of adopted nodes' synchronizers.
    pub(super) fn hand_on_states(&mut self, states: &[(NetId, &[u8])]) {
        let nodes = states.iter().filter_map(|(id, _)| self.stage.find(*id));
        let viewers: Audience = nodes.flat_map(|(node, _)| self.viewers(node)).collect();
        self.send_states(&viewers, states, Peer::time_to_hand_on);
    }

    /// Stores changes of an adopted node, and forwards them. The values are valid, one for each bit that the mask sets.
    pub(super) fn hand_on_changes(
        &mut self,
        id: NetId,
        mask: u64,
        values: CompactValues<'_>,
    ) -> Result<(), Refusal> {
        // The handler may have despawned the node.
        let Some((node, index)) = self.stage.find(id) else { return Ok(()) };
        let Some(actor) = self.stage.get_mut(node) else { return Ok(()) };
        let (Some(owner), Some(synchronizer)) =
            (&mut actor.owner, actor.synchronizers.get_mut(index))
        else {
            return Ok(());
        };
        let Some(peer) = self.peers.get_mut(&owner.peer) else { return Ok(()) };
        let (more, less) = synchronizer.growth(changes(mask, values));
        let room = peer.room.saturating_add(less).checked_sub(more);
        let all = self.room.saturating_add(less).checked_sub(more);
        (peer.room, self.room) = room.zip(all).ok_or(Refusal::TooLarge)?;
        owner.size = owner.size.saturating_add(more).saturating_sub(less);
        for (property, value) in changes(mask, values) {
            synchronizer.set(property, value);
        }
        self.send_changes(&Audience::Viewers(node), id, mask, values.bytes(), true);
        Ok(())
    }

    /// Returns the memory of a despawned adopted node to its peer's allowance.
    pub(super) fn release(&mut self, node: NetId, actor: &Actor) {
        let Some(owner) = actor.owner else { return };
        self.room = self.room.saturating_add(owner.size);
        let Some(peer) = self.peers.get_mut(&owner.peer) else { return };
        peer.room = peer.room.saturating_add(owner.size);
        let ids = actor.ids(node);
        peer.adopted.retain(|_, adopted| ids.binary_search(&adopted.id).is_err());
    }

    /// Despawns the adopted nodes of a peer that has left.
    pub(super) fn abandon(&mut self, peer: PeerId) {
        for node in self.stage.owned(peer) {
            // This cannot fail, since the node is still spawned.
            drop(self.despawn(node));
        }
    }
}

/// Converts a client's node to a node of the server.
fn copy(spawn: &Spawn<'_>) -> NewNode {
    let source = match spawn.source {
        SpawnSource::Scene(scene) => ActorSource::Scene(scene),
        SpawnSource::Function(argument) => ActorSource::Function(argument.bytes().to_vec()),
    };
    NewNode {
        synchronizers: vec![Synchronizer::default(); spawn.synchronizers.len()],
        rows: vec![spawn.state.bytes().to_vec()],
        ..NewNode::new(source, spawn.name)
    }
}

/// The changed properties, by the bits of a mask.
fn changes(mask: u64, values: CompactValues<'_>) -> impl Iterator<Item = (usize, &[u8])> {
    let properties = (0..64).filter(move |bit| mask >> bit & 1 == 1);
    properties.zip(values).filter_map(|(bit, value)| Some((bit, value.ok()?.raw_bytes().ok()?)))
}

impl NewNode {
    fn size(&self) -> usize {
        let argument = match &self.source {
            ActorSource::Scene(_) => 0,
            ActorSource::Function(argument) => argument.len(),
        };
        let rows = self.rows.iter().map(Vec::len);
        // Each synchronizer also has an entry in a map.
        let synchronizer = size_of::<Synchronizer>().saturating_add(size_of::<(NetId, Adopted)>());
        let synchronizers = self.synchronizers.iter().map(|_| synchronizer);
        let fixed = [size_of::<Actor>(), self.name.len(), argument];
        fixed.into_iter().chain(rows).chain(synchronizers).fold(0, usize::saturating_add)
    }
}
