//! A match: a chat for the players that the lobby has sent.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::registry::Registry;
use tokio::sync::Notify;
use tracing::info;
use variant_multiplayer::server::{
    Authentication, Call, CallResult, Handler, Method, Network, Node, Server, ServerOptions,
};
use variant_multiplayer::{Departure, PeerId, Target};

use crate::numbers::Numbers;

/// A token from the lobby. It arrives through [`Driver::inbox`](variant_multiplayer::Driver::inbox).
pub(crate) struct Token(pub(crate) String);

pub(crate) struct Game {
    /// The tokens of players that have not joined yet, and the times at which they expire.
    tokens: BTreeMap<String, Duration>,
    /// The players that have shown a token. A token is valid once.
    players: BTreeSet<PeerId>,
    /// The time at which the last player left.
    empty_since: Duration,
    patience: Duration,
    /// Notified when the match has been empty for too long.
    end: Arc<Notify>,
    numbers: Numbers,
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

/// Writes a line for the lobby. If writing fails, the lobby has ended. Then the pipe from the lobby also closes, which
/// ends the match.
fn report(line: &str) {
    drop(writeln!(io::stdout(), "{line}"));
}

impl Game {
    /// Forgets expired tokens.
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
        self.numbers.count(why);
        self.stand_up(peer);
    }

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        let (text,): (&str,) = call.arguments.decode()?;
        info!(peer = call.from.get(), text, "said");
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
