//! [`ServerOptions`]: the behaviour of a server.

use std::time::Duration;

use variant_view::{Dialect, Options};

use super::limits::ServerLimits;

/// The behaviour of a server.
///
/// ```
/// use std::time::Duration;
/// use variant_multiplayer::server::{ServerLimits, ServerOptions};
///
/// let mut limits = ServerLimits::DEFAULT;
/// limits.packets = 120; // a second
/// let options = ServerOptions::default().limits(limits).lobby(false).tick(Duration::from_millis(50));
/// assert_eq!((options.limits.packets, options.lobby, options.authentication), (120, false, false));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ServerOptions {
    /// The options for reading values. Full objects are refused, as in the engine.
    pub values: Options,
    /// The limits of one peer.
    pub limits: ServerLimits,
    /// Whether admitted peers join the room [`RoomId::LOBBY`](super::RoomId::LOBBY). If not, a peer sees other peers
    /// only after it joins a room ([`Network::join`](super::Network::join)). Without lobby and rooms, the server
    /// behaves as an engine with `server_relay = false`.
    pub lobby: bool,
    /// Whether peers must authenticate themselves: the engine's `auth_callback`.
    pub authentication: bool,
    /// The interval at which [`Handler::tick`](super::Handler::tick) is called. `None` for never.
    pub tick: Option<Duration>,
}

impl Default for ServerOptions {
    /// The engine's behaviour, with limits. Peers are admitted at once, and see each other.
    fn default() -> Self {
        Self {
            values: Options::server(Dialect::Godot4),
            limits: ServerLimits::DEFAULT,
            lobby: true,
            authentication: false,
            tick: None,
        }
    }
}

impl ServerOptions {
    /// Returns the options with these limits.
    #[must_use]
    pub const fn limits(mut self, limits: ServerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the options with or without the lobby.
    #[must_use]
    pub const fn lobby(mut self, lobby: bool) -> Self {
        self.lobby = lobby;
        self
    }

    /// Returns the options with or without authentication.
    #[must_use]
    pub const fn authentication(mut self, authentication: bool) -> Self {
        self.authentication = authentication;
        self
    }

    /// Returns the options with ticks at this interval.
    #[must_use]
    pub const fn tick(mut self, tick: Duration) -> Self {
        self.tick = Some(tick);
        self
    }
}
