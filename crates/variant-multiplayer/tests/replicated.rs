//! Packets of derived states equal the packets of an engine, and packets written by hand. Clients have the server's
//! states.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use variant_multiplayer::server::{NewNode, Node, SendError, ServerOptions};
use variant_multiplayer::{
    CompactValues, Delivery, Departure, Input, Message, NetId, Output, Packet, PeerId, Property,
    Replicated, Replication, Service as _, Target, to_row,
};
use variant_serde::as_vector2;
use variant_testkit::corpus;

use crate::server::{Table, peer};

/// The configuration of the node in the captures.
#[derive(Clone, Debug, Replicated)]
struct Thing {
    #[replicated(spawn, always)]
    #[serde(with = "as_vector2")]
    position: [f32; 2],
    #[replicated(spawn, on_change)]
    hp: i32,
    #[replicated(on_change)]
    note: &'static str,
    #[replicated(spawn)]
    speed: f32,
}

fn thing() -> Thing {
    Thing { position: [10.0, 20.0], hp: 77, note: "start", speed: 1.5 }
}

/// The packets that a peer got since the last call.
fn packets(table: &mut Table, id: i32) -> Vec<Vec<u8>> {
    let outputs = std::iter::from_fn(|| table.server.output());
    let sent = outputs.filter_map(|output| match output {
        Output::Send { to, bytes, .. } if to == peer(id) => Some(bytes.to_vec()),
        _ => None,
    });
    sent.collect()
}

/// The packets of an engine's server, in hexadecimal digits.
fn recorded() -> String {
    fs::read_to_string(corpus::root().join("multiplayer/ws-main.jsonl")).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(digit.into(), 16).unwrap()).collect()
}

#[test]
fn packets_are_those_of_an_engine() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    // In the capture, the spawner is the fifth path.
    for path in ["A", "B", "C", "D"] {
        network.add_node(Node::new(path));
        network.synchronizer(Target::All, path).unwrap();
    }
    let mut state = thing();
    let new = NewNode::scene(0, "T1").replicated(&state).unwrap();
    let node = network.spawn("Spawner", new).unwrap().node;
    let sent = packets(&mut table, 2);
    let [.., spawn, first] = &sent[..] else { panic!("{sent:?}") };
    let engine = recorded();
    assert!(engine.contains(&format!("\"{}\"", hex(spawn))), "{}", hex(spawn));
    // An engine's first changes also contain the properties that spawning has set.
    assert!(
        engine
            .contains("\"1602000000030000000000000012000000024d04000000050000007374617274000000\"")
    );
    assert_eq!(hex(first), "160200000002000000000000001000000004000000050000007374617274000000");

    (state.hp, state.note, state.position) = (78, "changed", [11.0, 21.0]);
    table.server.network().replicate([(node, &state)]).unwrap();
    let [delta, sync] = &packets(&mut table, 2)[..] else { panic!("two packets") };
    assert!(engine.contains(&format!("\"{}\"", hex(delta))), "{}", hex(delta));
    assert!(engine.contains(&format!("{}\"", hex(&sync[3..]))), "{}", hex(sync));
    state.hp = 300;
    table.server.network().replicate([(node, &state)]).unwrap();
    let [delta, _] = &packets(&mut table, 2)[..] else { panic!("two packets") };
    assert!(engine.contains(&format!("{}\"", hex(&delta[1..]))), "{}", hex(delta));
}

#[test]
fn packets_are_those_by_hand() {
    let new = |name| NewNode::scene(0, name);
    let (mut derived, mut by_hand) = (Table::of([2]), Table::of([2]));
    let (mut state, at) = (Thing { note: "", ..thing() }, [10.5, 0.25]);
    let node = derived.server.network();
    let node = node.spawn("Spawner", new("Orc").replicated(&state).unwrap()).unwrap();
    (state.position, state.hp) = (at, -200);
    derived.server.network().replicate([(node.node, &state)]).unwrap();

    let row = |at, hp| {
        let mut row = vector2(at);
        row.extend(to_row(&(hp, 1.5_f32)).unwrap());
        row
    };
    let network = by_hand.server.network();
    let orc = new("Orc").synchronizers(1).state(row([10.0, 20.0], 77));
    let orc = network.spawn("Spawner", orc).unwrap();
    assert_eq!(orc, node);
    network.delta(Target::All, orc.synchronizers[0], 2, &to_row(&("",)).unwrap());
    network.set_spawn_state(orc.node, row(at, -200)).unwrap();
    network.delta(Target::All, orc.synchronizers[0], 1, &to_row(&(-200,)).unwrap());
    network.sync(Target::All, &[(orc.synchronizers[0], &vector2(at))]);
    assert_eq!(packets(&mut derived, 2), packets(&mut by_hand, 2));
    // A peer that joins later.
    derived.connect(3);
    by_hand.connect(3);
    by_hand.server.network().delta(peer(3), orc.synchronizers[0], 2, &to_row(&("",)).unwrap());
    assert_eq!(packets(&mut derived, 3), packets(&mut by_hand, 3));
}

