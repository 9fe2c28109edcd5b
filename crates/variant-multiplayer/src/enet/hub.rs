//! The task that owns the service and the host.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusty_enet::{EventNoRef as Event, Host, Packet, PeerID as Place, PeerState};
use tokio::net::UdpSocket;
use tokio::time::timeout;

use super::delivery::{LABEL, from_enet, to_enet};
use super::guard::Guard;
use super::socket::{Datagrams, host};
use crate::peer::PeerId;
use crate::transport::backlog::Backlog;
use crate::transport::ledger::Ledger;
use crate::transport::{Delivery, Departure, Input, Output, Service, TransportLimits, clock};

/// The maximum number of polls before outputs are taken. Each poll reads datagrams up to an event, at most 256.
const LOOKS: usize = 8;
/// The interval at which ENet checks its timers while it waits for acknowledgements. Datagrams wake the task at once,
/// so the interval only delays retransmissions. A retransmission is due after a round trip and four times its variance.
const QUICK: Duration = Duration::from_millis(5);
/// The interval at which ENet checks its timers when nothing waits. Pings are due each 500 ms.
const IDLE: Duration = Duration::from_millis(50);
/// The interval at which the hub looks for old connections that the service does not know.
const SWEEP: Duration = Duration::from_millis(250);
/// The time that a disconnected peer may take to acknowledge the queued packets.
const GRACE: Duration = Duration::from_secs(5);
/// ENet's default: the number of doublings of a packet's timeout after which the lower limit of time applies.
const RETRIES: u32 = 32;
/// The maximum time of a shutdown.
const SHUTDOWN: Duration = Duration::from_secs(2);
/// The minimum limit for bytes that wait unread, out of order or incomplete: twice the bytes in flight of a peer that
/// respects ENet's window.
const WAITING: usize = 128 << 10;

#[derive(Debug)]
struct Peer {
    place: Place,
    backlog: Backlog,
    address: Option<SocketAddr>,
}

/// The owner of a service, and the host.
#[derive(Debug)]
pub(super) struct Hub<S> {
    service: S,
    limits: TransportLimits,
    host: Host<Datagrams>,
    ledger: Ledger<Peer>,
    /// The peer at each place.
    owners: HashMap<Place, PeerId>,
    /// The places of connections that the service does not know (half-open and disconnected ones), with the time at
    /// which the hub first saw each.
    strays: HashMap<Place, Instant>,
    sweep_at: Instant,
    /// The time of the next measurement; `None` without pings.
    measure_at: Option<Instant>,
}

/// The limits of the time without an answer: ENet's ratio of 1 to 6, in milliseconds. For 0 it takes its defaults.
fn timeouts(idle: Duration) -> [u32; 2] {
    let idle = u32::try_from(idle.as_millis()).unwrap_or(u32::MAX);
    [idle / 6, idle]
}

impl<S: Service> Hub<S> {
    pub(super) fn new(socket: UdpSocket, service: S, limits: TransportLimits) -> io::Result<Self> {
        let guard = Guard::new(limits.packet);
        let mut host = host(Datagrams::new(Arc::new(socket), Some(guard)), limits.peers)?;
        let waiting = limits.packet.saturating_mul(2).max(WAITING);
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
        host.set_maximum_waiting_data(waiting).map_err(invalid)?;
        Ok(Self {
            service,
            limits,
            host,
            ledger: Ledger::new(),
            owners: HashMap::new(),
            strays: HashMap::new(),
            sweep_at: Instant::now(),
            measure_at: (!limits.ping.is_zero()).then(Instant::now),
        })
    }

    /// Serves until `shutdown`.
    pub(super) async fn run(mut self, shutdown: impl Future<Output = ()>) -> S {
        let mut shutdown = pin!(shutdown);
        let writable = self.host.socket().writable();
        writable.await;
        self.service.handle(Input::Tick, Instant::now());
        loop {
            let now = Instant::now();
            self.receive(now);
            self.host.socket_mut().forget_leaving();
            self.close_oversize(now);
            clock::tick(&mut self.service, now);
            self.send_outputs(now);
            self.sweep(now);
            self.measure(now);
            self.host.flush();
            let wake_at = clock::wake_at(&self.service, now);
            let timers_at = now.checked_add(self.pace());
            let wake_at = wake_at.into_iter().chain(timers_at).min();
            let readable = self.host.socket_mut().readable();
            tokio::select! {
                () = &mut shutdown => break,
                () = readable => {}
                () = clock::sleep_until(wake_at) => {}
            }
        }
        let _ = timeout(SHUTDOWN, self.finish()).await;
        self.service
    }

