//! Measures the calls a second of a server: many clients call `echo` of the arena and wait for the answer.
//!
//! ```sh
//! cargo run --release -p variant-multiplayer --features websocket,enet --example multiplayer_load -- \
//!     websocket 127.0.0.1:4245 500 10 4
//! ```
//!
//! The server is `multiplayer_server`, or an engine that does the same (`benches/multiplayer.sh`). The numbers are
//! clients, seconds of measurement, and calls in flight per client. All answers are compared.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "numbers of a measurement"
)]

use std::env;
use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::timeout;
use variant_multiplayer::{
    ConfirmPath, Delivery, Message, MethodId, NodeRef, Packet, PeerId, RpcTable, RpcWriter,
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
            Self::WebSocket(client) => {
                timeout(PATIENCE, client.recv()).await.map(|packet| packet.ok().flatten())
            }
            Self::Enet(client) => timeout(PATIENCE, client.recv())
                .await
                .map(|packet| packet.map(|(packet, _)| packet)),
        };
        packet.ok().flatten().ok_or_else(|| Lost.into())
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
    calls: AtomicU64,
    is_over: AtomicBool,
}

/// Keeps `in_flight` calls in flight until the end.
async fn run(mut client: Client, shared: Arc<Shared>, in_flight: i64) -> Outcome<()> {
    let (mut sent, mut answered) = (0, 0);
    loop {
        let is_over = shared.is_over.load(Ordering::Relaxed);
        if is_over && sent == answered {
            return Ok(());
        }
        while !is_over && sent < answered + in_flight {
            let mut call = Vec::new();
            RpcWriter::new(NodeRef::Path("World"), shared.echo, &mut call).int(sent).finish()?;
            client.send(&call).await?;
            sent += 1;
        }
        let packet = client.receive().await?;
        match Packet::parse(&packet)?.message {
            Message::Rpc(rpc) if rpc.method == shared.echoed => {
                let (value,): (i64,) = rpc.arguments.decode()?;
                if value != answered {
                    return Err(format!("{value} came back, and not {answered}").into());
                }
                answered += 1;
                shared.calls.fetch_add(1, Ordering::Relaxed);
            }
            Message::SimplifyPath(path) => {
                let confirm = Message::ConfirmPath(ConfirmPath::new(path.id, true));
                client.send(&Packet::new(confirm).to_vec()).await?;
            }
            // Other players, and their positions.
            _ => {}
        }
    }
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = env::args().skip(1);
    let transport = arguments.next().unwrap_or_else(|| "websocket".to_owned());
    let server: SocketAddr = arguments.next().ok_or("an address is missing")?.parse()?;
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (clients, seconds, in_flight) = (number(500)?, number(10)?, number(4)?);

    let table = RpcTable::new(METHODS);
    let id = |name| table.id(name).ok_or("no such method");
    let shared = Arc::new(Shared {
        echo: id("echo")?,
        echoed: id("echoed")?,
        calls: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
    });
    let mut running = JoinSet::new();
    for number in 0..i32::try_from(clients)? {
        let client = timeout(PATIENCE, Client::connect(&transport, server, number)).await??;
        running.spawn(run(client, shared.clone(), i64::try_from(in_flight)?));
    }
    // The packets after joining, such as spawns of players, are not measured.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (start, before) = (Instant::now(), shared.calls.load(Ordering::Relaxed));
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let calls = shared.calls.load(Ordering::Relaxed) - before;
    let rate = calls as f64 / start.elapsed().as_secs_f64();
    shared.is_over.store(true, Ordering::Relaxed);
    let mut lost = 0;
    while let Some(ended) = running.join_next().await {
        match ended? {
            Ok(()) => {}
            Err(error) if error.is::<Lost>() => lost += 1,
            Err(error) => return Err(error),
        }
    }
    println!("{clients} clients by {transport}: {rate:.0} calls and answers a second, {lost} lost");
    Ok(())
}
