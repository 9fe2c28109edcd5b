//! [`Network`]: the peers of a server, with methods that send to them.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits::ServerLimits;
use super::node::{Node, Nodes};
use super::peer::{Cause, Peer, Standing};
use super::room::Rooms;
use super::stage::Stage;
use super::stats::Stats;
use crate::packet::{Message, Packet};
use crate::path_cache::PathCache;
use crate::peer::PeerId;
use crate::system::System;
use crate::transport::{Delivery, Output};

/// The peers of a server, and methods to send to them. Handlers get a `Network` with each event. Other code gets it
/// from [`Server::network`](super::Server::network).
///
/// Outputs wait in the server until the transport takes them. A send to an absent peer is not an error, since peers may
/// leave at any time.
///
/// If a handler sends bytes to others during an event of a peer, that peer is the cause. The bytes count for
/// [`ServerLimits::relayed`] and [`ServerLimits::received`]. A receiver whose limit `received` is used up is skipped,
/// and [`Handler::refused`](super::Handler::refused) reports [`Refusal::Overload`](super::Refusal::Overload). Packets
/// about nodes and peers that appear or disappear are always sent, and also count for the causing peer. Answers to the
/// causing peer are not counted. Bytes that are sent outside of such events are not counted either.
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
///     type Event = ();
///
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
    pub(super) rooms: Rooms,
    /// The bytes that adopted nodes may still take.
    pub(super) room: usize,
    /// The time of the first input.
    started: Option<Instant>,
    /// The time between the first and the last input.
    now: Duration,
    /// The statistics of the peers that have left.
    pub(super) past: Stats,
    /// The waiting outputs, each with the value of `connections` at the time when it was queued.
    output: VecDeque<(u64, Output)>,
    /// The number of connections so far.
    connections: u64,
    /// The peer that causes the current outputs; `None` if the program causes them.
    cause: Option<Cause>,
    /// The number of packets from peers so far.
    packets: u64,
    /// Peers that are being closed, but not forgotten yet.
    pub(super) closing: Vec<PeerId>,
    /// Peers that are not admitted yet, although both sides have completed the authentication.
    pub(super) completed: Vec<PeerId>,
}

impl Network {
    /// A network without peers and nodes. Adopted nodes may take `room` bytes.
    pub(super) fn new(cache: PathCache, room: usize) -> Self {
        Self {
            peers: BTreeMap::new(),
            cache,
            nodes: Nodes::default(),
            stage: Stage::default(),
            rooms: Rooms::default(),
            room,
            started: None,
            now: Duration::ZERO,
            past: Stats::default(),
            output: VecDeque::new(),
            connections: 0,
            cause: None,
            packets: 0,
            closing: Vec::new(),
            completed: Vec::new(),
        }
    }

    /// The time since the first input of the server, by the clock of the transport. The time never decreases. O(1).
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// The time of the last input; `None` before the first.
    pub(super) fn time(&self) -> Option<Instant> {
        self.started?.checked_add(self.now)
    }

    /// Sets the clock. Returns whether this is the first input.
    pub(super) fn set_time(&mut self, now: Instant) -> bool {
        let is_first = self.started.is_none();
        let started = *self.started.get_or_insert(now);
        self.now = self.now.max(now.saturating_duration_since(started));
        is_first
    }

