//! [`Server`]: a server that unmodified Godot 4 clients join.
//!
//! The server behaves as the engine's server. It admits peers, announces them to each other, and relays their packets.
//! It confirms paths, dispatches calls, and spawns and synchronises nodes. The server has no sockets. A transport
//! passes packets to it and sends its packets: the crate's `Driver`, or a custom transport over [`Service`].
//!
//! ```
//! use std::time::Instant;
//! use variant_multiplayer::server::{Call, CallResult, Handler, Method, Network, Node, Server, ServerOptions};
//! use variant_multiplayer::{Delivery, Input, PeerId, Service, Target};
//!
//! struct Chat;
//!
//! impl Handler for Chat {
//!     type Event = ();
//!
//!     fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
//!         // The script has `@rpc("any_peer") func say(text)` and `@rpc func said(who, text)`.
//!         if call.method == "say" {
//!             let (text,): (&str,) = call.arguments.decode()?;
//!             network.rpc(Target::All, "World", "said", &(call.from.get(), text))?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let world = Node::new("World").method("say", Method::ANY_PEER).method("said", Method::AUTHORITY);
//! let mut server = Server::new(Chat, ServerOptions::default(), [world]);
//!
//! // A transport makes these calls: a client joins, and calls `say` of the node `World`.
//! let (client, now) = (PeerId::client(77).unwrap(), Instant::now());
//! server.handle(Input::Connected { peer: client, address: None }, now);
//! let call = b"\x20\x13\0\0\x80\x01\x01\x04\0\0\0\x02\0\0\0hi\0\0World\0";
//! server.handle(Input::Received { from: client, bytes: call, delivery: Delivery::RELIABLE }, now);
//! assert_eq!(std::iter::from_fn(|| server.output()).count(), 2, "the path's id, and the call");
//! ```

mod actor;
mod adopt;
mod audience;
mod calls;
mod limits;
mod network;
mod new_node;
mod node;
mod options;
mod peer;
mod receive;
mod received_state;
mod refusal;
mod replicate;
#[cfg(feature = "serde")]
mod replicated;
mod room;
mod send_error;
mod stage;
mod state;
mod stats;
mod synchronizer;
mod trace;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::path_cache::PathCache;
use crate::peer::PeerId;
use crate::spawn::{NetId, Spawn};
use crate::transport::{Delivery, Departure, Input, Output, Service};

pub use audience::Audience;
pub use limits::ServerLimits;
pub use network::Network;
pub use new_node::{NewNode, Spawned};
pub use node::{Method, Node, RpcMode};
pub use options::ServerOptions;
pub use received_state::ReceivedState;
pub use refusal::Refusal;
pub use room::RoomId;
pub use send_error::SendError;
pub use stats::Stats;

use peer::{Peer, Standing};

/// The program's reactions to the packets of peers. [`Handler::call`] has no default. By default,
/// [`Handler::authenticate`] refuses peers, and the other methods do nothing.
///
/// ```
/// use std::time::Instant;
/// use variant_multiplayer::server::{Call, CallResult, Handler, Network, Refusal, Server, ServerOptions};
/// use variant_multiplayer::{Delivery, Input, PeerId, Service};
///
/// #[derive(Default)]
/// struct Log(Vec<String>);
///
/// impl Handler for Log {
///     type Event = ();
///
///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
///         Ok(())
///     }
///
///     fn refused(&mut self, peer: PeerId, refusal: &Refusal, _: &mut Network) {
///         self.0.push(format!("{peer}: {refusal}"));
///     }
/// }
///
/// let mut server = Server::new(Log::default(), ServerOptions::default(), []);
/// let (peer, now) = (PeerId::client(77).expect("an id"), Instant::now());
/// server.handle(Input::Connected { peer, address: None }, now);
/// let bytes = b"\0\x01"; // a call without a method
/// server.handle(Input::Received { from: peer, bytes, delivery: Delivery::RELIABLE }, now);
/// assert_eq!(server.handler().0.len(), 1);
/// ```
#[expect(unused_variables, reason = "the names are for the documentation")]
pub trait Handler {
    /// A message of another task of the program, such as the answer of a database; `()` if there are none.
    type Event;

