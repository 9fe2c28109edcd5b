//! [`Network`]: what a program sends through a server.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use super::limits::{Allowance, ServerLimits};
use super::node::{Node, Nodes};
use super::stage::Stage;
use crate::packet::{Message, Packet};
use crate::path_cache::PathCache;
use crate::peer::{PeerId, Target};
use crate::rpc::NodeRef;
use crate::rpc_writer::{RpcWriter, WriteError};
use crate::spawn::NetId;
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
    /// The times of its last states, by synchronizer.
    pub(super) times: BTreeMap<NetId, u16>,
    /// The time of the synchronization that it was sent last.
    pub(super) sent_time: u16,
    /// The nodes that it has spawned.
    pub(super) spawned: BTreeSet<NetId>,
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
            times: BTreeMap::new(),
            sent_time: 0,
            spawned: BTreeSet::new(),
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

    /// Tells a peer the id of a path, unless it was told. Whether it knows it.
    pub(super) fn introduce(&mut self, peer: PeerId, path: &str) -> Option<bool> {
        let told = self.cache.tell(peer, path)?;
        if told.is_new {
            let checksum = self.nodes.get(path)?.table.checksum();
            let packet = Packet::new(Message::SimplifyPath(told.packet(path, checksum)));
            self.send(peer, packet.to_vec().into(), Delivery::RELIABLE);
        }
        Some(told.is_confirmed)
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

    pub(super) fn send_message(
        &mut self,
        target: Target,
        message: Message<'_>,
        delivery: Delivery,
    ) {
        self.broadcast(target, &Packet::new(message).to_vec().into(), delivery);
    }

    pub(super) fn broadcast(&mut self, target: Target, bytes: &Arc<[u8]>, delivery: Delivery) {
        for peer in self.receivers(target) {
            self.send(peer, Arc::clone(bytes), delivery);
        }
    }

    pub(super) fn send(&mut self, to: PeerId, bytes: Arc<[u8]>, delivery: Delivery) {
        self.output.push_back(Output::Send { to, bytes, delivery });
    }
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
