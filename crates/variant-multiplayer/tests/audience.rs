//! Audiences and rooms: each peer hears of what its audience says, and of nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use variant_multiplayer::server::{Audience, NewNode, RoomId, ServerOptions};
use variant_multiplayer::{
    Delivery, Departure, Input, Message, NetId, Output, Packet, PeerId, Service as _, System,
    Target, to_row,
};
use variant_testkit::random::Random;

use crate::server::{Table, peer};

/// A server without a lobby, and two rooms: peers 2 and 3, and peer 4.
fn two_rooms() -> (Table, RoomId, RoomId) {
    let mut table = Table::new(ServerOptions::default().lobby(false), [2, 3, 4]);
    let network = table.server.network();
    let (red, blue) = (network.open_room(), network.open_room());
    assert!(network.join(peer(2), red) && network.join(peer(3), red));
    assert!(network.join(peer(4), blue));
    assert_eq!(table.sent(), ["2: add 3", "3: add 2"]);
    (table, red, blue)
}

/// The lines about nodes and peers, without the announcements of paths.
fn sent(table: &mut Table) -> Vec<String> {
    table.sent().into_iter().filter(|line| !line.contains(": path ")).collect()
}

#[test]
fn peers_see_the_peers_and_the_nodes_of_their_rooms() {
    let (mut table, red, blue) = two_rooms();
    let network = table.server.network();
    let orc = network.spawn("Spawner", NewNode::scene(0, "Orc").audience(red)).unwrap();
    network.spawn("Spawner", NewNode::scene(0, "Elf").audience(blue)).unwrap();
    network.spawn("Spawner", NewNode::scene(1, "Sun")).unwrap();
    let (of_orc, of_sun) =
        ("spawn 1 Orc scene 0 below 1 [] []", "spawn 3 Sun scene 1 below 1 [] []");
    let elf = "4: spawn 2 Elf scene 0 below 1 [] []".to_owned();
    let expected = [
        format!("2: {of_orc}"),
        format!("3: {of_orc}"),
        elf,
        format!("2: {of_sun}"),
        format!("3: {of_sun}"),
        format!("4: {of_sun}"),
    ];
    assert_eq!(sent(&mut table), expected);
    let network = table.server.network();
    assert_eq!(network.viewers(orc.node).collect::<Vec<_>>(), [2, 3].map(peer));
    // From room to room: first the old room disappears, then the new one appears.
    assert!(network.leave(peer(3), red) && network.join(peer(3), blue));
    let moved = [
        "3: despawn 1",
        "2: del 3",
        "3: del 2",
        "4: add 3",
        "3: add 4",
        "3: spawn 2 Elf scene 0 below 1 [] []",
    ];
    assert_eq!(sent(&mut table), moved);
    // A peer that has left disappears from its room only.
    table.server.handle(Input::Disconnected { peer: peer(3), why: Departure::Left }, table.now);
    assert_eq!(sent(&mut table), ["4: del 3"]);
    assert_eq!(table.server.network().viewers(orc.node).collect::<Vec<_>>(), [peer(2)]);
}

#[test]
fn rooms_open_and_close() {
    let (mut table, red, blue) = two_rooms();
    let network = table.server.network();
    assert!(!network.join(peer(2), red), "it is a member");
    assert!(!network.join(peer(9), red), "it is not connected");
    assert!(!network.leave(peer(2), blue), "it is no member");
    // Peers that share two rooms still see each other when they leave one of them.
    assert!(network.join(peer(3), blue) && network.join(peer(2), blue));
    assert_eq!(network.rooms(peer(2)).collect::<Vec<_>>(), [red, blue]);
    table.sent();
    assert!(table.server.network().close_room(red));
    assert!(table.sent().is_empty());
    let network = table.server.network();
    assert!(!network.close_room(red) && !network.join(peer(2), red));
    assert!(network.open_room() != red, "numbers are not used again");
    assert!(network.join(peer(2), RoomId::LOBBY));
    assert!(!network.close_room(RoomId::LOBBY), "the lobby only gets empty");
    assert_eq!(network.members(RoomId::LOBBY).count(), 0);
}

