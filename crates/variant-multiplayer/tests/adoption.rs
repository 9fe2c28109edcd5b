//! The server adopts nodes of a client. Other clients get the nodes and their states while that client has the nodes.

use std::time::Duration;

use variant_multiplayer::server::{NewNode, SendError, Spawned};
use variant_multiplayer::{
    CompactValues, Delta, Departure, Input, Message, NetId, NetIds, Relay, Service as _, Spawn,
    SpawnSource, Sync, System, Target, push_change, push_state, to_row,
};
use variant_view::Dialect;

use crate::server::{Table, peer};

/// The path of the spawner over which peer 2 has the authority, and the id that the peer assigns to this path.
const SPAWNER: (&str, u32) = ("Own/Sync", 1);

/// A server that peers 2 and 3 have joined. Peer 2 may spawn.
fn table() -> Table {
    let mut table = Table::limited([2, 3], |limits| limits.adopted = 2_000);
    table.announce(2, SPAWNER.1, SPAWNER.0);
    table.sent();
    table.heard();
    table
}

/// Peer 2 spawns a node with two synchronizers, and the server adopts it.
fn adopt(table: &mut Table, node: u32, name: &str) -> Result<Spawned, SendError> {
    let ids = [node + 1, node + 2].map(u32::to_le_bytes);
    let mut spawn = Spawn::new(SpawnSource::Scene(4), SPAWNER.1, NetId::new(node), name);
    (spawn.synchronizers, spawn.state) = (NetIds::new(&ids), row(&[5]));
    table.say(2, Message::Spawn(spawn));
    table.server.network().adopt(peer(2), &spawn, Target::All)
}

/// A row of these ints, each up to 127.
fn row(numbers: &[u8]) -> CompactValues<'static> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| [2, *number]).collect();
    CompactValues::new(bytes.leak(), Dialect::Godot4)
}

fn sync(table: &mut Table, from: i32, time: u16, states: &[(u32, u8)]) {
    let mut bytes = Vec::new();
    Sync::begin(time, &mut bytes);
    for (id, number) in states {
        push_state(NetId::new(*id), row(&[*number]).bytes(), &mut bytes);
    }
    table.send(from, &bytes);
}

fn delta(table: &mut Table, from: i32, id: u32, mask: u64, values: &[u8]) {
    let mut bytes = Vec::new();
    Delta::begin(&mut bytes);
    push_change(NetId::new(id), mask, values, &mut bytes);
    table.send(from, &bytes);
}

/// The sent packets, without the announcements of paths and peers.
fn sent(table: &mut Table) -> Vec<String> {
    let lines = table.sent().into_iter();
    lines.filter(|line| !line.contains(": path ") && !line.contains(": add ")).collect()
}

#[test]
fn others_get_the_node_and_its_states() {
    let mut table = table();
    let orc = adopt(&mut table, 70, "Orc").unwrap();
    assert_eq!(sent(&mut table), ["3: spawn 1 Orc scene 4 below 1 [2, 3] [5]"]);
    let network = table.server.network();
    assert_eq!(network.viewers(orc.node).collect::<Vec<_>>(), [peer(3)]);
    assert_eq!(table.heard(), ["2 spawns Orc below Own/Sync"]);

    // The states have the server's ids and clocks. Old and unknown states are dropped.
    sync(&mut table, 2, 9, &[(71, 6), (99, 0), (72, 7)]);
    sync(&mut table, 2, 9, &[(71, 8)]);
    sync(&mut table, 3, 10, &[(71, 8), (2, 8)]);
    assert_eq!(sent(&mut table), ["3: sync 1 {2: [6], 3: [7]}"]);
    assert_eq!(table.heard(), ["2 is 2 \"Own/Sync\" None [6]", "2 is 3 \"Own/Sync\" None [7]"]);
    sync(&mut table, 2, 10, &[(72, 8)]);
    delta(&mut table, 2, 71, 0b101, &[2, 1, 2, 3]);
    delta(&mut table, 2, 71, 0b110, &[2, 2, 2, 4]);
    delta(&mut table, 3, 71, 1, &[2, 0]);
    let changes = ["3: sync 2 {3: [8]}", "3: delta [(2, 5, [1, 3])]", "3: delta [(2, 6, [2, 4])]"];
    assert_eq!(sent(&mut table), changes);
    assert_eq!(
        table.heard()[1..],
        ["2 is 2 \"Own/Sync\" Some(5) [1, 3]", "2 is 2 \"Own/Sync\" Some(6) [2, 4]"]
    );

    // A peer that joins later gets the last properties.
    table.connect(4);
    let late = ["4: spawn 1 Orc scene 4 below 1 [2, 3] [5]", "4: delta [(2, 7, [1, 2, 4])]"];
    assert_eq!(sent(&mut table), late);
}