    /// A peer called a method of a node of the server, with permission. The arguments are valid.
    ///
    /// # Errors
    /// Any fault of the call, such as arguments that do not fit. The error counts as an offence of the calling peer.
    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult;

    /// A peer was admitted: the signal `peer_connected`.
    fn connected(&mut self, peer: PeerId, network: &mut Network) {}

    /// An admitted peer has disconnected: the signal `peer_disconnected`. During this call the network still has the
    /// peer's [`Network::stats`], [`Network::rooms`] and [`Network::address`]. Nodes that were adopted from the peer
    /// ([`Network::adopt`]) are despawned after this call.
    fn disconnected(&mut self, peer: PeerId, why: Departure, network: &mut Network) {}

    /// A peer has connected and must authenticate itself: the signal `peer_authenticating`. The server may send the
    /// first data, by [`Network::send_auth`].
    fn authenticating(&mut self, peer: PeerId, network: &mut Network) {}

    /// A peer that must authenticate itself has sent data, by `send_auth`. This happens only with
    /// [`ServerOptions::authentication`].
    ///
    /// The method is not called again after [`Authentication::Accept`]. The peer is admitted when it has also called
    /// `complete_auth`; then the server calls [`Handler::connected`].
    fn authenticate(&mut self, peer: PeerId, data: &[u8], network: &mut Network) -> Authentication {
        Authentication::Refuse
    }

    /// A peer that had to authenticate itself has left, was refused, or took too long: the signal
    /// `peer_authentication_failed`.
    fn authentication_failed(&mut self, peer: PeerId) {}

    /// A peer has sent raw bytes, by `send_bytes`: the signal `peer_packet`.
    fn bytes(&mut self, from: PeerId, bytes: &[u8], delivery: Delivery, network: &mut Network) {}

    /// A peer has sent the state of a synchronizer over which it has authority. The synchronizer is a node of the
    /// server, or part of an adopted node. States of other nodes that clients have spawned are not reported.
    fn state(&mut self, state: ReceivedState<'_>, network: &mut Network) {}

    /// A peer assigned an id to the path of a node whose remote methods differ from the server's. Calls may reach wrong
    /// methods. The peer was notified. Both sides continue, as engines do.
    fn methods_differ(&mut self, peer: PeerId, node: &str, network: &mut Network) {}

    /// A peer spawned a node below a spawner over which it has authority. `spawner` is the path of the spawner. Name
    /// and values are validated. [`Network::adopt`] shows the node to others.
    fn spawned(&mut self, from: PeerId, spawner: &str, spawn: &Spawn<'_>, network: &mut Network) {}

    /// A peer removed a node that it had spawned. If the server has adopted the node, it despawns the node after this call.
    fn despawned(&mut self, from: PeerId, node: NetId, network: &mut Network) {}

    /// The server has refused and dropped a packet of a peer. Use this method for logs. The rate at which a peer may
    /// send also bounds the number of these calls.
    fn refused(&mut self, peer: PeerId, refusal: &Refusal, network: &mut Network) {}

    /// Another task of the program has sent a message: [`Driver::inbox`](crate::Driver::inbox).
    fn event(&mut self, event: Self::Event, network: &mut Network) {}

    /// Called at the interval of [`ServerOptions::tick`]. `step` is the time since the last tick, or 0 at the first
    /// tick.
    fn tick(&mut self, step: Duration, network: &mut Network) {}
}

/// The result of [`Handler::call`].
pub type CallResult = Result<(), Box<dyn core::error::Error + Send + Sync>>;

/// A permitted call of a peer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call<'a> {
    /// The caller: the peer of the connection, even if the peer relays the call to all peers.
    pub from: PeerId,
    /// The path of the node.
    pub node: &'a str,
    /// The name of the method.
    pub method: &'a str,
    /// The arguments.
    pub arguments: Arguments<'a>,
    /// The delivery of the call.
    pub delivery: Delivery,
}

/// The verdict on a peer that is being authenticated.
///
/// ```
/// use variant_multiplayer::PeerId;
/// use variant_multiplayer::server::{Authentication, Call, CallResult, Handler, Network};
/// use variant_multiplayer::server::{Server, ServerOptions};
///
/// struct Guarded;
///
/// impl Handler for Guarded {
///     type Event = ();
///
///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
///         Ok(())
///     }
///
///     fn authenticate(&mut self, _: PeerId, data: &[u8], _: &mut Network) -> Authentication {
///         if data == b"ticket" { Authentication::Accept } else { Authentication::Refuse }
///     }
/// }
///
/// let mut server = Server::new(Guarded, ServerOptions::default().authentication(true), []);
/// let peer = PeerId::client(77).expect("an id");
/// let verdict = Guarded.authenticate(peer, b"ticket", server.network());
/// assert_eq!(verdict, Authentication::Accept);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// The verdict is pending: the peer must send more, or the decision takes time. [`Network::accept`] or
    /// [`Network::disconnect`] ends the wait.
    Wait,
    /// The peer is authenticated.
    Accept,
    /// The peer is refused; its connection is closed.
    Refuse,
}

