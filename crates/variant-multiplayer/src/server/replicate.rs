//! Nodes that the server spawns and synchronises on clients.

use std::collections::BTreeSet;
use std::sync::Arc;

use variant_view::{Dialect, Options};

use super::audience::Audience;
use super::network::Network;
use super::send_error::SendError;
use super::stage::{Actor, ActorSource};
use crate::packet::{Message, Packet};
use crate::path::is_node_name;
use crate::peer::PeerId;
use crate::spawn::{NetId, NetIds, Spawn, SpawnSource};
use crate::sync::{Delta, Sync, push_change, push_state};
use crate::transport::Delivery;
use crate::values::CompactValues;

/// The ids of a node that was spawned.
///
/// ```
/// use variant_multiplayer::{Target, to_row};
/// use variant_multiplayer::server::{Call, CallResult, Handler, Network, NewNode, Node};
/// use variant_multiplayer::server::{Server, ServerOptions};
///
/// struct Quiet;
///
/// impl Handler for Quiet {
///     type Event = ();
///
///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
///         Ok(())
///     }
/// }
///
/// let mut server = Server::new(Quiet, ServerOptions::default(), [Node::new("Spawner")]);
/// let network = server.network();
/// let player = network.spawn("Spawner", NewNode::scene(0, "Player").synchronizers(1).state(to_row(&(10.0, 20.0))?))?;
/// network.sync(Target::All, &[(player.synchronizers[0], &to_row(&(11.0, 20.0))?)]);
/// network.despawn(player.node)?;
/// assert!(network.despawn(player.node).is_err()); // it is gone
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spawned {
    /// The node.
    pub node: NetId,
    /// Its synchronizers, in the order of the scene.
    pub synchronizers: Vec<NetId>,
}

/// A node to spawn, for [`Network::spawn`].
///
/// ```
/// use variant_multiplayer::server::{NewNode, RoomId};
/// use variant_multiplayer::to_row;
///
/// let orc = NewNode::scene(0, "Orc").synchronizers(1).state(to_row(&(10.0, 20.0))?).audience(RoomId::LOBBY);
/// # let _ = orc;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct NewNode {
    source: ActorSource,
    name: Box<str>,
    synchronizers: usize,
    state: Vec<u8>,
    audience: Audience,
}

impl NewNode {
    /// A node of a scene, by its index in the spawner's list: 0 to 254. Everyone sees it. The name is in use
    /// while a node of the same spawner has it, whatever their audiences.
    pub fn scene(scene: u8, name: &str) -> Self {
        Self::new(ActorSource::Scene(scene), name)
    }

    /// A node that the spawner's custom function makes, as `MultiplayerSpawner.spawn(argument)` does. `argument` is one
    /// value in the compact form ([`to_row`](crate::to_row)). Everyone sees it.
    pub fn custom(argument: Vec<u8>, name: &str) -> Self {
        Self::new(ActorSource::Function(argument), name)
    }

    fn new(source: ActorSource, name: &str) -> Self {
        let (name, audience) = (name.into(), Audience::EVERYONE);
        Self { source, name, synchronizers: 0, state: Vec::new(), audience }
    }

    /// The number of synchronizers in the scene that the server has authority over. Synchronizers of clients get no id
    /// here, and are separate nodes ([`Network::add_node`], [`Node::authority`](super::Node::authority)).
    pub const fn synchronizers(mut self, synchronizers: usize) -> Self {
        self.synchronizers = synchronizers;
        self
    }

    /// The spawn properties of the server's synchronizers, in the compact form ([`to_row`](crate::to_row)).
    pub fn state(mut self, state: Vec<u8>) -> Self {
        self.state = state;
        self
    }

    /// The peers that see the node.
    pub fn audience(mut self, audience: impl Into<Audience>) -> Self {
        self.audience = audience.into();
        self
    }
}

/// The size of a packet of a synchronization, as in the engine.
const SYNC_SIZE: usize = 1_350;
/// The length of the id and the size that precede a state.
const STATE_HEAD: usize = 8;