#[test]
fn the_client_of_the_node_never_gets_it() {
    let mut table = table();
    let orc = adopt(&mut table, 70, "Orc").unwrap();
    sent(&mut table);
    let network = table.server.network();
    let room = network.open_room();
    assert!(network.join(peer(2), room) && network.leave(peer(2), room));
    network.refresh();
    network.set_audience(orc.node, peer(2)).unwrap();
    assert_eq!(sent(&mut table), ["3: despawn 1"]);
    table.server.network().set_audience(orc.node, Target::All).unwrap();
    assert_eq!(sent(&mut table), ["3: spawn 1 Orc scene 4 below 1 [2, 3] [5]"]);
}

#[test]
fn damaged_states_are_not_handed_on() {
    let mut table = table();
    adopt(&mut table, 70, "Orc").unwrap();
    sent(&mut table);
    table.heard();
    delta(&mut table, 2, 71, 3, &[2, 0]);
    delta(&mut table, 2, 71, 1, &[0x42, 0]);
    let mut bytes = Vec::new();
    Sync::begin(1, &mut bytes);
    push_state(NetId::new(71), &[4, 0, 0, 0, 9, 0, 0, 0], &mut bytes);
    table.send(2, &bytes);
    assert_eq!(table.heard().len(), 3, "each is refused");
    assert!(sent(&mut table).is_empty());
}

#[test]
fn the_node_ends_with_its_client() {
    let mut table = table();
    let orc = adopt(&mut table, 70, "Orc").unwrap();
    adopt(&mut table, 80, "Elf").unwrap();
    adopt(&mut table, 90, "Cat").unwrap();
    sent(&mut table);
    table.say(2, Message::Despawn(NetId::new(80)));
    assert_eq!(sent(&mut table), ["3: despawn 4"]);
    // The program may despawn the node before its client does.
    table.server.network().despawn(orc.node).unwrap();
    table.heard();
    sync(&mut table, 2, 1, &[(71, 1), (81, 1)]);
    delta(&mut table, 2, 71, 1, &[2, 1]);
    assert!(table.heard().is_empty(), "states in flight are no offences");
    table.say(2, Message::Despawn(NetId::new(70)));
    assert_eq!(table.heard(), ["2 removes 70"]);
    assert_eq!(sent(&mut table), ["3: despawn 1"]);
    table.server.handle(Input::Disconnected { peer: peer(2), why: Departure::Left }, table.now);
    assert_eq!(table.sent(), ["3: del 2", "3: despawn 7"]);
    // A new client with the number of the client that left gets none of its nodes.
    table.connect(2);
    assert!(sent(&mut table).is_empty());
}

#[test]
fn only_a_node_that_the_peer_has_is_adopted_once() {
    let mut table = table();
    adopt(&mut table, 70, "Orc").unwrap();
    let network = table.server.network();
    let spawn = |node, name| Spawn::new(SpawnSource::Scene(0), SPAWNER.1, NetId::new(node), name);
    for (from, node) in [(2, 70), (2, 71), (3, 70), (9, 70)] {
        let refused = network.adopt(peer(from), &spawn(node, "Elf"), Target::All);
        assert!(matches!(refused, Err(SendError::NotSpawned)), "{refused:?}");
    }
    // The name of the adopted node is in use by a node of the server.
    network.spawn(SPAWNER.0, NewNode::scene(0, "Elf")).unwrap();
    assert!(matches!(adopt(&mut table, 80, "Elf"), Err(SendError::Name(_))));
    // A node that a custom function makes is adopted with the argument of the function.
    let argument = to_row(&(77,)).unwrap();
    let argument = SpawnSource::Function(CompactValues::counted(&argument, Dialect::Godot4, 1));
    let cat = Spawn::new(argument, SPAWNER.1, NetId::new(90), "Cat");
    table.say(2, Message::Spawn(cat));
    sent(&mut table);
    table.server.network().adopt(peer(2), &cat, peer(3)).unwrap();
    assert_eq!(sent(&mut table), ["3: spawn 5 Cat argument 77 below 1 [] []"]);
}

