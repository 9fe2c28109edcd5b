//! The task that owns the service: handles events of connections, and sends them packets.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinSet, yield_now};
use tokio::time::timeout;

use super::connection::{Connection, Event, Frame, GRACE, LINGER};
use crate::peer::PeerId;
use crate::transport::backlog::Backlog;
use crate::transport::ledger::Ledger;
use crate::transport::{Delivery, Departure, Input, Output, Service, TransportLimits, clock};

/// The number of events that are handled as a batch. It is also the number of events in the queue above which
/// connections wait. Waiting connections are served in turn.
const BATCH: usize = 256;
/// The pause after a failed accept.
const PAUSE: Duration = Duration::from_millis(100);

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Opening,
    Open,
    /// The service has closed the connection. The number is in use until the last event of the
    /// connection.
    Leaving,
}

#[derive(Debug)]
struct Peer {
    stage: Stage,
    address: SocketAddr,
    outbox: mpsc::UnboundedSender<Frame>,
    backlog: Backlog,
    leave: Option<oneshot::Sender<()>>,
}

impl Peer {
    /// Queues a packet. Returns false if the backlog is full. Drops empty packets, which the engine refuses.
    fn send(&self, bytes: Arc<[u8]>) -> bool {
        if bytes.is_empty() {
            return true;
        }
        // A connection that has ended accepts no more packets. Its last event is still in the
        // queue.
        self.backlog
            .pack(bytes)
            .map(|parcel| drop(self.outbox.send(Frame::Packet(parcel))))
            .is_some()
    }

    /// Closes the connection after the queued packets.
    fn close(&mut self) {
        self.stage = Stage::Leaving;
        let _ = self.outbox.send(Frame::Close);
        self.leave.take().map(|leave| leave.send(()));
    }

    /// Ends the connection at once.
    fn kill(&mut self) {
        self.stage = Stage::Leaving;
        self.leave = None;
    }
}

/// The owner of a service, and the connections.
#[derive(Debug)]
pub(super) struct Hub<S> {
    service: S,
    limits: TransportLimits,
    ledger: Ledger<Peer>,
    /// The tasks of all connections, including half-open ones.
    tasks: JoinSet<()>,
    events: mpsc::Sender<Event>,
    inbox: mpsc::Receiver<Event>,
    resume_at: Option<Instant>,
}

impl<S: Service> Hub<S> {
    pub(super) fn new(service: S, limits: TransportLimits) -> Self {
        let (events, inbox) = mpsc::channel(BATCH);
        let (ledger, tasks) = (Ledger::new(), JoinSet::new());
        Self { service, limits, ledger, tasks, events, inbox, resume_at: None }
    }

