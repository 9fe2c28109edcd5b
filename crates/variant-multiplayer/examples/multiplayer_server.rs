//! A server that unmodified Godot 4 clients join: players appear, move and talk. `docs/multiplayer-server.md` explains it.
//!
//! ```sh
//! cargo run --release -p variant-multiplayer --features websocket,enet --example multiplayer_server -- 127.0.0.1:4245
//! ```
//!
//! The server listens on the address: TCP for web sockets, UDP for ENet. Clients of both transports play together. Two
//! numbers may follow the address: the maximum number of packets per second from one client, and the maximum number
//! of clients of each transport. Ctrl-C ends the server.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use tokio::net::{TcpListener, UdpSocket};
use variant_multiplayer::server::{
    Audience, Authentication, Call, CallResult, Handler, Method, Network, NewNode, Node, Refusal,
    RoomId, SendError, Server, ServerLimits, ServerOptions,
};
use variant_multiplayer::{
    Delivery, Departure, Driver, NetId, PeerId, Replicated, TransferMode, TransportLimits,
    WriteError, enet, to_row,
};
use variant_serde::as_vector2;

const SPAWNER: &str = "Spawner";
const WORLD: &str = "World";

/// The properties of `player.gd`, in the order of its synchronizer's configuration.
#[derive(Replicated)]
struct State {
    #[replicated(spawn, always)]
    #[serde(with = "as_vector2")]
    position: [f32; 2],
    #[replicated(spawn, on_change)]
    hp: i32,
}

struct Player {
    node: NetId,
    room: RoomId,
    state: State,
    seen_by: Vec<PeerId>,
}

/// The side length of a cell of the grid. A player sees the players of its cell and of the eight cells around it.
const CELL: f32 = 2_048.0;

/// The game: the rooms by their names, and the players.
#[derive(Default)]
pub(crate) struct Arena {
    rooms: BTreeMap<&'static str, RoomId>,
    players: BTreeMap<PeerId, Player>,
    joined: u16,
}

/// The arena as a server.
pub(crate) fn arena(options: ServerOptions) -> Server<Arena> {
    let often = Delivery { mode: TransferMode::Unreliable, channel: 0 };
    let world = Node::new(WORLD)
        // Clients call these methods.
        .method("say", Method::ANY_PEER)
        .method("move_to", Method::ANY_PEER.delivery(often))
        .method("hit", Method::ANY_PEER)
        .method("echo", Method::ANY_PEER)
        .method("greet", Method::ANY_PEER)
        // The server calls these methods. A call by a client is refused.
        .method("said", Method::AUTHORITY)
        .method("echoed", Method::AUTHORITY);
    let options = options.tick(Duration::from_millis(50));
    let mut server = Server::new(Arena::default(), options, [world, Node::new(SPAWNER)]);
    for name in ["red", "blue"] {
        let room = server.network().open_room();
        server.handler_mut().rooms.insert(name, room);
    }
    server
}

impl Handler for Arena {
    type Event = ();

    fn connected(&mut self, peer: PeerId, network: &mut Network) {
        // Each group of eight players starts at one position. The groups start too far apart to see each other.
        let start = f32::from(self.joined / 8) * 3.0 * CELL;
        self.joined = self.joined.wrapping_add(1);
        let state = State { position: [start, 0.0], hp: 100 };
        let Some(node) = warn(spawn(peer, &state, network)) else { return };
        self.players.insert(peer, Player { node, room: RoomId::LOBBY, state, seen_by: vec![peer] });
    }

    /// Called if [`ServerOptions::authentication`] is set. A game would check accounts.
    fn authenticate(&mut self, _: PeerId, token: &[u8], _: &mut Network) -> Authentication {
        if token == b"token" { Authentication::Accept } else { Authentication::Refuse }
    }