    /// The admitted peers in the order of their numbers. O(peers) in all.
    pub fn peers(&self) -> impl Iterator<Item = PeerId> + '_ {
        self.peers.iter().filter(|(_, peer)| peer.is_admitted()).map(|(id, _)| *id)
    }

    /// Whether a peer is connected and admitted. O(log n).
    pub fn has_peer(&self, peer: PeerId) -> bool {
        self.peers.get(&peer).is_some_and(Peer::is_admitted)
    }

    /// Adds a node, or replaces the node with the same path. If the node's methods change, the path is not announced
    /// again. Clients compare methods only when an id is assigned to the path. O(methods * log methods).
    pub fn add_node(&mut self, node: Node) {
        self.nodes.insert(node);
    }

    /// Removes a node and its id. Returns whether the node existed. Despawn the nodes below it first. O(peers).
    pub fn remove_node(&mut self, path: &str) -> bool {
        self.cache.forget_own(path);
        self.nodes.remove(path)
    }

    /// Gives a peer the authority over a node. Clients must call `set_multiplayer_authority` with the same number,
    /// since no packet reports the change. Returns whether the node exists. The authority belongs to the peer's number,
    /// even after the peer has left, and another peer may get the number: reset the authority in
    /// [`Handler::disconnected`](super::Handler::disconnected).
    pub fn set_authority(&mut self, path: &str, peer: PeerId) -> bool {
        self.nodes.set_authority(path, peer)
    }

    /// Sends data to a peer that is being authenticated, as `send_auth` does. O(bytes).
    pub fn send_auth(&mut self, peer: PeerId, data: &[u8]) {
        let is_pending = self.peers.get(&peer).is_some_and(Peer::is_pending);
        if is_pending && !data.is_empty() {
            self.send_system(peer, System::Auth(data));
        }
    }

    /// Accepts a peer that is being authenticated, as `complete_auth` does. Use this for decisions that take time. The
    /// peer is admitted when it has also completed the authentication. Returns whether authentication was pending.
    /// O(log n).
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

    /// Closes the connection of a peer after all packets already sent to it. The server neither receives from the peer
    /// nor sends to it any more. The handler is notified after the current event, as for any peer that leaves. O(log
    /// n).
    pub fn disconnect(&mut self, id: PeerId) {
        let Some(peer) = self.peers.get_mut(&id).filter(|peer| !peer.is_closing()) else { return };
        peer.standing = Standing::Closing { was_admitted: peer.is_admitted() };
        self.closing.push(id);
        self.queue(Output::Close(id));
    }

    /// Forgets a peer that has left.
    pub(super) fn forget(&mut self, id: PeerId) {
        let Some(peer) = self.peers.remove(&id) else { return };
        self.keep_stats(&peer.stats);
        self.cache.forget(id);
        if matches!(peer.standing, Standing::Closing { was_admitted: true }) {
            self.rooms.forget(id);
            self.stage.forget(id);
            self.abandon(id);
        }
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
        self.cause = Some(Cause::new(peer, self.packets, limits, now));
    }

    /// Whether the outputs that the peer caused have exceeded the allowance of a receiver.
    pub(super) fn is_over(&self) -> bool {
        self.cause.as_ref().is_some_and(|cause| cause.is_over)
    }

    /// Deducts, from a peer's allowances, the outputs that this peer caused.
    pub(super) fn account(&mut self) {
        let Some(cause) = self.cause.take() else { return };
        let Some(peer) = self.peers.get_mut(&cause.peer) else { return };
        peer.relayed.charge(cause.total, cause.limits.relays(), cause.now);
        peer.share.charge(cause.most, cause.limits.share(), cause.now);
    }

    /// Queues an output without charging a peer.
    pub(super) fn queue(&mut self, output: Output) {
        if let Output::Send { to, bytes, .. } = &output
            && let Some(peer) = self.peers.get_mut(to)
        {
            peer.stats.count_sent(bytes.len());
        }
        self.output.push_back((self.connections, output));
    }

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

    /// Announces the id of a path to a peer, unless it was announced before. Returns whether the peer has confirmed the
    /// id.
    pub(super) fn introduce(&mut self, peer: PeerId, path: &str) -> Option<bool> {
        // A peer that is being closed gets nothing.
        if self.peers.get(&peer).is_none_or(Peer::is_closing) {
            return Some(false);
        }
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

    /// Sends a packet about peers or nodes, even if the allowance of the receiver is used up. Later packets refer to
    /// these peers and nodes.
    pub(super) fn send_surely(&mut self, to: PeerId, message: Message<'_>) {
        self.push(to, Packet::new(message).to_vec().into(), Delivery::RELIABLE, true);
    }

    pub(super) fn send_system(&mut self, to: PeerId, system: System<'_>) {
        self.send_surely(to, Message::System(system));
    }

    /// Sends a packet, unless the allowance of the receiver is used up.
    pub(super) fn send(&mut self, to: PeerId, bytes: Arc<[u8]>, delivery: Delivery) {
        self.push(to, bytes, delivery, false);
    }

    pub(super) fn push(&mut self, to: PeerId, bytes: Arc<[u8]>, delivery: Delivery, must: bool) {
        let peer = self.peers.get_mut(&to).filter(|peer| !peer.is_closing());
        let Some(peer) = peer else { return };
        let is_sent = match &mut self.cause {
            Some(cause) if cause.peer != to => cause.charge(peer, bytes.len(), must),
            Some(cause) if must => {
                cause.charge_own(bytes.len());
                true
            }
            _ => true,
        };
        if is_sent {
            self.queue(Output::Send { to, bytes, delivery });
        } else {
            peer.stats.skipped = peer.stats.skipped.saturating_add(1);
        }
    }
}