#[test]
fn relays_stay_in_rooms() {
    let (mut table, ..) = two_rooms();
    let hello = Packet::new(Message::Raw(b"hello")).to_vec();
    table.relay(2, 0, &hello);
    table.relay(2, 3, &hello);
    table.relay(2, 4, &hello);
    table.relay(2, -3, &hello);
    let words = "relay 2 raw [104, 101, 108, 108, 111]";
    assert_eq!(table.sent(), [format!("3: {words}"), format!("3: {words}")]);
    // A peer without a room reaches only the server.
    table.connect(5);
    table.heard();
    table.relay(5, 2, &hello);
    table.relay(5, 0, &hello);
    assert!(table.sent().is_empty());
    assert_eq!(table.heard(), ["5 sends [104, 101, 108, 108, 111] Reliable 0"]);
}

#[test]
fn calls_and_states_reach_the_audience() {
    let (mut table, red, _) = two_rooms();
    let network = table.server.network();
    let orc = NewNode::scene(0, "Orc").synchronizers(1).state(to_row(&(1,)).unwrap()).audience(red);
    let orc = network.spawn("Spawner", orc).unwrap();
    table.sent();
    let network = table.server.network();
    network.rpc(red, "World", "sum", &(9,)).unwrap();
    network.rpc(Audience::Viewers(orc.node), "World", "sum", &(8,)).unwrap();
    let some: Audience = [4, 99].map(peer).into_iter().collect();
    network.rpc(some, "World", "sum", &(7,)).unwrap();
    network.send_bytes(peer(4), b"x", Delivery::RELIABLE);
    let calls = sent(&mut table);
    let expected = [
        "2: call World.4 [9]",
        "3: call World.4 [9]",
        "2: call World.4 [8]",
        "3: call World.4 [8]",
    ];
    assert_eq!(calls[..4], expected);
    assert_eq!(calls[4..], ["4: call World.4 [7]", "4: raw [120]"]);
    // A peer that does not have the node does not get its states.
    let row = to_row(&(5,)).unwrap();
    let network = table.server.network();
    let (of_orc, gone) = (orc.synchronizers[0], NetId::new(77));
    network.sync(Target::All, &[(of_orc, &row), (gone, &row)]);
    network.delta(Target::All, of_orc, 1, &row);
    let states = [
        "2: sync 1 {2: [5]}",
        "3: sync 1 {2: [5]}",
        "2: delta [(2, 1, [5])]",
        "3: delta [(2, 1, [5])]",
    ];
    assert_eq!(table.sent(), states);
}

#[test]
fn followers_disappear_first_and_appear_last() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    let ship = network.spawn("Spawner", NewNode::scene(0, "Ship")).unwrap();
    let crew = NewNode::scene(1, "Crew").audience(Audience::Viewers(ship.node));
    let crew = network.spawn("Spawner", crew).unwrap();
    table.sent();
    let nobody = Audience::nobody();
    table.server.network().set_audience(ship.node, nobody).unwrap();
    assert_eq!(table.sent(), ["2: despawn 2", "2: despawn 1"]);
    table.server.network().set_audience(ship.node, Target::All).unwrap();
    let back = ["2: spawn 1 Ship scene 0 below 1 [] []", "2: spawn 2 Crew scene 1 below 1 [] []"];
    assert_eq!(table.sent(), back);
    let network = table.server.network();
    network.despawn(ship.node).unwrap();
    assert!(network.set_audience(ship.node, Target::All).is_err());
    assert_eq!(network.viewers(crew.node).count(), 0);
    assert_eq!(table.sent(), ["2: despawn 2", "2: despawn 1"]);
}