/// A server of Godot 4's multiplayer over any transport; see the [module](self).
#[derive(Debug)]
pub struct Server<H> {
    handler: H,
    options: ServerOptions,
    network: Network,
    /// The time of the next tick.
    tick_at: Option<Instant>,
    /// The time of the last tick, as [`Network::now`].
    ticked: Option<Duration>,
}

impl<H: Handler> Server<H> {
    /// A server with these nodes. [`Network::add_node`] adds more at any time. Costs as much as adding the nodes.
    pub fn new(
        handler: H,
        mut options: ServerOptions,
        nodes: impl IntoIterator<Item = Node>,
    ) -> Self {
        options.tick = options.tick.filter(|every| !every.is_zero());
        let mut network =
            Network::new(PathCache::new(options.limits.paths), options.limits.all_adopted);
        for node in nodes {
            network.add_node(node);
        }
        Self { handler, options, network, tick_at: None, ticked: None }
    }

    /// The program's state.
    pub const fn handler(&self) -> &H {
        &self.handler
    }

    /// The program's state.
    pub const fn handler_mut(&mut self) -> &mut H {
        &mut self.handler
    }

    /// Returns the peers, with methods that send to them.
    pub const fn network(&mut self) -> &mut Network {
        &mut self.network
    }

    /// Returns the handler and drops the server.
    pub fn into_handler(self) -> H {
        self.handler
    }

    fn connect(&mut self, id: PeerId, address: Option<SocketAddr>, now: Instant) {
        if !id.is_client() {
            // A client with the server's number would have the authority over all nodes.
            self.network.queue(Output::Close(id));
            return;
        }
        // If the server still has a peer of this number, the transport has not reported that this peer has left. The
        // server removes this peer as lost.
        self.remove(id, Departure::Lost);
        let limits = &self.options.limits;
        let standing = if self.options.authentication {
            // The deadline is `None` if the clock overflows.
            Standing::Pending { deadline: now.checked_add(limits.authentication) }
        } else {
            Standing::Admitted
        };
        self.network.connect(id, standing, address, limits, now);
        trace::connected(id, address);
        if standing == Standing::Admitted {
            self.admit(id);
        } else {
            self.handler.authenticating(id, &mut self.network);
        }
    }

    /// Announces a peer and the other peers to each other, sends the spawned nodes to the new peer, and notifies the
    /// program.
    fn admit(&mut self, id: PeerId) {
        if let Some(peer) = self.network.peers.get_mut(&id) {
            peer.standing = Standing::Admitted;
            trace::admitted(id, peer.address);
        }
        if self.options.lobby {
            self.network.join(id, RoomId::LOBBY);
        } else {
            self.network.update_peer(id);
        }
        self.handler.connected(id, &mut self.network);
    }

