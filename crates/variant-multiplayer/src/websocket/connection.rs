//! The task of one connection: moves messages between a socket and the driver.

use std::future::pending;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};
use tokio_tungstenite::{WebSocketStream, accept_async_with_config};

use super::acceptor::{AnyStream, Offer};
use super::config::{config, io_error};
use crate::peer::PeerId;
use crate::transport::backlog::Parcel;
use crate::transport::{Departure, TransportLimits};

/// The time that a closed peer may take to read the queued packets.
pub(super) const GRACE: Duration = Duration::from_secs(5);
/// The time that the other end may take to answer the close, after [`GRACE`].
pub(super) const LINGER: Duration = Duration::from_secs(1);
/// The maximum number of frames that are written before a flush.
const BATCH: usize = 64;
/// The maximum number of bytes that are read and discarded, so that the peer receives the close message.
const DISCARD: u64 = 1 << 20;

type Socket = WebSocketStream<AnyStream>;

/// An event that a connection reports to the driver.
#[derive(Debug)]
pub(crate) enum Event {
    /// The upgrade is complete.
    Opened(PeerId),
    /// A message arrived.
    Packet(PeerId, Bytes),
    /// A ping was answered after this time.
    Answered(PeerId, Duration),
    /// The connection has ended. This is its last event.
    Left(PeerId, Departure),
}

/// A command of the driver to a connection.
#[derive(Debug)]
pub(super) enum Frame {
    /// Send a packet.
    Packet(Parcel),
    Close,
}

/// A connection before it runs.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) id: PeerId,
    pub(super) limits: TransportLimits,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) outbox: mpsc::UnboundedReceiver<Frame>,
    /// A message on this channel ends the connection within [`GRACE`]. If the sender is dropped, the connection ends at
    /// once.
    pub(super) leave: oneshot::Receiver<()>,
}

/// The reason why a connection ends.
enum End {
    /// The peer closes the connection.
    Closed,
    /// This side closes the connection.
    Close(CloseCode),
    /// The connection is lost.
    Lost,
    /// Nothing has arrived for too long.
    Silent,
}

impl End {
    const fn departure(&self) -> Departure {
        match self {
            Self::Closed | Self::Close(CloseCode::Normal) => Departure::Left,
            Self::Close(CloseCode::Size) => Departure::TooLarge,
            Self::Close(_) | Self::Lost => Departure::Lost,
            Self::Silent => Departure::Silent,
        }
    }
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        match error {
            Error::Capacity(_) => Self::Close(CloseCode::Size),
            Error::Protocol(_) => Self::Close(CloseCode::Protocol),
            Error::Utf8(_) => Self::Close(CloseCode::Invalid),
            _ => Self::Lost,
        }
    }
}

impl Connection {
    /// Runs the connection, from the upgrade to the end.
    pub(super) async fn run(mut self, offer: Offer) {
        let mut outcome = None;
        {
            let mut work = pin!(serve(offer, self.id, self.limits, &self.events, self.outbox));
            tokio::select! {
                ended = &mut work => outcome = ended,
                leave = &mut self.leave => if leave.is_ok() {
                    outcome = timeout(GRACE, work).await.ok().flatten();
                }
            }
        }
        // The end is reported before the closing handshake. If the driver has ended, the event is not needed.
        let why = outcome.as_ref().map_or(Departure::Lost, |(_, end)| end.departure());
        let _ = self.events.send(Event::Left(self.id, why)).await;
        if let Some((mut socket, end)) = outcome {
            let _ = timeout(LINGER, finish(&mut socket, end)).await;
        }
    }
}

