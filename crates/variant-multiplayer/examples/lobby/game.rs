//! A match: a chat for the players that the lobby has sent.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tokio::sync::Notify;
use tracing::info;
use variant_multiplayer::server::{
    Authentication, Call, CallResult, Handler, Method, Network, Node, Server, ServerOptions,
};
use variant_multiplayer::{Departure, PeerId, Target};

/// A token of the lobby, through [`Driver::inbox`](variant_multiplayer::Driver::inbox).
pub(crate) struct Token(pub(crate) String);

pub(crate) struct Game {
    /// The tokens of players that have not come yet, and when they expire.
    tokens: BTreeMap<String, Duration>,
    /// The players that have shown a token. A token is valid once.
    players: BTreeSet<PeerId>,
    /// When the last player left.
    empty_since: Duration,
    patience: Duration,
    /// Notified when the match has been empty for too long.
    end: Arc<Notify>,
    numbers: Numbers,
}

/// What Prometheus reads.
struct Numbers {
    players: Gauge,
    received: [Counter; 2],
    sent: [Counter; 2],
    refusals: Counter,
    round_trips: Histogram,
    departures: Family<[(&'static str, String); 1], Counter>,
}

impl Numbers {
    fn new(registry: &mut Registry) -> Self {
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

    fn update(&self, network: &Network) {
        use std::sync::atomic::Ordering::Relaxed;
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
}

/// The server of a match. `end` is notified when the match has been empty for `patience`.
pub(crate) fn server(
    patience: Duration,
    end: Arc<Notify>,
    registry: &mut Registry,
) -> Server<Game> {
    let game = Game {
        tokens: BTreeMap::new(),
        players: BTreeSet::new(),
        empty_since: Duration::ZERO,
        patience,
        end,
        numbers: Numbers::new(registry),
    };
    let world =
        Node::new("World").method("say", Method::ANY_PEER).method("said", Method::AUTHORITY);
    let options = ServerOptions::default().authentication(true).tick(Duration::from_secs(1));
    Server::new(game, options, [world])
}

/// A line for the lobby. If it cannot be written, the lobby is gone, and so is the other pipe, which ends the match.
fn report(line: &str) {
    drop(writeln!(io::stdout(), "{line}"));
}

impl Game {
    /// Forgets tokens whose time is over.
    fn expire(&mut self, now: Duration) {
        let before = self.tokens.len();
        self.tokens.retain(|_, until| *until > now);
        (self.tokens.len()..before).for_each(|_| report("free"));
    }

    fn stand_up(&mut self, peer: PeerId) {
        if self.players.remove(&peer) {
            report("free");
        }
    }
}

impl Handler for Game {
    type Event = Token;

    fn event(&mut self, Token(token): Token, network: &mut Network) {
        self.tokens.insert(token, network.now().saturating_add(self.patience));
        report("taken");
    }

    fn authenticate(&mut self, peer: PeerId, data: &[u8], network: &mut Network) -> Authentication {
        self.expire(network.now());
        let token = str::from_utf8(data).ok().and_then(|token| self.tokens.remove(token));
        if token.is_none() {
            return Authentication::Refuse;
        }
        self.players.insert(peer);
        Authentication::Accept
    }

    fn authentication_failed(&mut self, peer: PeerId) {
        self.stand_up(peer);
    }

    fn disconnected(&mut self, peer: PeerId, why: Departure, _: &mut Network) {
        self.numbers.departures.get_or_create(&[("reason", why.to_string())]).inc();
        self.stand_up(peer);
    }

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        let (text,): (&str,) = call.arguments.decode()?;
        // The span of the call has the player.
        info!(text, "said");
        Ok(network.rpc(Target::All, "World", "said", &(call.from.get(), text))?)
    }

    fn tick(&mut self, _: Duration, network: &mut Network) {
        let now = network.now();
        self.expire(now);
        self.numbers.update(network);
        if !self.players.is_empty() || !self.tokens.is_empty() {
            self.empty_since = now;
        } else if now.saturating_sub(self.empty_since) >= self.patience {
            self.end.notify_one();
        }
    }
}
