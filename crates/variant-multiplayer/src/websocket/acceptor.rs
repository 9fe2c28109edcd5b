//! [`Acceptor`]: connections that the program accepts, such as TLS connections.

use std::future::{Future, ready};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// The maximum number of streams that wait until the driver takes them.
const WAITING: usize = 64;

/// A byte stream.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Any byte stream.
pub(super) type AnyStream = Box<dyn Stream>;

/// A stream that may not be open yet.
type Opening = Pin<Box<dyn Future<Output = io::Result<AnyStream>> + Send>>;

/// A stream for a connection.
pub(crate) struct Offer {
    pub(super) opening: Opening,
    pub(super) address: Option<SocketAddr>,
    /// Whether the HTTP upgrade is complete.
    pub(super) is_upgraded: bool,
}

impl Offer {
    pub(super) fn tcp(stream: TcpStream, address: SocketAddr) -> Self {
        // The system need not batch packets, since connections batch them. The socket option is not necessary, so a
        // failure is ignored.
        let _ = stream.set_nodelay(true);
        let opening = Box::pin(async move { Ok::<AnyStream, _>(Box::new(stream)) });
        Self { opening, address: Some(address), is_upgraded: false }
    }
}

/// A source of connections for [`Driver::websocket`](crate::Driver::websocket): a [`TcpListener`], or streams that the
/// program accepts ([`channel`]).
#[derive(Debug)]
pub struct Source(pub(super) Kind);

#[derive(Debug)]
pub(super) enum Kind {
    Listener(TcpListener),
    Offers(mpsc::Receiver<Offer>),
}

/// Passes streams that the program has accepted to a [`Driver`](crate::Driver): TLS, Unix sockets, upgrades of an HTTP
/// server.
///
/// Each stream counts as one of [`TransportLimits::peers`](crate::TransportLimits::peers), and must be open within
/// [`TransportLimits::handshake`](crate::TransportLimits::handshake), including the handshake of TLS and the upgrade.
///
/// ```
/// use std::time::Instant;
/// use tokio::net::{UnixListener, UnixStream};
/// use variant_multiplayer::{Driver, Input, Output, Service, TransportLimits, websocket};
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
/// # let folder = std::env::temp_dir().join(format!("acceptor-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("game.socket");
/// let listener = UnixListener::bind(&path)?;
/// let (acceptor, source) = websocket::channel();
/// let accept = async {
///     loop {
///         let (stream, _) = listener.accept().await?;
///         acceptor.accept(stream, None).await?;
///     }
/// };
/// let client = async {
///     let stream = UnixStream::connect(&path).await?;
///     websocket::Client::over(stream, "ws://localhost/", TransportLimits::SERVER).await
/// };
/// let server = Driver::new(Silent).websocket(source).run(std::future::pending());
/// tokio::select! {
///     ended = server => drop(ended?),
///     failed = accept => return failed,
///     client = client => assert!(client?.id().is_client()),
/// }
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Acceptor(mpsc::Sender<Offer>);

/// Returns an acceptor, and the source of its streams.
pub fn channel() -> (Acceptor, Source) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (Acceptor(sender), Source(Kind::Offers(receiver)))
}

impl Acceptor {
    /// Passes a stream whose other end sends the HTTP upgrade next.
    /// [`Network::address`](crate::server::Network::address) returns `address`. Waits while 64 other streams wait.
    ///
    /// # Errors
    /// The driver has ended.
    pub async fn accept<S>(&self, stream: S, address: Option<SocketAddr>) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        self.accept_later(ready(Ok(stream)), address).await
    }

    /// Passes a future of a stream, such as the future of a TLS handshake. The task of the connection awaits the
    /// future, so a slow handshake does not delay other clients.
    ///
    /// # Errors
    /// The driver has ended.
    pub async fn accept_later<S>(
        &self,
        stream: impl Future<Output = io::Result<S>> + Send + 'static,
        address: Option<SocketAddr>,
    ) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        self.offer(stream, address, false).await
    }

    /// Passes the stream of an HTTP server that has answered the upgrade to web sockets. With hyper, the stream is the
    /// result of `hyper::upgrade::on` in a `TokioIo` of hyper-util, as in `examples/lobby`.
    ///
    /// # Errors
    /// The driver has ended.
    pub async fn accept_upgraded<S>(
        &self,
        stream: impl Future<Output = io::Result<S>> + Send + 'static,
        address: Option<SocketAddr>,
    ) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        self.offer(stream, address, true).await
    }

    async fn offer<S>(
        &self,
        stream: impl Future<Output = io::Result<S>> + Send + 'static,
        address: Option<SocketAddr>,
        is_upgraded: bool,
    ) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let opening = Box::pin(async move { Ok::<AnyStream, _>(Box::new(stream.await?)) });
        let offer = Offer { opening, address, is_upgraded };
        self.0.send(offer).await.map_err(|_| io::ErrorKind::NotConnected.into())
    }
}

impl From<TcpListener> for Source {
    fn from(listener: TcpListener) -> Self {
        Self(Kind::Listener(listener))
    }
}
