//! [`Connections`]: the connections of web sockets, and their listeners.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::timeout_at;

use super::acceptor::{Kind, Offer, Source};
use super::connection::{Connection, Event, Frame, GRACE, LINGER};
use crate::peer::PeerId;
use crate::transport::backlog::Backlog;
use crate::transport::{Departure, TransportLimits};

/// The number of events in a batch. If more events are queued, connections wait and are served in turn.
const BATCH: usize = 256;
/// The pause after a failed accept.
const PAUSE: Duration = Duration::from_millis(100);

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Opening,
    Open,
    /// The service has closed the connection. The number stays in use until the last event of the connection.
    Leaving,
}

/// A peer on a web socket.
#[derive(Debug)]
pub(crate) struct Peer {
    stage: Stage,
    address: Option<SocketAddr>,
    outbox: mpsc::UnboundedSender<Frame>,
    backlog: Backlog,
    leave: Option<oneshot::Sender<()>>,
}

impl Peer {
    /// Marks the connection as open. Returns the address at the other end.
    pub(crate) fn open(&mut self) -> Option<SocketAddr> {
        self.stage = Stage::Open;
        self.address
    }

    /// Whether packets pass in both directions.
    pub(crate) fn is_open(&self) -> bool {
        self.stage == Stage::Open
    }

    /// The bytes that wait to be sent.
    pub(crate) fn waiting(&self) -> usize {
        self.backlog.waiting()
    }

    /// Whether the waiting packets should be sent before more packets are produced.
    pub(crate) fn is_crowded(&self) -> bool {
        self.backlog.is_crowded()
    }

    /// Queues a packet. Returns false if the backlog is full. Drops empty packets, which the engine refuses.
    pub(crate) fn send(&self, bytes: Arc<[u8]>) -> bool {
        if bytes.is_empty() {
            return true;
        }
        // A connection that has ended accepts no more packets, so the packet is dropped. The last event of such a
        // connection is still in the queue.
        self.backlog
            .pack(bytes)
            .map(|parcel| drop(self.outbox.send(Frame::Packet(parcel))))
            .is_some()
    }

    /// Closes the connection after the queued packets are sent.
    pub(crate) fn close(&mut self) {
        self.stage = Stage::Leaving;
        let _ = self.outbox.send(Frame::Close);
        self.leave.take().map(|leave| leave.send(()));
    }

    /// Ends the connection at once.
    pub(crate) fn kill(&mut self) {
        self.stage = Stage::Leaving;
        self.leave = None;
    }

    /// Closes the connection at the end of the server.
    pub(crate) fn finish(&mut self) {
        match self.stage {
            Stage::Opening => self.kill(),
            Stage::Open => self.close(),
            // The connection is already closing, or has ended.
            Stage::Leaving => {}
        }
    }
}

/// The connections, including half-open connections.
#[derive(Debug)]
pub(crate) struct Connections {
    listeners: Vec<TcpListener>,
    offers: Vec<mpsc::Receiver<Offer>>,
    tasks: JoinSet<()>,
    ids: HashMap<task::Id, PeerId>,
    events: mpsc::Sender<Event>,
    inbox: mpsc::Receiver<Event>,
    /// The end of a pause after a failed accept.
    resume_at: Option<Instant>,
}

impl Connections {
    pub(crate) fn new() -> Self {
        let (events, inbox) = mpsc::channel(BATCH);
        Self {
            listeners: Vec::new(),
            offers: Vec::new(),
            tasks: JoinSet::new(),
            ids: HashMap::new(),
            events,
            inbox,
            resume_at: None,
        }
    }

    pub(crate) fn add(&mut self, source: Source) {
        match source.0 {
            Kind::Listener(listener) => self.listeners.push(listener),
            Kind::Offers(offers) => self.offers.push(offers),
        }
    }

    /// The end of a pause, at which the connections must be polled even without an event.
    pub(crate) fn wake_at(&mut self, now: Instant) -> Option<Instant> {
        self.resume_at = self.resume_at.filter(|at| *at > now);
        self.resume_at
    }

