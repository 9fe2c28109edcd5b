//! The interface between a transport and a program: [`Input`], [`Output`] and [`Service`].
//!
//! A transport moves whole packets and does not read them. A service handles inputs and returns outputs. A service has
//! no sockets and no clock, so tests need neither.

#[cfg(any(feature = "enet", feature = "websocket"))]
pub(crate) mod backlog;
#[cfg(any(feature = "enet", feature = "websocket"))]
pub(crate) mod clock;
#[cfg(any(feature = "enet", feature = "websocket"))]
pub(crate) mod ledger;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::peer::PeerId;

/// How a packet is transferred: the engine's `TransferMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TransferMode {
    /// A packet may be lost, and may arrive out of order.
    Unreliable,
    /// A packet may be lost. Late packets are dropped.
    UnreliableOrdered,
    /// Packets are not lost, and arrive in order.
    #[default]
    Reliable,
}

/// The delivery of a packet: mode and channel. WebSockets have neither: all packets are reliable on channel 0.
///
/// ```
/// use variant_multiplayer::{Delivery, TransferMode};
///
/// assert_eq!(Delivery::default(), Delivery::RELIABLE);
/// let positions = Delivery { mode: TransferMode::UnreliableOrdered, channel: 2 };
/// assert_ne!(positions, Delivery::UNRELIABLE);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Delivery {
    /// The transfer mode.
    pub mode: TransferMode,
    /// The transfer channel, 0 to 253.
    pub channel: u8,
}

impl Delivery {
    /// Reliable, on channel 0.
    pub const RELIABLE: Self = Self { mode: TransferMode::Reliable, channel: 0 };
    /// Unreliable, on channel 0.
    pub const UNRELIABLE: Self = Self { mode: TransferMode::Unreliable, channel: 0 };
}

/// An event that a transport reports to a service.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Input<'a> {
    /// A peer with this number is connected. Before this input, a transport must send the outputs for an earlier peer
    /// of the same number. A [`Server`](crate::server::Server) drops those that are still queued.
    Connected {
        /// The peer.
        peer: PeerId,
        /// The address at the other end, if there is one.
        address: Option<SocketAddr>,
    },
    /// A packet arrived. `from` is the peer of the connection and never a number from the packet.
    Received {
        /// The peer at the other end of the connection.
        from: PeerId,
        /// The packet.
        bytes: &'a [u8],
        /// The delivery of the packet.
        delivery: Delivery,
    },
    /// The connection of a peer has ended. Not reported for peers that the service has closed.
    Disconnected {
        /// The peer.
        peer: PeerId,
        /// The reason.
        why: Departure,
    },
    /// The transport has measured the connection of a peer. A transport reports this about once in each interval of
    /// [`TransportLimits::ping`].
    Measured {
        /// The peer.
        peer: PeerId,
        /// The time from a packet to its answer. A peer can lengthen this time by answering late.
        round_trip: Duration,
        /// The bytes that wait to be sent (ENet: or to be acknowledged), plus 64 bytes for each packet.
        waiting: usize,
    },
    /// Time has passed. A transport reports it at its start, and at [`Service::wake_at`].
    Tick,
}

/// The reason why a peer is no longer connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Departure {
    /// The peer has left.
    Left,
    /// The connection is broken, or the peer has violated the protocol of the transport.
    Lost,
    /// The peer has sent nothing for [`TransportLimits::idle`].
    Silent,
    /// The peer does not read, so that more than [`TransportLimits::backlog`] bytes wait for it.
    Backlog,
    /// The peer has sent a packet above [`TransportLimits::packet`].
    TooLarge,
    /// The service has closed the connection.
    Closed,
    /// The service has closed the connection after too many offences.
    Offences,
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Left => "left",
            Self::Lost => "connection lost",
            Self::Silent => "silent for too long",
            Self::Backlog => "does not read",
            Self::TooLarge => "sent a packet that is too large",
            Self::Closed => "closed by the server",
            Self::Offences => "closed after too many offences",
        })
    }
}

/// A request of a service to its transport.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Output {
    /// Send a packet to a peer. A peer that has left is not an error.
    Send {
        /// The peer.
        to: PeerId,
        /// The packet, shared by all its receivers.
        bytes: Arc<[u8]>,
        /// The delivery of the packet.
        delivery: Delivery,
    },
    /// Close a connection after all packets queued for it.
    Close(PeerId),
}

