//! The transport of the engine's `WebSocketMultiplayerPeer`, over tokio: [`serve`] for servers, [`Client`] for bots and
//! tests.
//!
//! The first message of a server is the number of the client, 4 bytes little-endian. After that each message is one
//! packet, in both directions. Channels and modes are not sent: all packets are [`Delivery::RELIABLE`].
//!
//! Connections are not encrypted. For TLS, use a proxy that terminates it.
//!
//! [`Delivery::RELIABLE`]: crate::Delivery::RELIABLE

mod client;
mod config;
mod connection;
mod hub;

use std::future::Future;
use std::io;

use tokio::net::TcpListener;

pub use self::client::Client;
use self::hub::Hub;
use crate::transport::{Service, TransportLimits};

/// Serves the clients of a listener until `shutdown`, then closes them and returns the service.
///
/// The service belongs to the task that awaits this function; each connection has a separate task. Outputs are sent
/// after each input. If packets arrive faster than the service handles them, they wait in the connections of their
/// clients, which are served in turn. If more than a quarter of [`TransportLimits::backlog`] waits for a connection,
/// handling pauses until the connections have had time to send. A client that does not read is closed when more than
/// [`TransportLimits::backlog`] bytes wait for it.
///
/// Each client has a random number that is not in use. The numbers are hard to guess, but not secret: every client
/// learns the numbers of the others.
///
/// Each connection gets a ping at the interval of [`TransportLimits::ping`]. A client that has vanished is disconnected
/// after [`TransportLimits::idle`].
///
/// At `shutdown` the queued packets are sent and all clients are closed, within six seconds. The service is not
/// notified.
///
/// # Errors
/// [`TransportLimits::idle`] is shorter than three pings, or the listener no longer listens. Other failures to accept, such as too many open files, are retried.
///
/// ```
/// # use std::time::{Duration, Instant};
/// # use tokio::net::TcpListener;
/// # use variant_multiplayer::{Input, Output, Service, TransportLimits, websocket};
/// /// Answers nobody.
/// struct Silent;
///
/// impl Service for Silent {
///     fn handle(&mut self, _: Input<'_>, _: Instant) {}
///     fn output(&mut self) -> Option<Output> {
///         None
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let listener = TcpListener::bind("127.0.0.1:0").await?;
/// let shutdown = tokio::time::sleep(Duration::from_millis(10));
/// websocket::serve(listener, Silent, TransportLimits::SERVER, shutdown).await?;
/// # Ok::<_, std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub async fn serve<S: Service>(
    listener: TcpListener,
    service: S,
    limits: TransportLimits,
    shutdown: impl Future<Output = ()>,
) -> io::Result<S> {
    limits.check()?;
    Hub::new(service, limits).run(listener, shutdown).await
}
