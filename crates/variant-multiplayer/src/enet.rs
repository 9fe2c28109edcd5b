//! The transport of the engine's `ENetMultiplayerPeer`, over tokio: [`Driver::enet`] for servers, [`Client`] for bots and
//! tests.
//!
//! ENet 1.3 over UDP, without compression and checksums. A client chooses its number, and sends it when it connects.
//! Each ENet packet contains one packet.
//!
//! | mode | ENet |
//! |---|---|
//! | reliable | reliable |
//! | unreliable ordered | sequenced |
//! | unreliable | unsequenced |
//!
//! Reliable packets of channel 0 use ENet's channel 0. Other packets of channel 0 use ENet's channel 1. Packets of a
//! channel n above 0 use ENet's channel n + 1.
//!
//! Nothing is encrypted. A client proves its address only once, when it answers the server's first datagram. Anyone who
//! sees the client's datagrams can impersonate it.
//!
//! [`Driver::enet`]: crate::Driver::enet

mod client;
mod delivery;
mod guard;
mod host;
mod socket;

pub use self::client::Client;
pub(crate) use self::host::{Event, Host, LOOKS, Peer};
pub use self::socket::{Buffers, enlarge_buffers};

/// The channels of a connection: the engine's number, which is ENet's maximum.
const CHANNELS: usize = 255;
/// The engine's largest datagram, for clients and servers.
const MTU: u16 = 1_392;
