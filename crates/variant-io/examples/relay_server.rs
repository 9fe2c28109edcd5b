//! Passes packets from one peer to another: of each it reads one key, and forwards the rest as it came.
//!
//! A peer says who it is, `{"join": "ann"}`, and whom each packet is for: `{"to": "bob", "body": ...}`. Bob gets
//! the value of `body`, byte for byte, whatever it is.
//!
//! ```sh
//! cargo run --release -p variant-io --features tokio --example relay_server -- 127.0.0.1:4243 godot4
//! ```

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::codec::Framed;
use tokio_util::sync::CancellationToken;
use variant_io::{Packet, VariantCodec};
use variant_view::Dialect;

const MAX_FRAME: u32 = 65_532;
/// A peer has so long to say who it is, and to take what is for it.
const PATIENCE: Duration = Duration::from_secs(10);
/// A peer that neither says nor gets anything for so long is gone.
const IDLE: Duration = Duration::from_secs(300);
const GRACE: Duration = Duration::from_secs(5);
/// Of it, what waits for a peer has so long to be taken, and the peer so long to hang up.
const LAST: Duration = Duration::from_secs(3);
const LINGER: Duration = Duration::from_secs(1);
/// So much waits for a peer that is slow; more is dropped, lest it slow down the others.
const OUTBOX: usize = 256;
/// More peers wait until others are gone.
const PEERS: usize = 10_000;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4243".to_owned());
    let dialect = arguments.next().map_or(Ok(Dialect::Godot4), |name| name.parse())?;
    let listener = TcpListener::bind(&address).await?;
    println!("{address}: {dialect}; Ctrl-C ends it");

    let stop = CancellationToken::new();
    let server = tokio::spawn(serve(listener, dialect, stop.clone()));
    tokio::signal::ctrl_c().await?;
    stop.cancel();
    server.await??;
    Ok(())
}

/// Who is there, and where to put what is for them.
#[derive(Clone, Debug, Default)]
struct Peers(Arc<Mutex<HashMap<String, mpsc::Sender<Bytes>>>>);

impl Peers {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, mpsc::Sender<Bytes>>) -> T) -> T {
        // Nothing that is done with it can stop half-way.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// False if somebody has the name already.
    fn join(&self, name: &str, outbox: mpsc::Sender<Bytes>) -> bool {
        self.with(|peers| {
            if peers.contains_key(name) {
                return false;
            }
            peers.insert(name.to_owned(), outbox);
            true
        })
    }

    /// False if nobody has the name, or too much is waiting for them.
    fn send(&self, name: &str, body: Bytes) -> bool {
        self.with(|peers| peers.get(name).is_some_and(|outbox| outbox.try_send(body).is_ok()))
    }

    fn leave(&self, name: &str) {
        self.with(|peers| peers.remove(name));
    }
}

/// Serves peers until it is to stop, and those that are there then to their end.
pub(crate) async fn serve(
    listener: TcpListener,
    dialect: Dialect,
    stop: CancellationToken,
) -> io::Result<()> {
    let slots = Arc::new(Semaphore::new(PEERS));
    let (peers, mut tasks) = (Peers::default(), JoinSet::new());
    loop {
        let next = async {
            let slot = Arc::clone(&slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            () = stop.cancelled() => break,
            next = next => next,
        };
        while tasks.try_join_next().is_some() {}
        match accepted {
            Ok((stream, address)) => {
                let (peers, stop) = (peers.clone(), stop.clone());
                tasks.spawn(async move {
                    if let Err(error) = serve_peer(stream, dialect, &peers, stop).await {
                        eprintln!("{address}: {error}");
                    }
                    drop(slot);
                });
            }
            Err(error) => {
                eprintln!("cannot accept: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    let _ = timeout(GRACE, async { while tasks.join_next().await.is_some() {} }).await;
    tasks.shutdown().await;
    Ok(())
}

async fn serve_peer(
    stream: TcpStream,
    dialect: Dialect,
    peers: &Peers,
    stop: CancellationToken,
) -> Outcome {
    stream.set_nodelay(true)?;
    let mut peer = Framed::new(stream, VariantCodec::server(dialect).max_len(MAX_FRAME));
    let Some(packet) = timeout(PATIENCE, peer.next()).await?.transpose()? else { return Ok(()) };
    let name = text_at(&packet, "join")?.ok_or("the first packet does not say who joins")?;
    let (sender, mut inbox) = mpsc::channel(OUTBOX);
    if !peers.join(&name, sender) {
        return Err(format!("{name:?} is taken").into());
    }
    let outcome = relay(&mut peer, &mut inbox, peers, stop).await;
    peers.leave(&name);
    outcome?;
    give_the_rest(&mut peer, inbox).await
}

/// Passes on what a peer sends, and gives it what is for it.
async fn relay(
    peer: &mut Framed<TcpStream, VariantCodec>,
    inbox: &mut mpsc::Receiver<Bytes>,
    peers: &Peers,
    stop: CancellationToken,
) -> Outcome {
    loop {
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = sleep(IDLE) => return Err("nothing was said for too long".into()),
            Some(body) = inbox.recv() => timeout(PATIENCE, peer.send(body)).await??,
            received = peer.next() => {
                let Some(packet) = received.transpose()? else { return Ok(()) };
                let (Some(to), Some(body)) = (text_at(&packet, "to")?, body_of(&packet)?) else {
                    return Err("a packet does not say whom it is for, or what it is".into());
                };
                if !peers.send(&to, body) {
                    eprintln!("nothing gets to {to:?}");
                }
            }
        }
    }
}

/// What was taken for a peer before the end still gets to it, if it takes it in time.
async fn give_the_rest(
    peer: &mut Framed<TcpStream, VariantCodec>,
    mut inbox: mpsc::Receiver<Bytes>,
) -> Outcome {
    inbox.close();
    let rest = async {
        while let Some(body) = inbox.recv().await {
            peer.feed(body).await?;
        }
        SinkExt::<Bytes>::close(peer).await
    };
    timeout(LAST, rest).await??;
    // What it says meanwhile is read: a socket that is closed with bytes unread takes back what it has sent.
    let _ = timeout(LINGER, async { while let Some(Ok(_)) = peer.next().await {} }).await;
    Ok(())
}

/// The text at a key of the packet. The rest is stepped over, not read.
fn text_at(packet: &Packet, key: &str) -> Outcome<Option<String>> {
    let value = packet.view().get(key)?;
    Ok(value.map(|value| value.as_str().map(str::to_owned)).transpose()?)
}

/// What is to be passed on, shared with the packet it came in. It was measured and not validated: that is for
/// whoever makes something of it.
fn body_of(packet: &Packet) -> Outcome<Option<Bytes>> {
    let Some(body) = packet.view().get("body")? else { return Ok(None) };
    Ok(packet.part(&body)?)
}
