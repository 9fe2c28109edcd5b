//! [`Hub`]: the task of a driver. It owns the service and the connections of the peers.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Instant;

#[cfg(feature = "enet")]
use tokio::net::UdpSocket;
use tokio::sync::mpsc;
use tokio::task::yield_now;

#[cfg(feature = "enet")]
use crate::enet;
use crate::peer::PeerId;
use crate::transport::ledger::Ledger;
use crate::transport::{Departure, Input, Output, Service, TransportLimits, clock};
#[cfg(feature = "websocket")]
use crate::{transport::Delivery, websocket};

/// The maximum number of messages from other tasks that are received at once.
const BATCH: usize = 256;

/// The connection of a peer.
#[derive(Debug)]
enum Link {
    #[cfg(feature = "websocket")]
    WebSocket(websocket::Peer),
    #[cfg(feature = "enet")]
    Enet(enet::Peer),
}

#[derive(Debug)]
pub(super) struct Hub<S: Service> {
    service: S,
    limits: TransportLimits,
    ledger: Ledger<Link>,
    inbox: Option<mpsc::Receiver<S::Event>>,
    #[cfg(feature = "websocket")]
    connections: websocket::Connections,
    #[cfg(feature = "enet")]
    hosts: Vec<enet::Host>,
}

/// Inputs that are ready to be handled.
struct Ready<E> {
    events: Vec<E>,
    #[cfg(feature = "websocket")]
    frames: Vec<websocket::Event>,
    #[cfg(feature = "websocket")]
    offers: Vec<websocket::Offer>,
}

impl<E> Ready<E> {
    const fn new() -> Self {
        Self {
            events: Vec::new(),
            #[cfg(feature = "websocket")]
            frames: Vec::new(),
            #[cfg(feature = "websocket")]
            offers: Vec::new(),
        }
    }
}

impl<S: Service> Hub<S> {
    pub(super) fn new(
        service: S,
        limits: TransportLimits,
        inbox: Option<mpsc::Receiver<S::Event>>,
        #[cfg(feature = "websocket")] connections: websocket::Connections,
    ) -> Self {
        Self {
            service,
            limits,
            ledger: Ledger::new(),
            inbox,
            #[cfg(feature = "websocket")]
            connections,
            #[cfg(feature = "enet")]
            hosts: Vec::new(),
        }
    }

    #[cfg(feature = "enet")]
    pub(super) fn with_sockets(mut self, sockets: Vec<UdpSocket>) -> io::Result<Self> {
        let hosts = sockets.into_iter().map(|socket| enet::Host::new(socket, self.limits));
        self.hosts = hosts.collect::<io::Result<_>>()?;
        Ok(self)
    }

    pub(super) async fn run(mut self, shutdown: impl Future<Output = ()>) -> io::Result<S> {
        let mut shutdown = pin!(shutdown);
        let mut ready = Ready::new();
        #[cfg(feature = "enet")]
        for host in &self.hosts {
            host.writable().await;
        }
        self.service.handle(Input::Tick, Instant::now());
        self.send_outputs(Instant::now());
        let outcome = loop {
            let mut now = Instant::now();
            #[cfg(feature = "enet")]
            self.receive_datagrams(&mut now).await;
            clock::tick(&mut self.service, now);
            self.send_in_turn(&mut now).await;
            #[cfg(feature = "enet")]
            self.tend_hosts(now);
            let mut wake = pin!(clock::sleep_until(self.wake_at(now)));
            let is_over = poll_fn(|context| {
                if shutdown.as_mut().poll(context).is_ready() {
                    return Poll::Ready(Ok(true));
                }
                match self.poll(&mut ready, context) {
                    Ok(false) => wake.as_mut().poll(context).map(|()| Ok(false)),
                    result => Poll::Ready(result.map(|_| false)),
                }
            });
            match is_over.await {
                Ok(false) => self.take(&mut ready).await,
                Ok(true) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        let service = self.finish().await;
        outcome.map(|()| service)
    }

    /// The time at which the service or a transport must be called even if no event occurs.
    fn wake_at(&mut self, now: Instant) -> Option<Instant> {
        let times = clock::wake_at(&self.service, now).into_iter();
        #[cfg(feature = "websocket")]
        let times = times.chain(self.connections.wake_at(now));
        #[cfg(feature = "enet")]
        let times = {
            let link = |link: &Link| matches!(link, Link::Enet(peer) if peer.waiting() > 0);
            let is_busy = !self.hosts.is_empty() && self.ledger.values().any(link);
            times.chain(self.hosts.iter().filter_map(move |host| host.wake_at(is_busy, now)))
        };
        times.min()
    }

    /// Collects the ready inputs of all sources, so that no source delays another. Returns whether there are any. Each
    /// source is polled, since a poll also registers the task to be woken.
    #[cfg_attr(
        not(feature = "websocket"),
        expect(clippy::unnecessary_wraps, reason = "only a listener fails")
    )]
    fn poll(&mut self, ready: &mut Ready<S::Event>, context: &mut Context<'_>) -> io::Result<bool> {
        let received = self
            .inbox
            .as_mut()
            .map_or(Poll::Pending, |inbox| inbox.poll_recv_many(context, &mut ready.events, BATCH));
        if received == Poll::Ready(0) {
            // All senders are gone, so no more messages can arrive.
            self.inbox = None;
        }
        let is_ready = !ready.events.is_empty();
        #[cfg(feature = "websocket")]
        let is_ready =
            self.connections.poll(context, &mut ready.frames, &mut ready.offers)? || is_ready;
        #[cfg(feature = "enet")]
        let is_ready = self
            .hosts
            .iter_mut()
            .fold(is_ready, |is_ready, host| host.poll_readable(context) || is_ready);
        Ok(is_ready)
    }