#[test]
fn adopted_nodes_of_one_peer_are_limited() {
    let mut table = table();
    let fill = |table: &mut Table| {
        let is_adopted = |index: &u32| adopt(table, 70 + index * 10, &format!("N{index}")).is_ok();
        (0..20).take_while(is_adopted).count()
    };
    let most = fill(&mut table);
    assert!((2..20).contains(&most), "{most}");
    let refused = adopt(&mut table, 5, "Full");
    assert!(matches!(refused, Err(SendError::TooLarge)), "{refused:?}");
    // The memory of a despawned node may be used again, also by properties.
    table.say(2, Message::Despawn(NetId::new(70)));
    table.heard();
    sent(&mut table);
    for (mask, refusals) in [(0b11, 0), (u64::MAX, 1), (0b101, 1)] {
        let count = usize::try_from(mask.count_ones()).unwrap();
        delta(&mut table, 2, 81, mask, row(&vec![7; count]).bytes());
        assert_eq!(table.server.network().stats(peer(2)).unwrap().refusals, refusals);
    }
    table.heard();
    sent(&mut table);
    // Refused changes are not kept.
    table.connect(4);
    let late = sent(&mut table);
    assert!(late.contains(&"4: delta [(5, 7, [7, 7, 7])]".to_owned()), "{late:?}");
    // After all nodes are despawned, all memory is free.
    for index in 1..=20 {
        table.say(2, Message::Despawn(NetId::new(70 + index * 10)));
    }
    assert_eq!(fill(&mut table), most);
}

/// A peer that joins gets all adopted nodes at once, so their memory is limited. The server has 2^31 ids in all.
#[test]
fn adopted_nodes_of_all_peers_and_their_ids_are_limited() {
    let mut table = Table::limited([2, 3], |limits| limits.all_adopted = 1_000);
    table.announce(2, SPAWNER.1, SPAWNER.0);
    let names = (0..).map(|index| (100 + index * 10, format!("N{index}")));
    let kept: Vec<_> =
        names.map_while(|(node, name)| adopt(&mut table, node, &name).ok()).collect();
    assert!((1..10).contains(&kept.len()), "{kept:?}");
    assert!(matches!(adopt(&mut table, 80, "Elf"), Err(SendError::TooLarge)));
    for spawned in &kept {
        table.server.network().despawn(spawned.node).unwrap();
    }
    // Each node takes three ids: one for itself, and two for its synchronizers.
    let mut adopted = kept.len();
    loop {
        table.say(2, Message::Despawn(NetId::new(80)));
        match adopt(&mut table, 80, "Elf") {
            Ok(_) => adopted += 1,
            Err(SendError::TooLarge) => break,
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(adopted, 1_024 / 3);
    table.now += Duration::from_secs(1);
    table.say(2, Message::Despawn(NetId::new(80)));
    adopt(&mut table, 80, "Elf").unwrap();
}

/// States of several clients are sent with the same time. If each state got a new time, the 16 bits of the time would
/// wrap within seconds, and receivers would drop new states as old.
#[test]
fn states_of_different_clients_share_a_time() {
    let mut table = table();
    adopt(&mut table, 70, "Orc").unwrap();
    adopt(&mut table, 80, "Elf").unwrap();
    sent(&mut table);
    for time in 1..=3 {
        sync(&mut table, 2, time, &[(71, 1)]);
        sync(&mut table, 2, time, &[(81, 2)]);
        let states = [format!("3: sync {time} {{2: [1]}}"), format!("3: sync {time} {{5: [2]}}")];
        assert_eq!(sent(&mut table), states);
    }
}

#[test]
fn a_change_reaches_a_peer_whose_allowance_is_used_up() {
    let mut table = Table::limited([2, 3], |limits| limits.received = 1_000);
    table.announce(2, SPAWNER.1, SPAWNER.0);
    adopt(&mut table, 70, "Orc").unwrap();
    for _ in 0..20 {
        table.say(2, Message::System(System::Relay(Relay::new(3, &[3; 200]))));
    }
    sent(&mut table);
    delta(&mut table, 2, 71, 1, &[2, 9]);
    assert_eq!(sent(&mut table), ["3: delta [(2, 1, [9])]"]);
}
