//! [`Network`]: delivers packets late, twice, in another order, or not at all.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use variant_multiplayer::{Delivery, PeerId, TransferMode};

use crate::random::Random;

const CHANNELS: usize = 3;
/// The maximum number of waiting bytes in one direction of a connection.
const BACKLOG: usize = 16 << 10;
/// The time after which a transport reports a peer that disappeared.
const IDLE: Duration = Duration::from_secs(4);

/// The direction of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

/// An arrival: a packet or an event of the connection.
#[derive(Debug)]
pub(super) enum Parcel {
    Packet {
        way: Way,
        bytes: Arc<[u8]>,
        delivery: Delivery,
        number: u64,
    },
    /// The client has closed the connection.
    Left,
    /// The client has sent nothing for a long time.
    Silent,
    /// The server has closed the connection, or it is broken.
    Ended,
}

/// The connections of clients, and the parcels in flight.
#[derive(Debug)]
pub(super) struct Network {
    pub now: Duration,
    pub random: Random,
    /// Whether each packet arrives once, and after a millisecond.
    pub is_calm: bool,
    links: BTreeMap<u64, Link>,
    /// The parcels in flight, by the time of arrival. A counter keeps the order of parcels that arrive at the same
    /// time.
    flights: BTreeMap<(Duration, u64), (u64, Parcel)>,
    sent: u64,
}

/// A connection. It exists while one side may still have packets for the other side.
#[derive(Debug)]
struct Link {
    peer: PeerId,
    lanes: [Lane; 2],
    is_cut: bool,
    is_stalled: bool,
}

/// One direction of a connection.
#[derive(Debug, Default)]
struct Lane {
    /// The time at which the last reliable packet of each channel arrives.
    last: [Duration; CHANNELS],
    /// For each channel, the least number that the next ordered packet may have. Packets with lower numbers are
    /// dropped.
    arrived: [u64; CHANNELS],
    /// Packets that wait for the end of a cut or stall.
    held: VecDeque<(Arc<[u8]>, Delivery)>,
    held_bytes: usize,
}

fn channel(delivery: Delivery) -> usize {
    usize::from(delivery.channel) % CHANNELS
}

impl Network {
    pub(super) fn new() -> Self {
        let (links, flights) = (BTreeMap::new(), BTreeMap::new());
        Self {
            now: Duration::ZERO,
            random: Random::new(1),
            is_calm: false,
            links,
            flights,
            sent: 0,
        }
    }

    pub(super) fn open(&mut self, connection: u64, peer: PeerId) {
        let lanes = [Lane::default(), Lane::default()];
        self.links.insert(connection, Link { peer, lanes, is_cut: false, is_stalled: false });
    }

    /// Sends a packet. Returns false if the waiting bytes then exceed [`BACKLOG`].
    pub(super) fn send(
        &mut self,
        connection: u64,
        way: Way,
        bytes: Arc<[u8]>,
        delivery: Delivery,
    ) -> bool {
        let Some(link) = self.links.get_mut(&connection) else { return true };
        let is_reliable = delivery.mode == TransferMode::Reliable;
        if link.is_cut && !is_reliable {
            return true;
        }
        if link.is_cut || (link.is_stalled && way == Way::Down) {
            let lane = &mut link.lanes[way as usize];
            lane.held_bytes += bytes.len();
            lane.held.push_back((bytes, delivery));
            return lane.held_bytes <= BACKLOG;
        }
        self.fly(connection, way, &bytes, delivery);
        true
    }

    fn fly(&mut self, connection: u64, way: Way, bytes: &Arc<[u8]>, delivery: Delivery) {
        let is_reliable = delivery.mode == TransferMode::Reliable;
        let copies = match self.random.below(8) {
            _ if is_reliable || self.is_calm => 1,
            0 => 0,
            1 => 2,
            _ => 1,
        };
        for _ in 0..copies {
            let late = if self.is_calm { 1 } else { self.random.pick(&[1, 1, 2, 10, 50, 200]) };
            let mut at = self.now + Duration::from_millis(late);
            let Some(link) = self.links.get_mut(&connection) else { return };
            if is_reliable {
                let last = &mut link.lanes[way as usize].last[channel(delivery)];
                at = at.max(*last);
                *last = at;
            }
            let bytes = Arc::clone(bytes);
            self.push(at, connection, Parcel::Packet { way, bytes, delivery, number: self.sent });
        }
        self.sent += 1;
    }

