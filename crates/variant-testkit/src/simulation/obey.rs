//! The actions of the server's program: [`World::obey`].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use variant_multiplayer::server::{Audience, Network, NewNode, RoomId, SendError};
use variant_multiplayer::{Delivery, NetId, PeerId, Spawn, Target, to_row};

use super::action::{CLIENTS, Command, client};
use super::client::Word;
use super::model::{Actor, CHANGES, Part};
use super::setup::{CALLS, EXTRA, SLOTS, SPAWNER, WORLD, extra};
use super::world::World;

/// The maximum number of rooms and of nodes that exist at the same time.
const ROOMS: usize = 5;
const NODES: usize = 8;

impl World {
    /// Executes a command, and records its consequences in the model.
    pub(super) fn obey(&mut self, command: Command, network: &mut Network) {
        match command {
            Command::Open if self.model.rooms.len() < ROOMS => {
                let room = network.open_room();
                assert!(self.model.rooms.insert(room, BTreeSet::new()).is_none(), "{room:?}");
            }
            Command::Close { room } => {
                let Some(room) = self.room(room) else { return };
                assert_eq!(network.close_room(room), room != RoomId::LOBBY);
                self.model.rooms.remove(&room);
                self.model.rooms.entry(RoomId::LOBBY).or_default();
            }
            Command::Join { peer, room } => {
                let (peer, Some(room)) = (client(peer), self.room(room)) else { return };
                let joins = network.join(peer, room);
                let is_new = self.model.peers.contains(&peer)
                    && self.model.rooms.entry(room).or_default().insert(peer);
                assert_eq!(joins, is_new, "{peer} joins {room:?}");
            }
            Command::Leave { peer, room } => {
                let (peer, Some(room)) = (client(peer), self.room(room)) else { return };
                let was_member = self.model.rooms.entry(room).or_default().remove(&peer);
                let left = network.leave(peer, room);
                assert!(left == was_member || !self.model.peers.contains(&peer), "{peer} leaves");
            }
            Command::Spawn { audience } if self.model.nodes_of(PeerId::SERVER) < NODES => {
                self.spawn(audience, network);
            }
            Command::Despawn { node } => {
                let Some(node) = self.node(node) else { return };
                network.despawn(node).expect("a spawned node");
                self.model.actors.remove(&node);
                assert!(network.despawn(node).is_err(), "it is gone");
            }
            Command::Show { node, audience } => self.show(node, audience, network),
            Command::Change { node, mask } => self.change(node, mask, network),
            Command::Sync { audience } => {
                let audience = self.audience(audience);
                self.sync(&audience, network);
            }
            Command::Call { audience, method } => self.call_clients(audience, method, network),
            Command::Bytes { audience } => {
                let audience = self.audience(audience);
                let bytes = self.number().to_le_bytes();
                self.owe(self.model.receivers(&audience), &Word::Bytes(bytes.to_vec()));
                network.send_bytes(audience, &bytes, Delivery::UNRELIABLE);
            }
            Command::Refresh { least } => {
                self.least.store(i32::from(least % (CLIENTS + 1)) + 2, Ordering::Relaxed);
                network.refresh();
            }
            Command::Kick { peer } => self.kick(client(peer), network),
            Command::Accept { peer } => self.accept_peer(client(peer), network),
            Command::Grant { slot, peer } => {
                let (slot, peer) = (usize::from(slot) % SLOTS.len(), client(peer));
                let owner = self.model.peers.contains(&peer).then_some(peer);
                self.slots[slot] = owner;
                assert!(network.set_authority(SLOTS[slot], owner.unwrap_or(PeerId::SERVER)));
            }
            Command::Replace if self.lacks_extra => {
                network.add_node(extra());
                self.lacks_extra = false;
            }
            Command::Replace => {
                assert!(network.remove_node(EXTRA));
                self.lacks_extra = true;
            }
            Command::Open | Command::Spawn { .. } => {}
        }
    }

    fn number(&mut self) -> i64 {
        self.last += 1;
        self.last
    }

    fn room(&self, which: u8) -> Option<RoomId> {
        self.model.rooms.keys().nth(usize::from(which) % self.model.rooms.len().max(1)).copied()
    }

    fn node(&self, which: u8) -> Option<NetId> {
        self.model.actors.keys().nth(usize::from(which) % self.model.actors.len().max(1)).copied()
    }

