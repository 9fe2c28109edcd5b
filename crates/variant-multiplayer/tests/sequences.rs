//! For any sequence of events, the reports of a server to its program and its transport are in order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use variant_multiplayer::server::{
    Authentication, Call, CallResult, Handler, Method, Network, NewNode, Node, Server,
    ServerLimits, ServerOptions,
};
use variant_multiplayer::{
    ConfirmPath, Delivery, Departure, Input, Message, MethodId, NetId, NodeRef, Output, Packet,
    PeerId, Relay, RpcTable, RpcWriter, Service, SimplifyPath, System, Target,
};

/// The program's state of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Pending,
    There,
}

/// Asserts that the server reports the events of each peer in order.
#[derive(Default)]
struct Watch {
    peers: BTreeMap<PeerId, Known>,
    /// Peers that are accepted, but not admitted yet.
    accepted: BTreeSet<PeerId>,
    authenticates: bool,
}

impl Watch {
    fn is_there(&self, peer: PeerId) {
        assert_eq!(self.peers.get(&peer), Some(&Known::There), "{peer}");
    }
}

impl Handler for Watch {
    type Event = ();

    fn authenticating(&mut self, peer: PeerId, _: &mut Network) {
        assert_eq!(self.peers.insert(peer, Known::Pending), None, "{peer} came twice");
        self.accepted.remove(&peer);
    }

    fn authenticate(&mut self, peer: PeerId, data: &[u8], _: &mut Network) -> Authentication {
        assert_eq!(self.peers.get(&peer), Some(&Known::Pending), "{peer}");
        match data {
            [1, ..] => {
                self.accepted.insert(peer);
                Authentication::Accept
            }
            [2, ..] => Authentication::Refuse,
            _ => Authentication::Wait,
        }
    }

    fn authentication_failed(&mut self, peer: PeerId) {
        assert_eq!(self.peers.remove(&peer), Some(Known::Pending), "{peer}");
    }

    fn connected(&mut self, peer: PeerId, network: &mut Network) {
        let before = self.peers.insert(peer, Known::There);
        assert_eq!(before, self.authenticates.then_some(Known::Pending), "{peer}");
        assert!(self.accepted.remove(&peer) || !self.authenticates, "{peer} was not accepted");
        assert!(network.has_peer(peer));
        if peer.get() == 5 {
            network.disconnect(peer);
        }
    }

    fn disconnected(&mut self, peer: PeerId, _: Departure, network: &mut Network) {
        assert_eq!(self.peers.remove(&peer), Some(Known::There), "{peer}");
        assert!(!network.has_peer(peer));
    }

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        self.is_there(call.from);
        match call.method {
            "kick" => {
                let (whom,): (i32,) = call.arguments.decode()?;
                network.disconnect(PeerId::new(whom).ok_or("no peer")?);
            }
            "all" => network.rpc(Target::All, "World", "all", &())?,
            _ => network.remove_node("World").then_some(()).ok_or("no such node")?,
        }
        Ok(())
    }

    fn bytes(&mut self, from: PeerId, _: &[u8], _: Delivery, network: &mut Network) {
        self.is_there(from);
        network.add_node(world());
    }
}

fn world() -> Node {
    ["all", "end", "kick"]
        .iter()
        .fold(Node::new("World"), |node, name| node.method(name, Method::ANY_PEER))
}

#[derive(Clone, Debug)]
enum Step {
    Connect(PeerId),
    Leave(PeerId),
    /// The program closes a peer between two events.
    Close(PeerId),
    /// The program accepts a peer between two events.
    Accept(PeerId),
    Send(PeerId, Vec<u8>),
    Tick(u16),
    Spawn(u8),
    Despawn(u8),
    Drain(u8),
}

