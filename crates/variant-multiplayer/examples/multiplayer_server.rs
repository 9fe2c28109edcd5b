//! A server that unmodified Godot 4 clients join: players appear, move and talk.
//!
//! ```sh
//! cargo run --release -p variant-multiplayer --features websocket,enet --example multiplayer_server -- 127.0.0.1:4245
//! ```
//!
//! The server listens on the address with TCP for web sockets and with UDP for ENet. Clients of both play together. Two
//! numbers after the address limit the packets of a client per second (1,000 by default), and the clients of each
//! transport (1,024).
//!
//! The client is in `examples/client`; `docs/multiplayer-server.md` explains both. Ctrl-C ends the server: it sends
//! the waiting packets and disconnects its peers.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use serde::Deserialize;
use tokio::net::{TcpListener, UdpSocket};
use variant_multiplayer::server::{
    Audience, Authentication, Call, CallResult, Handler, Method, Network, NewNode, Node, Refusal,
    RoomId, Server, ServerLimits, ServerOptions,
};
use variant_multiplayer::{
    Delivery, Departure, Driver, NetId, PeerId, Replicated, Target, TransferMode, TransportLimits,
    enet, to_row,
};
use variant_serde::as_vector2;

/// The names of nodes and methods; `World.gd` has the functions.
const SPAWNER: &str = "Spawner";
const WORLD: &str = "World";

/// `move_to(position: Vector2)`.
#[derive(Deserialize)]
struct MoveTo {
    #[serde(with = "as_vector2")]
    position: [f32; 2],
}

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
    /// The players near it, which see it.
    seen_by: Vec<PeerId>,
}

/// The side length of a cell of the grid. A player sees the players of its cell and of the eight cells around it.
const CELL: f32 = 2_048.0;

/// The game: the rooms by their names, the players and their positions.
#[derive(Default)]
pub(crate) struct Arena {
    rooms: BTreeMap<String, RoomId>,
    players: BTreeMap<PeerId, Player>,
    joined: u16,
}

/// The players in each cell of a room.
type Grid = BTreeMap<(RoomId, i32, i32), Vec<PeerId>>;

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
    Server::new(Arena::default(), options, [world, Node::new(SPAWNER)])
}

impl Handler for Arena {
    type Event = ();

    fn connected(&mut self, peer: PeerId, network: &mut Network) {
        // Eight players start together. They do not see the start of the next eight.
        let start = f32::from(self.joined / 8) * 3.0 * CELL;
        self.joined = self.joined.wrapping_add(1);
        let state = State { position: [start, 0.0], hp: 100 };
        let Some(node) = warn(spawn(peer, &state, network)) else { return };
        let player = Player { node, room: RoomId::LOBBY, state, seen_by: vec![peer] };
        self.players.insert(peer, player);
        println!("{peer} is there");
    }

    /// Called if [`ServerOptions::authentication`] is set: a client sends a token, by `send_auth`. A game would check
    /// accounts.
    fn authenticate(&mut self, _: PeerId, token: &[u8], _: &mut Network) -> Authentication {
        if token == b"token" { Authentication::Accept } else { Authentication::Refuse }
    }