    /// Forgets a peer, and notifies the other peers and the program.
    fn remove(&mut self, id: PeerId, why: Departure) {
        let Some(peer) = self.network.peers.get_mut(&id) else { return };
        let was_admitted = match peer.standing {
            Standing::Closing { was_admitted } => was_admitted,
            standing => standing == Standing::Admitted,
        };
        peer.standing = Standing::Closing { was_admitted };
        trace::gone(id, was_admitted, why, &peer.stats);
        if was_admitted {
            self.network.announce_departure(id);
            self.handler.disconnected(id, why, &mut self.network);
        } else {
            self.handler.authentication_failed(id);
        }
        self.network.forget(id);
    }

    /// Admits peers that have been accepted, and forgets peers that are being closed. The handler is notified of each,
    /// and may then accept and close more peers.
    fn settle(&mut self) {
        loop {
            if let Some(id) = self.network.completed.pop() {
                if self.network.peers.get(&id).is_some_and(Peer::is_complete) {
                    self.admit(id);
                }
            } else if let Some(id) = self.network.closing.pop() {
                let peer = self.network.peers.get(&id).filter(|peer| peer.is_closing());
                if let Some(why) = peer.map(|peer| peer.why) {
                    self.remove(id, why);
                }
            } else {
                return;
            }
        }
    }

    /// Sets the clock, and completes the program's actions since the last input.
    fn begin(&mut self, now: Instant) {
        if self.network.set_time(now) {
            // The first tick is due at once. The server has no clock. It learns the time from the first input.
            self.tick_at = self.options.tick.map(|_| now);
        }
        // The program may have closed and accepted peers since the last input. A peer that connects now is a new peer,
        // even with the same number.
        self.settle();
    }

    /// Closes peers that have not authenticated themselves in time, and calls the program's tick.
    fn pass_time(&mut self, now: Instant) {
        let is_late = |peer: &Peer| peer.deadline().is_some_and(|deadline| deadline <= now);
        let late = self.network.peers.iter().filter(|(_, peer)| is_late(peer));
        for id in late.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.network.disconnect(id);
        }
        if let Some(at) = self.tick_at.filter(|at| *at <= now) {
            // The next tick is due one interval after this tick was due or, if that time is past, one interval from
            // now.
            let after = |at: Instant| self.options.tick.and_then(|every| at.checked_add(every));
            self.tick_at = after(at).filter(|next| *next > now).or_else(|| after(now));
            let now = self.network.now();
            let step =
                self.ticked.replace(now).map_or(Duration::ZERO, |last| now.saturating_sub(last));
            self.handler.tick(step, &mut self.network);
        }
    }
}

impl<H: Handler> Service for Server<H> {
    type Event = H::Event;

    fn handle(&mut self, input: Input<'_>, now: Instant) {
        self.begin(now);
        match input {
            Input::Connected { peer, address } => self.connect(peer, address, now),
            Input::Received { from, bytes, delivery } => self.receive(from, bytes, delivery, now),
            Input::Disconnected { peer, why } => self.remove(peer, why),
            Input::Measured { peer, round_trip, waiting } => {
                self.network.measure(peer, round_trip, waiting);
            }
            Input::Tick => self.pass_time(now),
        }
        self.settle();
    }

    fn event(&mut self, event: H::Event, now: Instant) {
        self.begin(now);
        self.handler.event(event, &mut self.network);
        self.settle();
    }

    fn output(&mut self) -> Option<Output> {
        // The program may have closed peers between two events. Other peers must get the packets that report this.
        self.settle();
        self.network.next_output()
    }

    fn wake_at(&self) -> Option<Instant> {
        // Without authentication no peer has a deadline.
        let pending = self.options.authentication.then(|| self.network.peers.values());
        let deadlines = pending.into_iter().flatten().filter_map(Peer::deadline);
        deadlines.chain(self.tick_at).min()
    }
}