    /// Appends everything that is ready to the lists. Returns whether anything was ready.
    ///
    /// # Errors
    /// A listener no longer listens. Other failures to accept, such as too many open files, are retried.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
        events: &mut Vec<Event>,
        offers: &mut Vec<Offer>,
    ) -> io::Result<bool> {
        let mut is_ready = self.inbox.poll_recv_many(context, events, BATCH).is_ready();
        // A task normally reports its last event before it ends. It ends without this event if the program's stream has
        // panicked.
        while let Poll::Ready(Some(ended)) = self.tasks.poll_join_next_with_id(context) {
            let id =
                self.ids.remove(&ended.as_ref().map_or_else(JoinError::id, |(task, ())| *task));
            if ended.is_err() {
                events.extend(id.map(|id| Event::Left(id, Departure::Lost)));
                is_ready = true;
            }
        }
        for source in &mut self.offers {
            // A source without acceptors returns `None`, because no more offers can arrive.
            if let Poll::Ready(Some(offer)) = source.poll_recv(context) {
                offers.push(offer);
                is_ready = true;
            }
        }
        for listener in &self.listeners {
            if self.resume_at.is_some() {
                break;
            }
            let Poll::Ready(accepted) = listener.poll_accept(context) else { continue };
            match accepted {
                Ok((stream, address)) => offers.push(Offer::tcp(stream, address)),
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(error),
                Err(_) => self.resume_at = Instant::now().checked_add(PAUSE),
            }
            is_ready = true;
        }
        Ok(is_ready)
    }

    /// Starts the connection of an offer as the peer `id`. `None` if there are too many connections.
    pub(crate) fn accept(
        &mut self,
        offer: Offer,
        id: PeerId,
        limits: TransportLimits,
    ) -> Option<Peer> {
        if self.tasks.len() >= limits.peers {
            return None;
        }
        let (outbox, frames) = mpsc::unbounded_channel();
        let (leave, left) = oneshot::channel();
        let (backlog, address) = (Backlog::new(limits.backlog), offer.address);
        let peer = Peer { stage: Stage::Opening, address, outbox, backlog, leave: Some(leave) };
        // The first message is the number of the peer. Once open, the connection sends this message.
        peer.send(id.get().to_le_bytes().into());
        let events = self.events.clone();
        let connection = Connection { id, limits, events, outbox: frames, leave: left };
        let task = self.tasks.spawn(connection.run(offer));
        self.ids.insert(task.id(), id);
        Some(peer)
    }

    /// Stops accepting connections. A connection that waits for room in the queue of events gives up.
    pub(crate) fn stop(&mut self) {
        self.listeners.clear();
        self.offers.clear();
        self.inbox.close();
    }

    /// Waits for the closed connections, for a limited time since `start`.
    pub(crate) async fn finish(&mut self, start: tokio::time::Instant) {
        let tasks = &mut self.tasks;
        let end = start.checked_add(GRACE.saturating_add(LINGER)).unwrap_or(start);
        let _ = timeout_at(end, async { while tasks.join_next().await.is_some() {} }).await;
        self.tasks.shutdown().await;
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::net::Shutdown;
    use std::os::fd::OwnedFd;
    use std::task::Waker;

    use tokio::io::duplex;

    use super::super::acceptor::channel;
    use super::*;

    fn connections(listener: std::net::TcpListener) -> Connections {
        listener.set_nonblocking(true).unwrap();
        let mut connections = Connections::new();
        connections.add(TcpListener::from_std(listener).unwrap().into());
        connections
    }

    fn poll(connections: &mut Connections) -> io::Result<bool> {
        let mut context = Context::from_waker(Waker::noop());
        connections.poll(&mut context, &mut Vec::new(), &mut Vec::new())
    }

    /// The result of the first poll that finds anything.
    async fn polled(connections: &mut Connections) -> io::Result<bool> {
        loop {
            match poll(connections) {
                Ok(false) => task::yield_now().await,
                ready => return ready,
            }
        }
    }

    /// A datagram socket accepts no connections, so each accept fails.
    #[tokio::test]
    async fn a_failed_accept_is_followed_by_a_pause() {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.send_to(b"?", socket.local_addr().unwrap()).unwrap();
        let mut connections = connections(OwnedFd::from(socket).into());
        let now = Instant::now();
        assert_eq!(connections.wake_at(now), None);
        for _ in 0..2 {
            assert!(polled(&mut connections).await.unwrap());
            let resume = connections.resume_at.unwrap();
            let early = resume.checked_sub(PAUSE).unwrap();
            assert!(early >= now);
            assert_eq!(connections.wake_at(early), Some(resume));
            assert!(!poll(&mut connections).unwrap(), "it pauses");
            assert_eq!(connections.wake_at(resume), None, "the pause is over");
        }
    }

    #[tokio::test]
    async fn a_listener_that_no_longer_listens_is_an_error() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = OwnedFd::from(listener.try_clone().unwrap());
        let mut connections = connections(listener);
        assert!(!poll(&mut connections).unwrap(), "nobody connects");
        std::net::TcpStream::from(socket).shutdown(Shutdown::Both).unwrap();
        let error = polled(&mut connections).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[tokio::test]
    async fn a_stopped_server_takes_nothing_more() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut connections = connections(listener);
        let (acceptor, source) = channel();
        connections.add(source);
        let connect = || std::net::TcpStream::connect(address);
        let offer = async || acceptor.accept(duplex(1).0, None).await;
        assert!(connect().is_ok() && offer().await.is_ok());
        assert!(!connections.events.is_closed());
        connections.stop();
        assert!(connect().is_err() && offer().await.is_err());
        assert!(connections.events.is_closed(), "a connection does not wait for the driver");
    }

    #[test]
    fn packets_wait_until_they_are_sent() {
        let address = Some(SocketAddr::from(([127, 0, 0, 1], 4_000)));
        let (outbox, mut frames) = mpsc::unbounded_channel();
        let backlog = Backlog::new(400);
        let mut peer = Peer { stage: Stage::Opening, address, outbox, backlog, leave: None };
        assert!(!peer.is_open());
        assert_eq!(peer.open(), address);
        assert!(peer.is_open());
        assert!(peer.send(Arc::default()), "an empty packet is not sent");
        assert_eq!((peer.waiting(), peer.is_crowded()), (0, false));
        assert!(peer.send(vec![7; 136].into()) && peer.send(vec![8; 136].into()));
        assert_eq!((peer.waiting(), peer.is_crowded()), (400, true));
        assert!(!peer.send(vec![9].into()), "the backlog is full");
        let Ok(Frame::Packet(parcel)) = frames.try_recv() else { panic!("a packet") };
        assert_eq!(parcel.as_ref(), [7; 136]);
        drop(parcel);
        assert_eq!(peer.waiting(), 200);
        peer.close();
        assert!(!peer.is_open());
        drop(frames);
        assert_eq!(peer.waiting(), 0);
    }
}
