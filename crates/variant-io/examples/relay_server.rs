//! Relays packets between peers: reads two keys of each packet and forwards the body verbatim.
//!
//! A peer joins with its name, `{"join": "ann"}`, and addresses each packet: `{"to": "bob", "body": ...}`. Bob receives
//! the bytes of `body` unchanged.
//!
//! Queues are bounded in bytes, per peer and in total. A peer that does not read loses packets; other peers are not
//! affected.
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
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::codec::Framed;
use tokio_util::sync::CancellationToken;
use variant_io::VariantCodec;
use variant_view::{Dialect, Document, Options};

/// The longest frame in bytes. The engine's `PacketPeerStream` receives at most 65,531 bytes, and the length of a value
/// is a multiple of 4.
const MAX_FRAME: u32 = 65_528;
/// The time limit for a peer to join, and to read a packet.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time after which a peer that neither sends nor receives is disconnected.
const IDLE: Duration = Duration::from_secs(300);
const GRACE: Duration = Duration::from_secs(5);
/// The parts of [`GRACE`]: the time to send queued packets, and the time until the peer closes.
const LAST: Duration = Duration::from_secs(3);
const LINGER: Duration = Duration::from_secs(1);
/// The maximum number of packets queued for a peer, within [`Room`]. Further packets are dropped, so that a slow peer
/// does not delay others.
const OUTBOX: usize = 256;
/// The approximate memory of a queued packet in addition to its bytes.
const ENVELOPE: usize = 128;
/// The maximum number of peers at once. Further connections wait. In addition to its queue, a peer holds at most two
/// frames: one that arrives and one that is sent.
const PEERS: usize = 1_000;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4243".to_owned());
    let dialect = arguments.next().map_or(Ok(Dialect::Godot4), |name| name.parse())?;
    let listener = TcpListener::bind(&address).await?;
    println!("{address}: {dialect}; Ctrl-C ends it");

    let stop = CancellationToken::new();
    let server = tokio::spawn(serve(listener, dialect, Room::default(), stop.clone()));
    tokio::signal::ctrl_c().await?;
    stop.cancel();
    server.await??;
    Ok(())
}

/// The limits of queues in bytes, for one peer and for all peers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) each: usize,
    pub(crate) all: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { each: 1 << 20, all: 64 << 20 }
    }
}

/// A queued body. Dropping it frees its share of [`Room`].
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) body: Bytes,
    _room: [OwnedSemaphorePermit; 2],
}

/// The queue of one peer.
#[derive(Debug)]
struct Outbox {
    sender: mpsc::Sender<Waiting>,
    room: Arc<Semaphore>,
}

/// The joined peers and their queues, by name.
#[derive(Clone, Debug)]
pub(crate) struct Peers {
    outboxes: Arc<Mutex<HashMap<String, Outbox>>>,
    room: Room,
    room_for_all: Arc<Semaphore>,
}