    /// Handles the ready inputs.
    async fn take(&mut self, ready: &mut Ready<S::Event>) {
        let mut now = Instant::now();
        for event in ready.events.drain(..) {
            self.service.event(event, now);
            self.send_in_turn(&mut now).await;
        }
        #[cfg(feature = "websocket")]
        for offer in ready.offers.drain(..) {
            self.accept(offer);
        }
        #[cfg(feature = "websocket")]
        for event in ready.frames.drain(..) {
            self.take_event(event, now);
            self.send_in_turn(&mut now).await;
        }
    }

    /// Queues the outputs of an event before the next event is handled. If a backlog is large, pauses so that
    /// connections can send. Without the pause, the backlog of a peer that reads its packets could reach the limit.
    async fn send_in_turn(&mut self, now: &mut Instant) {
        if self.send_outputs(*now) {
            yield_now().await;
            *now = Instant::now();
        }
    }

    /// Passes outputs to the transports. Returns whether the backlog of a web socket is large.
    #[cfg_attr(
        not(feature = "websocket"),
        expect(unused_mut, reason = "only web sockets are crowded")
    )]
    fn send_outputs(&mut self, now: Instant) -> bool {
        let mut is_crowded = false;
        while let Some(output) = self.service.output() {
            let (id, packet) = match output {
                Output::Send { to, bytes, delivery } => (to, Some((bytes, delivery))),
                Output::Close(id) => (id, None),
            };
            match (self.ledger.get_mut(id), packet) {
                #[cfg(feature = "websocket")]
                (Some(Link::WebSocket(peer)), Some((bytes, _))) if peer.is_open() => {
                    if peer.send(bytes) {
                        is_crowded |= peer.is_crowded();
                    } else {
                        peer.kill();
                        self.report(id, Departure::Backlog, now);
                    }
                }
                #[cfg(feature = "websocket")]
                (Some(Link::WebSocket(peer)), None) if peer.is_open() => peer.close(),
                #[cfg(feature = "enet")]
                (Some(Link::Enet(peer)), packet) => {
                    let Some(host) = self.hosts.get_mut(peer.host) else { continue };
                    match packet {
                        Some((bytes, delivery)) if host.send(peer, &bytes, delivery) => {}
                        Some(_) => {
                            host.disconnect(peer.place, now);
                            self.ledger.remove(id);
                            self.report(id, Departure::Backlog, now);
                        }
                        None => {
                            host.close(peer.place, now);
                            self.ledger.remove(id);
                        }
                    }
                }
                // The peer has left, or is leaving, so the output is dropped.
                _ => {}
            }
        }
        is_crowded
    }

    /// Reports the departure of a peer to the service.
    fn report(&mut self, peer: PeerId, why: Departure, now: Instant) {
        self.service.handle(Input::Disconnected { peer, why }, now);
    }

    /// Closes all connections, within a limited time.
    async fn finish(mut self) -> S {
        #[cfg(feature = "websocket")]
        let start = tokio::time::Instant::now();
        #[cfg(feature = "websocket")]
        self.connections.stop();
        for link in self.ledger.drain() {
            match link {
                #[cfg(feature = "websocket")]
                Link::WebSocket(mut peer) => peer.finish(),
                #[cfg(feature = "enet")]
                Link::Enet(peer) => {
                    if let Some(host) = self.hosts.get_mut(peer.host) {
                        host.close(peer.place, Instant::now());
                    }
                }
            }
        }
        // The connections of web sockets are tasks, so they close while the ENet hosts finish.
        #[cfg(feature = "enet")]
        enet::Host::finish(&mut self.hosts).await;
        #[cfg(feature = "websocket")]
        self.connections.finish(start).await;
        self.service
    }
}

