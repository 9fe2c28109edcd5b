//! [`Stats`]: statistics of a peer, and of a server.

use std::time::Duration;

use super::network::Network;
use super::peer::Peer;
use crate::peer::PeerId;

/// Statistics of a peer since it connected ([`Network::stats`]), or of all peers since the start ([`Network::totals`]).
///
/// ```
/// use std::time::Instant;
/// use variant_multiplayer::server::{Call, CallResult, Handler, Network, Server, ServerOptions};
/// use variant_multiplayer::{Delivery, Input, PeerId, Service};
///
/// struct Quiet;
///
/// impl Handler for Quiet {
///     type Event = ();
///
///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
///         Ok(())
///     }
/// }
///
/// let mut server = Server::new(Quiet, ServerOptions::default(), []);
/// let (peer, now) = (PeerId::client(77).expect("an id"), Instant::now());
/// server.handle(Input::Connected { peer, address: None }, now);
/// let bytes = b"\0\x01"; // a call without a method
/// server.handle(Input::Received { from: peer, bytes, delivery: Delivery::RELIABLE }, now);
/// let stats = server.network().stats(peer).expect("it is connected");
/// assert_eq!((stats.packets_received, stats.bytes_received, stats.refusals), (1, 2, 1));
/// assert_eq!(server.network().totals().refusals, 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Packets that arrived.
    pub packets_received: u64,
    /// Bytes of these packets.
    pub bytes_received: u64,
    /// Packets that were queued for the transport.
    pub packets_sent: u64,
    /// Bytes of these packets.
    pub bytes_sent: u64,
    /// Packets that arrived and were refused ([`Handler::refused`](super::Handler::refused)).
    pub refusals: u64,
    /// Packets that were not sent, since the allowance of the receiver was used up.
    pub skipped: u64,
    /// The last round trip that the transport measured. A peer can lengthen this time by answering late. `None` in
    /// totals, and before the first measurement.
    pub round_trip: Option<Duration>,
    /// The bytes that waited to be sent at the last measurement, plus 64 bytes for each packet. In totals, the sum for
    /// the connected peers.
    pub waiting: usize,
}

impl Stats {
    pub(super) fn count_received(&mut self, bytes: usize) {
        self.packets_received = self.packets_received.saturating_add(1);
        self.bytes_received = self.bytes_received.saturating_add(wide(bytes));
    }

    pub(super) fn count_sent(&mut self, bytes: usize) {
        self.packets_sent = self.packets_sent.saturating_add(1);
        self.bytes_sent = self.bytes_sent.saturating_add(wide(bytes));
    }

    /// The sum of the counters. The measurements of `other` are left out.
    fn plus(self, other: &Self) -> Self {
        Self {
            packets_received: self.packets_received.saturating_add(other.packets_received),
            bytes_received: self.bytes_received.saturating_add(other.bytes_received),
            packets_sent: self.packets_sent.saturating_add(other.packets_sent),
            bytes_sent: self.bytes_sent.saturating_add(other.bytes_sent),
            refusals: self.refusals.saturating_add(other.refusals),
            skipped: self.skipped.saturating_add(other.skipped),
            round_trip: None,
            waiting: self.waiting,
        }
    }
}

fn wide(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

impl Network {
    /// The statistics of a peer. `None` if it is not connected. O(log n).
    pub fn stats(&self, peer: PeerId) -> Option<Stats> {
        Some(self.peers.get(&peer)?.stats)
    }

    /// The statistics of all peers since the start, including peers that have left. O(peers).
    pub fn totals(&self) -> Stats {
        let add = |sum: Stats, peer: &Peer| Stats {
            waiting: sum.waiting.saturating_add(peer.stats.waiting),
            ..sum.plus(&peer.stats)
        };
        self.peers.values().fold(self.past, add)
    }

    /// Adds to the totals the statistics of a peer that has left.
    pub(super) fn keep_stats(&mut self, stats: &Stats) {
        self.past = self.past.plus(stats);
    }

    pub(super) fn measure(&mut self, peer: PeerId, round_trip: Duration, waiting: usize) {
        if let Some(peer) = self.peers.get_mut(&peer) {
            (peer.stats.round_trip, peer.stats.waiting) = (Some(round_trip), waiting);
        }
    }
}
