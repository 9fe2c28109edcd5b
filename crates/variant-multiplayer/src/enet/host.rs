//! [`Host`]: the ENet clients of a socket.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::Context;
use std::time::{Duration, Instant};

use rusty_enet::{EventNoRef, Packet, PeerID as Place, PeerState};
use tokio::net::UdpSocket;
use tokio::time::{sleep, timeout};

use super::delivery::{LABEL, from_enet, to_enet};
use super::guard::Guard;
use super::socket::{Datagrams, enlarge_buffers, host};
use crate::peer::PeerId;
use crate::transport::backlog::Backlog;
use crate::transport::{Delivery, Departure, TransportLimits};

/// The maximum number of consecutive polls. Each poll reads at most 256 datagrams, and stops when one causes an event.
pub(crate) const LOOKS: usize = 8;
/// The interval at which ENet checks its timers while it waits for acknowledgements. Datagrams wake the task at once,
/// so the interval only delays retransmissions. A retransmission is due after a round trip and four times its variance.
const QUICK: Duration = Duration::from_millis(5);
/// The interval at which ENet checks its timers when no packet waits for an acknowledgement. Pings are due each 500 ms.
const IDLE: Duration = Duration::from_millis(50);
/// The interval at which the host searches for old connections that the service does not know.
const SWEEP: Duration = Duration::from_millis(250);
/// The time that a disconnected peer may take to acknowledge the queued packets.
const GRACE: Duration = Duration::from_secs(5);
/// ENet's default. ENet doubles the timeout of a packet at each retransmission. When the timeout has grown by this
/// factor, the lower limit of `timeouts` applies.
const RETRIES: u32 = 32;
/// The maximum time of a shutdown.
const SHUTDOWN: Duration = Duration::from_secs(2);
/// The limit for received bytes that are unread, out of order, or in incomplete packets is at least this number, and the
/// labels of [`PACKETS`]. A peer that respects ENet's window has at most half of this number in flight.
const WAITING: usize = 128 << 10;
/// The number of packets that may wait at least. ENet walks their list for each packet that arrives.
const PACKETS: usize = 4_096;

/// A peer of ENet. Its place is its slot in the ENet host, which has one slot for each possible connection.
#[derive(Debug)]
pub(crate) struct Peer {
    /// The index of the peer's host in `Hub::hosts`.
    pub(crate) host: usize,
    pub(crate) place: Place,
    backlog: Backlog,
}

impl Peer {
    pub(crate) fn new(host: usize, place: Place, backlog: usize) -> Self {
        Self { host, place, backlog: Backlog::new(backlog) }
    }

    /// The bytes that wait to be acknowledged.
    pub(crate) fn waiting(&self) -> usize {
        self.backlog.waiting()
    }
}

/// A packet that arrived, with its label.
#[derive(Debug)]
pub(crate) struct Labelled {
    channel: u8,
    packet: Packet,
}

impl Labelled {
    /// The packet without its label, and its delivery.
    pub(crate) fn read(&self) -> Option<(&[u8], Delivery)> {
        from_enet(self.channel, self.packet.data())
    }
}

#[derive(Debug)]
pub(crate) enum Event {
    /// A client has connected. [`Host::admit`] or [`Host::disconnect`] answers it.
    Connecting {
        place: Place,
        /// The number that the client has chosen. `None` if it is not a valid number of a client.
        id: Option<PeerId>,
        address: Option<SocketAddr>,
    },
    /// A packet arrived.
    Received { from: PeerId, packet: Labelled },
    /// The connection of an admitted peer has ended.
    Left { peer: PeerId, why: Departure },
}

/// A socket with its clients.
#[derive(Debug)]
pub(crate) struct Host {
    inner: rusty_enet::Host<Datagrams>,
    limits: TransportLimits,
    /// The admitted peer at each place, with its address.
    owners: HashMap<Place, (PeerId, Option<SocketAddr>)>,
    /// The places of connections without an admitted peer (half-open and disconnected connections), with the time at
    /// which the host first saw each.
    strays: HashMap<Place, Instant>,
    sweep_at: Instant,
    /// The time of the next measurement; `None` without pings.
    measure_at: Option<Instant>,
}