    fn disconnected(&mut self, peer: PeerId, why: Departure, network: &mut Network) {
        println!("{peer}: {why}");
        let Some(player) = self.players.remove(&peer) else { return };
        self.close_if_empty(player.room, network);
        warn(network.despawn(player.node));
    }

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        match call.method {
            // A player's text goes to its room. `/room red` moves the player to the room `red`.
            "say" => {
                let (text,): (&str,) = call.arguments.decode()?;
                if let Some(name) = text.strip_prefix("/room ") {
                    self.enter(call.from, name, network);
                } else {
                    let player = self.players.get(&call.from).ok_or("no such player")?;
                    network.rpc(player.room, WORLD, "said", &(call.from.get(), text))?;
                }
            }
            "move_to" => {
                let MoveTo { position } = call.arguments.decode()?;
                if let Some(player) = self.players.get_mut(&call.from) {
                    player.state.position = position;
                }
            }
            "hit" => {
                let (whom,): (i32,) = call.arguments.decode()?;
                let whom = PeerId::new(whom).ok_or("no such player")?;
                let player = self.players.get_mut(&whom).ok_or("no such player")?;
                player.state.hp = player.state.hp.saturating_sub(10).max(0);
            }
            // Returns any value unchanged.
            "echo" => {
                let value = call.arguments.to_variants()?.pop().ok_or("a value is missing")?;
                let back = Target::Peer(call.from);
                network.rpc_with(back, WORLD, "echoed", |call| call.value(&value))?;
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

impl Player {
    /// The room, and the cell in its grid.
    fn cell(&self) -> (RoomId, i32, i32) {
        #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "it saturates")]
        let [x, y] = self.state.position.map(|number| (number / CELL).floor() as i32);
        (self.room, x, y)
    }

    /// The players of a grid that are near this one.
    fn near(&self, grid: &Grid) -> Vec<PeerId> {
        let (room, x, y) = self.cell();
        let columns = x.saturating_sub(1)..=x.saturating_add(1);
        let column = |x| (room, x, y.saturating_sub(1))..=(room, x, y.saturating_add(1));
        columns.flat_map(|x| grid.range(column(x)).flat_map(|(_, peers)| peers)).copied().collect()
    }
}

impl Arena {
    /// The players by their peers: position and health.
    pub(crate) fn players(&self) -> impl Iterator<Item = (PeerId, [f32; 2], i32)> + '_ {
        self.players.iter().map(|(peer, player)| (*peer, player.state.position, player.state.hp))
    }

    /// Moves a player to a room.
    fn enter(&mut self, peer: PeerId, name: &str, network: &mut Network) {
        let Some(player) = self.players.get_mut(&peer) else { return };
        let room = *self.rooms.entry(name.to_owned()).or_insert_with(|| network.open_room());
        let left = std::mem::replace(&mut player.room, room);
        if left != room {
            network.join(peer, room);
            network.leave(peer, left);
            self.close_if_empty(left, network);
        }
    }

    /// Closes a room without players, so that rooms do not accumulate.
    fn close_if_empty(&mut self, room: RoomId, network: &mut Network) {
        if network.members(room).next().is_none() && network.close_room(room) {
            self.rooms.retain(|_, open| *open != room);
        }
    }

    /// Shows each player to the players near it in its room, and hides it from the others.
    fn look_around(&mut self, network: &mut Network) {
        let mut grid = Grid::new();
        for (peer, player) in &self.players {
            grid.entry(player.cell()).or_default().push(*peer);
        }
        for player in self.players.values_mut() {
            let near = player.near(&grid);
            if near != player.seen_by {
                let audience: Audience = near.iter().copied().collect();
                warn(network.set_audience(player.node, audience));
                player.seen_by = near;
            }
        }
    }
}

/// Prints an error. A game goes on after it.
fn warn<T, E: Display>(outcome: Result<T, E>) -> Option<T> {
    outcome.inspect_err(|error| eprintln!("{error}")).ok()
}

/// Spawns a player on all clients by `spawn_player(peer)` of `main.gd`.
fn spawn(
    peer: PeerId,
    state: &State,
    network: &mut Network,
) -> Result<NetId, Box<dyn Error + Send + Sync>> {
    let argument = to_row(&(peer.get(),))?;
    let name = format!("Player{peer}");
    // At first, only the player sees its node. `look_around` shows the node to others.
    let player = NewNode::custom(argument, &name).replicated(state)?.audience(peer);
    Ok(network.spawn(SPAWNER, player)?.node)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4245".to_owned());
    let (mut allowed, mut limits) = (ServerLimits::DEFAULT, TransportLimits::SERVER);
    if let Some(packets) = arguments.next() {
        allowed.packets = packets.parse()?;
        allowed.bytes = allowed.packets.saturating_mul(1_024);
    }
    if let Some(peers) = arguments.next() {
        limits.peers = peers.parse()?;
    }
    let listener = TcpListener::bind(&address).await?;
    let socket = UdpSocket::bind(listener.local_addr()?).await?;
    let buffers = enet::enlarge_buffers(&socket, limits.buffer)?;
    println!("{}: Ctrl-C ends it; {} bytes of buffer", listener.local_addr()?, buffers.receive);
    let end = async { drop(warn(tokio::signal::ctrl_c().await)) };
    let server = arena(ServerOptions::default().limits(allowed));
    let driver = Driver::new(server).limits(limits).websocket(listener).enet(socket);
    let server = driver.run(end).await?;
    println!("{} players were there", server.handler().players().count());
    Ok(())
}
