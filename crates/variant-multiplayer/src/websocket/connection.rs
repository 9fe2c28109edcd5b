//! The task of one connection: moves messages between a socket and the hub.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};
use tokio_tungstenite::{WebSocketStream, accept_async_with_config};

use super::config::config;
use crate::peer::PeerId;
use crate::transport::TransportLimits;
use crate::transport::backlog::Parcel;

/// How long a peer that is closed may take to read what was queued.
pub(super) const GRACE: Duration = Duration::from_secs(5);
/// How long the other end may then take to answer the close.
pub(super) const LINGER: Duration = Duration::from_secs(1);
/// The most frames that are fed before a flush.
const BATCH: usize = 64;
/// The most bytes that are read and thrown away, so that a peer sees why it was closed.
const DISCARD: u64 = 1 << 20;

type Socket = WebSocketStream<TcpStream>;

/// What a connection tells the hub.
#[derive(Debug)]
pub(super) enum Event {
    /// The upgrade is done.
    Opened(PeerId),
    /// A message arrived.
    Packet(PeerId, Bytes),
    /// The connection is over. Nothing comes behind.
    Left(PeerId),
}

/// What the hub tells a connection.
#[derive(Debug)]
pub(super) enum Frame {
    /// A packet is to be sent.
    Packet(Parcel),
    /// The connection is to be closed.
    Close,
}

/// A connection before it runs.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) id: PeerId,
    pub(super) limits: TransportLimits,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) outbox: mpsc::UnboundedReceiver<Frame>,
    /// Sent when the connection has [`GRACE`] left, dropped when it has no time at all.
    pub(super) leave: oneshot::Receiver<()>,
}

/// Why a connection ends.
enum End {
    /// The peer closes it.
    Closed,
    /// This side closes it.
    Close(CloseCode),
    /// It is gone.
    Lost,
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
    /// Runs from the upgrade to the end.
    pub(super) async fn run(mut self, stream: TcpStream) {
        let mut outcome = None;
        {
            let mut work = pin!(serve(stream, self.id, self.limits, &self.events, self.outbox));
            tokio::select! {
                ended = &mut work => outcome = ended,
                leave = &mut self.leave => if leave.is_ok() {
                    outcome = timeout(GRACE, work).await.ok().flatten();
                }
            }
        }
        // The service learns of the end before the courtesies. The hub may be gone.
        let _ = self.events.send(Event::Left(self.id)).await;
        if let Some((mut socket, end)) = outcome {
            let _ = timeout(LINGER, finish(&mut socket, end)).await;
        }
    }
}

/// The socket and why it is to end; none if there is nothing to end.
async fn serve(
    stream: TcpStream,
    id: PeerId,
    limits: TransportLimits,
    events: &mpsc::Sender<Event>,
    mut outbox: mpsc::UnboundedReceiver<Frame>,
) -> Option<(Socket, End)> {
    // Packets are gathered here; the system gathers too long. Without it the connection works too.
    let _ = stream.set_nodelay(true);
    let upgrade = accept_async_with_config(stream, Some(config(limits.packet)));
    let socket = timeout(limits.handshake, upgrade).await.ok()?.ok()?;
    events.send(Event::Opened(id)).await.ok()?;
    let (mut sink, mut stream) = socket.split();
    let end = tokio::select! {
        end = receive(&mut stream, id, events) => end,
        end = send(&mut sink, &mut outbox) => end,
    };
    // The two halves are of one socket.
    Some((sink.reunite(stream).ok()?, end))
}

/// Passes messages to the hub. Waits while the hub has enough to do, and so does the peer.
async fn receive(
    stream: &mut SplitStream<Socket>,
    id: PeerId,
    events: &mpsc::Sender<Event>,
) -> End {
    loop {
        let bytes = match stream.next().await {
            Some(Ok(Message::Binary(bytes))) => bytes,
            Some(Ok(Message::Text(text))) => Bytes::from(text),
            None | Some(Ok(Message::Close(_))) => return End::Closed,
            // The library answers pings.
            Some(Ok(_)) => continue,
            Some(Err(error)) => return error.into(),
        };
        if !bytes.is_empty() {
            // Without a hub, messages are thrown away until the close is sent.
            let _ = events.send(Event::Packet(id, bytes)).await;
        }
    }
}

/// Sends what the hub queues: all that waits, then one flush.
async fn send(
    sink: &mut SplitSink<Socket, Message>,
    outbox: &mut mpsc::UnboundedReceiver<Frame>,
) -> End {
    let mut frames = Vec::new();
    while outbox.recv_many(&mut frames, BATCH).await > 0 {
        match write(sink, &frames).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return error.into(),
        }
        // What is written no longer waits.
        frames.clear();
    }
    End::Close(CloseCode::Normal)
}

/// Whether there is no close among the frames.
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
        End::Lost => {}
        // Reading sends the answer.
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
    }
}

/// Reads what the peer still sends. A socket that is dropped with unread bytes is reset, and a reset overtakes the
/// close that says why.
async fn discard(stream: &mut TcpStream) {
    let mut rest = stream.take(DISCARD);
    let mut buffer = [0; 4_096];
    while let Ok(1..) = rest.read(&mut buffer).await {}
}