#[test]
fn rules_are_asked_again() {
    let mut table = Table::of([2, 3]);
    let strong = std::sync::Arc::new(std::sync::atomic::AtomicI32::new(2));
    let rule = {
        let strong = strong.clone();
        Audience::rule(move |peer| peer.get() >= strong.load(std::sync::atomic::Ordering::Relaxed))
    };
    let network = table.server.network();
    let sword = network.spawn("Spawner", NewNode::scene(0, "Sword").audience(rule)).unwrap();
    assert_eq!(network.viewers(sword.node).count(), 2);
    table.sent();
    strong.store(3, std::sync::atomic::Ordering::Relaxed);
    table.server.network().refresh();
    assert_eq!(table.sent(), ["2: despawn 1"]);
}

#[test]
fn programs_read_the_time_of_the_inputs() {
    let mut table = Table::of([]);
    assert_eq!(table.server.network().now(), Duration::ZERO);
    let start = table.now;
    for (millis, now) in [(0, 0), (70, 70), (30, 70), (100, 100)] {
        table.server.handle(Input::Tick, start + Duration::from_millis(millis));
        assert_eq!(table.server.network().now(), Duration::from_millis(now), "it does not go back");
    }
}

/// What a client knows, from the packets that it got.
#[derive(Debug, Default, PartialEq)]
struct Client {
    peers: BTreeSet<PeerId>,
    nodes: BTreeSet<NetId>,
}

impl Client {
    /// Reads a packet. What appears must be new, and what disappears must be known.
    fn read(&mut self, bytes: &[u8]) {
        match Packet::parse(bytes).unwrap().message {
            Message::System(System::AddPeer(id)) => {
                assert!(self.peers.insert(peer(id)), "{id}: {self:?}");
            }
            Message::System(System::DelPeer(id)) => assert!(self.peers.remove(&peer(id))),
            Message::Spawn(spawn) => assert!(self.nodes.insert(spawn.node)),
            Message::Despawn(node) => assert!(self.nodes.remove(&node)),
            Message::Sync(sync) => {
                for state in sync.states {
                    let owner = NetId::new(state.unwrap().synchronizer.to_wire() - 1);
                    assert!(self.nodes.contains(&owner), "a state of an unknown node");
                }
            }
            _ => {}
        }
    }
}

/// The server's program, as simple as possible: who is in which room, and which node has which audience.
#[derive(Default)]
struct Model {
    peers: BTreeSet<PeerId>,
    rooms: BTreeMap<RoomId, BTreeSet<PeerId>>,
    nodes: BTreeMap<NetId, Audience>,
}

impl Model {
    fn sees(&self, peer: PeerId, node: NetId) -> bool {
        match &self.nodes[&node] {
            Audience::Target(target) => target.includes(peer),
            Audience::Room(room) => self.rooms.get(room).is_some_and(|all| all.contains(&peer)),
            Audience::Peers(peers) => peers.contains(&peer),
            Audience::Viewers(leader) => {
                self.nodes.contains_key(leader) && self.sees(peer, *leader)
            }
            other => panic!("{other:?}"),
        }
    }

    fn client(&self, id: PeerId) -> Client {
        let mates = self.rooms.values().filter(|room| room.contains(&id)).flatten().copied();
        let peers = mates.filter(|other| *other != id).collect();
        let nodes = self.nodes.keys().copied().filter(|node| self.sees(id, *node)).collect();
        Client { peers, nodes }
    }
}