    /// Serves until `shutdown`.
    pub(super) async fn run(
        mut self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<S> {
        let mut shutdown = pin!(shutdown);
        let mut batch = Vec::with_capacity(BATCH);
        self.service.handle(Input::Tick, Instant::now());
        loop {
            let now = Instant::now();
            clock::tick(&mut self.service, now);
            self.send_outputs(now);
            self.resume_at = self.resume_at.filter(|at| *at > now);
            let wake_at = clock::wake_at(&self.service, now).into_iter().chain(self.resume_at);
            tokio::select! {
                () = &mut shutdown => break,
                _ = self.inbox.recv_many(&mut batch, BATCH) => self.take(batch.drain(..)).await,
                accepted = listener.accept(), if self.resume_at.is_none() => match accepted {
                    Ok((stream, address)) => self.accept(stream, address),
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(error),
                    Err(_) => self.resume_at = Instant::now().checked_add(PAUSE),
                },
                // This frees the memory of finished tasks.
                Some(_) = self.tasks.join_next() => {}
                () = clock::sleep_until(wake_at.min()) => {}
            }
        }
        drop(listener);
        Ok(self.finish().await)
    }

    fn accept(&mut self, stream: TcpStream, address: SocketAddr) {
        if self.tasks.len() >= self.limits.peers {
            return;
        }
        let id = self.ledger.unused();
        let (outbox, frames) = mpsc::unbounded_channel();
        let (leave, left) = oneshot::channel();
        let backlog = Backlog::new(self.limits.backlog);
        let peer = Peer { stage: Stage::Opening, address, outbox, backlog, leave: Some(leave) };
        // The first message is the number of the peer. The connection sends it when it is open.
        peer.send(id.get().to_le_bytes().into());
        self.ledger.insert(id, peer);
        let (limits, events) = (self.limits, self.events.clone());
        let connection = Connection { id, limits, events, outbox: frames, leave: left };
        self.tasks.spawn(connection.run(stream));
    }

    /// Handles events. Queues the outputs of each event before the next event. If a backlog is large, pauses so that
    /// connections can send, and a peer that reads is not closed.
    async fn take(&mut self, batch: impl Iterator<Item = Event>) {
        let mut now = Instant::now();
        for event in batch {
            self.handle(event, now);
            if self.send_outputs(now) {
                yield_now().await;
                now = Instant::now();
            }
        }
    }

    fn handle(&mut self, event: Event, now: Instant) {
        match event {
            Event::Opened(id) => {
                let Some(peer) = self.ledger.get_mut(id) else { return };
                peer.stage = Stage::Open;
                let address = Some(peer.address);
                self.service.handle(Input::Connected { peer: id, address }, now);
            }
            Event::Packet(from, bytes) => {
                if self.is_open(from) {
                    let delivery = Delivery::RELIABLE;
                    let input = Input::Received { from, bytes: &bytes, delivery };
                    self.service.handle(input, now);
                }
            }
            Event::Answered(id, round_trip) => {
                let peer = self.ledger.get_mut(id).filter(|peer| peer.stage == Stage::Open);
                let Some(waiting) = peer.map(|peer| peer.backlog.waiting()) else { return };
                self.service.handle(Input::Measured { peer: id, round_trip, waiting }, now);
            }
            Event::Left(id, why) => {
                let left = self.ledger.remove(id);
                if left.is_some_and(|peer| peer.stage == Stage::Open) {
                    self.service.handle(Input::Disconnected { peer: id, why }, now);
                }
            }
        }
    }

    fn is_open(&mut self, id: PeerId) -> bool {
        self.ledger.get_mut(id).is_some_and(|peer| peer.stage == Stage::Open)
    }

    /// Queues outputs at the connections; returns whether the backlog of one is large.
    fn send_outputs(&mut self, now: Instant) -> bool {
        let mut is_crowded = false;
        while let Some(output) = self.service.output() {
            let (id, bytes) = match output {
                Output::Send { to, bytes, .. } => (to, Some(bytes)),
                Output::Close(id) => (id, None),
            };
            let peer = self.ledger.get_mut(id);
            let Some(peer) = peer.filter(|peer| peer.stage == Stage::Open) else { continue };
            let Some(bytes) = bytes else {
                peer.close();
                continue;
            };
            if peer.send(bytes) {
                is_crowded |= peer.backlog.is_crowded();
            } else {
                peer.kill();
                let why = Departure::Backlog;
                self.service.handle(Input::Disconnected { peer: id, why }, now);
            }
        }
        is_crowded
    }

    /// Closes all connections, within a limited time.
    async fn finish(mut self) -> S {
        // Connections that wait to report an event stop waiting.
        self.inbox.close();
        for mut peer in self.ledger.drain() {
            match peer.stage {
                Stage::Opening => peer.kill(),
                Stage::Open => peer.close(),
                // The connection already has its command and its deadline.
                Stage::Leaving => {}
            }
        }
        let tasks = &mut self.tasks;
        let _ = timeout(GRACE.saturating_add(LINGER), async {
            while tasks.join_next().await.is_some() {}
        })
        .await;
        self.tasks.shutdown().await;
        self.service
    }
}
