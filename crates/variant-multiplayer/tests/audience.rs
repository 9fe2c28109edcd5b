//! Audiences and rooms: each peer receives only packets for its audiences. Random sequences are in the simulation
//! (`variant-testkit/src/simulation.rs`).

use std::time::{Duration, Instant};

use variant_multiplayer::server::{
    Audience, Call, CallResult, Handler, Network, NewNode, RoomId, SendError, Server, ServerOptions,
};
use variant_multiplayer::{
    Delivery, Departure, Input, Message, NetId, Packet, PeerId, Service as _, Target, to_row,
};

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
    // A change of rooms: first the old room disappears, then the new room appears.
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
    // When a peer leaves, only the members of its room are notified.
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
    // Peers that share two rooms still see each other when they leave one room.
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

/// When a peer leaves, peer 3 joins the lobby.
struct Successor;

impl Handler for Successor {
    type Event = ();

    fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
        Ok(())
    }

    fn disconnected(&mut self, gone: PeerId, _: Departure, network: &mut Network) {
        assert_eq!(network.rooms(gone).collect::<Vec<_>>(), [RoomId::LOBBY]);
        assert!(network.join(peer(3), RoomId::LOBBY));
    }
}

/// The simulation found this sequence of events: the peer that joined still saw the peer that had left.
#[test]
fn a_peer_that_joins_when_another_leaves_does_not_see_it() {
    let mut server = Server::new(Successor, ServerOptions::default().lobby(false), []);
    let now = Instant::now();
    for id in [2, 3] {
        server.handle(Input::Connected { peer: peer(id), address: None }, now);
    }
    assert!(server.network().join(peer(2), RoomId::LOBBY));
    server.handle(Input::Disconnected { peer: peer(2), why: Departure::Left }, now);
    assert_eq!(server.network().members(RoomId::LOBBY).collect::<Vec<_>>(), [peer(3)]);
    assert!(server.output().is_none());
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
    // A peer without the node does not get its states.
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
fn ids_after_the_last_synchronizer_belong_to_no_node() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    let orc = network.spawn("Spawner", NewNode::scene(0, "Orc").synchronizers(2)).unwrap();
    let elf = network.spawn("Spawner", NewNode::scene(0, "Elf").synchronizers(1)).unwrap();
    network.despawn(elf.node).unwrap();
    sent(&mut table);
    let row = to_row(&(5,)).unwrap();
    let network = table.server.network();
    for id in [orc.node, elf.node, elf.synchronizers[0], NetId::new(0), NetId::new(99)] {
        network.sync(Target::All, &[(id, &row)]);
        network.delta(Target::All, id, 1, &row);
    }
    assert!(table.sent().is_empty());
    for id in orc.synchronizers {
        table.server.network().delta(Target::All, id, 1, &row);
        assert_eq!(table.sent(), [format!("2: delta [({}, 1, [5])]", id.to_wire())]);
    }
}

/// A rule is a function, so an audience does not derive `Debug`.
#[test]
fn audiences_are_printed() {
    let peers: Audience = [2, 3].map(peer).into_iter().collect();
    for (audience, expected) in [
        (Audience::EVERYONE, "All"),
        (peer(2).into(), "Peer(PeerId(2))"),
        (RoomId::LOBBY.into(), "RoomId(0)"),
        (peers, "{PeerId(2), PeerId(3)}"),
        (Audience::Viewers(NetId::new(7)), "Viewers(NetId(7))"),
        (Audience::rule(|_| true), "Rule"),
    ] {
        assert_eq!(format!("{audience:?}"), expected);
    }
}

/// Nodes appear in the order of spawning, so a node may follow only an earlier node.
#[test]
fn a_node_follows_an_earlier_node() {
    let mut table = Table::of([2, 3]);
    let network = table.server.network();
    let only: Audience = [peer(2)].into_iter().collect();
    let ship = network.spawn("Spawner", NewNode::scene(0, "Ship").audience(only)).unwrap().node;
    let crew = network.spawn("Spawner", NewNode::scene(1, "Crew")).unwrap().node;
    for (node, leader) in [(ship, crew), (ship, ship), (crew, crew)] {
        let refused = network.set_audience(node, Audience::Viewers(leader));
        assert!(matches!(refused, Err(SendError::NotEarlier)), "{refused:?}");
    }
    let gone = NewNode::scene(1, "Gone").audience(Audience::Viewers(NetId::new(99)));
    assert!(matches!(network.spawn("Spawner", gone), Err(SendError::NotSpawned)));
    sent(&mut table);
    table.server.network().set_audience(crew, Audience::Viewers(ship)).unwrap();
    assert_eq!(sent(&mut table), ["3: despawn 2"]);
    // The node follows from now on.
    table.server.network().set_audience(ship, Target::All).unwrap();
    let both = ["3: spawn 1 Ship scene 0 below 1 [] []", "3: spawn 2 Crew scene 1 below 1 [] []"];
    assert_eq!(sent(&mut table), both);
    // A peer that joins gets the follower if it gets the leader.
    let only: Audience = [2, 4].map(peer).into_iter().collect();
    table.server.network().set_audience(ship, only).unwrap();
    sent(&mut table);
    table.connect(4);
    table.connect(5);
    let spawned = sent(&mut table).into_iter().filter(|line| line.contains("spawn"));
    assert_eq!(spawned.collect::<Vec<_>>(), both.map(|line| line.replace("3: ", "4: ")));
}

#[test]
fn a_peer_that_comes_again_starts_anew() {
    let mut table = Table::of([2, 3]);
    table.server.network().spawn("Spawner", NewNode::scene(0, "Orc")).unwrap();
    table.server.handle(Input::Disconnected { peer: peer(2), why: Departure::Left }, table.now);
    table.sent();
    table.connect(2);
    let again = ["3: add 2", "2: add 3", "2: spawn 1 Orc scene 0 below 1 [] []"];
    assert_eq!(sent(&mut table), again);
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
