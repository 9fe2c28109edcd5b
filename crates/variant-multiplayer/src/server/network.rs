//! [`Network`]: what a program sends through a server.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use super::limits::{Allowance, ServerLimits};
use super::node::{Node, Nodes};
use super::stage::{Actor, ActorSource, Stage};
use crate::packet::{Message, Packet};
use crate::path_cache::PathCache;
use crate::peer::{PeerId, Target};
use crate::rpc::NodeRef;
use crate::rpc_writer::{RpcWriter, WriteError};
use crate::spawn::{NetId, NetIds, Spawn, SpawnSource};
use crate::sync::{Delta, Sync, push_change, push_state};
use crate::system::System;
use crate::transport::{Delivery, Output};

/// The peers of a server, and the way to them. Handlers get it with each event; a program has it by
/// [`Server::network`](super::Server::network).
///
/// What is sent waits in the server until the transport asks for it. A target that is not there is no error, since
/// peers leave at any time.
#[derive(Debug)]
pub struct Network {
    pub(super) peers: BTreeMap<PeerId, Peer>,
    pub(super) cache: PathCache,
    pub(super) nodes: Nodes,
    pub(super) stage: Stage,
    pub(super) output: VecDeque<Output>,
}

/// What the server keeps of a peer.
#[derive(Debug)]
pub(super) struct Peer {
    /// When it must have authenticated itself; none once it is admitted.
    pub(super) deadline: Option<Instant>,
    /// Whether this side has completed the authentication.
    pub(super) has_accepted: bool,
    /// Whether the peer has.
    pub(super) has_completed: bool,
    pub(super) packets: Allowance,
    pub(super) bytes: Allowance,
    pub(super) relayed: Allowance,
    pub(super) offences: u32,
    /// The time of its last synchronization.
    pub(super) time: Option<u16>,
}

impl Peer {
    pub(super) fn new(limits: &ServerLimits, now: Instant) -> Self {
        Self {
            deadline: None,
            has_accepted: false,
            has_completed: false,
            packets: Allowance::new(limits.packets, now),
            bytes: Allowance::new(limits.bytes, now),
            relayed: Allowance::new(limits.relayed, now),
            offences: 0,
            time: None,
        }
    }

    pub(super) const fn is_admitted(&self) -> bool {
        self.deadline.is_none()
    }
}

/// Why something cannot be sent.
#[derive(Debug)]
#[non_exhaustive]
pub enum SendError {
    /// The server has no node of this path: [`Network::add_node`].
    UnknownNode,
    /// The node has no remote method of this name.
    UnknownMethod,
    /// The server has spawned no node of this net id.
    NotSpawned,
    /// The arguments cannot be written.
    Arguments(WriteError),
    /// There are no ids left: 2^31 paths or spawned nodes.
    NoIds,
}

impl core::fmt::Display for SendError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::UnknownNode => f.write_str("the server has no node of this path"),
            Self::UnknownMethod => f.write_str("the node has no remote method of this name"),
            Self::NotSpawned => f.write_str("the server has spawned no node of this net id"),
            Self::Arguments(error) => error.fmt(f),
            Self::NoIds => f.write_str("there are no ids left"),
        }
    }
}

impl core::error::Error for SendError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Arguments(error) => Some(error),
            _ => None,
        }
    }
}

impl From<WriteError> for SendError {
    fn from(error: WriteError) -> Self {
        Self::Arguments(error)
    }
}

/// The states of a synchronization fill packets of this size, as the engine's do.
const SYNC_SIZE: usize = 1_350;

impl Network {
    pub(super) fn new(cache: PathCache) -> Self {
        Self {
            peers: BTreeMap::new(),
            cache,
            nodes: Nodes::default(),
            stage: Stage::default(),
            output: VecDeque::new(),
        }
    }

