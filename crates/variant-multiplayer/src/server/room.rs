//! [`RoomId`]: the number of a room. Peers of one room see each other.

use std::collections::{BTreeMap, BTreeSet};

use super::network::Network;
use super::trace;
use crate::peer::{PeerId, Target};
use crate::system::System;

/// The number of a room; see [`Network::open_room`](super::Network::open_room). Numbers are not reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomId(u64);

impl RoomId {
    /// The room that admitted peers join at once, unless [`ServerOptions::lobby`](super::ServerOptions::lobby) is
    /// false.
    pub const LOBBY: Self = Self(0);
}

/// The rooms and their members. Peers of one room see each other.
#[derive(Debug)]
pub(super) struct Rooms {
    members: BTreeMap<RoomId, BTreeSet<PeerId>>,
    of_peers: BTreeMap<PeerId, BTreeSet<RoomId>>,
    /// The number of the last room.
    last: u64,
}

impl Default for Rooms {
    fn default() -> Self {
        let members = BTreeMap::from([(RoomId::LOBBY, BTreeSet::new())]);
        Self { members, of_peers: BTreeMap::new(), last: 0 }
    }
}

impl Rooms {
    pub(super) fn open(&mut self) -> RoomId {
        self.last = self.last.saturating_add(1);
        let room = RoomId(self.last);
        self.members.insert(room, BTreeSet::new());
        room
    }

    pub(super) fn close(&mut self, room: RoomId) -> bool {
        self.members.remove(&room).is_some()
    }

    /// Adds a member. Returns false if the room does not exist, or has this member.
    pub(super) fn join(&mut self, peer: PeerId, room: RoomId) -> bool {
        let is_new = self.members.get_mut(&room).is_some_and(|members| members.insert(peer));
        if is_new {
            self.of_peers.entry(peer).or_default().insert(room);
        }
        is_new
    }

    /// Removes a member. Returns whether the room had it.
    pub(super) fn leave(&mut self, peer: PeerId, room: RoomId) -> bool {
        let was_member = self.members.get_mut(&room).is_some_and(|members| members.remove(&peer));
        if let Some(rooms) = self.of_peers.get_mut(&peer).filter(|_| was_member) {
            rooms.remove(&room);
            if rooms.is_empty() {
                self.of_peers.remove(&peer);
            }
        }
        was_member
    }

    /// Removes a peer from the members of its rooms. [`Rooms::of`] still returns the rooms.
    pub(super) fn withdraw(&mut self, peer: PeerId) {
        for room in self.of_peers.get(&peer).into_iter().flatten() {
            if let Some(members) = self.members.get_mut(room) {
                members.remove(&peer);
            }
        }
    }

    /// Forgets the rooms of a peer that was withdrawn from them.
    pub(super) fn forget(&mut self, peer: PeerId) {
        self.of_peers.remove(&peer);
    }

    pub(super) fn members(&self, room: RoomId) -> impl Iterator<Item = PeerId> + '_ {
        self.members.get(&room).into_iter().flatten().copied()
    }

    pub(super) fn has(&self, peer: PeerId, room: RoomId) -> bool {
        self.members.get(&room).is_some_and(|members| members.contains(&peer))
    }

    pub(super) fn of(&self, peer: PeerId) -> impl Iterator<Item = RoomId> + '_ {
        self.of_peers.get(&peer).into_iter().flatten().copied()
    }

    /// The other peers that a peer sees: the members of its rooms.
    pub(super) fn acquaintances(&self, peer: PeerId) -> BTreeSet<PeerId> {
        let others = self.of(peer).flat_map(|room| self.members(room));
        others.filter(|other| *other != peer).collect()
    }

    /// Whether two peers share a room. O(rooms of the first * log members).
    pub(super) fn share(&self, peer: PeerId, other: PeerId) -> bool {
        self.of(peer).any(|room| self.has(other, room))
    }
}