#[cfg(feature = "websocket")]
impl<S: Service> Hub<S> {
    fn accept(&mut self, offer: websocket::Offer) {
        let id = self.ledger.unused();
        if let Some(peer) = self.connections.accept(offer, id, self.limits) {
            self.ledger.insert(id, Link::WebSocket(peer));
        }
    }

    fn web_socket(&mut self, id: PeerId) -> Option<&mut websocket::Peer> {
        match self.ledger.get_mut(id)? {
            Link::WebSocket(peer) => Some(peer),
            #[cfg(feature = "enet")]
            Link::Enet(_) => None,
        }
    }

    fn take_event(&mut self, event: websocket::Event, now: Instant) {
        match event {
            websocket::Event::Opened(id) => {
                let Some(peer) = self.web_socket(id) else { return };
                let address = peer.open();
                self.service.handle(Input::Connected { peer: id, address }, now);
            }
            websocket::Event::Packet(from, bytes) => {
                if self.web_socket(from).is_some_and(|peer| peer.is_open()) {
                    let delivery = Delivery::RELIABLE;
                    self.service.handle(Input::Received { from, bytes: &bytes, delivery }, now);
                }
            }
            websocket::Event::Answered(peer, round_trip) => {
                let open = self.web_socket(peer).filter(|peer| peer.is_open());
                let Some(waiting) = open.map(|peer| peer.waiting()) else { return };
                self.service.handle(Input::Measured { peer, round_trip, waiting }, now);
            }
            websocket::Event::Left(id, why) => {
                let was_open = self.web_socket(id).is_some_and(|peer| peer.is_open());
                self.ledger.remove(id);
                if was_open {
                    self.report(id, why, now);
                }
            }
        }
    }
}

#[cfg(feature = "enet")]
impl<S: Service> Hub<S> {
    /// Handles the datagrams that have arrived. The outputs of a packet are queued before the next packet is read.
    async fn receive_datagrams(&mut self, now: &mut Instant) {
        for number in 0..self.hosts.len() {
            let mut looks = enet::LOOKS;
            while let Some(event) =
                self.hosts.get_mut(number).and_then(|host| host.next(&mut looks, *now))
            {
                self.take_enet(number, event, *now);
                self.send_in_turn(now).await;
            }
        }
    }

    fn take_enet(&mut self, number: usize, event: enet::Event, now: Instant) {
        match event {
            enet::Event::Connecting { place, id, address } => {
                let link = Link::Enet(enet::Peer::new(number, place, self.limits.backlog));
                let id = id.filter(|id| self.ledger.insert(*id, link));
                let Some(host) = self.hosts.get_mut(number) else { return };
                match id {
                    Some(peer) => {
                        host.admit(place, peer);
                        self.service.handle(Input::Connected { peer, address }, now);
                    }
                    None => host.disconnect(place, now),
                }
            }
            enet::Event::Received { from, packet } => {
                if let Some((bytes, delivery)) = packet.read() {
                    self.service.handle(Input::Received { from, bytes, delivery }, now);
                }
            }
            enet::Event::Left { peer, why } => {
                self.ledger.remove(peer);
                self.report(peer, why, now);
            }
        }
    }

    /// Reports measured round trips, frees the slots of connections that the service does not know, and sends waiting
    /// packets.
    fn tend_hosts(&mut self, now: Instant) {
        let measured = self.hosts.iter_mut().flat_map(|host| host.measure(now));
        for (peer, round_trip) in measured.collect::<Vec<_>>() {
            // An output for another peer may have closed this peer.
            let Some(Link::Enet(link)) = self.ledger.get_mut(peer) else { continue };
            let waiting = link.waiting();
            self.service.handle(Input::Measured { peer, round_trip, waiting }, now);
            self.send_outputs(now);
        }
        for host in &mut self.hosts {
            host.sweep(now);
            host.flush();
        }
    }
}