fn packet() -> impl Strategy<Value = Vec<u8>> {
    let checksum = RpcTable::new(["all", "end", "kick"]).checksum();
    let message = |message: Message<'_>| Packet::new(message).to_vec();
    let call = |by_path: bool, method: u16, argument: Option<i64>| {
        let node = if by_path { NodeRef::Path("World") } else { NodeRef::id(1) };
        let mut bytes = Vec::new();
        let writer = RpcWriter::new(node, MethodId::new(method), &mut bytes);
        argument.into_iter().fold(writer, RpcWriter::int).finish().unwrap();
        bytes
    };
    let leaf = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..12),
        (any::<bool>(), 0..4_u16, prop::option::of(0..7_i64))
            .prop_map(move |(by_path, method, argument)| call(by_path, method, argument)),
        (0..4_u32, prop::sample::select(vec!["World", "Spawner", "Nowhere"])).prop_map(
            move |(id, path)| message(Message::SimplifyPath(SimplifyPath::new(id, path, checksum)))
        ),
        (0..4_u32).prop_map(move |id| message(Message::ConfirmPath(ConfirmPath::new(id, true)))),
        prop::collection::vec(0..4_u8, 0..3)
            .prop_map(move |data| message(Message::System(System::Auth(&data)))),
        Just(vec![3, 1]),
    ];
    let relayed = leaf.clone();
    prop_oneof![
        4 => leaf,
        1 => (-6..7_i32, relayed).prop_map(move |(target, inner)| {
            message(Message::System(System::Relay(Relay::new(target, &inner))))
        }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let peer = || (2..7).prop_map(|id| PeerId::client(id).unwrap());
    prop_oneof![
        3 => peer().prop_map(Step::Connect),
        1 => peer().prop_map(Step::Leave),
        1 => peer().prop_map(Step::Close),
        1 => peer().prop_map(Step::Accept),
        8 => (peer(), packet()).prop_map(|(from, packet)| Step::Send(from, packet)),
        1 => any::<u16>().prop_map(Step::Tick),
        1 => any::<u8>().prop_map(Step::Spawn),
        1 => any::<u8>().prop_map(Step::Despawn),
        2 => any::<u8>().prop_map(Step::Drain),
    ]
}

/// A transport that knows its open connections. It takes outputs at any time, and reuses numbers immediately.
#[derive(Default)]
struct Transport {
    open: BTreeSet<PeerId>,
}

impl Transport {
    /// Takes outputs. After a `Close`, the connection gets no more outputs. A later connection of the same number gets
    /// none of the earlier outputs.
    fn take(&mut self, server: &mut Server<Watch>, most: usize) {
        for _ in 0..most {
            match server.output() {
                None => return,
                Some(Output::Send { to, bytes, .. }) => {
                    assert!(Packet::parse(&bytes).is_ok(), "{bytes:02x?}");
                    let is_known = server.handler().peers.contains_key(&to);
                    assert!(self.open.contains(&to) || !is_known, "{to} has no connection");
                }
                Some(Output::Close(peer)) => {
                    let known = server.handler().peers.get(&peer);
                    assert_eq!(known, None, "{peer} is closed, and the program does not know");
                    self.open.remove(&peer);
                }
                Some(other) => panic!("{other:?}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn events_keep_their_order(
        authenticates in any::<bool>(),
        steps in prop::collection::vec(step(), 0..120),
    ) {
        let mut limits = ServerLimits::DEFAULT;
        (limits.packets, limits.offences) = (40, 5);
        let watch = Watch { authenticates, ..Watch::default() };
        let options = ServerOptions::default().limits(limits).authentication(authenticates);
        let options = options.tick(Duration::from_millis(50));
        let mut server = Server::new(watch, options, [world(), Node::new("Spawner")]);
        let mut transport = Transport::default();
        let mut now = Instant::now();
        for step in steps {
            match step {
                Step::Connect(peer) => {
                    transport.open.insert(peer);
                    server.handle(Input::Connected { peer, address: None }, now);
                }
                Step::Leave(peer) => {
                    transport.open.remove(&peer);
                    server.handle(Input::Disconnected { peer, why: Departure::Left }, now);
                }
                Step::Close(peer) => server.network().disconnect(peer),
                Step::Accept(peer) => {
                    if server.network().accept(peer) {
                        server.handler_mut().accepted.insert(peer);
                    }
                }
                Step::Send(from, bytes) => {
                    let delivery = Delivery::RELIABLE;
                    server.handle(Input::Received { from, bytes: &bytes, delivery }, now);
                }
                Step::Tick(millis) => {
                    now += Duration::from_millis(millis.into());
                    server.handle(Input::Tick, now);
                }
                Step::Spawn(name) => {
                    let name = format!("Node{name}");
                    let _ = server.network().spawn("Spawner", NewNode::scene(0, &name).synchronizers(1).state(vec![2, 7]));
                }
                Step::Despawn(id) => drop(server.network().despawn(NetId::new(id.into()))),
                Step::Drain(most) => transport.take(&mut server, most.into()),
            }
            // The program knows the same peers, except those that it has closed or accepted since the last event.
            let there: BTreeSet<_> = server.network().peers().collect();
            let handler = server.handler();
            let known: BTreeSet<_> = handler.peers.keys().copied().collect();
            prop_assert!(there.is_subset(&known), "{:?} of {:?}", there, known);
            let is_there = |peer: &&PeerId| handler.peers.get(peer) == Some(&Known::There);
            prop_assert!(there.iter().all(|peer| is_there(&peer)));
        }
        transport.take(&mut server, usize::MAX);
        for peer in server.handler().peers.keys() {
            prop_assert!(transport.open.contains(peer));
        }
        // After all outputs, the connected peers are those that the program knows.
        let there: Vec<_> = server.network().peers().collect();
        let known = server.handler().peers.iter().filter(|(_, known)| **known == Known::There);
        prop_assert_eq!(there, known.map(|(peer, _)| *peer).collect::<Vec<_>>());
    }
}
