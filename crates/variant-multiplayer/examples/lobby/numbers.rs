//! The numbers of a match, for Prometheus.

use std::sync::atomic::Ordering::Relaxed;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use variant_multiplayer::Departure;
use variant_multiplayer::server::Network;

/// The numbers that Prometheus reads.
pub(crate) struct Numbers {
    players: Gauge,
    /// Packets and bytes.
    received: [Counter; 2],
    sent: [Counter; 2],
    refusals: Counter,
    round_trips: Histogram,
    departures: Family<[(&'static str, String); 1], Counter>,
}

impl Numbers {
    /// Creates the numbers, and registers them.
    pub(crate) fn new(registry: &mut Registry) -> Self {
        let numbers = Self {
            players: Gauge::default(),
            received: Default::default(),
            sent: Default::default(),
            refusals: Counter::default(),
            round_trips: Histogram::new([0.02, 0.05, 0.1, 0.2, 0.5, 1.0]),
            departures: Family::default(),
        };
        let [packets, bytes] = numbers.received.clone();
        registry.register("received_packets", "Packets from players", packets);
        registry.register("received_bytes", "Bytes from players", bytes);
        let [packets, bytes] = numbers.sent.clone();
        registry.register("sent_packets", "Packets to players", packets);
        registry.register("sent_bytes", "Bytes to players", bytes);
        registry.register("players", "Players that are connected", numbers.players.clone());
        registry.register("refusals", "Packets that were refused", numbers.refusals.clone());
        let help = "The last round trip of each player, once a second";
        registry.register("round_trip_seconds", help, numbers.round_trips.clone());
        registry.register("departures", "Players that have left", numbers.departures.clone());
        numbers
    }

    /// Copies the numbers of a server.
    pub(crate) fn update(&self, network: &Network) {
        let totals = network.totals();
        self.players.set(network.peers().count().try_into().unwrap_or(i64::MAX));
        let pairs = [
            (&self.received, [totals.packets_received, totals.bytes_received]),
            (&self.sent, [totals.packets_sent, totals.bytes_sent]),
        ];
        for (counters, values) in pairs {
            for (counter, value) in counters.iter().zip(values) {
                counter.inner().store(value, Relaxed);
            }
        }
        self.refusals.inner().store(totals.refusals, Relaxed);
        for stats in network.peers().filter_map(|peer| network.stats(peer)) {
            if let Some(round_trip) = stats.round_trip {
                self.round_trips.observe(round_trip.as_secs_f64());
            }
        }
    }

    /// Counts a player that has left.
    pub(crate) fn count(&self, why: Departure) {
        self.departures.get_or_create(&[("reason", why.to_string())]).inc();
    }
}