    /// The time that ENet may wait for the next poll.
    fn pace(&self) -> Duration {
        let idle =
            self.strays.is_empty() && self.ledger.values().all(|peer| peer.backlog.waiting() == 0);
        if idle { IDLE } else { QUICK }
    }

    fn receive(&mut self, now: Instant) {
        for _ in 0..LOOKS {
            let Ok(Some(event)) = self.host.service() else { return };
            let mut next = Some(event.no_ref());
            while let Some(event) = next {
                self.take(event, now);
                // Outputs of a packet are queued before the next packet is read.
                self.send_outputs(now);
                next = self.host.check_events().map(rusty_enet::Event::no_ref);
            }
        }
    }

    fn take(&mut self, event: Event, now: Instant) {
        match event {
            Event::Connect { peer, data } => self.connect(peer, data, now),
            Event::Disconnect { peer, .. } => {
                self.strays.remove(&peer);
                self.forget(peer, None, now);
            }
            Event::Receive { peer, channel_id, packet } => {
                let Some(&from) = self.owners.get(&peer) else { return };
                let received = from_enet(channel_id, packet.data());
                let Some((bytes, delivery)) = received else { return };
                self.service.handle(Input::Received { from, bytes, delivery }, now);
            }
        }
    }

    fn connect(&mut self, place: Place, data: u32, now: Instant) {
        self.strays.remove(&place);
        // The waiting outputs are for an earlier peer of this number.
        self.send_outputs(now);
        let backlog = Backlog::new(self.limits.backlog);
        let address = self.host.get_peer(place).and_then(rusty_enet::Peer::address);
        let peer = Peer { place, backlog, address };
        let id = i32::try_from(data).ok().and_then(PeerId::client);
        match id.filter(|id| self.ledger.insert(*id, peer)) {
            Some(id) => {
                self.owners.insert(place, id);
                let [least, most] = timeouts(self.limits.idle);
                if let Some(peer) = self.host.get_peer_mut(place) {
                    peer.set_timeout(RETRIES, least, most);
                }
                self.service.handle(Input::Connected { peer: id, address }, now);
            }
            None => self.disconnect(place, now),
        }
    }

    /// Disconnects the peer at a place, and drops its queue.
    fn disconnect(&mut self, place: Place, now: Instant) {
        self.strays.insert(place, now);
        if let Some(peer) = self.host.get_peer_mut(place) {
            peer.disconnect(0);
        }
    }

    /// Forgets the peer at a place, and notifies the service if it knows that peer. Without a reason, the peer has left, or
    /// ENet has waited too long for it.
    fn forget(&mut self, place: Place, why: Option<Departure>, now: Instant) {
        let Some(id) = self.owners.remove(&place) else { return };
        let address = self.ledger.remove(id).and_then(|peer| peer.address);
        let number = u16::try_from(place.0).unwrap_or_default();
        let leaves = address.is_some_and(|address| self.host.socket().leaves(address, number));
        let why = why.unwrap_or(if leaves { Departure::Left } else { Departure::Silent });
        self.service.handle(Input::Disconnected { peer: id, why }, now);
    }

    fn close_oversize(&mut self, now: Instant) {
        for (address, place) in self.host.socket_mut().take_oversize() {
            let place = Place(place.into());
            let at: Option<SocketAddr> =
                self.host.get_peer(place).and_then(rusty_enet::Peer::address);
            if at == Some(address) && self.owners.contains_key(&place) {
                self.disconnect(place, now);
                self.forget(place, Some(Departure::TooLarge), now);
            }
        }
    }

