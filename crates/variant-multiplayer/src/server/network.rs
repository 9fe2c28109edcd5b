//! [`Network`]: sends packets through a server.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use super::limits::{Allowance, OVERHEAD, Rate, ServerLimits};
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

/// The peers of a server, and methods to send to them. Handlers get a `Network` with each event. Other code gets it
/// from [`Server::network`](super::Server::network).
///
/// Outputs wait in the server until the transport takes them. An absent target is not an error, since peers may leave
/// at any time.
///
/// Bytes that a handler sends to others during an event of a peer are sent because of that peer. They count for
/// [`ServerLimits::relayed`] and [`ServerLimits::received`]. A receiver without allowance is skipped, and
/// [`Handler::refused`](super::Handler::refused) reports [`Refusal::Overload`](super::Refusal::Overload). Answers to
/// the peer itself, and bytes sent at other times, are not counted.
///
/// ```
/// use std::time::Instant;
/// use variant_multiplayer::server::{Call, CallResult, Handler, Method, Network, Node};
/// use variant_multiplayer::server::{SendError, Server, ServerOptions};
/// use variant_multiplayer::{Input, Output, PeerId, Service, Target};
///
/// struct Quiet;
///
/// impl Handler for Quiet {
///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
///         Ok(())
///     }
/// }
///
/// let mut server = Server::new(Quiet, ServerOptions::default(), []);
/// let peer = PeerId::client(77).expect("an id");
/// server.handle(Input::Connected { peer, address: None }, Instant::now());
/// let network = server.network();
/// network.add_node(Node::new("World").method("hit", Method::AUTHORITY));
/// network.rpc_with(Target::Peer(peer), "World", "hit", |call| Ok(call.int(5)))?;
/// let refused = network.rpc_with(Target::All, "World", "miss", |call| Ok(call));
/// assert!(matches!(refused, Err(SendError::UnknownMethod { .. })));
/// network.disconnect(peer);
/// let outputs: Vec<_> = std::iter::from_fn(|| server.output()).collect();
/// assert!(matches!(outputs[..], [Output::Send { .. }, Output::Send { .. }, Output::Close(_)]));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Debug)]
pub struct Network {
    pub(super) peers: BTreeMap<PeerId, Peer>,
    pub(super) cache: PathCache,
    pub(super) nodes: Nodes,
    pub(super) stage: Stage,
    /// The waiting outputs. Each has the number of the newest connection at the time when it was queued.
    output: VecDeque<(u64, Output)>,
    /// The number of connections so far.
    connections: u64,
    /// The peer that causes the current outputs; `None` if the program causes them.
    cause: Option<Cause>,
    /// The number of packets from peers so far.
    packets: u64,
    /// Peers that are being closed, and are not forgotten yet.
    pub(super) closing: Vec<PeerId>,
    /// Peers whose authentication both sides have completed, and that are not admitted yet.
    pub(super) completed: Vec<PeerId>,
}

/// The state of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The peer must authenticate itself before the deadline.
    Pending { deadline: Option<Instant> },
    /// The peer takes part.
    Admitted,
    /// The peer is being closed: the server neither receives from it nor sends to it.
    Closing { was_admitted: bool },
}

/// The server's state of a peer.
#[derive(Debug)]
pub(super) struct Peer {
    /// The number of the connection. Outputs queued before this connection are for an earlier peer of the same id.
    connection: u64,
    pub(super) standing: Standing,
    pub(super) address: Option<SocketAddr>,
    /// Whether this side has completed the authentication.
    pub(super) has_accepted: bool,
    /// Whether the peer has completed the authentication.
    pub(super) has_completed: bool,
    pub(super) packets: Allowance,
    pub(super) bytes: Allowance,
    /// Bytes sent to others because of this peer, counted for each receiver.
    pub(super) relayed: Allowance,
    /// The rate of bytes that handlers may send to one other peer because of this peer.
    pub(super) share: Allowance,
    /// Bytes that this peer relays. If a receiver's allowance is used up, the sender commits an offence only if it has
    /// relayed more than that allowance.
    pub(super) offered: Allowance,
    /// Bytes sent to this peer because of others.
    pub(super) received: Allowance,
    /// The number of the last packet that caused outputs to this peer, and their bytes.
    caused: (u64, usize),
    /// The offences that this peer may still commit.
    pub(super) patience: Allowance,
    /// The times of the last states of this peer, by the ids of the synchronizers' paths.
    pub(super) times: BTreeMap<u32, u16>,
    /// The time of the last synchronization sent to this peer.
    pub(super) sent_time: u16,
    /// The nodes that this peer has spawned.
    pub(super) spawned: BTreeSet<NetId>,
}

