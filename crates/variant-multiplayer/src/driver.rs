//! [`Driver`]: a service over the engine's transports, on tokio.

mod hub;

use std::future::Future;
use std::io;

#[cfg(feature = "enet")]
use tokio::net::UdpSocket;
use tokio::sync::mpsc;

use self::hub::Hub;
use crate::transport::{Service, TransportLimits};
#[cfg(feature = "websocket")]
use crate::websocket::{Connections, Source};

/// Serves the clients of several transports by one service, on tokio.
///
/// Peer numbers are unique across transports.
///
/// The task that awaits [`Driver::run`] owns the service. Each web socket has a separate task. Outputs are sent after
/// each input. If packets arrive faster than the service handles them, the packets wait in the connections of their
/// clients. The connections are served in turn. If the queue of one web socket holds more than a quarter of
/// [`TransportLimits::backlog`], the driver first lets the connections send, and then passes the next input to the
/// service. A client that does not read is closed when its queue holds more than [`TransportLimits::backlog`] bytes. A
/// silent client is disconnected after [`TransportLimits::idle`].
///
/// ```
/// use std::time::{Duration, Instant};
/// use tokio::net::{TcpListener, UdpSocket};
/// use tokio::sync::mpsc;
/// use variant_multiplayer::{Driver, Input, Output, Service};
///
/// /// Answers nobody, and keeps the messages of other tasks.
/// #[derive(Default)]
/// struct Silent(Vec<&'static str>);
///
/// impl Service for Silent {
///     type Event = &'static str;
///     fn handle(&mut self, _: Input<'_>, _: Instant) {}
///     fn event(&mut self, event: &'static str, _: Instant) {
///         self.0.push(event);
///     }
///     fn output(&mut self) -> Option<Output> {
///         None
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let (events, inbox) = mpsc::channel(16);
/// tokio::spawn(async move { events.send("a database has answered").await });
/// let silent = Driver::new(Silent::default())
///     .websocket(TcpListener::bind("127.0.0.1:0").await?)
///     .enet(UdpSocket::bind("127.0.0.1:0").await?)
///     .inbox(inbox)
///     .run(tokio::time::sleep(Duration::from_millis(50)))
///     .await?;
/// assert_eq!(silent.0, ["a database has answered"]);
/// # Ok::<_, std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a driver does nothing until `run` is awaited"]
pub struct Driver<S: Service> {
    service: S,
    limits: TransportLimits,
    inbox: Option<mpsc::Receiver<S::Event>>,
    #[cfg(feature = "websocket")]
    connections: Connections,
    #[cfg(feature = "enet")]
    sockets: Vec<UdpSocket>,
}

impl<S: Service> Driver<S> {
    /// A driver of a service, with the limits of [`TransportLimits::SERVER`].
    pub fn new(service: S) -> Self {
        Self {
            service,
            limits: TransportLimits::SERVER,
            inbox: None,
            #[cfg(feature = "websocket")]
            connections: Connections::new(),
            #[cfg(feature = "enet")]
            sockets: Vec::new(),
        }
    }

    /// Sets the limits of all transports. [`TransportLimits::peers`] applies to all web sockets together, and to each
    /// ENet socket separately.
    pub const fn limits(mut self, limits: TransportLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Passes messages of other tasks of the program to [`Service::event`], such as the answer of a database. The
    /// capacity of the channel limits the waiting messages. A later inbox replaces an earlier inbox.
    pub fn inbox(mut self, inbox: mpsc::Receiver<S::Event>) -> Self {
        self.inbox = Some(inbox);
        self
    }

    /// Serves the clients of a listener, or clients that the program accepts ([`websocket::channel`]).
    ///
    /// Each client gets a random unused number. The numbers are hard to guess, but not secret: clients learn the
    /// numbers of the peers that they see. Each connection gets a ping at the interval of [`TransportLimits::ping`].
    ///
    /// [`websocket::channel`]: crate::websocket::channel
    #[cfg(feature = "websocket")]
    pub fn websocket(mut self, source: impl Into<Source>) -> Self {
        self.connections.add(source.into());
        self
    }

    /// Serves the ENet clients of a socket.
    ///
    /// The task handles waiting datagrams as a batch, and sends the outputs after each packet. ENet disconnects a
    /// client that has not acknowledged a packet for [`TransportLimits::idle`], or for a sixth of this time if the
    /// round trips of the client were short. A client whose number is in use, below 2 or above 2,147,483,647 is
    /// disconnected without notice to the service.
    ///
    /// The buffers of the socket are enlarged to [`TransportLimits::buffer`]; see
    /// [`enet::enlarge_buffers`](crate::enet::enlarge_buffers).
    ///
    /// Datagrams that the engine cannot have sent are dropped before ENet sees them: fragments that leave gaps, empty
    /// packets, and connection requests with an MTU below the engine's.
    #[cfg(feature = "enet")]
    pub fn enet(mut self, socket: UdpSocket) -> Self {
        self.sockets.push(socket);
        self
    }

    /// Serves until `shutdown`, then closes all clients and returns the service.
    ///
    /// At `shutdown` the queued packets are sent and all clients are closed, within six seconds. The service is not
    /// notified.
    ///
    /// # Errors
    /// [`TransportLimits::idle`] is shorter than three pings. [`TransportLimits::peers`] is 0, or more than 4,095 with ENet.
    /// A listener no longer listens: all clients are closed, and the service is dropped. Other failures to accept, such as
    /// too many open files, are retried. No error of an ENet socket ends the driver.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> io::Result<S> {
        self.limits.check()?;
        let hub = Hub::new(
            self.service,
            self.limits,
            self.inbox,
            #[cfg(feature = "websocket")]
            self.connections,
        );
        #[cfg(feature = "enet")]
        let hub = hub.with_sockets(self.sockets)?;
        hub.run(shutdown).await
    }
}
