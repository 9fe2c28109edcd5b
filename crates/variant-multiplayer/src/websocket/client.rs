//! [`Client`]: a client for bots and tests.

use std::fmt;
use std::io;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, ToSocketAddrs};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::acceptor::AnyStream;
use super::config::{config, io_error};
use crate::peer::PeerId;
use crate::transport::TransportLimits;

/// A client with the protocol of the engine's `WebSocketMultiplayerPeer`.
///
/// The client answers pings and close messages while [`Client::recv`] is awaited.
///
/// ```
/// use std::time::Instant;
/// use variant_multiplayer::websocket::Client;
/// use variant_multiplayer::{Driver, Input, Output, Service, TransportLimits};
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
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let (address, limits) = (listener.local_addr()?, TransportLimits::SERVER);
/// let client = async {
///     let mut client = Client::connect(address, limits).await?;
///     client.send(*b"\x03hello").await?;
///     assert!(client.id().is_client());
///     client.close().await
/// };
/// tokio::select! {
///     ended = Driver::new(Silent).websocket(listener).run(std::future::pending()) => ended.map(drop),
///     done = client => done,
/// }
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct Client {
    socket: WebSocketStream<AnyStream>,
    id: PeerId,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Client {
    /// Connects, and waits for the number. [`TransportLimits::handshake`] limits the total time of both,
    /// [`TransportLimits::packet`] the size of messages.
    ///
    /// # Errors
    /// The connection, the upgrade or the first message failed, or took too long.
    pub async fn connect(address: impl ToSocketAddrs, limits: TransportLimits) -> io::Result<Self> {
        let opened = timeout(limits.handshake, async {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let url = format!("ws://{}/", stream.peer_addr()?);
            Self::open(Box::new(stream), &url, limits).await
        });
        opened.await?
    }

    /// Works as [`Client::connect`], over an open stream, such as a TLS stream. `url` is sent in the upgrade.
    ///
    /// # Errors
    /// Those of [`Client::connect`], or a scheme of `url` other than `ws` and `wss`.
    pub async fn over<S>(stream: S, url: &str, limits: TransportLimits) -> io::Result<Self>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        timeout(limits.handshake, Self::open(Box::new(stream), url, limits)).await?
    }

    async fn open(stream: AnyStream, url: &str, limits: TransportLimits) -> io::Result<Self> {
        let config = Some(config(limits.packet));
        let (mut socket, _) =
            client_async_with_config(url, stream, config).await.map_err(io_error)?;
        let first = next(&mut socket).await?;
        let id = first
            .and_then(|bytes| <[u8; 4]>::try_from(&*bytes).ok())
            .and_then(|bytes| PeerId::client(i32::from_le_bytes(bytes)))
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no number came first"))?;
        Ok(Self { socket, id })
    }

    /// The number that the server chose.
    pub const fn id(&self) -> PeerId {
        self.id
    }

    /// The next packet. `None` when the connection is closed. Cancel safe. Allocates O(bytes).
    ///
    /// # Errors
    /// The connection is lost, or the server breaks the protocol.
    pub async fn recv(&mut self) -> io::Result<Option<Vec<u8>>> {
        Ok(next(&mut self.socket).await?.map(Vec::from))
    }

    /// Sends a packet. Waits until the system has accepted the bytes. O(bytes).
    ///
    /// # Errors
    /// The connection is closed or lost.
    pub async fn send(&mut self, packet: impl Into<Vec<u8>>) -> io::Result<()> {
        let message = Message::Binary(Bytes::from(packet.into()));
        self.socket.send(message).await.map_err(io_error)
    }

    /// Closes the connection, and waits for the answer.
    ///
    /// # Errors
    /// The connection is lost.
    pub async fn close(mut self) -> io::Result<()> {
        self.socket.close(None).await.map_err(io_error)?;
        while next(&mut self.socket).await?.is_some() {}
        Ok(())
    }
}

async fn next(socket: &mut WebSocketStream<AnyStream>) -> io::Result<Option<Bytes>> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Binary(bytes))) => return Ok(Some(bytes)),
            Some(Ok(Message::Text(text))) => return Ok(Some(text.into())),
            // Other messages contain no packet. After a close message, the next read returns the end of the connection.
            Some(Ok(_)) => {}
            None | Some(Err(Error::ConnectionClosed)) => return Ok(None),
            Some(Err(error)) => return Err(io_error(error)),
        }
    }
}