impl Network {
    /// Spawns a node below the spawner at `spawner`, on all clients of its audience, including those that join later.
    ///
    /// The spawner is a node of the server ([`Network::add_node`]) and a `MultiplayerSpawner` on the clients. O(bytes +
    /// peers + spawned nodes).
    ///
    /// # Errors
    /// [`SendError::UnknownNode`], [`SendError::Scene`], [`SendError::Name`], [`SendError::Values`], [`SendError::NoIds`], and
    /// [`SendError::NotSpawned`] for the viewers of a node that is not spawned.
    pub fn spawn(&mut self, spawner: &str, node: NewNode) -> Result<Spawned, SendError> {
        let NewNode { source, name, synchronizers, state, audience } = node;
        let unknown = || SendError::UnknownNode(spawner.into());
        let spawner = self.nodes.get(spawner).ok_or_else(unknown)?.path.clone();
        // This number marks a custom function, so it cannot be the index of a scene.
        if matches!(source, ActorSource::Scene(0xff)) {
            return Err(SendError::Scene);
        }
        if !is_node_name(&name) || self.stage.has(&spawner, &name) {
            return Err(SendError::Name(name));
        }
        if let ActorSource::Function(argument) = &source {
            are_values(argument, Some(1)).then_some(()).ok_or(SendError::Values)?;
        }
        are_values(&state, None).then_some(()).ok_or(SendError::Values)?;
        self.can_follow(&audience, None)?;
        self.cache.own_id(&spawner).ok_or(SendError::NoIds)?;
        let node = self.stage.next_id().ok_or(SendError::NoIds)?;
        let ids = std::iter::repeat_with(|| self.stage.next_id()).take(synchronizers);
        let synchronizers: Vec<_> = ids.collect::<Option<_>>().ok_or(SendError::NoIds)?;
        let ids = Spawned { node, synchronizers: synchronizers.clone() };
        let viewers = BTreeSet::new();
        let actor = Actor { spawner, source, name, synchronizers, state, audience, viewers };
        self.stage.insert(node, actor);
        self.update_nodes(&[node]);
        Ok(ids)
    }

    /// Changes the audience of a spawned node: it appears for the peers that are new in it, and disappears for those
    /// that are no longer in it. O(peers + nodes that follow it); O(spawned nodes) if any node has the viewers of another.
    ///
    /// # Errors
    /// [`SendError::NotSpawned`], [`SendError::NotEarlier`].
    #[doc(alias = "set_visibility_for")]
    #[doc(alias = "add_visibility_filter")]
    pub fn set_audience(
        &mut self,
        node: NetId,
        audience: impl Into<Audience>,
    ) -> Result<(), SendError> {
        let audience = audience.into();
        self.can_follow(&audience, Some(node))?;
        if !self.stage.set_audience(node, audience) {
            return Err(SendError::NotSpawned);
        }
        self.update_nodes(&self.stage.with_followers(node));
        Ok(())
    }

    /// A node may have the viewers of an earlier node only: nodes appear in the order of spawning.
    fn can_follow(&self, audience: &Audience, node: Option<NetId>) -> Result<(), SendError> {
        match audience {
            Audience::Viewers(leader) if node.is_some_and(|node| *leader >= node) => {
                Err(SendError::NotEarlier)
            }
            Audience::Viewers(leader) if self.stage.get(*leader).is_none() => {
                Err(SendError::NotSpawned)
            }
            _ => Ok(()),
        }
    }

    /// Asks the rules of all audiences again ([`Audience::Rule`]). O(peers * spawned nodes).
    #[doc(alias = "update_visibility")]
    pub fn refresh(&mut self) {
        self.update_nodes(&self.stage.ids());
    }