    fn audience(&self, which: u8) -> Audience {
        let rest = which / 8;
        match (which % 8, self.room(rest), self.node(rest)) {
            (2 | 3, Some(room), _) => room.into(),
            (4, _, Some(node)) => Audience::Viewers(node),
            (5, ..) => (0..CLIENTS).filter(|at| rest >> at & 1 != 0).map(client).collect(),
            (6, ..) => Target::AllBut(client(rest)).into(),
            (7, ..) if rest.is_multiple_of(2) => client(rest / 2).into(),
            (7, ..) => {
                let least = Arc::clone(&self.least);
                Audience::rule(move |peer| peer.get() >= least.load(Ordering::Relaxed))
            }
            _ => Audience::EVERYONE,
        }
    }

    fn spawn(&mut self, which: u8, network: &mut Network) {
        let audience = self.audience(which);
        let number = self.number();
        let name = format!("Node{number}");
        // Some nodes have no synchronizer. Some have states that fill half of a packet.
        let len = if number % 5 == 0 { 80 } else { 1 };
        let count = usize::try_from(number % 3).expect("a count");
        let new = if number % 4 == 0 {
            NewNode::custom(to_row(&(number,)).expect("a number"), &name)
        } else {
            NewNode::scene(0, &name)
        };
        let mut parts = vec![(vec![number << 40; len], [number; CHANGES]); count];
        for (number, (_, changes)) in (0..).zip(&mut parts) {
            changes[0] = number;
        }
        let state = to_row(&parts.iter().flat_map(|(a, b)| a.iter().chain(b)).collect::<Vec<_>>());
        let new =
            new.synchronizers(count).state(state.expect("numbers")).audience(audience.clone());
        let spawned = network.spawn(SPAWNER, new.clone()).expect("a node");
        assert!(matches!(network.spawn(SPAWNER, new), Err(SendError::Name(_))), "its name is used");
        for id in spawned.synchronizers.iter().chain([&spawned.node]) {
            assert!(self.ids.insert(*id), "{id:?} is used again");
        }
        let part = |(id, (always, changes))| Part { id, always, changes };
        let parts = spawned.synchronizers.into_iter().zip(parts).map(part).collect();
        self.model.actors.insert(
            spawned.node,
            Actor { name, spawner: SPAWNER.to_owned(), audience, parts, owner: None },
        );
    }

    /// Adopts a node of a peer.
    pub(super) fn adopt(
        &mut self,
        from: PeerId,
        spawner: &str,
        spawn: &Spawn<'_>,
        network: &mut Network,
    ) {
        let which = spawn.node.to_wire().to_le_bytes()[0].wrapping_mul(37);
        let audience = self.audience(which);
        let (name, spawner) = (spawn.name.to_owned(), spawner.to_owned());
        let mut actors = self.model.actors.values();
        let is_used = actors.any(|actor| (&actor.name, &actor.spawner) == (&name, &spawner));
        let adopted = match network.adopt(from, spawn, audience.clone()) {
            Err(SendError::Name(_)) if is_used => return,
            Err(SendError::TooLarge)
                if self.model.nodes_of(from) > 40 || self.ids.len() > 1_000 =>
            {
                return;
            }
            other => other.expect("a few small nodes have room"),
        };
        assert!(!is_used && network.adopt(from, spawn, audience.clone()).is_err());
        assert!(self.ids.insert(adopted.node), "{adopted:?} is used again");
        let (parts, owner) = (Vec::new(), Some((from, spawn.node)));
        self.model.actors.insert(adopted.node, Actor { name, spawner, audience, parts, owner });
    }

    fn show(&mut self, node: u8, audience: u8, network: &mut Network) {
        let (Some(node), audience) = (self.node(node), self.audience(audience)) else { return };
        let is_later = matches!(audience, Audience::Viewers(leader) if leader >= node);
        let set = network.set_audience(node, audience.clone());
        assert_eq!(set.is_err(), is_later, "a node follows an earlier one");
        if let Some(actor) = self.model.actors.get_mut(&node).filter(|_| !is_later) {
            actor.audience = audience;
        }
    }