impl Peer {
    fn new(
        connection: u64,
        standing: Standing,
        address: Option<SocketAddr>,
        limits: &ServerLimits,
        now: Instant,
    ) -> Self {
        Self {
            connection,
            standing,
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
            times: BTreeMap::new(),
            sent_time: 0,
            spawned: BTreeSet::new(),
        }
    }

    pub(super) const fn is_admitted(&self) -> bool {
        matches!(self.standing, Standing::Admitted)
    }

    pub(super) const fn is_pending(&self) -> bool {
        matches!(self.standing, Standing::Pending { .. })
    }

    /// Whether both sides have completed the authentication, so that the peer can be admitted.
    pub(super) const fn is_complete(&self) -> bool {
        self.is_pending() && self.has_accepted && self.has_completed
    }

    pub(super) const fn is_closing(&self) -> bool {
        matches!(self.standing, Standing::Closing { .. })
    }

    /// The deadline of the authentication; `None` if the peer is admitted or being closed.
    pub(super) const fn deadline(&self) -> Option<Instant> {
        match self.standing {
            Standing::Pending { deadline } => deadline,
            _ => None,
        }
    }
}

/// The peer whose packet is being handled, as the cause of outputs.
#[derive(Debug)]
struct Cause {
    peer: PeerId,
    /// The number of the packet.
    packet: u64,
    now: Instant,
    limits: ServerLimits,
    /// The bytes sent to others, counted for each receiver.
    total: usize,
    /// The maximum number of bytes sent to one receiver.
    most: usize,
    /// Whether the allowance of a receiver was used up.
    is_over: bool,
}

impl Cause {
    /// Counts a packet. Returns false if the receiver's allowance is used up.
    fn charge(&mut self, receiver: &mut Peer, len: usize) -> bool {
        let cost = len.saturating_add(OVERHEAD);
        if !receiver.received.spend(cost, self.limits.receives(), self.now) {
            self.is_over = true;
            return false;
        }
        let (packet, before) = receiver.caused;
        let before = if packet == self.packet { before } else { 0 };
        receiver.caused = (self.packet, before.saturating_add(cost));
        self.total = self.total.saturating_add(cost);
        self.most = self.most.max(receiver.caused.1);
        true
    }
}

/// The reason why something cannot be sent. The example of [`Network`] matches on one.
#[derive(Debug)]
#[non_exhaustive]
pub enum SendError {
    /// The server has no node with this path: [`Network::add_node`].
    UnknownNode(Box<str>),
    /// The node has no remote method with this name.
    UnknownMethod {
        /// The path of the node.
        node: Box<str>,
        /// The name of the method.
        method: Box<str>,
    },
    /// The server has spawned no node with this net id.
    NotSpawned,
    /// The index of the scene is above 254.
    Scene,
    /// The name is in use by a spawned node, or engines refuse the name.
    Name(Box<str>),
    /// A spawned node's values are not in the compact form, or its argument is not one value in that form.
    Values,
    /// The arguments cannot be written.
    Arguments(WriteError),
    /// All ids are used: 2^31 paths or spawned nodes.
    NoIds,
}