fn vector2(at: [f32; 2]) -> Vec<u8> {
    #[derive(serde::Serialize)]
    struct At(#[serde(with = "as_vector2")] [f32; 2]);
    to_row(&At(at)).unwrap()
}

#[derive(Replicated)]
struct Number(#[replicated(spawn, on_change)] u64);

#[derive(Replicated)]
struct Place {
    #[replicated(always)]
    x: i64,
}

#[test]
fn a_node_has_several_synchronizers() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    let tank = NewNode::scene(0, "Tank").replicated(&Number(1)).unwrap();
    let tank = tank.replicated(&Number(2)).unwrap().replicated(&Place { x: 3 }).unwrap();
    let tank = network.spawn("Spawner", tank).unwrap();
    let [body, turret, place] = tank.synchronizers[..] else { panic!("{tank:?}") };
    table.sent();
    let network = table.server.network();
    network.replicate([(body, &Number(1)), (turret, &Number(5))]).unwrap();
    network.replicate([(place, &Place { x: 4 })]).unwrap();
    assert_eq!(table.sent(), ["2: delta [(3, 1, [5])]", "2: sync 1 {4: [4]}"]);
    table.connect(3);
    assert_eq!(table.sent()[3], "3: spawn 1 Tank scene 0 below 1 [2, 3, 4] [1, 5]");
}

#[test]
fn nodes_by_hand_get_all_properties_first() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    let new = |name| NewNode::scene(0, name);
    let row = to_row(&(1, 2)).unwrap();
    let pair = network.spawn("Spawner", new("Pair").synchronizers(2).state(row)).unwrap();
    let one = network.spawn("Spawner", new("One").synchronizers(1)).unwrap();
    table.sent();
    for changes in [&["2: delta [(3, 1, [9])]", "2: delta [(5, 1, [7])]"][..], &[]] {
        let states = [(pair.synchronizers[1], &Number(9)), (one.node, &Number(7))];
        table.server.network().replicate(states).unwrap();
        assert_eq!(table.sent(), changes);
    }
    // The spawn packet of `Pair` has the state that the program set at spawning. So a second packet with the later
    // changes follows.
    table.connect(3);
    let spawned = [
        "3: spawn 1 Pair scene 0 below 1 [2, 3] [1, 2]",
        "3: delta [(3, 1, [9])]",
        "3: spawn 4 One scene 0 below 1 [5] [7]",
    ];
    assert_eq!(table.sent()[3..], spawned);
}

#[test]
fn a_wrong_state_does_not_hold_up_others() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    let wrong = NewNode::scene(0, "Wrong").replicated(&Number(u64::MAX)).unwrap_err();
    assert!(wrong.to_string().starts_with("0: 18446744073709551615 is not"), "{wrong}");
    let mut spawn = |name| {
        let new = NewNode::scene(0, name).replicated(&Number(1)).unwrap();
        network.spawn("Spawner", new).unwrap().node
    };
    let [orc, elf, gone] = ["Orc", "Elf", "Gone"].map(&mut spawn);
    network.despawn(gone).unwrap();
    let plain = network.spawn("Spawner", NewNode::scene(0, "Plain")).unwrap().node;
    table.sent();
    let network = table.server.network();
    for missing in [gone, plain, NetId::of_path(1), NetId::new(0), NetId::new(99)] {
        let missing = network.replicate([(missing, &Number(1))]);
        assert!(matches!(missing, Err(SendError::NotSpawned)), "{missing:?}");
    }
    let states = [(gone, &Number(2)), (orc, &Number(u64::MAX)), (elf, &Number(2))];
    assert!(matches!(network.replicate(states), Err(SendError::NotSpawned)));
    assert_eq!(table.sent(), ["2: delta [(4, 1, [2])]"]);
}

#[test]
fn states_of_many_nodes_share_packets() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    let nodes: Vec<_> = (0..300)
        .map(|index| {
            let new = NewNode::scene(0, &format!("N{index}")).replicated(&Place { x: 0 }).unwrap();
            network.spawn("Spawner", new).unwrap().node
        })
        .collect();
    packets(&mut table, 2);
    let states: Vec<_> = (0..300).map(|x| Place { x: x * 1_000 }).collect();
    table.server.network().replicate(nodes.iter().copied().zip(&states)).unwrap();
    let sent = packets(&mut table, 2);
    let bytes: usize = sent.iter().map(Vec::len).sum();
    assert_eq!(sent.len(), bytes.div_ceil(1_350), "the packets are full");
}