/// The lower and the upper limit of the time without an answer, in milliseconds, in ENet's ratio of 1 to 6. ENet
/// replaces 0 by its default.
fn timeouts(idle: Duration) -> [u32; 2] {
    let idle = u32::try_from(idle.as_millis()).unwrap_or(u32::MAX);
    [idle / 6, idle]
}

impl Host {
    pub(crate) fn new(socket: UdpSocket, limits: TransportLimits) -> io::Result<Self> {
        // With smaller buffers more datagrams are lost, and ENet sends them again.
        let _ = enlarge_buffers(&socket, limits.buffer);
        let guard = Guard::new(limits.packet);
        let mut host = host(Datagrams::new(Arc::new(socket), Some(guard)), limits.peers)?;
        let waiting = limits.packet.saturating_mul(2).max(WAITING).saturating_add(PACKETS * LABEL);
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
        host.set_maximum_waiting_data(waiting).map_err(invalid)?;
        // This limit is for both directions, and the program limits only received packets: the guard drops larger ones.
        host.set_maximum_packet_size(usize::MAX).map_err(invalid)?;
        Ok(Self {
            inner: host,
            limits,
            owners: HashMap::new(),
            strays: HashMap::new(),
            sweep_at: Instant::now(),
            measure_at: (!limits.ping.is_zero()).then(Instant::now),
        })
    }

    /// Waits until datagrams can be sent.
    pub(crate) async fn writable(&self) {
        self.inner.socket().writable().await;
    }

    /// Whether a datagram can be read. If not, the task is woken when a datagram arrives.
    pub(crate) fn poll_readable(&self, context: &mut Context<'_>) -> bool {
        self.inner.socket().poll_readable(context).is_ready()
    }

    /// The time at which ENet must check its timers. `is_busy`: whether packets wait for acknowledgements.
    pub(crate) fn wake_at(&self, is_busy: bool, now: Instant) -> Option<Instant> {
        let failed = self.inner.socket().pause();
        let pace = if is_busy || !self.strays.is_empty() { QUICK } else { IDLE };
        now.checked_add(failed.unwrap_or(pace))
    }

    /// The next event. Reads datagrams until one causes an event. Each poll subtracts 1 from `looks`.
    pub(crate) fn next(&mut self, looks: &mut usize, now: Instant) -> Option<Event> {
        loop {
            let event = if let Some(event) = self.inner.check_events() {
                event.no_ref()
            } else if let Some(event) = self.next_oversize(now) {
                return Some(event);
            } else {
                *looks = looks.checked_sub(1)?;
                self.inner.socket_mut().resume();
                match self.inner.service() {
                    Ok(Some(event)) => event.no_ref(),
                    _ => return self.next_oversize(now),
                }
            };
            if let Some(event) = self.read(event) {
                return Some(event);
            }
        }
    }

    fn read(&mut self, event: EventNoRef) -> Option<Event> {
        match event {
            EventNoRef::Connect { peer: place, data } => {
                self.strays.remove(&place);
                let address = self.inner.get_peer(place).and_then(rusty_enet::Peer::address);
                let id = i32::try_from(data).ok().and_then(PeerId::client);
                Some(Event::Connecting { place, id, address })
            }
            EventNoRef::Disconnect { peer: place, .. } => {
                self.strays.remove(&place);
                let (peer, address) = self.owners.remove(&place)?;
                let number = u16::try_from(place.0).unwrap_or_default();
                let leaves =
                    address.is_some_and(|address| self.inner.socket().leaves(address, number));
                let why = if leaves { Departure::Left } else { Departure::Silent };
                Some(Event::Left { peer, why })
            }
            EventNoRef::Receive { peer: place, channel_id: channel, packet } => {
                let (from, _) = *self.owners.get(&place)?;
                Some(Event::Received { from, packet: Labelled { channel, packet } })
            }
        }
    }