impl core::fmt::Display for SendError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::UnknownNode(path) => write!(f, "the server has no node {path:?}"),
            Self::UnknownMethod { node, method } => {
                write!(f, "the server's node {node:?} has no remote method {method:?}")
            }
            Self::Scene => f.write_str("the index of a scene is 0 to 254"),
            Self::Name(name) => write!(f, "a node cannot be spawned by the name {name:?}"),
            Self::Values => f.write_str("a node cannot be spawned with these values"),
            Self::NotSpawned => f.write_str("the server has spawned no node of this net id"),
            Self::Arguments(error) => error.fmt(f),
            Self::NoIds => f.write_str("no ids are left"),
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
            connections: 0,
            cause: None,
            packets: 0,
            closing: Vec::new(),
            completed: Vec::new(),
        }
    }

    /// The admitted peers in the order of their numbers. O(peers) in all.
    pub fn peers(&self) -> impl Iterator<Item = PeerId> + '_ {
        self.peers.iter().filter(|(_, peer)| peer.is_admitted()).map(|(id, _)| *id)
    }

    /// Whether a peer is connected and admitted. O(log n).
    pub fn has_peer(&self, peer: PeerId) -> bool {
        self.peers.get(&peer).is_some_and(Peer::is_admitted)
    }

    /// Adds a node, or replaces the node with the same path. A path is not announced again when the node's methods
    /// change: clients compare methods only when an id is assigned to the path. O(methods * log methods).
    pub fn add_node(&mut self, node: Node) {
        self.nodes.insert(node);
    }

    /// Removes a node and its id; returns whether it existed. O(peers). Despawn the nodes that were spawned below it
    /// first.
    pub fn remove_node(&mut self, path: &str) -> bool {
        self.cache.forget_own(path);
        self.nodes.remove(path)
    }

    /// Gives a peer the authority over a node, as `set_multiplayer_authority` does on all sides; returns whether the
    /// node exists. The authority stays with the peer's number after the peer has left. Reset the authority in
    /// [`Handler::disconnected`](super::Handler::disconnected), since another peer may get the number.
    pub fn set_authority(&mut self, path: &str, peer: PeerId) -> bool {
        self.nodes.set_authority(path, peer)
    }

    /// Calls a method of the clients' nodes, as `rpc` and `rpc_id` do. `arguments` is a tuple, a struct, or `()`.
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

    /// [`Network::rpc`] with arguments that are written one by one. Costs the same.
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
        let receivers = self.receivers(target);
        self.call_each(receivers, node, method, write)
    }

    /// [`Network::rpc`] to some peers, such as those in a room. The arguments are written once. O(bytes + peers).
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent then.
    #[cfg(feature = "serde")]
    pub fn rpc_to<T: serde::Serialize + ?Sized>(
        &mut self,
        peers: impl IntoIterator<Item = PeerId>,
        node: &str,
        method: &str,
        arguments: &T,
    ) -> Result<(), SendError> {
        let receivers = peers.into_iter().filter(|peer| self.has_peer(*peer)).collect();
        self.call_each(receivers, node, method, |call| call.arguments(arguments))
    }

    fn call_each<F>(
        &mut self,
        receivers: Vec<PeerId>,
        node: &str,
        method: &str,
        write: F,
    ) -> Result<(), SendError>
    where
        F: for<'b, 'n> FnOnce(RpcWriter<'b, 'n>) -> Result<RpcWriter<'b, 'n>, WriteError>,
    {
        let entry = self.nodes.get(node).ok_or_else(|| SendError::UnknownNode(node.into()))?;
        let entry = Arc::clone(entry);
        let (id, method) = entry
            .named(method)
            .ok_or_else(|| SendError::UnknownMethod { node: node.into(), method: method.into() })?;
        let own = self.cache.own_id(node).ok_or(SendError::NoIds)?;
        let mut by_id = Vec::new();
        write(RpcWriter::new(NodeRef::id(own), id, &mut by_id))?.finish()?;
        let mut forms = Forms { by_id: by_id.into(), by_path: None };
        for peer in receivers {
            let is_confirmed = self.introduce(peer, node).ok_or(SendError::NoIds)?;
            let bytes = if is_confirmed { forms.by_id.clone() } else { forms.by_path(node) };
            self.send(peer, bytes, method.delivery);
        }
        Ok(())
    }

    /// Sends bytes of the program, as `send_bytes` does. Empty `bytes` are not sent. O(bytes + peers).
    pub fn send_bytes(&mut self, target: Target, bytes: &[u8], delivery: Delivery) {
        if !bytes.is_empty() {
            self.send_message(target, Message::Raw(bytes), delivery);
        }
    }

    /// Sends data to a peer that is being authenticated, as `send_auth` does. O(bytes).
    pub fn send_auth(&mut self, peer: PeerId, data: &[u8]) {
        let is_pending = self.peers.get(&peer).is_some_and(Peer::is_pending);
        if is_pending && !data.is_empty() {
            self.send_system(peer, System::Auth(data));
        }
    }

    /// Accepts a peer that is being authenticated, as `complete_auth` does. Use this for decisions that take time. The
    /// peer is admitted when it has also completed the authentication. Returns whether the peer was being
    /// authenticated. O(log n).
    pub fn accept(&mut self, id: PeerId) -> bool {
        let pending = self.peers.get_mut(&id).filter(|peer| peer.is_pending());
        let Some(peer) = pending else { return false };
        if !peer.has_accepted {
            peer.has_accepted = true;
            self.send_system(id, System::Auth(&[]));
        }
        self.complete(id);
        true
    }

    /// Marks a peer as ready to be admitted, if both sides have completed the authentication.
    pub(super) fn complete(&mut self, id: PeerId) {
        if self.peers.get(&id).is_some_and(Peer::is_complete) {
            self.completed.push(id);
        }
    }

    /// The address of a peer, if the transport reports it. O(log n).
    pub fn address(&self, peer: PeerId) -> Option<SocketAddr> {
        self.peers.get(&peer)?.address
    }

    /// Closes the connection of a peer after all packets already sent to it. From now on the server neither receives
    /// from it nor sends to it. The handler is notified as for any peer that leaves, after the current event. O(log n).
    pub fn disconnect(&mut self, id: PeerId) {
        let Some(peer) = self.peers.get_mut(&id).filter(|peer| !peer.is_closing()) else { return };
        peer.standing = Standing::Closing { was_admitted: peer.is_admitted() };
        self.closing.push(id);
        self.queue(Output::Close(id));
    }

    /// Adds a peer with a new connection.
    pub(super) fn connect(
        &mut self,
        id: PeerId,
        standing: Standing,
        address: Option<SocketAddr>,
        limits: &ServerLimits,
        now: Instant,
    ) {
        self.connections = self.connections.saturating_add(1);
        let peer = Peer::new(self.connections, standing, address, limits, now);
        self.peers.insert(id, peer);
    }

    /// Charges the following outputs to a peer, until [`Network::account`].
    pub(super) fn charge(&mut self, peer: PeerId, limits: ServerLimits, now: Instant) {
        self.packets = self.packets.wrapping_add(1);
        let packet = self.packets;
        let cause = Cause { peer, packet, now, limits, total: 0, most: 0, is_over: false };
        self.cause = Some(cause);
    }

    /// Whether the outputs that the peer caused have used up the allowance of a receiver.
    pub(super) fn is_over(&self) -> bool {
        self.cause.as_ref().is_some_and(|cause| cause.is_over)
    }

    /// Deducts the outputs that the peer caused from its allowances.
    pub(super) fn account(&mut self) {
        let Some(cause) = self.cause.take() else { return };
        let Some(peer) = self.peers.get_mut(&cause.peer) else { return };
        peer.relayed.charge(cause.total, cause.limits.relays(), cause.now);
        peer.share.charge(cause.most, cause.limits.share(), cause.now);
    }

    /// Queues an output without charging a peer.
    pub(super) fn queue(&mut self, output: Output) {
        self.output.push_back((self.connections, output));
    }

    /// The number of waiting outputs.
    pub(super) fn waiting(&self) -> usize {
        self.output.len()
    }

    /// The next output. Skips outputs for earlier connections of a peer.
    pub(super) fn next_output(&mut self) -> Option<Output> {
        loop {
            let (newest, output) = self.output.pop_front()?;
            let (Output::Send { to: id, .. } | Output::Close(id)) = output;
            if self.peers.get(&id).is_none_or(|peer| peer.connection <= newest) {
                return Some(output);
            }
        }
    }

    /// Announces the id of a path to a peer, unless that was done before. Returns whether the peer has confirmed the
    /// id.
    pub(super) fn introduce(&mut self, peer: PeerId, path: &str) -> Option<bool> {
        // Only paths of the server's nodes can be announced.
        let checksum = self.nodes.get(path)?.table.checksum();
        let told = self.cache.tell(peer, path)?;
        if told.is_new {
            let packet = Packet::new(Message::SimplifyPath(told.packet(path, checksum)));
            // The announcement is sent only once, so it does not depend on the peer's allowance.
            let (bytes, delivery) = (packet.to_vec().into(), Delivery::RELIABLE);
            self.queue(Output::Send { to: peer, bytes, delivery });
        }
        Some(told.is_confirmed)
    }

    /// The admitted peers that the target includes.
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
        let peer = self.peers.get_mut(&to).filter(|peer| !peer.is_closing());
        let Some(peer) = peer else { return };
        let cause = self.cause.as_mut().filter(|cause| cause.peer != to);
        if cause.is_none_or(|cause| cause.charge(peer, bytes.len())) {
            self.queue(Output::Send { to, bytes, delivery });
        }
    }
}

/// A call in two forms: for peers that know the id of the node, and for others.
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

/// The same call, with the node's path instead of its id. The given call was written by this side.
fn named_by_path(call: &[u8], path: &str) -> Arc<[u8]> {
    match Packet::parse(call) {
        Ok(Packet { message: Message::Rpc(mut rpc), .. }) => {
            rpc.node = NodeRef::Path(path);
            Packet::new(Message::Rpc(rpc)).to_vec().into()
        }
        _ => call.into(),
    }
}
