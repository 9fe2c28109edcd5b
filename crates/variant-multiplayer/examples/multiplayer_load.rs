//! Measures a server under load: many clients call its method `echo` and wait for the answer.
//!
//! ```sh
//! cargo run --release -p variant-multiplayer --features websocket,enet --example multiplayer_load -- \
//!     enet 127.0.0.1:4245 500 60 1 100
//! ```
//!
//! The server is `multiplayer_server`, or an engine with the same methods (`benches/multiplayer.sh`). The four numbers
//! after the address are: clients, seconds of measurement, calls in flight per client (0: clients only receive), and
//! milliseconds between an answer and the next call of a client. All answers are checked. A client is lost if its
//! connection ends, or if a call is unanswered for thirty seconds.
//!
//! `multiplayer_load quiet ADDRESS` starts a server for web sockets that has no game. Its memory shows the cost of idle
//! clients.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "numbers of a measurement"
)]

use std::collections::VecDeque;
use std::env;
use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{timeout, timeout_at};
use variant_multiplayer::server::{Call, CallResult, Handler, Network, Server, ServerOptions};
use variant_multiplayer::{
    ConfirmPath, Delivery, Driver, Message, MethodId, NodeRef, Packet, PeerId, RpcTable, RpcWriter,
    TransportLimits, enet, websocket,
};

/// The remote methods of `world.gd`.
const METHODS: [&str; 7] = ["say", "move_to", "hit", "echo", "greet", "said", "echoed"];
/// A client that receives nothing for this long has failed.
const PATIENCE: Duration = Duration::from_secs(30);

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A client over either transport.
enum Client {
    WebSocket(Box<websocket::Client>),
    Enet(enet::Client),
}

impl Client {
    async fn connect(transport: &str, server: SocketAddr, number: i32) -> Outcome<Self> {
        if transport == "enet" {
            let id = PeerId::client(number + 2).ok_or("no number of a client")?;
            return Ok(Self::Enet(enet::Client::connect(server, id).await?));
        }
        let client = websocket::Client::connect(server, TransportLimits::SERVER).await?;
        Ok(Self::WebSocket(Box::new(client)))
    }

    async fn send(&mut self, packet: &[u8]) -> Outcome<()> {
        let sent = match self {
            Self::WebSocket(client) => client.send(packet).await,
            Self::Enet(client) => client.send(packet, Delivery::RELIABLE),
        };
        sent.map_err(|_| Lost.into())
    }

    async fn receive(&mut self) -> Outcome<Vec<u8>> {
        let packet = match self {
            Self::WebSocket(client) => client.recv().await.ok().flatten(),
            Self::Enet(client) => client.recv().await.map(|(packet, _)| packet),
        };
        packet.ok_or_else(|| Lost.into())
    }
}

/// The server has closed a connection, or does not answer.
#[derive(Debug)]
struct Lost;

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection is lost")
    }
}

impl Error for Lost {}

/// The state that all clients share.
struct Shared {
    echo: MethodId,
    echoed: MethodId,
    in_flight: usize,
    pause: Duration,
    is_measured: AtomicBool,
    is_over: AtomicBool,
}

/// The measurements of a client.
#[derive(Default)]
struct Measured {
    /// The time from each call to its answer.
    round_trips: Vec<Duration>,
    /// The number of packets with states of players.
    states: usize,
}