    fn change(&mut self, node: u8, mask: u8, network: &mut Network) {
        let Some(node) = self.node(node) else { return };
        let number = self.number();
        let actor = self.model.actors.get_mut(&node).expect("a node");
        let Some(part) = actor.parts.get_mut(usize::from(mask) % 2) else { return };
        let mask = u64::from(mask / 2 % 8);
        let mut values = Vec::new();
        for (bit, value) in part.changes.iter_mut().enumerate() {
            if mask >> bit & 1 != 0 {
                *value = number << bit;
                values.push(*value);
            }
        }
        let (id, row) = (part.id, to_row(&values).expect("numbers"));
        network.delta(Target::All, id, mask, &row);
        network.set_spawn_state(node, self.spawn_state(node)).expect("a node");
        let viewers: Vec<_> = self.viewers(node).collect();
        self.owe(viewers, &Word::Change(id, mask, values));
    }

    fn viewers(&self, node: NetId) -> impl Iterator<Item = PeerId> {
        self.model.peers.iter().copied().filter(move |peer| self.model.sees(*peer, node))
    }

    fn spawn_state(&self, node: NetId) -> Vec<u8> {
        let parts = self.model.actors.get(&node).into_iter().flat_map(|actor| &actor.parts);
        let values = parts.flat_map(|part| part.always.iter().chain(&part.changes));
        to_row(&values.collect::<Vec<_>>()).expect("numbers")
    }

    /// Changes the always-sent values, and sends them. Peers that join later do not get these values.
    pub(super) fn sync(&mut self, audience: &Audience, network: &mut Network) {
        let number = self.number();
        let mut rows = Vec::new();
        let receivers = self.model.receivers(audience);
        let nodes: Vec<_> = self.model.actors.keys().copied().collect();
        for node in nodes {
            let viewers: Vec<_> =
                receivers.iter().copied().filter(|peer| self.model.sees(*peer, node)).collect();
            let actor = self.model.actors.get_mut(&node).expect("a node");
            for part in &mut actor.parts {
                part.always.fill(number << 40);
                rows.push((part.id, part.always.clone()));
            }
            for part in actor.parts.clone() {
                self.owe(viewers.iter().copied(), &Word::State(part.id, part.always));
            }
        }
        let rows: Vec<_> =
            rows.iter().map(|(id, row)| (*id, to_row(row).expect("numbers"))).collect();
        let states: Vec<_> = rows.iter().map(|(id, row)| (*id, &**row)).collect();
        network.sync(audience.clone(), &states);
    }

    /// Sends the on-change values again to a peer that may have missed some.
    pub(super) fn repeat(&mut self, peer: PeerId, network: &mut Network) {
        let seen: Vec<_> = self.model.scene(peer).collect();
        for node in seen {
            let actor = self.model.actors.get(&node).expect("a node");
            for part in actor.parts.clone() {
                let row = to_row(&part.changes).expect("numbers");
                network.delta(peer, part.id, 7, &row);
                self.owe([peer], &Word::Change(part.id, 7, part.changes.to_vec()));
            }
        }
    }

    fn call_clients(&mut self, audience: u8, method: u8, network: &mut Network) {
        let audience = self.audience(audience);
        let (name, _) = CALLS[usize::from(method) % CALLS.len()];
        let path = if method & 0x80 == 0 { WORLD } else { EXTRA };
        let token = self.number();
        let called = network.rpc(audience.clone(), path, name, &(token,));
        if path == EXTRA && self.lacks_extra {
            assert!(matches!(called, Err(SendError::UnknownNode(_))), "{called:?}");
        } else {
            called.expect("a method");
            let receivers = self.model.receivers(&audience);
            self.owe(receivers, &Word::Call(path.to_owned(), name.to_owned(), token));
        }
    }

    fn kick(&mut self, peer: PeerId, network: &mut Network) {
        network.disconnect(peer);
        if let Some(guest) = self.guests.get_mut(&peer) {
            guest.is_leaving = true;
            self.model.leave(peer);
        }
    }

    fn accept_peer(&mut self, peer: PeerId, network: &mut Network) {
        let accepts = network.accept(peer);
        let guest = self.guests.get_mut(&peer);
        let guest = guest.filter(|guest| !guest.is_admitted && !guest.is_leaving);
        let Some(guest) = guest else {
            assert!(!accepts, "{peer} is accepted");
            return;
        };
        // The server closes late peers before it calls the program's tick.
        let is_late = guest.since + self.setup.limits().authentication <= network.now();
        assert!(accepts || is_late, "{peer} is not accepted");
        guest.is_accepted |= accepts;
    }
}
