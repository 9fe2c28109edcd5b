//! [`Audience`]: the receivers of a call, a state or a spawned node.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::network::Network;
use super::room::RoomId;
use crate::peer::{PeerId, Target};
use crate::spawn::NetId;

/// The peers that receive a call, a state, bytes, or a spawned node.
///
/// Calls, states and bytes go to the admitted peers that are in the audience at the time. A spawned node keeps its
/// audience: a peer that joins the audience gets the node, a peer that leaves the audience loses the node.
///
/// A set and a target contain numbers of peers. After a peer has left, another peer may get its number, and is then in
/// the audience. Rooms forget peers that have left.
///
/// ```
/// use variant_multiplayer::server::Audience;
/// use variant_multiplayer::{PeerId, Target};
///
/// let (red, blue) = (PeerId::client(2).unwrap(), PeerId::client(3).unwrap());
/// let team: Audience = [red].into_iter().collect();
/// let others = Audience::from(Target::AllBut(red));
/// let strong = Audience::rule(move |peer| peer == blue);
/// # let _ = (team, others, strong);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Audience {
    /// The peers of a target of the engine: all, one, or all but one.
    Target(Target),
    /// The members of a room.
    Room(RoomId),
    /// A set of peers.
    Peers(Arc<BTreeSet<PeerId>>),
    /// The peers that see another spawned node. A node can have this audience only if the other node was spawned
    /// earlier.
    Viewers(NetId),
    /// The peers for which a rule is true. The server evaluates the rule of a call or a state when it is sent. The
    /// server evaluates the rule of a node when the node is spawned, when a peer is admitted, when a peer joins or
    /// leaves a room, and in [`Network::refresh`](super::Network::refresh).
    Rule(Arc<dyn Fn(PeerId) -> bool + Send + Sync>),
}

impl Audience {
    /// All admitted peers, including those that join later.
    pub const EVERYONE: Self = Self::Target(Target::All);

    /// No peers.
    pub fn nobody() -> Self {
        Self::Peers(Arc::default())
    }

    /// The peers for which `rule` is true.
    pub fn rule(rule: impl Fn(PeerId) -> bool + Send + Sync + 'static) -> Self {
        Self::Rule(Arc::new(rule))
    }
}

impl Default for Audience {
    fn default() -> Self {
        Self::EVERYONE
    }
}

impl From<Target> for Audience {
    fn from(target: Target) -> Self {
        Self::Target(target)
    }
}

impl From<PeerId> for Audience {
    fn from(peer: PeerId) -> Self {
        Self::Target(Target::Peer(peer))
    }
}

impl From<RoomId> for Audience {
    fn from(room: RoomId) -> Self {
        Self::Room(room)
    }
}

impl FromIterator<PeerId> for Audience {
    fn from_iter<I: IntoIterator<Item = PeerId>>(peers: I) -> Self {
        Self::Peers(Arc::new(peers.into_iter().collect()))
    }
}

impl fmt::Debug for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target(target) => target.fmt(f),
            Self::Room(room) => room.fmt(f),
            Self::Peers(peers) => peers.fmt(f),
            Self::Viewers(node) => f.debug_tuple("Viewers").field(node).finish(),
            Self::Rule(_) => f.write_str("Rule"),
        }
    }
}

impl Network {
    fn admitted(&self, peers: impl Iterator<Item = PeerId>) -> Vec<PeerId> {
        peers.filter(|peer| self.has_peer(*peer)).collect()
    }

    /// Whether an admitted peer is in an audience.
    pub(super) fn includes(&self, audience: &Audience, peer: PeerId) -> bool {
        match audience {
            Audience::Target(target) => target.includes(peer),
            Audience::Room(room) => self.rooms.has(peer, *room),
            Audience::Peers(peers) => peers.contains(&peer),
            Audience::Viewers(node) => self.stage.is_seen(*node, peer),
            Audience::Rule(rule) => rule(peer),
        }
    }

    /// The admitted peers of an audience, in the order of their numbers.
    pub(super) fn receivers(&self, audience: &Audience) -> Vec<PeerId> {
        match audience {
            Audience::Target(Target::Peer(peer)) => {
                Vec::from_iter(self.has_peer(*peer).then_some(*peer))
            }
            Audience::Room(room) => self.members(*room).collect(),
            Audience::Peers(peers) => self.admitted(peers.iter().copied()),
            Audience::Viewers(node) => self.admitted(self.viewers(*node)),
            rule => self.peers().filter(|peer| self.includes(rule, *peer)).collect(),
        }
    }
}