    /// Disconnects the next peer that has sent a packet above the limit.
    fn next_oversize(&mut self, now: Instant) -> Option<Event> {
        while let Some((address, place)) = self.inner.socket_mut().pop_oversize() {
            let place = Place(place.into());
            let at: Option<SocketAddr> =
                self.inner.get_peer(place).and_then(rusty_enet::Peer::address);
            if at == Some(address)
                && let Some((peer, _)) = self.owners.get(&place).copied()
            {
                self.disconnect(place, now);
                return Some(Event::Left { peer, why: Departure::TooLarge });
            }
        }
        None
    }

    /// Accepts the client at a place as a peer.
    pub(crate) fn admit(&mut self, place: Place, id: PeerId) {
        let [least, most] = timeouts(self.limits.idle);
        if let Some(peer) = self.inner.get_peer_mut(place) {
            peer.set_timeout(RETRIES, least, most);
            self.owners.insert(place, (id, peer.address()));
        }
    }

    /// Disconnects the peer at a place, and drops its queue.
    pub(crate) fn disconnect(&mut self, place: Place, now: Instant) {
        self.leave(place, now, |peer| peer.disconnect(0));
    }

    /// Disconnects the peer at a place after the packets in its queue are sent.
    pub(crate) fn close(&mut self, place: Place, now: Instant) {
        self.leave(place, now, |peer| peer.disconnect_later(0));
    }

    fn leave(
        &mut self,
        place: Place,
        now: Instant,
        end: impl FnOnce(&mut rusty_enet::Peer<Datagrams>),
    ) {
        self.owners.remove(&place);
        self.strays.insert(place, now);
        self.inner.get_peer_mut(place).map(end);
    }

    /// Queues a packet. Returns false if the backlog of the peer is full.
    pub(crate) fn send(&mut self, peer: &Peer, bytes: &Arc<[u8]>, delivery: Delivery) -> bool {
        if bytes.is_empty() {
            return true;
        }
        let Some(parcel) = peer.backlog.pack(Arc::clone(bytes)) else { return false };
        let (channel, kind) = to_enet(delivery);
        if let Some(peer) = self.inner.get_peer_mut(peer.place) {
            // This call fails if the client has opened fewer channels or has just left. The engine also loses such a
            // packet.
            let _ = peer.send(channel, &Packet::new(Box::new(parcel), kind));
        }
        true
    }

    pub(crate) fn flush(&mut self) {
        self.inner.flush();
    }