    fn push(&mut self, at: Duration, connection: u64, parcel: Parcel) {
        self.sent += 1;
        self.flights.insert((at, self.sent), (connection, parcel));
    }

    /// The time of the next arrival.
    pub(super) fn next_at(&self) -> Option<Duration> {
        self.flights.first_key_value().map(|((at, _), _)| *at)
    }

    /// The next arrival, its connection and its peer.
    pub(super) fn next(&mut self) -> Option<(u64, PeerId, Parcel)> {
        let (_, (connection, parcel)) = self.flights.pop_first()?;
        let link = self.links.get_mut(&connection)?;
        if let Parcel::Packet { way, delivery, number, .. } = &parcel
            && delivery.mode == TransferMode::UnreliableOrdered
        {
            let arrived = &mut link.lanes[*way as usize].arrived[channel(*delivery)];
            if *number < *arrived {
                return self.next_in_time();
            }
            *arrived = *number + 1;
        }
        Some((connection, link.peer, parcel))
    }

    /// The next arrival, if it is due. Called after a packet was dropped.
    fn next_in_time(&mut self) -> Option<(u64, PeerId, Parcel)> {
        self.next_at().filter(|at| *at <= self.now).and_then(|_| self.next())
    }

    /// The client closes its end when all packets that it has sent have arrived.
    pub(super) fn leave(&mut self, connection: u64) {
        let Some(link) = self.links.get(&connection) else { return };
        if link.is_cut {
            self.push(self.now + IDLE, connection, Parcel::Silent);
        } else {
            let at = link.lanes[Way::Up as usize].last.into_iter().max().unwrap_or_default();
            self.push(at.max(self.now), connection, Parcel::Left);
        }
    }

    /// The client disappears without closing its end.
    pub(super) fn vanish(&mut self, connection: u64) {
        self.push(self.now + IDLE, connection, Parcel::Silent);
    }

    /// The server closes its end when all packets that it has sent have arrived.
    pub(super) fn close(&mut self, connection: u64) {
        self.mend(connection);
        let Some(link) = self.links.get(&connection) else { return };
        let at = link.lanes[Way::Down as usize].last.into_iter().max().unwrap_or_default();
        self.push(at.max(self.now), connection, Parcel::Ended);
    }

    /// The connection breaks. Packets in flight are lost.
    pub(super) fn cut_off(&mut self, connection: u64) {
        self.flights.retain(|_, (of, _)| *of != connection);
        self.push(self.now + Duration::from_millis(30), connection, Parcel::Ended);
    }

    pub(super) fn cut(&mut self, connection: u64) {
        if let Some(link) = self.links.get_mut(&connection) {
            link.is_cut = true;
        }
    }

    pub(super) fn stall(&mut self, connection: u64) {
        if let Some(link) = self.links.get_mut(&connection) {
            link.is_stalled = true;
        }
    }

    pub(super) fn mend(&mut self, connection: u64) {
        let Some(link) = self.links.get_mut(&connection) else { return };
        (link.is_cut, link.is_stalled) = (false, false);
        for way in [Way::Up, Way::Down] {
            let Some(link) = self.links.get_mut(&connection) else { return };
            let lane = &mut link.lanes[way as usize];
            lane.held_bytes = 0;
            for (bytes, delivery) in std::mem::take(&mut lane.held) {
                self.fly(connection, way, &bytes, delivery);
            }
        }
    }

    /// Forgets a connection that has ended.
    pub(super) fn forget(&mut self, connection: u64) {
        self.links.remove(&connection);
    }

    /// The bytes that wait for a client.
    pub(super) fn waiting(&self, connection: u64) -> usize {
        self.links.get(&connection).map_or(0, |link| link.lanes[Way::Down as usize].held_bytes)
    }

    /// Whether no parcels are in flight.
    pub(super) fn is_empty(&self) -> bool {
        let is_held = |link: &Link| link.lanes.iter().any(|lane| !lane.held.is_empty());
        self.flights.is_empty() && !self.links.values().any(is_held)
    }
}
