//! A server without sockets: the effects of packets from peers.

use std::collections::BTreeMap;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use variant_multiplayer::CompactValues;
use variant_multiplayer::server::{
    Audience, Authentication, Call, CallResult, Handler, Method, Network, NewNode, Node,
    ReceivedState, Refusal, SendError, Server, ServerLimits, ServerOptions,
};
use variant_multiplayer::{
    ConfirmPath, Delivery, Departure, Input, Message, MethodId, NetId, NodeRef, Output, Packet,
    PathError, PathLimits, PeerId, Relay, RpcTable, RpcWriter, Service, SimplifyPath, Spawn,
    SpawnSource, System, Target, TransferMode, WriteError, from_row, push_state, to_row,
};
use variant_view::Dialect;

/// The program closes a peer that sends a state with this value.
const CLOSING: i64 = 66;

/// Logs its events.
#[derive(Default)]
pub(crate) struct Log {
    lines: Vec<String>,
}

impl Log {
    fn line(&mut self, line: String) {
        self.lines.push(line);
    }
}

impl Handler for Log {
    type Event = ();

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        let values = call.arguments.to_variants()?;
        self.line(format!("{} calls {}.{}{values:?}", call.from, call.node, call.method));
        match call.method {
            "add" => {
                let (a, b): (i64, i64) = call.arguments.decode()?;
                network.rpc(Target::Peer(call.from), "World", "sum", &(a + b,))?;
            }
            "all" => network.rpc(Target::All, "World", "sum", &(0,))?,
            "leave" => network.disconnect(call.from),
            // A large node appears and disappears.
            "zoo" => {
                let name = format!("Zoo{}", call.from);
                let node = NewNode::scene(0, &name).state(to_row(&vec![1_i64 << 60; 500])?);
                let zoo = network.spawn("Spawner", node)?;
                network.despawn(zoo.node)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn connected(&mut self, peer: PeerId, _: &mut Network) {
        self.line(format!("{peer} is there"));
    }

    fn disconnected(&mut self, peer: PeerId, why: Departure, network: &mut Network) {
        assert!(!network.has_peer(peer) && network.stats(peer).is_some());
        self.line(format!("{peer} is gone: {why}"));
    }

    fn authenticating(&mut self, peer: PeerId, _: &mut Network) {
        self.line(format!("{peer} is authenticating"));
    }

    fn authentication_failed(&mut self, peer: PeerId) {
        self.line(format!("{peer} has failed"));
    }

    fn authenticate(&mut self, peer: PeerId, data: &[u8], network: &mut Network) -> Authentication {
        self.line(format!("{peer} shows {data:?}"));
        match data {
            b"ticket" => Authentication::Accept,
            b"who?" => {
                network.send_auth(peer, b"you!");
                Authentication::Wait
            }
            _ => Authentication::Refuse,
        }
    }

    fn bytes(&mut self, from: PeerId, bytes: &[u8], delivery: Delivery, _: &mut Network) {
        self.line(format!("{from} sends {bytes:?} {:?} {}", delivery.mode, delivery.channel));
    }

    fn state(&mut self, state: ReceivedState<'_>, network: &mut Network) {
        let values: Vec<i64> = from_row(state.values).unwrap();
        let ReceivedState { from, synchronizer, path, mask, .. } = state;
        if values == [CLOSING] {
            network.disconnect(from);
        }
        self.line(format!("{from} is {} {path:?} {mask:?} {values:?}", synchronizer.to_wire()));
    }

    fn methods_differ(&mut self, peer: PeerId, node: &str, _: &mut Network) {
        self.line(format!("{peer} has other methods of {node}"));
    }

    fn spawned(&mut self, from: PeerId, spawner: &str, spawn: &Spawn<'_>, _: &mut Network) {
        self.line(format!("{from} spawns {} below {spawner}", spawn.name));
    }

    fn despawned(&mut self, from: PeerId, node: NetId, _: &mut Network) {
        self.line(format!("{from} removes {}", node.to_wire()));
    }

    fn refused(&mut self, peer: PeerId, refusal: &Refusal, _: &mut Network) {
        self.line(format!("{peer} is refused: {refusal}"));
    }

    fn tick(&mut self, _: Duration, _: &mut Network) {
        self.line("tick".to_owned());
    }
}

/// A server, its clock, and its outputs.
pub(crate) struct Table {
    pub(crate) server: Server<Log>,
    pub(crate) now: Instant,
}

pub(crate) fn peer(id: i32) -> PeerId {
    PeerId::new(id).unwrap()
}

fn world() -> Node {
    ["add", "all", "leave"]
        .iter()
        .fold(Node::new("World"), |node, name| node.method(name, Method::ANY_PEER))
        .method("secret", Method::AUTHORITY)
        .method("sum", Method::AUTHORITY)
        .method("zoo", Method::ANY_PEER)
}

fn table() -> RpcTable {
    RpcTable::new(["add", "all", "leave", "secret", "sum", "zoo"])
}

fn method(name: &str) -> MethodId {
    table().id(name).unwrap()
}

impl Table {
    /// A server that these peers have joined. Earlier packets and log lines are dropped.
    pub(crate) fn new(options: ServerOptions, peers: impl IntoIterator<Item = i32>) -> Self {
        let nodes = [world(), Node::new("Spawner"), Node::new("Own/Sync").authority(peer(2))];
        let server = Server::new(Log::default(), options, nodes);
        let mut table = Self { server, now: Instant::now() };
        peers.into_iter().for_each(|id| table.connect(id));
        table.sent();
        table.heard();
        table
    }

    pub(crate) fn of(peers: impl IntoIterator<Item = i32>) -> Self {
        Self::new(ServerOptions::default(), peers)
    }

    pub(crate) fn limited(
        peers: impl IntoIterator<Item = i32>,
        limit: impl FnOnce(&mut ServerLimits),
    ) -> Self {
        let mut limits = ServerLimits::DEFAULT;
        limit(&mut limits);
        Self::new(ServerOptions::default().limits(limits), peers)
    }

    pub(crate) fn connect(&mut self, id: i32) {
        let address = Some(SocketAddr::from(([127, 0, 0, 1], 4_000)));
        self.server.handle(Input::Connected { peer: peer(id), address }, self.now);
    }

    pub(crate) fn send(&mut self, from: i32, bytes: &[u8]) {
        let delivery = Delivery::RELIABLE;
        self.server.handle(Input::Received { from: peer(from), bytes, delivery }, self.now);
    }

    pub(crate) fn say(&mut self, from: i32, message: Message<'_>) {
        self.send(from, &Packet::new(message).to_vec());
    }

    fn authenticate(&mut self, from: i32, data: &[u8]) {
        self.say(from, Message::System(System::Auth(data)));
    }

    pub(crate) fn relay(&mut self, from: i32, to: i32, packet: &[u8]) {
        self.say(from, Message::System(System::Relay(Relay::new(to, packet))));
    }

    /// Assigns an id to a path. The peer's node has no remote methods.
    pub(crate) fn announce(&mut self, from: i32, id: u32, path: &str) {
        let checksum = RpcTable::default().checksum();
        self.say(from, Message::SimplifyPath(SimplifyPath::new(id, path, checksum)));
    }

    fn has(&mut self, id: i32) -> bool {
        self.server.network().has_peer(peer(id))
    }

    /// The outputs since the last call: the receiver, and the packet as text.
    pub(crate) fn sent(&mut self) -> Vec<String> {
        let outputs = std::iter::from_fn(|| self.server.output());
        outputs
            .map(|output| match output {
                Output::Send { to, bytes, .. } => format!("{to}: {}", words(&bytes)),
                Output::Close(peer) => format!("{peer} is closed"),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    pub(crate) fn heard(&mut self) -> Vec<String> {
        std::mem::take(&mut self.server.handler_mut().lines)
    }
}

fn words(bytes: &[u8]) -> String {
    let packet = Packet::parse(bytes).unwrap();
    assert_eq!(packet.to_vec(), bytes);
    match packet.message {
        Message::System(System::AddPeer(id)) => format!("add {id}"),
        Message::System(System::DelPeer(id)) => format!("del {id}"),
        Message::System(System::Auth(data)) => format!("auth {data:?}"),
        Message::System(System::Relay(relay)) => {
            format!("relay {} {}", relay.peer, words(relay.packet))
        }
        Message::SimplifyPath(path) => format!("path {} {} {}", path.id, path.path, path.checksum),
        Message::ConfirmPath(confirm) => {
            let node = confirm.path.map_or_else(|| confirm.id.to_string(), str::to_owned);
            format!("confirm {node} {}", confirm.checksums_agree())
        }
        Message::Rpc(rpc) => {
            let node = match rpc.node {
                NodeRef::Path(path) => path.to_owned(),
                NodeRef::Id { id, .. } => id.to_string(),
            };
            format!("call {node}.{} {:?}", rpc.method.id(), rpc.arguments.to_variants().unwrap())
        }
        Message::Raw(bytes) => format!("raw {bytes:?}"),
        Message::Spawn(spawn) => {
            let ids: Vec<_> = spawn.synchronizers.iter().map(NetId::to_wire).collect();
            let state: Vec<i64> = from_row(spawn.state).unwrap();
            let source = match spawn.source {
                SpawnSource::Scene(scene) => format!("scene {scene}"),
                SpawnSource::Function(argument) => {
                    format!(
                        "argument {}",
                        argument.iter().next().unwrap().unwrap().as_i64().unwrap()
                    )
                }
            };
            let (node, name) = (spawn.node.to_wire(), spawn.name);
            format!("spawn {node} {name} {source} below {} {ids:?} {state:?}", spawn.spawner)
        }
        Message::Despawn(node) => format!("despawn {}", node.to_wire()),
        Message::Sync(sync) => {
            let states = sync.states.iter().map(|state| {
                let state = state.unwrap();
                (state.synchronizer.to_wire(), from_row::<Vec<i64>>(state.values).unwrap())
            });
            format!("sync {} {:?}", sync.time, states.collect::<BTreeMap<_, _>>())
        }
        Message::Delta(delta) => {
            let changes = delta.changes.iter().map(|change| {
                let change = change.unwrap();
                let values: Vec<i64> = from_row(change.values).unwrap();
                (change.synchronizer.to_wire(), change.mask, values)
            });
            format!("delta {:?}", changes.collect::<Vec<_>>())
        }
    }
}

pub(crate) fn call(node: NodeRef<'_>, name: &str, arguments: &[i64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = RpcWriter::new(node, method(name), &mut bytes);
    arguments.iter().fold(writer, |writer, value| writer.int(*value)).finish().unwrap();
    bytes
}

pub(crate) const WORLD: NodeRef<'_> = NodeRef::Path("World");

#[test]
fn peers_hear_of_each_other() {
    let mut table = Table::of([]);
    table.connect(2);
    table.connect(3);
    assert_eq!(table.sent(), ["2: add 3", "3: add 2"]);
    table.server.handle(Input::Disconnected { peer: peer(2), why: Departure::Left }, table.now);
    assert_eq!(table.sent(), ["3: del 2"]);
    assert_eq!(table.heard(), ["2 is there", "3 is there", "2 is gone: left"]);

    let mut table = Table::new(ServerOptions::default().lobby(false), [2, 3]);
    table.relay(2, 3, &[3, 1]);
    assert!(table.sent().is_empty());
    assert!(table.heard().is_empty());
}

#[test]
fn calls_go_by_path_until_the_id_is_confirmed() {
    let mut table = Table::of([2]);
    let checksum = self::table().checksum();
    table.send(2, &call(WORLD, "add", &[2, 3]));
    let path = format!("2: path 1 World {checksum}");
    assert_eq!(table.sent(), [&path[..], "2: call World.4 [5]"]);
    table.send(2, &call(WORLD, "add", &[2, 4]));
    assert_eq!(table.sent(), ["2: call World.4 [6]"]);
    table.say(2, Message::ConfirmPath(ConfirmPath::new(1, true)));
    table.send(2, &call(WORLD, "add", &[2, 5]));
    assert_eq!(table.sent(), ["2: call 1.4 [7]"]);
    // Another peer does not know the id yet.
    table.connect(3);
    table.sent();
    table.send(2, &call(WORLD, "all", &[]));
    let path = format!("3: path 1 World {checksum}");
    assert_eq!(table.sent(), ["2: call 1.4 [0]", &path, "3: call World.4 [0]"]);
}

#[test]
fn ids_of_paths_are_confirmed_once_and_only_for_what_is_there() {
    let mut table = Table::of([2]);
    let checksum = self::table().checksum();
    let simplify = SimplifyPath::new(7, "World", checksum);
    table.say(2, Message::SimplifyPath(simplify));
    table.say(2, Message::SimplifyPath(simplify));
    table.announce(2, 8, "World");
    table.say(2, Message::SimplifyPath(SimplifyPath::new(9, "Nowhere", checksum)));
    assert_eq!(table.sent(), ["2: confirm 7 true", "2: confirm 8 false"]);
    // The ids 7 and 8 are known, as in the engine. The id 9 is unknown, because its path is missing.
    for id in [7, 8, 9] {
        table.send(2, &call(NodeRef::id(id), "secret", &[]));
    }
    table.send(2, &call(NodeRef::id(7), "add", &[1, 1]));
    assert_eq!(
        table.heard(),
        [
            "2 is refused: the peer has given the id 7 to a path before",
            "2 has other methods of World",
            "2 is refused: the server has no such node",
            "2 is refused: the peer has no authority over \"World\"",
            "2 is refused: the peer has no authority over \"World\"",
            "2 is refused: the server has no such node",
            "2 calls World.add[1, 1]",
        ]
    );
}

/// A client of Godot 4.0 to 4.2 confirms by path, and understands only answers by path.
#[test]
fn a_peer_that_confirms_paths_is_answered_by_path() {
    let mut table = Table::of([2]);
    table.announce(2, 7, "World");
    table.announce(2, 8, "Spawner");
    table.send(2, &call(WORLD, "add", &[2, 3]));
    let path = format!("2: path 1 World {}", self::table().checksum());
    // The server does not know yet whether the peer confirms by id or by path. It answers by id, as most peers do.
    assert_eq!(
        table.sent(),
        ["2: confirm 7 false", "2: confirm 8 true", &path, "2: call World.4 [5]"]
    );
    table.send(2, b"\x02\x01World\0");
    assert_eq!(table.sent(), ["2: confirm World false", "2: confirm Spawner true"]);
    // Now the server knows that the peer confirms by path.
    table.send(2, &call(WORLD, "add", &[2, 4]));
    table.announce(2, 9, "Own/Sync");
    table.send(2, b"\x02\x01World\0");
    assert_eq!(table.sent(), ["2: call 1.4 [6]", "2: confirm Own/Sync true"]);
    // A confirmation of an unknown path or id is not an offence. A damaged confirmation is an offence.
    table.heard();
    table.send(2, b"\x02\x01Nowhere\0");
    assert!(table.heard().is_empty());
    table.send(2, b"\x02\x01World\0\0");
    assert!(table.heard()[0].contains("refused"));
    assert!(table.sent().is_empty());
}

#[test]
fn a_wrong_call_is_an_offence() {
    let mut table = Table::of([2]);
    table.send(2, &call(WORLD, "add", &[1]));
    table.send(2, &call(NodeRef::Path("/root/World"), "add", &[1, 2]));
    table.send(2, b"\x20\x09\0\0\x80\x63\x01\x02\x05World\0");
    table.send(2, b"\x20\x09\0\0\x80\0\x01\x42\x05World\0");
    table.send(2, b"");
    table.say(2, Message::System(System::AddPeer(9)));
    assert_eq!(
        table.heard(),
        [
            "2 calls World.add[1]",
            "2 is refused: add of \"World\": expected a tuple of size 2, found 1 elements",
            "2 is refused: the server has no such node",
            "2 is refused: \"World\" has no method 99",
            "2 is refused: int value needs 2 bytes, 1 are left at byte 8",
            "2 is refused: header needs 1 bytes, 0 are left at byte 0",
            "2 is refused: only a server may send this",
        ]
    );
    assert!(table.sent().is_empty());
}

#[test]
fn too_many_offences_close_the_peer_alone() {
    let mut table = Table::limited([2, 3], |limits| limits.offences = 3);
    for _ in 0..9 {
        table.send(2, b"");
    }
    table.send(3, &call(WORLD, "add", &[1, 2]));
    let sent = table.sent();
    assert_eq!(sent.iter().filter(|line| *line == "2 is closed").count(), 1);
    assert!(sent.contains(&"3: del 2".to_owned()));
    assert!(sent.contains(&"3: call World.4 [3]".to_owned()));
    let refusals = table.heard().iter().filter(|line| line.contains("refused")).count();
    assert_eq!(refusals, 4);
}

#[test]
fn floods_are_dropped_and_time_heals() {
    let mut table = Table::limited([2], |limits| (limits.packets, limits.offences) = (10, 1_000));
    for _ in 0..50 {
        table.send(2, &[3, 1]);
    }
    let count =
        |heard: &[String], what: &str| heard.iter().filter(|line| line.contains(what)).count();
    let heard = table.heard();
    assert_eq!((count(&heard, "sends"), count(&heard, "refused")), (20, 30));
    table.now += Duration::from_millis(500);
    for _ in 0..50 {
        table.send(2, &[3, 1]);
    }
    assert_eq!(count(&table.heard(), "sends"), 5);

    let mut table = Table::limited([2], |limits| limits.packet = 100);
    table.send(2, &[3; 101]);
    assert_eq!(table.heard(), ["2 is refused: larger packet or state than the limits allow"]);
}

#[test]
fn relays_have_the_sender_and_not_what_the_packet_claims() {
    let mut table = Table::of([2, 3, 4]);
    let raw = &[3, 9][..];
    for (target, sent) in [
        (3, vec!["3: relay 2 raw [9]"]),
        (2, vec!["2: relay 2 raw [9]"]),
        (1, vec![]),
        (99, vec![]),
        (0, vec!["3: relay 2 raw [9]", "4: relay 2 raw [9]"]),
        (-1, vec!["3: relay 2 raw [9]", "4: relay 2 raw [9]"]),
        (-3, vec!["4: relay 2 raw [9]"]),
        (i32::MIN, vec!["3: relay 2 raw [9]", "4: relay 2 raw [9]"]),
    ] {
        table.relay(2, target, raw);
        assert_eq!(table.sent(), sent, "{target}");
        let heard = table.heard();
        let is_heard = ![1, 2, 3, 99, -1].contains(&target);
        assert_eq!(
            heard,
            if is_heard { vec!["2 sends [9] Reliable 0"] } else { vec![] },
            "{target}"
        );
    }
    // A relay in a relay is refused. So is a call whose arguments do not decode.
    let nested = Packet::new(Message::System(System::Relay(Relay::new(3, raw)))).to_vec();
    table.relay(2, 3, &nested);
    table.relay(2, 3, b"\0\x01\0\x01\x42\x05");
    assert!(table.sent().is_empty());
    assert_eq!(
        table.heard(),
        [
            "2 is refused: system packet within a relayed one at byte 6",
            "2 is refused: int value needs 2 bytes, 1 are left at byte 11",
        ]
    );
    // The delivery of a packet is kept.
    let delivery = Delivery { mode: TransferMode::UnreliableOrdered, channel: 5 };
    let relay = Packet::new(Message::System(System::Relay(Relay::new(3, raw)))).to_vec();
    table.server.handle(Input::Received { from: peer(2), bytes: &relay, delivery }, table.now);
    let Some(Output::Send { delivery: kept, .. }) = table.server.output() else { panic!() };
    assert_eq!(kept, delivery);
}

#[test]
fn one_peer_cannot_fill_the_network_by_relays() {
    let mut table = Table::limited(2..102, |limits| limits.relayed = 10_000);
    for _ in 0..100 {
        table.relay(2, -1, &[3, 1]);
    }
    // Each relay reaches 99 peers, and costs 72 bytes for each.
    assert_eq!(table.sent().len(), 2 * 99);
}

#[test]
fn peers_authenticate_themselves_first() {
    let mut table = Table::new(ServerOptions::default().authentication(true), [2]);
    table.send(2, &[3, 1]);
    table.authenticate(2, b"who?");
    table.authenticate(2, b"ticket");
    assert_eq!(table.sent(), [r"2: auth [121, 111, 117, 33]", "2: auth []"]);
    assert!(!table.has(2));
    table.authenticate(2, b"");
    assert!(table.has(2));
    table.connect(3);
    table.authenticate(3, b"");
    table.authenticate(3, b"nonsense");
    assert_eq!(table.sent(), ["3 is closed"]);
    assert_eq!(
        table.heard(),
        [
            "2 is refused: the peer has not authenticated itself yet",
            "2 shows [119, 104, 111, 63]",
            "2 shows [116, 105, 99, 107, 101, 116]",
            "2 is there",
            "3 is authenticating",
            "3 shows [110, 111, 110, 115, 101, 110, 115, 101]",
            "3 is refused: authentication refused, or not asked for",
            "3 has failed",
        ]
    );
    // A silent peer is closed in time.
    table.connect(4);
    let wake = table.server.wake_at().unwrap();
    assert_eq!(wake, table.now + Duration::from_secs(3));
    table.server.handle(Input::Tick, wake - Duration::from_millis(1));
    assert!(table.sent().is_empty());
    table.server.handle(Input::Tick, wake);
    assert_eq!(table.sent(), ["4 is closed"]);
    assert_eq!(table.server.wake_at(), None);
}

/// No data means `complete_auth`, so the server sends it only when it accepts a peer.
#[test]
fn data_goes_to_peers_that_authenticate_themselves() {
    let mut table = Table::new(ServerOptions::default().authentication(true), [2, 3]);
    table.authenticate(3, b"ticket");
    table.authenticate(3, b"");
    table.sent();
    let network = table.server.network();
    assert_eq!([2, 3, 99].map(|id| network.has_peer(peer(id))), [false, true, false]);
    for data in [&b""[..], b"more?"] {
        for id in [2, 3, 99] {
            network.send_auth(peer(id), data);
        }
    }
    assert_eq!(table.sent(), [format!("2: auth {:?}", b"more?")]);
}

#[test]
fn refusals_have_their_cause() {
    let send_error = || SendError::from(WriteError::TooManyArguments);
    let (node, method) = (Arc::from("World"), Box::from("add"));
    let packet = Packet::parse(b"").unwrap_err();
    let path = PathError::LimitExceeded;
    let unknown = Refusal::UnknownMethod { node: Arc::clone(&node), id: 9 };
    let call = Refusal::Call { node, method, error: Box::new(send_error()) };
    let errors: [(&dyn Error, Option<String>); 8] = [
        (&Refusal::Packet(packet), Some(packet.to_string())),
        (&Refusal::Path(path), Some(path.to_string())),
        (&call, Some(send_error().to_string())),
        (&Refusal::Flood, None),
        (&unknown, None),
        (&send_error(), Some(WriteError::TooManyArguments.to_string())),
        (&SendError::NoIds, None),
        (&WriteError::TooManyArguments, None),
    ];
    for (error, cause) in errors {
        assert_eq!(error.source().map(ToString::to_string), cause, "{error:?}");
    }
}

#[test]
fn a_client_that_wants_to_authenticate_itself_is_not_left_waiting() {
    let mut table = Table::of([2]);
    table.authenticate(2, b"token");
    table.authenticate(2, b"");
    assert_eq!(table.sent(), ["2: auth []"]);
}

#[test]
fn nodes_appear_change_and_disappear() {
    let mut table = Table::of([2]);
    let network = table.server.network();
    let state = to_row(&(1, 2)).unwrap();
    let orc =
        network.spawn("Spawner", NewNode::scene(0, "Orc").synchronizers(1).state(state)).unwrap();
    let elf = network.spawn("Spawner", NewNode::custom(vec![2, 77], "Elf")).unwrap();
    let path = format!("2: path 1 Spawner {}", RpcTable::default().checksum());
    assert_eq!(
        table.sent(),
        [
            &path[..],
            "2: spawn 1 Orc scene 0 below 1 [2] [1, 2]",
            "2: spawn 3 Elf argument 77 below 1 [] []",
        ]
    );
    let network = table.server.network();
    let row = to_row(&(5,)).unwrap();
    network.sync(Target::All, &[(orc.synchronizers[0], &row[..])]);
    network.delta(Target::Peer(peer(2)), orc.synchronizers[0], 2, &row);
    assert_eq!(table.sent(), ["2: sync 1 {2: [5]}", "2: delta [(2, 2, [5])]"]);
    // A peer that joins later sees the current nodes.
    let network = table.server.network();
    network.set_spawn_state(orc.node, to_row(&(3, 4)).unwrap()).unwrap();
    network.despawn(elf.node).unwrap();
    table.connect(3);
    assert_eq!(
        table.sent(),
        [
            "2: despawn 3",
            "2: add 3",
            "3: add 2",
            &path.replace("2: ", "3: "),
            "3: spawn 1 Orc scene 0 below 1 [2] [3, 4]",
        ]
    );
    assert!(table.server.network().despawn(elf.node).is_err());
}

#[test]
fn long_states_fill_several_packets() {
    let mut table = Table::of([2]);
    let row = to_row(&(1..200).collect::<Vec<i64>>()).unwrap();
    let states: Vec<_> = (1..10).map(|id| (NetId::of_path(id), &row[..])).collect();
    table.server.network().sync(Target::All, &states);
    let mut seen = 0;
    while let Some(Output::Send { bytes, delivery, .. }) = table.server.output() {
        assert!(bytes.len() <= 1_350);
        assert_eq!(delivery.mode, TransferMode::Unreliable);
        let Message::Sync(sync) = Packet::parse(&bytes).unwrap().message else { panic!() };
        seen += sync.states.iter().count();
    }
    assert_eq!(seen, states.len());
}

/// A packet of states has at most 1,350 bytes: 3 bytes, and 8 bytes before each state.
#[test]
fn states_share_a_packet_up_to_its_size() {
    let mut table = Table::of([2]);
    let mut packets = |sizes: &[usize]| -> Vec<usize> {
        let rows: Vec<_> = sizes.iter().map(|size| vec![0x80; *size]).collect();
        let states: Vec<_> = rows.iter().map(|row| (NetId::of_path(1), &row[..])).collect();
        table.server.network().sync(Target::All, &states);
        let outputs = std::iter::from_fn(|| table.server.output());
        outputs
            .map(|output| match output {
                Output::Send { bytes, .. } => bytes.len(),
                other => panic!("{other:?}"),
            })
            .collect()
    };
    assert_eq!(packets(&[600, 730]), [1_349]);
    assert_eq!(packets(&[600, 731]), [1_350]);
    assert_eq!(packets(&[600, 732]), [611, 743]);
    assert_eq!(packets(&[600, 721, 2]), [1_350]);
    assert_eq!(packets(&[600, 722, 2]), [1_341, 13]);
    // A larger state has its own packet.
    assert_eq!(packets(&[1, 2_000, 1, 1]), [12, 2_011, 21]);
}

#[test]
fn each_receiver_has_a_separate_clock() {
    let mut table = Table::of([2, 3]);
    let row = to_row(&(5,)).unwrap();
    let states = [(NetId::of_path(9), &row[..])];
    table.server.network().sync(Target::Peer(peer(2)), &states);
    table.server.network().sync(Target::Peer(peer(2)), &states);
    table.server.network().sync(Target::All, &states);
    table.server.network().sync(Target::All, &[]);
    let sent = [(2, 1), (2, 2), (2, 3), (3, 1)]
        .map(|(to, time)| format!("{to}: sync {time} {{{}: [5]}}", states[0].0.to_wire()));
    assert_eq!(table.sent(), sent);
}

/// States of synchronizers with the same time.
fn states(time: u16, ids: &[NetId]) -> Vec<u8> {
    let mut bytes = Vec::new();
    variant_multiplayer::Sync::begin(time, &mut bytes);
    for id in ids {
        push_state(*id, &[2, 7], &mut bytes);
    }
    bytes
}

#[test]
fn states_come_from_who_has_the_authority() {
    let mut table = Table::of([2, 3]);
    table.server.network().add_node(Node::new("Own/Other").authority(peer(2)));
    for id in [2, 3] {
        table.announce(id, 5, "Own/Sync");
        table.announce(id, 6, "Own/Other");
    }
    table.heard();
    let mut sync = |from: i32, time: u16, ids: &[NetId]| {
        table.send(from, &states(time, ids));
        table.heard()
    };
    let [own, other] = [5, 6].map(NetId::of_path);
    let heard = |id: NetId, path: &str| format!("2 is {} {path:?} None [7]", id.to_wire());
    let (of_own, of_other) = (heard(own, "Own/Sync"), heard(other, "Own/Other"));
    assert_eq!(sync(2, 10, &[own]), [&*of_own]);
    // Packets with the same time are parts of one synchronization.
    assert_eq!(sync(2, 10, &[other]), [&*of_other]);
    assert!(sync(2, 10, &[own, other]).is_empty(), "it is not newer");
    assert!(sync(2, 9, &[own]).is_empty());
    assert_eq!(sync(2, 11, &[own, other]), [of_own, of_other]);
    assert!(sync(2, 12, &[NetId::new(99)]).is_empty(), "it was never spawned here");
    // States of other peers' nodes and of missing nodes are skipped, since nodes may disappear and change authority.
    let unknown = NetId::of_path(7);
    assert!(sync(3, 1, &[own, other]).is_empty());
    assert_eq!(sync(2, 13, &[unknown, own]), [heard(own, "Own/Sync")]);
    let mut delta = |mask: u64| {
        let mut bytes = Vec::new();
        variant_multiplayer::Delta::begin(&mut bytes);
        variant_multiplayer::push_change(own, mask, &[2, 8], &mut bytes);
        table.send(2, &bytes);
        table.heard()
    };
    assert_eq!(delta(1), [format!("2 is {} \"Own/Sync\" Some(1) [8]", own.to_wire())]);
    for mask in [0, 3] {
        assert_eq!(
            delta(mask),
            ["2 is refused: a change has another number of values than its mask"]
        );
    }
}

#[test]
fn states_come_from_the_new_authority() {
    let mut table = Table::of([2, 3]);
    for id in [2, 3] {
        table.announce(id, 5, "Own/Sync");
    }
    table.heard();
    let own = NetId::of_path(5);
    let heard = |id: i32| vec![format!("{id} is {} \"Own/Sync\" None [7]", own.to_wire())];
    for (time, authority) in [(1, 2), (2, 3), (3, 1), (4, 2)] {
        assert!(table.server.network().set_authority("Own/Sync", peer(authority)));
        assert!(!table.server.network().set_authority("Nowhere", peer(authority)));
        for from in [2, 3] {
            table.send(from, &states(time, &[own]));
            let expected = if from == authority { heard(from) } else { vec![] };
            assert_eq!(table.heard(), expected, "from {from} under {authority}");
        }
    }
}

/// The simulation in `variant-testkit` found this sequence of events. The program closes the peer at the first change,
/// so the second is not reported.
#[test]
fn states_after_the_end_of_a_peer_are_not_reported() {
    let mut table = Table::of([2]);
    table.announce(2, 5, "Own/Sync");
    table.heard();
    let mut bytes = Vec::new();
    variant_multiplayer::Delta::begin(&mut bytes);
    for value in [CLOSING, 7] {
        let row = to_row(&(value,)).unwrap();
        variant_multiplayer::push_change(NetId::of_path(5), 1, &row, &mut bytes);
    }
    table.send(2, &bytes);
    let heard = ["2 is 2147483653 \"Own/Sync\" Some(1) [66]", "2 is gone: closed by the server"];
    assert_eq!(table.heard(), heard);
}

#[test]
fn clients_spawn_where_they_have_the_authority() {
    let mut table = Table::of([2, 3]);
    table.announce(2, 1, "Own/Sync");
    table.announce(2, 2, "Spawner");
    table.heard();
    let mut spawn = |spawner: u32, node: u32, name: &str, state: &[u8]| {
        let mut spawn = Spawn::new(SpawnSource::Scene(0), spawner, NetId::new(node), name);
        spawn.state = CompactValues::new(state, Dialect::Godot4);
        table.say(2, Message::Spawn(spawn));
        table.heard()
    };
    assert_eq!(spawn(1, 8, "Orc", &[2, 5]), ["2 spawns Orc below Own/Sync"]);
    let refused = |what: &str| [format!("2 is refused: {what}")];
    assert_eq!(spawn(2, 9, "Orc", &[]), refused("the peer has no authority over \"Spawner\""));
    assert_eq!(spawn(3, 9, "Orc", &[]), refused("the server has no such node"));
    let not = refused("the node cannot be spawned or removed");
    assert_eq!(spawn(1, 8, "Elf", &[]), not, "the id is in use");
    assert_eq!(spawn(1, 9, "a/b", &[]), not);
    let cut = refused("int value needs 2 bytes, 1 are left at byte 23");
    assert_eq!(spawn(1, 9, "Elf", &[0x42, 5]), cut);
    table.say(2, Message::Despawn(NetId::new(9)));
    table.say(3, Message::Despawn(NetId::new(8)));
    table.say(2, Message::Despawn(NetId::new(8)));
    let three = not[0].replace('2', "3");
    assert_eq!(table.heard(), [&not[0], &three, "2 removes 8"]);
}

#[test]
fn spawned_nodes_of_one_peer_are_limited() {
    let mut table = Table::limited([2], |limits| limits.paths = PathLimits::SERVER.paths(2));
    table.announce(2, 1, "Own/Sync");
    table.heard();
    let mut spawn = |node: u32| {
        let spawn = Spawn::new(SpawnSource::Scene(0), 1, NetId::new(node), "Orc");
        table.say(2, Message::Spawn(spawn));
        if node == 3 {
            table.say(2, Message::Despawn(NetId::new(1)));
        }
        table.heard()
    };
    let spawned = "2 spawns Orc below Own/Sync";
    assert_eq!((spawn(1), spawn(2)), (vec![spawned.to_owned()], vec![spawned.to_owned()]));
    assert_eq!(spawn(3), ["2 is refused: the node cannot be spawned or removed", "2 removes 1"]);
    assert_eq!(spawn(4), [spawned], "there is room again");
}

#[test]
fn paths_of_one_peer_are_limited() {
    let mut table = Table::limited([2, 3], |limits| limits.paths = PathLimits::SERVER.paths(2));
    let mut tell = |from: i32, id: u32, path: &str| {
        table.announce(from, id, path);
        (table.sent(), table.heard())
    };
    tell(2, 0, "Spawner");
    tell(2, 1, "Own/Sync");
    let (sent, heard) = tell(2, 2, "World");
    assert!(sent.is_empty());
    assert_eq!(heard, ["2 is refused: more paths of one peer than the limits allow"]);
    // A recreated node has a new id. The earlier id is unused.
    assert_eq!(tell(2, 3, "Spawner").0, ["2: confirm 3 true"]);
    assert_eq!(tell(2, 4, "Own/Sync").0, ["2: confirm 4 true"]);
    assert_eq!(tell(3, 0, "Spawner").0, ["3: confirm 0 true"]);
}

/// A client with the server's number would have the authority over all nodes, so the server closes it.
#[test]
fn nobody_joins_as_the_server() {
    let mut table = Table::of([]);
    table.connect(1);
    table.send(1, &call(WORLD, "secret", &[]));
    assert_eq!(table.sent(), ["1 is closed"]);
    assert!(table.heard().is_empty());
}

#[test]
fn a_closed_peer_leaves_at_once() {
    let mut table = Table::of([2, 3]);
    table.send(2, &call(WORLD, "leave", &[]));
    // These packets arrive in the same batch, before the outputs are taken.
    table.send(2, &call(WORLD, "add", &[1, 2]));
    table.send(2, &call(WORLD, "leave", &[]));
    table.server.network().disconnect(peer(2));
    table.server.network().send_bytes(Target::All, b"x", Delivery::RELIABLE);
    assert_eq!(table.sent(), ["2 is closed", "3: del 2", "3: raw [120]"]);
    assert_eq!(table.heard(), ["2 calls World.leave[]", "2 is gone: closed by the server"]);
}

#[test]
fn a_refusal_is_final() {
    let mut table = Table::new(ServerOptions::default().authentication(true), [2]);
    table.authenticate(2, b"guess");
    table.authenticate(2, b"ticket");
    table.authenticate(2, b"");
    table.send(2, &call(WORLD, "add", &[1, 2]));
    assert_eq!(table.sent(), ["2 is closed"]);
    let shown = format!("2 shows {:?}", b"guess");
    let refused = "2 is refused: authentication refused, or not asked for";
    assert_eq!(table.heard(), [&*shown, refused, "2 has failed"]);
    // An accepted peer stays accepted.
    table.connect(3);
    table.authenticate(3, b"ticket");
    table.authenticate(3, b"guess");
    table.authenticate(3, b"");
    assert!(table.has(3));
}

#[test]
fn an_answer_may_take_time() {
    let mut table = Table::new(ServerOptions::default().authentication(true), [2]);
    assert!(table.server.network().address(peer(2)).is_some());
    table.authenticate(2, b"who?");
    table.authenticate(2, b"");
    assert!(!table.has(2));
    // The program accepts between two events. A task of the program may do so.
    assert!(table.server.network().accept(peer(2)));
    assert_eq!(table.sent(), ["2: auth [121, 111, 117, 33]", "2: auth []"]);
    assert!(table.has(2));
    assert!(!table.server.network().accept(peer(2)), "it is there");
    assert_eq!(table.heard().last().map(String::as_str), Some("2 is there"));
}

#[test]
fn nobody_is_closed_for_what_others_send() {
    let mut table =
        Table::limited([2, 3, 4], |limits| (limits.received, limits.offences) = (1_000, 50));
    let raw = [&[3][..], &[7; 100]].concat();
    for _ in 0..40 {
        table.relay(2, 3, &raw);
    }
    // Each packet costs 171 bytes of a burst of 2,000.
    assert_eq!(table.sent().len(), 11);
    let flood = "2 is refused: more packets or bytes a second than the limits allow";
    assert_eq!(table.heard().iter().filter(|line| *line == flood).count(), 29);
    table.relay(2, -1, &raw);
    assert_eq!(table.sent().len(), 1, "another one can take it");
}

/// Answers each call of a peer with 5 KB to all peers, like a game in which one call causes much traffic.
struct Loud(Vec<String>);

impl Handler for Loud {
    type Event = ();

    fn call(&mut self, _: Call<'_>, network: &mut Network) -> CallResult {
        network.send_bytes(Target::All, &[7; 5_000], Delivery::RELIABLE);
        Ok(())
    }

    fn bytes(&mut self, _: PeerId, bytes: &[u8], _: Delivery, network: &mut Network) {
        network.send_bytes(Target::All, &bytes.repeat(500), Delivery::RELIABLE);
    }

    fn refused(&mut self, peer: PeerId, refusal: &Refusal, _: &mut Network) {
        self.0.push(format!("{peer}: {refusal}"));
    }
}

/// The bytes sent to each of three peers in two seconds. The first `hostile` peers send as much as they can.
fn loudness(hostile: i32, packet: &[u8]) -> (Vec<usize>, Vec<String>) {
    let mut server = Server::new(Loud(Vec::new()), ServerOptions::default(), [world()]);
    let mut now = Instant::now();
    let all = 2..=hostile + 3;
    all.clone()
        .for_each(|id| server.handle(Input::Connected { peer: peer(id), address: None }, now));
    let mut sent = vec![0; all.clone().count()];
    for _ in 0..200 {
        for id in 2..hostile + 2 {
            for _ in 0..20 {
                let (from, delivery) = (peer(id), Delivery::RELIABLE);
                server.handle(Input::Received { from, bytes: packet, delivery }, now);
            }
        }
        while let Some(output) = server.output() {
            let Output::Send { to, bytes, .. } = output else { panic!("{output:?}") };
            sent[usize::try_from(to.get() - 2).unwrap()] += bytes.len();
        }
        now += Duration::from_millis(10);
    }
    (sent, server.into_handler().0)
}

/// The bytes that a handler sends to all peers in answer to one peer are bounded. So the transport's backlog of 1 MiB
/// does not overflow: within two seconds, each peer gets at most 1 MiB plus the bytes that the transport sends in this
/// time.
#[test]
fn nobody_is_sent_without_end_by_a_handler() {
    let limits = ServerLimits::DEFAULT;
    let (rate, longest) = (usize::try_from(limits.received).unwrap(), 65_536);
    let said = call(WORLD, "all", &[]);
    for packet in [&said[..], &[3, 1, 2, 3, 4]] {
        let (sent, heard) = loudness(1, packet);
        // One peer can use half of another peer's allowance: the burst, the refill of two seconds, and one more answer.
        assert!(sent[1] <= 2 * rate + longest, "{sent:?}");
        assert_eq!(sent[1], sent[2], "both hear all of it");
        let over = "2: more is sent to others than the limits allow";
        assert!(heard.iter().any(|line| line == over));
        let (sent, _) = loudness(12, packet);
        assert!(sent[12..].iter().all(|sent| *sent <= 4 * rate + longest), "{sent:?}");
    }
}

/// A relay to a receiver whose allowance other peers have used up is not an offence of the sender.
#[test]
fn a_full_receiver_is_not_an_offence_of_others() {
    let mut table =
        Table::limited([2, 3, 4], |limits| (limits.received, limits.offences) = (1_000, 1_000));
    // Each packet costs 200 bytes of a burst of 2,000.
    let raw = [&[3][..], &[7; 129]].concat();
    for _ in 0..20 {
        table.relay(2, 4, &raw);
    }
    table.heard();
    table.relay(3, 4, &raw);
    table.relay(2, 4, &raw);
    assert_eq!(
        table.heard(),
        [
            "3 is refused: more is sent to others than the limits allow",
            "2 is refused: more packets or bytes a second than the limits allow"
        ]
    );
    // The answer to a call skips a peer without allowance. Others get the answer.
    table.sent();
    table.send(3, &call(WORLD, "all", &[]));
    let sent = table.sent();
    let calls: Vec<_> =
        sent.iter().filter(|line| line.contains("call")).map(|line| &line[..1]).collect();
    assert_eq!(calls, ["2", "3"], "{sent:?}");
    // Peer 4 got the announcement although it has no allowance: the path is not announced again.
    assert_eq!(sent.iter().filter(|line| line.contains("path")).count(), 3);
    assert_eq!(table.heard()[1], "3 is refused: more is sent to others than the limits allow");
    table.now += Duration::from_secs(1);
    table.send(3, &call(WORLD, "all", &[]));
    assert_eq!(table.sent().len(), 3, "time heals");
}

#[test]
fn offences_are_forgiven_in_time() {
    let mut table = Table::limited([2], |limits| limits.offences = 3);
    for _ in 0..20 {
        table.send(2, b"");
        table.now += Duration::from_secs(1);
    }
    assert!(table.has(2));
    (0..4).for_each(|_| table.send(2, b""));
    assert!(!table.has(2));
}

#[test]
fn nodes_that_no_client_takes_are_not_spawned() {
    let mut table = Table::of([]);
    let network = table.server.network();
    network.spawn("Spawner", NewNode::scene(0, "Orc")).unwrap();
    for name in ["Orc", "a/b", "", "a\0"] {
        assert!(network.spawn("Spawner", NewNode::scene(0, name)).is_err(), "{name}");
    }
    assert!(network.spawn("Spawner", NewNode::scene(255, "Elf")).is_err());
    // The limits for peers do not apply to the program's states: a full object, and an incomplete value.
    let object = b"\x18\0\0\0\x04\0\0\0Node\0\0\0\0".to_vec();
    assert!(
        network.spawn("Spawner", NewNode::scene(0, "Dwarf").state(object[..12].to_vec())).is_err()
    );
    network.spawn("Spawner", NewNode::scene(0, "Dwarf").state(object)).unwrap();
    assert!(network.spawn("Nowhere", NewNode::scene(0, "Elf")).is_err());
    assert!(network.spawn("Spawner", NewNode::scene(0, "Elf").state(vec![0x42, 1])).is_err());
    for argument in [&[][..], &[2, 5, 2, 6], &[0x42, 5]] {
        let argument = argument.to_vec();
        assert!(network.spawn("Spawner", NewNode::custom(argument, "Elf")).is_err());
    }
    assert!(network.spawn("Spawner", NewNode::custom(vec![2, 5], "Elf")).is_ok());
}

#[test]
fn a_node_that_is_gone_has_no_id() {
    let mut table = Table::of([2]);
    table.send(2, &call(WORLD, "add", &[2, 3]));
    table.say(2, Message::ConfirmPath(ConfirmPath::new(1, true)));
    assert!(table.server.network().remove_node("World"));
    assert!(!table.server.network().remove_node("World"), "it is gone");
    table.heard();
    table.send(2, &call(WORLD, "add", &[2, 4]));
    assert_eq!(table.heard(), ["2 is refused: the server has no such node"]);
    table.server.network().add_node(world());
    table.sent();
    table.send(2, &call(WORLD, "add", &[2, 4]));
    let path = format!("2: path 2 World {}", self::table().checksum());
    assert_eq!(table.sent(), [&path[..], "2: call World.4 [6]"]);
}

/// A call to some peers is written once, and sent only to connected peers.
#[test]
fn calls_go_to_some_peers() {
    let mut table = Table::of([2, 3, 4]);
    let some: Audience = [2, 4, 99].into_iter().map(peer).collect();
    table.server.network().rpc(some, "World", "sum", &(9,)).unwrap();
    let calls: Vec<_> = table.sent().into_iter().filter(|line| line.contains("call")).collect();
    assert_eq!(calls, ["2: call World.4 [9]", "4: call World.4 [9]"]);
    let error = table.server.network().rpc(Target::All, "World", "summ", &(9,)).unwrap_err();
    assert_eq!(error.to_string(), "the server's node \"World\" has no remote method \"summ\"");
}

#[test]
fn ticks_come_in_time() {
    let options = ServerOptions::default().tick(Duration::from_millis(50));
    let mut table = Table::new(options, []);
    // A server has no clock. The first input sets its time, and the first tick is due then.
    assert_eq!(table.server.wake_at(), None);
    let early = Table::new(options, [2]);
    assert_eq!(early.server.wake_at(), Some(early.now));
    // A transport sends this input at its start.
    table.server.handle(Input::Tick, table.now);
    let first = table.server.wake_at().unwrap();
    table.server.handle(Input::Tick, first - Duration::from_millis(1));
    assert_eq!(table.heard(), ["tick"]);
    // A late tick does not delay the next tick. Missed ticks are not repeated: if the next time is already past, or is
    // now, the next tick is one interval from now.
    let mut due = first;
    for (late, next) in [(20, 50), (0, 50), (49, 50), (50, 100), (51, 101), (500, 550)] {
        let [now, next] = [late, next].map(|time| due + Duration::from_millis(time));
        table.server.handle(Input::Tick, now);
        assert_eq!(table.server.wake_at(), Some(next), "{late} ms late");
        table.server.handle(Input::Tick, next - Duration::from_millis(1));
        assert_eq!(table.heard(), ["tick"], "{late} ms late");
        due = next;
    }
}

#[test]
fn numbers_of_peers_and_totals_are_counted() {
    let mut table = Table::limited([2, 3], |limits| limits.received = 100);
    table.relay(2, 3, &[3, 1]);
    table.relay(2, 3, &[3, 2, 2, 2]);
    table.relay(2, 3, &[3; 300]);
    table.send(3, &[]);
    let sent = table.sent().len();
    let network = table.server.network();
    let [red, blue] = [2, 3].map(|id| network.stats(peer(id)).unwrap());
    assert_eq!((red.packets_received, red.refusals, red.round_trip), (3, 1, None));
    assert_eq!((blue.packets_received, blue.bytes_received, blue.refusals), (1, 0, 1));
    assert_eq!((sent, blue.skipped), (2, 1), "two relays fit");
    let measured =
        Input::Measured { peer: peer(3), round_trip: Duration::from_millis(7), waiting: 99 };
    table.server.handle(measured, table.now);
    let stats = table.server.network().stats(peer(3)).unwrap();
    assert_eq!((stats.round_trip, stats.waiting), (Some(Duration::from_millis(7)), 99));
    // Totals keep the statistics of peers that have left, except the waiting bytes.
    let before = table.server.network().totals();
    assert_eq!((before.packets_received, before.refusals, before.waiting), (4, 2, 99));
    let gone = Input::Disconnected { peer: peer(3), why: Departure::Left };
    table.server.handle(gone, table.now);
    assert!(table.server.network().stats(peer(3)).is_none());
    let after = table.server.network().totals();
    // The other peer is notified by one packet.
    assert_eq!(after.packets_sent, before.packets_sent + 1);
    assert_eq!((after.skipped, after.waiting), (1, 0));
}

/// Nodes must reach everyone, so they are always sent. If a peer causes more bytes of nodes than its limits allow, its
/// next packets are dropped.
#[test]
fn nobody_is_closed_for_nodes_that_others_cause() {
    let mut table = Table::of(2..15);
    let zoo = call(WORLD, "zoo", &[]);
    for _ in 0..200 {
        (3..15).for_each(|id| table.send(id, &zoo));
    }
    let mut bytes = 0;
    while let Some(output) = table.server.output() {
        match output {
            Output::Send { to, bytes: packet, .. } if to == peer(2) => bytes += packet.len() + 64,
            Output::Close(id) => panic!("{id} is closed"),
            _ => {}
        }
    }
    assert!((1..variant_multiplayer::TransportLimits::SERVER.backlog).contains(&bytes), "{bytes}");
}