/// After any changes, each client knows exactly its rooms and the nodes of its audiences.
#[test]
fn clients_know_what_their_audiences_say() {
    for seed in 1..=200 {
        let mut random = Random::new(seed);
        let has_lobby = seed % 2 == 0;
        let mut table = Table::new(ServerOptions::default().lobby(has_lobby), []);
        let mut model = Model::default();
        let mut clients = BTreeMap::<PeerId, Client>::new();
        if has_lobby {
            model.rooms.insert(RoomId::LOBBY, BTreeSet::new());
        }
        for _ in 0..120 {
            step(&mut table, &mut model, &mut clients, &mut random, has_lobby);
            clients.retain(|id, _| model.peers.contains(id));
            while let Some(output) = table.server.output() {
                if let Output::Send { to, bytes, .. } = output {
                    clients.entry(to).or_default().read(&bytes);
                }
            }
            // A connection that came and went in this step has packets.
            clients.retain(|id, _| model.peers.contains(id));
            for id in &model.peers {
                assert_eq!(
                    *clients.entry(*id).or_default(),
                    model.client(*id),
                    "seed {seed}, {id}"
                );
            }
        }
    }
}

fn step(
    table: &mut Table,
    model: &mut Model,
    clients: &mut BTreeMap<PeerId, Client>,
    random: &mut Random,
    has_lobby: bool,
) {
    let id = peer(i32::try_from(random.below(6)).unwrap() + 2);
    let rooms: Vec<_> = model.rooms.keys().copied().collect();
    let nodes: Vec<_> = model.nodes.keys().copied().collect();
    let room = rooms.get(random.below(rooms.len().max(1))).copied();
    let node = nodes.get(random.below(nodes.len().max(1))).copied();
    let audience = match (random.below(5), room, node) {
        (0, Some(room), _) => room.into(),
        (1, _, Some(node)) => Audience::Viewers(node),
        (2, ..) => [2, 4, 6].map(peer).into_iter().collect(),
        (3, ..) => Target::AllBut(id).into(),
        _ => Audience::EVERYONE,
    };
    match random.below(9) {
        0 | 1 => {
            // Also a peer that is connected already: then its transport has lost the end of the old connection.
            table.connect(id.get());
            leave(model, id);
            clients.remove(&id);
            model.peers.insert(id);
            if has_lobby {
                model.rooms.entry(RoomId::LOBBY).or_default().insert(id);
            }
        }
        2 => {
            table.server.handle(Input::Disconnected { peer: id, why: Departure::Left }, table.now);
            leave(model, id);
        }
        3 => {
            let room = table.server.network().open_room();
            model.rooms.insert(room, BTreeSet::new());
        }
        4 | 5 => {
            let Some(room) = room else { return };
            let joins = table.server.network().join(id, room);
            let is_new =
                model.peers.contains(&id) && model.rooms.get_mut(&room).unwrap().insert(id);
            assert_eq!(joins, is_new);
        }
        6 => {
            let Some(room) = room else { return };
            let left = table.server.network().leave(id, room);
            assert_eq!(left, model.rooms.get_mut(&room).unwrap().remove(&id));
        }
        7 => {
            let name = format!("Node{}", model.nodes.len() + random.below(1_000_000));
            let new = NewNode::scene(0, &name).synchronizers(1).audience(audience.clone());
            // Refused if the leader is gone, or if the name is in use.
            if let Ok(spawned) = table.server.network().spawn("Spawner", new) {
                model.nodes.insert(spawned.node, audience);
                let row = to_row(&(1,)).unwrap();
                table.server.network().sync(Target::All, &[(spawned.synchronizers[0], &row)]);
            }
        }
        _ => {
            let Some(node) = node else { return };
            if random.below(2) == 0 {
                table.server.network().despawn(node).unwrap();
                model.nodes.remove(&node);
            } else {
                let is_later = matches!(audience, Audience::Viewers(leader) if leader >= node);
                let set = table.server.network().set_audience(node, audience.clone());
                assert_eq!(set.is_err(), is_later, "a node follows an earlier one");
                if set.is_ok() {
                    model.nodes.insert(node, audience);
                }
            }
        }
    }
}

fn leave(model: &mut Model, id: PeerId) {
    model.peers.remove(&id);
    for room in model.rooms.values_mut() {
        room.remove(&id);
    }
}