    /// The peers that have a spawned node, in the order of their numbers. O(peers) in all.
    pub fn viewers(&self, node: NetId) -> impl Iterator<Item = PeerId> + '_ {
        self.stage.get(node).into_iter().flat_map(|actor| actor.viewers.iter().copied())
    }

    /// Sets the spawn properties of a node for peers for which it appears later. Changes that [`Network::delta`] sends are
    /// lost for peers that do not have the node, so set them here. O(bytes).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn set_spawn_state(&mut self, node: NetId, state: Vec<u8>) -> Result<(), SendError> {
        self.stage.get_mut(node).map(|actor| actor.state = state).ok_or(SendError::NotSpawned)
    }

    /// Removes a spawned node from all clients that have it. Nodes whose audience are its viewers disappear too, and stay
    /// spawned. O(peers + spawned nodes).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn despawn(&mut self, node: NetId) -> Result<(), SendError> {
        self.set_audience(node, Audience::nobody())?;
        self.stage.remove(node);
        Ok(())
    }

    /// Sends states of synchronizers unreliably: all properties that are always sent, in the compact form, in as many
    /// packets as needed. A peer gets only the states of nodes that it has. O(bytes * peers): each receiver has a separate
    /// clock.
    ///
    /// A receiver drops states older than its newest state. If it receives no state of a synchronizer during 32,767
    /// calls, it drops the next state as old.
    pub fn sync(&mut self, audience: impl Into<Audience>, states: &[(NetId, &[u8])]) {
        for id in self.receivers(&audience.into()) {
            let Some(peer) = self.peers.get_mut(&id) else { continue };
            let time = peer.sent_time.wrapping_add(1);
            let known =
                |(synchronizer, _): &&(NetId, &[u8])| self.stage.is_known(*synchronizer, id);
            let packets = sync_packets(time, states.iter().filter(known));
            if !packets.is_empty() {
                peer.sent_time = time;
            }
            for bytes in packets {
                self.send(id, bytes.into(), Delivery::UNRELIABLE);
            }
        }
    }

    /// Sends changed properties of a synchronizer: the values of the bits set in `mask`, in the compact form. A peer gets
    /// them only if it has the node. O(bytes + peers).
    pub fn delta(
        &mut self,
        audience: impl Into<Audience>,
        synchronizer: NetId,
        mask: u64,
        values: &[u8],
    ) {
        let mut bytes = Vec::new();
        Delta::begin(&mut bytes);
        push_change(synchronizer, mask, values, &mut bytes);
        let bytes: Arc<[u8]> = bytes.into();
        for peer in self.receivers(&audience.into()) {
            if self.stage.is_known(synchronizer, peer) {
                self.send(peer, Arc::clone(&bytes), Delivery::RELIABLE);
            }
        }
    }

    /// The id of a synchronizer that is part of the clients' scenes, for [`Network::sync`] and [`Network::delta`], and
    /// the peers of the audience that know the id. It is announced to the others. O(peers).
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

    /// Compares the audiences of all nodes with the nodes that a peer has. O(nodes).
    pub(super) fn update_peer(&mut self, peer: PeerId) {
        let is_admitted = self.has_peer(peer);
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for node in self.stage.ids() {
            let Some(actor) = self.stage.get(node) else { continue };
            let is_in = is_admitted && self.includes(&actor.audience, peer);
            let Some(actor) = self.stage.get_mut(node) else { continue };
            if is_in && actor.viewers.insert(peer) {
                new.push((node, peer));
            } else if !is_in && actor.viewers.remove(&peer) {
                gone.push((node, peer));
            }
        }
        self.send_views(gone, new);
    }

    /// Compares the audiences of nodes with the peers that have them. O(peers) for each node.
    fn update_nodes(&mut self, nodes: &[NetId]) {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for node in nodes {
            let Some(actor) = self.stage.get(*node) else { continue };
            let wanted: BTreeSet<_> = self.receivers(&actor.audience).into_iter().collect();
            let Some(actor) = self.stage.get_mut(*node) else { continue };
            let old = std::mem::replace(&mut actor.viewers, wanted);
            gone.extend(old.difference(&actor.viewers).map(|peer| (*node, *peer)));
            new.extend(actor.viewers.difference(&old).map(|peer| (*node, *peer)));
        }
        self.send_views(gone, new);
    }

    /// Sends the nodes that disappear, in reverse order, and those that appear, in order: a node may be below an earlier
    /// one.
    fn send_views(&mut self, gone: Vec<(NetId, PeerId)>, new: Vec<(NetId, PeerId)>) {
        for (node, peer) in gone.into_iter().rev() {
            self.send_surely(peer, Message::Despawn(node));
        }
        let mut last: Option<(NetId, Arc<[u8]>)> = None;
        for (node, peer) in new {
            let packet = match last {
                Some((id, packet)) if id == node => packet,
                _ => self.spawn_packet(node),
            };
            if !self.show(node, peer, &packet)
                && let Some(actor) = self.stage.get_mut(node)
            {
                actor.viewers.remove(&peer);
            }
            last = Some((node, packet));
        }
    }

    /// Sends a spawned node to a peer. Returns false if the node of the spawner is gone.
    fn show(&mut self, node: NetId, peer: PeerId, packet: &Arc<[u8]>) -> bool {
        let spawner = self.stage.get(node).map(|actor| Arc::clone(&actor.spawner));
        let is_known = spawner.is_some_and(|path| self.introduce(peer, &path).is_some());
        if is_known {
            self.push(peer, Arc::clone(packet), Delivery::RELIABLE, true);
        }
        is_known
    }

    fn spawn_packet(&mut self, node: NetId) -> Arc<[u8]> {
        let Some(actor) = self.stage.get(node) else { return Arc::default() };
        // Spawning has given the path an id.
        let id = self.cache.own_id(&actor.spawner).unwrap_or_default();
        actor.packet(id, node).into()
    }
}

/// Whether the program's bytes are `count` values in the compact form, and nothing after them. No limits for peers apply.
fn are_values(bytes: &[u8], count: Option<u32>) -> bool {
    let options = Options::engine(Dialect::Godot4);
    let values = match count {
        Some(count) => CompactValues::counted(bytes, options, count),
        None => CompactValues::new(bytes, options),
    };
    values.validate().is_ok_and(|sum| sum.consumed == bytes.len())
}

/// States as packets, each as long as a packet allows.
fn sync_packets<'s>(
    time: u16,
    states: impl Iterator<Item = &'s (NetId, &'s [u8])>,
) -> Vec<Vec<u8>> {
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

impl Actor {
    fn packet(&self, spawner: u32, node: NetId) -> Vec<u8> {
        let words: Vec<[u8; 4]> =
            self.synchronizers.iter().map(|id| id.to_wire().to_le_bytes()).collect();
        let dialect = Dialect::Godot4;
        let source = match &self.source {
            ActorSource::Scene(scene) => SpawnSource::Scene(*scene),
            ActorSource::Function(argument) => {
                SpawnSource::Function(CompactValues::new(argument, dialect))
            }
        };
        let spawn = Spawn {
            synchronizers: NetIds::new(&words),
            state: CompactValues::new(&self.state, dialect),
            ..Spawn::new(source, spawner, node, &self.name)
        };
        Packet::new(Message::Spawn(spawn)).to_vec()
    }
}