    /// The admitted peers in the order of their numbers.
    pub fn peers(&self) -> impl Iterator<Item = PeerId> + '_ {
        self.peers.iter().filter(|(_, peer)| peer.is_admitted()).map(|(id, _)| *id)
    }

    /// Whether a peer is there and admitted. O(log n).
    pub fn has_peer(&self, peer: PeerId) -> bool {
        self.peers.get(&peer).is_some_and(Peer::is_admitted)
    }

    /// Adds a node, or replaces the one of its path. Paths whose methods have changed are not told anew: clients compare
    /// methods when a path gets its id.
    pub fn add_node(&mut self, node: Node) {
        self.nodes.insert(node);
    }

    /// Removes a node; whether it was there.
    pub fn remove_node(&mut self, path: &str) -> bool {
        self.nodes.remove(path)
    }

    /// Gives a peer the authority over a node, as `set_multiplayer_authority` does on all sides; whether the node is
    /// there.
    pub fn set_authority(&mut self, path: &str, peer: PeerId) -> bool {
        self.nodes.set_authority(path, peer)
    }

    /// Calls a method of the clients' nodes, as `rpc` and `rpc_id` do. `arguments`: a tuple, a struct, or `()`.
    /// O(bytes + peers).
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent then.
    #[cfg(feature = "serde")]
    pub fn rpc<T: serde::Serialize + ?Sized>(
        &mut self,
        target: Target,
        node: &str,
        method: &str,
        arguments: &T,
    ) -> Result<(), SendError> {
        self.rpc_with(target, node, method, |call| call.arguments(arguments))
    }

    /// [`Network::rpc`] with arguments that are written one by one.
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent then.
    pub fn rpc_with<F>(
        &mut self,
        target: Target,
        node: &str,
        method: &str,
        write: F,
    ) -> Result<(), SendError>
    where
        F: for<'b, 'n> FnOnce(RpcWriter<'b, 'n>) -> Result<RpcWriter<'b, 'n>, WriteError>,
    {
        let entry = Arc::clone(self.nodes.get(node).ok_or(SendError::UnknownNode)?);
        let (id, method) = entry.named(method).ok_or(SendError::UnknownMethod)?;
        let own = self.cache.own_id(node).ok_or(SendError::NoIds)?;
        let mut by_id = Vec::new();
        write(RpcWriter::new(NodeRef::id(own), id, &mut by_id))?.finish()?;
        let mut forms = Forms { by_id: by_id.into(), by_path: None };
        for peer in self.receivers(target) {
            let is_confirmed = self.introduce(peer, node).ok_or(SendError::NoIds)?;
            let bytes = if is_confirmed { forms.by_id.clone() } else { forms.by_path(node) };
            self.send(peer, bytes, method.delivery);
        }
        Ok(())
    }

    /// Sends bytes of the program, as `send_bytes` does; none are not sent. O(bytes + peers).
    pub fn send_bytes(&mut self, target: Target, bytes: &[u8], delivery: Delivery) {
        if !bytes.is_empty() {
            self.send_message(target, Message::Raw(bytes), delivery);
        }
    }

    /// Sends data to a peer that is being authenticated, as `send_auth` does. O(bytes).
    pub fn send_auth(&mut self, peer: PeerId, data: &[u8]) {
        let is_pending = self.peers.get(&peer).is_some_and(|peer| !peer.is_admitted());
        if is_pending && !data.is_empty() {
            self.send_system(peer, System::Auth(data));
        }
    }

    /// Closes the connection of a peer, behind all that was sent to it. The handler is told of it as of any other that
    /// leaves, when the current event is over.
    pub fn disconnect(&mut self, peer: PeerId) {
        if self.peers.contains_key(&peer) {
            self.output.push_back(Output::Close(peer));
        }
    }

    /// Spawns a node on all clients, those that come later included, below the spawner at `spawner`.
    ///
    /// The spawner is a node of the server ([`Network::add_node`]) and a `MultiplayerSpawner` on the clients. `authorities`:
    /// who has authority over each synchronizer of the scene, in their order. `state`: all properties that are set on
    /// spawning, in the compact form ([`to_row`](crate::to_row)). O(bytes + peers).
    ///
    /// # Errors
    /// [`SendError::UnknownNode`], [`SendError::NoIds`].
    pub fn spawn(
        &mut self,
        spawner: &str,
        scene: u8,
        name: &str,
        authorities: &[PeerId],
        state: Vec<u8>,
    ) -> Result<Spawned, SendError> {
        self.put_on_stage(spawner, ActorSource::Scene(scene), name, authorities, state)
    }

    /// Spawns a node by the spawner's own function, as `MultiplayerSpawner.spawn(argument)` does. `argument`: one value
    /// in the compact form.
    ///
    /// # Errors
    /// Those of [`Network::spawn`].
    pub fn spawn_with(
        &mut self,
        spawner: &str,
        argument: Vec<u8>,
        name: &str,
        authorities: &[PeerId],
        state: Vec<u8>,
    ) -> Result<Spawned, SendError> {
        self.put_on_stage(spawner, ActorSource::Function(argument), name, authorities, state)
    }

    fn put_on_stage(
        &mut self,
        spawner: &str,
        source: ActorSource,
        name: &str,
        authorities: &[PeerId],
        state: Vec<u8>,
    ) -> Result<Spawned, SendError> {
        let spawner = self.nodes.get(spawner).ok_or(SendError::UnknownNode)?.path.clone();
        let node = self.stage.next_id().ok_or(SendError::NoIds)?;
        let mut synchronizers = Vec::new();
        for _ in authorities {
            synchronizers.push(self.stage.next_id().ok_or(SendError::NoIds)?);
        }
        let actor = Actor {
            spawner,
            source,
            name: name.into(),
            synchronizers: synchronizers.clone(),
            state,
        };
        self.stage.insert(node, actor, authorities);
        for peer in self.receivers(Target::All) {
            self.show(peer, node).ok_or(SendError::NoIds)?;
        }
        Ok(Spawned { node, synchronizers })
    }

    /// Sets the properties that clients who come later get when a node is spawned for them. O(bytes).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn set_spawn_state(&mut self, node: NetId, state: Vec<u8>) -> Result<(), SendError> {
        self.stage.get_mut(node).map(|actor| actor.state = state).ok_or(SendError::NotSpawned)
    }

    /// Removes a spawned node from all clients. O(peers).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn despawn(&mut self, node: NetId) -> Result<(), SendError> {
        if !self.stage.remove(node) {
            return Err(SendError::NotSpawned);
        }
        self.send_message(Target::All, Message::Despawn(node), Delivery::RELIABLE);
        Ok(())
    }

    /// Sends states of synchronizers, which may be lost: all properties that are sent always, in the compact form. As
    /// many packets as are needed. O(bytes + peers).
    pub fn sync(&mut self, target: Target, states: &[(NetId, &[u8])]) {
        let mut states = states.iter().peekable();
        while states.peek().is_some() {
            let mut bytes = Vec::new();
            self.stage.time = self.stage.time.wrapping_add(1);
            Sync::begin(self.stage.time, &mut bytes);
            let head = bytes.len();
            while let Some((id, values)) = states.peek() {
                let len = bytes.len().saturating_add(values.len()).saturating_add(8);
                if len > SYNC_SIZE && bytes.len() > head {
                    break;
                }
                push_state(*id, values, &mut bytes);
                states.next();
            }
            self.broadcast(target, bytes.into(), Delivery::UNRELIABLE);
        }
    }

    /// Sends changed properties of a synchronizer: those whose bits are set in `mask`, in the compact form. O(bytes +
    /// peers).
    pub fn delta(&mut self, target: Target, synchronizer: NetId, mask: u64, values: &[u8]) {
        let mut bytes = Vec::new();
        Delta::begin(&mut bytes);
        push_change(synchronizer, mask, values, &mut bytes);
        self.broadcast(target, bytes.into(), Delivery::RELIABLE);
    }

    /// The id of a synchronizer that is part of the clients' scenes, for [`Network::sync`] and [`Network::delta`], and
    /// those of the targets who know it. Others are told of it, and know it soon. O(peers).
    ///
    /// # Errors
    /// [`SendError::UnknownNode`], [`SendError::NoIds`].
    pub fn synchronizer(
        &mut self,
        target: Target,
        path: &str,
    ) -> Result<(NetId, Vec<PeerId>), SendError> {
        if self.nodes.get(path).is_none() {
            return Err(SendError::UnknownNode);
        }
        let id = self.cache.own_id(path).ok_or(SendError::NoIds)?;
        let mut ready = Vec::new();
        for peer in self.receivers(target) {
            if self.introduce(peer, path).ok_or(SendError::NoIds)? {
                ready.push(peer);
            }
        }
        Ok((NetId::of_path(id), ready))
    }

    /// Tells a peer the id of a path, unless it was told. Whether it knows it.
    fn introduce(&mut self, peer: PeerId, path: &str) -> Option<bool> {
        let told = self.cache.tell(peer, path)?;
        if told.is_new {
            let checksum = self.nodes.get(path)?.table.checksum();
            let packet = Packet::new(Message::SimplifyPath(told.packet(path, checksum)));
            self.send(peer, packet.to_vec().into(), Delivery::RELIABLE);
        }
        Some(told.is_confirmed)
    }

    /// Shows a peer a node that was spawned.
    fn show(&mut self, peer: PeerId, node: NetId) -> Option<()> {
        let spawner = self.stage.get(node)?.spawner.clone();
        self.introduce(peer, &spawner)?;
        let id = self.cache.own_id(&spawner)?;
        let packet = self.stage.get(node)?.packet(id, node);
        self.send(peer, packet.into(), Delivery::RELIABLE);
        Some(())
    }

    /// Shows a peer all nodes that were spawned.
    pub(super) fn show_all(&mut self, peer: PeerId) {
        for node in self.stage.ids() {
            self.show(peer, node);
        }
    }

    /// The admitted peers that are meant.
    pub(super) fn receivers(&self, target: Target) -> Vec<PeerId> {
        match target {
            Target::Peer(peer) => Vec::from_iter(self.has_peer(peer).then_some(peer)),
            target => self.peers().filter(|peer| target.includes(*peer)).collect(),
        }
    }

    pub(super) fn send_system(&mut self, peer: PeerId, system: System<'_>) {
        let packet = Packet::new(Message::System(system));
        self.send(peer, packet.to_vec().into(), Delivery::RELIABLE);
    }

    fn send_message(&mut self, target: Target, message: Message<'_>, delivery: Delivery) {
        self.broadcast(target, Packet::new(message).to_vec().into(), delivery);
    }

    pub(super) fn broadcast(&mut self, target: Target, bytes: Arc<[u8]>, delivery: Delivery) {
        for peer in self.receivers(target) {
            self.send(peer, bytes.clone(), delivery);
        }
    }

    pub(super) fn send(&mut self, to: PeerId, bytes: Arc<[u8]>, delivery: Delivery) {
        self.output.push_back(Output::Send { to, bytes, delivery });
    }
}

