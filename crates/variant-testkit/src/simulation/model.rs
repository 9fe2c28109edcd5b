//! [`Model`]: a simple computation of what each peer must see. The server is compared with it.

use std::collections::{BTreeMap, BTreeSet};

use variant_multiplayer::server::{Audience, RoomId};
use variant_multiplayer::{NetId, PeerId, Target};

/// The number of a synchronizer's on-change values.
pub(super) const CHANGES: usize = 3;

/// The admitted peers, the rooms, and the spawned nodes.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub peers: BTreeSet<PeerId>,
    pub rooms: BTreeMap<RoomId, BTreeSet<PeerId>>,
    pub actors: BTreeMap<NetId, Actor>,
}

/// A spawned node.
#[derive(Debug)]
pub(super) struct Actor {
    pub name: String,
    pub spawner: String,
    pub audience: Audience,
    pub parts: Vec<Part>,
    /// The peer that has spawned the node, and its id for the node; `None` for a node of the server.
    pub owner: Option<(PeerId, NetId)>,
}

impl Actor {
    fn is_of(&self, peer: PeerId) -> bool {
        self.owner.is_some_and(|(owner, _)| owner == peer)
    }
}

/// The state of a synchronizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub id: NetId,
    /// The always-sent values.
    pub always: Vec<i64>,
    /// The on-change values.
    pub changes: [i64; CHANGES],
}

impl Model {
    pub(super) fn sees(&self, peer: PeerId, node: NetId) -> bool {
        let is_in = |actor: &Actor| match &actor.audience {
            Audience::Viewers(leader) => self.sees(peer, *leader),
            other => self.includes(other, peer),
        };
        let actor = self.actors.get(&node).filter(|actor| !actor.is_of(peer));
        self.peers.contains(&peer) && actor.is_some_and(is_in)
    }

    fn includes(&self, audience: &Audience, peer: PeerId) -> bool {
        match audience {
            Audience::Target(target) => target.includes(peer),
            Audience::Room(room) => self.rooms.get(room).is_some_and(|all| all.contains(&peer)),
            Audience::Peers(peers) => peers.contains(&peer),
            Audience::Viewers(node) => self.sees(peer, *node),
            Audience::Rule(rule) => rule(peer),
            other => panic!("{other:?}"),
        }
    }

    /// The receivers of a call, a state or bytes.
    pub(super) fn receivers(&self, audience: &Audience) -> Vec<PeerId> {
        self.peers.iter().copied().filter(|peer| self.includes(audience, *peer)).collect()
    }

    /// The nodes that a peer sees.
    pub(super) fn scene(&self, peer: PeerId) -> impl Iterator<Item = NetId> {
        self.actors.keys().copied().filter(move |node| self.sees(peer, *node))
    }

    /// The other members of the peer's rooms.
    pub(super) fn acquaintances(&self, peer: PeerId) -> BTreeSet<PeerId> {
        let rooms = self.rooms.values().filter(|room| room.contains(&peer));
        rooms.flatten().copied().filter(|other| *other != peer).collect()
    }

    /// The receivers of a relayed packet.
    pub(super) fn relayed(&self, from: PeerId, target: Target) -> Vec<PeerId> {
        let known = self.acquaintances(from).into_iter().filter(|peer| target.includes(*peer));
        known.chain((target == Target::Peer(from)).then_some(from)).collect()
    }

    /// The number of nodes that a peer has spawned. `PeerId::SERVER` is the program of the server.
    pub(super) fn nodes_of(&self, peer: PeerId) -> usize {
        let owner = |actor: &Actor| actor.owner.map_or(PeerId::SERVER, |(owner, _)| owner);
        self.actors.values().filter(|actor| owner(actor) == peer).count()
    }

    /// Removes all nodes that a peer has spawned, or only `node`.
    pub(super) fn abandon(&mut self, peer: PeerId, node: Option<NetId>) {
        let is_meant = |(owner, id)| owner == peer && node.is_none_or(|node| node == id);
        self.actors.retain(|_, actor| !actor.owner.is_some_and(is_meant));
    }

    pub(super) fn leave(&mut self, peer: PeerId) {
        self.peers.remove(&peer);
        for room in self.rooms.values_mut() {
            room.remove(&peer);
        }
    }
}