    /// Frees the places of connections that have had no admitted peer for too long. ENet alone would free these places
    /// later, and would keep a place for as long as the other end acknowledges packets.
    pub(crate) fn sweep(&mut self, now: Instant) {
        self.inner.socket_mut().forget_leaving();
        if now < self.sweep_at {
            return;
        }
        self.sweep_at = now.checked_add(SWEEP).unwrap_or(now);
        let (owners, strays, handshake) = (&self.owners, &mut self.strays, self.limits.handshake);
        for peer in self.inner.peers_mut() {
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

    /// The round trips of all peers, at the interval of pings. Empty at other times.
    pub(crate) fn measure(&mut self, now: Instant) -> Vec<(PeerId, Duration)> {
        if self.measure_at.is_none_or(|at| now < at) {
            return Vec::new();
        }
        self.measure_at = now.checked_add(self.limits.ping);
        let measured = |peer: &rusty_enet::Peer<Datagrams>| {
            let (id, _) = self.owners.get(&peer.id())?;
            Some((*id, peer.round_trip_time()))
        };
        self.inner.peers().filter_map(measured).collect()
    }

    /// Waits until the peers of all hosts are disconnected, for a limited time.
    pub(crate) async fn finish(hosts: &mut [Self]) {
        let _ = timeout(SHUTDOWN, async {
            // Each round serves all hosts, so that a host with a lost client does not delay the others.
            while hosts.iter_mut().map(Self::end).max() == Some(true) {
                sleep(QUICK).await;
            }
        })
        .await;
    }

    /// Sends and receives. Returns whether a peer is still connected. Half-open connections do not count.
    fn end(&mut self) -> bool {
        // The number of polls is limited, so that a flood of datagrams does not delay the end.
        for _ in 0..LOOKS {
            let Ok(Some(_)) = self.inner.service() else { break };
        }
        self.inner.flush();
        let is_open =
            |state| !matches!(state, PeerState::Disconnected | PeerState::AcknowledgingConnect);
        self.inner.peers().any(|peer| is_open(peer.state()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine's first datagram, with the number 1,027,508,733 of its connection.
    const CONNECT: &[u8] =
        b"\x8f\xff\0\x81\x82\xff\0\x01\0\0\xff\xff\0\0\x05\x70\0\x01\0\0\0\0\0\xff\
        \0\0\0\0\0\0\0\0\0\0\x13\x88\0\0\0\x02\0\0\0\x02\x3d\x3e\x89\xfd\x2e\x76\x8a\xc0";
    const FIRST: Place = Place(0);

    async fn new_host(limits: TransportLimits) -> Host {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        Host::new(socket, limits).unwrap()
    }

    /// A host, and a socket that connects to it. The host has answered the first datagram.
    async fn half_open(limits: TransportLimits) -> (Host, UdpSocket) {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let mut host = Host::new(socket, limits).unwrap();
        let client = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        client.send_to(CONNECT, address).await.unwrap();
        std::future::poll_fn(|context| {
            if host.poll_readable(context) {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        })
        .await;
        assert!(host.next(&mut 1, Instant::now()).is_none(), "not connected yet");
        assert_eq!(host.inner.peer(FIRST).state(), PeerState::AcknowledgingConnect);
        (host, client)
    }

    /// A host that connects to an address that does not answer.
    async fn connecting() -> Host {
        let mut host = new_host(TransportLimits::SERVER).await;
        host.inner.connect(SocketAddr::from(([127, 0, 0, 1], 9)), 1, 7).unwrap();
        host
    }

    #[test]
    fn the_limits_of_a_silence_have_the_ratio_of_enet() {
        assert_eq!(timeouts(Duration::from_secs(9)), [1_500, 9_000]);
        assert_eq!(timeouts(Duration::ZERO), [0, 0], "ENet's defaults");
        assert_eq!(timeouts(Duration::MAX), [u32::MAX / 6, u32::MAX]);
    }

    /// ENet lets a peer have 64 KiB in flight, whatever the limit of a packet is.
    #[tokio::test]
    async fn the_limit_of_waiting_bytes_is_two_windows_or_two_packets() {
        const WINDOW: usize = 65_536;
        for packet in [0, 1_000, WINDOW, 200_000] {
            let host = new_host(TransportLimits { packet, ..TransportLimits::SERVER }).await;
            let limit = host.inner.maximum_waiting_data() - PACKETS * LABEL;
            assert_eq!(limit, 2 * WINDOW.max(packet), "{packet}");
        }
    }

    /// Packets that wait for acknowledgements, and connections that are half-open, need the timers of ENet soon.
    #[tokio::test]
    async fn timers_are_checked_soon_while_answers_are_expected() {
        let mut host = new_host(TransportLimits::SERVER).await;
        let now = Instant::now();
        let after = |pace| now.checked_add(pace);
        assert_eq!(host.wake_at(false, now), after(IDLE));
        assert_eq!(host.wake_at(true, now), after(QUICK));
        host.close(FIRST, now);
        assert_eq!(host.wake_at(false, now), after(QUICK));
        assert_eq!(host.wake_at(true, now), after(QUICK));
    }

    /// A client that never acknowledges the answer to its first datagram keeps its place for the time of a handshake.
    #[tokio::test]
    async fn a_half_open_connection_has_the_time_of_a_handshake() {
        let mut limits = TransportLimits::SERVER;
        limits.handshake = Duration::from_millis(700);
        let (mut host, _client) = half_open(limits).await;
        let seen = host.sweep_at;
        host.sweep(seen);
        let is_there = |host: &Host| host.inner.peer(FIRST).state() != PeerState::Disconnected;
        // The host searches each 250 ms.
        for (millis, expected) in [(699, true), (700, true), (948, true), (949, false)] {
            host.sweep(seen + Duration::from_millis(millis));
            assert_eq!(is_there(&host), expected, "{millis} ms");
        }
        assert!(host.strays.is_empty());
    }

    #[tokio::test]
    async fn a_connection_that_the_service_does_not_know_ends() {
        let mut host = connecting().await;
        let seen = host.sweep_at;
        host.sweep(seen);
        host.sweep(seen + GRACE.saturating_sub(Duration::from_millis(1)));
        assert_eq!(host.inner.peer(FIRST).state(), PeerState::Connecting);
        host.sweep(seen + GRACE + SWEEP);
        assert_eq!(host.inner.peer(FIRST).state(), PeerState::Disconnected);
        // The host does not sweep the connection of an admitted peer.
        let mut host = connecting().await;
        host.admit(FIRST, PeerId::client(7).unwrap());
        for seconds in [0, 10, 20] {
            host.sweep(host.sweep_at + Duration::from_secs(seconds));
        }
        assert_eq!(host.inner.peer(FIRST).state(), PeerState::Connecting);
    }

    #[tokio::test]
    async fn round_trips_are_measured_at_the_interval_of_pings() {
        let mut host = connecting().await;
        let (peer, ping) = (PeerId::client(7).unwrap(), host.limits.ping);
        host.admit(FIRST, peer);
        let start = host.measure_at.unwrap();
        let count = |host: &mut Host, at: Instant| {
            let measured = host.measure(at);
            assert!(measured.iter().all(|(id, _)| *id == peer));
            measured.len()
        };
        assert_eq!(count(&mut host, start), 1);
        assert_eq!(count(&mut host, start), 0);
        assert_eq!(count(&mut host, start + ping.saturating_sub(Duration::from_millis(1))), 0);
        assert_eq!(count(&mut host, start + ping), 1);
        assert_eq!(count(&mut host, start + ping * 3), 1, "once, however late");
        let mut limits = TransportLimits::SERVER;
        limits.ping = Duration::ZERO;
        assert!(new_host(limits).await.measure(start + ping).is_empty());
    }

    /// The end of a server waits for peers, but not for half-open connections, whose addresses may be forged.
    #[tokio::test]
    async fn the_end_waits_for_peers() {
        assert!(!new_host(TransportLimits::SERVER).await.end());
        assert!(!half_open(TransportLimits::SERVER).await.0.end());
        assert!(connecting().await.end());
    }

    #[tokio::test]
    async fn packets_wait_until_they_are_acknowledged() {
        let mut host = connecting().await;
        let peer = Peer::new(0, FIRST, 1_000);
        assert_eq!(peer.waiting(), 0);
        let parcel = peer.backlog.pack(vec![1; 100].into());
        assert_eq!(peer.waiting(), 164);
        drop(parcel);
        assert_eq!(peer.waiting(), 0);
        // ENet sends nothing before it is connected, and drops the packet.
        assert!(host.send(&peer, &vec![1; 100].into(), Delivery::RELIABLE));
        assert_eq!(peer.waiting(), 0);
    }

    #[tokio::test]
    async fn a_socket_has_1_to_4095_peers() {
        for (peers, is_possible) in [(0, false), (1, true), (4_095, true), (4_096, false)] {
            let mut limits = TransportLimits::SERVER;
            limits.peers = peers;
            let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
            assert_eq!(Host::new(socket, limits).is_ok(), is_possible, "{peers}");
        }
    }
}
