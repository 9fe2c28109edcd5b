//! [`Client`]: a client for bots and tests.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rusty_enet::{EventNoRef as Event, Host, Packet, PeerID as Place};
use tokio::net::UdpSocket;
use tokio::time::timeout;

use super::CHANNELS;
use super::delivery::{from_enet, to_enet};
use super::socket::{Datagrams, host};
use crate::peer::PeerId;
use crate::transport::Delivery;

/// The time that a server may take to answer.
const ANSWER: Duration = Duration::from_secs(5);
/// The interval at which ENet checks its timers.
const PACE: Duration = Duration::from_millis(10);
/// The slot of the only connection in the ENet host.
const SERVER: Place = Place(0);

/// A client with the protocol of the engine's `ENetMultiplayerPeer`.
///
/// ENet works while [`Client::recv`] is awaited: it acknowledges, sends again and answers pings. If a client does not
/// receive, the server soon considers it lost.
///
/// ```
/// use std::time::Instant;
/// use variant_multiplayer::enet::Client;
/// use variant_multiplayer::{Delivery, Driver, Input, Output, PeerId, Service};
///
/// /// Answers nobody.
/// struct Silent;
///
/// impl Service for Silent {
///     type Event = ();
///     fn handle(&mut self, _: Input<'_>, _: Instant) {}
///     fn output(&mut self) -> Option<Output> {
///         None
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await?;
/// let (address, id) = (socket.local_addr()?, PeerId::client(77).expect("an id"));
/// let client = async {
///     let mut client = Client::connect(address, id).await?;
///     client.send(b"\x03hello", Delivery::UNRELIABLE)?;
///     assert_eq!(client.id(), id);
///     client.close().await;
///     Ok(())
/// };
/// tokio::select! {
///     ended = Driver::new(Silent).enet(socket).run(std::future::pending()) => ended.map(drop),
///     done = client => done,
/// }
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Client {
    host: Host<Datagrams>,
    id: PeerId,
}

impl Client {
    /// Connects with the number `id`. A server that refuses the number disconnects the client.
    ///
    /// # Errors
    /// A socket cannot be opened, or the server does not answer within five seconds.
    pub async fn connect(server: SocketAddr, id: PeerId) -> io::Result<Self> {
        let any = if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = Arc::new(UdpSocket::bind(any).await?);
        let mut client = Self { host: host(Datagrams::new(socket, None), 1)?, id };
        let writable = client.host.socket().writable();
        writable.await;
        let data = u32::try_from(id.get()).map_err(io::Error::other)?;
        client.host.connect(server, CHANNELS, data).map_err(io::Error::other)?;
        match timeout(ANSWER, client.event()).await? {
            Event::Connect { .. } => Ok(client),
            _ => Err(io::ErrorKind::ConnectionRefused.into()),
        }
    }

    /// The number of the client.
    pub const fn id(&self) -> PeerId {
        self.id
    }

    /// The next packet and its delivery. `None` when the connection is closed or lost. Cancel safe. Allocates O(bytes).
    pub async fn recv(&mut self) -> Option<(Vec<u8>, Delivery)> {
        loop {
            if !self.host.peer(SERVER).connected() {
                return None;
            }
            match self.event().await {
                Event::Receive { channel_id, packet, .. } => {
                    let (bytes, delivery) = from_enet(channel_id, packet.data())?;
                    return Some((bytes.to_vec(), delivery));
                }
                Event::Disconnect { .. } => return None,
                Event::Connect { .. } => {}
            }
        }
    }

    /// Sends a copy of a packet. O(bytes).
    ///
    /// # Errors
    /// The connection is closed or lost, or it has no such channel.
    pub fn send(&mut self, packet: &[u8], delivery: Delivery) -> io::Result<()> {
        let (channel, kind) = to_enet(delivery);
        let packet = Packet::new(packet, kind);
        self.host.peer_mut(SERVER).send(channel, &packet).map_err(io::Error::other)?;
        self.host.flush();
        Ok(())
    }

    /// Disconnects after all queued packets are sent, and waits at most five seconds for the answer.
    pub async fn close(mut self) {
        let server = self.host.peer_mut(SERVER);
        if !server.connected() {
            return;
        }
        server.disconnect_later(0);
        let closed = async { while !matches!(self.event().await, Event::Disconnect { .. }) {} };
        let _ = timeout(ANSWER, closed).await;
    }

    async fn event(&mut self) -> Event {
        loop {
            let event = self.host.service().ok().flatten().map(rusty_enet::Event::no_ref);
            // ENet returns the event of a packet before it sends the acknowledgement, so the acknowledgement is sent
            // now.
            self.host.flush();
            if let Some(event) = event {
                return event;
            }
            let readable = self.host.socket_mut().readable();
            // ENet checks the socket again when a datagram has arrived, or after the timeout.
            let _ = timeout(PACE, readable).await;
        }
    }
}