/// Returns the socket and the reason for its end. `None` if there is no socket.
async fn serve(
    offer: Offer,
    id: PeerId,
    limits: TransportLimits,
    events: &mpsc::Sender<Event>,
    mut outbox: mpsc::UnboundedReceiver<Frame>,
) -> Option<(Socket, End)> {
    // The box frees the memory of the handshake when the handshake ends.
    let opening = Box::pin(open(offer, limits.packet));
    let socket = timeout(limits.handshake, opening).await.ok()?.ok()?;
    events.send(Event::Opened(id)).await.ok()?;
    let (mut sink, mut stream) = socket.split();
    let pings = Pings::new(limits.ping);
    let end = tokio::select! {
        end = receive(&mut stream, id, &pings, limits.idle, events) => end,
        end = send(&mut sink, &pings, &mut outbox) => end,
    };
    // Both halves belong to one socket, so the reunion cannot fail.
    Some((sink.reunite(stream).ok()?, end))
}

/// Opens the stream of an offer, and answers the upgrade.
async fn open(offer: Offer, packet: usize) -> io::Result<Socket> {
    let (stream, config) = (offer.opening.await?, Some(config(packet)));
    if offer.is_upgraded {
        return Ok(WebSocketStream::from_raw_socket(stream, Role::Server, config).await);
    }
    accept_async_with_config(stream, config).await.map_err(io_error)
}

/// Passes messages to the driver. While the driver is busy, the connection waits, so the peer is slowed.
async fn receive(
    stream: &mut SplitStream<Socket>,
    id: PeerId,
    pings: &Pings,
    idle: Duration,
    events: &mpsc::Sender<Event>,
) -> End {
    loop {
        let message = if idle.is_zero() {
            stream.next().await
        } else {
            let Ok(message) = timeout(idle, stream.next()).await else { return End::Silent };
            message
        };
        let bytes = match message {
            Some(Ok(Message::Binary(bytes))) => bytes,
            Some(Ok(Message::Text(text))) => Bytes::from(text),
            None | Some(Ok(Message::Close(_))) => return End::Closed,
            Some(Ok(Message::Pong(sent))) => {
                if let Some(round_trip) = pings.answered(&sent) {
                    let _ = events.send(Event::Answered(id, round_trip)).await;
                }
                continue;
            }
            // The library answers pings.
            Some(Ok(_)) => continue,
            Some(Err(error)) => return error.into(),
        };
        if !bytes.is_empty() {
            // If the driver has ended, messages are discarded until the close is sent.
            let _ = events.send(Event::Packet(id, bytes)).await;
        }
    }
}

/// Sends the packets that the driver queues. Writes all waiting packets, then flushes once. Sends pings in between.
async fn send(
    sink: &mut SplitSink<Socket, Message>,
    pings: &Pings,
    outbox: &mut mpsc::UnboundedReceiver<Frame>,
) -> End {
    let mut frames = Vec::new();
    let mut times = pings.times();
    loop {
        let written = tokio::select! {
            count = outbox.recv_many(&mut frames, BATCH) => {
                if count == 0 { break }
                write(sink, &frames).await
            }
            () = next(&mut times) => match pings.next() {
                Some(ping) => sink.send(Message::Ping(ping)).await.map(|()| true),
                None => Ok(true),
            },
        };
        match written {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return error.into(),
        }
        // Drops the written packets, so that they no longer count as waiting, and frees the memory of the list.
        frames = Vec::new();
    }
    End::Close(CloseCode::Normal)
}

/// The pings of a connection. At most one ping waits for its answer, so that a flood of answers has no effect.
struct Pings {
    every: Duration,
    start: Instant,
    /// The time of the ping that waits for its answer, in microseconds since the start. 0 without such a ping.
    waiting: AtomicU64,
}

impl Pings {
    fn new(every: Duration) -> Self {
        Self { every, start: Instant::now(), waiting: AtomicU64::new(0) }
    }

    /// The times of the pings. `None` without pings.
    fn times(&self) -> Option<Interval> {
        let first = self.start.checked_add(self.every).filter(|_| !self.every.is_zero())?;
        let mut times = interval_at(first, self.every);
        times.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Some(times)
    }