    fn send_outputs(&mut self, now: Instant) {
        // The host applies one limit to both directions. The limit of the service is only for received packets.
        let _ = self.host.set_maximum_packet_size(usize::MAX);
        while let Some(output) = self.service.output() {
            match output {
                Output::Send { to, bytes, delivery } => self.send(to, bytes, delivery, now),
                Output::Close(id) => self.close(id, now),
            }
        }
        let labelled = self.limits.packet.max(1).saturating_add(LABEL);
        let _ = self.host.set_maximum_packet_size(labelled);
    }

    fn send(&mut self, to: PeerId, bytes: Arc<[u8]>, delivery: Delivery, now: Instant) {
        let Some(peer) = self.ledger.get_mut(to).filter(|_| !bytes.is_empty()) else { return };
        let place = peer.place;
        let Some(parcel) = peer.backlog.pack(bytes) else {
            self.disconnect(place, now);
            self.forget(place, Some(Departure::Backlog), now);
            return;
        };
        let (channel, kind) = to_enet(delivery);
        if let Some(peer) = self.host.get_peer_mut(place) {
            // This call fails if the client has opened fewer channels or has just left. The engine loses such a packet
            // too.
            let _ = peer.send(channel, &Packet::new(Box::new(parcel), kind));
        }
    }

    fn close(&mut self, id: PeerId, now: Instant) {
        let Some(peer) = self.ledger.remove(id) else { return };
        self.owners.remove(&peer.place);
        self.strays.insert(peer.place, now);
        if let Some(peer) = self.host.get_peer_mut(peer.place) {
            peer.disconnect_later(0);
        }
    }

    /// Frees the places of connections that the service has not known for too long. ENet frees them later, and not
    /// while the other end acknowledges anything.
    fn sweep(&mut self, now: Instant) {
        if now < self.sweep_at {
            return;
        }
        self.sweep_at = now.checked_add(SWEEP).unwrap_or(now);
        let (owners, strays, handshake) = (&self.owners, &mut self.strays, self.limits.handshake);
        for peer in self.host.peers_mut() {
            let (place, state) = (peer.id(), peer.state());
            if state == PeerState::Disconnected || owners.contains_key(&place) {
                strays.remove(&place);
                continue;
            }
            let since = *strays.entry(place).or_insert(now);
            let grace = if state == PeerState::AcknowledgingConnect { handshake } else { GRACE };
            if now.duration_since(since) >= grace {
                // Sends nothing to the client, because the address of a half-open connection may be forged.
                peer.reset();
                strays.remove(&place);
            }
        }
    }

    /// Reports the round trips and backlogs of all peers, at the interval of pings.
    fn measure(&mut self, now: Instant) {
        if self.measure_at.is_none_or(|at| now < at) {
            return;
        }
        self.measure_at = now.checked_add(self.limits.ping);
        let measured = |peer: &rusty_enet::Peer<Datagrams>| (peer.id(), peer.round_trip_time());
        for (place, round_trip) in self.host.peers().map(measured).collect::<Vec<_>>() {
            let Some(&id) = self.owners.get(&place) else { continue };
            let waiting = self.ledger.get_mut(id).map_or(0, |known| known.backlog.waiting());
            self.service.handle(Input::Measured { peer: id, round_trip, waiting }, now);
            self.send_outputs(now);
        }
    }

    /// Disconnects all peers, and waits until ENet has finished.
    async fn finish(&mut self) {
        for peer in self.ledger.drain() {
            if let Some(peer) = self.host.get_peer_mut(peer.place) {
                peer.disconnect_later(0);
            }
        }
        loop {
            // The number of polls is limited, so that a flood of datagrams does not delay the end.
            for _ in 0..LOOKS {
                let Ok(Some(_)) = self.host.service() else { break };
            }
            self.host.flush();
            let mut peers = self.host.peers();
            // Does not wait for half-open connections.
            let is_open =
                |state| !matches!(state, PeerState::Disconnected | PeerState::AcknowledgingConnect);
            if !peers.any(|peer| is_open(peer.state())) {
                return;
            }
            drop(peers);
            let readable = self.host.socket_mut().readable();
            // After a datagram or the timeout, ENet checks the socket next.
            let _ = timeout(QUICK, readable).await;
        }
    }
}
