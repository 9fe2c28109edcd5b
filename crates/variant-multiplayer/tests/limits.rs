//! The resources that one peer may use. Each limit is exact: what equals the limit is taken, and more is refused.

use std::time::{Duration, Instant};

use variant_multiplayer::server::{
    Call, CallResult, Handler, Method, Network, Node, Refusal, Server, ServerLimits, ServerOptions,
};
use variant_multiplayer::{
    CompactValues, Delivery, Input, Message, NetId, PeerId, Service as _, Spawn, SpawnSource,
    Target,
};
use variant_view::Dialect;

use crate::server::{Table, WORLD, call, peer};

const FLOOD: &str = "2 is refused: more packets or bytes a second than the limits allow";
const OVERLOAD: &str = "2 is refused: more is sent to others than the limits allow";

#[test]
fn a_packet_may_have_the_size_of_the_limit() {
    let mut table = Table::limited([2], |limits| limits.packet = 100);
    table.send(2, &[3; 100]);
    assert!(table.heard()[0].starts_with("2 sends"));
    table.send(2, &[3; 101]);
    assert_eq!(table.heard(), ["2 is refused: larger packet or state than the limits allow"]);
}

#[test]
fn bytes_a_second_are_limited() {
    let mut table = Table::limited([2], |limits| limits.bytes = 100);
    let mut taken = |count: usize| {
        (0..count).for_each(|_| table.send(2, &[3; 50]));
        table.now += Duration::from_millis(500);
        let heard = table.heard();
        let refused = heard.iter().filter(|line| *line == FLOOD).count();
        assert_eq!(heard.len(), count);
        count - refused
    };
    assert_eq!(taken(6), 4, "a burst is twice the limit");
    assert_eq!(taken(3), 1);
}

/// A transport takes the outputs after each packet, so only a program that sends very much fills the queue.
#[test]
fn packets_are_relayed_while_the_queue_of_outputs_is_short() {
    let mut table = Table::of([2, 3]);
    for _ in 0..1 << 16 {
        table.server.network().send_bytes(peer(3), b"x", Delivery::RELIABLE);
    }
    table.relay(2, 3, &[3, 1]);
    assert!(table.heard().is_empty());
    table.relay(2, 3, &[3, 1]);
    assert_eq!(table.heard(), [OVERLOAD]);
    assert_eq!(table.sent().len(), (1 << 16) + 1);
    table.relay(2, 3, &[3, 1]);
    assert_eq!(table.sent(), ["3: relay 2 raw [1]"]);
}

/// A peer that gets many answers harms nobody else. The nodes that it causes appear for others too, so they count.
#[test]
fn answers_to_the_caller_are_not_counted() {
    let mut table = Table::limited([2], |limits| limits.relayed = 100);
    for _ in 0..100 {
        table.send(2, &call(WORLD, "add", &[1, 2]));
    }
    assert!(!table.heard().iter().any(|line| line.contains("refused")));
    let calls = table.sent().iter().filter(|line| line.contains("call World")).count();
    assert_eq!(calls, 100);
    for _ in 0..2 {
        table.send(2, &call(WORLD, "zoo", &[]));
    }
    assert_eq!(table.heard(), ["2 calls World.zoo[]", OVERLOAD]);
    // A debt is at most a burst, so the peer has paid it after two seconds.
    table.now += Duration::from_secs(2);
    table.send(2, &call(WORLD, "zoo", &[]));
    assert_eq!(table.heard(), ["2 calls World.zoo[]"]);
}

/// Sends to a node that is missing, or refuses the call itself.
#[derive(Default)]
struct Faulty(Vec<String>);

impl Handler for Faulty {
    type Event = ();

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        if call.method == "refuse" {
            return Err("not now".into());
        }
        Ok(network.rpc_with(Target::All, "Nowhere", "any", |call| Ok(call.int(5)))?)
    }

    fn refused(&mut self, peer: PeerId, refusal: &Refusal, _: &mut Network) {
        self.0.push(format!("{peer}: {refusal}"));
    }
}

/// A program that cannot send has a fault. The peer that called has none.
#[test]
fn only_faults_of_the_peer_are_offences() {
    let mut limits = ServerLimits::DEFAULT;
    limits.offences = 5;
    let world = Node::new("World").method("refuse", Method::ANY_PEER);
    let world = world.method("send", Method::ANY_PEER);
    let mut server =
        Server::new(Faulty::default(), ServerOptions::default().limits(limits), [world]);
    let now = Instant::now();
    server.handle(Input::Connected { peer: peer(2), address: None }, now);
    let mut stays = |method: u8, count: usize| {
        let bytes = [b"\xa0\x06\0\0\x80", &[method][..], b"World\0"].concat();
        for _ in 0..count {
            let delivery = Delivery::RELIABLE;
            server.handle(Input::Received { from: peer(2), bytes: &bytes, delivery }, now);
        }
        let lines = std::mem::take(&mut server.handler_mut().0);
        (server.network().has_peer(peer(2)), lines)
    };
    let (is_there, lines) = stays(1, 20);
    assert_eq!((is_there, lines.len()), (true, 20));
    assert_eq!(lines[0], "2: send of \"World\": the server has no node \"Nowhere\"");
    let (is_there, lines) = stays(0, 5);
    assert_eq!((is_there, lines.len()), (true, 5));
    assert_eq!(lines[0], "2: refuse of \"World\": not now");
    assert!(!stays(0, 1).0, "one offence too many");
}

/// The number of nodes of one size that peer 2 can have adopted.
fn adopted(limit: impl FnOnce(&mut ServerLimits)) -> usize {
    let mut table = Table::limited([2, 3], limit);
    table.announce(2, 1, "Own/Sync");
    let adopt = |index: &u32| {
        let name = format!("N{index}");
        let mut spawn = Spawn::new(SpawnSource::Scene(0), 1, NetId::new(70 + index), &name);
        spawn.state = CompactValues::new(&[2, 5], Dialect::Godot4);
        table.say(2, Message::Spawn(spawn));
        table.server.network().adopt(peer(2), &spawn, Target::All).is_ok()
    };
    (0..9).take_while(adopt).count()
}

#[test]
fn adopted_nodes_may_take_all_of_the_memory() {
    let node = (1..10_000).find(|most| adopted(|limits| limits.adopted = *most) == 1).unwrap();
    for (memory, count) in [(node - 1, 0), (2 * node - 1, 1), (2 * node, 2), (3 * node, 3)] {
        assert_eq!(adopted(|limits| limits.adopted = memory), count, "{memory} of a peer");
        assert_eq!(adopted(|limits| limits.all_adopted = memory), count, "{memory} of all");
    }
}