    /// The next ping. `None` while a ping waits for its answer.
    fn next(&self) -> Option<Bytes> {
        let now = u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX).max(1);
        let is_free = self.waiting.compare_exchange(0, now, Relaxed, Relaxed).is_ok();
        is_free.then(|| now.to_le_bytes().to_vec().into())
    }

    /// The time since the waiting ping, if `answer` is its answer.
    fn answered(&self, answer: &[u8]) -> Option<Duration> {
        let sent = u64::from_le_bytes(answer.try_into().ok()?);
        let is_answer =
            sent != 0 && self.waiting.compare_exchange(sent, 0, Relaxed, Relaxed).is_ok();
        is_answer.then(|| self.start.elapsed().saturating_sub(Duration::from_micros(sent)))
    }
}

/// Waits for the next ping, or forever without pings.
async fn next(times: &mut Option<Interval>) {
    match times {
        Some(times) => drop(times.tick().await),
        None => pending().await,
    }
}

/// Writes the packets before the first [`Frame::Close`], and flushes. Returns false if there is a [`Frame::Close`].
async fn write(sink: &mut SplitSink<Socket, Message>, frames: &[Frame]) -> Result<bool, Error> {
    for frame in frames {
        let Frame::Packet(parcel) = frame else {
            sink.flush().await?;
            return Ok(false);
        };
        sink.feed(Message::Binary(shared(parcel.share()))).await?;
    }
    sink.flush().await?;
    Ok(true)
}

fn shared(bytes: Arc<[u8]>) -> Bytes {
    Bytes::from_owner(bytes)
}

async fn finish(socket: &mut Socket, end: End) {
    match end {
        End::Lost | End::Silent => return,
        // The library sends its answer to a close frame while the socket is read.
        End::Closed => while let Some(Ok(_)) = socket.next().await {},
        End::Close(code) => {
            let frame = CloseFrame { code, reason: "".into() };
            if socket.close(Some(frame)).await.is_err() {
                return;
            }
            if code == CloseCode::Normal {
                while let Some(Ok(_)) = socket.next().await {}
            } else {
                discard(socket.get_mut()).await;
            }
        }
    } // With TLS, this sends the message that ends the stream.
    let _ = socket.get_mut().shutdown().await;
}

/// Reads and discards further bytes of the peer. Dropping a socket with unread bytes resets the connection, and the
/// peer could lose the close message.
async fn discard(stream: &mut AnyStream) {
    let mut rest = stream.take(DISCARD);
    // An array would enlarge the task of each connection.
    let mut buffer = vec![0; 4_096];
    while let Ok(1..) = rest.read(&mut buffer).await {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A peer may send any answers, so only the answer to the waiting ping measures a round trip.
    #[tokio::test]
    async fn a_ping_has_one_answer() {
        let pings = Pings::new(Duration::from_secs(1));
        assert_eq!(pings.answered(&[0; 8]), None, "no ping waits");
        let ping = pings.next().unwrap();
        assert!(pings.next().is_none(), "one ping waits");
        let mut other = ping.to_vec();
        other[0] ^= 1;
        for wrong in [&other[..], &ping[1..], &[0; 8], b""] {
            assert_eq!(pings.answered(wrong), None, "{wrong:?}");
        }
        assert!(pings.answered(&ping).is_some());
        assert_eq!(pings.answered(&ping), None, "it was answered before");
        assert!(pings.next().is_some());
    }

    #[tokio::test]
    async fn bytes_after_the_close_are_discarded() {
        let (mut peer, stream) = tokio::io::duplex(8_192);
        peer.write_all(&[7; 5_000]).await.unwrap();
        peer.shutdown().await.unwrap();
        let mut stream: AnyStream = Box::new(stream);
        discard(&mut stream).await;
        assert_eq!(stream.read(&mut [0]).await.unwrap(), 0, "unread bytes");
    }

    #[tokio::test]
    async fn pings_without_an_interval_are_not_sent() {
        assert!(Pings::new(Duration::ZERO).times().is_none());
        assert!(Pings::new(Duration::from_secs(1)).times().is_some());
    }
}