impl Network {
    /// Opens an empty room. Peers of one room see each other (the signals `peer_connected` and `peer_disconnected`), and
    /// may send to each other through the server. A peer may be in several rooms. O(log rooms).
    ///
    /// ```
    /// use std::time::Instant;
    /// use variant_multiplayer::server::{Call, CallResult, Handler, Network, Server, ServerOptions};
    /// use variant_multiplayer::{Delivery, Input, PeerId, Service};
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
    /// let mut server = Server::new(Quiet, ServerOptions::default().lobby(false), []);
    /// let [red, blue] = [2, 3].map(|id| PeerId::client(id).expect("an id"));
    /// for peer in [red, blue] {
    ///     server.handle(Input::Connected { peer, address: None }, Instant::now());
    /// }
    /// let network = server.network();
    /// let room = network.open_room();
    /// assert!(network.join(red, room) && network.join(blue, room));
    /// network.send_bytes(room, b"hi", Delivery::RELIABLE);
    /// network.leave(red, room);
    /// assert_eq!(network.members(room).collect::<Vec<_>>(), [blue]);
    /// ```
    pub fn open_room(&mut self) -> RoomId {
        self.rooms.open()
    }

    /// Closes a room: all members leave. Returns false for a room that is not open and for the lobby, which stays open.
    /// Costs as much as [`Network::leave`] for each member.
    pub fn close_room(&mut self, room: RoomId) -> bool {
        for peer in self.rooms.members(room).collect::<Vec<_>>() {
            self.leave(peer, room);
        }
        room != RoomId::LOBBY && self.rooms.close(room)
    }

    /// Adds an admitted peer to a room. The members and the peer see each other, and the peer gets the nodes of the
    /// room. Returns false if the peer is not admitted, if the room is not open, or if the peer is a member already.
    /// O(members of the peer's rooms + spawned nodes).
    pub fn join(&mut self, peer: PeerId, room: RoomId) -> bool {
        let known = self.rooms.acquaintances(peer);
        if !self.has_peer(peer) || !self.rooms.join(peer, room) {
            return false;
        }
        trace::joined(peer, room);
        for other in self.rooms.acquaintances(peer).difference(&known) {
            self.send_system(*other, System::AddPeer(peer.get()));
            self.send_system(peer, System::AddPeer(other.get()));
        }
        self.update_peer(peer);
        true
    }

    /// Removes a peer from a room. The nodes of the room disappear for the peer. The peer and the members no longer see
    /// each other, unless they share another room. Returns whether the peer was a member. Costs as much as
    /// [`Network::join`].
    pub fn leave(&mut self, peer: PeerId, room: RoomId) -> bool {
        let known = self.rooms.acquaintances(peer);
        if !self.rooms.leave(peer, room) {
            return false;
        }
        trace::left(peer, room);
        self.update_peer(peer);
        for other in known.difference(&self.rooms.acquaintances(peer)) {
            self.send_system(*other, System::DelPeer(peer.get()));
            self.send_system(peer, System::DelPeer(other.get()));
        }
        true
    }

    /// The members of a room, in the order of their numbers, except peers that are being closed. Empty if the room is
    /// closed. O(members * log peers) in all.
    pub fn members(&self, room: RoomId) -> impl Iterator<Item = PeerId> + '_ {
        self.rooms.members(room).filter(|peer| self.has_peer(*peer))
    }

    /// The rooms of a peer, in the order in which they were opened. O(rooms of the peer) in all.
    pub fn rooms(&self, peer: PeerId) -> impl Iterator<Item = RoomId> + '_ {
        self.rooms.of(peer)
    }

    /// The receivers of a packet from a peer to a target: those members of the peer's rooms that the target includes.
    pub(super) fn relayed(&self, from: PeerId, target: Target) -> Vec<PeerId> {
        if let Target::Peer(peer) = target {
            let is_known = peer == from || self.rooms.share(from, peer);
            return Vec::from_iter(is_known.then_some(peer));
        }
        let is_meant = |peer: &PeerId| *peer != from && target.includes(*peer);
        let mut rooms = self.rooms(from);
        match (rooms.next(), rooms.next()) {
            (Some(room), None) => self.members(room).filter(is_meant).collect(),
            _ => self.rooms.acquaintances(from).into_iter().filter(is_meant).collect(),
        }
    }

    /// Announces the departure of a peer to the peers that saw it. Peers that join its rooms later do not see it.
    pub(super) fn announce_departure(&mut self, peer: PeerId) {
        for other in self.rooms.acquaintances(peer) {
            self.send_system(other, System::DelPeer(peer.get()));
        }
        self.rooms.withdraw(peer);
    }
}