/// The ids of a node that was spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spawned {
    /// The node.
    pub node: NetId,
    /// Its synchronizers, in the order of the scene.
    pub synchronizers: Vec<NetId>,
}

/// A call in the form for peers who know the id of the node, and in the one for others.
struct Forms {
    by_id: Arc<[u8]>,
    by_path: Option<Arc<[u8]>>,
}

impl Forms {
    fn by_path(&mut self, path: &str) -> Arc<[u8]> {
        let by_id = &self.by_id;
        self.by_path.get_or_insert_with(|| named_by_path(by_id, path)).clone()
    }
}

/// A call that this side has written, with the path of the node in place of its id.
fn named_by_path(call: &[u8], path: &str) -> Arc<[u8]> {
    match Packet::parse(call) {
        Ok(Packet { message: Message::Rpc(mut rpc), .. }) => {
            rpc.node = NodeRef::Path(path);
            Packet::new(Message::Rpc(rpc)).to_vec().into()
        }
        _ => call.into(),
    }
}

impl Actor {
    fn packet(&self, spawner: u32, node: NetId) -> Vec<u8> {
        let words: Vec<[u8; 4]> =
            self.synchronizers.iter().map(|id| id.to_wire().to_le_bytes()).collect();
        let dialect = variant_view::Dialect::Godot4;
        let source = match &self.source {
            ActorSource::Scene(scene) => SpawnSource::Scene(*scene),
            ActorSource::Function(argument) => {
                SpawnSource::Function(variant_view::CompactValues::new(argument, dialect))
            }
        };
        let spawn = Spawn {
            synchronizers: NetIds::new(&words),
            state: variant_view::CompactValues::new(&self.state, dialect),
            ..Spawn::new(source, spawner, node, &self.name)
        };
        Packet::new(Message::Spawn(spawn)).to_vec()
    }
}