/// Keeps calls in flight until the end.
async fn run(mut client: Client, shared: Arc<Shared>) -> Outcome<Measured> {
    let mut measured = Measured::default();
    let (mut waiting, mut sent, mut answered) = (VecDeque::new(), 0, 0);
    let mut next_at = Instant::now();
    loop {
        let is_over = shared.is_over.load(Ordering::Relaxed);
        if is_over && waiting.is_empty() {
            return Ok(measured);
        }
        while !is_over && waiting.len() < shared.in_flight && next_at <= Instant::now() {
            let mut call = Vec::new();
            RpcWriter::new(NodeRef::Path("World"), shared.echo, &mut call).int(sent).finish()?;
            client.send(&call).await?;
            waiting.push_back(Instant::now());
            sent += 1;
        }
        let soon = Instant::now() + Duration::from_millis(100);
        let until = if waiting.is_empty() { next_at.clamp(Instant::now(), soon) } else { soon };
        let Ok(packet) = timeout_at(until.into(), client.receive()).await else {
            if waiting.front().is_some_and(|sent| sent.elapsed() > PATIENCE) {
                return Err(Lost.into());
            }
            continue;
        };
        let packet = packet?;
        match Packet::parse(&packet)?.message {
            Message::Rpc(rpc) if rpc.method == shared.echoed => {
                let (value,): (i64,) = rpc.arguments.decode()?;
                if value != answered {
                    return Err(format!("{value} came back, and not {answered}").into());
                }
                answered += 1;
                let round_trip = waiting.pop_front().map_or(Duration::ZERO, |sent| sent.elapsed());
                if shared.is_measured.load(Ordering::Relaxed) {
                    measured.round_trips.push(round_trip);
                }
                next_at = Instant::now() + shared.pause;
            }
            Message::SimplifyPath(path) => {
                let confirm = Message::ConfirmPath(ConfirmPath::new(path.id, true));
                client.send(&Packet::new(confirm).to_vec()).await?;
            }
            Message::Sync(_) if shared.is_measured.load(Ordering::Relaxed) => measured.states += 1,
            // Packets about other players are ignored.
            _ => {}
        }
    }
}

/// A server that sends nothing.
struct Quiet;

impl Handler for Quiet {
    type Event = ();

    fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
        Ok(())
    }
}

async fn be_quiet(address: SocketAddr) -> Outcome<()> {
    let mut limits = TransportLimits::SERVER;
    limits.peers = 4_095;
    let server = Server::new(Quiet, ServerOptions::default().lobby(false), []);
    let driver = Driver::new(server).limits(limits).websocket(TcpListener::bind(address).await?);
    driver.run(async { tokio::signal::ctrl_c().await.unwrap_or_default() }).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = env::args().skip(1);
    let transport = arguments.next().unwrap_or_else(|| "websocket".to_owned());
    let server: SocketAddr = arguments.next().ok_or("an address is missing")?.parse()?;
    if transport == "quiet" {
        return be_quiet(server).await;
    }
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (clients, seconds, in_flight, pause) = (number(500)?, number(10)?, number(4)?, number(0)?);

    let table = RpcTable::new(METHODS);
    let id = |name| table.id(name).ok_or("no such method");
    let shared = Arc::new(Shared {
        echo: id("echo")?,
        echoed: id("echoed")?,
        in_flight: usize::try_from(in_flight)?,
        pause: Duration::from_millis(pause),
        is_measured: AtomicBool::new(false),
        is_over: AtomicBool::new(false),
    });
    let mut running = JoinSet::new();
    for number in 0..i32::try_from(clients)? {
        let client = timeout(PATIENCE, Client::connect(&transport, server, number)).await??;
        running.spawn(run(client, shared.clone()));
    }
    // The packets after joining, such as spawns of players, are not measured.
    tokio::time::sleep(Duration::from_secs(2)).await;
    shared.is_measured.store(true, Ordering::Relaxed);
    let start = Instant::now();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    shared.is_measured.store(false, Ordering::Relaxed);
    let elapsed = start.elapsed().as_secs_f64();
    shared.is_over.store(true, Ordering::Relaxed);
    let (mut lost, mut all) = (0, Measured::default());
    let mut least = usize::MAX;
    while let Some(ended) = running.join_next().await {
        match ended? {
            Ok(measured) => {
                all.round_trips.extend(measured.round_trips);
                all.states += measured.states;
                least = least.min(measured.states);
            }
            Err(error) if error.is::<Lost>() => lost += 1,
            Err(error) => return Err(error),
        }
    }
    all.round_trips.sort_unstable();
    let part = |hundredths: usize| {
        let at = all.round_trips.len().saturating_sub(1) * hundredths / 100;
        all.round_trips.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    println!(
        "{clients} clients by {transport}: {:.0} calls and answers a second, {lost} clients lost; \
         milliseconds: median {:.1}, 99 % {:.1}, all {:.1}; packets of states a second and client: {:.1}, least {:.1}",
        all.round_trips.len() as f64 / elapsed,
        part(50),
        part(99),
        part(100),
        all.states as f64 / elapsed / clients as f64,
        least as f64 / elapsed,
    );
    Ok(())
}
