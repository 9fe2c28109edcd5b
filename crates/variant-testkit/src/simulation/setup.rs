//! [`Setup`]: the server of a simulation.

use std::time::Duration;

use variant_multiplayer::PathLimits;
use variant_multiplayer::server::{Method, Node, ServerLimits, ServerOptions};
use variant_multiplayer::{Delivery, RpcTable, TransferMode};

/// The node whose methods clients and the server call.
pub(super) const WORLD: &str = "World";
/// The spawner of the server.
pub(super) const SPAWNER: &str = "Spawner";
/// A node that is removed and added again.
pub(super) const EXTRA: &str = "Extra";
/// The nodes that clients may get the authority over. Each node is both a spawner and a synchronizer.
pub(super) const SLOTS: [&str; 4] = ["Slot0", "Slot1", "Slot2", "Slot3"];

/// The methods that the server calls, each with a different delivery.
pub(super) const CALLS: [(&str, Delivery); 3] = [
    ("say", Delivery::RELIABLE),
    ("shout", Delivery { mode: TransferMode::UnreliableOrdered, channel: 1 }),
    ("whisper", Delivery { mode: TransferMode::Reliable, channel: 2 }),
];
/// The method of the server that executes the command in its arguments.
pub(super) const OBEY: &str = "obey";

/// The options of a server, each as a bit of a number.
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Setup {
    /// Peers must authenticate themselves.
    pub authentication: bool,
    /// Peers join the lobby.
    pub lobby: bool,
    /// The limits are low.
    pub tight: bool,
    /// The program sends states in ticks.
    pub ticks: bool,
    /// The program acts in the events of peers that connect and disconnect.
    pub reacts: bool,
    /// The program adopts the nodes that clients spawn.
    pub adopts: bool,
}

impl Setup {
    pub(super) const fn of(bits: u8) -> Self {
        Self {
            authentication: bits & 1 != 0,
            lobby: bits & 2 != 0,
            tight: bits & 4 != 0,
            ticks: bits & 8 != 0,
            reacts: bits & 16 != 0,
            adopts: bits & 32 != 0,
        }
    }

    pub(super) fn limits(self) -> ServerLimits {
        let mut limits = ServerLimits::DEFAULT;
        if self.tight {
            limits.paths = PathLimits::SERVER.paths(3);
            (limits.packets, limits.bytes, limits.packet) = (20, 6_000, 700);
            (limits.relayed, limits.received, limits.offences) = (20_000, 3_000, 6);
        }
        limits
    }

    pub(super) fn options(self) -> ServerOptions {
        let options = ServerOptions::default()
            .limits(self.limits())
            .lobby(self.lobby)
            .authentication(self.authentication);
        if self.ticks { options.tick(Duration::from_millis(200)) } else { options }
    }
}

/// A node with the methods that the server calls.
fn callee(path: &str) -> Node {
    let add =
        |node: Node, (name, delivery)| node.method(name, Method::AUTHORITY.delivery(delivery));
    CALLS.into_iter().fold(Node::new(path), add)
}

pub(super) fn extra() -> Node {
    callee(EXTRA)
}

/// The nodes of the server at its start.
pub(super) fn nodes() -> Vec<Node> {
    let world = callee(WORLD).method(OBEY, Method::ANY_PEER);
    let slots = SLOTS.into_iter().map(Node::new);
    [world, Node::new(SPAWNER), extra()].into_iter().chain(slots).collect()
}

/// The methods of a node, as clients know them.
pub(super) fn table(path: &str) -> RpcTable {
    let calls = CALLS.map(|(name, _)| name);
    match path {
        WORLD => RpcTable::new(calls.into_iter().chain([OBEY])),
        EXTRA => RpcTable::new(calls),
        _ => RpcTable::new([""; 0]),
    }
}