    fn disconnected(&mut self, peer: PeerId, why: Departure, network: &mut Network) {
        println!("{peer}: {why}");
        let Some(player) = self.players.remove(&peer) else { return };
        warn(network.despawn(player.node));
    }

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        let player = self.players.get_mut(&call.from).ok_or("no such player")?;
        match call.method {
            // A player's text goes to its room. `/room red` moves the player to the room `red`.
            "say" => {
                let (text,): (&str,) = call.arguments.decode()?;
                if let Some(name) = text.strip_prefix("/room ") {
                    let room = *self.rooms.get(name).ok_or("no such room")?;
                    if room != player.room {
                        network.join(call.from, room);
                        network.leave(call.from, std::mem::replace(&mut player.room, room));
                    }
                } else {
                    network.rpc(player.room, WORLD, "said", &(call.from.get(), text))?;
                }
            }
            "move_to" => {
                let (position,): ([f32; 2],) = call.arguments.decode()?;
                position.iter().all(|at| at.is_finite()).then_some(()).ok_or("not a position")?;
                player.state.position = position;
            }
            "hit" => {
                let (whom,): (i32,) = call.arguments.decode()?;
                let player = PeerId::new(whom).and_then(|peer| self.players.get_mut(&peer));
                let state = &mut player.ok_or("no such player")?.state;
                state.hp = state.hp.saturating_sub(10).max(0);
            }
            "echo" => {
                let value = call.arguments.to_variants()?.pop().ok_or("a value is missing")?;
                network.rpc_with(call.from, WORLD, "echoed", |call| call.value(&value))?;
            }
            // `greet` is a call between clients: the server only relays it.
            _ => {}
        }
        Ok(())
    }

    fn refused(&mut self, peer: PeerId, refusal: &Refusal, _: &mut Network) {
        eprintln!("{peer}: {refusal}");
    }

    /// Sends each client the states of the players that it sees, twenty times a second.
    fn tick(&mut self, _: Duration, network: &mut Network) {
        self.look_around(network);
        let states = self.players.values().map(|player| (player.node, &player.state));
        warn(network.replicate(states));
    }
}

/// The room of a player, and the cell in its grid.
fn cell(player: &Player) -> (RoomId, i32, i32) {
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "it saturates")]
    let [x, y] = player.state.position.map(|number| (number / CELL).floor() as i32);
    (player.room, x, y)
}

impl Arena {
    pub(crate) fn count(&self) -> usize {
        self.players.len()
    }

    /// Shows each player to the players near it in its room, and hides it from the others.
    fn look_around(&mut self, network: &mut Network) {
        let mut grid = BTreeMap::<_, Vec<_>>::new();
        for (peer, player) in &self.players {
            grid.entry(cell(player)).or_default().push(*peer);
        }
        for player in self.players.values_mut() {
            let (room, x, y) = cell(player);
            let columns = x.saturating_sub(1)..=x.saturating_add(1);
            let column = |x| (room, x, y.saturating_sub(1))..=(room, x, y.saturating_add(1));
            let cells = columns.flat_map(|x| grid.range(column(x)));
            let mut near: Vec<_> = cells.flat_map(|(_, peers)| peers).copied().collect();
            near.sort_unstable();
            if near != player.seen_by {
                warn(network.set_audience(player.node, Audience::from_iter(near.clone())));
                player.seen_by = near;
            }
        }
    }
}

fn warn<T, E: Display>(outcome: Result<T, E>) -> Option<T> {
    outcome.inspect_err(|error| eprintln!("{error}")).ok()
}

/// Spawns a player on all clients by `spawn_player(peer)` of `main.gd`.
fn spawn(peer: PeerId, state: &State, network: &mut Network) -> Result<NetId, SendError> {
    let argument = to_row(&(peer.get(),)).map_err(WriteError::Serde)?;
    let name = format!("Player{peer}");
    // At first, only the player sees its node. `look_around` shows the node to others.
    let player = NewNode::custom(argument, &name).replicated(state)?.audience(peer);
    Ok(network.spawn(SPAWNER, player)?.node)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4245".to_owned());
    let mut number = |default: u32| arguments.next().map_or(Ok(default), |text| text.parse());
    let (mut allowed, mut limits) = (ServerLimits::DEFAULT, TransportLimits::SERVER);
    allowed.packets = number(allowed.packets)?;
    allowed.bytes = allowed.packets.saturating_mul(256);
    limits.backlog = limits.backlog.max(usize::try_from(allowed.bytes)?.saturating_mul(4));
    limits.peers = usize::try_from(number(1_024)?)?;
    let listener = TcpListener::bind(&address).await?;
    let socket = UdpSocket::bind(listener.local_addr()?).await?;
    let buffers = enet::enlarge_buffers(&socket, limits.buffer)?;
    println!("{}: Ctrl-C ends it; {} bytes of buffer", listener.local_addr()?, buffers.receive);
    let end = async { warn(tokio::signal::ctrl_c().await).unwrap_or_default() };
    let driver = Driver::new(arena(ServerOptions::default().limits(allowed))).limits(limits);
    let server = driver.websocket(listener).enet(socket).run(end).await?;
    println!("{} players were there", server.handler().count());
    Ok(())
}