/// A program that a transport serves.
///
/// ```
/// use std::{collections::VecDeque, time::Instant};
/// use variant_multiplayer::{Delivery, Input, Output, PeerId, Service};
///
/// /// Sends each packet back.
/// struct Echo(VecDeque<Output>);
///
/// impl Service for Echo {
///     type Event = ();
///
///     fn handle(&mut self, input: Input<'_>, _: Instant) {
///         if let Input::Received { from, bytes, delivery } = input {
///             self.0.push_back(Output::Send { to: from, bytes: bytes.into(), delivery });
///         }
///     }
///
///     fn output(&mut self) -> Option<Output> {
///         self.0.pop_front()
///     }
/// }
///
/// let (mut echo, from) = (Echo(VecDeque::new()), PeerId::SERVER);
/// let input = Input::Received { from, bytes: b"\x03hi", delivery: Delivery::RELIABLE };
/// echo.handle(input, Instant::now());
/// assert!(matches!(echo.output(), Some(Output::Send { to, .. }) if to == from));
/// ```
pub trait Service {
    /// A message of another task of the program; `()` if there are none.
    type Event;

    /// Handles an input. Packets of peers never cause an error of the service.
    fn handle(&mut self, input: Input<'_>, now: Instant);

    /// Handles a message of another task. By default the message is dropped.
    fn event(&mut self, event: Self::Event, now: Instant) {
        let _ = (event, now);
    }

    /// The next output, first in first out. After each input and each event, the transport calls this method until it
    /// returns `None`.
    fn output(&mut self) -> Option<Output>;

    /// The time at which [`Input::Tick`] must be sent. `None` for never. A transport sends one tick at its start, since
    /// a service has no clock.
    fn wake_at(&self) -> Option<Instant> {
        None
    }
}

/// Limits of a transport. They restrict the resources that one peer can use.
///
/// ```
/// use variant_multiplayer::TransportLimits;
///
/// let mut limits = TransportLimits::SERVER;
/// limits.peers = 64;
/// assert_eq!(limits.packet, 65_535); // others stay
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransportLimits {
    /// The number of connections, including half-open ones. Further connections are refused. At most 4,095 for ENet.
    pub peers: usize,
    /// The size of a received packet, in bytes. A peer that sends a larger packet is closed.
    pub packet: usize,
    /// The number of bytes that may wait to be sent to one peer. If more bytes wait, the peer is closed: it does not
    /// read, or it has joined a world whose nodes take more bytes than this limit.
    pub backlog: usize,
    /// The time that a peer may take to establish its connection.
    pub handshake: Duration,
    /// The interval of pings and of [`Input::Measured`]. 0 means no pings. ENet always sends its own pings each 500 ms.
    pub ping: Duration,
    /// The time after which a silent peer is disconnected. 0 means never; for ENet, 0 means ENet's own default. An idle
    /// peer may send nothing except answers to pings. The time is at least three times `ping`, so that such a peer is
    /// not disconnected between two pings. ENet disconnects a peer that has not answered a packet for `idle`, or for a
    /// sixth of `idle` if its round trips were short.
    pub idle: Duration,
    /// The size of each of the two buffers of an ENet socket, in bytes. 0 keeps the system's default. The receive
    /// buffer stores the datagrams of all clients that send at once. An operating system counts some 700 bytes for each
    /// datagram in addition to its data.
    pub buffer: usize,
}

impl TransportLimits {
    /// 1,024 peers; packets of 64 KiB (the limit of the engine's web sockets); a backlog of 1 MiB; 3 seconds for the
    /// handshake (the engine's limit); pings each 10 seconds; 30 seconds of silence (ENet's limit); buffers of 4 MiB.
    pub const SERVER: Self = Self {
        peers: 1_024,
        packet: 65_535,
        backlog: 1 << 20,
        handshake: Duration::from_secs(3),
        ping: Duration::from_secs(10),
        idle: Duration::from_secs(30),
        buffer: 4 << 20,
    };
}

impl TransportLimits {
    /// # Errors
    /// `idle` is shorter than three pings. Peers that only receive would be disconnected.
    #[cfg(any(feature = "enet", feature = "websocket"))]
    pub(crate) fn check(&self) -> std::io::Result<()> {
        if self.idle.is_zero() || self.idle >= self.ping.saturating_mul(3) {
            return Ok(());
        }
        let reason = "`idle` is shorter than three times `ping`";
        Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, reason))
    }
}

impl Default for TransportLimits {
    fn default() -> Self {
        Self::SERVER
    }
}