/// All combinations of spawning and modes.
#[derive(Clone, Debug, Default, PartialEq, Replicated)]
struct Everything {
    #[replicated(spawn)]
    a: i64,
    #[replicated(always)]
    b: Vec<u8>,
    #[replicated(spawn, on_change)]
    c: String,
    secret: bool,
    #[replicated(on_change)]
    d: Option<i64>,
    #[replicated(spawn, always)]
    e: bool,
    #[replicated(spawn, on_change)]
    f: f64,
}

impl Everything {
    /// The values in the compact form, property by property.
    fn values(&self) -> Vec<Vec<u8>> {
        let Self { a, b, c, secret: _, d, e, f } = self;
        let rows = [
            to_row(&(a,)),
            to_row(&(b,)),
            to_row(&(c,)),
            to_row(&(d,)),
            to_row(&(e,)),
            to_row(&(f,)),
        ];
        rows.map(Result::unwrap).to_vec()
    }
}

/// The indices of the properties for which `wanted` is true.
fn list(wanted: impl Fn(&Property) -> bool) -> Vec<usize> {
    let properties = Everything::PROPERTIES.iter().enumerate();
    properties.filter(|(_, property)| wanted(property)).map(|(index, _)| index).collect()
}

/// The state of a client: nodes with the values that the client received.
#[derive(Default)]
struct Client(BTreeMap<NetId, Vec<Option<Vec<u8>>>>);

