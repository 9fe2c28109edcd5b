//! The transport of the engine's `WebSocketMultiplayerPeer`, over tokio: [`Driver::websocket`] for servers, [`Client`]
//! for bots and tests.
//!
//! The first message of a server is the number of the client, 4 bytes little-endian. Each later message is one packet,
//! in both directions. Channels and modes are not sent: all packets are [`Delivery::RELIABLE`].
//!
//! A listener is not encrypted. For TLS, pass streams of a TLS library to an [`Acceptor`], or use a proxy.
//!
//! [`Delivery::RELIABLE`]: crate::Delivery::RELIABLE
//! [`Driver::websocket`]: crate::Driver::websocket

mod acceptor;
mod client;
mod config;
mod connection;
mod connections;

pub(crate) use self::acceptor::Offer;
pub use self::acceptor::{Acceptor, Source, channel};
pub use self::client::Client;
pub(crate) use self::connection::Event;
pub(crate) use self::connections::{Connections, Peer};