impl Peers {
    pub(crate) fn new(room: Room) -> Self {
        let room_for_all = Arc::new(Semaphore::new(room.all));
        Self { outboxes: Arc::default(), room, room_for_all }
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Outbox>) -> T) -> T {
        // A poisoned lock is still usable, since a panic cannot leave the map half changed.
        work(&mut self.outboxes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The receiving end of a new peer's queue. `None` if the name is taken.
    pub(crate) fn join(&self, name: &str) -> Option<mpsc::Receiver<Waiting>> {
        self.with(|outboxes| {
            if outboxes.contains_key(name) {
                return None;
            }
            let (sender, inbox) = mpsc::channel(OUTBOX);
            let room = Arc::new(Semaphore::new(self.room.each));
            outboxes.insert(name.to_owned(), Outbox { sender, room });
            Some(inbox)
        })
    }

    /// Queues a body. Returns false if the name is unknown or a limit is reached.
    pub(crate) fn send(&self, name: &str, body: &Bytes) -> bool {
        self.with(|outboxes| outboxes.get(name).is_some_and(|outbox| self.put(outbox, body)))
    }

    fn put(&self, outbox: &Outbox, body: &Bytes) -> bool {
        let Ok(len) = u32::try_from(body.len().saturating_add(ENVELOPE)) else { return false };
        let take = |room: &Arc<Semaphore>| Arc::clone(room).try_acquire_many_owned(len);
        let (Ok(own), Ok(shared)) = (take(&outbox.room), take(&self.room_for_all)) else {
            return false;
        };
        // The body is copied, because it shares a possibly much longer buffer and may wait for long.
        let body = Bytes::copy_from_slice(body);
        outbox.sender.try_send(Waiting { body, _room: [own, shared] }).is_ok()
    }

    pub(crate) fn leave(&self, name: &str) {
        self.with(|outboxes| outboxes.remove(name));
    }
}

/// Serves peers until `stop`, then waits for the connected ones.
pub(crate) async fn serve(
    listener: TcpListener,
    dialect: Dialect,
    room: Room,
    stop: CancellationToken,
) -> io::Result<()> {
    let slots = Arc::new(Semaphore::new(PEERS));
    let (peers, mut tasks) = (Peers::new(room), JoinSet::new());
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
    let mut peer = Framed::new(stream, VariantCodec::server(dialect).max_in(MAX_FRAME));
    let Some(packet) = timeout(PATIENCE, peer.next()).await?.transpose()? else { return Ok(()) };
    let options = Options::server(dialect);
    let [name] = Document::new(&packet, options).validated_get_many(["join"])?;
    let name = name.ok_or("the first packet has no key \"join\"")?.as_str()?.to_owned();
    let mut inbox = peers.join(&name).ok_or_else(|| format!("{name:?} is taken"))?;
    let outcome = relay(&mut peer, options, &mut inbox, peers, stop).await;
    peers.leave(&name);
    outcome?;
    give_the_rest(&mut peer, inbox).await
}

/// Forwards the packets of a peer, and sends the packets of the peer's queue.
async fn relay(
    peer: &mut Framed<TcpStream, VariantCodec>,
    options: Options,
    inbox: &mut mpsc::Receiver<Waiting>,
    peers: &Peers,
    stop: CancellationToken,
) -> Outcome {
    loop {
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = sleep(IDLE) => return Err("no packet for too long".into()),
            Some(Waiting { body, _room }) = inbox.recv() => timeout(PATIENCE, peer.send(body)).await??,
            received = peer.next() => {
                let Some(packet) = received.transpose()? else { return Ok(()) };
                let Some((to, body)) = read(&packet, options)? else {
                    return Err("a packet has no key \"to\" or \"body\"".into());
                };
                if !peers.send(&to, &body) {
                    eprintln!("packet for {to:?} dropped: unknown name, or its queue is full");
                }
            }
        }
    }
}

/// Sends the rest of a queue, within a time limit.
async fn give_the_rest(
    peer: &mut Framed<TcpStream, VariantCodec>,
    mut inbox: mpsc::Receiver<Waiting>,
) -> Outcome {
    inbox.close();
    let rest = async {
        while let Some(Waiting { body, _room }) = inbox.recv().await {
            peer.feed(body).await?;
        }
        SinkExt::<Bytes>::close(peer).await
    };
    timeout(LAST, rest).await??;
    // Reads until the peer closes the connection. If this side closed it before it had read all received bytes, the
    // system would discard bytes that were sent.
    let _ = timeout(LINGER, async { while let Some(Ok(_)) = peer.next().await {} }).await;
    Ok(())
}

/// The receiver and the body of a packet, which is validated in the same pass. The body shares the packet's buffer.
fn read(packet: &Bytes, options: Options) -> Outcome<Option<(String, Bytes)>> {
    let [Some(to), Some(body)] =
        Document::new(packet, options).validated_get_many(["to", "body"])?
    else {
        return Ok(None);
    };
    let to = to.as_str()?.to_owned();
    Ok(Some((to, packet.slice_ref(body.raw_bytes()?))))
}