impl Client {
    fn set(&mut self, node: NetId, properties: &[usize], row: CompactValues<'_>) {
        let values: Vec<_> =
            row.iter().map(|value| value.unwrap().raw_bytes().unwrap().to_vec()).collect();
        assert_eq!(values.len(), properties.len());
        let known = self.0.get_mut(&node).unwrap();
        for (index, value) in properties.iter().zip(values) {
            known[*index] = Some(value);
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        let owner = |synchronizer: NetId| NetId::new(synchronizer.to_wire() - 1);
        match Packet::parse(bytes).unwrap().message {
            Message::Spawn(spawn) => {
                let unknown = vec![None; Everything::PROPERTIES.len()];
                assert!(self.0.insert(spawn.node, unknown).is_none());
                self.set(spawn.node, &list(|property| property.spawn), spawn.state);
            }
            Message::Despawn(node) => assert!(self.0.remove(&node).is_some()),
            Message::Sync(sync) => {
                for state in sync.states.iter().map(Result::unwrap) {
                    let always = list(|property| property.mode == Replication::Always);
                    self.set(owner(state.synchronizer), &always, state.values);
                }
            }
            Message::Delta(delta) => {
                for change in delta.changes.iter().map(Result::unwrap) {
                    let watched = list(|property| property.mode == Replication::OnChange);
                    let mut changed = Vec::new();
                    for (bit, index) in watched.into_iter().enumerate() {
                        changed.extend((change.mask >> bit & 1 == 1).then_some(index));
                    }
                    self.set(owner(change.synchronizer), &changed, change.values);
                }
            }
            _ => {}
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Join(i32),
    Leave(i32),
    Spawn(Everything),
    Despawn(usize),
    Show(usize, bool),
    Change(usize, Everything),
    Replicate,
}

fn everything() -> impl Strategy<Value = Everything> {
    let small = (0..3_i64, prop::collection::vec(any::<u8>(), 0..3), "[ab]{0,2}");
    (small, any::<bool>(), prop::option::of(0..2_i64), any::<bool>(), 0..2_u8)
        .prop_map(|((a, b, c), secret, d, e, f)| Everything { a, b, c, secret, d, e, f: f.into() })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (2..6).prop_map(Step::Join),
        1 => (2..6).prop_map(Step::Leave),
        2 => everything().prop_map(Step::Spawn),
        1 => any::<usize>().prop_map(Step::Despawn),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(node, all)| Step::Show(node, all)),
        5 => (any::<usize>(), everything()).prop_map(|(node, state)| Step::Change(node, state)),
        3 => Just(Step::Replicate),
    ]
}

/// The program's nodes, with the states that were last replicated.
#[derive(Default)]
struct Model {
    nodes: BTreeMap<NetId, (Everything, Everything)>,
    spawned: usize,
}

impl Model {
    fn node(&self, index: usize) -> Option<NetId> {
        self.nodes.keys().copied().nth(index % self.nodes.len().max(1))
    }
}

fn take(table: &mut Table, model: &mut Model, step: Step) {
    match step {
        Step::Join(id) if !table.server.network().has_peer(peer(id)) => table.connect(id),
        Step::Join(_) => {}
        Step::Leave(id) => {
            table
                .server
                .handle(Input::Disconnected { peer: peer(id), why: Departure::Left }, table.now);
        }
        Step::Spawn(state) => {
            model.spawned += 1;
            let new = NewNode::scene(0, &format!("N{}", model.spawned)).replicated(&state).unwrap();
            let node = table.server.network().spawn("Spawner", new).unwrap().node;
            model.nodes.insert(node, (state.clone(), state));
        }
        Step::Despawn(index) => {
            if let Some(node) = model.node(index) {
                table.server.network().despawn(node).unwrap();
                model.nodes.remove(&node);
            }
        }
        Step::Show(index, to_all) => {
            if let Some(node) = model.node(index) {
                let audience = if to_all { Target::All } else { Target::AllBut(peer(2)) };
                table.server.network().set_audience(node, audience).unwrap();
            }
        }
        Step::Change(index, state) => {
            if let Some(node) = model.node(index) {
                model.nodes.get_mut(&node).unwrap().0 = state;
            }
        }
        Step::Replicate => {
            let states = model.nodes.iter().map(|(node, (state, _))| (*node, state));
            table.server.network().replicate(states).unwrap();
            model.nodes.values_mut().for_each(|(state, last)| last.clone_from(state));
        }
    }
}

proptest! {
    /// After any steps, a client has the nodes that it sees. The on-change properties are those of the last
    /// `replicate`. The always-sent properties arrive with the next `replicate`. Properties that only spawning sets
    /// keep the values that they had at spawning.
    #[test]
    fn clients_have_the_states_of_the_server(steps in prop::collection::vec(step(), 0..60)) {
        let mut table = Table::new(ServerOptions::default(), []);
        let mut model = Model::default();
        let mut clients = BTreeMap::<PeerId, Client>::new();
        for step in steps {
            let is_sent = matches!(step, Step::Replicate);
            take(&mut table, &mut model, step);
            let there: Vec<_> = table.server.network().peers().collect();
            clients.retain(|id, _| there.contains(id));
            while let Some(output) = table.server.output() {
                let Output::Send { to, bytes, delivery } = output else { continue };
                let is_unreliable = matches!(Packet::parse(&bytes).unwrap().message, Message::Sync(_));
                prop_assert_eq!(delivery == Delivery::RELIABLE, !is_unreliable);
                if there.contains(&to) {
                    clients.entry(to).or_default().read(&bytes);
                }
            }
            for id in there {
                let client = clients.entry(id).or_default();
                let network = table.server.network();
                let seen = model.nodes.keys().filter(|node| network.viewers(**node).any(|one| one == id));
                prop_assert!(client.0.keys().eq(seen));
                for (node, known) in &client.0 {
                    let last = model.nodes[node].1.values();
                    for (index, property) in Everything::PROPERTIES.iter().enumerate() {
                        match property.mode {
                            Replication::OnChange => prop_assert_eq!(known[index].as_ref(), Some(&last[index])),
                            Replication::Always if is_sent => {
                                prop_assert_eq!(known[index].as_ref(), Some(&last[index]));
                            }
                            _ => prop_assert!(known[index].is_some() || !property.spawn),
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_kept_of_a_node_ends_with_it() {
    let mut table = Table::of([2]);
    let spawn = |table: &mut Table| {
        let new = NewNode::scene(0, "Orc").replicated(&Number(1)).unwrap();
        let node = table.server.network().spawn("Spawner", new).unwrap().node;
        table.sent();
        node
    };
    let first = spawn(&mut table);
    table.server.network().despawn(first).unwrap();
    let second = spawn(&mut table);
    assert!(table.server.network().replicate([(first, &Number(2))]).is_err());
    table.server.network().replicate([(second, &Number(1))]).unwrap();
    assert!(table.sent().is_empty(), "it is compared with the new node");
}

#[test]
fn the_trait_can_be_written_by_hand() {
    struct Double(i64);

    impl Replicated for Double {
        const PROPERTIES: &'static [Property] =
            &[Property::new("twice", true, Replication::Always)];

        fn serialize_property<S: serde::Serializer>(
            &self,
            _: usize,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            serializer.serialize_i64(self.0 * 2)
        }
    }

    let mut table = Table::of([2]);
    let new = NewNode::scene(0, "Double").replicated(&Double(4)).unwrap();
    table.server.network().spawn("Spawner", new).unwrap();
    assert_eq!(table.sent()[1], "2: spawn 1 Double scene 0 below 1 [2] [8]");
}
